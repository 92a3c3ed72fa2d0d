"""What one function assigns, calls, and moves: each read once, when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from drano.frontend.libclang import Kind, Node, key
from drano.frontend.type_kinds import POINTER
from drano.host.function_bodies import preorder
from drano.host.pointers.pointer_movement import (
    Event,
    body_movement,
    events_of,
    moved,
    movement_in,
    writes_of,
)
from drano.host.pointers.pointer_syntax import is_array, is_pointer
from drano.host.pointers.unit_writes import UnitWrites, Writes


class FunctionWrites:
    """Of the function at ``root``; ``parameters``: those by which more may be moved than is told,
    once asked.
    """

    def __init__(self, root: Node, known: UnitWrites) -> None:
        self.parameters: set[int] = set()
        self.root = root
        self.known = known

    def all_parameters(self) -> frozenset[int]:
        """What the function is given."""
        return frozenset(c.key for c in self.root.children if c.kind == Kind.PARM)

    def anywhere(self) -> int:
        """How far the function moves any pointer, or is given it."""
        self.parameters |= self.all_parameters()
        return movement_in(body_movement(self.root), 0, self.known.calls)

    def by_name(self, variables: Set[int]) -> Iterator[Node]:
        """A name of each pointer and array among variables of the function."""
        known = self.writes()
        if known.names is None:
            known.names = {}
            for node in preorder(self.root):
                if node.kind == Kind.DECL_REF:
                    known.names.setdefault(node.key, node)
        for variable, name in known.names.items() if variables else ():
            if variable in variables and (
                is_array(name) or (is_pointer(name) and not is_address_of_pointer(name))
            ):
                yield name

    def moved(self, variables: Set[int]) -> int:
        """How far the function moves any of these variables."""
        known = self.writes()
        asked = frozenset(variables)
        if asked not in known.moved:
            known.moved[asked] = moved(self.events(), asked)
        return known.moved[asked]

    def events(self) -> list[Event]:
        """What moves pointers in the function."""
        known = self.writes()
        if known.events is None:
            known.events = list(events_of(self.root, self.known.calls))
        return known.events

    def writes(self) -> Writes:
        """What the function assigns, kept for the unit."""
        found = self.known.functions.get(id(self.root))
        if found is None:
            self.known.kept.append(self.root)
            found = self.known.functions[id(self.root)] = Writes(writes_of(self.root))
        return found

    def calls(self) -> Mapping[int, Sequence[Node]]:
        """The function's calls of each function."""
        known = self.writes()
        if known.calls is None:
            known.calls = {}
            for node in preorder(self.root):
                called = node.declared() if node.kind == Kind.CALL else None
                if called is not None:
                    known.calls.setdefault(key(called), []).append(node)
        return known.calls


def is_address_of_pointer(node: Node) -> bool:
    """Whether it points to a pointer: where that lies says nothing of where it leads."""
    if not is_pointer(node):
        return False
    pointee = node.cursor.type.get_canonical().get_pointee().get_canonical()
    return int(pointee._kind_id) == POINTER
