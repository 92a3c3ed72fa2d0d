"""The permutation of columns that removes a bank conflict: ``tile[y][x ^ y]`` for ``tile[y][x]``.

It takes no memory, unlike padding. Advised only after every access to the array has been counted
again with its columns permuted: this one must be free of conflicts, and no other may become worse,
for every row and column that unknown parts of the indices may come to. Limits: arrays of rows whose
length is a power of two, indexed by row and column; lanes' rows and columns must be known but for
what a whole warp shares.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from drano.analysis.access_sites import Site
from drano.analysis.definitions import Definitions
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.advice_facts import Reported
from drano.analysis.warp.verdict.bank_conflicts import REQUESTS
from drano.ir.model import ArrayType, GlobalAddress, Operand
from drano.ir.type_layout import alloc_size
from drano.lattice import LaneOverflowError, is_warp_uniform
from drano.lattice.warp.lanes import Array
from drano.model.hardware import WARP_SIZE, WORD_BYTES
from drano.model.judgement import Space
from drano.traffic.banks import SIZES, phases, wavefronts

_LEAST_COLUMNS = 4
_MOST_REQUESTS = 1024  # counted for one access


class _Grid(Struct, frozen=True):
    """An array of rows; ``element`` in bytes."""

    name: str
    rows: int
    columns: int
    element: int


class _Index(Struct, frozen=True):
    """A row or a column, by lane; ``open``: but for a number that the lanes of a warp share."""

    lanes: Array
    open: bool

    def values(self, limit: int) -> range:
        """What the shared number may be, modulo ``limit``."""
        return range(limit) if self.open else range(1)


class SwizzleFinder:
    """Permutations for the shared arrays of one function."""

    def __init__(self, definitions: Definitions, reported: Reported, sites: list[Site]) -> None:
        self._definitions = definitions
        self._reported = reported
        self._sites = sites
        self._stand: dict[str, bool] = {}

    def advise(self, site: Site) -> str:
        """As in "permute the columns: `tile[y][x ^ y]`"; "" where it is not known to help."""
        try:
            grid = self._grid(site)
            if grid is None or not self._is_free(site, grid):
                return ""
            known = self._stand.get(grid.name)
            if known is None:
                known = self._stand[grid.name] = self._others_stand(grid)
        except (NotReadyError, LaneOverflowError):
            return ""
        if not known:
            return ""
        name = self._definitions.name(GlobalAddress(grid.name)) or "tile"
        by = "y" if grid.rows <= grid.columns else f"(y % {grid.columns})"
        return f"swizzle the columns: use `{name}[y][x ^ {by}]` for every access to `{name}[y][x]`"

    def _grid(self, site: Site) -> _Grid | None:
        base = self._base(site.pointer)
        variable = self._definitions.module.globals.get(base.name) if base is not None else None
        if base is None or variable is None or not isinstance(variable.type, ArrayType):
            return None
        row = variable.type.element
        if not isinstance(row, ArrayType) or isinstance(row.element, ArrayType):
            return None
        element = alloc_size(row.element)
        power = row.count >= _LEAST_COLUMNS and row.count & (row.count - 1) == 0
        if not power or element not in SIZES or element < WORD_BYTES:
            return None
        return _Grid(base.name, variable.type.count, row.count, element)

    def _base(self, pointer: Operand) -> GlobalAddress | None:
        for part in self._definitions.address_parts(pointer):
            pointer = part.base
        source = self._definitions.source(pointer)
        return source if isinstance(source, GlobalAddress) else None

    # --- counting ----------------------------------------------------------------------------

    def _is_free(self, site: Site, grid: _Grid) -> bool:
        """Whether the access has no conflict with its columns permuted."""
        counts = list(self._counts(site, grid))
        return bool(counts) and all(found <= ideal for found, ideal in counts)

    def _others_stand(self, grid: _Grid) -> bool:
        """Whether no access to the array becomes worse."""
        for other in self._sites:
            known = self._reported.get(other.ordinal)
            if known is None or known[0].space is not Space.SHARED:
                continue
            base = self._base(other.pointer)
            if base is None:
                return False  # it may be any array
            if base.name != grid.name:
                continue
            counts, before = list(self._counts(other, grid)), known[0].wavefronts
            if not counts or before is None or before.expected is None:
                return False
            if max(found for found, _ in counts) > before.expected:
                return False
        return True

    def _counts(self, site: Site, grid: _Grid) -> Iterator[tuple[int, int]]:
        """Wavefronts and the ideal of each warp's request, for all that the warp may share; nothing
        where they are not known.
        """
        run = self._reported[site.ordinal][1]
        mask = run.masks[site.block]
        place = self._place(site, run, grid)
        if mask is None or place is None or site.bytes != grid.element:
            return
        rows, columns = place
        maybe = run.warp.space.array(mask.lanes) != 0
        warps = [w for w in range(len(maybe)) if maybe[w].any()]
        shared = [(r, c) for r in rows.values(grid.columns) for c in columns.values(grid.columns)]
        if len(shared) * len(warps) > _MOST_REQUESTS:
            return
        for warp in warps:
            on = maybe[warp]
            ideal = phases(on, site.bytes)
            for r, c in shared:
                row, column = rows.lanes[warp] + r, columns.lanes[warp] + c
                if not ((column[on] >= 0) & (column[on] < grid.columns)).all():
                    continue  # would leave its row
                moved = column ^ (row % grid.columns)
                address = (row * grid.columns + moved) * grid.element
                asked = [int(a) if here else None for a, here in zip(address, on, strict=True)]
                yield wavefronts(asked, site.bytes, REQUESTS[site.kind]), ideal

    def _place(self, site: Site, run: WarpState, grid: _Grid) -> tuple[_Index, _Index] | None:
        """Row and column of each lane."""
        pitch = grid.columns * grid.element
        zero = np.zeros((run.warp.space.warps, WARP_SIZE), dtype=np.int64)
        sums, opened = {pitch: zero, grid.element: zero}, {pitch: False, grid.element: False}
        base = self._base(site.pointer)
        offset = base.offset if base is not None else 0
        for part in self._definitions.address_parts(site.pointer):
            offset += part.offset
            for step in part.steps:
                if step.stride not in sums:
                    return None
                index = run.form(step.index, site.block, step.index_bits)
                for monomial, coefficient in index.terms:
                    if run.warp.varying_monomial(monomial) or not is_warp_uniform(coefficient):
                        return None
                    opened[step.stride] = True
                sums[step.stride] = sums[step.stride] + run.warp.space.array(index.const)
        down, across = divmod(offset, pitch)
        if across % grid.element:
            return None
        rows = _Index(sums[pitch] + down, opened[pitch])
        return rows, _Index(sums[grid.element] + across // grid.element, opened[grid.element])
