"""Structures in host code: what makes one, and what is known of it then."""

from __future__ import annotations

from typing import Any, Final

from drano.frontend.libclang import Kind, Node, bases, bit_field, fields, type_kind
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, POINTER, RECORD
from drano.host.arithmetic import (
    UNKNOWN_DIM,
    Dim,
    Handle,
    Named,
    Record,
    Value,
    convert,
    dimensions,
    in_field,
)
from drano.host.function_bodies import is_dim3, is_plain_member, plain_children

_SIMPLE: Final = frozenset({POINTER, *INTEGER_TYPES, *FLOAT_TYPES})


def fits(kind: int, value: Value) -> bool:
    """Whether a variable of a type can hold a dim3, a structure or a function."""
    if isinstance(value, (Named, Handle)):
        return kind == POINTER
    return kind == RECORD and isinstance(value, (tuple, Record))


def whole_dim(value: Value) -> Dim:
    """A dim3 that is made of another one."""
    return value if isinstance(value, tuple) else UNKNOWN_DIM


def is_constructor(node: Node) -> bool:
    """Whether a call is one of a constructor."""
    if node.type_kind != RECORD:
        return False
    declared = node.declared()
    return declared is not None and declared._kind_id == Kind.CONSTRUCTOR


def is_implicit(constructor: Any) -> bool:
    """Whether the compiler wrote it, which then copies member by member, or does nothing."""
    return bool(constructor.location == constructor.semantic_parent.location)


def has_bases(declaration: Any) -> bool:
    """Whether a class is derived from another one."""
    return bool(bases(declaration.type))


def is_configuration(cursor: Any) -> bool:
    """Whether it is of a type of launch configurations."""
    return type_name(cursor) in {
        "cudaLaunchConfig_st",
        "cudaLaunchConfig_t",
        "CUlaunchConfig_st",
    }


def type_name(cursor: Any) -> str:
    """The type's own name, without ``const``."""
    return str(cursor.type.get_canonical().spelling).removeprefix("const ")


def same_record(node: Node, other: Node) -> bool:
    """Whether two expressions are of one type, but for ``const``."""
    names = (str(each.cursor.type.get_canonical().spelling) for each in (node, other))
    one, two = (name.replace("const ", "").replace("*const", "*") for name in names)
    return one == two


def without_designator(node: Node) -> Node:
    """``4`` of ``.x = 4`` in braces."""
    designated = any(child.kind == Kind.MEMBER_REF for child in node.children)
    inner = plain_children(node)
    return inner[0] if designated and len(inner) == 1 else node


def aggregate(node: Node, values: list[Value]) -> Value:
    """A structure from its braces, as far as each value is one of its members."""
    declaration = node.cursor.type.get_canonical().get_declaration()
    if declaration._kind_id == Kind.UNION:
        return None
    if has_bases(declaration):
        return None
    members = fields(declaration.type)
    parts = plain_children(node)
    if len(parts) == 1 and type_name(parts[0].cursor) == type_name(node.cursor):
        return values[0] if isinstance(values[0], Record) else None
    names = [str(field.spelling) for field in members]
    made, position = Record(), 0
    for part, value in zip(parts, values, strict=True):
        designated = [c.spelling for c in part.children if c.kind == Kind.MEMBER_REF]
        if part.kind == Kind.UNEXPOSED_EXPR and designated:
            position = names.index(designated[0]) if designated[0] in names else len(names)
        if position >= len(members):
            return None
        kind, dim = type_kind(members[position]), is_dim3(members[position])
        whole = dim or designated or kind in _SIMPLE or part.kind == Kind.INIT_LIST
        if not whole and part.type_kind != kind:
            return made  # braces left out: what follows may belong to a part of this one
        member = in_field(_as_member(value, kind, dim=dim), bit_field(members[position]))
        made = made.put(names[position], member if is_plain_member(members[position]) else None)
        position += 1
    return made


def _as_member(value: Value, kind: int, *, dim: bool) -> Value:
    if dim:
        return dimensions([value]) if isinstance(value, int) else value
    if isinstance(value, (int, float)):
        return convert(value, kind)
    return value if fits(kind, value) else None
