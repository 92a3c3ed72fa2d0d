"""What is proved of an access, as the numbers that the counting library adds.

Means: a request's counts packed into 64 bits, as ``runtime/gpu/counting.cu`` packs them: active
lanes, sectors (wavefronts), lines (ideal wavefronts), ideal sectors, and 1 for the request. A
pattern (``proved``) gives a full warp's counts by lane 0's place in its line of 128 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

from drano.dynamic.proved import Block, Pattern
from drano.dynamic.sites import DeviceSite
from drano.finding import LINE_BYTES, WARP_SIZE, AccessKind
from drano.ir import model as m

WIDTH = 13
_FULL = (1 << WARP_SIZE) - 1
_WORD = 4


@dataclass(frozen=True, slots=True)
class KnownCost:
    """``block``: for which launches, None: whole warps wide; ``table``: packed counts by lane 0's
    place in units of its size, active lanes not included; one entry where the place does not
    matter; ``any_lanes``: whether it does not matter either which lanes are active.
    """

    block: Block | None
    table: tuple[int, ...]
    any_lanes: bool


def packed(first: int, second: int, third: int) -> int:
    """Counts of one request, without its lanes.

    >>> hex(packed(4, 1, 4))
    '0x10200004008000'
    """
    return first << WIDTH | second << 2 * WIDTH | third << 3 * WIDTH | 1 << 4 * WIDTH


def known_cost(site: DeviceSite) -> KnownCost | None:
    """The cost that is proved of the site for most launches, if any."""
    if not site.patterns:
        return None
    pattern = next((p for p in site.patterns if p.block is None), site.patterns[0])
    shared = site.space == m.AddressSpace.SHARED
    table = [_cost(site, pattern, place, shared) for place in range(0, LINE_BYTES, site.bytes)]
    fixed = len(set(table)) == 1
    return KnownCost(
        pattern.block,
        tuple(table[:1] if fixed else table),
        fixed and pattern.is_uniform and (not shared or site.bytes <= _WORD),
    )


def _cost(site: DeviceSite, pattern: Pattern, place: int, shared: bool) -> int:
    cost = pattern.cost(site.bytes, site.kind, _FULL, place)
    if shared:
        return packed(cost.wavefronts, _phases(site, pattern), 0)
    return packed(cost.sectors, cost.lines, cost.sectors_ideal)


def _phases(site: DeviceSite, pattern: Pattern) -> int:
    """The wavefronts of a full warp without conflicts."""
    phases = max(1, site.bytes // _WORD)
    pairs = site.kind is AccessKind.LOAD and any(_paired(pattern.offsets, by) for by in (1, 2))
    return max(1, phases // 2) if pairs else phases


def _paired(offsets: tuple[int, ...], distance: int) -> bool:
    return all(offset == offsets[lane ^ distance] for lane, offset in enumerate(offsets))
