"""Pointers that host code moves before it gives them to a kernel: ``data + offset``, ``&data[i]``.

What a pointer is moved by is looked for in the expression itself and in all that the function
assigns to its variables and to members of that name, wherever that stands: a pointer is moved where
it may be.

Limits: pointers in members and in global variables that other functions move are taken for the
starts of allocations, as are results of calls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from drano.ir.hostbody import PASSING, STEPS, VARIABLES, assigned, descend, plain_children, strip
from drano.ir.libclang import (
    POINTER,
    Kind,
    Node,
    Unary,
    binary_operator,
    constant,
    key,
    unary_operator,
)
from drano.ir.unit import Shifted

_START: Final = 256
"""Bytes that starts of allocations are a multiple of (CUDA C++ Programming Guide, 5.3.2)."""
_MAX_DEPTH: Final = 12
_ASSIGNED: Final = VARIABLES | {Kind.FIELD}


Writes: TypeAlias = dict[int, list[Node]]
"""What each pointer variable of a function is given."""


def shifted(
    node: Node, root: Node, given: Mapping[int, Shifted], known: dict[int, Writes]
) -> Shifted | None:
    """How far a pointer that is given away in the function ``root`` may be from the start of an
    allocation; None: as far as the function shows, it is one. ``given``: of its parameters;
    ``known``: remembers functions by the identity of ``root``, which has to last as long.
    """
    if _pointee_size(node.cursor) is None:
        return None
    unit = _Shifts(root, given, known).unit(node, 0)
    return Shifted(math.gcd(unit, _START)) if unit % _START else None


class _Shifts:
    def __init__(self, root: Node, given: Mapping[int, Shifted], known: dict[int, Writes]) -> None:
        self._root = root
        self._given = given
        self._known = known
        self._seen: set[int] = set()

    def unit(self, node: Node, depth: int) -> int:
        """Greatest number of bytes that a pointer's place in its allocation is known to be a
        multiple of; 0: it is its start.
        """
        node = _plain(node)
        size = _pointee_size(node.cursor)
        if size is None:
            return 0
        inner = plain_children(node)
        if depth > _MAX_DEPTH:
            return 1
        if node.kind in {Kind.DECL_REF, Kind.MEMBER_REF_EXPR}:
            return self._variable(node, depth)
        if node.kind == Kind.CONDITIONAL and len(inner) == 3:
            return math.gcd(self.unit(inner[1], depth + 1), self.unit(inner[2], depth + 1))
        if node.kind == Kind.UNARY and inner:
            return self._unary(node, inner[0], size, depth)
        if len(inner) != 2 or node.kind not in {Kind.BINARY, Kind.COMPOUND_ASSIGN}:
            return 0
        operator = binary_operator(node.cursor).removesuffix("=")
        if operator not in {"+", "-"}:
            return self.unit(inner[1], depth + 1)  # an assignment, or the second of two
        step = next((side for side in inner if _pointee_size(side.cursor) is None), None)
        base = sum(self.unit(side, depth + 1) for side in inner if side is not step)
        return math.gcd(base, size * _factor(step, 0)) if step is not None else 1

    def _unary(self, node: Node, operand: Node, size: int, depth: int) -> int:
        operator = unary_operator(node.cursor)
        if operator in STEPS:
            return math.gcd(self.unit(operand, depth + 1), size)
        element = _plain(operand)
        parts = plain_children(element)
        if operator == Unary.ADDRESS and element.kind == Kind.SUBSCRIPT and len(parts) == 2:
            return math.gcd(self.unit(parts[0], depth + 1), size * _factor(parts[1], 0))
        if operator == Unary.ADDRESS and element.kind == Kind.UNARY and len(parts) == 1:
            return self.unit(parts[0], depth + 1)
        return 0

    def _variable(self, node: Node, depth: int) -> int:
        declared = node.declared()
        variable = node.key()
        if declared is None or declared._kind_id not in _ASSIGNED or variable in self._seen:
            return 0
        self._seen.add(variable)
        writes = self._known.get(id(self._root))
        if writes is None:
            writes = self._known[id(self._root)] = _writes(self._root)
        given = self._given.get(variable)
        units = [given.unit] if given is not None else []
        units += (self.unit(write, depth + 1) for write in writes.get(variable, ()))
        return math.gcd(*units)


def _plain(node: Node) -> Node:
    """``strip``, with the casts that no value has, and functions that give back what they get."""
    node = strip(node)
    while True:
        inner = plain_children(node)
        if node.kind == Kind.CALL and len(inner) == 2 and node.cursor.spelling in PASSING:
            node = strip(inner[1])
        elif node.kind in {Kind.REINTERPRET_CAST, Kind.CONST_CAST} and len(inner) == 1:
            node = strip(inner[0])
        else:
            return node


def _writes(root: Node) -> Writes:
    """What each pointer variable and member is given: the values of assignments and initialisers,
    and expressions that step it.
    """
    found: Writes = {}
    for node, _ in descend(root):
        place = assigned(node)
        inner = plain_children(node)
        if node.kind == Kind.VAR and inner:
            found.setdefault(key(node.cursor), []).append(inner[-1])
        elif place is not None:
            moves = node.kind in {Kind.UNARY, Kind.COMPOUND_ASSIGN}
            found.setdefault(strip(place).key(), []).append(node if moves else inner[-1])
    return found


def _factor(node: Node, depth: int) -> int:
    """A number that an integer expression is a multiple of; 0 if it is 0."""
    node = strip(node)
    known = constant(node.cursor)
    if known is not None:
        return abs(known)
    inner = plain_children(node)
    if node.kind != Kind.BINARY or len(inner) != 2 or depth > _MAX_DEPTH:
        return 1
    operator = binary_operator(node.cursor)
    left, right = (_factor(side, depth + 1) for side in inner)
    if operator == "*":
        return left * right
    if operator in {"+", "-"}:
        return math.gcd(left, right)
    if operator == "<<":
        shift = constant(strip(inner[1]).cursor)
        return left << shift if shift is not None and 0 <= shift < 64 else 1
    return 1


def _pointee_size(cursor: Any) -> int | None:
    """Size of what a pointer points to, in bytes; None: no pointer, or to nothing of a size."""
    canonical = cursor.type.get_canonical()
    if int(canonical._kind_id) != POINTER:
        return None
    size = int(canonical.get_pointee().get_size())
    return size if size > 0 else None
