"""Many kernels in one translation unit: compiled, analysed, run on the CPU, compared.

A batch runs in a process of its own, so that one that crashes is found and named like any other.
"""

from __future__ import annotations

import multiprocessing
import random
import re
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from drano.dynamic.instrument.proved_patterns import Pattern, Patterns, proved_patterns
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import View
from drano.model.span import Span
from drano.model.translation_unit import LaunchSite
from tests.dynamic.cpu.harness import FaultError, Program, load
from tests.dynamic.fuzz.claims import Checker, Tally
from tests.dynamic.fuzz.expressions import MOST_M, MOST_N
from tests.dynamic.fuzz.kernel import ARRAYS, ELEMENTS, PRELUDE, RESULTS, Block, Kernel

CANDIDATES = 24
_SECONDS = 600
_SIZES = {
    "int": 4, "unsigned char": 1, "short": 2, "float": 4, "double": 8, "long long": 8, "float2": 8,
    "int4": 16, "Cell": 12, "Big": 24, "Row": 132, "char": 1, "float4": 16,
}  # fmt: skip
_HEADER = re.compile(r"// (\w+): block (\d+) (\d+) (\d+), grid (\d+), n (\d+), m (\d+), u (\d+)")


class Run(Struct, frozen=True):
    """How one kernel is launched."""

    name: str
    block: Block
    grid: int
    n: int
    m: int
    u: int

    def header(self) -> str:
        """A comment that ``runs_of`` reads."""
        x, y, z = self.block
        return (
            f"// {self.name}: block {x} {y} {z}, grid {self.grid}, n {self.n}, m {self.m}, "
            f"u {self.u}"
        )


class Outcome(Struct):
    """``problems``: by kernel, what was refuted of it."""

    problems: dict[str, list[str]] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)


def source_of(kernels: Sequence[Kernel], seed: int) -> str:
    """One translation unit; ``seed``: for the arguments of the launches."""
    parts = [PRELUDE]
    for number, kernel in enumerate(kernels):
        rng = random.Random(f"{seed} {number if len(kernels) > 1 else 0}")
        run = Run(
            f"k{number:03}", kernel.block, kernel.grid, rng.randint(0, MOST_N),
            rng.randint(1, MOST_M), rng.getrandbits(32),
        )  # fmt: skip
        parts += [run.header(), kernel.text(run.name)]
    return "\n".join(parts) + "\n"


def runs_of(source: str) -> list[Run]:
    """The launches that a source's comments tell."""
    found = []
    for match in _HEADER.finditer(source):
        x, y, z, grid, n, m, u = map(int, match.groups()[1:])
        found.append(Run(match[1], (x, y, z), grid, n, m, u))
    return found


def check_source(source: str, view: View = View.COMPILED) -> Outcome:
    """Compile, analyse and run a unit, and compare."""
    program, ir = load(source, opt_level=0, view=view)
    module = read_module(prepare(ir, "unit.cu", trusted=True, view=view))
    runs = runs_of(source)
    sites = [
        LaunchSite(program.symbol(run.name), run.name, (run.grid, 1, 1), run.block, (),
                   Span("unit.cu", 1, 1))
        for run in runs
    ]  # fmt: skip
    patterns = proved_patterns(module, sites)
    functions = {function.name: function for function in module.kernels}
    arguments = arrays()
    outcome = Outcome()
    for run in runs:
        function = functions[program.symbol(run.name)]
        signed = run.u - (1 << 32) if run.u >> 31 else run.u
        known = (*(None,) * len(arguments), run.n, run.m, signed)
        checker = Checker(
            module, function, run.block, known, _patterns_of(patterns, function.name, run.block)
        )
        problems = checker.problems
        try:
            _check(program, run, arguments, checker)
        except FaultError as fault:
            problems.append(f"the kernel did not end well: {fault}")
        except Exception:  # a crash of the analysis counts as much as a wrong answer
            problems.append(traceback.format_exc())
        outcome.tally.add(checker.tally)
        if problems:
            outcome.problems[run.name] = problems
    return outcome


def _patterns_of(patterns: Patterns, kernel: str, block: Block) -> dict[int, Pattern]:
    whole = None if block[0] % 32 == 0 else block
    return {
        ordinal: pattern
        for (name, ordinal), found in patterns.items()
        for pattern in found
        if name == kernel and pattern.block in (block, whole)
    }


def _check(
    program: Program, run: Run, arguments: Sequence[npt.NDArray[np.uint8]], checker: Checker
) -> None:
    scalars = (np.int32(run.n), np.int32(run.m), np.uint32(run.u))
    program.launch(run.name, run.grid, run.block, *arguments, *scalars, record="rows")
    checker.check(program.records(), lambda number: program.sites[number].ordinal)


def arrays() -> list[npt.NDArray[np.uint8]]:
    """Arrays of small whole numbers, aligned as cudaMalloc does."""
    rng = np.random.default_rng(1)
    types = {"int": "i4", "unsigned char": "u1", "short": "i2", "float": "f4", "double": "f8",
             "long long": "i8", "float2": "f4", "int4": "i4", "Row": "f4"}  # fmt: skip
    found = []
    for type_ in (*ARRAYS.values(), *RESULTS.values()):
        size = _SIZES[type_] * ELEMENTS
        room = np.zeros(size + 512, np.uint8)
        start = -room.ctypes.data % 256
        array = room[start : start + size]
        kind = np.dtype(types.get(type_, "i4"))
        array.view(kind)[:] = rng.integers(0, 64, size // kind.itemsize)
        found.append(array)
    return found


# --- in a process of its own -----------------------------------------------------------------


class Worker:
    """Checks sources in another process, and a new one after a crash. A context manager."""

    def __init__(self, view: View = View.COMPILED) -> None:
        self._view = view
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def check(self, kernels: Sequence[Kernel], seed: int) -> tuple[Tally, dict[int, list[str]]]:
        """What was compared, and the problems of each kernel that has some."""
        try:
            outcome = self._run(source_of(kernels, seed))
        except (BrokenProcessPool, TimeoutError, Exception) as error:  # a kernel that kills it
            if len(kernels) == 1:
                return Tally(), {0: [f"{type(error).__name__}: {error}"]}
            half = len(kernels) // 2
            first, wrong = self.check(kernels[:half], seed)
            second, more = self.check(kernels[half:], seed)
            first.add(second)
            return first, wrong | {half + number: found for number, found in more.items()}
        return outcome.tally, {int(name[1:]): found for name, found in outcome.problems.items()}

    def _run(self, source: str) -> Outcome:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context)
        try:
            return self._pool.submit(check_source, source, self._view).result(timeout=_SECONDS)
        except (BrokenProcessPool, TimeoutError):
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
            raise

    def shrunk(self, kernel: Kernel, seed: int) -> Kernel:
        """A smaller kernel that fails, too, from which nothing can be left out."""
        while (found := self._first_failure(kernel.smaller(), seed)) is not None:
            kernel = found
        return kernel

    def _first_failure(self, candidates: Iterator[Kernel], seed: int) -> Kernel | None:
        while some := list(islice(candidates, CANDIDATES)):
            wrong = self.check(some, seed)[1]
            if wrong:
                return some[min(wrong)]
        return None
