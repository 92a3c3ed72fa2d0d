"""A profile by source line, worst first: what every report of a profile shows."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct

from drano.dynamic.profiles.display_names import kernel_name
from drano.dynamic.profiles.profile import Array, Profile, Site
from drano.model.hardware import SECTOR_BYTES


class LineTotal(Struct, frozen=True):
    """All accesses of one source line. ``excess_bytes``: of global memory, beyond the ideal;
    ``excess_wavefronts``: of shared memory.
    """

    path: str
    line: int
    kernels: tuple[str, ...]
    kinds: tuple[str, ...]
    executions: int
    shared_executions: int
    active_lanes: int
    lines: int
    sectors: int
    sectors_ideal: int
    wavefronts: int
    wavefronts_ideal: int
    conflicts: int

    @property
    def excess_bytes(self) -> int:
        """Bytes moved beyond the ideal."""
        return max(0, self.sectors - self.sectors_ideal) * SECTOR_BYTES

    @property
    def excess_wavefronts(self) -> int:
        """Bank conflicts."""
        return max(0, self.wavefronts - self.wavefronts_ideal)

    @property
    def ratio(self) -> float:
        """Sectors for each that is needed; 1.0 without any."""
        return self.sectors / self.sectors_ideal if self.sectors_ideal else 1.0

    @property
    def lines_per_request(self) -> float:
        """128-byte lines of one warp request to global memory."""
        requests = self.executions - self.shared_executions
        return self.lines / requests if requests > 0 else 0.0


def ranked_lines(profile: Profile) -> list[LineTotal]:
    """Executed lines: by excess bytes, then by excess wavefronts, then by sectors."""
    sites = sorted(
        (site for site in profile.sites if site.executions),
        key=lambda site: (site.path, site.line),
    )
    totals = [
        _total(path, line, tuple(group))
        for (path, line), group in groupby(sites, key=lambda site: (site.path, site.line))
    ]
    return sorted(
        totals,
        key=lambda t: (-t.excess_bytes, -t.excess_wavefronts, -t.sectors, t.path, t.line),
    )


def _total(path: str, line: int, sites: tuple[Site, ...]) -> LineTotal:
    return LineTotal(
        path=path,
        line=line,
        kernels=_distinct(kernel_name(site.kernel) for site in sites),
        kinds=_distinct(site.kind for site in sites),
        executions=sum(site.executions for site in sites),
        shared_executions=sum(site.shared_executions for site in sites),
        active_lanes=sum(site.active_lanes for site in sites),
        lines=sum(site.lines for site in sites),
        sectors=sum(site.sectors for site in sites),
        sectors_ideal=sum(site.sectors_ideal for site in sites),
        wavefronts=sum(site.wavefronts for site in sites),
        wavefronts_ideal=sum(site.wavefronts_ideal for site in sites),
        conflicts=sum(site.conflicts for site in sites),
    )


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def ranked_arrays(profile: Profile) -> list[Array]:
    """Accessed arrays, by accesses for each byte: what repays a place in shared memory first."""
    used = [array for array in profile.arrays if array.accesses]
    return sorted(used, key=lambda a: (-a.accesses, a.label))
