"""How much of real code bases is analysed, out of the box: one table.

    python -m benchmarks.codebases NAME=CHECKOUT... [--nvcc NVCC] [--jobs N] [--sample N] [--view V]

``NAME``: one of ``codebases.toml``, which says what a project's units are and with which includes
and defines it is built. Nothing else is given: no SDK, no stand-ins, block shapes as the source
has them. ``--nvcc``: compile the same units by ``nvcc -O3 -c``, with stand-ins for libraries that
this machine lacks, one after the other, and print its seconds beside drano's (processor time of
both: waiting for each other counts for neither).
``--sample N``: only every so many units that about N are left. Columns:

units, analysed (of units), kernels, lost (kernels that errors in device code cost), places
(distinct lines and columns of accesses to global memory), known (share of them with a verdict in
every kernel), but data (the same without places where memory decides about address or lanes),
findings, seconds, nvcc (seconds, of units that it takes), ratio (drano / nvcc, on
those), MB (the JSON report), GB (most memory of one process). Units that are not analysed are
listed below, with the reason; then what is left unknown, by class, in places.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum, auto
from fnmatch import fnmatch
from pathlib import Path
from typing import TypeAlias

import msgspec.toml
from msgspec import Struct, field
from rich.console import Console
from rich.table import Table

from drano.cli.progress_bar import ProgressBar
from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.model.access import Access
from drano.model.judgement import Active, Pattern, Verdict
from drano.model.report import FileStatus, Report
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.output.formats.table import FORMATS, Scene
from drano.output.source_lines import Sources
from drano.run.driver import check
from drano.run.parallel import Processes, default_jobs

Place: TypeAlias = tuple[str, int, int]
_NAME = re.compile(r"`[^`]*`|\w*\[[^\]]*\]|\b\d+\b")
_CLASSES = 8
GLOBAL = frozenset({"global", "generic"})


class Codebase(Struct, frozen=True):
    """A project: ``units``, ``exclude`` are patterns, ``include`` directories, in its root."""

    units: tuple[str, ...]
    exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    std: str | None = None
    repository: str = ""
    commit: str = ""

    def sources(self, root: Path) -> list[Path]:
        found = {path for pattern in self.units for path in root.glob(pattern)}
        return sorted(
            path
            for path in found
            if not any(fnmatch(str(path.relative_to(root)), p) for p in self.exclude)
        )

    def options(self, root: Path) -> CompileOptions:
        include = tuple(str(root / directory) for directory in self.include)
        return CompileOptions(include_dirs=include, defines=self.define, std=self.std)


class Row(Struct):
    name: str
    report: Report
    seconds: float
    megabytes: float
    gigabytes: float
    nvcc: dict[str, float] = field(default_factory=dict)
    own: dict[str, float] = field(default_factory=dict)


def codebases() -> dict[str, Codebase]:
    text = Path(__file__).with_suffix(".toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, Codebase])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkouts", nargs="+", metavar="NAME=CHECKOUT")
    parser.add_argument("--nvcc")
    parser.add_argument("--jobs", type=int, default=default_jobs())
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--view", type=View, choices=list(View), default=View.COMPILED)
    given = parser.parse_args()
    known = codebases()
    rows = []
    for word in given.checkouts:
        name, _, place = word.partition("=")
        if name not in known or not Path(place).is_dir():
            parser.error(f"{word}: NAME is one of {', '.join(known)}; CHECKOUT a directory")
        rows.append(row(name, known[name], Path(place).resolve(), given))
    Console(width=150).print(table(rows))
    for line in (*failures(rows), *(said for item in rows for said in classes(item))):
        print(line)
    return 0


def row(name: str, codebase: Codebase, root: Path, given: argparse.Namespace) -> Row:
    sources = codebase.sources(root)
    if given.sample:
        sources = sources[:: max(1, len(sources) // given.sample)]
    analysis = AnalysisOptions(view=given.view)
    config = Config(compile=codebase.options(root), analysis=analysis)
    before = children_seconds()
    started = time.perf_counter()
    with ProgressBar(wanted=True) as progress:
        run = Processes(given.jobs, None, progress.on_done)
        report = check([str(path) for path in sources], config, run)
    seconds = time.perf_counter() - started
    spent = children_seconds() - before
    text = FORMATS["json"](report, Scene(sources=Sources()))
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    done = Row(name, report, seconds, len(text.encode()) / 1e6, most)
    if given.nvcc:
        done.nvcc = nvcc_seconds(given.nvcc, sources, codebase.options(root))
        done.own = {file.path: spent / len(sources) for file in report.files}
    return done


def children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def nvcc_seconds(nvcc: str, sources: Sequence[Path], options: CompileOptions) -> dict[str, float]:
    """Processor time of nvcc for each unit that it takes."""
    flags = [f"-I{directory}" for directory in options.include_dirs]
    flags += [f"-D{define}" for define in options.defines]
    flags += [f"-std={options.std}"] if options.std else []
    flags += ["-arch=sm_90", "-O3", "-w", "--expt-relaxed-constexpr", "--extended-lambda"]
    flags += ["-Xcompiler", f"-idirafter,{OWN_STUBS}"]
    taken = {}
    with tempfile.TemporaryDirectory() as directory:
        for path in sources:
            output = str(Path(directory, "unit.o"))
            started = children_seconds()
            command = [nvcc, *flags, "-c", "-o", output, str(path)]
            done = subprocess.run(command, capture_output=True, check=False)
            if done.returncode == 0:
                taken[str(path)] = children_seconds() - started
    return taken


def table(rows: Sequence[Row]) -> Table:
    drawn = Table()
    for title in (
        "code base", "units", "analysed", "kernels", "lost", "places", "known",
        "but data", "findings", "seconds", "nvcc", "ratio", "MB", "GB",
    ):  # fmt: skip
        drawn.add_column(title, justify="left" if title == "code base" else "right")
    for item in rows:
        drawn.add_row(*cells(item))
    return drawn


def cells(item: Row) -> list[str]:
    report = item.report
    units = report.files
    ok = [file for file in units if file.status is FileStatus.OK]
    places = known_places(access for file in ok for access in file.accesses)
    known = sum(state is Known.KNOWN for state in places.values())
    decided = known + sum(state is Known.UNKNOWN for state in places.values())
    nvcc = sum(item.nvcc.values())
    own = sum(item.own.get(path, 0.0) for path in item.nvcc)
    return [
        item.name,
        str(len(units)),
        str(len(ok)),
        str(sum(len(file.kernels) for file in ok)),
        str(len(report.not_analysed)),
        str(len(places)),
        f"{100 * known / len(places):.0f} %" if places else "-",
        f"{100 * known / decided:.0f} %" if decided else "-",
        str(len(report.findings)),
        f"{item.seconds:.0f}",
        f"{nvcc:.0f} ({len(item.nvcc)})" if item.nvcc else "-",
        f"{own / nvcc:.2f}" if nvcc else "-",
        f"{item.megabytes:.1f}",
        f"{item.gigabytes:.1f}",
    ]


class Known(IntEnum):
    """How well a place is known, best first."""

    KNOWN = auto()
    DATA = auto()
    UNKNOWN = auto()


def known_places(accesses: Iterable[Access]) -> dict[Place, Known]:
    """The worst that is known of each place of accesses to global memory."""
    places: dict[Place, Known] = {}
    for access in accesses:
        if str(access.judgement.space) in GLOBAL:
            place = place_of(access)
            places[place] = max(places.get(place, Known.KNOWN), known(access))
    return places


def place_of(access: Access) -> Place:
    span = access.location.span
    return span.path, span.line, span.column


def known(access: Access) -> Known:
    judgement = access.judgement
    if judgement.verdict is not Verdict.UNKNOWN:
        return Known.KNOWN
    data = judgement.pattern is Pattern.DATA_DEPENDENT or judgement.active is Active.CHOSEN_BY_DATA
    return Known.DATA if data else Known.UNKNOWN


def classes(item: Row) -> list[str]:
    """Why places stay unknown, the commonest reasons first."""
    reasons: dict[Place, str] = {}
    for file in item.report.files:
        for access in file.accesses:
            if str(access.judgement.space) in GLOBAL and known(access) is Known.UNKNOWN:
                reason = _NAME.sub("…", access.judgement.reason)
                reasons.setdefault(place_of(access), reason)
    common = Counter(reasons.values()).most_common(_CLASSES)
    return [f"{item.name}: unknown in {count} places: {reason}" for reason, count in common]


def failures(rows: Sequence[Row]) -> list[str]:
    """Units and kernels that were not analysed, with the reasons; the same reason once."""
    lines: Counter[str] = Counter()
    for item in rows:
        for file in item.report.files:
            if file.status is not FileStatus.OK:
                first = str(file.diagnostics[0]) if file.diagnostics else "no reason given"
                lines[f"{item.name}: {file.path}: {first}"[:300]] += 1
        for kernel in item.report.not_analysed:
            lines[f"{item.name}: kernels lost by {kernel.cause}"[:300]] += 1
    return [f"{line} ({count} times)" if count > 1 else line for line, count in lines.items()]


if __name__ == "__main__":
    sys.exit(main())
