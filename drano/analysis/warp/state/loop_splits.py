"""Where nvcc may split a loop in two: at a number of iterations that differs between lanes.

nvcc makes ``for (j = 0; j < n; j++) if (j != i) s += a[j];`` two loops without the test: below
``i`` and above it. If ``i`` differs between the lanes of a warp, these run the second loop at
different iterations, and meet again behind it only.

Means: a loop *may be split* if a branch inside of it compares its counter with what stays the same
in the loop, and lanes go either way. Accesses that are only made before a split (``if (j < i) …``)
stay in step, as all lanes start at the loop's first iteration. A barrier of the block keeps a loop
whole. Limits: comparisons that are selects are not looked at, nor are counters times a number;
nvcc 13.0 splits at neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from drano.analysis.warp.state.loop_values import advances
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.ir.intrinsics import Barrier, intrinsic
from drano.ir.loops import Loop
from drano.ir.model import (
    Branch,
    Call,
    Compare,
    Instruction,
    IntType,
    Local,
    Operand,
    Phi,
)
from drano.lattice import Cause, Form, LaneOverflowError
from drano.model.span import Location

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState


class Split(Struct, frozen=True):
    """Where a loop may be split. ``early``: the block that lanes enter from here in iterations
    before the split only; None: there is none. ``place``: in the source, the same for all copies
    of an unrolled loop, where known.
    """

    block: int
    early: int | None
    place: Location | None


class LoopSplits:
    """Those of one function, once its interpretation is finished."""

    def __init__(self, state: WarpState) -> None:
        self._state = state
        self._found: dict[int, tuple[Split, ...]] = {}  # by the loop's header

    def around(self, block: int) -> frozenset[int]:
        """Headers of the loops around a block that nvcc may split, so that lanes come to it at
        different iterations.
        """
        state = self._state
        around = state.structure.loops_of[block]
        for header in around:
            if header not in self._found:
                self._found[header] = tuple(_splits(state, state.structure.loops[header]))
        return frozenset(
            header
            for header in around
            if not all(
                any(_is_before(state, block, copy) for copy in _copies(split, self._found[header]))
                for split in self._found[header]
            )
        )


def _copies(split: Split, splits: Sequence[Split]) -> Iterator[Split]:
    """A split and those of other copies of the same iteration."""
    known = split.place is not None
    return (each for each in splits if each is split or (known and each.place == split.place))


def _is_before(state: WarpState, block: int, split: Split) -> bool:
    """Whether lanes come to a block in iterations before a split only."""
    early = split.early
    if early is None or state.structure.predecessors[early] != [split.block]:
        return False
    return state.structure.dominates(early, block)


def _splits(state: WarpState, loop: Loop) -> Iterator[Split]:
    blocks = [state.function.blocks[index] for index in sorted(loop.body)]
    if any(_is_barrier(i) for b in blocks for i in b.instructions):
        return
    for block in blocks:
        branch, condition = block.terminator, state.conditions.get(block.index)
        if condition is None or state.warp.is_uniform(condition) or not isinstance(branch, Branch):
            continue
        if branch.if_true not in loop.body or branch.if_false not in loop.body:
            continue
        compared = list(_comparisons(state, branch.condition))
        by_counter = [each for each in compared if _is_by_counter(state, loop, each, block.index)]
        if by_counter:
            early = _early(state, loop, branch, compared[0]) if len(compared) == 1 else None
            yield Split(block.index, early, by_counter[0].location)


def _early(state: WarpState, loop: Loop, branch: Branch, compare: Compare) -> int | None:
    """Where lanes go from a branch before they are past a bound of a counter that goes up."""
    relation = compare.predicate[1:]
    if relation not in {"lt", "le", "gt", "ge"} or not _goes_up(state, loop):
        return None
    if branch.condition != Local(compare.index):
        return None  # negated, or so
    rises = _moving_sign(state, loop, compare, branch)
    if not rises:
        return None
    below = (relation in {"lt", "le"}) == (rises > 0)
    return branch.if_true if below else branch.if_false


def _is_barrier(instruction: Instruction) -> bool:
    called = intrinsic(instruction.callee or "") if isinstance(instruction, Call) else None
    return called is not None and called.barrier is Barrier.BLOCK


def _comparisons(state: WarpState, condition: Operand) -> Iterator[Compare]:
    """The comparisons of integers of which a condition is made."""
    pending, seen = [condition], set[int]()
    while pending:
        part = pending.pop()
        if not isinstance(part, Local) or part.index in seen or part.index not in state.block_of:
            continue
        seen.add(part.index)
        made = state.definition(part.index)
        if isinstance(made, Compare) and isinstance(made.operand_type, IntType):
            yield made
        elif made.type == IntType(1) and not isinstance(made, Compare | Phi):
            pending += state.operands[part.index]


def _is_by_counter(state: WarpState, loop: Loop, compare: Compare, block: int) -> bool:
    """Whether the counter of a loop and what stays the same in it are compared, differently in
    different lanes.
    """
    try:
        apart = _difference(state, compare, block)
    except (NotReadyError, LaneOverflowError):
        return True
    return not state.warp.is_uniform(apart) and _counted(state, loop, apart) != 0


def _difference(state: WarpState, compare: Compare, block: int) -> Form:
    assert isinstance(compare.operand_type, IntType)
    bits = compare.operand_type.bits
    left = state.form(compare.lhs, block, bits)
    return state.warp.sub(left, state.form(compare.rhs, block, bits))


def _counted(state: WarpState, loop: Loop, apart: Form) -> int:
    """How often a sum has the counter of a loop, 1 or -1, where nothing else in it changes in the
    loop; else 0.
    """
    moving = [
        (monomial, coefficient)
        for monomial, coefficient in apart.terms
        if any(loop.header in state.warp.atoms[number].loops for number in monomial)
    ]
    if len(moving) != 1:
        return 0
    monomial, coefficient = moving[0]
    atom = state.warp.atoms[monomial[0]]
    if len(monomial) > 1 or atom.cause is not Cause.LOOP or atom.varying:
        return 0
    return coefficient if coefficient in {1, -1} and isinstance(coefficient, int) else 0


def _moving_sign(state: WarpState, loop: Loop, compare: Compare, branch: Branch) -> int:
    """Whether the left side less the right one rises by the counter, 1, falls, -1, or neither."""
    try:
        return _counted(state, loop, _difference(state, compare, state.block_of[branch.index]))
    except (NotReadyError, LaneOverflowError):
        return 0


def _goes_up(state: WarpState, loop: Loop) -> bool:
    """Whether all counters of a loop, of which there is one, have positive steps."""
    header = state.function.blocks[loop.header]
    steps = []
    for phi in header.instructions:
        if not isinstance(phi, Phi):
            break
        for advance in advances(state, phi, header):
            step = state.value_so_far(advance.step, advance.block)
            if not isinstance(step, Form):
                return False
            steps.append(-step.hi if advance.negated else step.lo)
    return bool(steps) and min(steps) > 0
