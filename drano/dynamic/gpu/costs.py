"""What is proved of an access, as the counting library takes it.

Means: a request's counts are packed into 64 bits, as ``runtime/gpu/counting.cu`` packs them: active
lanes, sectors (wavefronts), lines (ideal wavefronts), ideal sectors, and 1 for the request.

* ``FixedCost``: the counts do not depend on where the array lies: one address for all lanes, or
  shared memory; perhaps not even on which lanes are active (fewer never take more wavefronts).
* ``RunsCost``: lanes a fixed stride apart in global memory. By lane 0's place in its line of 128
  bytes a table says which lanes are the last of theirs in a sector, and in a line. So for any
  active lanes the sectors are the runs of lanes that have an active one.

Other patterns (``proved``), such as several rows of a matrix, are measured.
"""

from __future__ import annotations

from dataclasses import dataclass

from drano.dynamic.proved import Block, Pattern
from drano.dynamic.sites import DeviceSite
from drano.finding import LINE_BYTES, SECTOR_BYTES, WARP_SIZE, AccessKind
from drano.ir import model as m

WIDTH = 13
_FULL = (1 << WARP_SIZE) - 1
_WORD = 4


@dataclass(frozen=True, slots=True)
class FixedCost:
    """``block``: for which launches, None: whole warps wide; ``counts``: packed, without lanes."""

    block: Block | None
    counts: int
    any_lanes: bool


@dataclass(frozen=True, slots=True)
class RunsCost:
    """``stride``: bytes from lane to lane; ``table``: by lane 0's place in units of the size: low
    32 bits: lanes that are the last of a sector, high ones: of a line.
    """

    block: Block | None
    stride: int
    table: tuple[int, ...]


def packed(first: int, second: int, third: int) -> int:
    """Counts of one request, without its lanes.

    >>> hex(packed(4, 1, 4))
    '0x10200004008000'
    """
    return first << WIDTH | second << 2 * WIDTH | third << 3 * WIDTH | 1 << 4 * WIDTH


def known_cost(site: DeviceSite) -> FixedCost | RunsCost | None:
    """What is proved of the site for most launches, if it is of use."""
    if not site.patterns:
        return None
    pattern = next((p for p in site.patterns if p.block is None), site.patterns[0])
    if site.space == m.AddressSpace.SHARED:
        return _shared(site, pattern)
    if pattern.is_uniform:
        return FixedCost(pattern.block, packed(1, 1, 1), any_lanes=True)
    stride = pattern.offsets[1]
    if pattern.offsets != tuple(stride * lane for lane in range(WARP_SIZE)):
        return None
    table = tuple(
        ends(stride, place, SECTOR_BYTES) | ends(stride, place, LINE_BYTES) << WARP_SIZE
        for place in range(0, LINE_BYTES, site.bytes)
    )
    return RunsCost(pattern.block, stride, table)


def ends(stride: int, place: int, unit: int) -> int:
    """Lanes after which another unit begins; the last lane is one."""
    units = [(place + stride * lane) // unit for lane in range(WARP_SIZE)]
    last = 1 << (WARP_SIZE - 1)
    return last | sum(1 << lane for lane in range(WARP_SIZE - 1) if units[lane] != units[lane + 1])


def _shared(site: DeviceSite, pattern: Pattern) -> FixedCost | None:
    costs = {
        pattern.cost(site.bytes, site.kind, _FULL, place).wavefronts
        for place in range(0, LINE_BYTES, site.bytes)
    }
    if len(costs) != 1:
        return None
    wavefronts = costs.pop()
    any_lanes = wavefronts == 1 and site.bytes <= _WORD
    return FixedCost(pattern.block, packed(wavefronts, _phases(site, pattern), 0), any_lanes)


def _phases(site: DeviceSite, pattern: Pattern) -> int:
    """The wavefronts of a full warp without conflicts."""
    phases = max(1, site.bytes // _WORD)
    pairs = site.kind is AccessKind.LOAD and any(_paired(pattern.offsets, by) for by in (1, 2))
    return max(1, phases // 2) if pairs else phases


def _paired(offsets: tuple[int, ...], distance: int) -> bool:
    return all(offset == offsets[lane ^ distance] for lane, offset in enumerate(offsets))
