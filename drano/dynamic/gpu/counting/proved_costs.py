"""What is proved of an access, as the counting library takes it.

Means: a request's counts are packed into 64 bits, as ``runtime/gpu/counting.cu`` packs them: active
lanes, sectors (wavefronts), lines (ideal wavefronts), ideal sectors, and 1 for the request.

* ``FixedCost``: the counts depend neither on the array's place nor on which lanes are active: one
  address for all lanes, or no conflicts in shared memory (fewer never take more wavefronts).
* ``PrefixCost``: other patterns in shared memory. A table has the counts when just the first N
  lanes are active, as in full warps, small blocks, and loops over triangles.
* ``RunsCost``: lanes a fixed stride apart in global memory. By lane 0's place in its line of 128
  bytes a table says which lanes are the last of theirs in a sector, and in a line. So for any
  active lanes the sectors are the runs of lanes that have an active one.

Other patterns (``proved``), such as several rows of a matrix, are measured.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.proved_patterns import Block, Pattern
from drano.ir.target import AddressSpace
from drano.model.access import AccessKind
from drano.model.hardware import LINE_BYTES, SECTOR_BYTES, WARP_SIZE, WORD_BYTES

WIDTH = 13


class FixedCost(Struct, frozen=True):
    """``counts``: packed, without lanes."""

    counts: int


class PrefixCost(Struct, frozen=True):
    """``table``: packed counts, without lanes, of the first 1, 2, … 32 lanes; ``offsets``: the
    pattern's.
    """

    table: tuple[int, ...]
    offsets: tuple[int, ...]


class RunsCost(Struct, frozen=True):
    """``stride``: bytes from lane to lane; ``table``: by lane 0's place in units of the size: low
    32 bits: lanes that are the last of a sector, high ones: of a line.
    """

    stride: int
    table: tuple[int, ...]


def packed(first: int, second: int, third: int) -> int:
    """Counts of one request, without its lanes.

    >>> hex(packed(4, 1, 4))
    '0x10200004008000'
    """
    return first << WIDTH | second << 2 * WIDTH | third << 3 * WIDTH | 1 << 4 * WIDTH


KnownCost: TypeAlias = FixedCost | PrefixCost | RunsCost


def known_cost(site: DeviceSite, block: Block | None) -> KnownCost | None:
    """What is proved of the site for launches of this shape, if it is of use."""
    pattern = next((p for p in site.patterns if p.block == block), None)
    if pattern is None:
        return None
    if site.space == AddressSpace.SHARED:
        return _shared(site, pattern)
    if pattern.is_uniform:
        return FixedCost(packed(1, 1, 1))
    stride = pattern.offsets[1]
    if pattern.offsets != tuple(stride * lane for lane in range(WARP_SIZE)):
        return None
    return runs_cost(stride, site.bytes)


def runs_cost(stride: int, size: int) -> RunsCost:
    """Of elements of this size."""
    table = tuple(
        ends(stride, place, SECTOR_BYTES) | ends(stride, place, LINE_BYTES) << WARP_SIZE
        for place in range(0, LINE_BYTES, size)
    )
    return RunsCost(stride, table)


def ends(stride: int, place: int, unit: int) -> int:
    """Lanes after which another unit begins; the last lane is one."""
    units = [(place + stride * lane) // unit for lane in range(WARP_SIZE)]
    last = 1 << (WARP_SIZE - 1)
    return last | sum(1 << lane for lane in range(WARP_SIZE - 1) if units[lane] != units[lane + 1])


def _shared(site: DeviceSite, pattern: Pattern) -> FixedCost | PrefixCost | None:
    places = range(0, LINE_BYTES, site.bytes)
    tables = {
        tuple(_prefix(site, pattern, count, place) for count in range(1, WARP_SIZE + 1))
        for place in (places if site.bytes < WORD_BYTES else (0,))
    }
    if len(tables) != 1:
        return None
    table = tables.pop()
    if table[-1] == packed(1, 1, 0):
        return FixedCost(table[-1])
    return PrefixCost(table, pattern.offsets)


def _prefix(site: DeviceSite, pattern: Pattern, count: int, place: int) -> int:
    """Counts of a request by the first lanes."""
    wavefronts = pattern.cost(site.bytes, site.kind, (1 << count) - 1, place).wavefronts
    width = WARP_SIZE * WORD_BYTES // max(site.bytes, WORD_BYTES)
    pairs = site.kind is AccessKind.LOAD and any(
        _paired(pattern.offsets, count, distance) for distance in (1, 2)
    )
    if pairs and width < WARP_SIZE:
        width *= 2
    return packed(wavefronts, -(-count // width), 0)


def _paired(offsets: tuple[int, ...], count: int, distance: int) -> bool:
    """Whether every active lane's partner, if active, has its address."""
    lanes = ((lane, lane ^ distance) for lane in range(count))
    return all(offsets[a] == offsets[b] for a, b in lanes if b < count)
