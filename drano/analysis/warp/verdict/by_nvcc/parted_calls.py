"""Accesses behind calls through pointers, whose lanes may have gone to different functions, and in
functions that stay functions, which some lanes of a warp may call.

ptxas lets the lanes of a warp meet again behind such a call where it sees that they part, as in a
block that some lanes have left already; elsewhere they may go on apart, one function's lanes after
another's, to the kernel's end (seen in machine code for compute capability 9.0, and on an H200). So
what is said of an access behind one holds if they meet, and its bounds for lanes that do not.
Limits: barriers are not looked at, where lanes do meet.
"""

from __future__ import annotations

from msgspec.structs import replace

from drano.analysis.access_sites import Site
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.by_nvcc.split_loops import with_bounds_of
from drano.analysis.warp.verdict.conditions import both
from drano.ir.model import Call
from drano.lattice import Predicate, Shape
from drano.lattice.warp import masks
from drano.model.judgement import UNKNOWN, Judgement, Verdict

CONDITION = "lanes meet again that called different functions"
"""What a verdict rests on that holds for lanes that are together."""
CALLED_BY_ALL = "all lanes of the warp call the function"
"""The same inside of functions that are no kernels."""


def condition_of(run: WarpState) -> str:
    """Which of both it is."""
    return CONDITION if run.function.is_kernel else CALLED_BY_ALL


def after_parting_call(run: WarpState, site: Site, mask: Predicate) -> Predicate | None:
    """The lanes that make an access, where they may have called different functions before, or
    some lanes of a warp this one; None where they have not.
    """
    if not run.function.is_kernel:
        return masks.weaken(run.warp, mask, Shape.DATA, CALLED_BY_ALL, site.block, frozenset())
    if run.parting_calls is None:
        run.parting_calls = _parting_calls(run)
    at = site.instruction.index
    behind = any(
        site.block in reached or (site.block == block and index < at)
        for block, index, reached in run.parting_calls
    )
    if not behind:
        return None
    return masks.weaken(run.warp, mask, Shape.DATA, CONDITION, site.block, frozenset())


def _parting_calls(run: WarpState) -> list[tuple[int, int, frozenset[int]]]:
    """Block and number of each call that lanes may make to different functions, and the blocks that
    are reached from there.
    """
    return [
        (block.index, call.index, _reached(run, block.index))
        for block in run.function.blocks
        for call in block.instructions
        if isinstance(call, Call) and call.target is not None and _parts(run, call, block.index)
    ]


def _parts(run: WarpState, call: Call, block: int) -> bool:
    assert call.target is not None
    try:
        return run.masks[block] is not None and not run.warp.is_uniform(
            run.value(call.target, block)
        )
    except NotReadyError:
        return True


def _reached(run: WarpState, start: int) -> frozenset[int]:
    seen: set[int] = set()
    pending = [*run.function.blocks[start].successors]
    while pending:
        block = pending.pop()
        if block not in seen:
            seen.add(block)
            pending += run.function.blocks[block].successors
    return frozenset(seen)


def covering(together: Judgement, apart: Judgement, condition: str) -> Judgement:
    """What is said of lanes that are together, on that ``condition``, with the bounds of those that
    are not.
    """
    found = with_bounds_of(together, apart)
    as_good = apart.verdict is together.verdict and apart.condition == together.condition
    if together.verdict is Verdict.UNKNOWN or as_good:
        return found
    condition = both(together, condition)
    if apart.verdict is together.verdict is Verdict.UNCOALESCED:  # if several lanes are left
        covered = together.condition in apart.condition
        condition = apart.condition if covered else both(together, apart.condition)
    weight = UNKNOWN + 1 if together.flagged else together.weight
    return replace(found, condition=condition, weight=weight)
