"""Numbers of two bytes that CUDA's headers define as classes, and arithmetic with them.

Means: ``is_half`` of a type: ``__half`` or ``__nv_bfloat16``. ``is_half_arithmetic`` of a call: it
converts such numbers or computes with them, and writes to nothing, but for what ``operator=`` has
on its left.
Limits: pairs (``__half2``) are no numbers here, and compound assignments are not known.
"""

from __future__ import annotations

from os.path import basename
from typing import Any, Final

from drano.frontend.libclang import Kind, Node, file_place
from drano.frontend.type_kinds import RECORD
from drano.model.system_headers import is_system_header

HALF_BYTES: Final = 2
_NAMES: Final = frozenset({"__half", "__nv_bfloat16"})
_HEADERS: Final = frozenset({"cuda_fp16.h", "cuda_fp16.hpp", "cuda_bf16.h", "cuda_bf16.hpp"})
_CONVERSION: Final = "operator float"
_CALLED: Final = _NAMES | frozenset(
    {
        _CONVERSION, "operator=", "operator+", "operator-", "operator*", "operator/",
        "operator<", "operator<=", "operator>", "operator>=", "operator==", "operator!=",
        "__half2float", "__float2half", "__float2half_rn",
        "__bfloat162float", "__float2bfloat16", "__float2bfloat16_rn",
        "__hadd", "__hsub", "__hmul", "__hdiv", "__hfma", "__hmin", "__hmax", "__habs", "__hneg",
    }
)  # fmt: skip


def is_half(type_: Any) -> bool:
    """Whether a type of libclang's is one of these numbers, const or not."""
    canonical = type_.get_canonical()
    if int(canonical._kind_id) != RECORD:
        return False
    declared = canonical.get_declaration()
    return str(declared.spelling) in _NAMES and _is_of_cuda(declared)


def is_half_arithmetic(node: Node) -> bool:
    """Whether it is such a call, or names the conversion that one calls."""
    known = node.kind == Kind.CALL and node.spelling in _CALLED
    if not known and not (node.kind == Kind.MEMBER_REF_EXPR and node.spelling == _CONVERSION):
        return False
    declared = node.declared()
    return declared is not None and _is_of_cuda(declared)


def _is_of_cuda(declared: Any) -> bool:
    place = file_place(declared)
    return place is not None and basename(place[0]) in _HEADERS and is_system_header(place[0])
