"""What the memory accesses of a module cost, by one of two domains.

``analyse_module`` is the entry. It is loaded when first asked for, so that a module of this package
can be had without all the others.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from drano.analysis.kernels import AnalysisResult as AnalysisResult
    from drano.analysis.kernels import analyse_module as analyse_module

__all__ = ["AnalysisResult", "analyse_module"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("drano.analysis.kernels"), name)
    raise AttributeError(f"module 'drano.analysis' has no attribute {name!r}")
