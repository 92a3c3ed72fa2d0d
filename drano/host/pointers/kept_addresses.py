"""Pointers of which more is known than their name: whose addresses host code keeps, or refers to by
references. What is stored through any pointer to a pointer of the unit may then be stored there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from drano.frontend.libclang import Kind, Node, Unary, type_kind
from drano.frontend.type_kinds import RECORD, REFERENCES
from drano.host.function_bodies import (
    VARIABLES,
    WRITING,
    assigned,
    is_lasting,
    is_outside,
    plain_children,
    preorder,
    strip,
)
from drano.host.launch_syntax import launch_parts
from drano.host.pointers.pointer_syntax import ARRAYS, is_in_place_of_pointer, is_pointer

HARMLESS: Final = ("cuda", "cu", "nccl", "printf", "fprintf", "free", "memset", "fread", "fwrite")
"""How functions of the system are called that keep no address."""
_NAMES: Final = frozenset({Kind.DECL_REF, Kind.MEMBER_REF_EXPR})
_READING: Final = frozenset({Kind.UNEXPOSED_EXPR, Kind.UNARY_TRAIT})
_CASTS: Final = frozenset({Kind.UNEXPOSED_EXPR, Kind.PAREN, Kind.C_CAST, Kind.REINTERPRET_CAST})


def kept_addresses(root: Node) -> frozenset[int]:
    """Keys of the pointers with which a function does more than read and assign them, but for
    addresses that it gives to functions which keep none, as ``cudaMalloc``. Of its own variables
    those that functions of the user's get: the others are known by all their names.
    """
    kept: set[int] = set()
    parents: dict[int, Node] = {}
    for node in preorder(root):
        parents.update((id(child), node) for child in node.children)
        named = node.kind in _NAMES and is_pointer(node) and node.key not in kept
        if named and _is_kept(node, parents):
            kept.add(node.key)
    return frozenset(kept)


def _is_kept(node: Node, parents: Mapping[int, Node]) -> bool:
    declared = node.declared()
    own = declared is not None and declared._kind_id in VARIABLES and not _outlives(declared)
    own = own and type_kind(declared) not in REFERENCES
    inner, outer = node, _above(node, parents)
    for parent in outer:
        if parent.kind == Kind.PAREN or parent.kind in _CASTS - _READING:
            inner = parent  # of a template's type, or to a reference
        elif parent.kind in _READING or _is_launch(parent):
            return False
        elif parent.kind == Kind.UNARY and parent.unary == Unary.ADDRESS:
            call = next((each for each in outer if each.kind not in _CASTS), None)
            return _may_keep(call) if own else call is None or not _keeps_nothing(call)
        elif own:
            return _may_keep(parent)
        elif parent.kind == Kind.INIT_LIST:
            return _has_references(parent)
        else:
            parts = plain_children(parent)
            return not (parent.kind in WRITING and assigned(parent) in parts[:1] == [inner])
    return False


def _outlives(declared: Any) -> bool:
    return is_lasting(declared) or is_outside(declared)


def _is_launch(node: Node) -> bool:
    return node.kind == Kind.CALL and launch_parts(node) is not None


def _may_keep(node: Node | None) -> bool:
    """Whether it is a call of a function that may keep an address it is given."""
    if node is None or node.kind != Kind.CALL or _is_launch(node):
        return False
    called = node.declared()
    return called is None or not called.location.is_in_system_header


def _has_references(made: Node) -> bool:
    """Whether an object that is made of a list refers to what is in it."""
    declared = made.cursor.type.get_canonical().get_declaration()
    return made.type_kind == RECORD and any(
        child._kind_id in {Kind.FIELD, Kind.BASE} and type_kind(child) in {*REFERENCES, RECORD}
        for child in declared.get_children()
    )


def _above(node: Node, parents: Mapping[int, Node]) -> Iterator[Node]:
    while (parent := parents.get(id(node))) is not None:
        yield parent
        node = parent


def _keeps_nothing(node: Node) -> bool:
    """Whether it is a call of a function of the system that keeps no address."""
    called = node.declared() if node.kind == Kind.CALL else None
    return (
        called is not None
        and called.location.is_in_system_header
        and str(called.spelling).startswith(HARMLESS)
    )


def stored_through(root: Node) -> Iterator[Node]:
    """What a function stores in pointers that it does not name: ``value`` of ``*way = value``, and
    ``*way += 1``.
    """
    for node in preorder(root):
        place = assigned(node) if node.kind in WRITING else None
        if place is None:
            continue
        unnamed = is_pointer(place) and not _is_named(strip(place))
        if not unnamed and not is_in_place_of_pointer(place):
            continue
        moves = node.kind in {Kind.COMPOUND_ASSIGN, Kind.UNARY}
        yield node if moves else plain_children(node)[-1]


def _is_named(place: Node) -> bool:
    """Whether it is a variable, a member, or an element of an array that has a name."""
    while place.kind == Kind.SUBSCRIPT:
        place = strip(plain_children(place)[0])
        if place.type_kind not in ARRAYS:
            return False
    declared = place.declared() if place.kind in _NAMES else None
    return declared is not None and type_kind(declared) not in REFERENCES
