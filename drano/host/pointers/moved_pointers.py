"""How far pointers are moved that host code gives away: ``Shifted`` of arguments, whether pointers
or objects that have some. ``pointer_shifts`` has where that is looked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from drano.frontend.libclang import Kind, Node, bases, fields, key
from drano.frontend.type_kinds import POINTER, RECORD
from drano.host.function_bodies import preorder
from drano.host.pointers.pointer_movement import body_movement, movement_in
from drano.host.pointers.pointer_shifts import Shifts
from drano.host.pointers.pointer_syntax import ARRAYS, MAX_DEPTH, SIZE, holds_address, is_pointer
from drano.host.pointers.shifts_elsewhere import likely_start
from drano.host.pointers.unit_writes import Movement, UnitWrites
from drano.model.translation_unit import Shifted

_START: Final = 256
"""Bytes that starts of allocations are a multiple of (CUDA C++ Programming Guide, 5.3.2)."""
_HANDLE: Final = re.compile(r"\bCU\w+_st \*")
"""Pointers of CUDA's own, as to streams, that lead to nothing that kernels may read."""


def shifted(
    node: Node,
    root: Node,
    given: Mapping[int, Shifted],
    known: UnitWrites,
    *,
    numbers: bool = False,
) -> Shifted | None:
    """How far a pointer that is given away in the function ``root`` may be from the start of an
    allocation; None: as far as the unit shows, it is one. ``given``: of its parameters;
    ``numbers``: numbers that hold addresses count as well.
    """
    if not (node.type_kind in {RECORD, POINTER} or (numbers and holds_address(node))):
        return None
    asked = (id(root), id(node))
    if asked not in known.asked:
        known.kept += (root, node)
        find = _of_object if node.type_kind == RECORD else _of_pointer
        known.asked[asked] = find(node, root, known)
    movement = known.asked[asked]
    own = (given[p] for p in movement.parameters & given.keys())
    unit = math.gcd(movement.unit, *(g.unit * (SIZE if g.likely_start else 1) for g in own))
    if unit % _START == 0:
        return None
    return Shifted(math.gcd(unit, _START), likely_start=unit % SIZE == 0)


def _of_pointer(node: Node, root: Node, known: UnitWrites) -> Movement:
    shifts = Shifts(root, known)
    return Movement(shifts.unit(node, 0), frozenset(shifts.parameters))


def _of_object(node: Node, root: Node, known: UnitWrites) -> Movement:
    """The same of all pointers in an object that is given away: how far the function moves any of
    its pointers, or is given them, and others those in objects of the type.
    """
    shifts = Shifts(root, known)
    elsewhere = _in_objects(node.cursor.type.get_canonical(), shifts, known)
    if elsewhere is None:
        return Movement(0)
    identity = id(root)
    if identity not in known.objects:
        known.kept.append(root)
        known.objects[identity] = 0
        pointers = (
            n for n in preorder(root)
            if n.kind in {Kind.DECL_REF, Kind.MEMBER_REF_EXPR, Kind.CALL} and is_pointer(n)
        )  # fmt: skip
        units = [Shifts(root, known).unit(n, 0) for n in pointers]
        known.objects[identity] = math.gcd(movement_in(body_movement(root), 0, known.calls), *units)
    record = node.cursor.type.get_canonical().get_declaration()
    if record.location.is_in_system_header and shifts.makes_parts():  # PtrStepSz, of a GpuMat
        elsewhere = math.gcd(elsewhere, likely_start(node.cursor))
    return Movement(math.gcd(known.objects[identity], elsewhere), shifts.all_parameters())


def _in_objects(record: Any, shifts: Shifts, known: UnitWrites) -> int | None:
    """How far functions move the pointers in objects of a type; None where these have none."""
    declared = record.get_declaration()
    name = str(record.spelling)
    identity = (key(declared), name)
    if identity not in known.records:
        pointers = list(pointer_fields(declared, 0))
        none = not pointers and "*" not in name  # the library's show no members
        known.records[identity] = (
            None if none else math.gcd(*(shifts.elsewhere(f, 0) for f in pointers))
        )
    return known.records[identity]


def pointer_fields(record: Any, depth: int) -> Iterator[Any]:
    """The members of a class, of its bases and of its members, that are pointers."""
    if depth > MAX_DEPTH:
        return
    for child in (*bases(record.type), *fields(record.type)):
        type_ = child.type.get_canonical()
        while int(type_._kind_id) in ARRAYS:
            type_ = type_.element_type.get_canonical()
        if int(type_._kind_id) == POINTER:
            if _HANDLE.search(str(type_.spelling)) is None:
                yield child
        elif int(type_._kind_id) == RECORD:
            yield from pointer_fields(type_.get_declaration(), depth + 1)
