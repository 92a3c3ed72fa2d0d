"""A value of a loop where it is used after the loop, which lanes leave at different iterations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drano.lattice import Cause, Form, Predicate, Shape, Value
from drano.lattice.warp import operations as ops

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState


def after_exit(state: WarpState, found: Value, index: int, home: int, block: int) -> Value:
    """A loop's value used after it: lanes that left at different iterations disagree."""
    here = state.structure.loops_of[block]
    for header in state.structure.loops_of[home]:
        if header not in state.divergent_loops:
            continue
        if header in here and header not in state.tangled_loops:
            continue
        loops = ops.loops_of(state.warp, (found,))
        if header not in loops:
            continue
        known = _left_with(state, index, home, here)
        if known is not None:
            return known
        if isinstance(found, Form) and _leaves_only(state, header, home, here):
            known = state.trip_counts.after(found, header)
            if known is not None:
                return known
        shape, reason = state.divergent_loops[header]
        held = [] if isinstance(found, Predicate) else state.warp.varying_atoms(found)
        data = state.warp.is_data(found)
        text = ops.reason_of(held) if data else reason
        type_ = state.definition(index).type
        return state.unknown_of(
            type_, ("exit", index, header),
            text or "lanes leave the loop at different iterations", Cause.LOOP, varying=True,
            loops=state.loops_at(block), data=data or shape is Shape.DATA,
            bounds=(found.lo, found.hi) if isinstance(found, Form) else None,
        )  # fmt: skip
    return found


def _leaves_only(state: WarpState, header: int, home: int, here: tuple[int, ...]) -> bool:
    """Whether no other loop is left between two blocks in which lanes diverge."""
    left = {h for h in state.structure.loops_of[home] if h not in here}
    return left & state.divergent_loops.keys() == {header}


def _left_with(state: WarpState, index: int, home: int, here: tuple[int, ...]) -> Form | None:
    """What lanes have of a value after the loops that they have left, the outermost first."""
    left = (header for header in reversed(state.structure.loops_of[home]) if header not in here)
    runs = (state.lane_runs.after(index, header) for header in left)
    return next((form for form in runs if form is not None), None)
