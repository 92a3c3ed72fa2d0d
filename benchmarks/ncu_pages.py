"""Nsight Compute's source pages of programs: of single sources, or of directories with Makefiles.

    python ncu_pages.py DIR OUT [--makefiles] [--skip NAME…] [--library NAME…] [--launches N]
        [--minutes N]

Where the GPU is; needs nothing but Python, nvcc, make and ncu. Every ``DIR/*.cu``, as in llm.c's
``dev/cuda``, is built as nvcc -O3 does it and run once for each ``case N:`` in its source, with N
as its argument. With ``--makefiles`` every ``DIR/*/Makefile``, as in HeCBench's ``src``, is made
and run as its target ``run`` says, in an order that depends on nothing but the names. The pages of
the first launches are OUT/NAME.N.csv; what is there already is not run again. ``ncu_truth.py``
makes a table of them.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

FLAGS = ("-O3", "-lineinfo", "-arch=sm_90", "-std=c++17", "--use_fast_math", "-Xcompiler",
         "-fopenmp")  # fmt: skip
MAKE = ("make", "CC=nvcc", "ARCH=sm_90", "EXTRA_CFLAGS=-lineinfo", "LAUNCHER=", "OPTIMIZE=yes")
SECONDS = 60.0
SEED = 26


class Program(NamedTuple):
    """What is made by ``build`` in ``directory`` and run with each of ``runs``, a command line."""

    name: str
    directory: Path
    build: Sequence[str]
    runs: Sequence[tuple[str, Sequence[str]]]


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--makefiles", action="store_true")
    parser.add_argument("--skip", nargs="*", default=["nccl_all_reduce"])
    parser.add_argument("--library", nargs="*", default=["cublas", "cublasLt"])
    parser.add_argument("--launches", type=int, default=6)
    parser.add_argument("--minutes", type=float, default=60.0, help="no program is begun after it")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * options.minutes
    programs = [
        program
        for program in (
            _of_makefiles(options.directory)
            if options.makefiles
            else _of_sources(options.directory, options.library)
        )
        if program.name not in options.skip
    ]

    def measured(program: Program) -> str:
        pages = [(options.out / f"{program.name}.{n}.csv", run) for n, run in program.runs]
        if all(page.exists() for page, _ in pages):
            return "there"
        if time.monotonic() > end:
            return "no time"
        if _ended(program.build, program.directory, 5 * SECONDS) != 0:
            return "not built"
        got = [_page(run, program.directory, page, options.launches) for page, run in pages]
        return f"{sum(got)} of {len(got)} pages"

    with ThreadPoolExecutor(os.cpu_count()) as executor:
        for program, told in zip(programs, executor.map(measured, programs), strict=True):
            print(program.name, told, flush=True)
    return 0


def _of_sources(directory: Path, libraries: Iterable[str]) -> list[Program]:
    linked = [f"-l{name}" for name in libraries]
    programs = []
    for source in sorted(directory.absolute().glob("*.cu")):
        program = str(source.with_suffix(""))
        variants = sorted(set(re.findall(r"case (\d+):", source.read_text())))
        build = ["nvcc", *FLAGS, str(source), "-o", program, *linked]
        programs.append(
            Program(source.stem, source.parent, build, [(n, [program, n]) for n in variants])
        )
    return programs


def _of_makefiles(directory: Path) -> list[Program]:
    """Shuffled, so that what time allows is no choice of ours."""
    programs = []
    for makefile in sorted(directory.absolute().glob("*/Makefile")):
        folder = makefile.parent
        told = subprocess.run(
            [*MAKE, "-n", "run"], cwd=folder, capture_output=True, text=True, check=False
        ).stdout.replace("\\\n", " ")
        runs = [line.strip() for line in told.splitlines() if line.strip().startswith("./")]
        if runs and not re.search(r"[|<>;&`$]", runs[-1]):
            programs.append(Program(folder.name, folder, MAKE, [("0", shlex.split(runs[-1]))]))
    random.Random(SEED).shuffle(programs)
    return programs


def _page(run: Sequence[str], directory: Path, page: Path, launches: int) -> bool:
    """Whether the command line has been profiled, and its source page written."""
    report = page.with_suffix(".ncu-rep").absolute()
    profiled = [
        "ncu", "--clock-control", "none", "--section", "SourceCounters", "--launch-count",
        str(launches), "--kernel-id", ":::1|2|3", "--kill", "yes", "-f", "-o", str(report), *run,
    ]  # fmt: skip
    exported = [
        "ncu", "--import", str(report), "--page", "source", "--csv", "--print-source", "cuda,sass",
    ]  # fmt: skip
    _ended(profiled, directory, SECONDS)
    if not report.exists():
        return False
    page.write_bytes(subprocess.run(exported, capture_output=True, check=False).stdout)
    report.unlink()
    return True


def _ended(command: Sequence[str], directory: Path, seconds: float) -> int | None:
    """The status that it ends with; None: it and what it started were ended at the limit."""
    with subprocess.Popen(
        command,
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            # ncu writes its report when it is interrupted.
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            return None


if __name__ == "__main__":
    sys.exit(main())
