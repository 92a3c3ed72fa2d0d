"""What the branches that lead to a block say of the choices in a value there.

Means: the conditions of branches whose side dominates the block hold in every lane that is active.
Assumptions: a value and a condition belong to one iteration where both change in loops around both
places only. Limits: conditions that are one bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Branch
from drano.lattice import Form, LaneOverflowError, Predicate
from drano.lattice.warp import operations as ops


def with_branches_taken(run: WarpState, block: int, value: Form) -> Form:
    """``value`` as active lanes of a block have it."""
    around = run.loops_at(block)
    choices = [
        atom
        for atom in ops.choices_in(run.warp, value)
        if atom.predicate is not None and _loops(run, atom.predicate) <= around
    ]
    if choices:
        with suppress(LaneOverflowError):
            return ops.decided(run.warp, value, choices, _bounds(run, block))
    return value


def _bounds(run: WarpState, block: int) -> tuple[Form, ...]:
    if block not in run.bounds_taken:
        run.bounds_taken[block] = tuple(_found_bounds(run, block))
    return run.bounds_taken[block]


def _found_bounds(run: WarpState, block: int) -> Iterator[Form]:
    """Numbers that are negative in all active lanes of a block."""
    structure, around = run.structure, run.loops_at(block)
    inner, top = block, structure.idom[block]
    while top != inner:
        branch, condition = run.function.blocks[top].terminator, run.conditions.get(top)
        if isinstance(branch, Branch) and branch.if_true != branch.if_false and condition:
            for side, truth in ((branch.if_true, True), (branch.if_false, False)):
                taken = condition if truth else ops.negated(run.warp, condition)
                if (
                    taken.below is not None
                    and structure.predecessors[side] == [top]
                    and structure.dominates(side, block)
                    and _loops(run, taken) <= around & run.loops_at(top)
                ):
                    yield taken.below
        inner, top = top, structure.idom[top]


def _loops(run: WarpState, condition: Predicate) -> frozenset[int]:
    """Loops in whose iterations it is another one."""
    below = condition.below
    return condition.loops | (ops.loops_of(run.warp, (below,)) if below is not None else set())
