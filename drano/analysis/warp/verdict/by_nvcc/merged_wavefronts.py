"""Bank conflicts of loads and stores of several branches of which nvcc makes one request."""

from __future__ import annotations

from functools import reduce

from msgspec.structs import replace

from drano.analysis.access_sites import Site
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.bank_conflicts import with_banks
from drano.analysis.warp.verdict.by_nvcc.joined_loads import (
    LOADS_APART,
    hoisted_mask,
    merged_loads,
)
from drano.analysis.warp.verdict.by_nvcc.joined_stores import APART, joined_mask, merged_with
from drano.ir.model import Store
from drano.lattice import Form, Predicate
from drano.model.hardware import WARP_SIZE, WORD_BYTES
from drano.model.judgement import UNKNOWN, CountRange, Judgement, Verdict


def with_merged_banks(
    run: WarpState, site: Site, address: Form, mask: Predicate, judgement: Judgement
) -> Judgement:
    """What is said of an access to shared memory also where it is one request with those of other
    branches: of one address by the lanes of all, else by as many wavefronts as all have together.
    Raises NotReadyError where an address is not known yet, LaneOverflowError where one is too
    complex.
    """
    own = judgement.wavefronts
    others = [*merged_with(run, site), *merged_loads(run, site)]
    wider = [joined_mask(run, site), hoisted_mask(run, site, address)]
    if any(other[0] == address for other in others):
        wider.append(run.masks[run.function.blocks[site.block].successors[0]])
    if own is None:
        return judgement

    def counted(place: Form, lanes: Predicate) -> CountRange:
        return with_banks(run, site, place, lanes, judgement).wavefronts or _anything(own, site)

    together = [counted(address, lanes) for lanes in wider if lanes is not None and lanes != mask]
    apart = [counted(*other) for other in others if other[0] != address]
    whole = reduce(_hull, (*together, *apart), own)
    most = whole.maximum + sum(each.maximum for each in apart)
    most = min(most, max(whole.maximum, _anything(own, site).maximum))
    found = replace(judgement, wavefronts=replace(whole, maximum=most))
    if judgement.verdict is Verdict.UNKNOWN or most <= own.ideal:
        return found
    if not apart and (judgement.flagged or not together):
        return found  # more lanes of one address have conflicts where fewer have
    condition = APART if isinstance(site.instruction, Store) else LOADS_APART
    condition = " and ".join(filter(None, (judgement.condition, condition)))
    weight = UNKNOWN + 1 if judgement.flagged else judgement.weight
    return replace(found, condition=condition, weight=weight)


def _anything(own: CountRange, site: Site) -> CountRange:
    """Every word of every lane by itself."""
    return replace(own, minimum=1, maximum=WARP_SIZE * max(1, -(-site.bytes // WORD_BYTES)))


def _hull(one: CountRange, other: CountRange) -> CountRange:
    least = min(one.minimum, other.minimum)
    return replace(one, minimum=least, maximum=max(one.maximum, other.maximum))
