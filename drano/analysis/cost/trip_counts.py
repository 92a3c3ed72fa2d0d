"""How often loops run: from their counters, in the names of the source.

A counter is ``i = phi [first, outside], [i + step, latch]`` that a test, made in each iteration,
compares with a bound; also with ``i * c``, ``i / c`` and shifts in the place of ``i + step``.
Limits: tests of floats and pointers, and loops that only data end, are not counted (``None``):
``defaults.trips`` says what is taken instead. Another way out (``break``) is not looked at.
"""

from __future__ import annotations

from math import ceil

from msgspec import Struct

from drano.analysis.control_structure import Structure
from drano.analysis.cost.amounts import (
    Amount,
    Name,
    Number,
    Steps,
    difference,
    evaluate,
    quotient,
)
from drano.analysis.cost.operand_amounts import Amounts, without_blocks
from drano.analysis.definitions import Definitions
from drano.ir.loops import Loop
from drano.ir.model import (
    Binary,
    Branch,
    Compare,
    Function,
    IntConst,
    IntType,
    Local,
    Operand,
    Phi,
)

_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
_OPPOSITE = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}
_GROWING = {"mul", "shl"}
_SHRINKING = {"sdiv", "udiv", "lshr", "ashr"}
_MOST_STEPS = 64
_ENDLESS = 2.0**30
_MOST_CHAINED = 16  # loops whose counts depend on each other: each is Python frames on the stack


class Trips(Struct, frozen=True):
    """``count``: None where nothing is known; ``sure``: the loop has no other way out;
    ``counter``: its name, or "".
    """

    count: Amount | None
    sure: bool
    counter: str


class Counter(Struct, frozen=True):
    """Starts at ``first``; each iteration does ``op`` (add, sub, mul, shl, sdiv…) with ``step``."""

    first: Amount
    op: str
    step: Amount
    phi: Phi | None = None


class TripCounter:
    """The loops of one function; each is looked at when first asked for."""

    def __init__(
        self, function: Function, structure: Structure, definitions: Definitions, amounts: Amounts
    ) -> None:
        self._function = function
        self._structure = structure
        self._definitions = definitions
        self._amounts = amounts
        self._found: dict[int, Trips] = {}
        self._active: set[int] = set()
        self._meant: set[int] = set()  # counters whose means are being worked out
        amounts.counter = self._mean

    def of(self, header: int) -> Trips:
        """Iterations of the loop with this header."""
        found = self._found.get(header)
        if found is None:
            # Its bound depends on its own counter, or on too many others.
            if header in self._active or self._is_deep():
                return Trips(None, sure=False, counter="")
            self._active.add(header)
            found = self._found[header] = self._count(self._structure.loops[header])
            self._active.discard(header)
        return found

    def _is_deep(self) -> bool:
        """Whether what is asked for depends on more loops than are followed."""
        return len(self._active) + len(self._meant) >= _MOST_CHAINED

    def _count(self, loop: Loop) -> Trips:
        if loop.irreducible:
            return Trips(None, sure=False, counter="")
        best: tuple[Amount, str] | None = None
        for source in dict.fromkeys(source for source, _ in loop.exits):
            found = self._by_test(loop, source)
            if found is not None and (best is None or isinstance(found[0], Number)):
                best = found
        if best is None:
            return Trips(None, sure=False, counter=self._named_counter(loop))
        leaving = {source for source, _ in loop.exits}
        counter = best[1] or self._named_counter(loop)
        return Trips(best[0], sure=len(leaving) == 1, counter=counter)

    def _named_counter(self, loop: Loop) -> str:
        """A variable of the source that advances by constants in a loop that counts with another,
        as unrolled ones do; "" where there is none.
        """
        for phi in self._function.blocks[loop.header].instructions:
            if not isinstance(phi, Phi):
                break
            name = self._definitions.name(Local(phi.index))
            if not name or not isinstance(phi.type, IntType):
                continue
            nexts = [o for o, source in phi.incoming if source in loop.body]
            if nexts and all(self._advances(operand, phi) for operand in nexts):
                return name
        return ""

    def _advances(self, operand: Operand, phi: Phi) -> bool:
        """Whether a value is a counter's, some constants later."""
        for _ in range(_MOST_STEPS):
            step = self._definitions.of(self._definitions.source(operand))
            if step is phi:
                return True
            if not isinstance(step, Binary) or step.op not in {"add", "sub"}:
                return False
            if not isinstance(step.rhs, IntConst):
                return False
            operand = step.lhs
        return False

    def _by_test(self, loop: Loop, source: int) -> tuple[Amount, str] | None:
        """What a test says that decides, in each iteration, about leaving."""
        branch = self._function.blocks[source].terminator
        if not isinstance(branch, Branch):
            return None
        each_time = all(self._structure.dominates(source, latch) for latch in loop.latches)
        compare = self._definitions.of(branch.condition)
        if not each_time or not isinstance(compare, Compare) or compare.floating:
            return None
        if not isinstance(compare.operand_type, IntType):
            return None
        predicate = compare.predicate
        relation = predicate if predicate in {"eq", "ne"} else predicate[1:]
        if branch.if_true not in loop.body:
            relation = _OPPOSITE[relation]
        for tested, bound, said in (
            (compare.lhs, compare.rhs, relation),
            (compare.rhs, compare.lhs, _SWAPPED[relation]),
        ):
            counter = self._counter(loop, tested)
            end = self._amounts.of(bound) if counter is not None else None
            if counter is None or end is None:
                continue
            whole = self._amounts.spans_grid(counter.step)
            count = trips(counter, said, end, whole=whole)
            if count is not None and counter.phi is not None:
                return count, self._definitions.name(Local(counter.phi.index))
        return None

    def _counter(self, loop: Loop, tested: Operand) -> Counter | None:
        """The counter that a tested value is, before or after its step."""
        source = self._definitions.source(tested)
        i = self._definitions.of(source)
        if isinstance(i, Binary):  # the counter's next value
            sides = (self._definitions.of(self._definitions.source(o)) for o in (i.lhs, i.rhs))
            i = next((phi for phi in sides if self._is_header_phi(phi, loop)), None)
        return self._read(loop, i) if isinstance(i, Phi) else None

    def _is_header_phi(self, i: object, loop: Loop) -> bool:
        return isinstance(i, Phi) and self._definitions.block(i) == loop.header

    def _read(self, loop: Loop, phi: Phi) -> Counter | None:
        if not self._is_header_phi(phi, loop):
            return None
        firsts = [o for o, source in phi.incoming if source not in loop.body]
        nexts = {o for o, source in phi.incoming if source in loop.body}
        if not firsts or len(nexts) != 1:
            return None
        step = self._definitions.of(self._definitions.source(nexts.pop()))
        if not isinstance(step, Binary):
            return None
        lhs, rhs = self._definitions.source(step.lhs), self._definitions.source(step.rhs)
        own = Local(phi.index)
        if own not in {lhs, rhs} or (rhs == own and step.op not in {"add", "mul"}):
            return None
        by = self._amounts.of(rhs if lhs == own else lhs)
        first = self._amounts.of(firsts[0])
        if by is None or first is None:
            return None
        return Counter(first, step.op, by, phi)

    def _mean(self, phi: Phi) -> Amount | None:
        """A counter of a loop around, as its mean over the loop's iterations."""
        loop = self._structure.loops.get(self._definitions.block(phi))
        if loop is None or phi.index in self._meant or self._is_deep():
            return None
        self._meant.add(phi.index)
        mean = self._mean_in(loop, phi)
        self._meant.discard(phi.index)
        return mean

    def _mean_in(self, loop: Loop, phi: Phi) -> Amount | None:
        counter = self._read(loop, phi) if loop.header not in self._active else None
        name = self._definitions.name(Local(phi.index))
        count = self.of(loop.header).count
        if counter is None or count is None or counter.op not in {"add", "sub"}:
            return None
        reach = evaluate(count, {}) * _signed(counter) / 2
        return Name(name or "counter", max(0.0, evaluate(counter.first, {}) + reach), size=False)


def _signed(counter: Counter) -> float:
    step = counter.step.value if isinstance(counter.step, Number) else evaluate(counter.step, {})
    return -step if counter.op == "sub" else step


def trips(counter: Counter, relation: str, end: Amount, *, whole: bool = False) -> Amount | None:
    """Iterations while ``counter relation end``; ``whole``: the step is that of all blocks.

    None for a known number that no loop comes to: ``i < UINT_MAX`` says that there is no end.
    """
    first, step = counter.first, counter.step
    if counter.op in _GROWING | _SHRINKING:
        return _by_factor(counter, relation, end)
    if counter.op not in {"add", "sub"}:
        return None
    if whole:
        first, end = without_blocks(first), without_blocks(end)
    size = _signed(counter)
    if not size or relation == "eq":
        return None
    upward = size > 0
    if (upward and relation in {"gt", "ge"}) or (not upward and relation in {"lt", "le"}):
        return None
    distance = difference(end, first) if upward else difference(first, end)
    if relation in {"le", "ge"}:
        distance = difference(distance, Number(-1.0))
    by = Number(abs(size)) if isinstance(step, Number) else step
    count = quotient(distance, by)
    if not isinstance(count, Number):
        return count
    return Number(float(max(0, ceil(count.value)))) if count.value < _ENDLESS else None


def _by_factor(counter: Counter, relation: str, end: Amount) -> Amount | None:
    if not isinstance(counter.step, Number) or not 0 < counter.step.value < 64:
        return None
    base = counter.step.value
    if counter.op in {"shl", "lshr", "ashr"}:
        base = 2.0**base
    if base <= 1 or relation == "eq":
        return None
    down = counter.op in _SHRINKING
    if down == (relation in {"lt", "le"}):
        return None
    over, under = (counter.first, end) if down else (end, counter.first)
    once_more = relation in {"le", "ge"} or under == Number(0.0)
    if under == Number(0.0):
        under = Number(1.0)
    steps: Amount = Steps(over, under, base)
    if isinstance(over, Number) and isinstance(under, Number):
        steps = Number(float(ceil(round(evaluate(steps, {}), 6))))
    return difference(steps, Number(-1.0)) if once_more else steps
