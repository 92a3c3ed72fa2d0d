"""Our counts beside Nsight Compute's, of the very same runs, by source line and kind of access.

    python benchmarks/gpu_overhead.py build --home RODINIA --out DIR --variant written
    python DIR/measure.py DIR --ncu           # where the GPU is: writes DIR/ncu
    python benchmarks/gpu_ncu.py DIR

Of each line and kind (load, store, atomic) that either has executed in global memory: active lanes,
lines (tag requests), sectors, ideal sectors: equal or not. Constant memory is not in ncu's page.
Atomics are functions of clang's headers, and ncu gives them those lines: what it has there is
compared with the sum of our lines that it has not. What the counting library does is left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import TypeAlias

from drano.dynamic.gpu.counting.library_code import SOURCE as COUNTING
from drano.dynamic.profiles.nsight_compute import read_ncu
from drano.dynamic.profiles.profile import Profile, read_profile

Place: TypeAlias = tuple[str, int, str]
Lines: TypeAlias = dict[Place, tuple[int, ...]]
FIELDS = ("active_lanes", "lines", "sectors", "sectors_ideal")
HEADERS = "__clang_cuda"
_SPACES = ("global", "generic")


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path, help="what measure.py wrote ncu/ into")
    parser.add_argument("--variant", default="written")
    parser.add_argument("--show", action="store_true", help="the lines that differ")
    options = parser.parse_args()
    same = total = 0
    for page in sorted((options.directory / "ncu").glob(f"*.{options.variant}.csv")):
        name = page.name.split(".")[0]
        ours = by_line(read_profile(str(page.with_suffix(".json"))))
        theirs = by_line(read_ncu(str(page)))
        theirs = {place: sums for place, sums in theirs.items() if place[0] != COUNTING.name}
        places = sorted(ours.keys() | theirs.keys())
        equal = [place for place in places if ours.get(place) == theirs.get(place)]
        equal += of_headers(ours, theirs)
        places = [place for place in places if not place[0].startswith(HEADERS)]
        print(f"{name:24} {len(equal):4} of {len(places)}")
        same, total = same + len(equal), total + len(places)
        for place in places if options.show else ():
            if place not in equal:
                print(f"    {place}\n        {ours.get(place)}\n        {theirs.get(place)}")
    print(f"{'all':24} {same:4} of {total}: {100 * same / max(total, 1):.1f} %")
    return 0


def of_headers(ours: Lines, theirs: Lines) -> list[Place]:
    """Lines whose sum is what ncu has for lines of clang's headers."""
    found: list[Place] = []
    for kind in ("load", "store", "atomic"):
        inside = [p for p in theirs if p[0].startswith(HEADERS) and p[2] == kind]
        missing = [p for p in ours if p not in theirs and p[2] == kind]
        if inside and total(ours[p] for p in missing) == total(theirs[p] for p in inside):
            found += missing
    return found


def total(rows: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Sums of columns."""
    return tuple(map(sum, zip(*rows, strict=True)))


def by_line(profile: Profile) -> Lines:
    """Sums by file, line and kind; without what was not executed."""
    found: Lines = {}
    for site in profile.sites:
        if site.space in _SPACES:
            key = (PurePath(site.path).name, site.line, site.kind)
            old: Iterable[int] = found.get(key, (0,) * len(FIELDS))
            values = (getattr(site, field) for field in FIELDS)
            found[key] = tuple(a + b for a, b in zip(old, values, strict=True))
    return {key: sums for key, sums in found.items() if any(sums)}


if __name__ == "__main__":
    sys.exit(main())
