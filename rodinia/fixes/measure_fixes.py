"""Build, compare and time the two versions of each fix on a machine with a GPU: a script by itself.

``python measure_fixes.py FOLDER [FIX…]`` in a folder that ``python -m rodinia fixes --gpu-folder``
wrote; it needs Python's own library, nvcc and ncu only. It writes FOLDER/fixes_gpu.csv, a row per
fix: whether both versions' results agree, and per version the sum of the kernels' times (the median
of several runs, in microseconds) and of their sectors and shared-memory wavefronts. Times are
Nsight Compute's, without clock control, caches as the program leaves them. Results are compared as
numbers, within the fix's ``near`` of their size; what a program says of its own time is left out.
"""

from __future__ import annotations

import csv
import json
import os
import random
import re
import shlex
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

REPEATS = int(os.environ.get("FIXES_REPEATS", "5"))
LAUNCHES = 40
METRICS = {
    "gpu__time_duration.sum": "ns",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "sectors",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": "sectors",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": "wavefronts",
}
COLUMNS = (
    "fix", "kernels", "results", "launches", "before_us", "after_us", "gain_percent",
    "before_sectors", "after_sectors", "before_wavefronts", "after_wavefronts",
)  # fmt: skip
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")

Fix = dict[str, Any]  # an entry of fixes.json


def main(folder: Path, names: list[str]) -> int:
    """The named fixes, or all; 1 if any could not be measured or changes results."""
    folder = folder.resolve()
    fixes: list[Fix] = json.loads((folder / "fixes.json").read_text())
    fixes = [fix for fix in fixes if not names or fix["name"] in names]
    if any("graph_large.txt" in fix["arguments"] for fix in fixes):
        _graph(folder / "inputs" / "graph_large.txt", 1_000_000)
    tasks = [(fix, version, kind) for fix in fixes for version in ("before", "after")
             for kind in ("timed", "checked")]  # fmt: skip
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [p for p in pool.map(lambda task: _build(folder, *task), tasks) if p]
    for problem in problems:
        print(problem)
    rows = []
    with (folder / "fixes_gpu.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for fix in fixes:
            row = _measure(folder, fix)
            rows.append(row)
            writer.writerow(row)
            file.flush()
            print(*row, sep=",", flush=True)
    return int(bool(problems) or any(row[2] != "agree" for row in rows))


def _build(folder: Path, fix: Fix, version: str, kind: str) -> str:
    directory = folder / version / fix["name"] / fix["directory"]
    further = fix["check_compile"] if kind == "checked" else []
    compiler = shlex.split(os.environ.get("FIXES_COMPILER", "nvcc -arch=native -lineinfo"))
    command = [
        *compiler, "-O3", "-w", f"-I{folder / 'stubs' / fix['name']}",
        "-include", str(folder / "stubs" / "old_names.h"), *fix["compile"], *further,
        *fix["sources"], "-lm", "-o", str(_program(folder, fix, version, kind)),
    ]  # fmt: skip
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    return f"{fix['name']} {version}: {done.stderr[-1500:]}" if done.returncode else ""


def _program(folder: Path, fix: Fix, version: str, kind: str) -> Path:
    return folder / version / str(fix["name"]) / f"{kind}_program"


def _measure(folder: Path, fix: Fix) -> list[object]:
    kernels = " ".join(fix["kernels"])
    try:
        same = _compare(folder, fix)
        if not os.environ.get("FIXES_PROFILER", "ncu"):
            return [fix["name"], kernels, same]
        runs = {version: [_profile(folder, fix, version)] for version in ("before", "after")}
        for _ in range(REPEATS - 1):
            for version, found in runs.items():
                found.append(_profile(folder, fix, version))
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return [fix["name"], kernels, " ".join(str(error).split())[-300:]]
    before, after = (
        statistics.median(run["ns"] for run in runs[version]) / 1000
        for version in ("before", "after")
    )
    first, last = runs["before"][0], runs["after"][0]
    return [
        fix["name"], kernels, same, int(first["launches"]), f"{before:.2f}", f"{after:.2f}",
        f"{100 * (before - after) / before:.1f}", int(first["sectors"]), int(last["sectors"]),
        int(first["wavefronts"]), int(last["wavefronts"]),
    ]  # fmt: skip


def _profile(folder: Path, fix: Fix, version: str) -> dict[str, float]:
    """Sums over the first launches of each of the fix's kernels."""
    place = _place(folder, fix, version, "timed")
    names = "|".join(fix["kernels"])
    command = [
        "ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
        "--cache-control", "none", "--kernel-name", f"regex:^({names})$",
        "--launch-count", str(LAUNCHES * len(fix["kernels"])), "--kill", "yes",
        "--metrics", ",".join(METRICS),
        str(_program(folder, fix, version, "timed")), *fix["arguments"],
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=place, capture_output=True, text=True, timeout=180, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    if len(lines) < 3:
        raise ValueError(f"ncu: {(done.stderr or done.stdout)[-300:]}")
    sums = dict.fromkeys(("ns", "sectors", "wavefronts", "launches"), 0.0)
    for row in list(csv.DictReader(lines))[1:]:  # the first row holds the units
        sums["launches"] += 1
        for metric, name in METRICS.items():
            sums[name] += float(row[metric].replace(",", ""))
    return sums


def _compare(folder: Path, fix: Fix) -> str:
    """Whether the two versions' results agree ("agree"), or where they differ."""
    texts = []
    for version in ("before", "after"):
        place = _place(folder, fix, version, "checked")
        command = [str(_program(folder, fix, version, "checked")), *fix["check_arguments"]]
        done = subprocess.run(
            command, cwd=place, capture_output=True, text=True, timeout=180, check=False,
            errors="replace",
        )  # fmt: skip
        if done.returncode:
            raise ValueError(f"{version} fails with status {done.returncode}: {done.stderr[-200:]}")
        text = done.stdout
        if fix["check_after"]:
            text = text.partition(fix["check_after"])[2]
        if fix["check_lines"]:
            text = "\n".join(x for x in text.splitlines() if re.search(fix["check_lines"], x))
        parts = [(place / name).read_text(errors="replace") for name in fix["files"]]
        texts.append("\n".join(parts) if parts else text)
    return _difference(texts[0], texts[1], float(fix["near"]))


def _difference(before: str, after: str, near: float) -> str:
    words = [[w for line in text.splitlines() if not re.search(r"(?i)\b(time|exec|took)\b", line)
              for w in _NUMBER.findall(line)] for text in (before, after)]  # fmt: skip
    if len(words[0]) != len(words[1]) or not words[0]:
        return f"{len(words[0])} numbers before and {len(words[1])} after"
    for place, (a, b) in enumerate(zip(*words, strict=True)):
        if a != b and abs(float(a) - float(b)) > near * max(1.0, abs(float(a))):
            return f"number {place} is {a} before and {b} after"
    return "agree"


def _place(folder: Path, fix: Fix, version: str, kind: str) -> Path:
    place = folder / version / str(fix["name"]) / f"{kind}_run"
    place.mkdir(exist_ok=True)
    for given in (folder / "inputs").iterdir():
        link = place / given.name
        if not link.is_symlink():
            link.symlink_to(given)
    return place


def _graph(path: Path, nodes: int) -> None:
    """A graph for bfs, too large to be carried."""
    if path.is_file():
        return
    draw = random.Random(1)
    degrees = [draw.randint(2, 10) for _ in range(nodes)]
    with path.open("w") as file:
        file.write(f"{nodes}\n")
        first = 0
        for degree in degrees:
            file.write(f"{first} {degree}\n")
            first += degree
        file.write(f"\n0\n\n{first}\n")
        file.writelines(f"{draw.randrange(nodes)} 1\n" for _ in range(first))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
