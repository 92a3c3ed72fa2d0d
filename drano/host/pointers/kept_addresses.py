"""Pointers of which more is known than their name: whose addresses host code keeps, or refers to by
references. What is stored through any pointer to a pointer of the unit may then be stored there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from drano.frontend.libclang import Kind, Node, Unary, bases, fields, type_kind
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
from drano.host.launching.launch_syntax import launch_parts
from drano.host.pointers.pointer_syntax import (
    ARRAYS,
    is_in_place_of_pointer,
    is_pointer,
    may_hold_pointers,
)

HARMLESS: Final = ("cuda", "cu", "nccl", "printf", "fprintf", "free", "memset", "fread", "fwrite")
"""How functions of the system are called that keep no address."""
_EXCHANGING: Final = frozenset({"swap", "exchange"})
_NAMES: Final = frozenset({Kind.DECL_REF, Kind.MEMBER_REF_EXPR})
_READING: Final = frozenset({Kind.UNEXPOSED_EXPR, Kind.UNARY_TRAIT})
_Leaves: TypeAlias = Callable[[int], bool]
_CASTS: Final = frozenset({Kind.UNEXPOSED_EXPR, Kind.PAREN, Kind.C_CAST, Kind.REINTERPRET_CAST})


class KeptAddresses:
    """The pointers with which the function at ``root`` does more than read and assign them, but for
    addresses that it gives to functions which keep none, as ``cudaMalloc``. Of its own variables
    those whose addresses leave it: the others are known by all their names. Mutable: each variable
    is looked at once it is asked for, by the key that names it.
    """

    def __init__(self, root: Node) -> None:
        self._parents = {id(child): node for node in preorder(root) for child in node.children}
        self._names: dict[int, list[Node]] = {}
        for node in preorder(root):
            if node.kind in _NAMES:
                self._names.setdefault(node.key, []).append(node)
        self._kept: dict[int, bool] = {}
        self._leaving: dict[int, bool] = {}

    def holds(self, variable: int) -> bool:
        """Whether its address is kept."""
        if variable not in self._kept:
            names = filter(is_pointer, self._names.get(variable, ()))
            self._kept[variable] = any(_is_kept(n, self._parents, self.leaves) for n in names)
        return self._kept[variable]

    def leaves(self, variable: int) -> bool:
        """Whether a variable that leads to pointers is given to somebody, or put elsewhere."""
        if variable not in self._leaving:
            names = (n for n in self._names.get(variable, ()) if n.kind == Kind.DECL_REF)
            self._leaving[variable] = any(_leaves(n, self._parents) for n in names)
        return self._leaving[variable]


def _is_kept(node: Node, parents: Mapping[int, Node], leaves: _Leaves) -> bool:
    inner, outer = node, _above(node, parents)
    for parent in outer:
        if parent.kind == Kind.PAREN or parent.kind in _CASTS - _READING:
            inner = parent  # of a template's type, or to a reference
        elif parent.kind in _READING or _is_launch(parent):
            return False
        elif parent.kind == Kind.UNARY and parent.unary == Unary.ADDRESS:
            user = next((each for each in outer if each.kind not in _CASTS), None)
            return not (user is not None and _keeps_nothing(user)) and not (
                _is_own(node) and _stays(parent, parents, leaves)
            )
        elif parent.kind == Kind.INIT_LIST:
            return _has_references(parent) and not (
                _is_own(node) and _stays(inner, parents, leaves)
            )
        else:
            parts = plain_children(parent)
            if parent.kind in WRITING and assigned(parent) in parts[:1] == [inner]:
                return False
            if _is_own(node):
                return not (_keeps_nothing(parent) or _stays(inner, parents, leaves))
            return True
    return False


def _is_own(name: Node) -> bool:
    """Whether it is a variable of the function."""
    declared = name.declared()
    own = declared is not None and declared._kind_id in VARIABLES and not _outlives(declared)
    return own and type_kind(declared) not in REFERENCES


def _stays(value: Node, parents: Mapping[int, Node], leaves: _Leaves) -> bool:
    """Whether what is made of an address is seen in the function alone: it becomes a variable's
    value whose own value never leaves, or is used at once.
    """
    below = value
    for user in _above(value, parents):
        if user.kind in _CASTS or user.kind == Kind.INIT_LIST:
            below = user
            continue
        if user.kind == Kind.VAR:
            return not leaves(user.key) and not _outlives(user.cursor)
        if user.kind == Kind.BINARY and user.binary == "=":
            place = strip(plain_children(user)[0])
            return below is not plain_children(user)[0] and (
                place.kind == Kind.DECL_REF and _is_own(place) and not leaves(place.key)
            )
        if user.kind == Kind.CALL:
            return _is_launch(user) or _keeps_nothing(user) or user.spelling in _EXCHANGING
        return user.kind in {Kind.UNARY, Kind.SUBSCRIPT, Kind.FOR_RANGE}
    return True


def _leaves(name: Node, parents: Mapping[int, Node]) -> bool:
    """Whether a variable that leads to pointers is given to somebody, or put somewhere else."""
    if not may_hold_pointers(name):
        return False
    below = name
    for user in _above(name, parents):
        if user.kind in _CASTS:
            below = user
        elif user.kind == Kind.CALL:
            return not (_is_launch(user) or _keeps_nothing(user) or user.spelling in _EXCHANGING)
        elif user.kind == Kind.BINARY and user.binary == "=":
            return below is not plain_children(user)[0]
        else:
            return user.kind in {Kind.VAR, Kind.INIT_LIST, Kind.RETURN, Kind.LAMBDA}
    return False


def _outlives(declared: Any) -> bool:
    return is_lasting(declared) or is_outside(declared)


def _is_launch(node: Node) -> bool:
    return node.kind == Kind.CALL and launch_parts(node) is not None


def _has_references(made: Node) -> bool:
    """Whether an object that is made of a list refers to what is in it."""
    if made.type_kind != RECORD:
        return False
    type_ = made.cursor.type.get_canonical()
    parts = (*bases(type_), *fields(type_))
    return any(type_kind(part) in {*REFERENCES, RECORD} for part in parts)


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
