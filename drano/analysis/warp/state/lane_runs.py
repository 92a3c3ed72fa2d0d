"""Loops whose every step is known lane by lane, executed: what each lane has when it leaves.

A loop runs as on the hardware, each lane by its own way, where all that decides branches and the
values that are read after it is made of numbers known lane by lane: ``while (i < threadIdx.x)
i *= 2``. Then what lanes leave with is known, too, however unlike they leave.

Limits: integers, no memory; see ``lockstep`` for what is executed, and how long.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct, field

from drano.analysis.warp.state import lockstep
from drano.ir.loops import Loop
from drano.ir.model import Instruction, IntConst, IntType, Local, Operand
from drano.lattice import Coefficient, Form, Predicate, Shape, Value
from drano.lattice.warp.lanes import LIMIT

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState

_MOST_CHANGES: Final = 4


class _Plan(Struct, frozen=True):
    """What has to be executed of a loop: instructions by block, ``entry``: the block before it;
    ``outside``: what is read from there; ``wanted``: what is read after it.
    """

    loop: Loop
    entry: int
    steps: dict[int, tuple[Instruction, ...]]
    outside: tuple[Operand, ...]
    wanted: frozenset[int]


class _Run(Struct, frozen=True):
    """``inputs``: of what it was made; ``values``: by number; ``left``: the lanes that leave by
    each edge. Both empty where they are not known.
    """

    inputs: tuple[Value | None, ...]
    values: dict[int, Form] = field(default_factory=dict)
    left: dict[tuple[int, int], Coefficient] = field(default_factory=dict)


class LaneRuns:
    """The executed loops of one interpretation."""

    def __init__(self, state: WarpState) -> None:
        self._state = state
        self._plans: dict[int, _Plan | None] = {}
        self._runs: dict[int, _Run] = {}
        self._changes: dict[int, int] = {}

    def after(self, index: int, header: int) -> Form | None:
        """What a value of the loop is after it; None where that is not known."""
        run = self._run(header)
        return None if run is None else run.values.get(index)

    def left_by(self, source: int, target: int) -> Predicate | None:
        """The lanes that leave a loop by an edge in any of its iterations; None where they are not
        known.
        """
        here = self._state.structure.loops_of[target]
        for header in reversed(self._state.structure.loops_of[source]):
            if header in here or header not in self._state.divergent_loops:
                continue
            run = self._run(header)
            if run is not None and run.left:
                lanes = run.left.get((source, target), 0)
                return Predicate(lanes, Shape.EXACT, ("left", source, target, lanes))
        return None

    def _run(self, header: int) -> _Run | None:
        plan = self._plan(header)
        if plan is None or self._changes.get(header, 0) > _MOST_CHANGES:
            return None
        run = self._runs.get(header)
        if run is None:  # else it stands until ``recheck``: loops after loops would ask for ever
            inputs = self._inputs(plan)
            run = self._runs[header] = self._executed(plan, inputs)
        return run

    def recheck(self, header: int) -> None:
        """Have what reads a loop's values read them again, if they were made of other numbers."""
        run = self._runs.get(header)
        plan = self._plans.get(header)
        if run is None or plan is None or run.inputs == self._inputs(plan):
            return
        del self._runs[header]
        self._changes[header] = self._changes.get(header, 0) + 1
        self._state.note_change()
        self._state.recall.joins.clear()  # of lanes that left by other edges
        for reader in self._state.structure.readers_outside.get(header, ()):
            self._state.computed_at[reader] = -1

    def _plan(self, header: int) -> _Plan | None:
        if header not in self._plans:
            self._plans[header] = self._planned(header)
        return self._plans[header]

    def _planned(self, header: int) -> _Plan | None:
        """None for a loop that is entered in several ways."""
        state = self._state
        loop = state.structure.loops[header]
        before = [b for b in state.structure.predecessors[header] if b not in loop.body]
        if loop.irreducible or len(set(before)) != 1:
            return None
        blocks = [state.function.blocks[index] for index in sorted(loop.body)]
        deciding = [operand for block in blocks for operand in lockstep.decides(block)]
        read = {
            operand.index
            for reader in state.structure.readers_outside.get(header, ())
            for operand in state.operands[reader]
            if isinstance(operand, Local) and state.block_of.get(operand.index) in loop.body
        }
        needed = self._slice(loop, [*deciding, *map(Local, read)])
        steps = {b.index: tuple(i for i in b.instructions if i.index in needed) for b in blocks}
        outside: dict[Operand, None] = {}
        used = [o for part in steps.values() for i in part for o in lockstep.read_by(i)]
        for operand in (*deciding, *used):
            executed = isinstance(operand, Local) and operand.index in needed
            if not executed and not isinstance(operand, IntConst):
                outside[operand] = None
        return _Plan(loop, before[0], steps, tuple(outside), frozenset(read & needed))

    def _slice(self, loop: Loop, operands: Iterable[Operand]) -> set[int]:
        """What is executed for these; what other instructions of the loop give has to be known."""
        found: set[int] = set()
        pending = list(operands)
        while pending:
            operand = pending.pop()
            if not isinstance(operand, Local) or operand.index in found:
                continue
            if self._inside(operand, loop):
                instruction = self._state.definition(operand.index)
                if lockstep.is_executed(instruction):
                    found.add(operand.index)
                    pending += lockstep.read_by(instruction)
        return found

    def _inside(self, operand: Operand, loop: Loop) -> bool:
        return isinstance(operand, Local) and self._state.block_of.get(operand.index) in loop.body

    def _inputs(self, plan: _Plan) -> tuple[Value | None, ...]:
        state, header = self._state, plan.loop.header
        values = [state.value_so_far(operand, header) for operand in plan.outside]
        return (state.edges.get((plan.entry, header)), *values)

    def _executed(self, plan: _Plan, inputs: tuple[Value | None, ...]) -> _Run:
        space = self._state.warp.space
        mask, *values = inputs
        if not isinstance(mask, Predicate):
            return _Run(inputs)
        known: dict[Operand, lockstep.Lanes] = {}
        for operand, value in zip(plan.outside, values, strict=True):
            lanes = self._known(value)
            if lanes is not None:
                known[operand] = lanes
        loop = lockstep.Executed(
            plan.loop.header, plan.entry, plan.steps,
            {b: self._state.function.blocks[b].terminator for b in plan.loop.body},
        )  # fmt: skip
        try:
            found = lockstep.run(loop, known, space.array(mask.lanes) != 0)
        except lockstep.UnknownError:
            return _Run(inputs)
        forms = {i: form for i in plan.wanted if (form := self._form(i, found.last)) is not None}
        left = {edge: space.intern(lanes.astype(np.int64)) for edge, lanes in found.left.items()}
        return _Run(inputs, forms, left)

    def _known(self, value: Value | None) -> lockstep.Lanes | None:
        space = self._state.warp.space
        if isinstance(value, Form) and not value.terms:
            if max(-value.lo, value.hi) >= LIMIT:
                return None
            return lockstep.wrapped(space.array(value.const).astype(np.uint64), value.bits)
        if isinstance(value, Predicate) and value.shape is Shape.EXACT:
            lanes = space.array(value.lanes)
            return None if bool((lanes == 2).any()) else lanes.astype(np.uint64)
        return None

    def _form(self, index: int, last: dict[int, lockstep.Lanes]) -> Form | None:
        """The numbers of a value, read with a sign."""
        type_ = self._state.definition(index).type
        if index not in last or not isinstance(type_, IntType) or type_.bits == 1:
            return None
        numbers = lockstep.signed(last[index], type_.bits)
        if bool((abs(numbers.astype(np.float64)) >= LIMIT).any()):
            return None
        return self._state.warp.lanes(self._state.warp.space.intern(numbers), type_.bits)
