"""Stores to one address at the end of each of several branches that meet behind them.

nvcc makes one store of ``if (c) a[i] = x; else a[i] = y;`` more often than not, and then a request
is of the lanes of all branches; LLVM's optimiser leaves them apart here. What is said of such a
store has to hold for both.
"""

from __future__ import annotations

from dataclasses import replace

from drano.analysis.access_sites import Site
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Binary, Cast, Compare, Gep, Instruction, Select, Store
from drano.ir.target import POINTER_BITS
from drano.lattice import Predicate
from drano.model.judgement import UNKNOWN, CountRange, Judgement, Verdict
from drano.model.settings import View

_COMPUTES = (Binary, Cast, Compare, Gep, Select)


def joined_mask(run: WarpState, site: Site) -> Predicate | None:
    """The lanes of a request that would be of all the branches; None where there are no others."""
    blocks = run.function.blocks
    here = blocks[site.block]
    if run.options.view is not View.COMPILED or not isinstance(site.instruction, Store):
        return None
    if len(here.successors) != 1:
        return None
    join = here.successors[0]
    before = blocks[join].predecessors
    if len(before) < 2 or _last_store(here.instructions) is not site.instruction:
        return None
    try:
        own = run.form(site.pointer, site.block, POINTER_BITS)
        for block in before:
            store = _last_store(blocks[block].instructions)
            if blocks[block].successors != (join,) or not isinstance(store, Store):
                return None
            if store.size != site.instruction.size:
                return None
            if run.masks[block] is None:
                continue  # of no lane of this launch
            if run.form(store.pointer, block, POINTER_BITS) != own:
                return None
    except NotReadyError:
        return None
    return run.masks[join]


def _last_store(instructions: tuple[Instruction, ...]) -> Instruction | None:
    """The last instruction but for those that only compute, and the jump."""
    for instruction in reversed(instructions[:-1]):
        if not isinstance(instruction, _COMPUTES):
            return instruction
    return None


def covering(own: Judgement, joined: Judgement) -> Judgement:
    """What holds of a store alone and of one with those of the other branches. Where both are
    known and differ, that of the one request, as it is where it was measured, but not as proved.
    """
    chosen = own
    if Verdict.UNKNOWN not in (own.verdict, joined.verdict) and own.verdict is not joined.verdict:
        reason = f"{joined.reason}, as one request with the stores of other branches"
        chosen = replace(joined, reason=reason, weight=UNKNOWN + 1)
    return replace(
        chosen,
        lines=_hull(chosen.lines, own.lines, joined.lines),
        sectors=_hull(chosen.sectors, own.sectors, joined.sectors),
    )


def _hull(
    chosen: CountRange | None, own: CountRange | None, joined: CountRange | None
) -> CountRange | None:
    if chosen is None or own is None or joined is None:
        return None
    least = min(own.minimum, joined.minimum)
    most = max(own.maximum, joined.maximum)
    return CountRange(least, most, min(own.ideal, joined.ideal, least), chosen.expected)
