"""Which parameters of host functions the pointers that kernels are launched with come from.

Means: where callers in other units may move them, these callers matter.
Assumptions: ``shifted`` was asked about an expression before. Limits: a parameter that points to an
object counts only for pointers to objects of that type, not for those that are read from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct, field

from drano.frontend.libclang import Kind, Node
from drano.frontend.type_kinds import POINTER, RECORD, REFERENCES
from drano.host.pointers.moved_pointers import pointer_fields
from drano.host.pointers.unit_writes import UnitWrites


class PointerSources(Struct):
    """``positions``: of such parameters, by the key of their function. Mutated while launches are
    read.
    """

    positions: dict[int, set[int]] = field(default_factory=dict)

    def launched(
        self, function: int, arguments: Iterable[Node], root: Node, known: UnitWrites
    ) -> frozenset[int]:
        """Arguments of a launch in a function, whose tree is ``root``; those of them that come from
        its parameters.
        """
        led = set()
        for at, argument in enumerate(arguments):
            found = _parameters(argument, root, known)
            if found:
                led.add(at)
                self.positions.setdefault(function, set()).update(found)
        return frozenset(led)

    def called(
        self, function: int, callee: int, arguments: Sequence[Node], root: Node, known: UnitWrites
    ) -> None:
        """Arguments of a call of a function of the unit."""
        wanted = self.positions.get(callee, ())
        given = (argument for at, argument in enumerate(arguments) if at in wanted)
        self.launched(function, list(given), root, known)


def _parameters(argument: Node, root: Node, known: UnitWrites) -> Iterable[int]:
    movement = known.asked.get((id(root), id(argument)))
    if movement is None or not movement.parameters:
        return ()
    parameters = [child for child in root.children if child.kind == Kind.PARM]
    return [
        at for at, parameter in enumerate(parameters)
        if parameter.key in movement.parameters and _may_carry(parameter, argument)
    ]  # fmt: skip


def _may_carry(parameter: Node, argument: Node) -> bool:
    """Whether a pointer may be what the parameter is or has, not what it leads to."""
    type_ = _referred(parameter.cursor)
    if int(type_._kind_id) == RECORD:
        fields = (
            field.type.get_canonical() for field in pointer_fields(type_.get_declaration(), 0)
        )
        return any(int(f.get_pointee().get_canonical()._kind_id) != RECORD for f in fields)
    if int(type_._kind_id) != POINTER:
        return True
    pointee = type_.get_pointee().get_canonical()
    if int(pointee._kind_id) != RECORD:
        return True
    own = _referred(argument.cursor)
    return (
        int(own._kind_id) == POINTER
        and own.get_pointee().get_canonical().get_declaration() == pointee.get_declaration()
    )


def _referred(cursor: Any) -> Any:
    type_ = cursor.type.get_canonical()
    return type_.get_pointee().get_canonical() if int(type_._kind_id) in REFERENCES else type_
