"""drano finds uncoalesced memory accesses in CUDA kernels, without a GPU and without a CUDA SDK.

Public API: ``check(paths, config) -> Report``. Everything else, by layer, top to bottom:
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from drano.driver import check as check

__version__ = "0.1.0"
__all__ = ["__version__", "check"]


def __getattr__(name: str) -> Any:
    """``check``, when first asked for: the lattices and the model do not load LLVM."""
    if name == "check":
        return importlib.import_module("drano.driver").check
    raise AttributeError(f"module 'drano' has no attribute {name!r}")
