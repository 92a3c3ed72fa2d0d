"""Pointers that host code moves before it passes them to a kernel: ``data + offset``, ``&data[i]``.

What moves a pointer is looked for in the expression itself and in all that the function assigns to
its variables, and to members of that name, wherever they are: a pointer is moved if it may be. What
else a variable holds (elements, members, what it refers to) is moved by any statement that assigns
something moved to it, and by functions of the unit that receive it; results of the unit's functions
are moved by what these return.

A pointer that is moved by a size that nobody knows (``data + B * T * C``) may be anywhere, but is
*likely* to be at a whole line, as kernels' own products of sizes are. Distances carry this along as
a prime factor, which the greatest common divisor with any other distance loses. So does what is
not followed any further: it may be anywhere, and is most likely as it was allocated.

What other functions of the unit assign to a member or to a variable that outlives them, or make an
object of, counts as well, and so do the arguments that they get for it in the unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from drano.frontend.libclang import Kind, Node, Unary, type_kind
from drano.frontend.type_kinds import INTEGER_TYPES, REFERENCES
from drano.host.function_bodies import (
    STEPS,
    VARIABLES,
    is_lasting,
    is_outside,
    plain_children,
    preorder,
)
from drano.host.pointers.array_views import has_array
from drano.host.pointers.function_writes import is_address_of_pointer
from drano.host.pointers.library_objects import (
    comes_from_library,
    is_library_type,
    is_of_library,
    pointee_name,
)
from drano.host.pointers.pointer_movement import (
    MAX_CALLS,
    STEPPING,
    led_to,
)
from drano.host.pointers.pointer_syntax import (
    ARRAYS,
    COMPUTING,
    MAX_DEPTH,
    PART,
    SIZE,
    factor,
    holds_address,
    is_array,
    is_place,
    is_pointer,
    leads_to_function,
    member_offset,
    own_alignment,
    plain,
    same_pointee,
    step_size,
)
from drano.host.pointers.shifts_elsewhere import ShiftsElsewhere, likely_start
from drano.host.pointers.unit_writes import UnitWrites
from drano.host.pointers.unseen_code import (
    calls_back,
    definition_of,
    may_return_pointers,
)

_ALIGNING: Final = frozenset({"align"})
_HOST_MEMORY: Final = frozenset({"malloc", "calloc", "realloc"})
_HOST_ALIGNMENT: Final = 16
"""Bytes that memory of the host is aligned to, which kernels may access on some systems."""
_ASSIGNED: Final = VARIABLES | {Kind.FIELD}


class Shifts(ShiftsElsewhere):
    """``parameters``: those of the function by which more may be moved than is told, once asked;
    ``nested``: of its parameters all is said by the calls of the function.
    """

    def __init__(self, root: Node, known: UnitWrites, *, nested: bool = False) -> None:
        super().__init__(root, known)
        self._nested = nested
        self._seen: set[int] = set()

    def of(self, root: Node, *, nested: bool) -> Shifts:
        """The same of another function."""
        return Shifts(root, self.known, nested=nested)

    def unit(self, node: Node, depth: int) -> int:
        """Greatest number of bytes that a pointer's place in its allocation is known to be a
        multiple of; 0: it is its start.
        """
        node = plain(node)
        inner = plain_children(node)
        if depth > MAX_DEPTH:
            return SIZE
        if node.type_kind in INTEGER_TYPES:
            return self._address(node, depth)
        if node.kind == Kind.DECL_REF:
            own = own_alignment(node)
            return self._variable(node, depth) if own is None else own
        if node.kind == Kind.MEMBER_REF_EXPR:
            return self._member(node, depth)
        if node.kind == Kind.CALL:
            return self._result(node, depth)
        if node.kind == Kind.SUBSCRIPT and len(inner) == 2:
            return self._element(node, depth)
        if is_library_type(node) and node.kind != Kind.INIT_LIST:
            return math.gcd(self._held(node, depth), self.in_library("", building=False))
        if node.kind == Kind.INIT_LIST:
            values = (part for part in inner if not is_address_of_pointer(part))
            return math.gcd(*(self.unit(part, depth + 1) for part in values))
        if node.kind == Kind.NEW:
            return _HOST_ALIGNMENT * SIZE
        if node.kind == Kind.CONDITIONAL and len(inner) == 3:
            return math.gcd(self.unit(inner[1], depth + 1), self.unit(inner[2], depth + 1))
        size = step_size(node)
        if node.kind == Kind.UNARY and inner:
            return self._unary(node, inner[0], size or 1, depth)
        if size is None or len(inner) != 2 or node.kind not in COMPUTING:
            return 0
        operator = node.binary.removesuffix("=")
        if not node.binary:
            return SIZE  # of an object, by a pointer to a member: it may be any of them
        if operator not in {"+", "-"}:
            return self.unit(inner[1], depth + 1)  # an assignment, or the second of two
        step = next((side for side in inner if step_size(side) is None), None)
        base = sum(self.unit(side, depth + 1) for side in inner if side is not step)
        return math.gcd(base, size * factor(step, 0)) if step is not None else 1

    def _unary(self, node: Node, operand: Node, size: int, depth: int) -> int:
        operator = node.unary
        if operator in STEPS:
            return math.gcd(self.unit(operand, depth + 1), size)
        if operator == Unary.ADDRESS:
            return self._address_of(plain(operand), size, depth)
        if operator == Unary.DEREF and is_place(node):
            return self.unit(operand, depth + 1)
        return self._held(node, depth) if operator == Unary.DEREF else 0

    def _address_of(self, place: Node, size: int, depth: int) -> int:
        """``unit`` of the address of something of ``size`` bytes."""
        parts = plain_children(place)
        if depth > MAX_DEPTH:
            return SIZE
        if place.kind == Kind.SUBSCRIPT and len(parts) == 2:
            return math.gcd(self.unit(parts[0], depth + 1), size * factor(parts[1], 0))
        if place.kind == Kind.UNARY and len(parts) == 1:
            if place.unary in STEPS:
                return self._address_of(plain(parts[0]), size, depth + 1)
            return self.unit(parts[0], depth + 1)
        if place.kind == Kind.MEMBER_REF_EXPR and parts:
            return math.gcd(self.unit(parts[0], depth + 1), member_offset(place))
        if place.kind == Kind.DECL_REF:
            return self._referred(place, size, depth)
        if place.kind == Kind.CALL:
            return self._address_of_result(place, size, depth)
        chosen = parts[1:] if place.kind == Kind.CONDITIONAL else []
        if place.kind in COMPUTING and len(parts) == 2:
            chosen = [parts[place.binary == ","]]
        units = (self._address_of(plain(part), size, depth + 1) for part in chosen)
        return math.gcd(*units) if chosen else 0

    def _referred(self, name: Node, size: int, depth: int) -> int:
        """``unit`` of the address of a variable, or of what a reference stands for."""
        declared = name.declared()
        if declared is None or type_kind(declared) not in REFERENCES or name.key in self._seen:
            return 0
        values = self.writes().given.get(name.key, ())[:1]  # what it is bound to
        if declared._kind_id != Kind.VAR or not values:
            return size
        self._seen.add(name.key)
        return math.gcd(*(self._address_of(plain(v), size, depth + 1) for v in values))

    def _address_of_result(self, call: Node, size: int, depth: int) -> int:
        """``unit`` of the address of what a function returns a reference to, as ``q[i]`` does: of
        the part of it that the function's numbers name.
        """
        declared = call.declared()
        if declared is None:
            return 1
        numbers = [n for n in plain_children(call)[1:] if n.type_kind in INTEGER_TYPES]
        step = math.gcd(*(size * factor(n, 0) for n in numbers))
        pointers = (self.unit(p, depth + 1) for p in plain_children(call)[1:] if is_pointer(p))
        unit = math.gcd(step, *pointers)
        definition = declared.get_definition()
        root = self.known.calls.tree(definition) if definition is not None else None
        if declared.location.is_in_system_header:
            return unit
        if root is None or depth > MAX_CALLS:
            return math.gcd(unit, size * SIZE)  # a part of anything
        inside = Shifts(root, self.known)
        for node in preorder(root):
            if node.kind == Kind.RETURN:
                for part in plain_children(node):
                    found = inside._address_of(plain(part), size, depth + MAX_DEPTH // MAX_CALLS)
                    own = any(
                        n.kind == Kind.MEMBER_REF_EXPR and not is_pointer(n) for n in preorder(part)
                    )
                    by_numbers = found % SIZE == 0 and not own and self._is_at_start(part, root)
                    unit = math.gcd(unit, 0 if by_numbers else found)
        return math.gcd(unit, self._held(call, depth))

    def _is_at_start(self, part: Node, root: Node) -> bool:
        """Whether what a function returns a part of starts where an array does, or where what the
        function is given does: then all that moves it are the numbers of the call.
        """
        place = plain(part)
        inner = plain_children(place)
        if place.kind == Kind.SUBSCRIPT:
            base = plain(inner[0])
        elif place.kind == Kind.UNARY and place.unary == Unary.DEREF:
            base = plain(inner[0])
            while base.kind == Kind.BINARY and base.binary in {"+", "-"}:
                sides = [side for side in plain_children(base) if is_pointer(side)]
                if len(sides) != 1:
                    return False
                base = plain(sides[0])
        else:
            return False
        return Shifts(root, self.known).unit(base, MAX_DEPTH // MAX_CALLS) == 0

    def _address(self, node: Node, depth: int) -> int:
        """``unit`` of a number that was made of a pointer, or is one."""
        inner = plain_children(node)
        if node.kind == Kind.DECL_REF:
            return self._variable(node, depth)
        if len(inner) == 1:
            return self.unit(inner[0], depth + 1)
        if node.kind == Kind.SUBSCRIPT:
            return self._held(node, depth)
        if len(inner) != 2 or node.kind not in COMPUTING:
            return 0
        operator = node.binary.removesuffix("=")
        if operator not in {"+", "-"}:
            return 1 if operator else self.unit(inner[1], depth + 1)
        bases = [side for side in inner if holds_address(side)]
        if len(bases) != 1 and node.kind != Kind.COMPOUND_ASSIGN:
            return 1
        base = bases[0] if len(bases) == 1 else inner[0]
        step = inner[1] if base is inner[0] else inner[0]
        return math.gcd(self.unit(base, depth + 1), factor(step, 0))

    def _element(self, node: Node, depth: int) -> int:
        """``q[i]``: a row of an array, or a pointer out of one."""
        base, index = plain_children(node)
        if not is_place(node):
            return self._held(node, depth)
        size = max(int(node.cursor.type.get_canonical().get_size()), 1)
        return math.gcd(self.unit(base, depth + 1), size * factor(index, 0))

    def _member(self, node: Node, depth: int) -> int:
        inner = plain_children(node)
        if is_array(node) and inner:
            return math.gcd(self.unit(inner[0], depth + 1), member_offset(node))
        declared = node.declared() if is_pointer(node) else None
        elsewhere = 0 if declared is None else self.elsewhere(declared, depth)
        if declared is not None and has_array(declared):
            elsewhere = math.gcd(elsewhere, self._of_part(node))
        if comes_from_library(node):
            kept = self.in_library(pointee_name(node.cursor), building=False)
            elsewhere = math.gcd(elsewhere, kept)
        if inner and any(map(may_return_pointers, preorder(inner[0]))):
            elsewhere = math.gcd(elsewhere, likely_start(node.cursor))
        parts = self.moved({PART})  # by names for members, which do not tell of which
        return math.gcd(self._variable(node, depth), self._held(node, depth), elsewhere, parts)

    def _result(self, call: Node, depth: int) -> int:
        """``unit`` of what a function returns."""
        declared = call.declared()
        if declared is None:
            return SIZE
        arguments = [p for p in plain_children(call) if is_pointer(p) and not leads_to_function(p)]
        if declared.location.is_in_system_header:
            if declared.spelling in STEPPING:
                return max(step_size(call) or 1, 1)
            if declared.spelling in _ALIGNING:
                return 1
            if declared.spelling in _HOST_MEMORY:
                return _HOST_ALIGNMENT * SIZE
            units = [self.unit(part, depth + 1) for part in arguments]
            if calls_back(call):
                units.append(self._unseen_result(call, arguments))
            if is_of_library(call):
                units.append(self.in_library(pointee_name(call.cursor), building=False))
            if has_array(declared):
                units.append(self._of_part(call))
            return math.gcd(self._held(call, depth), *units)
        definition = definition_of(call)
        root = self.known.calls.tree(definition) if definition is not None else None
        if int(declared.result_type.get_canonical()._kind_id) in REFERENCES:
            return SIZE  # what it refers to may be assigned by way of any other call
        if root is None or depth > MAX_CALLS:
            return self._unseen_result(call, arguments)
        units = [self.unit(part, depth + 1) for part in arguments]
        if declared.is_virtual_method():
            units.append(self._unseen_result(call, arguments))
        returned = [n for n in preorder(root) if n.kind == Kind.RETURN]
        inside = Shifts(root, self.known)
        units += (
            inside.unit(part, depth + MAX_DEPTH // MAX_CALLS)
            for node in returned
            for part in plain_children(node)
        )
        return math.gcd(self._held(call, depth), *units)

    def _of_part(self, node: Node) -> int:
        """``unit`` of an array that an object has, or a part of one: this is likely to begin where
        a line does.
        """
        return likely_start(node.cursor) if self.makes_parts() else 0

    def _unseen_result(self, call: Node, arguments: Sequence[Node]) -> int:
        """``unit`` of what a function returns whose body is not known: into what it is given, or
        an allocation's start, most likely.
        """
        own = any(same_pointee(part, call) for part in arguments)
        return (step_size(call) or 1) if own else likely_start(call.cursor)

    def _held(self, node: Node, depth: int) -> int:
        """How far a pointer is moved that is kept in a variable, in any way."""
        names = [n for n in preorder(node) if n.kind in {Kind.DECL_REF, Kind.THIS}]
        declared = (n.declared() for n in names if n.kind == Kind.DECL_REF)
        lasting = (self.lasting(d, 0) for d in declared if d is not None and _is_lasting(d))
        variables = frozenset(n.key for n in names)
        group = led_to(self.events(), variables)
        self.parameters |= group
        arrays = {n.key for n in names if n.type_kind in ARRAYS}
        reached = self.by_name((group - variables) | arrays)
        units = (self._variable(n, depth + 1) for n in reached)
        return math.gcd(self.moved(group), *lasting, *units)

    def _variable(self, node: Node, depth: int) -> int:
        declared = node.declared()
        variable = node.key
        if declared is None or variable in self._seen:
            return 0
        if declared._kind_id == Kind.UNEXPOSED_DECL:  # a name for a part of something
            kept = self.in_library(pointee_name(node.cursor), building=False)
            return math.gcd(kept, *(event.unit for event in self.events()))
        if declared._kind_id not in _ASSIGNED:
            return 0
        self._seen.add(variable)
        writes = self.writes().given
        self.parameters.add(variable)
        units = [self.unit(write, depth + 1) for write in writes.get(variable, ())]
        if _is_lasting(declared):
            units.append(self.lasting(declared, depth))
        elif declared._kind_id == Kind.PARM and variable not in self.all_parameters():
            units.append(self.anywhere())  # a lambda's
        elif declared._kind_id == Kind.PARM and self._nested:
            units.append(self.parameter(declared, depth))
        units.append(self.through({variable}))
        return math.gcd(self.moved({variable}), *units)


def _is_lasting(declared: Any) -> bool:
    return declared._kind_id == Kind.VAR and (is_lasting(declared) or is_outside(declared))
