"""Functions as they were read before, for whoever reads a unit again after each edit.

Means: a function whose printed instructions are the same but for their metadata is the same
function at other places; its instructions are given again, each with its place now.
Assumptions: of an instruction's metadata only its place and whether a load is invariant count, and
the latter is in the text. Structs, the names of all functions and attribute groups belong to what
must be the same.
Limits: the functions of the last few units.
"""

from __future__ import annotations

import dataclasses
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from drano.ir import model as m
from drano.ir.text import TypeTable
from drano.records import substitute
from drano.span import Location

_UNITS = 4

_REFERENCE = re.compile(r"!\d+")
_PLACE = re.compile(r", !dbg (!\d+)")
_QUOTED_REFERENCE = re.compile(r'"[^"]*!\d[^"]*"')


@dataclass(frozen=True, slots=True)
class _Read:
    """``lines``: the instructions without their metadata's numbers, by blocks with their names;
    ``values``: what the tokens of arguments and instructions stand for.
    """

    header: str
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    values: Mapping[str, m.Local]
    function: m.Function


@dataclass(frozen=True, slots=True)
class Reread:
    """Blocks at their places now; the rest of the function as it was."""

    blocks: tuple[m.Block, ...]
    before: _Read

    @property
    def function(self) -> m.Function:
        """The function as it was."""
        return self.before.function

    @property
    def values(self) -> Mapping[str, m.Local]:
        """What the tokens of arguments and instructions stand for."""
        return self.before.values


@dataclass(slots=True)
class UnitReadings:
    """Functions of one unit. ``names``: of all functions; ``structs``: the lines that define types,
    ``types``: those that were asked for.
    """

    names: frozenset[str] = frozenset()
    structs: tuple[str, ...] = ()
    types: TypeTable = field(default_factory=lambda: TypeTable(()))
    _before: Mapping[str, _Read] = field(default_factory=dict)
    _now: dict[str, _Read] = field(default_factory=dict)

    def start(self, names: frozenset[str], structs: tuple[str, ...]) -> TypeTable:
        """Begin to read the unit again; forget all when it stands on another ground."""
        same = (names, structs) == (self.names, self.structs)
        self._before = self._now if same else {}
        self._now = {}
        if not same:
            self.names, self.structs, self.types = names, structs, TypeTable(structs)
        return self.types

    def recall(
        self,
        name: str,
        header: str,
        blocks: Sequence[tuple[str, Sequence[str]]],
        location: Callable[[str], Location | None],
    ) -> Reread | None:
        """The function as it was read when its text was the same. ``location``: of a reference."""
        old = self._before.get(name)
        if old is None or _bare(header) != old.header or not _same(blocks, old):
            return None
        lines = (line for _, body in blocks for line in body)
        moved = tuple(
            dataclasses.replace(
                block,
                instructions=tuple(
                    _placed(instruction, next(lines), location)
                    for instruction in block.instructions
                ),
            )
            for block in old.function.blocks
        )
        return Reread(moved, old)

    def keep_again(self, reread: Reread, function: m.Function) -> None:
        """Remember a function that was recalled."""
        self._now[function.name] = dataclasses.replace(reread.before, function=function)

    def keep(
        self,
        header: str,
        blocks: Sequence[tuple[str, Sequence[str]]],
        values: Mapping[str, m.Local],
        function: m.Function,
    ) -> None:
        """Remember a function, unless a string in it could be taken for metadata."""
        if any(_QUOTED_REFERENCE.search(line) for _, body in blocks for line in body):
            return
        bare = tuple((name, tuple(map(_bare, body))) for name, body in blocks)
        self._now[function.name] = _Read(_bare(header), bare, values, function)


@dataclass(frozen=True, slots=True)
class Readings:
    """The last few units."""

    _units: OrderedDict[str, UnitReadings] = field(default_factory=OrderedDict)

    def of(self, path: str) -> UnitReadings:
        """What was read of the unit at ``path``."""
        unit = self._units.setdefault(path, UnitReadings())
        self._units.move_to_end(path)
        while len(self._units) > _UNITS:
            self._units.popitem(last=False)
        return unit


def _bare(line: str) -> str:
    return _REFERENCE.sub("!", line) if "!" in line else line


def _same(blocks: Sequence[tuple[str, Sequence[str]]], old: _Read) -> bool:
    return len(blocks) == len(old.lines) and all(
        name == before
        and len(body) == len(lines)
        and all(_bare(line) == known for line, known in zip(body, lines, strict=True))
        for (name, body), (before, lines) in zip(blocks, old.lines, strict=True)
    )


def _placed(
    instruction: m.Instruction, line: str, location: Callable[[str], Location | None]
) -> m.Instruction:
    match = _PLACE.search(line)
    place = location(match[1]) if match else None
    if place == instruction.location:
        return instruction
    return substitute(instruction, {"location": place})
