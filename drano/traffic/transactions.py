"""Lines and sectors that one warp request touches, from the address of every lane.

Definitions are Nsight Compute's: a request of one warp touches 128-byte *lines* and 32-byte
*sectors*; its *ideal* number of sectors is active lanes x bytes / 32, rounded up
(``memory_l2_theoretical_sectors_global`` and ``…_ideal``).

What is unknown of an address is treated so:

* its uniform part: every residue it may have modulo a line (accesses are naturally aligned);
* lanes that differ by an unknown uniform stride: *groups* at unknown distance. They may coincide
  (the least count), in general they do not (the *typical* counts);
* choices between patterns: each uniform choice alone, a per-lane choice by the union of both;
* what a phase decides, as ``(i + lane) % 4``: each phase;
* quotients by unknown sizes and the like, which runs of lanes have in common: see ``segments``;
* lanes that are on where they share a number, as where ``x == n``: each set of such lanes;
* an index that may wrap around: the lanes of a group part in two at most, where it does;
* anything else lane-varying: between one sector and one access's worth per lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import gcd
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form, Predicate
from drano.lattice.warp.operations.level_sets import each_set
from drano.lattice.warp.operations.uniform_bits import MOST_BITS
from drano.lattice.warp.substitution import substitute
from drano.model.hardware import LINE_BYTES, SECTOR_BYTES, UNCOALESCED_FROM, WARP_SIZE
from drano.traffic import threshold_choices
from drano.traffic.bit_choices import likely_bits, needs_of
from drano.traffic.continuous_choices import extent, pieces_of
from drano.traffic.lane_counters import in_step
from drano.traffic.lane_groups import Cloud, Wraps, make_cloud, span, taken_apart
from drano.traffic.needs import Inside
from drano.traffic.phase_cases import cases_by_phase, warps_agree
from drano.traffic.segments import MOST_BREAKS, Cuts, Graded, cuts_of, graded_of
from drano.traffic.tallies import (
    Tally,
    Traffic,
    at_least,
    bounding,
    each_by_itself,
    either,
    expecting,
    may_be_less,
    within_span,
)
from drano.traffic.typical_way import fullest, ways
from drano.traffic.uniform_choices import in_each_way
from drano.traffic.warp_counts import Width, count_warp, keys_of_rows, most_of_lane, numbered

_MAX_CHOICES = 4


class _Rest(NamedTuple):
    """What counting one pattern needs besides: what wraps around, where lanes are cut."""

    wraps: Wraps
    cuts: Cuts | None
    graded: Graded | None
    likely: bool
    turns: tuple[tuple[int, int], ...]


class _Ask(NamedTuple):
    """What is counted of a pattern: requests of the lanes that may be ``active``."""

    width: Width
    active: np.ndarray
    rest: _Rest


def count(
    warp: Warp, address: Form, size: int, mask: Predicate, *, align: int = 0, likely: bool = False
) -> Traffic:
    """Traffic of one access of ``size`` bytes per lane at ``address`` under ``mask``.

    ``align``: what the address is sure to be a multiple of, where that is less than the size's own
    alignment: pieces as wide then go one after the other.
    All lanes that may be active are taken as active; that some may not be makes ``least`` 1.
    ``likely``: an estimate, taking parameters and loaded values as whole numbers of sectors.
    """
    by_condition = in_each_way(
        warp, address, lambda way: count(warp, way, size, mask, align=align, likely=likely)
    )
    if by_condition is not None:
        return by_condition
    sets = each_set(warp, mask)
    if sets:
        of_sets = [count(warp, address, size, one, align=align, likely=likely) for one in sets]
        if _may_be_joined(of_sets):
            return replace(reduce(either, of_sets), by_set=True)
    cases = cases_by_phase(warp, address, mask)
    if cases:
        counted = [_count(warp, *case, size, align=align, likely=likely) for case in cases]
        if _may_be_joined(counted):
            found = replace(reduce(either, counted), by_phase=True)
            if warps_agree(warp, address, mask):
                return found
            if found.ideal_total == found.warps * found.ideal_sectors:
                return each_by_itself(found)
    return _count(warp, address, mask, size, align=align, likely=likely)


def _may_be_joined(counted: list[Traffic]) -> bool:
    """Whether cases need as much each, and are known."""
    ideals = {(traffic.ideal_total, traffic.ideal_sectors, traffic.warps) for traffic in counted}
    return len(ideals) == 1 and not any(traffic.unknown for traffic in counted)


def _count(
    warp: Warp, address: Form, mask: Predicate, size: int, *, align: int, likely: bool
) -> Traffic:
    natural = size & -size
    width = Width(size, min(natural, align) if align else natural)
    active = warp.space.array(mask.lanes) != 0
    parts = taken_apart(warp, address)
    graded, cutting = graded_of(warp, parts.plain, parts.steps)
    cuts = cuts_of(warp, cutting) if cutting else None
    unknown = parts.unknown or (parts.steps if parts.steps and cuts is None else ())
    if unknown:
        nothing = _unbounded(warp, parts.whole, width, active, unknown)
        together = in_step(warp, parts.whole, size)
        if together is None:
            return nothing
        least = _count(warp, together, mask, size, align=align, likely=likely)
        return at_least(nothing, least)
    plain, uniform, per_lane = parts.plain, parts.uniform, list(parts.per_lane)
    if likely:
        cuts = None
        if graded is not None:
            inner = warp.lanes(warp.space.intern(graded.offsets(warp, 0)), plain.bits)
            plain, graded = warp.add(plain, inner), None
    bits = likely_bits(warp, uniform)
    if len(uniform) + len(per_lane) - len(bits) > _MAX_CHOICES or len(bits) > MOST_BITS:
        return _unbounded(warp, parts.whole, width, active, (*uniform, *per_lane))
    worst, typical = None, None
    for values in product((0, 1), repeat=len(uniform)):
        fixed, is_likely = plain, True
        for atom, value in zip(uniform, values, strict=True):
            fixed = substitute(warp, fixed, atom.number, value)
            is_likely = is_likely and bits.get(atom.number, value) == value
        rest = _Rest(parts.wraps, cuts, graded, likely, tuple(parts.turns.items()))
        traffic = _choices(warp, fixed, per_lane, _Ask(width, active, rest))
        worst = traffic if worst is None else either(worst, traffic)
        if is_likely:
            typical = traffic if typical is None else either(typical, traffic)
    assert worst is not None and typical is not None
    if bits:
        worst = expecting(worst, typical, needs_of(warp, uniform))
    if parts.steps:
        worst = within_span(worst, span(warp, parts.whole, width.size), width.natural)
    if (warp.space.array(mask.lanes) == 2).any():
        worst = may_be_less(worst)
    return worst


def _cuts(
    warp: Warp, wraps: Wraps, cloud: Cloud, row: int, on: np.ndarray, units: int, width: Width
) -> int:
    """How many units more the wrap-arounds of an index may cost one warp: one for each group
    where addresses follow the index, which parts them at one place, or all of an access where this
    may lie between accesses that overlap; else as many again.
    """
    total = 0
    for wrapped in wraps:
        index = warp.space.array(wrapped.const)[row]
        for group in np.unique(cloud.groups[row][on]):
            chosen = on & (cloud.groups[row] == group)
            order = np.argsort(index[chosen], kind="stable")
            steps = np.diff(cloud.offsets[row][chosen][order])
            equal = np.diff(index[chosen][order]) == 0
            along = bool((steps >= 0).all()) or bool((steps <= 0).all())
            apart = bool((abs(steps[~equal]) >= width.size).all())
            shared = 1 if apart else most_of_lane(width)
            total += min(shared, units) if along and not (steps[equal] != 0).any() else units
    return total


def _unbounded(
    warp: Warp,
    address: Form,
    width: Width,
    active: np.ndarray,
    unknown: tuple[Atom, ...],
) -> Traffic:
    """Nothing but bounds: one sector at the least, one access's worth per lane at the most."""
    lanes = int(active.sum(axis=1).max(initial=0))
    most = lanes * most_of_lane(width)
    extent = span(warp, address, width.size)
    if extent is not None:
        most = min(most, extent // SECTOR_BYTES + 2)
    ideal = -(-lanes * width.size // SECTOR_BYTES)
    total = sum(-(-int(n) * width.size // SECTOR_BYTES) for n in active.sum(axis=1))
    return Traffic(
        Tally(1, max(most, 1), 1, max(most, 1)),
        Tally(1, max(lanes * most_of_lane(width), 1), 1, max(lanes * most_of_lane(width), 1)),
        ideal,
        -(-lanes * width.size // LINE_BYTES),
        total,
        unknown,
        (None,) * WARP_SIZE,
        1,
        False,
        False,
        lanes,
    )


def _choices(warp: Warp, address: Form, per_lane: list[Atom], ask: _Ask) -> Traffic:
    """Choices of each lane: where their ways meet, as those of ``min`` and ``max``, or few warps
    see both, the typical counts are those of the ways in which the lanes' addresses are the most.
    """
    width, active, rest = ask
    traffic = _threshold(warp, address, per_lane, ask)
    if not per_lane:
        return traffic
    pieces = pieces_of(warp, address, per_lane, dict(rest.turns)) if rest.cuts is None else None
    rare = all(threshold_choices.is_rare(warp, atom) for atom in per_lane)
    if pieces is None and not rare:
        return traffic
    inner = fullest(warp, address, per_lane)
    full = reduce(either, (_pattern(warp, way, ask) for way in inner.values()))
    inside = Inside(tuple(atom.number for atom in per_lane), tuple(inner))
    if pieces is None and not rest.likely:
        least = replace(traffic.sectors, typical_least=full.sectors.typical_least)
        needs = (*full.needs, *traffic.needs, inside)
        return replace(traffic, sectors=least, starts=full.starts, tidy=full.tidy, needs=needs)
    traffic = expecting(traffic, full, (inside,))
    if pieces is None or rest.wraps:
        return traffic
    return within_span(traffic, extent(pieces, per_lane, active, width.size), width.natural)


def _threshold(warp: Warp, address: Form, per_lane: list[Atom], ask: _Ask) -> Traffic:
    """One choice by its thresholds, where it is of that kind; the others by their union."""
    for atom in per_lane:
        found = threshold_choices.cases(warp, address, atom)
        if found is None or not (found.whole or found.mixtures):
            continue
        others = [a for a in per_lane if a is not atom]
        whole, mixtures = (
            [_union(warp, case, others, ask) for case in cases]
            for cases in (found.whole, found.mixtures)
        )
        if not found.meet or len(whole) < 2:  # in some lanes the way is known
            return reduce(either, whole + mixtures)
        result = reduce(either, whole)
        for mixed in mixtures:
            result = bounding(result, either(result, mixed))
        return result
    return _union(warp, address, per_lane, ask)


def _union(warp: Warp, address: Form, per_lane: list[Atom], ask: _Ask) -> Traffic:
    """Every per-lane choice both ways at once: no lane touches anything else."""
    variants = list(ways(warp, address, per_lane).values())
    single = [_pattern(warp, variant, ask) for variant in variants]
    if len(variants) == 1:
        return single[0]
    both = _pattern_of(warp, variants, ask)
    lanes = both.active
    # the lanes part between the variants: at least lanes / (sum of lanes one sector serves), and
    # of n lanes on s sectors at most n - s + 1 share one
    sharing = sum(max(1, lanes - t.sectors.least + 1) for t in single)
    width = ask.width
    on = ask.active.sum(axis=1)
    least = -(-int(on[on > 0].min()) // sharing) if lanes else 0
    worst = max(single, key=lambda t: t.sectors.typical_most)
    most = lanes * most_of_lane(width)
    of_block = int(on.sum()) * most_of_lane(width)  # each lane goes one way
    starts = min(t.starts for t in single)
    fewest = min(t.sectors.typical_least for t in single)
    tidy = min(both.sectors.typical_most, of_block) - fewest <= starts
    return Traffic(
        Tally(
            least,
            min(both.sectors.most, most),
            fewest,
            min(both.sectors.typical_most, of_block),
        ),
        Tally(
            1,
            min(both.lines.most, most),
            min(t.lines.typical_least for t in single),
            min(both.lines.typical_most, of_block),
        ),
        worst.ideal_sectors, worst.ideal_lines, worst.ideal_total, (), worst.offsets,
        max(t.groups for t in single), both.aligned and all(t.aligned for t in single),
        False, lanes, both.warps, starts, tidy and all(t.tidy for t in single), both.needs,
    )  # fmt: skip


def _pattern(warp: Warp, address: Form, ask: _Ask) -> Traffic:
    """Traffic of an address free of varying atoms; equal patterns are counted once."""
    width, active, rest = ask
    likely = rest.likely
    base = warp.congruence([(m, c) for m, c in address.terms if isinstance(c, int)], likely=likely)
    step = gcd(base.modulus, LINE_BYTES)
    vectors = tuple(
        (c, warp.congruence([(m, 1)], likely=likely))
        for m, c in address.terms
        if not isinstance(c, int)
    )
    key = (address.const, step, base.residue % step, vectors, width, active.tobytes(), rest)
    found = warp.traffic_memo.get(key)
    if not isinstance(found, Traffic):
        found = _pattern_of(warp, [address], ask)
        warp.traffic_memo[key] = found
    return found


def _pattern_of(warp: Warp, addresses: list[Form], ask: _Ask) -> Traffic:
    """Addresses free of varying atoms; several: the union of their lanes."""
    width, active, rest = ask
    wraps, cuts, graded, likely, _ = rest
    keys: dict[tuple[tuple[tuple[int, ...], int], ...], int] = {}
    residues: dict[int, Congruence] = {}
    clouds = [make_cloud(warp, address, keys, residues, likely) for address in addresses]
    sector_tally, line_tally = [], []
    ideals, best = [], None
    groups_most, aligned, uniform, starts, placed = 1, True, True, 0, 0
    located = numbered(tuple(residues.items()))
    inner = [graded.offsets(warp, phase) for phase in range(graded.run)] if graded else []
    row_keys = keys_of_rows(warp, clouds, active, cuts, inner)
    for row, lanes in enumerate(active.sum(axis=1).tolist()):
        if not lanes:
            continue
        on = active[row]
        found = count_warp(
            warp, clouds, residues, located, row, row_keys[row], on, width, cuts, inner,
            likely=likely,
        )  # fmt: skip
        sectors, lines = found.sectors, found.lines
        groups_most = max(groups_most, found.groups)
        starts, placed = starts + found.starts, placed + found.placed
        aligned = aligned and sectors[2] == sectors[3]
        uniform = uniform and not wraps and found.uniform
        parted = [
            0
            if likely or not wraps
            else sum(_cuts(warp, wraps, cloud, row, on, units[1], width) for cloud in clouds)
            for units in (sectors, lines)
        ]
        limit = lanes * most_of_lane(width) * len(addresses)
        sector_tally.append((sectors[0], min(sectors[1] + parted[0], limit), *sectors[2:]))
        line_tally.append((lines[0], min(lines[1] + parted[1], limit), *lines[2:]))
        ideals.append(lanes * width.size)
        if best is None or sectors[3] > best[0]:
            best = (sectors[3], row)
    if best is None:
        zero = Tally(0, 0, 0, 0)
        return Traffic(zero, zero, 0, 0, 0, (), (None,) * WARP_SIZE, 0, True, True, 0)
    picture = _picture(clouds[0], active, best[1])
    total = sum(-(-n // SECTOR_BYTES) for n in ideals)
    typical_most = sum(row[3] for row in sector_tally)
    most_active = max(ideals) // max(width.size, 1)
    return Traffic(
        _sum(sector_tally), _sum(line_tally),
        -(-max(ideals) // SECTOR_BYTES), -(-max(ideals) // LINE_BYTES),
        total, (), picture, groups_most, aligned, uniform,
        most_active, len(ideals), starts,
        placed <= total * UNCOALESCED_FROM
        and typical_most - placed <= starts
        and (cuts is None or cuts.far <= MOST_BREAKS),
        cuts.needs if cuts is not None else (),
    )  # fmt: skip


def _sum(rows: Sequence[tuple[int, ...]]) -> Tally:
    return Tally(
        min(r[0] for r in rows), max(r[1] for r in rows),
        sum(r[2] for r in rows), sum(r[3] for r in rows),
    )  # fmt: skip


def _picture(cloud: Cloud, active: np.ndarray, row: int) -> tuple[int | None, ...]:
    on, offsets, groups = (part[row].tolist() for part in (active, cloud.offsets, cloud.groups))
    first = on.index(True) if True in on else 0
    return tuple(
        offset - offsets[first] if is_on and group == groups[first] else None
        for is_on, offset, group in zip(on, offsets, groups, strict=True)
    )
