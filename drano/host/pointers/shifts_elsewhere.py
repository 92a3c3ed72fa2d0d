"""How far the functions of a unit move pointers that outlive them, or that they hand on.

Members, variables, parameters of functions, objects, and what the library's objects keep.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence, Set
from itertools import chain
from typing import Any, Self

from drano.frontend.libclang import Kind, Node, is_external, key
from drano.host.function_bodies import plain_children, preorder
from drano.host.pointers.array_views import makes_part
from drano.host.pointers.function_writes import FunctionWrites
from drano.host.pointers.kept_addresses import KeptAddresses, stored_through
from drano.host.pointers.library_objects import has_own_objects, pointee_name, put_in_library
from drano.host.pointers.pointer_movement import objects_made
from drano.host.pointers.pointer_syntax import MAX_DEPTH, SIZE, named_in, pointee_size
from drano.host.pointers.unit_writes import Movement
from drano.host.pointers.unseen_code import is_shared


class ShiftsElsewhere(FunctionWrites, ABC):
    """What all functions do with what one function only names."""

    @abstractmethod
    def unit(self, node: Node, depth: int) -> int:
        """Greatest number of bytes that a pointer's place in its allocation is known to be a
        multiple of; 0: it is its start.
        """

    @abstractmethod
    def of(self, root: Node, *, nested: bool) -> Self:
        """The same of another function."""

    def elsewhere(self, declared: Any, depth: int) -> int:
        """How far other functions move what they give a member, or make its object of; what it is
        without them (``float *end = start + 1;``) its own tree says, also of an instance's.
        """
        record = declared.semantic_parent
        own = self.known.calls.tree(declared)

        def units(root: Node, inside: ShiftsElsewhere) -> Iterator[int]:
            for value in inside.writes().given.get(key(declared), ()):
                yield inside.unit(value, depth + 2)
            yield inside.through({key(declared)})

        given = self._by_others(declared, (str(declared.spelling),), units, depth, own)
        made = self.in_library(pointee_name(declared), building=True)
        others = likely_start(declared) if is_shared(declared) else 0
        return math.gcd(given, made, others, 0 if record is None else self._made(key(record)))

    def _made(self, record: int) -> int:
        """How far pointers are moved that the unit makes objects of a type of, which need not be
        named for it: ``add({data + 1, 3})``.
        """
        known = self.known
        if known.made is None:
            known.made = {}
            for root in known.everything():
                for type_, values in objects_made(root).items():
                    known.made.setdefault(type_, []).append((root, values))
        if record not in known.of_objects:
            known.of_objects[record] = 0  # while it is found out
            for root, values in known.made.get(record, ()):
                inside = self.of(root, nested=True)
                units = (inside.unit(value, 2) for value in values)
                known.of_objects[record] = math.gcd(known.of_objects[record], *units)
        return known.of_objects[record]

    def lasting(self, declared: Any, depth: int) -> int:
        """How far any function moves a variable that outlives it, under any name."""
        identity = key(declared)

        def units(root: Node, inside: ShiftsElsewhere) -> Iterator[int]:
            for value in inside.writes().given.get(identity, ()):
                yield inside.unit(value, depth + 2)
            yield inside.moved({identity})
            yield inside.through({identity})
            other = root.cursor
            if root.kind == Kind.VAR and key(other) != identity and identity in named_in(root):
                yield self.lasting(other, depth + 2)

        found = self._by_others(declared, (str(declared.spelling),), units, depth)
        name = str(declared.spelling)
        shared = is_shared(declared)
        if is_external(declared) and not shared:
            self.known.open.add(name)
        written = shared or name in self.known.shared
        return math.gcd(found, likely_start(declared) if written else 0)

    def parameter(self, declared: Any, depth: int) -> int:
        """How far what a function is given for a parameter is moved, by the unit's calls of it."""
        function = declared.semantic_parent
        parameters = [key(each) for each in function.get_arguments() or ()]
        if key(declared) not in parameters:
            return 0
        position = parameters.index(key(declared)) - len(parameters)
        identity = key(function)

        def units(root: Node, inside: ShiftsElsewhere) -> Iterator[int]:
            for call in inside.calls().get(identity, ()):
                given = plain_children(call)[position:]
                yield from (inside.unit(part, depth + 2) for part in given[:1])

        return self._by_others(declared, (str(function.spelling),), units, depth)

    def _by_others(
        self,
        declared: Any,
        names: tuple[str, ...],
        units: Callable[[Node, ShiftsElsewhere], Iterator[int]],
        depth: int,
        own: Node | None = None,
    ) -> int:
        if declared.location.is_in_system_header or depth > MAX_DEPTH:
            return 0
        known, identity = self.known.members, key(declared)
        if identity not in known:
            known[identity] = 0  # while it is found out: of those that come by way of themselves
            found = 0
            named = chain.from_iterable(map(self.known.naming, dict.fromkeys(names)))
            for root in chain(() if own is None else (own,), named):
                inside = self.of(root, nested=True)
                found = math.gcd(found, *units(root, inside))
                if found == 1:
                    break  # nothing makes it more
            known[identity] = found
        return known[identity]

    def through(self, variables: Set[int]) -> int:
        """How far pointers are moved that the unit stores where it keeps the variables' address."""
        writes, known = self.writes(), self.known
        if writes.kept is None:
            writes.kept = KeptAddresses(self.root)
        if not any(map(writes.kept.holds, variables)):
            return 0
        if known.through is None:
            known.through = 0  # while it is found out
            for root in known.everything():
                inside = self.of(root, nested=True)
                units = (inside.unit(value, 0) for value in stored_through(root))
                known.through = math.gcd(known.through, *units)
        return known.through

    def in_library(self, pointee: str, *, building: bool) -> int:
        """How far pointers to a type, or to any, are moved that the unit puts into objects of the
        library's types, or this function if it has none but its own; ``building``: only those that
        objects are made of there.
        """
        writes = self.writes()
        if writes.own is None:
            writes.own = has_own_objects(self.root)
        own = writes.own and not building
        known, asked = self.known.library, (id(self.root) if own else 0, pointee, building)
        if asked not in known:
            known[asked] = Movement(0)  # while it is found out
            for root in (self.root,) if own else self.known.everything():
                inside = self.of(root, nested=not own)
                units = [
                    inside.unit(value, 0)
                    for value, builds in self._put_in_library(root)
                    if (builds or not building)
                    and (not pointee or pointee_name(value.cursor) in {pointee, ""})
                ]
                parameters = frozenset(inside.parameters if own else ())
                known[asked] = Movement(math.gcd(known[asked].unit, *units), parameters)
        self.parameters |= known[asked].parameters
        return known[asked].unit

    def makes_parts(self) -> bool:
        """Whether the unit makes parts of arrays that objects have."""
        if self.known.parts is None:
            self.known.parts = any(
                makes_part(node) for root in self.known.everything() for node in preorder(root)
            )
        return self.known.parts

    def _put_in_library(self, root: Node) -> Sequence[tuple[Node, bool]]:
        known = self.known.put
        if id(root) not in known:
            self.known.kept.append(root)
            known[id(root)] = tuple(put_in_library(root))
        return known[id(root)]


def likely_start(cursor: Any) -> int:
    """``unit`` of a pointer that nothing is known of: of an allocation of its own, most likely."""
    return (pointee_size(cursor) or 1) * SIZE
