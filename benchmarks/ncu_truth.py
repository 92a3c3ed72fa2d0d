"""A table of what Nsight Compute measured, for ``samples_score``, from its source pages.

    python -m benchmarks.ncu_truth PAGES CHECKOUT > TRUTH.csv

``PAGES``: a directory of PROGRAM.VARIANT.csv (``ncu_pages.py``); ``CHECKOUT``: where the repository
was on the machine that made them. Lines of files elsewhere are left out, and so are pages that have
no accesses, which are named on stderr. Instances of a kernel are one.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections import Counter
from pathlib import Path, PurePath

from benchmarks.samples_score import base_name
from drano.dynamic.profiles.nsight_compute import read_ncu
from drano.dynamic.profiles.profile import Profile, ProfileError

KEYS = ("program", "file", "line", "kernel", "kind", "space", "size_bytes")
COUNTS = ("executions", "active_lanes", "lines", "sectors", "sectors_ideal")
COLUMNS = (*KEYS, "block", "warp_insts", "thread_insts", "l1_tag_requests", "sectors",
           "sectors_ideal")  # fmt: skip


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=Path)
    parser.add_argument("checkout", type=PurePath)
    options = parser.parse_args()
    pages = sorted(options.pages.glob("*.csv"))
    profiles = [(page, profile) for page in pages if (profile := _read(page)) is not None]
    totals: dict[tuple[object, ...], Counter[str]] = {}
    key: tuple[object, ...]
    for page, profile in profiles:
        for site in profile.sites:
            path = PurePath(os.path.normpath(site.path))
            if not path.is_relative_to(options.checkout):
                continue
            file = path.relative_to(options.checkout).as_posix()
            kernel = base_name(site.kernel)
            key = (_program(page), file, site.line, kernel, site.kind, site.space, site.bytes)
            counts = totals.setdefault(key, Counter())
            counts.update({name: getattr(site, name) for name in COUNTS})
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for key, counts in totals.items():
        table.writerow([*key, "", *(counts[name] for name in COUNTS)])
    return 0


def _program(page: Path) -> str:
    return page.name.partition(".")[0]


def _read(page: Path) -> Profile | None:
    try:
        return read_ncu(str(page))
    except ProfileError as error:
        print(error, file=sys.stderr)
        return None


if __name__ == "__main__":
    sys.exit(main())
