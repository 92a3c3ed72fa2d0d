"""What one access costs: counts of units that one request touches, and how such costs combine."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from drano.lattice.warp.forms import Atom
from drano.model.hardware import LINE_BYTES, SECTOR_BYTES, UNCOALESCED_FROM
from drano.traffic.needs import Need


class Tally(Struct, frozen=True):
    """Least and most of something, per request and for all requests of a block.

    ``least, most``: sound over all that is unknown, per warp request; ``typical_least,
    typical_most``: sums over the warps of a block when unrelated addresses do not coincide.
    """

    least: int
    most: int
    typical_least: int
    typical_most: int


class Traffic(Struct, frozen=True):
    """What one access costs. ``ideal_sectors`` and ``ideal_lines``: of the fullest warp;
    ``ideal_total``: sum of ideal sectors over the block's warps.

    ``unknown``: the varying atoms that keep the lanes' addresses from being known. ``offsets``:
    byte offset per lane of the costliest warp, relative to its first active lane; None where
    inactive or not known. ``warps``: with an active lane. ``groups``: parts of the warp at unknown
    distance. ``aligned``: whether the count does not depend on an unknown alignment. ``starts``:
    sectors more that the ends of runs of lanes which skip no sector may cost all requests of a
    block, ``tidy``: whether that is all that they cost beyond close to the ideal, in every case.
    ``needs``: what must hold of sizes for the typical counts. ``by_phase``: each phase was counted
    by itself, with the lanes that are active in it; ``by_set``: so was each set of lanes that may
    be those that are.
    """

    sectors: Tally
    lines: Tally
    ideal_sectors: int
    ideal_lines: int
    ideal_total: int
    unknown: tuple[Atom, ...]
    offsets: tuple[int | None, ...]
    groups: int
    aligned: bool
    uniform: bool
    active: int
    warps: int = 1
    starts: int = 0
    tidy: bool = False
    needs: tuple[Need, ...] = ()
    by_phase: bool = False
    by_set: bool = False


def either(a: Traffic, b: Traffic) -> Traffic:
    """Either of two, both of known patterns: the bounds of both, the picture of the worse."""
    worse = a if a.sectors.typical_most >= b.sectors.typical_most else b

    def tally(x: Tally, y: Tally) -> Tally:
        return Tally(
            min(x.least, y.least),
            max(x.most, y.most),
            min(x.typical_least, y.typical_least),
            max(x.typical_most, y.typical_most),
        )

    return Traffic(
        tally(a.sectors, b.sectors), tally(a.lines, b.lines), worse.ideal_sectors,
        worse.ideal_lines, worse.ideal_total, (), worse.offsets, max(a.groups, b.groups),
        a.aligned and b.aligned, a.uniform and b.uniform, worse.active, worse.warps,
        min(a.starts, b.starts), a.tidy and b.tidy, tuple(dict.fromkeys(a.needs + b.needs)),
    )  # fmt: skip


def each_by_itself(traffic: Traffic) -> Traffic:
    """The same where each warp of the block may be in another of the cases that were joined."""

    def tally(x: Tally) -> Tally:
        return Tally(x.least, x.most, x.least * traffic.warps, x.most * traffic.warps)

    return replace(traffic, sectors=tally(traffic.sectors), lines=tally(traffic.lines))


def at_least(unknown: Traffic, least: Traffic) -> Traffic:
    """Of unknown addresses that cost as much as known ones, or more: known to be uncoalesced where
    these are. The typical counts are those of the known ones, the least that there may be.
    """
    if least.sectors.typical_least < least.ideal_total * UNCOALESCED_FROM:
        return replace(
            unknown, sectors=_raised(unknown.sectors, least.sectors),
            lines=_raised(unknown.lines, least.lines),
        )  # fmt: skip
    return replace(
        least, sectors=replace(least.sectors, most=max(unknown.sectors.most, least.sectors.most)),
        lines=replace(least.lines, most=max(unknown.lines.most, least.lines.most)), uniform=False,
    )  # fmt: skip


def _raised(unknown: Tally, least: Tally) -> Tally:
    return replace(unknown, least=min(least.least, unknown.most))


def may_be_less(traffic: Traffic) -> Traffic:
    """The same when fewer lanes may be active."""

    def tally(x: Tally) -> Tally:
        return Tally(min(x.least, 1), x.most, x.typical_least, x.typical_most)

    return replace(traffic, sectors=tally(traffic.sectors), lines=tally(traffic.lines))


def expecting(traffic: Traffic, typical: Traffic, needs: tuple[Need, ...]) -> Traffic:
    """``typical``, which holds if the needs are met, with the bounds of all that may be."""
    if _counts(typical.sectors) == _counts(traffic.sectors):
        needs = ()
    return replace(
        typical, sectors=_bounded(typical.sectors, traffic.sectors),
        lines=_bounded(typical.lines, traffic.lines), needs=(*typical.needs, *needs),
        uniform=typical.uniform and traffic.uniform,
    )  # fmt: skip


def bounding(traffic: Traffic, whole: Traffic) -> Traffic:
    """The same with the bounds of all that may be."""
    return replace(
        traffic, sectors=_bounded(traffic.sectors, whole.sectors),
        lines=_bounded(traffic.lines, whole.lines),
    )  # fmt: skip


def _counts(tally: Tally) -> tuple[int, int]:
    return tally.typical_least, tally.typical_most


def _bounded(typical: Tally, whole: Tally) -> Tally:
    return replace(typical, least=whole.least, most=whole.most)


def within_span(traffic: Traffic, extent: int | None, natural: int) -> Traffic:
    """The same where all addresses are known to lie within so many bytes."""
    if extent is None:
        return traffic
    alike = traffic.ideal_total == traffic.ideal_sectors * traffic.warps
    if alike and -(-extent // SECTOR_BYTES) <= traffic.ideal_sectors:  # more only by their starts
        traffic = replace(traffic, tidy=True, starts=min(traffic.starts, traffic.warps))
    sectors, lines = (
        (extent - 1 + unit - min(natural, unit)) // unit + 1 for unit in (SECTOR_BYTES, LINE_BYTES)
    )
    if sectors >= traffic.sectors.most:
        return traffic
    close = sectors <= traffic.ideal_sectors + 1
    return replace(
        traffic, sectors=_cut(traffic.sectors, sectors, traffic.warps),
        lines=_cut(traffic.lines, lines, traffic.warps), needs=() if close else traffic.needs,
    )  # fmt: skip


def _cut(tally: Tally, most: int, warps: int) -> Tally:
    return Tally(
        min(tally.least, most), min(tally.most, most), min(tally.typical_least, most * warps),
        min(tally.typical_most, most * warps),
    )  # fmt: skip
