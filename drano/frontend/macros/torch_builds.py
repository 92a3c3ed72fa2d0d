"""Macros that PyTorch gives nvcc for every extension: the SDK's 16-bit floats without operators and
without conversions, so that those of ``c10::Half`` are not ambiguous.

Source: ``COMMON_NVCC_FLAGS`` of ``torch/utils/cpp_extension.py``. Many an extension undefines them
again and works with either, so they are defined where clang says that they are lacking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MACROS: Final = (
    "__CUDA_NO_HALF_OPERATORS__",
    "__CUDA_NO_HALF_CONVERSIONS__",
    "__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "__CUDA_NO_HALF2_OPERATORS__",
)
_AMBIGUOUS: Final = re.compile(r"\bambiguous\b")
_OF_PYTORCH: Final = re.compile(r"\bc10::(?:Half|BFloat16)\b")


def wanted(messages: Iterable[str]) -> tuple[str, ...]:
    """``MACROS`` where clang complains of what they prevent."""
    lacking = any(_AMBIGUOUS.search(m) and _OF_PYTORCH.search(m) for m in messages)
    return MACROS if lacking else ()
