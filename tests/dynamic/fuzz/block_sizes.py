"""``python -m tests.dynamic.fuzz.block_sizes [--count N] [--seed S]``: random CUDA kernels in
blocks of two sizes.

Each kernel is compiled, analysed for block-size independence, and run on the CPU in two launches
with equally many threads, whose blocks differ along axes that are proved independent; then all
results must be the same, bit by bit. Kernels are those of ``programs``, of which threads know
themselves by their global numbers; in some, bare block and thread numbers are left. No two threads
store different values to one place, so that a kernel has one result. Where nothing is proved, the
two launches are made all the same: how many of these kernels differ says what the proof misses.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import numpy as np
from hypothesis import strategies as st
from msgspec import Struct, field
from msgspec.structs import replace

from drano.analysis.blocks.block_size_independence import block_size_independence
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from tests.dynamic.cpu.harness import load
from tests.dynamic.fuzz.__main__ import drawn
from tests.dynamic.fuzz.batch import arrays
from tests.dynamic.fuzz.expressions import MOST_M, MOST_N, Expr, Expressions
from tests.dynamic.fuzz.kernel import ELEMENTS, PRELUDE, Kernel, Statement
from tests.dynamic.fuzz.programs import Program

Shape = tuple[int, int]

THREADS: Shape = (96, 4)
SHAPES: tuple[Shape, ...] = (
    (32, 1), (96, 1), (16, 1), (8, 2), (48, 4), (24, 1), (3, 4), (1, 1), (96, 4), (32, 2), (6, 1),
)  # fmt: skip
_START = "(int)(blockIdx.x * blockDim.x)"
_STORES = {
    "oi": "{} = {};", "of": "{} = {} + acc;", "od": "{} = {};", "oq": "{}.y = {};",
    "ocell": "{}.b = {};",
}  # fmt: skip


class Steady(Program):
    """``bare``: numbers within the block and of the block are used, too."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.block, self.grid = (*THREADS, 1), 1
        Expressions.__init__(self, draw, self.block, self.grid)
        self.bare = self.pick((False, True))
        across = THREADS[0]
        kept = [e for e in self.names if not e.text.startswith(("(int)block", "tz"))]
        last = across - 1
        self.names = [
            *kept, Expr("total", across, across),
            Expr(f"(2 * {_START} + 2 * (int)threadIdx.x)", 0, 2 * last),
            Expr(f"({_START} * m + (int)threadIdx.x * m)", 0, last * MOST_M),
        ]  # fmt: skip
        if self.bare:
            self.names += [
                Expr("(int)blockIdx.x", 0, last), Expr("(int)blockDim.x", 0, across),
                Expr("(int)threadIdx.x", 0, last), Expr("(int)threadIdx.y", 0, 3),
                Expr(_START, 0, last), Expr(f"({_START} + (int)threadIdx.y)", 0, last + 3),
                Expr(f"(2 * {_START} + (int)threadIdx.x)", 0, 2 * last),
                Expr("(int)(blockIdx.x * 32 + threadIdx.x)", 0, 33 * last),
            ]  # fmt: skip
        self.uniform = False
        self.returned = False
        self.loops = 0
        self.fresh = 0
        self.left = draw(st.integers(4, 10))

    def kernel(self) -> Kernel:
        """All of it, with the names of the launch in the place of the block's."""
        found = super().kernel()
        declarations = tuple(
            line for line in found.declarations if not line.startswith(("int tx", "int linear"))
        )
        names = (
            "int total = gridDim.x * blockDim.x;",
            "int tx = blockIdx.x * blockDim.x + threadIdx.x;",
            "int ty = blockIdx.y * blockDim.y + threadIdx.y;",
            "int linear = ty * total + tx;",
        )
        gid = tuple(
            "int gid = tx;" if line.startswith("int gid") else line for line in declarations
        )
        statements = found.statements if self.bare else tuple(map(_steady, found.statements))
        return replace(found, declarations=(*names, *gid), statements=statements)

    def loaded(self) -> Expr:
        """What global memory that nobody writes holds."""
        while (found := super().loaded()).text.startswith("(sh["):
            pass
        return found

    def _factor(self) -> Expr:
        return self.pick([e for e in self.names if e.text in {"n", "m", "total"}])

    def _simple(self, kind: str) -> Statement:
        match kind:
            case "store" | "shared" | "barrier" | "warp":
                if self.chance(40):  # the same value, wherever it goes
                    return Statement(f"r_oc[{self.index(ELEMENTS, 2)}] = 1;")
                name = self.pick(list(_STORES))
                return Statement(_STORES[name].format(f"r_{name}[linear]", self.expr(2).text))
            case "atomic":
                return Statement(f"atomicAdd(&r_hits[{self.index(1024, 1)}], {self.leaf().text});")
            case "struct":
                place = self.index(ELEMENTS, 1)
                return Statement(
                    self.pick(
                        (f"own = a_cell[{place}];", "r_ocell[linear] = own;",
                         f"own.b = {self.expr(1).text};", f"acc += around(a_f32, {place} & 8191);")
                    )
                )  # fmt: skip
            case _:
                return super()._simple(kind)


def _steady(row: Statement) -> Statement:
    def renamed(text: str) -> str:
        text = text.replace(_START, "START").replace("(int)blockIdx.x", "ty")
        return text.replace("blockDim.x", "total").replace("START", _START)

    def each(rows: tuple[Statement, ...] | None) -> tuple[Statement, ...] | None:
        return None if rows is None else tuple(map(_steady, rows))

    return Statement(renamed(row.text), each(row.body), each(row.other), renamed(row.once))


@st.composite
def steady_kernels(draw: st.DrawFn) -> Kernel:
    """A kernel of which a result is the same in each of its launches."""
    return Steady(draw).kernel()


class Outcome(Struct):
    """``axes``: kernels by the axes that are proved; ``same``, ``other``: results of launches that
    differ along axes that are not, the same or not; ``wrong``: what refutes a proof.
    """

    axes: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    same: int = 0
    other: int = 0
    wrong: list[str] = field(default_factory=list)


def check(kernels: Sequence[Kernel], seed: int) -> Outcome:
    """One translation unit: proofs, and launches that might refute them."""
    texts = [kernel.text(f"k{number:03}") for number, kernel in enumerate(kernels)]
    program, ir = load("\n".join([PRELUDE, *texts]), opt_level=1)
    module = read_module(prepare(ir, "unit.cu", trusted=True))
    functions = {function.name: function for function in module.kernels}
    rng = random.Random(seed)
    fresh = arrays()
    outcome = Outcome()
    for number, text in enumerate(texts):
        name = f"k{number:03}"
        function = functions[program.symbol(name)]
        proved = block_size_independence(module, function).proved & {"x", "y"}
        outcome.axes["".join(sorted(proved))] += 1
        first = rng.choice(SHAPES)
        scalars = (
            np.int32(rng.randint(0, MOST_N)), np.int32(rng.randint(1, MOST_M)),
            np.uint32(rng.getrandbits(32)),
        )  # fmt: skip

        def results(shape: Shape, name: str = name, scalars: tuple[object, ...] = scalars) -> bytes:
            own = [_copy(array) for array in fresh]
            grid = (THREADS[0] // shape[0], THREADS[1] // shape[1], 1)
            program.launch(name, grid, (*shape, 1), *own, *scalars)
            return b"".join(array.tobytes() for array in own)

        before = results(first)
        for second in rng.sample(SHAPES, 4):
            moved = {axis for axis, a, b in zip("xy", first, second, strict=True) if a != b}
            if not moved:
                continue
            equal = results(second) == before
            if moved <= proved:
                outcome.compared += 1
                if not equal:
                    outcome.wrong.append(f"blocks of {first} and {second}:\n{text}")
            elif equal:
                outcome.same += 1
            else:
                outcome.other += 1
    return outcome


def _copy(
    array: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A copy that starts where cudaMalloc would let it."""
    room = np.zeros(array.size + 256, np.uint8)
    start = -room.ctypes.data % 256
    room[start : start + array.size] = array
    return room[start : start + array.size]


def main() -> int:
    """Exit status 1 when a proof was refuted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":", 1)[1].strip())
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    stream = islice(drawn(options.seed, steady_kernels()), options.count)
    total, done = Outcome(), 0
    while batch := list(islice(stream, 40)):
        found = check(batch, options.seed + done)
        done += len(batch)
        total.axes += found.axes
        total.compared += found.compared
        total.same += found.same
        total.other += found.other
        total.wrong += found.wrong
        proved = ", ".join(f"{n} along {axes or 'no axis'}" for axes, n in total.axes.items())
        print(
            f"{done} kernels: proved {proved}; {total.compared} pairs of launches compared, "
            f"{len(total.wrong)} differ; not proved: {total.other} differ, {total.same} do not",
            flush=True,
        )
    print("\n".join(total.wrong))
    return int(bool(total.wrong))


if __name__ == "__main__":
    sys.exit(main())
