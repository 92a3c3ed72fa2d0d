"""Objects of libraries that have an array of the GPU, or a part of one: PyTorch's tensors, OpenCV's
matrices. Where a unit makes parts of them, what any of them hands out may lie within an array.

Classes of the unit's own are read instead (a user's ``Tensor`` with a body that moves a pointer).
Assumption: what no method of these makes a part of, in the unit, has an array of its own.
"""

from __future__ import annotations

from typing import Any, Final

from drano.frontend.libclang import Kind, Node

_CLASSES: Final = frozenset({"Tensor", "TensorBase", "GpuMat"})
_NAMESPACES: Final = frozenset({"at", "stable", "torch"})  # torch::narrow(t, 0, 1, n)
_PARTS: Final = frozenset(
    {"narrow", "select", "slice", "index", "operator[]", "operator()", "row", "col", "rowRange",
     "colRange", "ptr", "split", "split_with_sizes", "tensor_split", "chunk", "unbind",
     "as_strided", "diagonal", "unfold"}
)  # fmt: skip


def makes_part(call: Node) -> bool:
    """Whether a call gives a part of an array that an object has."""
    if call.kind != Kind.CALL or call.spelling not in _PARTS:
        return False
    declared = call.declared()
    return declared is not None and _is_of(declared, _CLASSES | _NAMESPACES)


def has_array(member: Any) -> bool:
    """Whether a method or a member is of such an object."""
    return _is_of(member, _CLASSES)


def _is_of(declared: Any, owners: frozenset[str]) -> bool:
    if not declared.location.is_in_system_header:
        return False
    owner = declared.semantic_parent
    return owner is not None and str(owner.spelling) in owners
