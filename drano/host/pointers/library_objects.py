"""Pointers that are kept in objects of the library's types: ``std::vector``, ``std::pair``,
``std::unique_ptr``. Nothing shows where in them a pointer goes, nor by which of their names one
comes out again: any that the unit puts into some such object may come out of any other one.

Assumption: in objects whose types name no pointers nothing else is kept but what it is made of
(``emplace``); to others a pointer is the end of a range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from drano.frontend.libclang import Kind, Node, type_kind
from drano.frontend.type_kinds import POINTER, RECORD, REFERENCES
from drano.host.function_bodies import (
    WRITING,
    assigned,
    is_lasting,
    is_outside,
    plain_children,
    preorder,
    strip,
)
from drano.host.pointers.pointer_syntax import is_array, is_pointer

_METHODS: Final = frozenset({Kind.METHOD, Kind.CONSTRUCTOR, Kind.CONVERSION})
_HOLDING: Final = re.compile(r"\*|ptr\b|span|\bany\b|iterator|wrapper")
"""Types of the library's that have pointers in them."""
_BUILDING: Final = ("emplace", "try_emplace", "make_", "construct", "allocate_shared")
_FIXED: Final = frozenset(range(3, 25))
"""Kinds of types that are no template's parameters: numbers."""


def is_of_library(call: Node) -> bool:
    """Whether a call is one of a C++ library's functions or methods."""
    called = call.declared() if call.kind == Kind.CALL else None
    if called is None or not called.location.is_in_system_header:
        return False
    if called._kind_id in _METHODS:
        return True
    return called.semantic_parent is not None and called.semantic_parent._kind_id == Kind.NAMESPACE


def is_library_type(node: Node) -> bool:
    """Whether an expression is an object of a library's type that may have pointers in it."""
    if node.type_kind not in {RECORD, *REFERENCES}:
        return False
    declared = node.cursor.type.get_canonical().get_declaration()
    return bool(declared.location.is_in_system_header) and _holds(node)


def comes_from_library(node: Node) -> bool:
    """Whether an expression names something in an object of the library's."""
    return any(_leads_there(inner) for inner in preorder(node))


def _leads_there(node: Node) -> bool:
    if node.kind == Kind.MEMBER_REF_EXPR:
        declared = node.declared()
        if declared is None or declared._kind_id != Kind.FIELD:
            return False
        return bool(declared.location.is_in_system_header)
    return is_of_library(node)


def has_own_objects(root: Node) -> bool:
    """Whether all objects of the library's types in a function are its variables, which no other
    function of the user's gets.
    """
    return not any(_is_shared(node) for node in preorder(root))


def _is_shared(node: Node) -> bool:
    if node.kind == Kind.CALL:
        called: Any = node.declared()
        foreign = called is None or not called.location.is_in_system_header
        return foreign and any(map(is_library_type, (node, *map(strip, plain_children(node)))))
    if node.kind == Kind.MEMBER_REF_EXPR:
        declared = node.declared()
        inside = declared is not None and declared.location.is_in_system_header
        return not inside and is_library_type(node)
    declared = node.declared() if node.kind == Kind.DECL_REF else None
    if declared is None or not is_library_type(node):
        return False
    local = declared._kind_id == Kind.VAR and not (is_lasting(declared) or is_outside(declared))
    return not local or type_kind(declared) in REFERENCES


def pointee_name(cursor: Any) -> str:
    """The type that a pointer points to; "" where it may be any."""
    canonical = cursor.type.get_canonical()
    if int(canonical._kind_id) != POINTER:
        return ""
    pointee = canonical.get_pointee().get_canonical()
    fixed = int(pointee._kind_id) in {*_FIXED, RECORD, POINTER}
    return str(pointee.spelling).removeprefix("const ") if fixed else ""


def put_in_library(root: Node) -> Iterator[tuple[Node, bool]]:
    """Pointers that a function puts into objects of the library's types, and whether it is to make
    an object of them there.
    """
    for node in preorder(root):
        if node.kind in {Kind.CALL, Kind.INIT_LIST}:
            yield from _given(node)
        place = assigned(node) if node.kind in WRITING and node.kind != Kind.CALL else None
        if place is not None and is_pointer(place) and _is_in_library(strip(place)):
            moves = node.kind in {Kind.COMPOUND_ASSIGN, Kind.UNARY}
            yield (node if moves else plain_children(node)[-1]), False


def _is_in_library(place: Node) -> bool:
    declared = place.declared() if place.kind == Kind.DECL_REF else None
    refers = declared is not None and type_kind(declared) in REFERENCES
    return refers or comes_from_library(place)


def _given(node: Node) -> Iterator[tuple[Node, bool]]:
    pointers = [part for outer in plain_children(node) for part in _pointers(outer)]
    if not pointers:
        return
    inner = plain_children(node)
    called = strip(inner[0]) if inner else node
    if node.kind == Kind.INIT_LIST:
        yield from ((part, False) for part in pointers if is_library_type(node))
        return
    declared = node.declared()
    if declared is None:  # in a template
        unresolved = called.kind == Kind.MEMBER_REF_EXPR or not inner
        yield from ((part, True) for part in pointers if unresolved)
        return
    if not is_of_library(node):
        return
    if str(declared.spelling).startswith(_BUILDING):
        yield from ((part, True) for part in pointers)
        return
    method = called.kind == Kind.MEMBER_REF_EXPR
    if any(map(_holds, plain_children(called)[:1] if method else (node, *inner))):
        yield from ((part, False) for part in pointers)


def _pointers(argument: Node) -> list[Node]:
    """A pointer, or those of a list in braces."""
    if is_pointer(argument):
        return [argument]
    parts = strip(argument)
    among = plain_children(parts) if parts.kind == Kind.INIT_LIST and is_array(parts) else []
    return [part for part in among if is_pointer(part)]


def _holds(node: Node) -> bool:
    record = node.type_kind in {RECORD, *REFERENCES}
    return record and _HOLDING.search(str(node.cursor.type.get_canonical().spelling)) is not None
