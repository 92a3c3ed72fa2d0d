"""How often a block reads the elements of an array: what staging in shared memory would save.

After GMProf (HiPC 2010), statically. A *read* is one element that one warp's request asks for,
however many of its lanes do. All loads that a kernel makes of one array are laid side by side:
their reads, over the different elements among them, are how often the block fetches each. Unknown
sizes and counters are taken as unknowns: elements are the same only where they are for all values.

What one thread reads twice from one address needs no shared memory, and is counted once. Limits:
one pass through each loop; lanes that may be active are; data-dependent indices, arrays
that the kernel also writes, and blocks of unknown shape are left out. Caches are not looked at.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TypeAlias

import numpy as np

from drano.analysis.access_sites import Site
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.advice_facts import Reported
from drano.analysis.warp.verdict.block_uniform import BlockShared
from drano.analysis.warp.verdict.judge import active_at
from drano.ir.target import POINTER_BITS
from drano.lattice import Form, LaneOverflowError
from drano.lattice.warp import operations as ops
from drano.lattice.warp.lanes import Array
from drano.model.access import AccessKind, Reuse
from drano.model.judgement import Space
from drano.model.settings import MeasuredReads

_MOST_SITES = 256
_WORD = 4  # bytes that a run counts as one read

_Read: TypeAlias = tuple[Site, WarpState, Form]


def reuse(reported: Reported, sites: list[Site]) -> dict[int, Reuse]:
    """For the first load of each array that is read more than once, by its ordinal."""
    groups: dict[tuple[int, int], dict[tuple[Form, int], _Read]] = defaultdict(dict)
    written: set[tuple[int, int]] = set()
    known_of: dict[int, BlockShared] = {}
    for site in sites:
        known = reported.get(site.ordinal)
        if known is None or known[0].space is not Space.GLOBAL:
            continue
        run = known[1]
        try:
            address = run.form(site.pointer, site.block, POINTER_BITS)
        except (NotReadyError, LaneOverflowError):
            continue
        base = run.arrays.base(address)
        if base is None or not run.layout.launch.exact:
            continue
        key = (id(run), base)
        if site.kind is not AccessKind.LOAD:
            written.add(key)
        elif not run.warp.varying_atoms(address):
            if id(run) not in known_of:
                known_of[id(run)] = BlockShared(run)
            if known_of[id(run)].knows(address):
                groups[key].setdefault((address, site.block), (site, run, address))
    found = {}
    for key, loads in groups.items():
        if key not in written and len(loads) <= _MOST_SITES:
            different = list(loads.values())
            found[different[0][0].ordinal] = _of_array(different)
    return {ordinal: counted for ordinal, counted in found.items() if counted.reads}


def measured_reuse(
    kernel: str, sites: list[Site], measured: tuple[MeasuredReads, ...], estimated: dict[int, Reuse]
) -> dict[int, Reuse]:
    """What a run says of the kernel's arrays, by the ordinal of the first load that it names; what
    is ``estimated``, where it says nothing of the kernel.
    """
    own = [one for one in measured if one.kernel == kernel]
    if not own:
        return estimated
    loads = {site.ordinal: site for site in sites if site.kind is AccessKind.LOAD}
    found: dict[int, Reuse] = {}
    for one in own:
        known = sorted(ordinal for ordinal in one.sites if ordinal in loads)
        if not known or not one.words or not one.blocks:
            continue
        size = max(_WORD, *(loads[ordinal].bytes for ordinal in known))
        parts = size // _WORD * one.blocks
        reads, elements = round(one.reads / parts), max(1, round(one.words / parts))
        static = next((estimated[o] for o in known if o in estimated), None)
        looped = static is not None and static.in_loop
        counted = Reuse(
            reads, elements, size, len(known), looped, one.blocks,
            max(1, one.most_words * _WORD // size), one.shared_bytes,
            static.elements if static is not None and looped else 0,
        )  # fmt: skip
        old = found.get(known[0])
        if old is None or counted.reads * old.elements > old.reads * counted.elements:
            found[known[0]] = counted
    return found


def _of_array(loads: list[_Read]) -> Reuse:
    """Reads and elements of one block."""
    columns = sorted({monomial for _, _, address in loads for monomial, _ in address.terms})
    reads, rows = 0, []
    for site, run, address in loads:
        mask = active_at(run, site)
        if mask is None:
            continue
        on = run.warp.space.array(mask.lanes) != 0
        places = _places(run, address, columns)
        for warp in range(len(on)):
            if on[warp].any():
                asked = np.unique(places[warp][on[warp]], axis=0)
                reads += len(asked)
                rows.append(asked)
    elements = len(np.unique(np.concatenate(rows), axis=0)) if rows else 0
    size = max(site.bytes for site, _, _ in loads)
    in_loop = any(
        ops.loops_of(run.warp, (address,)) & run.loops_at(site.block)
        for site, run, address in loads
    )
    return Reuse(reads, elements, size, len(loads), in_loop)


def _places(run: WarpState, address: Form, columns: list[tuple[int, ...]]) -> Array:
    """The address of each lane as numbers, one for each unknown of the array's addresses."""
    space = run.warp.space
    factors = dict(address.terms)
    parts = [space.array(factors.get(monomial, 0)) for monomial in columns]
    return np.stack([*parts, space.array(address.const)], axis=-1)
