"""What the analysis found in kernels that have not changed, for whoever analyses a file repeatedly.

An edit changes few kernels but moves the lines of all that follow. A kernel is the same when its
own functions are the same before they are expanded
(``analysis/incremental/function_fingerprint.py``), moved lines aside; when the text of its lines is
the same; and when it was analysed for the same launches, block shapes and options. Its results are
then given again with their places moved, and the kernel need not even be expanded.

Assumption: the analysis of a kernel reads nothing else, of the sources only the lines of its
instructions. Limits: the kernels of the last few units; one changed run of lines for each file.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from drano.analysis.explain.source_expressions import source_lines
from drano.analysis.incremental.function_fingerprint import ModulePrint, Print
from drano.ir.model import Function
from drano.model.access import Access, Launch
from drano.model.finding import ControlFact
from drano.model.settings import AnalysisOptions
from drano.model.source_access import RemovedAccess
from drano.model.span import Frame, Location, Span
from drano.model.translation_unit import Argument

_UNITS = 4

Shapes = list[tuple[Launch, tuple[Argument, ...]]]
Context = tuple[Shapes, Sequence[tuple[object, object]]]
"""The block shapes to analyse a kernel for; grid and block of each of its launches."""


class KernelResult(Struct, frozen=True):
    """One function's accesses in program order, and facts of its control flow.

    ``whole``: other functions of the module had to be asked, where pointers come from; ``work``:
    floating-point operations, bytes of global memory, and the bits of most operations;
    ``removed``: accesses that compiling leaves nothing of; ``failure``: what is said of a defect of
    drano that kept the function from being analysed.
    """

    accesses: tuple[Access, ...]
    control: tuple[ControlFact, ...] = ()
    whole: bool = False
    work: tuple[float, float, int] = (0.0, 0.0, 32)
    removed: tuple[RemovedAccess, ...] = ()
    failure: str = ""


class Known(Struct, frozen=True):
    """What was found in a function, and what for. ``function``: without its instructions."""

    function: Function
    context: Context
    result: KernelResult


class AnalysedUnit(Struct, frozen=True):
    """``prints``: what its functions said; ``lines``: of all files that its places are in;
    ``together``: its kernels cannot be told one without the others; ``preamble``: what it includes
    came from a precompiled header.
    """

    prints: ModulePrint
    lines: Mapping[str, tuple[str, ...]]
    known: Mapping[str, Known] = field(default_factory=dict)
    together: bool = False
    preamble: bool = False


class KernelMemory(Struct, frozen=True):
    """The last few units."""

    _units: OrderedDict[tuple[str, AnalysisOptions], AnalysedUnit] = field(
        default_factory=OrderedDict
    )

    def of(self, path: str, options: AnalysisOptions) -> AnalysedUnit | None:
        """How the unit was when it was analysed last."""
        return self._units.get((path, options))

    def keep(self, path: str, options: AnalysisOptions, unit: AnalysedUnit) -> None:
        """Remember an analysis that came to its end in the place of an earlier one."""
        self._units[path, options] = unit
        self._units.move_to_end((path, options))
        while len(self._units) > _UNITS:
            self._units.popitem(last=False)


def lines_of(unit: str, prints: ModulePrint) -> dict[str, tuple[str, ...]]:
    """The lines of the unit and of all other files that places are in."""
    return {path: source_lines(path) for path in {unit, *prints.paths()}}


class Comparison:
    """Two versions of a unit: what is known of the old one and holds for the new one.

    ``loose``: the unit's path where one of the two has read a precompiled header, the other not:
    clang writes functions that it includes in another order then, which is no edit. Otherwise "".
    """

    def __init__(
        self,
        old: AnalysedUnit,
        prints: ModulePrint,
        lines: Mapping[str, tuple[str, ...]],
        loose: str = "",
    ) -> None:
        self._old = old
        self._loose = loose
        self._new = prints
        self._moves = {path: _move(old.lines.get(path, ()), lines[path]) for path in lines}
        self._symbols: dict[str, bool] = {}
        self._mover = _Mover(self._span)
        self._ground = old.prints.structs == prints.structs and old.prints.fields == prints.fields
        self._whole: bool | None = None

    @property
    def all_same(self) -> bool:
        """Whether the whole module is."""
        if self._whole is None:
            old, new = self._old.prints, self._new
            self._whole = (
                self._ground
                and list(old.symbols) == list(new.symbols)
                and all(map(self._same_symbol, new.symbols))
            )
        return self._whole

    def recall(self, name: str, context: Callable[[Function], Context]) -> Known | None:
        """What was found in a function that is the same, at its places now. ``context``: what it
        is to be analysed for.
        """
        found = self._old.known.get(name)
        if found is None or name not in self._new.symbols or not self._ground:
            return None
        old, new = self._old.prints, self._new
        if found.result.whole or not found.function.is_kernel:
            same = self.all_same
        else:
            reached = new.reached(name)
            same = self._same_order(old.reached(name), reached)
            same = same and all(map(self._same_symbol, reached))
        if not same:
            return None
        try:
            moved: Known = self._mover.moved(found)
        except _GoneError:
            return None
        if context(moved.function) != found.context:
            return None
        return moved

    def _same_order(self, old: tuple[str, ...], new: tuple[str, ...]) -> bool:
        if old == new or not self._loose:
            return old == new
        own = [tuple(filter(self._is_own, names)) for names in (old, new)]
        return own[0] == own[1] and set(old) == set(new)

    def _is_own(self, name: str) -> bool:
        """Whether a symbol stands in the unit itself, as far as that is known."""
        places = self._new.symbols[name].places if name in self._new.symbols else ()
        return any(place is not None and place.span.path == self._loose for place in places)

    def _same_symbol(self, name: str) -> bool:
        known = self._symbols.get(name)
        if known is None:
            old, new = self._old.prints.symbols.get(name), self._new.symbols.get(name)
            if old is None or new is None:
                known = old is new  # a symbol that LLVM knows
            else:
                known = old.same_but_places(new) and self._same_places(old, new)
            self._symbols[name] = known
        return known

    def _same_places(self, old: Print, new: Print) -> bool:
        return all(map(self._same_place, old.places, new.places))

    def _same_place(self, old: Location | None, new: Location | None) -> bool:
        if old is None or new is None:
            return old is new
        return (
            self._same_span(old.span, new.span)
            and old.function == new.function
            and len(old.inlined_at) == len(new.inlined_at)
            and all(map(self._same_frame, old.inlined_at, new.inlined_at))
        )

    def _same_frame(self, old: Frame, new: Frame) -> bool:
        return old.function == new.function and self._same_span(old.span, new.span)

    def _same_span(self, old: Span, new: Span) -> bool:
        if old.column != new.column or old.path != new.path:
            return False
        try:
            return self._moves[old.path](old.line) == new.line
        except _GoneError:
            return False

    def _span(self, span: Span) -> Span:
        move = self._moves.get(span.path)
        if move is None:
            if span.path:
                raise _GoneError
            return span
        line = move(span.line)
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
            names = _FIELDS[kind] = getattr(kind, "__struct_fields__", ())
        if not names:
            return value
        known = self._known.get(id(value))
        if known is None:
            result = self._move(value) if kind is Span else self._record(value, names)
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

    def _record(self, value: Any, names: tuple[str, ...]) -> Any:
        differing = {}
        for name in names:
            part = getattr(value, name)
            if type(part) in _ATOMS:
                continue
            moved = self.moved(part)
            if moved is not part:
                differing[name] = moved
        return replace(value, **differing) if differing else value


_ATOMS = frozenset({str, int, bool, float, type(None)})
_FIELDS: dict[type, tuple[str, ...]] = {}


def _is(one: object, other: object) -> bool:
    return one is other
