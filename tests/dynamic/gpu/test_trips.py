"""Loops that a GPU counts when they are entered: what they cost, and which ones they are."""

from __future__ import annotations

import random
import struct
import subprocess
from pathlib import Path

import pytest
from msgspec import Struct

from drano.dynamic.gpu.counting.library_code import SOURCE
from drano.dynamic.gpu.counting.proved_costs import packed
from drano.dynamic.gpu.counting.trips import Trip, trips_of
from drano.frontend.clang import compile_unit
from drano.frontend.toolchain import find_clang
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import CompileOptions
from tests.dynamic import model
from tests.dynamic.gpu.test_device_code import PROGRAMS, kernel, unit_of
from tests.dynamic.model import LOAD, STORE, Request

FULL = 0xFFFFFFFF
GLOBAL, SHARED, GENERIC, TIMES, PREFIX = range(5)
ONLY_SHARED, MAY_BE_SHARED, STEADY = 8, 16, 64
WINDOW = 0x55 << 24
"""Of shared memory, among generic addresses."""


class Looped(Struct, frozen=True):
    """The requests of a loop: of each lane how many, the first address, by how much it moves."""

    how: int
    mask: int
    size: int
    kind: int
    times: tuple[int, ...]
    starts: tuple[int, ...]
    steps: tuple[int, ...]

    def packed(self) -> bytes:
        kind = self.kind | (STEADY if len(set(self.steps)) == 1 else 0)
        kind |= {GENERIC: MAY_BE_SHARED}.get(self.how, ONLY_SHARED if self.is_shared else 0)
        costs = [0] * 32
        if self.how == PREFIX:
            prefixes = (self.request((1 << count) - 1, 0) for count in range(1, 33))
            costs = [packed(model.wavefronts(r), len(model.phases(r)), 0) for r in prefixes]
        values = (*self.times, *self.starts, *self.steps, *costs)
        unsigned = [value % (1 << 64) for value in values]
        return struct.pack("<4I128Q", self.how, self.mask, self.size, kind, *unsigned)

    @property
    def is_shared(self) -> bool:
        return self.how in (SHARED, PREFIX)

    def request(self, mask: int, k: int) -> Request:
        at = tuple(s + k * d for s, d in zip(self.starts, self.steps, strict=True))
        there = self.is_shared or (self.how == GENERIC and self.starts[0] >> 24 == WINDOW >> 24)
        return Request(self.size, self.kind, there, mask, at)

    def counts(self) -> list[int]:
        """Request by request: of global memory, of generic addresses elsewhere, of shared ones."""
        found = [[0] * 5 for _ in range(3)]
        active = [lane for lane in range(32) if self.mask >> lane & 1]
        for k in range(max(self.times[lane] for lane in active)):
            mask = sum(1 << lane for lane in active if self.times[lane] > k)
            request = self.request(mask, k)
            row = found[2] if request.shared and self.how == GENERIC else found[0]
            row[0] += mask.bit_count()
            row[4] += 1
            if self.how == TIMES:
                continue
            if request.shared:
                row[1] += model.wavefronts(request)
                row[2] += len(model.phases(request))
            else:
                row[1] += model.units(request, 32)
                row[2] += model.units(request, 128)
                row[3] += model.ideal_sectors(request)
        return [count for row in found for count in row]


def convolved(first: int, row: int, size: int) -> tuple[list[int], list[int]]:
    """Addresses and numbers of iterations of lanes that go through a row of 60 products: windows of
    up to 20 of 40 elements, which begin and end at borders.
    """
    starts, times = [], []
    for lane in range(first, first + 32):
        at = lane % 60
        starts.append((1 << 23) + size * (min(at, 40) + lane // 60 * row))
        times.append(max(1, min(at, 20, 60 - at)))
    return starts, times


def loops(seed: int, count: int) -> list[Looped]:
    """Loops of every kind: lanes in order and not, of equal and of different length."""
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        how = draw.choice([GLOBAL, GLOBAL, GLOBAL, SHARED, GENERIC, TIMES, PREFIX])
        size = draw.choice([1, 2, 4, 4, 4, 8, 16] if how else [1, 2, 4, 4, 4, 8, 16, 12, 24])
        size = max(size, 4) if how == PREFIX else size
        mask = draw.choice(
            [FULL, FULL, FULL, draw.getrandbits(32) | 1, 1 << draw.randrange(32), 0xFFFF]
        )
        stride = draw.choice([0, 1, 1, 1, 2, 3, 8, 17, 32, 81, -1, -5])
        base = 1 << 23 | draw.randrange(64) * size
        lanes = draw.choice(
            [
                [k * stride for k in range(32)],
                [k // 2 * stride for k in range(32)],
                [(k % 16) * stride + k // 16 * 50 for k in range(32)],
                [(k % 16) + (k // 16) * draw.choice([0, 200]) for k in range(32)],
                [draw.randrange(400) for _ in range(32)],
                sorted(draw.randrange(60) for _ in range(32)),
            ]
        )
        top = draw.choice([3, 9, 40, 70])
        times = draw.choice(
            [
                [top] * 32,
                [top + k for k in range(32)],
                [top + 31 - k for k in range(32)],
                [1 + abs(k - top % 32) for k in range(32)],
                [draw.randrange(1, top + 1) for _ in range(32)],
            ]
        )
        elsewhere = how == GENERIC and draw.random() < 0.3
        if draw.random() < 0.005 and not elsewhere:  # more than one portion
            times = [n + (1 << 14) for n in times]
        step = draw.choice([0, 1, -1, 1, -1, 2, 3, -7, 8, 17, 32, 81, -81]) * size
        steps = [step] * 32
        if draw.random() < 0.1 and how != PREFIX:
            steps = [draw.choice([-1, 0, 1, 2]) * size for _ in range(32)]
        if elsewhere:
            base += WINDOW
        starts = [base + size * k for k in lanes]
        kind = draw.choice([LOAD, STORE])
        if how == GLOBAL and draw.random() < 0.4:  # the end of a row, and the next one
            mask = draw.choice([FULL, FULL, 0xFFFF0, 0xFF00FF00])
            size = draw.choice([2, 4, 4, 8])
            starts, times = convolved(draw.randrange(90), draw.choice([0, 7, 33, -40]), size)
            steps = [draw.choice([-1, 1, -3]) * size] * 32
        found.append(Looped(how, mask, size, kind, tuple(times), tuple(starts), tuple(steps)))
    return found


@pytest.mark.parametrize("own_reductions", [0, 1])
def test_loops_cost_what_their_requests_do(tmp_path: Path, own_reductions: int) -> None:
    program, data = tmp_path / "warp", tmp_path / "loops"
    subprocess.run(
        [
            find_clang().path, "--no-default-config", "-std=c++17", "-w", "-O1",
            f'-DCOUNTING="{SOURCE}"', f"-DOWN_REDUCTIONS={own_reductions}",
            str(Path(__file__).parents[1] / "warp.cpp"), "-o", str(program),
        ],
        check=True,
    )  # fmt: skip
    asked = loops(5 + own_reductions, 600)
    data.write_bytes(b"".join(loop.packed() for loop in asked))
    done = subprocess.run([program, data], check=True, capture_output=True, text=True, timeout=100)
    for loop, line in zip(asked, done.stdout.splitlines(), strict=True):
        assert [int(word) for word in line.split()] == loop.counts(), loop


def trips(source: Path) -> dict[str, list[Trip]]:
    """The loops of each kernel that are counted when they are entered, if it pays."""
    unit = compile_unit(str(source), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    module = read_module(prepare(unit.ir, str(source), trusted=True))
    return {kernel.display: trips_of(kernel, module.globals) for kernel in module.kernels}


def test_loops_that_are_known(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__constant__ struct { int rows; const float *in; } c;\n"
        "__global__ void k(float *p, int n, unsigned m, int ld) {\n"
        "  int t = threadIdx.x;\n"
        "  for (int i = t; i < c.rows; i += 4) p[i * 2 - 3] = c.in[t - i];\n"
        "  for (int i = n; i >= 0; i--) p[i * ld] = 1;\n"
        "  for (unsigned i = 0; i != m; i++) p[n] = 2;\n"
        "  for (int i = 0; i < 9; i++) p[i * i] = 3;\n"
        "}\n"
    )
    (found,) = trips(source).values()
    known = {(trip.predicate, trip.step, trip.constant, *trip.steps.values()) for trip in found}
    assert known == {
        ("slt", 4, False, 0, 0, -16, 32),  # c.rows, c.in, what it points to, p
        ("sge", -1, False, None),
        ("ne", 1, False, 0),
        ("slt", 1, True),  # i * i does not move by a step
    }


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < *n; i++) p[i] = 1;",  # another thread may write the bound
        "for (unsigned i = 0; i < m; i += 2) p[i] = 1;",  # may wrap and go on
        "for (int i = 0; i < 9; i++) if (p[i] == 3) break;",
        "for (int i = 0; i < 9; i++) if (i & threadIdx.x) p[i] = 3;",
        "for (int i = 0; i < 9; i++) atomicAdd(p + i, 3);",
        "for (int i = 0; i < 9; i++) { p[i] = 3; __syncthreads(); }",
        "for (int i = 1; i < 99; i *= 2) p[i] = 3;",
    ],
)
def test_other_loops_are_counted_as_they_run(loop: str, tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(f"__global__ void k(int *p, const int *n, unsigned m) {{ {loop} }}\n")
    assert trips(source) == {"k": []}


def test_a_number_that_may_wrap_is_not_widened(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(int *p, unsigned from, int n) {\n"
        "  for (int i = 0; i < n; i++) p[from + i] = 1;\n}\n"
    )
    (found,) = trips(source).values()
    assert [dict(trip.steps) for trip in found] == [{}]


def test_nothing_is_counted_in_known_loops(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(const float *p, float *q, int n) {\n"
        "  float sum = 0;\n"
        "  for (int i = threadIdx.x & 7; i < n; i++) sum += p[i] * p[n - i];\n"
        "  q[threadIdx.x] = sum;\n}\n"
    )
    for arch in ("sm_75", "sm_90"):
        text = kernel(unit_of(source, arch).ptx, "_Z1kPKfPfi")
        assert text.count("drano_loop_global, (") == 2
        loop = text[text.rindex("drano_loop_global, (") : text.rindex("activemask")]
        assert loop.count("fma.rn.f32") >= 1
        assert "activemask" not in loop
        assert "change" not in text


def test_programs_with_loops_of_every_kind_are_compiled() -> None:
    # test_replays has it assembled
    assert unit_of(PROGRAMS / "loops.cu", assembled=False).ptx.count("drano_loop_") > 20
    found = trips(PROGRAMS / "loops.cu")
    assert {name: len(known) for name, known in found.items()} == {
        "convolution": 1, "counters": 9, "rows": 5, "parts": 5,
    }  # fmt: skip
