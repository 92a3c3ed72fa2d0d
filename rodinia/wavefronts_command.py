"""``python -m rodinia wavefronts``: its options, and its tables.

Predicted against the hardware's; with ``--work``, the folder of runs that are there, also predicted
against what these runs have counted, and their counts against the hardware's.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from rodinia import options
from rodinia.measured import counted, counted_wavefronts
from rodinia.measured.lines import data_dependent_places
from rodinia.measured.truth import HardwareRow
from rodinia.pages import runs_report, show
from rodinia.programs import run
from rodinia.programs.analyse import UnitResult
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Manifest
from rodinia.scoring import wavefronts

_PREDICTED = "Predicted wavefronts per request of shared memory"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is special to it."""
    parser.add_argument("--work", type=Path, metavar="DIR", help="runs that are there, as well")
    parser.add_argument("--size", type=Size, choices=list(Size), default=Size.MEDIUM)
    parser.add_argument("--list", action="store_true", help="print what is not exact")


def good_profiles(chosen: Manifest, work: Path, size: Size) -> list[Path]:
    """Profiles of the runs that went through."""
    return [
        run.profile_of(work, size, result.name)
        for result in run.results(chosen, work, size)
        if result.good
    ]


def tables(
    given: argparse.Namespace, chosen: Manifest, cuda: Path, results: Iterable[UnitResult],
    rows: Sequence[HardwareRow],
) -> None:  # fmt: skip
    """Print them, and write the first as JSON where that is asked for."""
    shared = wavefronts.shared_by_line(results, cuda)
    lines = wavefronts.compare_wavefronts(rows, shared)
    if given.json:
        show.write_json(given.json, wavefronts.as_json(lines))
    console = options.console()
    wavefronts.report(console, lines, f"{_PREDICTED}, against the hardware")
    if given.list:
        wavefronts.print_list(console, lines)
    if given.work is None:
        return
    profiles = counted_wavefronts.read(good_profiles(chosen, given.work, given.size))
    counts = counted_wavefronts.rows_of(profiles, cuda)
    lines = wavefronts.compare_wavefronts(counts, shared)
    wavefronts.report(console, lines, f"{_PREDICTED}, against our runs")
    if given.list:
        wavefronts.print_list(console, lines)
    dependent = data_dependent_places(chosen)
    pairs = counted_wavefronts.pairs(profiles, rows, cuda)
    explained = tuple(counted.explain(pair, dependent) for pair in pairs)
    runs_report.report_counts(console, explained, listed=given.list, what="wavefronts")
