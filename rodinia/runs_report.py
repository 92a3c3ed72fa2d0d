"""What became of the runs, as a table; and how their counts compare with the hardware's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console

from rodinia import show
from rodinia.counted import Pair
from rodinia.run import RunResult

COLUMNS = ("run", "program", "build s", "run s", "result")


def report(
    console: Console, results: Sequence[RunResult], pairs: Sequence[Pair], *, listed: bool
) -> None:
    """The table of runs, and below it the comparison where there is one."""
    rows = [(r.name, r.program, r.build_seconds, r.run_seconds, r.status) for r in results]
    total = (
        f"{sum(r.good for r in results)} of {len(results)} ok", "",
        sum(r.build_seconds for r in results), sum(r.run_seconds for r in results), "",
    )  # fmt: skip
    console.print(show.table("Runs on the CPU", COLUMNS, rows, total))
    for result in results:
        if not result.good:
            last = " ".join(result.output.split())[-300:]
            show.plain(console, f"{result.name}: {result.status}: {last}")
    if not pairs:
        return
    same = sum(pair.same_count for pair in pairs)
    ratio = sum(pair.same_ratio for pair in pairs)
    show.plain(
        console,
        f"{len(pairs)} lines on both sides; sectors per thread within 2 % on {same} "
        f"({show.percent(same, len(pairs))}), sectors by ideal within 2 % on {ratio} "
        f"({show.percent(ratio, len(pairs))})",
    )
    if listed:
        for pair in pairs:
            if not pair.same_count:
                show.plain(
                    console,
                    f"{pair.place}: {pair.ours.sectors} sectors, ideal {pair.ours.ideal}, for "
                    f"{pair.ours.threads} threads; the hardware {pair.theirs.sectors}, ideal "
                    f"{pair.theirs.ideal}, for {pair.theirs.threads}",
                )


def as_json(results: Sequence[RunResult], pairs: Sequence[Pair]) -> dict[str, object]:
    """The same for other tools."""
    return {
        "runs": [{k: v for k, v in asdict(r).items() if k != "output"} for r in results],
        "lines": [
            {
                "file": pair.place.file,
                "line": pair.place.line,
                "counted": asdict(pair.ours),
                "measured": asdict(pair.theirs),
            }
            for pair in pairs
        ],
    }
