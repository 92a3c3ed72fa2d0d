"""What a JAX program has left for us, made into records: of Pallas and of XLA.

Means: Pallas's kernels are compiled by the Triton that is installed, which knows their lines; XLA
compiles them by a Triton of its own, which does not keep these, but is what runs. Where there are
both, they are analysed, and compared: if each access is the same, what has the lines is kept, else
what runs.
Assumptions: XLA calls a kernel by its name, with a number behind it where a module has several.
Limits: without a GPU there is nothing to compare, and a note says so.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from drano.model.judgement import Space
from drano.model.report import FileReport, Report
from drano.python.jax_hooks import DUMPS
from drano.python.pallas_kernels import compile_recorded
from drano.python.xla_dumps import (
    Operation,
    compiled_for_gpu,
    kernels_in,
    of_pallas,
    only_on_cpu,
)
from drano.support.regular_files import regular_or_empty

_MAX_BYTES = 1 << 20
_MOST_NAMES = 3


def records_of_jax(folder: Path, timeout: float, old: Collection[Path]) -> list[str]:
    """Make records of what JAX has left in ``folder``; what is to be said of the rest.

    ``old``: what was there before the command was run, by whomever.
    """
    notes = compile_recorded(folder, timeout, old)
    dumps = folder / DUMPS
    if not dumps.is_dir():
        return notes
    kernels = kernels_in(dumps, _functions(folder))
    for text in kernels:
        digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:24]
        made = folder / f"xla-{digest}.captured.ptx"
        made.write_text(text, encoding="utf-8", errors="replace")
    if only_on_cpu(dumps):
        notes.append(
            "JAX ran on the CPU: what XLA makes for a GPU is recorded on a machine with one"
        )
    elif not kernels and compiled_for_gpu(dumps):
        notes.append("XLA's kernels are not recorded: this version of XLA has dumped no PTX")
    shutil.rmtree(dumps, ignore_errors=True)
    return notes


def _functions(folder: Path) -> dict[str, Operation]:
    """The functions of Pallas's kernels, by name; of several of one name, any."""
    found: dict[str, Operation] = {}
    for path in sorted(folder.glob("pallas-*.json")):
        facts = _facts(path)
        names, line = facts.get("parameters"), facts.get("line")
        if isinstance(names, list) and isinstance(line, int):
            place = (str(facts.get("source")), line)
            found[str(facts.get("name"))] = Operation(place, tuple(map(str, names)), 0)
    return found


def _facts(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(regular_or_empty(str(path), _MAX_BYTES))
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}


def settled(report: Report) -> tuple[Report, list[str]]:
    """The report without what is there twice, whose files are removed; what is to be said of it."""
    ours: defaultdict[str, list[FileReport]] = defaultdict(list)
    for file in report.files:
        if Path(file.path).name.startswith("pallas-") and file.kernels:
            ours[file.kernels[0].name].append(file)
    xlas: defaultdict[str, list[FileReport]] = defaultdict(list)
    for file in report.files:
        if Path(file.path).name.startswith("xla-") and len(file.kernels) == 1:
            twins = of_pallas(file.kernels[0].name, ours)
            if twins:
                xlas[twins[0].kernels[0].name].append(file)
    dropped: set[str] = set()
    notes: list[str] = []
    unseen: list[str] = []
    for name, twins in ours.items():
        made = {file.path: _requests(file) for file in xlas[name]}
        requests = {twin.path: _requests(twin) for twin in twins}
        other = [path for path, found in made.items() if found not in requests.values()]
        dropped |= made.keys() - set(other)
        apart = {path for path, found in requests.items() if found not in made.values()}
        if other:
            dropped |= apart
            notes.append(
                f"XLA compiles the Pallas kernel {name} in another way than the Triton that is "
                "installed: what XLA makes is reported, at the kernel's function"
            )
        elif apart:
            unseen.append(name)
    for path in dropped:
        Path(path).unlink(missing_ok=True)
    if unseen:
        names = f"{', '.join(unseen[:_MOST_NAMES])}{', …' if len(unseen) > _MOST_NAMES else ''}"
        notes.append(
            f"Pallas kernels ({names}) are reported as the Triton that is installed compiles them: "
            "what XLA makes of them is recorded, and compared, on a machine with a GPU"
        )
    files = tuple(file for file in report.files if file.path not in dropped)
    return replace(report, files=files), notes


def _requests(file: FileReport) -> frozenset[tuple[object, ...]]:
    """What of accesses must be the same: whose they are, and how their lanes' addresses lie. How
    many there are of one kind is a matter of unrolled loops.
    """
    return frozenset(
        (a.judgement.array, a.kind, a.bytes, a.judgement.verdict, a.judgement.sectors,
         a.judgement.lanes)
        for a in file.accesses
        if a.judgement.space is Space.GLOBAL
    )  # fmt: skip
