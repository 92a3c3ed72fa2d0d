"""What the analysis found in kernels that are still the same, for whoever analyses a file again and
again.

An edit changes few kernels, but moves the lines of all that stand below. A kernel is the same when
its instructions are, and their places once moved lines are taken into account, and the text of the
lines that it stands on, and what else of the module it could depend on: variables, structs, device
functions that are called, block shapes and options. What was found is then given again, its places
moved likewise.

Assumption: the analysis of a kernel reads nothing else, of the sources only the lines of its
instructions. Limits: the kernels of the last few units; one changed run of lines for each file.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from drano.analysis.expressions import source_lines
from drano.config import AnalysisOptions
from drano.finding import Access, ControlFact, Launch
from drano.ir.model import Function, Instruction, Module
from drano.records import substitute
from drano.span import Frame, Location, Span

_UNITS = 4

Shapes = list[tuple[Launch, tuple[int | None, ...]]]
Context = tuple[Shapes, Sequence[tuple[object, object]]]
"""The block shapes to analyse a kernel for; grid and block of each of its launches."""


@dataclass(frozen=True, slots=True)
class KernelResult:
    """One function's accesses in program order, and facts of its control flow.

    ``whole``: other functions of the module had to be asked, where pointers come from; ``work``:
    floating-point operations, bytes of global memory, and the bits of most operations.
    """

    accesses: tuple[Access, ...]
    control: tuple[ControlFact, ...] = ()
    whole: bool = False
    work: tuple[float, float, int] = (0.0, 0.0, 32)


@dataclass(frozen=True, slots=True)
class _Unit:
    """An analysed module, and the lines of all files that its places are in."""

    module: Module
    lines: Mapping[str, tuple[str, ...]]
    results: dict[str, tuple[Context, KernelResult]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KernelMemory:
    """The last few units."""

    _units: OrderedDict[tuple[str, AnalysisOptions], _Unit] = field(default_factory=OrderedDict)

    def of(self, module: Module, options: AnalysisOptions) -> UnitMemory:
        """The memory for one analysis of a module."""
        new = _Unit(module, {path: source_lines(path) for path in _paths(module)})
        old = self._units.get((module.path, options))
        return UnitMemory(new, None if old is None else _Comparison(old, new))

    def keep(self, unit: UnitMemory, options: AnalysisOptions) -> None:
        """Remember an analysis that came to its end in the place of an earlier one."""
        key = (unit.new.module.path, options)
        self._units[key] = unit.new
        self._units.move_to_end(key)
        while len(self._units) > _UNITS:
            self._units.popitem(last=False)


@dataclass(frozen=True, slots=True)
class UnitMemory:
    """What to look up before a function is analysed, and to fill afterwards."""

    new: _Unit
    _before: _Comparison | None

    def recall(self, function: Function, context: Context) -> KernelResult | None:
        """What was found in the function when it was the same, at its places now."""
        return None if self._before is None else self._before.result(function, context)

    def keep(self, function: Function, context: Context, result: KernelResult) -> None:
        """Remember what was found."""
        self.new.results[function.name] = (context, result)


class _Comparison:
    """Two versions of a unit."""

    def __init__(self, old: _Unit, new: _Unit) -> None:
        self._old = old
        self._new = new
        self._moves = {path: _move(old.lines.get(path, ()), new.lines[path]) for path in new.lines}
        self._places: dict[tuple[int, int], bool] = {}
        self._chains: dict[tuple[int, int], bool] = {}
        self._functions: dict[str, bool] = {}
        self._mover = _Mover(self._span)
        self._surroundings: bool | None = None

    def result(self, function: Function, context: Context) -> KernelResult | None:
        found = self._old.results.get(function.name)
        if found is None or found[0] != context or not self._same_surroundings():
            return None
        if not self._same_names([function.name]):
            return None
        if found[1].whole and not self._same_names(
            [*self._old.module.functions, *self._new.module.functions]
        ):
            return None
        moved: KernelResult = self._mover.moved(found[1])
        if moved is not found[1] and any("line" in fact.reason for fact in moved.control):
            return None  # the words hold a line's number, which may have changed
        return moved

    def _same_surroundings(self) -> bool:
        if self._surroundings is None:
            old, new = self._old.module, self._new.module
            names = [name for name, function in new.functions.items() if not function.is_kernel]
            self._surroundings = (
                old.globals == new.globals
                and old.structs == new.structs
                and self._same_names(names)
            )
        return self._surroundings

    def _same_names(self, names: Collection[str]) -> bool:
        old, new = self._old.module.functions, self._new.module.functions
        for name in names:
            if name not in self._functions:
                both = name in old and name in new
                self._functions[name] = both and self._same(old[name], new[name])
        return all(self._functions[name] for name in names)

    def _same(self, old: Function, new: Function) -> bool:
        return (
            dataclasses.replace(old, blocks=(), location=None)
            == dataclasses.replace(new, blocks=(), location=None)
            and self._same_place(old.location, new.location)
            and len(old.blocks) == len(new.blocks)
            and all(
                (a.name, a.predecessors, a.successors) == (b.name, b.predecessors, b.successors)
                and len(a.instructions) == len(b.instructions)
                and all(map(self._same_instruction, a.instructions, b.instructions))
                for a, b in zip(old.blocks, new.blocks, strict=True)
            )
        )

    def _same_instruction(self, old: Instruction, new: Instruction) -> bool:
        what = _what(type(new))
        return (
            type(old) is type(new)
            and bool(what(old) == what(new))
            and self._same_place(old.location, new.location)
        )

    def _same_place(self, old: Location | None, new: Location | None) -> bool:
        if old is None or new is None:
            return old is new
        key = (id(old), id(new))  # both live as long as their units
        known = self._places.get(key)
        if known is None:
            known = self._places[key] = (
                self._same_span(old.span, new.span)
                and old.function == new.function
                and self._same_chain(old.inlined_at, new.inlined_at)
            )
        return known

    def _same_chain(self, old: tuple[Frame, ...], new: tuple[Frame, ...]) -> bool:
        key = (id(old), id(new))
        known = self._chains.get(key)
        if known is None:
            known = self._chains[key] = len(old) == len(new) and all(
                a.function == b.function and self._same_span(a.span, b.span)
                for a, b in zip(old, new, strict=True)
            )
        return known

    def _same_span(self, old: Span, new: Span) -> bool:
        if old.column != new.column or old.path != new.path:
            return False
        try:
            return self._moves.get(old.path, _stay)(old.line) == new.line
        except _GoneError:
            return False

    def _span(self, span: Span) -> Span:
        line = self._moves.get(span.path, _stay)(span.line)
        return span if line == span.line else Span(span.path, line, span.column)


class _GoneError(Exception):
    """A line that was changed."""


def _stay(line: int) -> int:
    return line


def _move(old: tuple[str, ...], new: tuple[str, ...]) -> Callable[[int], int]:
    """Where a line of ``old`` is in ``new``; raises _GoneError for one that was changed."""
    if old == new:
        return _stay
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    same = range(1, most - first + 1)
    last = next((n - 1 for n in same if old[-n] != new[-n]), most - first)

    def moved(line: int) -> int:
        if line <= first:
            return line
        if line > len(old) - last:
            return line + len(new) - len(old)
        raise _GoneError

    return moved


class _Mover:
    """Gives values back with all places in them moved; of what is shared, the parts too."""

    def __init__(self, move: Callable[[Span], Span]) -> None:
        self._move = move
        self._known: dict[int, tuple[Any, Any]] = {}  # the value, too: so that its id stays its own

    def moved(self, value: Any) -> Any:
        """Recursion ends: these are trees of a few levels."""
        kind = type(value)
        if kind is tuple:
            return self._tuple(value) if value else value
        names = _FIELDS.get(kind)
        if names is None:
            names = _FIELDS[kind] = _fields(kind) if dataclasses.is_dataclass(kind) else ()
        if not names:
            return value
        known = self._known.get(id(value))
        if known is None:
            result = self._move(value) if kind is Span else self._dataclass(value, names)
            known = self._known[id(value)] = (value, result)
        return known[1]

    def _tuple(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        known = self._known.get(id(value))
        if known is None:
            changed = tuple(map(self.moved, value))
            same = all(map(_is, value, changed))
            known = self._known[id(value)] = (value, value if same else changed)
        result: tuple[Any, ...] = known[1]
        return result

    def _dataclass(self, value: Any, names: tuple[str, ...]) -> Any:
        differing = {}
        for name in names:
            part = getattr(value, name)
            if type(part) in _ATOMS:
                continue
            moved = self.moved(part)
            if moved is not part:
                differing[name] = moved
        return substitute(value, differing) if differing else value


_ATOMS = frozenset({str, int, bool, float, type(None)})
_FIELDS: dict[type, tuple[str, ...]] = {}


def _is(one: object, other: object) -> bool:
    return one is other


def _fields(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(kind))


_WHAT: dict[type, Callable[[Any], Any]] = {}


def _what(kind: type) -> Callable[[Any], Any]:
    """All of an instruction but its place."""
    if kind not in _WHAT:
        _WHAT[kind] = attrgetter(*(name for name in _fields(kind) if name != "location"))
    return _WHAT[kind]


def _paths(module: Module) -> Iterator[str]:
    """Of all files that the module's places are in, each once."""
    seen: set[int] = set()
    paths: set[str] = set()
    for function in module.functions.values():
        locations = [i.location for block in function.blocks for i in block.instructions]
        for location in (function.location, *locations):
            if location is None or id(location) in seen:
                continue
            seen.add(id(location))
            for span in (location.span, *(frame.span for frame in location.inlined_at)):
                if span.path not in paths:
                    paths.add(span.path)
                    yield span.path
