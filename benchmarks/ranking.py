"""Does the order by cost hold for programs that it was never looked at with?

    python benchmarks/ranking.py [--seconds N] SOURCE.cu... [-- FLAGS AND PROGRAM ARGUMENTS]
    python benchmarks/ranking.py --hecbench src --programs 15 -- -O3 -std=c++17

Each source is a program of its own (``a.cu,b.cu`` one of two sources; ``"a.cu 64 8"`` one with
arguments of its own): ``drano validate`` builds it, runs it on the CPU with every access counted,
and compares the order of its lines by cost with that by measured excess sectors. What stands behind
``--`` goes to every one: flags, a second ``--``, and the program's arguments. ``--hecbench``: of
HeCBench the first programs by name that are one ``main.cu``, that build and run within the time,
and that waste anything; with the arguments of ``make run``, their numbers at most 512, and the last
(repetitions, mostly) at most 2. Prints a row for each program, the median of the rank correlations,
and in how many programs the first lines agree. Programs that fail, or take too long, are named and
left out.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

_RUN = re.compile(r"^run:[^\n]*\n\t[^\n]*program\)([^\n]*)$", re.MULTILINE)
COLUMNS = ("program", "lines", "with excess", "spearman", "first", "its share")


def main() -> int:
    """Exit status 1 when no program could be compared."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", nargs="*", metavar="SOURCE")
    parser.add_argument("--hecbench", type=Path, metavar="DIR", help="its folder src")
    parser.add_argument("--programs", type=int, default=15, help="so many of these (15)")
    parser.add_argument("--seconds", type=float, default=120.0, help="for each program (120)")
    own, more = _split(sys.argv[1:])
    options = parser.parse_args(own)
    console = Console(width=None if sys.stdout.isatty() else 200)
    table = Table(*COLUMNS, title="Order of lines by cost against measured excess sectors")
    found: list[dict[str, Any]] = []
    sources: Iterable[str] = options.sources
    if options.hecbench:
        sources = chain(sources, hecbench(options.hecbench))
    for source in sources:
        if options.hecbench and len(found) >= options.programs:
            break
        names, *own = shlex.split(source)
        order = _order(names.split(","), _joined(more, own), options.seconds)
        if isinstance(order, str):
            table.add_row(_name(source), "", "", order, "", "")
            continue
        found.append(order)
        correlation = order["spearman"]
        table.add_row(
            _name(source), str(order["lines"]), str(order["with_excess"]),
            "-" if correlation is None else f"{correlation:.2f}",
            "yes" if order["first"] else f"{order['ours']} for {order['measured']}",
            f"{100 * order['share']:.0f} %",
        )  # fmt: skip
    console.print(table)
    known = [order["spearman"] for order in found if order["spearman"] is not None]
    if not known:
        return 1
    agreed = sum(order["first"] for order in found)
    console.print(
        f"median Spearman {median(known):.3f}; "
        f"first line agrees in {agreed} of {len(found)} programs"
    )
    return 0


def hecbench(folder: Path) -> Iterator[str]:
    """Its programs by name, each with arguments: see above."""
    for place in sorted(folder.glob("*-cuda")):
        makefile = place / "Makefile"
        if [each.name for each in place.glob("*.cu")] != ["main.cu"] or not makefile.is_file():
            continue
        run = _RUN.search(makefile.read_text(encoding="utf-8", errors="replace"))
        if run is None:
            continue
        words = [_at_most(word, 512) for word in run.group(1).split()]
        last = max((n for n, word in enumerate(words) if word.isdecimal()), default=None)
        if last is not None:
            words[last] = _at_most(words[last], 2)
        yield shlex.join([str(place / "main.cu"), *words])


def _at_most(word: str, most: int) -> str:
    return str(min(int(word), most)) if word.isdecimal() else word


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _joined(more: list[str], own: list[str]) -> list[str]:
    """Flags and arguments for all programs, with a program's own arguments."""
    if not own:
        return more
    return [*more, *own] if "--" in more else [*more, "--", *own]


def _name(source: str) -> str:
    return "/".join(Path(shlex.split(source)[0].partition(",")[0]).parts[-2:])


def _order(sources: list[str], more: list[str], seconds: float) -> dict[str, Any] | str:
    """What ``drano validate`` says of a program's order, or why it says nothing."""
    places = [str(Path(source).resolve()) for source in sources]
    command = [sys.executable, "-m", "drano", "validate", "--format", "json", *places, *more]
    with tempfile.TemporaryDirectory(prefix="drano-ranking-") as directory:
        report = Path(directory) / "report.json"
        try:
            with report.open("wb") as output:
                subprocess.run(
                    command, stdout=output, stderr=subprocess.DEVNULL, timeout=seconds,
                    check=False, cwd=Path(places[0]).parent,
                )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"longer than {seconds:g} s"
        text = report.read_text(encoding="utf-8", errors="replace")
    # The program's own output comes first.
    at = text.rfind('\n{\n  "totals"')
    try:
        order = json.loads(text[at + 1 :])["order"]
    except (ValueError, KeyError):
        return "failed"
    return order or "no excess"


if __name__ == "__main__":
    sys.exit(main())
