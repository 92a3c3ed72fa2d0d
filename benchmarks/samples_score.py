"""Verdicts on NVIDIA's cuda-samples against an H100's counters, line by line.

    python -m benchmarks.samples_score CHECKOUT TRUTH [--show KIND] [--view VIEW]

``TRUTH``: a table with the columns of ``rodinia_hardware.csv``. A line of loads and stores of
global memory is uncoalesced when its sectors are 1.3 times the ideal or more, coalesced when they
are at most 1.02 times; between the two it counts neither way. ``reported``: a finding of an
uncoalesced access or a column walk stands on it; ``unknown``: no finding, and a verdict that is
unknown; ``absent``: no access of global memory at all. A statement of several lines counts as one:
nvcc names another of them than clang. Findings in other instances of a template than those that ran
count neither way. ``--show``: list the lines that are ``missed``, ``false``,
``unknown`` or ``absent``.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from benchmarks.codebases import codebases
from drano.model.access import Access
from drano.model.judgement import Verdict
from drano.model.report import Report
from drano.model.settings import AnalysisOptions, Config, View
from drano.run.driver import check
from drano.run.parallel import Processes, default_jobs

Line: TypeAlias = tuple[str, int]
UNCOALESCED, COALESCED = 1.3, 1.02
_ENDS = re.compile(r"[;{}:]\s*(?://.*)?$|^\s*(?:#.*|//.*)?$")
_KINDS = ("missed", "false", "unknown", "absent")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--show", choices=_KINDS)
    parser.add_argument("--view", type=View, choices=list(View), default=View.COMPILED)
    given = parser.parse_args()
    root = given.checkout.resolve()
    bad, good = measured(given.truth)
    lines = bad | good
    programs = {str(Path(file).parent) for file, _ in lines}
    samples = codebases()["cuda-samples"]
    sources = [s for s in samples.sources(root) if str(s.parent.relative_to(root)) in programs]
    config = Config(compile=samples.options(root), analysis=AnalysisOptions(view=given.view))
    report = check([str(s) for s in sources], config, Processes(default_jobs()))
    accesses = accesses_of(report, root)
    reported = findings_of(report, root, kernels_of(given.truth))
    for line in sorted(lines - accesses.keys()):
        whole = statement_of(line, root)
        there = [access for other in whole for access in accesses.get(other, ())]
        if there:
            accesses[line] = there
        if reported.intersection(whole):
            reported.add(line)
    groups: dict[str, list[Line]] = {kind: [] for kind in _KINDS}
    groups["missed"] = sorted(bad - reported)
    groups["false"] = sorted(good & reported)
    for line in sorted(lines):
        if line not in accesses:
            groups["absent"].append(line)
        elif line in good - reported and any(map(is_unknown, accesses[line])):
            groups["unknown"].append(line)
    right = len(bad & reported)
    unknown, absent = (len(groups[kind]) for kind in ("unknown", "absent"))
    print(
        f"{len(bad)} lines uncoalesced, {len(good)} coalesced: recall {_share(right, len(bad))}, "
        f"precision {_share(right, right + len(groups['false']))}; unknown among coalesced "
        f"{_share(unknown, len(good))}, absent {_share(absent, len(lines))}"
    )
    for file, number in groups[given.show] if given.show else ():
        here = accesses.get((file, number), ())
        said = {f"{a.kind} {a.bytes}: {a.judgement.reason}" for a in here}
        text = (root / file).read_text(errors="replace").splitlines()[number - 1].strip()
        print(f"{file}:{number}: {text}\n    " + "\n    ".join(sorted(said)))
    return 0


def statement_of(line: Line, root: Path) -> list[Line]:
    """The lines of the statement that a line is in, as far as semicolons and braces tell."""
    file, number = line
    texts = ["", *(root / file).read_text(errors="replace").splitlines()]
    first = last = number
    while first > 1 and not _ENDS.search(texts[first - 1]):
        first -= 1
    while last < len(texts) - 1 and not _ENDS.search(texts[last]):
        last += 1
    return [(file, n) for n in range(first, last + 1)]


def is_unknown(access: Access) -> bool:
    """Whether nothing is proved of an access."""
    return access.judgement.verdict is Verdict.UNKNOWN


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part} of {whole})" if whole else "-"


def measured(truth: Path) -> tuple[set[Line], set[Line]]:
    """Uncoalesced and coalesced lines."""
    sums: dict[Line, list[int]] = defaultdict(lambda: [0, 0])
    with truth.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["space"] == "global" and row["kind"] in {"load", "store"}:
                total = sums[row["file"], int(row["line"])]
                total[0] += int(row["sectors"])
                total[1] += int(row["sectors_ideal"])
    ratios = {line: sectors / ideal for line, (sectors, ideal) in sums.items() if ideal}
    bad = {line for line, ratio in ratios.items() if ratio >= UNCOALESCED}
    return bad, {line for line, ratio in ratios.items() if ratio <= COALESCED}


def accesses_of(report: Report, root: Path) -> dict[Line, list[Access]]:
    """Accesses of global memory by line."""
    found: dict[Line, list[Access]] = defaultdict(list)
    for file in report.files:
        for access in file.accesses:
            if (
                str(access.judgement.space) in {"global", "generic"}
                and str(access.kind) != "atomic"
            ):
                for line in _lines(access, root):
                    found[line].append(access)
    return found


def kernels_of(truth: Path) -> dict[Line, set[str]]:
    """Which kernels ran on each line, by names that may be cut short."""
    found: dict[Line, set[str]] = defaultdict(set)
    with truth.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found[row["file"], int(row["line"])].add(row["kernel"])
    return found


def findings_of(report: Report, root: Path, kernels: Mapping[Line, set[str]]) -> set[Line]:
    """Lines with a finding about the coalescing of an access."""
    return {
        line
        for f in report.findings
        if f.rule in {"DRN001", "DRN002", "DRN003"} and f.access
        for line in _lines(f.access, root)
        if not _another_instance(f.access.kernel, kernels.get(line, set()))
    }


def _another_instance(kernel: str, ran: set[str]) -> bool:
    """Whether a kernel is an instance of a template of which only others ran, whose arguments are
    known in full.
    """
    start = kernel.partition("<")[0] + "<"
    names = {name.removeprefix("void ") for name in ran}
    whole = all(name.startswith(start) and name.endswith(">") for name in names)
    return bool(names) and whole and kernel not in names


def _lines(access: Access, root: Path) -> set[Line]:
    """All lines whose accesses it does the work of: compilers name one of them."""
    parts = access.origin.parts if access.origin else ()
    return {_line(span.path, span.line, root) for span in (access.location.span, *parts)}


def _line(path: str, line: int, root: Path) -> Line:
    place = Path(path).resolve()
    return (str(place.relative_to(root)) if place.is_relative_to(root) else path), line


if __name__ == "__main__":
    sys.exit(main())
