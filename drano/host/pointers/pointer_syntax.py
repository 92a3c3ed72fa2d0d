"""Expressions of pointers in host code: what they point to, what of them is an address, and what
number the distances that they are moved by are a multiple of.

Limits: an integer that the function is given may be anything; it counts as a *size* (``SIZE``).
"""

from __future__ import annotations

import math
import re
from typing import Any, Final
from weakref import WeakKeyDictionary

from drano.frontend.libclang import Kind, Node, bases, constant, fields, key
from drano.frontend.type_kinds import ENUM, FLOAT_TYPES, INTEGER_TYPES, POINTER, RECORD
from drano.host.function_bodies import PASSING, VARIABLES, plain_children, preorder, strip

SIZE: Final = (1 << 61) - 1
"""A prime that stands for a size; no constant of a program is a multiple of it."""
MAX_DEPTH: Final = 12
COMPUTING: Final = frozenset({Kind.BINARY, Kind.COMPOUND_ASSIGN})
ARRAYS: Final = frozenset({112, 114, 115, 116})
_CASTS: Final = frozenset({Kind.C_CAST, Kind.REINTERPRET_CAST, Kind.FUNCTIONAL_CAST})
WIDE: Final = frozenset({10, 11, 18, 19})
_NUMBERS: Final = INTEGER_TYPES.keys() | FLOAT_TYPES.keys() | {ENUM}
_NARROW: Final = _NUMBERS - WIDE
_BYTES: Final = frozenset({4, 5, 13, 14})
_FUNCTIONS: Final = frozenset({110, 111})
_HANDLE: Final = re.compile(r"\bCU\w+_st\Z")
_HAVING: Final[WeakKeyDictionary[Any, dict[int, bool]]] = WeakKeyDictionary()
"""Of each unit, by their declarations' keys, whether classes may have pointers."""
PART: Final = -2
"""Stands for all names of parts of objects, ``auto [a, b] = pair``, among the keys of variables."""


def named_in(node: Node) -> frozenset[int]:
    """Keys of the variables that an expression names; ``PART`` for names of parts of objects."""
    names = ((n, n.declared()) for n in preorder(node) if n.kind == Kind.DECL_REF)
    kinds = ((n, d._kind_id) for n, d in names if d is not None)
    return frozenset(
        PART if kind == Kind.UNEXPOSED_DECL else n.key
        for n, kind in kinds
        if kind in VARIABLES or kind == Kind.UNEXPOSED_DECL
    )


def points_to_pointer(node: Node) -> bool:
    """Whether a pointer points to pointers, to arrays of them, or to objects that may have some."""
    if not is_pointer(node):
        return False
    return _may_have_pointers(node.cursor.type.get_canonical().get_pointee().get_canonical(), 0)


def may_hold_pointers(node: Node) -> bool:
    """Whether an expression is an object that may have pointers, or bytes or numbers in the place
    of some, or leads to such.
    """
    if node.type_kind in _NARROW:
        return False
    canonical = node.cursor.type.get_canonical()
    if is_pointer(node):
        canonical = canonical.get_pointee().get_canonical()
    return _may_have_pointers(canonical, 1)


def _may_have_pointers(canonical: Any, depth: int) -> bool:
    """Whether there may be pointers in an object, or numbers in their place: not in ``__half``, nor
    in CUDA's own, as streams, which lead to nothing that kernels may read.
    """
    kind, several = int(canonical._kind_id), False
    while kind in ARRAYS:
        canonical, several = canonical.element_type.get_canonical(), True
        kind = int(canonical._kind_id)
    if kind != RECORD:
        number = kind in _NARROW and not (several and kind in _BYTES)
        return kind == POINTER or (depth > 0 and not number)
    declared, name = canonical.get_declaration(), str(canonical.spelling)
    if _HANDLE.search(name) is not None:
        return False
    known, identity = _HAVING.setdefault(canonical._tu, {}), key(declared)
    if identity not in known:
        # An instance of a template that nothing asks for has a definition, but no size or members.
        whole = declared.get_definition() is not None and canonical.get_size() >= 0
        seen = whole and depth <= MAX_DEPTH
        known[identity] = not seen or any(
            _may_have_pointers(part.type.get_canonical(), depth + 1)
            for part in (*bases(canonical), *fields(canonical))
        )
    return known[identity]


def is_pointer(node: Node) -> bool:
    """Whether an expression is a pointer."""
    return node.type_kind == POINTER


def leads_to_function(node: Node) -> bool:
    """Whether a pointer points to a function."""
    pointee = node.cursor.type.get_canonical().get_pointee().get_canonical()
    return int(pointee._kind_id) in _FUNCTIONS


def is_in_place_of_pointer(place: Node) -> bool:
    """Whether a number lies where a pointer does: ``*(size_t *)&data``."""
    return place.type_kind in INTEGER_TYPES and any(map(_makes_numbers, preorder(place)))


def _makes_numbers(cast: Node) -> bool:
    inner = plain_children(cast) if cast.kind in _CASTS else []
    if len(inner) != 1:
        return False
    place = inner[0].kind in {Kind.DECL_REF, Kind.MEMBER_REF_EXPR, Kind.SUBSCRIPT}
    if place and is_pointer(inner[0]):
        return not is_pointer(cast)
    return points_to_pointer(inner[0]) and not points_to_pointer(cast)


def is_place(node: Node) -> bool:
    """Whether an expression is part of what a pointer points to, not a value from there."""
    return is_array(node) or node.type_kind == RECORD


def own_alignment(name: Node) -> int | None:
    """What the address of an array of numbers is a multiple of: it is no allocation of its own.
    None of anything else.
    """
    canonical = name.cursor.type.get_canonical()
    if not is_array(name):
        return None
    while int(canonical._kind_id) in ARRAYS:
        canonical = canonical.element_type.get_canonical()
    number = int(canonical._kind_id) in _NUMBERS
    return max(int(canonical.get_align()), 1) if number else None


def is_array(node: Node) -> bool:
    """Whether an expression is an array."""
    return node.type_kind in ARRAYS


def same_pointee(one: Node, other: Node) -> bool:
    """Whether two pointers point to values of the same size."""
    sizes = step_size(one), step_size(other)
    return sizes[0] is not None and sizes[0] == sizes[1]


def holds_address(node: Node) -> bool:
    """Whether a number is made of a pointer, as far as can be seen."""
    return any(is_pointer(inner) for inner in preorder(node)) or (
        strip(node).kind == Kind.DECL_REF and strip(node).type_kind in WIDE
    )


def member_offset(member: Node) -> int:
    """Bytes from the start of an object to a member."""
    declared = member.declared()
    bits = int(declared.get_field_offsetof()) if declared is not None else -1
    return bits // 8 if bits >= 0 else 1


def plain(node: Node) -> Node:
    """``strip``, with the casts that no value has, and functions that give back what they get."""
    node = strip(node)
    while True:
        inner = plain_children(node)
        if node.kind == Kind.CALL and len(inner) == 2 and node.spelling in PASSING:
            node = strip(inner[1])
        elif node.kind in {Kind.REINTERPRET_CAST, Kind.CONST_CAST} and len(inner) == 1:
            node = strip(inner[0])
        else:
            return node


def factor(node: Node, depth: int) -> int:
    """A number that an integer expression is a multiple of; 0 if it is 0."""
    node = strip(node)
    known = constant(node.cursor)
    if known is not None:
        return abs(known)
    inner = plain_children(node)
    if node.kind == Kind.CONDITIONAL and len(inner) == 3 and depth <= MAX_DEPTH:
        return math.gcd(factor(inner[1], depth + 1), factor(inner[2], depth + 1))
    if node.kind != Kind.BINARY or len(inner) != 2 or depth > MAX_DEPTH:
        return SIZE if _is_given(node) else 1
    operator = node.binary
    left, right = (factor(side, depth + 1) for side in inner)
    if operator == "*":
        product = left * right
        sizes = [constant(strip(side).cursor) is None for side in inner]
        return product * SIZE if all(sizes) and product % SIZE else product
    if operator in {"+", "-"}:
        return math.gcd(left, right)
    if operator == "<<":
        shift = constant(strip(inner[1]).cursor)
        return left << shift if shift is not None and 0 <= shift < 64 else 1
    return 1


def _is_given(node: Node) -> bool:
    """Whether it is a number that the function is given, or a constant, or one out of an array that
    it is given: no counter of its own.
    """
    while node.kind == Kind.SUBSCRIPT:
        node = strip(plain_children(node)[0])
    declared = node.declared()
    if declared is None or declared._kind_id != Kind.VAR:
        return declared is not None and declared._kind_id in {Kind.PARM, Kind.FIELD}
    return bool(declared.type.is_const_qualified())


def step_size(node: Node) -> int | None:
    """``pointee_size`` of an expression."""
    return pointee_size(node.cursor) if is_pointer(node) else None


def pointee_size(cursor: Any) -> int | None:
    """Size of what a pointer points to, in bytes; None: no pointer, or to nothing of a size."""
    canonical = cursor.type.get_canonical()
    if int(canonical._kind_id) != POINTER:
        return None
    size = int(canonical.get_pointee().get_size())
    return size if size > 0 else None
