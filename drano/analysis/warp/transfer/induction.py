"""Loop counters: what the code alone says of ``i = phi [first, outside], [i + step, latch]``.

``kept`` is an invariant, proved from the loop's own test. ``foreseen`` is only a first guess at
what the loop brings back, which saves rounds: the solver still checks it.

The proof, for a test ``i < n`` at the loop's head whose other side leaves the loop: who returns to
the head has passed the test, so brings at most ``max(n) - 1 + max(step)``. If that is a number of
the compared signedness nothing wrapped, and by induction it bounds every round. A test
``i + step < n`` at the only latch bounds what returns by ``max(n) - 1``, if the sum cannot wrap.
Needs no ``nsw``. Limits: steps of known sign; a test ``!=`` proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from drano.analysis.warp.state.loop_values import OPPOSITE, Advance, advances
from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.loops import Loop
from drano.ir.model import (
    Block,
    Branch,
    Compare,
    IntType,
    Local,
    Operand,
    Phi,
)
from drano.lattice import Form, signed_range, unsigned_range

_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


class _Test(Struct, frozen=True):
    """The loop goes on only while ``tested relation bound``; ``at_head``: the phi is tested,
    otherwise what returns.
    """

    relation: str
    signed: bool
    bound: Operand
    block: int
    at_head: bool


def returned(state: WarpState, found: Sequence[Advance], value: Form) -> tuple[Form, ...] | None:
    """What each back edge brings when the phi is ``value``; None where a step is unknown yet."""
    forms = []
    for advance in found:
        step = state.value_so_far(advance.step, advance.block)
        if not isinstance(step, Form) or step.bits != value.bits:
            return None
        moved = state.warp.sub if advance.negated else state.warp.add
        forms.append(moved(value, step, nsw=advance.nsw, nuw=advance.nuw))
    return tuple(forms)


def foreseen(state: WarpState, phi: Phi, block: Block, first: Form) -> tuple[Form, ...]:
    """What the first round would bring back; nothing where ``phi`` is no counter that moves."""
    found = advances(state, phi, block)
    low, high = _steps(state, found, first.bits) or (0, 0)
    if low == high == 0 or low < 0 < high:
        return ()
    forms = returned(state, found, first) or ()
    return forms if all(state.warp.same_lanes(first, form) for form in forms) else ()


def kept(state: WarpState, phi: Phi, block: Block, first: Form) -> tuple[int, int] | None:
    """Bounds of all that active lanes see at the head: the machine's number, read signed or
    unsigned; None where nothing is proved. Tells ``state`` what holds behind the test.
    """
    loop = state.structure.loops[block.index]
    for test, passed, bounds in _proofs(state, phi, block, first):
        behind = _behind(state, loop) if test.at_head else None
        state.note_within(phi.index, behind, passed)
        return bounds
    state.note_within(phi.index, None, (0, 0))
    return None


_Range = tuple[int, int]


def _proofs(
    state: WarpState, phi: Phi, block: Block, first: Form
) -> Iterator[tuple[_Test, _Range, _Range]]:
    """Tests that bound the counter: what has passed the test, and what arrives at the head."""
    found = advances(state, phi, block)
    steps = _steps(state, found, first.bits)
    if steps is None or (steps[0] < 0 < steps[1]):
        return
    upward = steps[0] >= 0
    for test in _tests(state, phi, block, found):
        limits = signed_range(first.bits) if test.signed else unsigned_range(first.bits)
        bound = state.value_so_far(test.bound, test.block)
        if not isinstance(bound, Form) or bound.bits != first.bits:
            continue
        if not all(limits[0] <= f.lo and f.hi <= limits[1] for f in (first, bound)):
            continue
        if upward and test.relation in {"lt", "le"}:
            last = bound.hi - (test.relation == "lt")
            returning = last + steps[1] if test.at_head else last
            reached = returning if test.at_head else max(first.hi, last) + steps[1]
            if reached <= limits[1]:
                yield test, (first.lo, last), (first.lo, max(first.hi, returning))
        if not upward and test.relation in {"gt", "ge"}:
            last = bound.lo + (test.relation == "gt")
            returning = last + steps[0] if test.at_head else last
            reached = returning if test.at_head else min(first.lo, last) + steps[0]
            if reached >= limits[0]:
                yield test, (last, first.hi), (min(first.lo, returning), first.hi)


def _behind(state: WarpState, loop: Loop) -> int | None:
    """The block that only those enter who passed the test at the loop's head."""
    for target in state.structure.successors[loop.header]:
        if target in loop.body and tuple(state.structure.predecessors[target]) == (loop.header,):
            return target
    return None


def _steps(state: WarpState, found: Sequence[Advance], bits: int) -> tuple[int, int] | None:
    """Least and greatest step of all back edges."""
    ranges = []
    for advance in found:
        step = state.value_so_far(advance.step, advance.block)
        if not isinstance(step, Form) or step.bits != bits:
            return None
        ranges.append((-step.hi, -step.lo) if advance.negated else (step.lo, step.hi))
    if not ranges:
        return None
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _tests(state: WarpState, phi: Phi, block: Block, found: Sequence[Advance]) -> list[_Test]:
    loop = state.structure.loops[block.index]
    tests = [_test(state, loop, block, Local(phi.index), at_head=True)]
    if len(loop.latches) == 1 and len(found) == 1:
        latch = state.function.blocks[loop.latches[0]]
        tests.append(_test(state, loop, latch, found[0].value, at_head=False))
    return [test for test in tests if test is not None]


def _test(
    state: WarpState, loop: Loop, block: Block, tested: Local, *, at_head: bool
) -> _Test | None:
    """The test at the end of ``block`` of the value ``tested``, if it decides about leaving."""
    branch = block.terminator
    if not isinstance(branch, Branch) or not isinstance(branch.condition, Local):
        return None
    stays = branch.if_true in loop.body
    if stays == (branch.if_false in loop.body):
        return None
    home = state.block_of.get(branch.condition.index)
    if home is None or state.structure.loops_of[home][:1] != (loop.header,):
        return None
    if at_head and home != block.index:
        return None
    compare = state.definition(branch.condition.index)
    if not isinstance(compare, Compare) or compare.floating:
        return None
    if not isinstance(compare.operand_type, IntType) or compare.predicate in {"eq", "ne"}:
        return None
    relation = compare.predicate[1:]
    if compare.lhs == tested:
        bound = compare.rhs
    elif compare.rhs == tested:
        bound, relation = compare.lhs, _SWAPPED[relation]
    else:
        return None
    if not stays:
        relation = OPPOSITE[relation]
    return _Test(relation, compare.predicate[0] == "s", bound, home, at_head)
