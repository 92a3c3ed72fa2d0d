"""Macros that PyTorch gives nvcc for every extension: the SDK's 16-bit floats without operators and
without conversions, so that those of ``c10::Half`` are not ambiguous.

Source: ``COMMON_NVCC_FLAGS`` of ``torch/utils/cpp_extension.py``. Many an extension undefines them
again, and has the operators; so they are defined where clang says that they are lacking, and no
more where it then misses operators.
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
_MISSED: Final = re.compile(
    r"(?:invalid operands to binary expression|no viable (?:conversion|overloaded)|cannot convert)"
    r".*\b(?:__half2?|half2?|__nv_bfloat162?|nv_bfloat16)\b"
)


def unwanted(messages: Iterable[str]) -> bool:
    """Whether clang misses what ``MACROS`` take away."""
    return any(_MISSED.search(message) for message in messages)


def wanted(messages: Iterable[str]) -> tuple[str, ...]:
    """``MACROS`` where clang complains of what they prevent."""
    lacking = any(_AMBIGUOUS.search(m) and _OF_PYTORCH.search(m) for m in messages)
    return MACROS if lacking else ()
