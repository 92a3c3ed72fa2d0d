"""Counting what a run's memory requests touch, and holding the analysis's answers against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct, field

from drano.analysis.access_sites import Site
from drano.analysis.points_to import Spaces
from drano.analysis.warp import WarpState, judge
from drano.analysis.warp.verdict.bank_conflicts import REQUESTS
from drano.analysis.warp.verdict.judge import traffic_at
from drano.lattice import LaneOverflowError
from drano.lattice.warp.lanes import LaneVector
from drano.model.hardware import (
    LINE_BYTES,
    SECTOR_BYTES,
    UNCOALESCED_FROM,
    WARP_SIZE,
    WORD_BYTES,
)
from drano.model.judgement import CountRange, Judgement, Pattern, Space, Verdict
from drano.traffic import banks
from drano.traffic.needs import Need
from tests.analysis.warp.fuzz.claims import UnsoundError
from tests.analysis.warp.fuzz.words import Lanes, Truth

REACH = 1 << 20
"""Bytes; lanes further apart are not in one block's shared memory."""


class Tested(Struct):
    """Figures of a run. ``exact``: requests whose range of sectors was a single number."""

    requests: int = 0
    exact: int = 0
    coalesced: int = 0
    uncoalesced: int = 0
    unknown: int = 0

    def __add__(self, other: Tested) -> Tested:
        return Tested(
            self.requests + other.requests,
            self.exact + other.exact,
            self.coalesced + other.coalesced,
            self.uncoalesced + other.uncoalesced,
            self.unknown + other.unknown,
        )


class _Row(Struct):
    """Requests of one execution of one site: per (copy, warp)."""

    address: Lanes
    mask: Truth
    active: Lanes
    sectors: Lanes
    lines: Lanes
    full: Truth
    possible: Truth
    separate: Truth
    runs: Lanes
    met: Truth


class Requests(Struct):
    """All requests of one execution, by site."""

    run: WarpState
    sites: tuple[Site, ...]
    meets: Callable[[tuple[Need, ...]], Truth]
    _rows: dict[int, list[_Row]] = field(default_factory=dict)
    _groups: dict[int, Lanes] = field(default_factory=dict)
    _conditions: dict[int, tuple[Need, ...]] = field(default_factory=dict)

    def note(self, site: Site, address: Lanes, mask: Truth) -> None:
        """One execution of a site by the lanes of ``mask``."""
        claimed = self.run.masks[site.block]
        possible = (
            np.ones(mask.shape[1:], dtype=np.bool_)
            if claimed is None
            else self.run.warp.space.array(claimed.lanes) != 0
        )
        full = (mask == possible).all(axis=2)
        sectors = _distinct(address >> 5, mask)
        lines = _distinct(address >> 7, mask)
        self._rows.setdefault(site.ordinal, []).append(
            _Row(
                address,
                mask,
                mask.sum(axis=2),
                sectors,
                lines,
                full,
                possible.any(axis=1),
                sectors == self._one_by_one(site, address >> 5, mask),
                runs(address, mask),
                self.meets(self._needs(site)),
            )
        )

    def _needs(self, site: Site) -> tuple[Need, ...]:
        """What the verdict on a site may rest on."""
        found = self._conditions.get(site.ordinal)
        if found is None:
            mask = self.run.masks[site.block]
            address = self.run.form(site.pointer, site.block, 64)
            assert mask is not None
            try:
                found = traffic_at(self.run, site, address, mask).needs
            except LaneOverflowError:
                found = ()
            self._conditions[site.ordinal] = found
        return found

    def _one_by_one(self, site: Site, units: Lanes, mask: Truth) -> Lanes:
        """Different units when each group of lanes (at unknown distance) is counted alone."""
        groups = self._groups.get(site.ordinal)
        if groups is None:
            groups = self._groups[site.ordinal] = self._groups_of(site)
        parts = [mask & (groups == group) for group in np.unique(groups)]
        return np.stack([_distinct(units, part) for part in parts]).sum(axis=0)

    def _groups_of(self, site: Site) -> Lanes:
        """Lanes of one number differ by known distances."""
        space = self.run.warp.space
        address = self.run.form(site.pointer, site.block, 64)
        vectors = [
            space.array(c).reshape(-1) for _, c in address.terms if isinstance(c, LaneVector)
        ]
        if not vectors:
            return np.zeros(space.shape, dtype=np.int64)
        _, numbers = np.unique(np.stack(vectors), axis=1, return_inverse=True)
        return numbers.reshape(space.shape)

    def check(self, defined: Truth) -> Tested:
        """Compare with the analysis. ``defined``: copies that count."""
        tested = Tested()
        for site in self.sites:
            rows = self._rows.get(site.ordinal, [])
            reached = any(row.active[defined].any() for row in rows)
            judgement = judge(self.run, site, Spaces(self.run.module))
            if judgement is None:
                if reached:
                    raise UnsoundError(f"access {site.ordinal} is reached, not reported")
                continue
            for row in rows:
                tested = tested + self._row(site, judgement, row, defined)
        return tested

    def _row(self, site: Site, access: Judgement, row: _Row, defined: Truth) -> Tested:
        on = (row.active > 0) & defined[:, None]
        if not on.any() or access.space is Space.LOCAL:
            return Tested()
        requests = int(on.sum())
        exact = 0
        for claim, actual, what in (
            (access.sectors, row.sectors, "sectors"),
            (access.lines, row.lines, "lines"),
        ):
            if claim is None:
                continue
            _within(claim, actual[on], f"{what} of access {site.ordinal}: {access}")
            if what == "sectors" and claim.minimum == claim.maximum:
                exact = requests
        whole = defined & (row.full | ~row.possible).all(axis=1) & row.possible.any()
        if access.wavefronts is not None:
            _wavefronts(site, access.wavefronts, row, on)
            _conflicts(site, access, row, whole)
        elif access.space is not Space.SHARED:
            self._verdict(site, access, row, whole)
        return Tested(
            requests,
            exact,
            requests * (access.verdict is Verdict.COALESCED),
            requests * (access.verdict is Verdict.UNCOALESCED),
            requests * (access.verdict is Verdict.UNKNOWN),
        )

    def _verdict(self, site: Site, access: Judgement, row: _Row, whole: Truth) -> None:
        """Verdicts speak of ``whole`` blocks, whose warps all do what they may do."""
        started = access.pattern is Pattern.UNKNOWN_START
        if access.condition:  # where runs start, the bound is of any
            whole &= row.met.all(axis=1)
        if not whole.any():
            return
        ideal_rows = -(-row.active[whole] * site.bytes // 32)
        ideal = ideal_rows.sum(axis=1)
        sectors = row.sectors[whole].sum(axis=1)
        if access.verdict is Verdict.COALESCED or (started and access.possible):
            allowed = np.maximum(UNCOALESCED_FROM * ideal, (ideal_rows + 1).sum(axis=1))
            if started:
                allowed = UNCOALESCED_FROM * ideal + (2 * row.runs[whole] - 1).sum(axis=1)
            if (sectors > allowed).any():
                worst = int(np.argmax(sectors / np.maximum(ideal, 1)))
                raise UnsoundError(f"coalesced, but {sectors[worst]} of {ideal[worst]}: {access}")
        if access.verdict is Verdict.UNCOALESCED and not started:
            # where parts of the warp happen to touch the same sector, nothing is claimed
            general = row.separate[whole].all(axis=1)
            few = general & (sectors < UNCOALESCED_FROM * ideal)
            if few.any():
                at = int(np.argmax(few))
                raise UnsoundError(f"uncoalesced, but {sectors[at]} of {ideal[at]}: {access}")


def _wavefronts(site: Site, claim: CountRange, row: _Row, on: Truth) -> None:
    """Of the requests that shared memory could answer: aligned, and within its size."""
    asked = {_asked(row, *at) for at in zip(*np.nonzero(on), strict=True)}
    for addresses in asked:
        actual = _counted(site, addresses)
        if actual is not None:
            _within(claim, np.array(actual), f"wavefronts of access {site.ordinal}")


def _conflicts(site: Site, access: Judgement, row: _Row, whole: Truth) -> None:
    """Whether the ``whole`` blocks have conflicts as the verdict says."""
    lanes = WARP_SIZE * WORD_BYTES // max(site.bytes, WORD_BYTES)
    for block in np.nonzero(whole)[0]:
        warps = [_asked(row, block, warp) for warp in np.nonzero(row.active[block])[0]]
        counts = [_counted(site, addresses) for addresses in warps]
        if None in counts:
            continue
        phases = sum(
            any(a is not None for a in addresses[first : first + lanes])
            for addresses in warps
            for first in range(0, WARP_SIZE, lanes)
        )
        found = sum(count or 0 for count in counts)
        if access.verdict is (Verdict.UNCOALESCED if found <= phases else Verdict.COALESCED):
            raise UnsoundError(f"{found} wavefronts where {phases} would do: {access}")


def _asked(row: _Row, block: int, warp: int) -> tuple[int | None, ...]:
    """The lanes' addresses in one request; None of those that are not active."""
    return tuple(
        int(a) if active else None
        for a, active in zip(row.address[block, warp], row.mask[block, warp], strict=True)
    )


def _counted(site: Site, addresses: Sequence[int | None]) -> int | None:
    """Wavefronts of a request; None where shared memory could not answer it."""
    here = [a for a in addresses if a is not None]
    if any(a % site.bytes for a in here) or max(here) - min(here) > REACH:
        return None
    low = min(here) // LINE_BYTES * LINE_BYTES
    near = [None if a is None else a - low for a in addresses]
    return banks.wavefronts(near, site.bytes, REQUESTS[site.kind])


def _distinct(units: Lanes, mask: Truth) -> Lanes:
    """Number of different units among the active lanes of each warp."""
    first = np.take_along_axis(units, mask.argmax(axis=2)[..., None], axis=2)
    ordered = np.sort(np.where(mask, units, first), axis=2)
    return (np.diff(ordered, axis=2) != 0).sum(axis=2) + mask.any(axis=2)


def runs(address: Lanes, mask: Truth) -> Lanes:
    """Runs of active lanes, along the last axis, in which none skips a sector."""
    first = np.take_along_axis(address, mask.argmax(axis=-1)[..., None], axis=-1)
    ordered = np.sort(np.where(mask, address, first), axis=-1)
    found: Lanes = (np.diff(ordered, axis=-1) > SECTOR_BYTES).sum(axis=-1) + mask.any(axis=-1)
    return found


def _within(claim: CountRange, actual: Lanes, what: str) -> None:
    if actual.min() < claim.minimum or actual.max() > claim.maximum:
        raise UnsoundError(
            f"{actual.min()}..{actual.max()} outside {claim.minimum}..{claim.maximum} {what}"
        )
