"""Whether accesses have the widths of the machine's: drano's view of a kernel beside nvcc's PTX.

    python -m benchmarks.widths NAME=CHECKOUT... [--nvcc NVCC] [--sample N] [--show N]
        [--view VIEW]

``NAME`` as in ``benchmarks/codebases.py``. Each unit is analysed and compiled by ``nvcc -O3 -ptx
-lineinfo`` for the same architecture. A source line agrees when every kernel that both have does
the same accesses of global and shared memory there: of the same kinds (load, store, atomic) and
widths in bytes; and, second figure, as many of each. Lines that only one of them has count, too.
A line is the first of its statement's: of one over several lines the compilers name different ones.
Third: the same, but for copies of unrolled loops, all of a line's in proportion: a loop that one
compiler copies four times and the other not makes the same requests when it runs.
``--show N``: list N lines that disagree in that, too.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from benchmarks.codebases import Codebase, codebases
from drano.confirm.ptx_requests import ptx_functions
from drano.confirm.requests import Place
from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.model.access import AccessKind
from drano.model.report import FileReport, FileStatus
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.model.symbols import common_symbol
from drano.run.driver import check
from drano.run.parallel import Processes, default_jobs

Requests: TypeAlias = Counter[tuple[str, int]]
ByKernel: TypeAlias = dict[tuple[str, Place], Requests]

_COMPLETE = re.compile(r"#|(?:(?:} )?else )?(?:if|for|while|switch)\b.*\)$|.*\belse$")
_ENTRY = re.compile(r"\.entry (\S+?)\(")


class Agreement(Struct):
    """Of one code base: lines in all, with equal widths, with equal widths and numbers, with those
    but for unrolled copies.
    """

    lines: int = 0
    widths: int = 0
    numbers: int = 0
    proportions: int = 0

    def __str__(self) -> str:
        if not self.lines:
            return "no lines"
        widths, numbers, proportions = (
            100 * n / self.lines for n in (self.widths, self.numbers, self.proportions)
        )
        return (
            f"{self.lines} lines, widths {widths:.1f} %, widths and numbers {numbers:.1f} %, "
            f"but for unrolled copies {proportions:.1f} %"
        )


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
        kernels = {kernel for kernel, _ in own}.intersection(
            map(common_symbol, _ENTRY.findall(ptx))
        )
        by_line: dict[Place, list[tuple[str, Requests, Requests]]] = defaultdict(list)
        for kernel, place in dict.fromkeys((*own, *theirs)):
            if kernel in kernels and place[1]:  # nvcc has line 0 for what it merges of several
                both = (own.get((kernel, place), Counter()), theirs.get((kernel, place), Counter()))
                by_line[place].append((kernel, *both))
        for place, pairs in sorted(by_line.items()):
            agreement.lines += 1
            agreement.widths += all(set(a) == set(b) for _, a, b in pairs)
            agreement.numbers += all(a == b for _, a, b in pairs)
            apart = [pair for pair in pairs if not _in_proportion(*pair[1:])]
            agreement.proportions += not apart
            if apart:
                kernel, a, b = apart[0]
                differing.append(
                    f"{place[0]}:{place[1]}: {_words(a)}; nvcc: {_words(b)} [{kernel}]"
                )
    return agreement, differing


def accesses_of(unit: FileReport) -> ByKernel:
    """Global and shared accesses of drano's report by kernel and source line."""
    found: ByKernel = defaultdict(Counter)
    for access in unit.accesses:
        known = access.kind is not AccessKind.OTHER  # a call, an instruction that is not followed
        if known and str(access.judgement.space) in {"global", "shared", "generic"}:
            place = (access.location.span.path, access.location.span.line)
            found[common_symbol(access.kernel_symbol), place][str(access.kind), access.bytes] += 1
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
            found[kernel, (str(path), _statements(path).get(line, line))] += counts
    return found


@cache
def _statements(path: Path) -> dict[int, int]:
    """By line, where the statement begins that it is of, as far as punctuation tells."""
    found: dict[int, int] = {}
    start = 0
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        code = line.partition("//")[0].strip()
        start = start or number
        found[number] = start
        if not code or code.endswith((";", "{", "}", ":", "*/")) or _COMPLETE.match(code):
            start = 0
    return found


def requests_of(ptx: str) -> ByKernel:
    """nvcc's accesses by kernel and source line."""
    return {
        (common_symbol(code.symbol), place): requests
        for code in ptx_functions(ptx, shared=True)
        for place, requests in code.requests.items()
    }


def _in_proportion(one: Requests, other: Requests) -> bool:
    """Whether one has a multiple of the other's."""
    if set(one) != set(other):
        return False
    many, few = (one, other) if one.total() >= other.total() else (other, one)
    return len({Fraction(many[request], few[request]) for request in few}) <= 1


def _words(requests: Requests) -> str:
    return ", ".join(f"{n}x {kind} {b}" for (kind, b), n in sorted(requests.items())) or "nothing"


if __name__ == "__main__":
    sys.exit(main())
