"""Whether accesses have the widths of the machine's: drano's view of a kernel beside nvcc's PTX.

    python -m benchmarks.widths NAME=CHECKOUT... [--nvcc NVCC] [--sample N] [--show N]
        [--view VIEW]

``NAME`` as in ``benchmarks/codebases.py``. Each unit is analysed and compiled by ``nvcc -O3 -ptx
-lineinfo`` for the same architecture. A source line agrees when every kernel that both have does
the same accesses of global and shared memory there: of the same kinds (load, store, atomic) and
widths in bytes; and, second figure, as many of each. Lines that only one of them has count, too.
``--show N``: list N lines that disagree.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from benchmarks.codebases import Codebase, codebases
from drano.frontend.stand_ins import OWN_STUBS
from drano.model.report import FileReport, FileStatus
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.run.driver import check
from drano.run.parallel import Processes, default_jobs

Place: TypeAlias = tuple[str, int]
Requests: TypeAlias = Counter[tuple[str, int]]
ByKernel: TypeAlias = dict[tuple[str, Place], Requests]

_FILE = re.compile(r'\s*\.file\s+(\d+) "(.*?)"')
_LOC = re.compile(r"\s*\.loc\s+(\d+ \d+ \d+)(?:, .*inlined_at (\d+ \d+ \d+))?")
_ENTRY = re.compile(r"\.entry (\S+?)\(")
_ACCESS = re.compile(r"\s*(?:@!?%p\d+\s+)?(ld|ldu|st|atom|red)\.([\w.:]+)\s")
_BITS = re.compile(r"\.(?:[bsuf]|bf)(\d+)(x2)?$|\.(f16x2|bf16x2)$")
_SYSTEM = ("/usr/", "/opt/")


@dataclass
class Agreement:
    """Of one code base: lines in all, with equal widths, with equal widths and numbers."""

    lines: int = 0
    widths: int = 0
    numbers: int = 0

    def __str__(self) -> str:
        if not self.lines:
            return "no lines"
        widths, numbers = (100 * n / self.lines for n in (self.widths, self.numbers))
        return f"{self.lines} lines, widths {widths:.1f} %, widths and numbers {numbers:.1f} %"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkouts", nargs="+", metavar="NAME=CHECKOUT")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--view", type=View, choices=list(View), default=View.COMPILED)
    given = parser.parse_args()
    for word in given.checkouts:
        name, _, place = word.partition("=")
        root = Path(place).resolve()
        agreement, differing = compared(codebases()[name], root, given)
        print(f"{name}: {agreement}")
        for line in differing[: given.show]:
            print("  " + line.replace(f"{root}/", ""))
    return 0


def compared(
    codebase: Codebase, root: Path, given: argparse.Namespace
) -> tuple[Agreement, list[str]]:
    """Agreement over all units that nvcc compiles, and the lines that disagree, in words."""
    sources = codebase.sources(root)
    if given.sample:
        sources = sources[:: max(1, len(sources) // given.sample)]
    options = codebase.options(root)
    config = Config(compile=options, analysis=AnalysisOptions(view=given.view))
    report = check([str(s) for s in sources], config, Processes(default_jobs()))
    agreement = Agreement()
    differing: list[str] = []
    for unit in report.files:
        if unit.status is not FileStatus.OK:
            continue
        ptx = ptx_of(given.nvcc, unit.path, options)
        if ptx is None:
            continue
        own, theirs = (_within(root, each) for each in (accesses_of(unit), requests_of(ptx)))
        kernels = {kernel for kernel, _ in own} & set(_ENTRY.findall(ptx))
        by_line: dict[Place, list[tuple[str, Requests, Requests]]] = defaultdict(list)
        for kernel, place in dict.fromkeys((*own, *theirs)):
            if kernel in kernels:
                both = (own.get((kernel, place), Counter()), theirs.get((kernel, place), Counter()))
                by_line[place].append((kernel, *both))
        for place, pairs in sorted(by_line.items()):
            agreement.lines += 1
            agreement.widths += all(set(a) == set(b) for _, a, b in pairs)
            same = all(a == b for _, a, b in pairs)
            agreement.numbers += same
            if not same:
                kernel, a, b = next(p for p in pairs if p[1] != p[2])
                differing.append(
                    f"{place[0]}:{place[1]}: {_words(a)}; nvcc: {_words(b)} [{kernel}]"
                )
    return agreement, differing


def accesses_of(unit: FileReport) -> ByKernel:
    """Global and shared accesses of drano's report by kernel and source line."""
    found: ByKernel = defaultdict(Counter)
    for access in unit.accesses:
        if str(access.judgement.space) in {"global", "shared", "generic"}:
            place = (access.location.span.path, access.location.span.line)
            found[access.kernel_symbol, place][str(access.kind), access.bytes] += 1
    return found


def ptx_of(nvcc: str, path: str, options: CompileOptions) -> str | None:
    """nvcc's PTX of a unit; None where it refuses it."""
    flags = [f"-I{directory}" for directory in options.include_dirs]
    flags += [f"-D{define}" for define in options.defines]
    flags += [f"-std={options.std}"] if options.std else []
    flags += ["-arch=sm_90", "-O3", "-w", "--expt-relaxed-constexpr", "--extended-lambda"]
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory, "unit.ptx")
        command = [
            nvcc, *flags, "-Xcompiler", f"-idirafter,{OWN_STUBS}", "-ptx", "-lineinfo", "-o",
            str(output), path,
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, check=False)
        return output.read_text(errors="replace") if done.returncode == 0 else None


def _within(root: Path, requests: ByKernel) -> ByKernel:
    """Those of the code base itself: headers of the two SDKs are not the same."""
    found: ByKernel = defaultdict(Counter)
    for (kernel, (name, line)), counts in requests.items():
        path = Path(name).resolve()
        if path.is_relative_to(root):
            found[kernel, (str(path), line)] += counts
    return found


def requests_of(ptx: str) -> ByKernel:
    """nvcc's accesses by kernel and source line."""
    files = dict(_FILE.findall(ptx))
    found: ByKernel = defaultdict(Counter)
    kernel, place = "", ("", 0)
    calls: dict[str, str] = {}
    for line in ptx.splitlines():
        if entry := _ENTRY.search(line):
            kernel = entry[1]
        elif line.startswith((".func", ".visible .func", ".weak .func")):
            kernel = ""
        elif loc := _LOC.match(line):
            if loc[2]:
                calls[loc[1]] = loc[2]
            place = _user_place(files, calls, loc[1])
        elif (access := _ACCESS.match(line)) and kernel:
            request = _request(access[1], access[2])
            if request is not None:
                found[kernel, place][request] += 1
    return found


def _user_place(files: Mapping[str, str], calls: Mapping[str, str], at: str) -> Place:
    """The place in the user's code: of the call, where the code is a system header's."""
    for _ in range(100):
        number, line, _column = at.split()
        name = files.get(number, "")
        if not name.startswith(_SYSTEM) or at not in calls:
            break
        at = calls[at]
    return name, int(line)


def _request(opcode: str, rest: str) -> tuple[str, int] | None:
    """Kind and bytes a lane of an instruction; None for spaces other than global and shared."""
    words = rest.replace("::", ".").split(".")
    if {"param", "local", "const"} & set(words):
        return None
    kind = {"ld": "load", "ldu": "load", "st": "store"}.get(opcode, "atomic")
    match = _BITS.search("." + rest.rpartition(".")[2])
    if match is None:
        return None
    bits = 32 if match[3] else int(match[1]) * (2 if match[2] else 1)
    lanes = 4 if "v4" in words else 2 if "v2" in words else 1
    return kind, bits // 8 * lanes


def _words(requests: Requests) -> str:
    return ", ".join(f"{n}x {kind} {b}" for (kind, b), n in sorted(requests.items())) or "nothing"


if __name__ == "__main__":
    sys.exit(main())
