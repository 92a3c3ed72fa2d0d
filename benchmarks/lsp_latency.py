"""How long an editor waits: from a change to the diagnostics of the changed text.

    python -m benchmarks.lsp_latency [FILE.cu…] [--repeat N]

A real client opens each file (default: the examples), makes N single edits in its last kernel line
as a user would who stops to look, and waits for the diagnostics of each version. The debounce time
is part of it. Prints median and 95th percentile (wanted: at most 0.3 s and 1 s on two cores).
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.conftest import ROOT
from tests.lsp.editor import editing

PAUSE = 1.0  # seconds between edits: longer than any debounce time


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--repeat", type=int, default=10, metavar="N")
    options = parser.parse_args(argv)
    files = [Path(file).resolve() for file in options.files]
    files = files or sorted((ROOT / "examples").glob("*.cu"))
    seconds = asyncio.run(measure(files, options.repeat))
    table = Table("file", "first s", "median s", "p95 s")
    for path, (first, *rest) in seconds.items():
        table.add_row(path.name, f"{first:.3f}", *figures(rest))
    everything = [value for _, *rest in seconds.values() for value in rest]
    table.add_row("all", "", *figures(everything))
    Console().print(table)
    return 0


async def measure(files: Sequence[Path], repeat: int) -> dict[Path, list[float]]:
    """Seconds from opening to diagnostics, then of each edit."""
    seconds: dict[Path, list[float]] = {}
    folder = files[0].parent
    async with editing(folder) as editor:
        for path in files:
            started = time.perf_counter()
            uri = editor.open(path)
            await editor.pushed(uri)
            seconds[path] = [time.perf_counter() - started]
            end = editor.texts[uri].count("\n")
            for number in range(repeat):
                await asyncio.sleep(PAUSE)
                started = time.perf_counter()
                version = editor.edit(uri, (end, 0), (end, 0), f"// {number}\n")
                await editor.pushed(uri, version)
                seconds[path].append(time.perf_counter() - started)
            editor.close(uri)
    return seconds


def figures(values: Sequence[float]) -> tuple[str, str]:
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{statistics.median(ordered):.3f}", f"{p95:.3f}"


if __name__ == "__main__":
    sys.exit(main())
