"""What need not be measured: accesses whose lanes are at distances that the analysis has proved.

Means: a *pattern* of an access gives each lane's distance from lane 0's address, in every request
of every launch with the pattern's block shape. So one lane's address tells the lines, sectors and
wavefronts of the whole request: ``Pattern.cost``, for any active lanes. A back end that knows the
pattern need not look at the lanes: it counts requests by active mask and by ``address % 128`` of
one active lane, and multiplies.
There are two kinds of shapes: the exact one of a launch in the source (or one that the kernel
requires), and *any block that is a whole number of warps wide* (``block`` None). A pattern relies
on nothing else that a launch decides: no argument's value, no pointer's alignment.
Assumptions: those of the analysis; a launch has fewer than 2**31 threads along each axis, which
users of a pattern have to check where it can be otherwise.
Limits: kernels only. An access whose lanes are on rows of unknown pitch (16-wide blocks over a
matrix) has no pattern and is measured, as are copies of memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from drano.analysis.access_sites import Site, memory_sites
from drano.analysis.control_structure import Structure
from drano.analysis.thread_layout import Layout, assumed_layout, known_layout
from drano.analysis.warp import WarpState, interpret
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.ir import model as m
from drano.ir.target import POINTER_BITS
from drano.lattice import LaneOverflowError
from drano.model.access import AccessKind, Launch
from drano.model.hardware import LINE_BYTES, SECTOR_BYTES, WARP_SIZE
from drano.model.settings import AnalysisOptions
from drano.model.translation_unit import LaunchSite
from drano.traffic import banks

SIZES = banks.SIZES
"""Bytes of an access that may have a pattern: what one instruction accesses."""
MOST_INSTRUCTIONS = 20_000
"""Of a kernel: the analysis of a larger one would take longer than its measuring."""
_MOST_SHAPES = 4
_MOST_OFFSET = 1 << 30
_MOST_THREADS = 1024
Block = tuple[int, int, int]
Patterns = Mapping[tuple[str, int], tuple["Pattern", ...]]


class Cost(Struct, frozen=True):
    """Of one request, as ``profiles.profile.Site`` names them: lines and sectors when it goes to
    global, wavefronts when it goes to shared memory.
    """

    lines: int
    sectors: int
    sectors_ideal: int
    wavefronts: int
    conflicts: int


class Pattern(Struct, frozen=True):
    """``block``: the shape of the blocks it holds for, None: all that are a whole number of warps
    wide; ``offsets``: bytes from lane 0's address to each lane's.
    """

    block: Block | None
    offsets: tuple[int, ...]

    @property
    def is_uniform(self) -> bool:
        """Whether all lanes access one address: the cost does not depend on who is active."""
        return not any(self.offsets)

    def cost(self, size: int, kind: AccessKind, mask: int, address: int) -> Cost:
        """One request of ``size`` bytes per lane by the lanes of ``mask``; ``address``: lane 0's,
        of which only ``address % 128`` matters, aligned to ``size``.

        >>> row = Pattern(None, tuple(4 * lane for lane in range(32)))
        >>> row.cost(4, AccessKind.LOAD, 0xFFFFFFFF, 0).lines
        1
        >>> row.cost(4, AccessKind.LOAD, 0xFFFF, 120).sectors
        3
        """
        lanes = [lane for lane in range(WARP_SIZE) if mask >> lane & 1]
        # Any multiple of a line: offsets may be negative, addresses may not.
        first = address % LINE_BYTES + _MOST_OFFSET
        request = banks.Request.LOAD if kind is AccessKind.LOAD else banks.Request.STORE
        places = {lane: first + self.offsets[lane] for lane in lanes}
        sectors = len({place // SECTOR_BYTES for place in places.values()})
        return Cost(
            lines=len({place // LINE_BYTES for place in places.values()}),
            sectors=sectors,
            sectors_ideal=min(sectors, -(-len(lanes) * size // SECTOR_BYTES)),
            wavefronts=banks.wavefronts(
                [places.get(lane) for lane in range(WARP_SIZE)], size, request
            ),
            conflicts=len(lanes) - len(set(places.values())) if kind is AccessKind.ATOMIC else 0,
        )


def proved_patterns(module: m.Module, launches: Sequence[LaunchSite] = ()) -> Patterns:
    """The patterns of the accesses of all kernels, by function and ordinal of the site.

    ``launches``: those of the source; only their block shapes are used. ``module``: as prepared,
    before anything is inserted.
    """
    found: dict[tuple[str, int], tuple[Pattern, ...]] = {}
    for function in module.kernels:
        size = sum(len(block.instructions) for block in function.blocks)
        sites = [site for site in memory_sites(function) if _may_have_one(site)]
        if not sites or size > MOST_INSTRUCTIONS:
            continue
        structure = Structure(function)
        by_site: dict[int, list[Pattern]] = {}
        for layout in _layouts(function, launches):
            for ordinal, pattern in _patterns(module, function, structure, layout, sites):
                by_site.setdefault(ordinal, []).append(pattern)
        found |= {(function.name, ordinal): tuple(rows) for ordinal, rows in by_site.items()}
    return found


def _may_have_one(site: Site) -> bool:
    whole = site.bytes in SIZES and site.align >= site.bytes
    return whole and not isinstance(site.instruction, m.MemoryCopy | m.MemoryFill)


def _layouts(function: m.Function, launches: Sequence[LaunchSite]) -> Iterable[Layout]:
    """The block shapes to prove for: those that are known, but whole warps' only once, for all."""
    blocks: list[Block | None] = [function.required_threads]
    if function.required_threads is None:
        named = (s for s in launches if function.name == s.kernel)
        sites = list(named) or [s for s in launches if s.kernel_name == function.source_name]
        blocks = [_known(site.block) for site in sites]
    exact = dict.fromkeys(b for b in blocks if b is not None and b[0] % WARP_SIZE)
    for block in list(exact)[:_MOST_SHAPES]:
        yield known_layout(Launch(block, assumed=False))
    if not exact or len(exact) < len(set(blocks)):
        yield assumed_layout(Launch((WARP_SIZE, 1, 1), assumed=True))


def _known(block: tuple[int | None, int | None, int | None]) -> Block | None:
    x, y, z = block
    if x is None or y is None or z is None or not 0 < x * y * z <= _MOST_THREADS:
        return None
    return x, y, z


def _patterns(
    module: m.Module,
    function: m.Function,
    structure: Structure,
    layout: Layout,
    sites: Iterable[Site],
) -> Iterable[tuple[int, Pattern]]:
    options = AnalysisOptions(pointer_alignment=1)
    run = interpret(WarpState(module, function, structure, layout, options))
    block = layout.launch.block if layout.launch.exact else None
    for site in sites:
        offsets = _offsets(run, site)
        if offsets is not None:
            yield site.ordinal, Pattern(block, offsets)


def _offsets(run: WarpState, site: Site) -> tuple[int, ...] | None:
    """Each lane's distance from lane 0 when it is known, and the same in all warps."""
    if run.masks[site.block] is None:
        return None
    try:
        address = run.form(site.pointer, site.block, POINTER_BITS)
        # Unknown parts that all lanes share drop out of the distances.
        if any(not isinstance(c, int) or run.warp.varying_monomial(k) for k, c in address.terms):
            return None
        data = run.warp.space.array(address.const)
        exists = run.warp.space.array(run.layout.active.lanes) == 1
    except (NotReadyError, LaneOverflowError):
        return None
    away = data - data[:, :1]
    known = np.where(exists, away, away[:1])
    if not (known == away[:1]).all() or int(np.abs(known).max()) > _MOST_OFFSET:
        return None
    first: list[int] = away[0].tolist()
    # What a missing lane would access is nobody's business.
    return tuple(offset if exists[0, lane] else 0 for lane, offset in enumerate(first))
