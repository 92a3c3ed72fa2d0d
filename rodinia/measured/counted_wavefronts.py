"""Wavefronts of shared memory that our runs have counted, beside the hardware's and the analysis's.

Against the hardware, as in ``counted``: a line's wavefronts per active thread, to 2 %; where a line
as a whole differs, without the accesses that the hardware's compiler must have merged or moved.
Against the analysis: counts of kernels that a run launches with one block shape only are rows like
the hardware's, and ``wavefronts`` compares them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from drano.dynamic.profiles.display_names import kernel_name
from drano.dynamic.profiles.profile import Profile, read_profile
from drano.dynamic.profiles.profile import Site as Measured
from rodinia.measured.counted import Counts, Pair, Site, total
from rodinia.measured.lines import Place, base_name
from rodinia.measured.truth import HardwareRow


def read(profiles: Iterable[Path]) -> tuple[Profile, ...]:
    """The profiles of runs."""
    return tuple(read_profile(str(path)) for path in profiles)


def _shared(profiles: Iterable[Profile], cuda: Path) -> Iterator[tuple[Place, Profile, Measured]]:
    root = str(cuda.resolve()) + "/"
    for profile in profiles:
        for site in profile.sites:
            if site.wavefronts and site.path.startswith(root):
                yield Place(site.path.removeprefix(root), site.line), profile, site


def pairs(profiles: Iterable[Profile], rows: Iterable[HardwareRow], cuda: Path) -> tuple[Pair, ...]:
    """The lines that both sides have counted; ``sectors`` of their counts are wavefronts."""
    theirs: dict[Place, Counts] = defaultdict(Counts)
    kinds: dict[Place, set[tuple[str, int]]] = defaultdict(set)
    for row in rows:
        if row.space == "shared" and row.wavefronts:
            place = Place(row.file, row.line)
            kinds[place].add((row.kind, row.bytes))
            theirs[place] += Counts(
                row.thread_insts, row.wavefronts, row.wavefronts_ideal, row.wavefronts_ideal
            )
    ours: dict[Place, dict[Site, Counts]] = defaultdict(lambda: defaultdict(Counts))
    for place, _profile, site in _shared(profiles, cuda):
        ours[place][Site(site.column, site.kind, site.bytes)] += Counts(
            site.active_lanes, site.wavefronts, site.wavefronts_ideal, site.wavefronts_ideal
        )
    return tuple(
        Pair(
            place, total(ours[place]), theirs[place], tuple(sorted(ours[place].items())),
            frozenset(kinds[place]),
        )
        for place in sorted(ours)
        if place in theirs
    )  # fmt: skip


def rows_of(profiles: Iterable[Profile], cuda: Path) -> tuple[HardwareRow, ...]:
    """Our counts as the hardware's are given."""
    found = []
    for place, profile, site in _shared(profiles, cuda):
        shapes = {s.block for k in profile.kernels if k.name == site.kernel for s in k.shapes}
        if len(shapes) != 1 or site.shared_executions != site.executions:
            continue
        kernel = base_name(kernel_name(site.kernel))
        found.append(
            HardwareRow(
                place.file, place.line, kernel, site.kind, "shared", "direct", site.bytes, "",
                min(shapes), site.executions, site.active_lanes, 0, 0, 0, site.wavefronts,
                site.wavefronts_ideal,
            )
        )  # fmt: skip
    return tuple(found)
