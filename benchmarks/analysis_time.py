"""Where the time goes: clang's seconds beside drano's own, in both domains, from one run.

    python benchmarks/analysis_time.py FILE.cu… [-I DIR]… [--repeat N]

Each file is analysed N times in each domain, the domains by turns so that a busy machine hurts
both alike; the least of N counts. Prints seconds and ratios: own/clang (wanted: at most 1) and
warp/gpudrano of the analysis alone (wanted: at most 2). Exit status 2 when a file fails.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from drano.model.report import FileReport, FileStatus, Timings
from drano.model.settings import AnalysisOptions, CompileOptions, Config, Domain
from drano.run import driver

COLUMNS = (
    "file",
    "clang s",
    "prepare",
    "read",
    "warp",
    "gpudrano",
    "own/clang, warp",
    "own/clang, gpudrano",
    "warp/gpudrano",
)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-I", dest="include", action="append", default=[], metavar="DIR")
    parser.add_argument("-D", dest="define", action="append", default=[], metavar="NAME[=VALUE]")
    parser.add_argument("--repeat", type=int, default=3, metavar="N")
    arguments = parser.parse_args(argv)
    compile_options = CompileOptions(
        include_dirs=tuple(arguments.include),
        defines=tuple(arguments.define),
        stub_missing_headers=True,
    )
    # The first run fills caches (headers, precompiled header) that no later run pays for.
    driver.check(arguments.files[:1], Config(compile=compile_options))
    rows: list[tuple[str, dict[Domain, Timings]]] = []
    failed = False
    for path in arguments.files:
        best, error = measure(path, compile_options, max(1, arguments.repeat))
        if error:
            print(f"analysis_time: error: {error}", file=sys.stderr)
            failed = True
        else:
            rows.append((path, best))
    if rows:
        show(rows)
    return 2 if failed else 0


def measure(
    path: str, compile_options: CompileOptions, repeat: int
) -> tuple[dict[Domain, Timings], str]:
    """Each domain's least seconds, part by part; or why the file failed."""
    runs: dict[Domain, list[Timings]] = {domain: [] for domain in Domain}
    for _ in range(repeat):
        for domain in Domain:
            config = Config(compile=compile_options, analysis=AnalysisOptions(domain=domain))
            report = driver.check([path], config).files[0]
            if report.status is not FileStatus.OK:
                return {}, reason(report)
            runs[domain].append(report.timings)
    return {domain: least(timings) for domain, timings in runs.items()}, ""


def reason(report: FileReport) -> str:
    return str(report.diagnostics[0]) if report.diagnostics else f"{report.path}: failed"


def least(timings: Iterable[Timings]) -> Timings:
    runs = list(timings)
    return Timings(
        clang=min(run.clang for run in runs),
        prepare=min(run.prepare for run in runs),
        read=min(run.read for run in runs),
        analyse=min(run.analyse for run in runs),
    )


def show(rows: Sequence[tuple[str, dict[Domain, Timings]]]) -> None:
    table = Table(*COLUMNS)
    for column in table.columns[1:]:
        column.justify = "right"
    for path, best in rows:
        table.add_row(path.rsplit("/", 1)[-1], *cells(best))
    if len(rows) > 1:
        table.add_section()
        sums = {domain: sum((best[domain] for _, best in rows), Timings()) for domain in Domain}
        table.add_row("total", *cells(sums))
    console = Console()
    (console if console.is_terminal else Console(width=150)).print(table)


def cells(best: dict[Domain, Timings]) -> list[str]:
    warp, paper = best[Domain.WARP], best[Domain.GPUDRANO]
    clang = min(warp.clang, paper.clang)
    return [
        f"{clang:.2f}",
        f"{warp.prepare:.2f}",
        f"{warp.read:.2f}",
        f"{warp.analyse:.2f}",
        f"{paper.analyse:.2f}",
        ratio(warp.own, clang),
        ratio(paper.own, clang),
        ratio(warp.analyse, paper.analyse),
    ]


def ratio(part: float, whole: float) -> str:
    return f"{part / whole:.2f}x" if whole else "-"


if __name__ == "__main__":
    sys.exit(main())
