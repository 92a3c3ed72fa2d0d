"""Where the time went (``--timings``): clang's share and drano's own, by file and in all."""

from __future__ import annotations

from drano.model.report import Report, Timings
from drano.output.source_lines import printable, shown_path

_HEAD = ("clang", "prepare", "read", "analyse", "own")


def render_timings(report: Report) -> str:
    """A table of seconds; ``own`` is all but clang."""
    total = Timings()
    rows = []
    for file in report.files:
        total += file.timings
        rows.append((printable(shown_path(file.path)), file.timings))
    if len(rows) != 1:
        rows.append(("total", total))
    lines = ["".join(f"{title:>9}" for title in _HEAD) + "  seconds"]
    for name, t in rows:
        seconds = (t.clang, t.prepare, t.read, t.analyse, t.own)
        lines.append("".join(f"{value:9.3f}" for value in seconds) + f"  {name}")
    return "\n".join(lines) + "\n"
