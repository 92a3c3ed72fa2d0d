"""What became of the runs, as a table; and how their counts compare with the hardware's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import to_builtins
from rich.console import Console

from rodinia.measured.counted import Cause, Explained
from rodinia.pages import show
from rodinia.programs.run import RunResult

COLUMNS = ("run", "program", "build s", "run s", "result", "checked by")


def rows(results: Sequence[RunResult]) -> list[tuple[show.Cell, ...]]:
    """Each run."""
    return [
        (r.name, r.program, r.build_seconds, r.run_seconds, r.status, r.checked or "-")
        for r in results
    ]


def total(results: Sequence[RunResult]) -> tuple[show.Cell, ...]:
    """All of them; a build that several runs share counts once."""
    builds = {(r.program, r.build_seconds) for r in results}
    return (
        f"{sum(r.good for r in results)} of {len(results)} ok", "",
        sum(seconds for _, seconds in builds), sum(r.run_seconds for r in results), "",
        f"{sum(bool(r.checked) for r in results)}",
    )  # fmt: skip


def report(
    console: Console, results: Sequence[RunResult], pairs: Sequence[Explained], *, listed: bool
) -> None:
    """The table of runs, and below it the comparison where there is one."""
    shown = show.table("Runs on the CPU", COLUMNS, rows(results), total(results))
    console.print(shown)
    for result in results:
        if not result.good:
            last = " ".join(result.output.split())[-300:]
            show.plain(console, f"{result.name}: {result.status}: {last}")
    if pairs:
        report_counts(console, pairs, listed=listed)


CAUSE_COLUMNS = ("lines that we and the hardware counted", "lines", "share")


def report_counts(
    console: Console, lines: Sequence[Explained], *, listed: bool, what: str = "sectors"
) -> None:
    """How many lines agree, and why others do not. ``listed``: each of those; ``what``: counted."""
    title = "Counts against the hardware's" + (f", {what}" if what != "sectors" else "")
    console.print(show.table(title, CAUSE_COLUMNS, cause_rows(lines)))
    ratio = sum(line.pair.same_ratio for line in lines)
    show.plain(
        console,
        f"{what} by ideal agree within 2 % on {ratio} ({show.percent(ratio, len(lines))})",
    )
    if listed:
        for text in line_texts(lines, what):
            show.plain(console, text)


def cause_rows(lines: Sequence[Explained]) -> list[tuple[show.Cell, ...]]:
    """A row per cause, and the sum of those that agree within 2 %, with or without merging."""
    found = Counter(line.cause for line in lines)
    good = found[Cause.SAME] + found[Cause.MERGED]
    rows: list[tuple[show.Cell, ...]] = [
        (str(cause), found[cause], show.percent(found[cause], len(lines))) for cause in Cause
    ]
    return [*rows, ("agree within 2 %, the first two", good, show.percent(good, len(lines)))]


def line_texts(lines: Sequence[Explained], what: str = "sectors") -> list[str]:
    """Every line that does not agree as it is: the figures, and which accesses make it so."""
    texts = []
    for line in lines:
        if line.cause is Cause.SAME:
            continue
        pair = line.pair
        without = f"; without {', '.join(map(str, line.without))}" if line.without else ""
        texts.append(
            f"{pair.place} {line.cause.name.lower()}: {pair.ours.per_thread:.4f} {what} a thread, "
            f"the hardware {pair.theirs.per_thread:.4f}{without}"
        )
    return texts


def as_json(results: Sequence[RunResult], lines: Sequence[Explained]) -> dict[str, object]:
    """The same for other tools."""
    return {
        "runs": [{k: v for k, v in to_builtins(r).items() if k != "output"} for r in results],
        "lines": [
            {
                "file": line.pair.place.file,
                "line": line.pair.place.line,
                "cause": line.cause.name.lower(),
                "counted": to_builtins(line.pair.ours),
                "measured": to_builtins(line.pair.theirs),
            }
            for line in lines
        ],
    }
