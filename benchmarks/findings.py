"""A sample of findings with their verdicts: docs/evaluation/findings.md.

    python -m benchmarks.findings draw NAME=CHECKOUT... [--units N] [--each N] [--seed S] > FILE
    python -m benchmarks.findings table FILE... > docs/evaluation/findings.md

``draw``: ``NAME`` as in ``benchmarks/codebases.py``. Of each code base so many units are taken by
the seed and analysed as they come; of their entries with a warning or an error so many are drawn by
the seed, and nvcc's PTX of their units is asked (``drano check --confirm``). ``table``: the verdict
on each, from ``findings.toml``, which says by place and rule what who has read it found.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from benchmarks.codebases import Codebase, codebases
from drano.confirm.compiled import nvcc_code
from drano.confirm.judge import MachineCode, with_confirmations
from drano.confirm.requests import Code, real
from drano.frontend.sdk.tools import find_tool
from drano.model.finding import Finding, Severity
from drano.model.report import FileReport
from drano.model.settings import Config
from drano.model.symbols import common_symbol
from drano.output.entries import entries_of
from drano.run.driver import check
from drano.run.parallel import Processes, default_jobs
from drano.support.errors import IRError

VERDICTS = Path(__file__).with_suffix(".toml")
_HEAD = """\
# Findings, read one by one

Written by `python -m benchmarks.findings`, which draws {count} entries with a warning or an error
from {units} units of {names}, by the seed {seed}. The evidence is that of nvcc {nvcc}'s PTX
(`drano check --confirm`) and of reading the source: *true* means that the compiled code makes that
request, and that its lanes lie as the finding says. Where the advice does not fit, the verdict says
so.

**{true} of {count} are true.** nvcc's PTX confirms {confirmed} and refutes {refuted}; of the others
it does not tell, as of shared memory, or nvcc does not compile the unit.

| | Place | Finding | nvcc's PTX | Verdict |
| ---: | --- | --- | --- | --- |
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    drawer = commands.add_parser("draw")
    drawer.add_argument("checkouts", nargs="+", metavar="NAME=CHECKOUT")
    drawer.add_argument("--units", type=int, default=12)
    drawer.add_argument("--each", type=int, default=13)
    drawer.add_argument("--seed", type=int, default=25)
    drawer.add_argument("--timeout", type=float, default=180.0)
    writer = commands.add_parser("table")
    writer.add_argument("drawn", nargs="+", metavar="FILE")
    given = parser.parse_args()
    if given.command == "table":
        files = [json.loads(Path(name).read_text(encoding="utf-8")) for name in given.drawn]
        rows = [row for file in files for row in file["rows"]]
        sys.stdout.write(table({"seed": files[0]["seed"], "rows": rows}))
        return 0
    drawn: list[dict[str, Any]] = []
    for word in given.checkouts:
        name, _, place = word.partition("=")
        drawn += draw(name, codebases()[name], Path(place).resolve(), given)
        print(f"{name}: {len(drawn)} in all", file=sys.stderr)
    json.dump({"seed": given.seed, "rows": drawn}, sys.stdout, indent=1)
    return 0


def draw(
    name: str, codebase: Codebase, root: Path, given: argparse.Namespace
) -> list[dict[str, Any]]:
    """Entries of one code base."""
    chance = random.Random(f"{given.seed} {name}")
    sources = sorted(map(str, codebase.sources(root)))
    chance.shuffle(sources)
    config = Config(compile=replace(codebase.options(root), timeout=given.timeout))
    report = check(sorted(sources[: given.units]), config, Processes(default_jobs()))
    entries = [e for e in entries_of(report.findings) if e.severity is not Severity.NOTE]
    entries.sort(key=lambda entry: (entry.lead.location.span, entry.lead.rule))
    taken = chance.sample(entries, min(given.each, len(entries)))
    leads = {id(entry.lead) for entry in taken}
    files = [file for file in report.files if any(id(f) in leads for f in file.findings)]
    codes = {file.path: made for file in files if (made := _compiled(file, config)) is not None}
    marked = with_confirmations(
        report.only(lambda finding: id(finding) in leads),
        {path: (code,) for path, code in codes.items()},
    )
    return [
        _row(name, root, file, finding, codes[file.path].functions if file.path in codes else ())
        for file in marked.files
        for finding in file.findings
    ]


def _compiled(file: FileReport, config: Config) -> MachineCode | None:
    try:
        nvcc = find_tool("nvcc", None)
        return nvcc_code(nvcc, file.path, config.compile, file.found)
    except IRError as error:
        print(error, file=sys.stderr)
        return None


def _row(
    name: str, root: Path, file: FileReport, finding: Finding, codes: Sequence[Code]
) -> dict[str, Any]:
    said = finding.confirmation
    path = finding.location.span.path
    shown = str(Path(path).relative_to(root)) if Path(path).is_relative_to(root) else path
    return {
        "codebase": name,
        "unit": str(Path(file.path).relative_to(root)),
        "place": f"{shown}:{finding.location.span.line}",
        "rule": finding.rule,
        "severity": str(finding.severity),
        "message": finding.message,
        "help": finding.help,
        "kernel": finding.kernel,
        "bytes": finding.access.bytes if finding.access else 0,
        "outcome": str(said.outcome) if said else "",
        "evidence": said.evidence if said else _there(finding, codes),
    }


def _there(finding: Finding, codes: Iterable[Code]) -> str:
    """What the kernel has on the line, where that proves nothing."""
    access = finding.access
    symbol = common_symbol(access.kernel_symbol) if access else ""
    code = next((c for c in codes if common_symbol(c.symbol) == symbol), None)
    if access is None or code is None:
        return "no code of this kernel"
    place = code.statement((real(access.location.span.path), access.location.span.line))
    requests = code.at(place)
    words = [f"{n}x {kind} {width}" for (kind, width), n in sorted(requests.items())]
    return f"global memory, line {place[1]}: {', '.join(words) or 'nothing'}"


# --- the page --------------------------------------------------------------------------------


def table(drawn: dict[str, Any]) -> str:
    """The page, in Markdown. KeyError for an entry that nobody has read."""
    verdicts = tomllib.loads(VERDICTS.read_text(encoding="utf-8"))
    rows = drawn["rows"]
    read = [verdicts["finding"][_key(row)] for row in rows]
    outcomes = Counter(row["outcome"] for row in rows)
    names = Counter(row["codebase"] for row in rows)
    head = _HEAD.format(
        count=len(rows),
        units=len({(row["codebase"], row["unit"]) for row in rows}),
        names=", ".join(names),
        seed=drawn["seed"],
        nvcc=verdicts["nvcc"],
        true=sum(verdict["true"] for verdict in read),
        confirmed=outcomes["confirmed"],
        refuted=outcomes["refuted"],
    )
    lines = [
        _line(n, row, verdict) for n, (row, verdict) in enumerate(zip(rows, read, strict=True), 1)
    ]
    return f"{head}{''.join(lines)}\n{verdicts['closing']}"


def _key(row: dict[str, Any]) -> str:
    return f"{row['codebase']} {row['place']} {row['rule']}"


def _line(number: int, row: dict[str, Any], verdict: dict[str, Any]) -> str:
    word = "true" if verdict["true"] else "**false**"
    outcome = f"{row['outcome']}: " if row["outcome"] else ""
    evidence = row["evidence"].removeprefix("nvcc's PTX has ")
    cells = (
        str(number),
        f"{row['codebase']} `{row['place']}`",
        f"{row['rule']} {row['message']}",
        outcome + evidence,
        f"{word}: {verdict['why']}",
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


if __name__ == "__main__":
    sys.exit(main())
