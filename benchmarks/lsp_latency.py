"""How long an editor waits: from a change to the diagnostics of the changed text.

    python -m benchmarks.lsp_latency [FILE.cu…] [-I DIR]… [--home DIR] [--repeat N] [--edit KIND]…

A real client opens each file (default: the examples; with ``--home``: every unit of the Rodinia
checkout there, with its flags, by way of a compile_commands.json) and makes N edits of each kind in
its last kernel (at its end where it has none) as a user would who stops to look: a new line each
time, so that everything below moves. ``lines``: a variable that is never used, so that no kernel
computes anything else than before; ``code``: a branch that leaves the kernel, so that all that the
kernel does has to be looked at again. It waits for the diagnostics of each version.
The debounce time is part of it. Prints median and 95th percentile (wanted: at most 0.3 s and 1 s
on two cores), the processor time that server, workers and compilers took for an edit, and how busy
the machine was: how many times its processor time a plain loop takes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from rich.console import Console
from rich.table import Table

from drano.model.settings import CompileOptions
from rodinia.programs.manifest import check_home, load
from tests.conftest import ROOT
from tests.lsp.editor import Editor, editing

PAUSE = 1.0  # seconds between edits: longer than any debounce time
KERNEL = re.compile(r"__global__[^;{}]*\{")
EDITS = {
    "lines": "\n  int typed_{0} = {0};",
    "code": "\n  if (threadIdx.x == 12345 + {0}) return;",
}


class Waits(Struct):
    """Of one file and kind of edit: seconds until its first diagnostics, then of each edit, wall
    and processor; ``analysed``: whether there were diagnostics of an analysis, not of a failure.
    """

    first: float
    analysed: bool
    edits: list[float] = field(default_factory=list)
    used: list[float] = field(default_factory=list)
    slowdown: list[float] = field(default_factory=list)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--repeat", type=int, default=10, metavar="N")
    parser.add_argument("-I", dest="include", action="append", default=[], metavar="DIR")
    parser.add_argument("--home", type=Path, metavar="DIR", help="a Rodinia checkout")
    parser.add_argument("--edit", action="append", choices=list(EDITS), metavar="KIND")
    options = parser.parse_args(argv)
    files = [Path(file).resolve() for file in options.files]
    arguments = [f"-I{Path(folder).resolve()}" for folder in options.include]
    with tempfile.TemporaryDirectory() as folder:
        if options.home is not None:
            commands = suite(options.home)
            Path(folder, "compile_commands.json").write_text(json.dumps(commands))
            files += [Path(command["file"]) for command in commands]
            arguments += ["-p", folder, "--stub-missing-headers"]
        files = files or sorted((ROOT / "examples").glob("*.cu"))
        kinds = options.edit or list(EDITS)
        waits = asyncio.run(measure(files, options.repeat, arguments, kinds))
    table = Table("file", "edit", "first s", "median s", "p95 s", "processor s", "slowdown")
    for (path, kind), of_file in waits.items():
        name = "/".join(path.parts[-2:]) + ("" if of_file.analysed else " (not analysed)")
        table.add_row(name, kind, f"{of_file.first:.3f}", *figures([of_file]))
    for kind in kinds:
        table.add_row("all", kind, "", *figures([w for key, w in waits.items() if key[1] == kind]))
    if len(kinds) > 1:
        table.add_row("all", "all", "", *figures(list(waits.values())))
    Console(width=100).print(table)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{len(os.sched_getaffinity(0))} processors, load {load}")
    return 0


def suite(home: Path) -> list[dict[str, Any]]:
    """The compilation database of all units of a Rodinia checkout."""
    manifest = load()
    cuda, _ = check_home(home, manifest)
    commands = []
    for program in manifest.programs:
        for unit in program.units:
            folder = (cuda / program.directory).resolve()
            options = unit.options(folder, CompileOptions())
            arguments = [
                "nvcc",
                *(f"-I{path}" for path in options.include_dirs),
                *(f"-D{define}" for define in options.defines),
                *(part for path in options.force_includes for part in ("-include", path)),
                *options.flags,
                "-c",
                str(folder / unit.path),
            ]
            commands.append(
                {"directory": str(folder), "file": arguments[-1], "arguments": arguments}
            )
    return commands


async def measure(
    files: Sequence[Path], repeat: int, arguments: Sequence[str], kinds: Sequence[str]
) -> dict[tuple[Path, str], Waits]:
    """Opens and edits one file after the other."""
    waits: dict[tuple[Path, str], Waits] = {}
    async with editing(files[0].parent, options={"arguments": list(arguments)}) as editor:
        for path in files:
            started = time.perf_counter()
            uri = editor.open(path)
            found = await editor.pushed(uri)
            failed = any(d.code == "not-analysed" for d in found)
            first = time.perf_counter() - started
            for kind in kinds:
                of_kind = waits[path, kind] = Waits(first, not failed)
                for number in range(repeat):
                    await asyncio.sleep(PAUSE)
                    of_kind.slowdown.append(slowdown())
                    used, started = processor_time(editor.server_pid), time.perf_counter()
                    await editor.pushed(uri, edit(editor, uri, number, kind))
                    of_kind.edits.append(time.perf_counter() - started)
                    of_kind.used.append(processor_time(editor.server_pid) - used)
            editor.close(uri)
    return waits


def edit(editor: Editor, uri: str, number: int, kind: str = "lines") -> int:
    """A new first line in the last kernel; the version that it makes."""
    text = editor.texts[uri]
    place = max((match.end() for match in KERNEL.finditer(text)), default=len(text))
    line = EDITS[kind].format(number) if place < len(text) else f"// {number}\n"
    start = (text.count("\n", 0, place), place - (text.rfind("\n", 0, place) + 1))
    editor.texts[uri] = text[:place] + line + text[place:]
    return editor.edit(uri, start, start, line)


def processor_time(pid: int) -> float:
    """Seconds of a process, of those it started, and of all that these have waited for."""
    ticks = sum(_ticks(process) for process in (pid, *children(pid)))
    return ticks / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))


def children(pid: int) -> Iterator[int]:
    """The processes that a process has started, and theirs."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found = task.read_text().split()
        except OSError:
            continue
        for child in map(int, found):
            yield child
            yield from children(child)


def slowdown() -> float:
    """How many times its processor time a loop of some 20 ms takes: 1 on an idle machine."""
    started, used = time.perf_counter(), time.process_time()
    while time.process_time() - used < 0.02:
        pass
    return (time.perf_counter() - started) / (time.process_time() - used)


def figures(waits: Sequence[Waits]) -> tuple[str, str, str, str]:
    ordered = sorted(value for of_file in waits for value in of_file.edits)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    used = statistics.median(value for of_file in waits for value in of_file.used)
    slow = statistics.median(value for of_file in waits for value in of_file.slowdown)
    return f"{statistics.median(ordered):.3f}", f"{p95:.3f}", f"{used:.3f}", f"{slow:.2f}"


if __name__ == "__main__":
    sys.exit(main())
