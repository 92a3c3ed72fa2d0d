"""What counters have when lanes leave a loop at different iterations.

``for (; i < n; i += step)`` brings a lane that enters with ``i0`` to ``i0 + step * k``, where
``k = max(0, ceil((n - i0) / step))``. Lanes enter with one pattern, so ``k`` is a quotient that
runs of them have in common: with a step of a warp's span or more it changes once at the most. So
what follows the loop, as the rest of a row does behind an unrolled loop, is a few runs of lanes.

Compilers turn such a loop into ``if (i0 < n) do … while (i + step < n)``: there ``k`` counts the
rounds, and the lanes that pass the loop by meet the others with ``k`` of 0.

Where a counter may wrap around, ``k`` is still the number of rounds, but any number: then the law
of its ``Steps`` is for what is typical only, and the bounds hold for lanes that are cut anywhere.
Limits: one exit, whose test is made in each round; no loop in which lanes are at different rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from drano.analysis.warp.state.loop_values import OPPOSITE, Advance, Mode, advances
from drano.ir.loops import Loop
from drano.ir.model import Binary, Block, Branch, Compare, IntType, Local, Phi
from drano.lattice import (
    Cause,
    Coefficient,
    Form,
    LaneOverflowError,
    Value,
    signed_range,
    unsigned_range,
)
from drano.lattice.warp.forms import Monomial
from drano.lattice.warp.operations.steps import index_of, steps_of
from drano.lattice.warp.operations.unknowns import clipped, loops_of

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState

_MOST_CHANGES: Final = 6


class _Counter(Struct, frozen=True):
    """``name``: the program's; ``number``: of the atom that all lanes share in a round; ``first``:
    what that is in the first one; ``exact``: it is never beyond the numbers of its width.
    """

    name: str
    number: int
    bits: int
    first: Form
    step: Form
    exact: bool


class _Count(Struct, frozen=True):
    """``key``: of the atom for the rounds that are through, ``dividend`` and ``step`` what it is
    the quotient of; ``name``: of a counter; ``minus``: of them one is not counted; ``guard``: the
    block whose branch passes the loop by where the dividend is not positive, or None; ``ranges``:
    of all these forms, which are equal if their sums are.
    """

    key: tuple[object, ...]
    name: str
    counters: tuple[_Counter, ...]
    dividend: Form
    step: Form
    exact: bool
    minus: bool
    guard: int | None
    ranges: tuple[tuple[int, int], ...]


class TripCounts:
    """The counted loops of one interpretation."""

    def __init__(self, state: WarpState) -> None:
        self._state = state
        self._counts: dict[int, _Count | None] = {}
        self._changes: dict[int, int] = {}

    def after(self, found: Form, header: int) -> Form | None:
        """What ``found`` of the loop is in the round that a lane leaves in; None where unknown."""
        count = self._count(header)
        if count is None:
            return None
        warp = self._state.warp
        numbers = {number for monomial, _ in found.terms for number in monomial}
        read = [counter for counter in count.counters if counter.number in numbers]
        try:
            ends = {counter.number: self._end(count, counter, found.bits) for counter in read}
            result = self._with(found, ends)
        except LaneOverflowError:
            return None
        if result is None or header in loops_of(warp, (result,)):
            return None
        exact = count.exact and all(counter.exact for counter in read)
        return clipped(warp, result, (found.lo, found.hi)) if exact else result

    def passed_by(self, block: int, values: Sequence[tuple[int, Value]]) -> Value | None:
        """Of two values, one from the loop that the lanes with the other pass by: the first, where
        it is the second in those lanes.
        """
        if len(values) != 2:
            return None
        for (source, after), (other, before) in (values, values[::-1]):
            here = self._state.structure.loops_of[block]
            for header in self._state.structure.loops_of[source]:
                count = None if header in here else self._counts.get(header)
                if count is None or not self._passes(count, other, block):
                    continue
                if isinstance(after, Form) and isinstance(before, Form):
                    same = self._is_multiple(count, after, before)
                    return self._of_both(after, before) if same else None
        return None

    def _of_both(self, after: Form, before: Form) -> Form:
        """``after``, within the bounds of either."""
        bounds = min(after.lo, before.lo), max(after.hi, before.hi)
        return Form(after.bits, after.terms, after.const, *bounds)

    def recheck(self, header: int) -> None:
        """Have what reads a loop's values read them again, if its rounds are counted otherwise."""
        if header not in self._counts:
            return
        known = self._counts[header]
        new = self._counted(header)
        if new == known:
            return
        changes = self._changes[header] = self._changes.get(header, 0) + 1
        self._counts[header] = new if changes <= _MOST_CHANGES else None
        if self._counts[header] == known:
            return
        self._state.note_change()
        self._state.recall.joins.clear()
        for reader in self._state.structure.readers_outside.get(header, ()):
            self._state.computed_at[reader] = -1

    def _count(self, header: int) -> _Count | None:
        if header not in self._counts:  # it stands until ``recheck``
            self._counts[header] = self._counted(header)
        return self._counts[header]

    # --- counting -------------------------------------------------------------------------------

    def _counted(self, header: int) -> _Count | None:
        loop = self._state.structure.loops[header]
        test = self._test_of(loop)
        if test is None:
            return None
        counters = self._counters(loop)
        if not counters:
            return None
        try:
            return self._divided(loop, test, counters)
        except LaneOverflowError:
            return None

    def _test_of(self, loop: Loop) -> int | None:
        """The block that decides in each round about leaving, if only one does."""
        structure = self._state.structure
        if loop.irreducible or loop.header in self._state.tangled_loops or len(loop.exits) != 1:
            return None
        ((block, _),) = loop.exits
        in_each = all(structure.dominates(block, latch) for latch in loop.latches)
        return block if in_each and structure.loops_of[block][0] == loop.header else None

    def _counters(self, loop: Loop) -> tuple[_Counter, ...]:
        state = self._state
        block = state.function.blocks[loop.header]
        found = []
        for phi in block.instructions:
            if not isinstance(phi, Phi):
                break
            if state.phi_modes.get(phi.index) is Mode.UNIFORM_STEP:
                counter = self._counter(phi, block, loop)
                if counter is not None:
                    found.append(counter)
        return tuple(found)

    def _counter(self, phi: Phi, block: Block, loop: Loop) -> _Counter | None:
        state, warp = self._state, self._state.warp
        own = state.env[phi.index]
        back = set(advances(state, phi, block))
        entering = [(o, s) for o, s in dict.fromkeys(phi.incoming) if s not in loop.body]
        if len(back) != 1 or len(entering) != 1 or not isinstance(own, Form):
            return None
        (advance,) = back
        first = state.value_so_far(entering[0][0], block.index)
        step = state.value_so_far(advance.step, advance.block)
        if not isinstance(first, Form) or not isinstance(step, Form) or step.bits != own.bits:
            return None
        if advance.negated:
            step = warp.sub(warp.constant(0, step.bits), step)
        uniform, lanes = warp.split_warp(first)
        shared = warp.sub(own, lanes)
        if len(shared.terms) != 1 or shared.const != 0 or not warp.is_uniform(step):
            return None
        ((monomial, coefficient),) = shared.terms
        if len(monomial) != 1 or coefficient != 1 or loop.header in loops_of(warp, (first, step)):
            return None
        exact = self._never_wraps(phi, own, advance, step)
        name = state.name_of(phi.index)
        return _Counter(name, monomial[0], own.bits, uniform, step, exact)

    def _never_wraps(self, phi: Phi, own: Form, advance: Advance, step: Form) -> bool:
        """Whether the counter's sums are those of the integers that its forms stand for."""
        state = self._state
        of_pointer = not isinstance(state.definition(advance.value.index), Binary)
        if advance.nsw or of_pointer:
            low, high = signed_range(step.bits)
            return all(low <= form.lo and form.hi <= high for form in (own, step))
        value = state.value_so_far(Local(phi.index), advance.block)
        if not isinstance(value, Form):
            return False
        ends = value.lo + step.lo, value.hi + step.hi
        return any(
            low <= min(ends[0], value.lo) and max(ends[1], value.hi) <= high
            for low, high in (signed_range(step.bits), unsigned_range(step.bits))
        )

    def _divided(self, loop: Loop, block: int, counters: tuple[_Counter, ...]) -> _Count | None:
        """``k`` from the test: the loop goes on while a gap is negative, which rises by a step."""
        stays = self._stays(loop, block)
        for gap, sure in self._gaps(block, stays):
            known = {counter.number: counter for counter in counters}
            numbers = dict.fromkeys(n for m, _ in gap.terms for n in m)
            read = [known[n] for n in numbers if n in known]
            if read and (sure or all(counter.bits == gap.bits for counter in read)):
                exact = sure and all(counter.exact for counter in read)
                return self._quotient(loop, gap, read, counters, exact=exact)
        return None

    def _quotient(
        self,
        loop: Loop,
        gap: Form,
        read: Sequence[_Counter],
        counters: tuple[_Counter, ...],
        *,
        exact: bool,
    ) -> _Count | None:
        warp = self._state.warp
        step = self._slope(gap, read)
        start = self._with(gap, {c.number: self._wide(c.first, gap.bits) for c in read})
        if step is None or start is None or step.lo < 1 or not warp.is_uniform(step):
            return None
        if loop.header in loops_of(warp, (start, step)):
            return None
        dividend = warp.sub(warp.constant(0, gap.bits), start)
        more = warp.add(dividend, step)
        guard = self._guard(loop, more, exact=exact)
        if guard is not None:
            dividend = more
        key = ("trips", dividend, step, exact)
        name = next((counter.name for counter in read if counter.name), "the loop")
        forms = [dividend, step, *(form for c in counters for form in (c.first, c.step))]
        ranges = tuple((form.lo, form.hi) for form in forms)
        return _Count(key, name, counters, dividend, step, exact, guard is not None, guard, ranges)

    def _stays(self, loop: Loop, block: int) -> bool:
        branch = self._state.function.blocks[block].terminator
        return isinstance(branch, Branch) and branch.if_true in loop.body

    def _gaps(self, block: int, side: bool) -> Iterator[tuple[Form, bool]]:
        """What is negative exactly where lanes go to the side of a branch that ``side`` names, and
        whether that is so of the integer, or only where nothing wraps around.
        """
        state, warp = self._state, self._state.warp
        branch = state.function.blocks[block].terminator
        condition = state.conditions.get(block)
        if condition is None or not isinstance(branch, Branch):
            return
        below = condition.below
        if below is not None and not warp.varying_atoms(below):
            yield (below if side else warp.sub(warp.constant(-1, below.bits), below)), True
        if not isinstance(branch.condition, Local) or branch.condition.index not in state.block_of:
            return
        compare = state.definition(branch.condition.index)
        if not isinstance(compare, Compare) or not isinstance(compare.operand_type, IntType):
            return
        relation = compare.predicate[1:]
        a = state.value_so_far(compare.lhs, block)
        b = state.value_so_far(compare.rhs, block)
        if relation not in OPPOSITE or not isinstance(a, Form) or not isinstance(b, Form):
            return
        relation = relation if side else OPPOSITE[relation]
        if relation in {"gt", "ge"}:
            a, b = b, a
        if not warp.is_uniform(a) and not warp.is_uniform(b):
            return  # where both wrap around, their difference does not tell which is less
        difference = warp.sub(a, b)
        if relation in {"le", "ge"}:
            difference = warp.add(difference, warp.constant(-1, difference.bits))
        yield difference, False

    def _slope(self, gap: Form, read: Sequence[_Counter]) -> Form | None:
        """How much the gap rises in a round; None where that is no product of uniform numbers."""
        warp = self._state.warp
        total = warp.constant(0, gap.bits)
        for counter in read:
            factor = self._factor(gap, counter.number)
            if factor is None:
                return None
            total = warp.add(total, warp.mul(factor, self._wide(counter.step, gap.bits)))
        return total

    def _factor(self, form: Form, number: int) -> Form | None:
        """What an atom is multiplied by; None where it is so by itself."""
        terms: dict[Monomial, Coefficient] = {}
        const: Coefficient = 0
        for monomial, coefficient in form.terms:
            if number not in monomial:
                continue
            left = tuple(n for n in monomial if n != number)
            if len(left) != len(monomial) - 1:
                return None
            if left:
                terms[left] = coefficient
            else:
                const = coefficient
        return self._state.warp.build(form.bits, terms, const)

    def _with(self, form: Form, places: dict[int, Form]) -> Form | None:
        """``form`` with other forms in the place of atoms."""
        warp = self._state.warp
        kept = {m: c for m, c in form.terms if not any(n in places for n in m)}
        result = warp.build(form.bits, kept, form.const)
        for number, place in places.items():
            factor = self._factor(form, number)
            if factor is None or any(n in places for m, _ in factor.terms for n in m):
                return None
            if factor.terms or factor.const != 0:
                result = warp.add(result, warp.mul(factor, place))
        return result

    def _wide(self, form: Form, bits: int) -> Form:
        """The same sum, as a number of another width."""
        return form if form.bits == bits else Form(bits, form.terms, form.const, form.lo, form.hi)

    # --- rounds ---------------------------------------------------------------------------------

    def _guard(self, loop: Loop, dividend: Form, *, exact: bool) -> int | None:
        """The block whose branch enters the loop exactly where ``dividend`` is positive."""
        structure, warp = self._state.structure, self._state.warp
        before = [b for b in structure.predecessors[loop.header] if b not in loop.body]
        if len(before) != 1:
            return None
        target, top = loop.header, before[0]
        while len(structure.successors[top]) == 1:
            if len(structure.predecessors[top]) != 1:
                return None
            target, top = top, structure.predecessors[top][0]
        branch = self._state.function.blocks[top].terminator
        if not isinstance(branch, Branch) or branch.if_true == branch.if_false:
            return None
        for gap, sure in self._gaps(top, branch.if_true == target):
            total = warp.add(self._wide(gap, dividend.bits), dividend)
            if total == warp.constant(0, dividend.bits) and (sure or not exact):
                return top
        return None

    def _passes(self, count: _Count, source: int, block: int) -> bool:
        """Whether lanes come from ``source`` to ``block`` by the way around the loop."""
        structure = self._state.structure
        return source == count.guard or (
            structure.predecessors[source] == [count.guard]
            and structure.successors[source] == (block,)
        )

    def _rounds(self, count: _Count, bits: int) -> Form | None:
        """``max(0, ceil(dividend / step))``."""
        warp = self._state.warp
        index = index_of(warp, count.dividend)
        if index is None or not (count.exact or index.slope):
            return None
        least = count.step.lo if count.exact else 1
        steps = steps_of(warp, index, count.step, least, rises=False)
        most = max(0, -(-count.dividend.hi // least)) if count.exact else 1 << count.dividend.bits
        return warp.atom(
            count.key, bits, f"iterations of {count.name}", Cause.LOOP, varying=True,
            bounds=(0, most), loops=loops_of(warp, (count.dividend, count.step)), steps=steps,
        )  # fmt: skip

    def _end(self, count: _Count, counter: _Counter, bits: int) -> Form:
        """What a counter's atom is for each lane in its last round. Raises LaneOverflowError."""
        warp = self._state.warp
        rounds = self._rounds(count, bits)
        if rounds is None or (bits != counter.bits and not (count.exact and counter.exact)):
            raise LaneOverflowError
        if count.minus:
            rounds = warp.sub(rounds, warp.constant(1, bits))
        first, step = self._wide(counter.first, bits), self._wide(counter.step, bits)
        return warp.add(first, warp.mul(step, rounds))

    def _is_multiple(self, count: _Count, after: Form, before: Form) -> bool:
        """Whether ``after`` is ``before`` and a multiple of the rounds."""
        warp = self._state.warp
        rounds = self._rounds(count, after.bits) if after.bits == before.bits else None
        if rounds is None:
            return False
        ((monomial, _),) = rounds.terms
        try:
            difference = warp.sub(after, before)
            factor = self._factor(difference, monomial[0])
            return factor is not None and warp.mul(factor, rounds) == difference
        except LaneOverflowError:
            return False
