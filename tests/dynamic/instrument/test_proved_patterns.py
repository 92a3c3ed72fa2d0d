"""What is proved of accesses: patterns, their costs, and counts with and without them."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.instrument.proved_patterns import Pattern, proved_patterns
from drano.frontend.clang import compile_unit
from drano.ir.model import Module
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.access import AccessKind
from drano.model.settings import CompileOptions
from drano.model.span import Span
from drano.model.translation_unit import LaunchSite
from tests.dynamic import model

ROOT = Path(__file__).parents[3]
FULL = 0xFFFFFFFF
KINDS = {AccessKind.LOAD: model.LOAD, AccessKind.STORE: model.STORE, AccessKind.ATOMIC: 2}


def test_a_cost_is_the_models() -> None:
    rng = random.Random(5)
    for _ in range(400):
        size = rng.choice([1, 2, 4, 8, 16])
        kind = rng.choice([AccessKind.LOAD, AccessKind.STORE, AccessKind.LOAD])
        stride = rng.choice([0, 1, 1, 2, -1, 5, 33])
        offsets = [size * (stride * lane + rng.choice([0, 0, lane // 16])) for lane in range(32)]
        pattern = Pattern(None, tuple(offset - offsets[0] for offset in offsets))
        mask = rng.choice([FULL, FULL, rng.getrandbits(32) | 1, 0xFFFF, 8])
        first = rng.randrange(0, 128, size)
        cost = pattern.cost(size, kind, mask, first)
        places = tuple(first + (1 << 14) + offset for offset in pattern.offsets)
        request = model.Request(size, KINDS[kind], False, mask, places)
        assert cost.lines == model.units(request, 128)
        assert cost.sectors == model.units(request, 32)
        assert cost.sectors_ideal == model.ideal_sectors(request)
        assert cost.wavefronts == model.wavefronts(request)
    atomics = Pattern(None, tuple(4 * (lane // 4) for lane in range(32)))
    assert atomics.cost(4, AccessKind.ATOMIC, FULL, 0).conflicts == 24
    assert atomics.cost(4, AccessKind.ATOMIC, 0b10011, 0).conflicts == 1


SOURCE = """
__global__ void k(const int *a, int *b, int pitch, int n) {
  __shared__ int tile[16][17];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.y][threadIdx.x % 16] = a[i];
  b[i * pitch] = a[n] + a[a[i]] + a[pitch * threadIdx.y + threadIdx.x];
  if (i < n) b[3 * i + 1] = tile[n][0];
}
"""


def module_of(directory: Path, source: str) -> Module:
    file = directory / "unit.cu"
    file.write_text(source)
    unit = compile_unit(str(file), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    return read_module(prepare(unit.ir, str(file), trusted=True))


def launch(block: tuple[int | None, int | None, int | None]) -> LaunchSite:
    return LaunchSite("_Z1kPKiPiii", "k", (None,) * 3, block, (), Span("unit.cu", 1, 1))


def test_patterns_are_proved_for_a_shape(tmp_path: Path) -> None:
    module = module_of(tmp_path, SOURCE)

    def strides(*launches: LaunchSite) -> list[tuple[object, int, int]]:
        found = proved_patterns(module, launches)
        rows = [p for patterns in found.values() for p in patterns]
        return sorted(((p.block, p.offsets[1], p.offsets[16]) for p in rows), key=str)

    wide = strides()
    assert {block for block, _, _ in wide} == {None}
    # a[i] (once or twice), tile[y][x % 16], a[n], a[pitch * y + x], b[3 * i + 1], tile[n][0]
    assert {(one, sixteen) for _, one, sixteen in wide} == {(4, 64), (4, 0), (0, 0), (12, 192)}
    assert strides(launch((None, 1, 1))) == wide
    assert strides(launch((64, 1, 1))) == wide
    square = strides(launch((16, 16, 1)))
    assert {block for block, _, _ in square} == {(16, 16, 1)}
    # the tile's rows are 17 wide; i is the same in both halves; a's rows are of unknown pitch
    assert {(one, sixteen) for _, one, sixteen in square} == {(4, 68), (4, 0), (0, 0), (12, 0)}
    assert {block for block, _, _ in strides(launch((16, 16, 1)), launch((32, 4, 1)))} == {
        None,
        (16, 16, 1),
    }


def counts_of(program: Path, arguments: list[str], prune: str) -> tuple[Any, list[bool]]:
    """The profile without its times, and which sites were proved."""
    place = program.with_name(f"{prune}.json")
    environment = {**os.environ, "DRANO_PROFILE": str(place), "DRANO_PRUNE": prune}
    environment["DRANO_WORKERS"] = "1"
    done = subprocess.run(
        [program, *arguments],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "error" not in done.stderr
    profile = json.loads(place.read_text())
    del profile["nanoseconds"]
    for kernel in profile["kernels"]:
        del kernel["nanoseconds"]
        for shape in kernel["shapes"]:
            del shape["nanoseconds"]
    return profile, [site.pop("pruned") for site in profile["sites"]]


PROGRAMS = [
    ("tests/dynamic/programs/proved.cu", ["64"]),
    ("tests/dynamic/programs/full.cu", []),
    *((f"examples/{name}.cu", []) for name in ("stencil", "reduction")),
]


@pytest.mark.parametrize(("source", "arguments"), PROGRAMS)
def test_pruned_counts_are_the_measured_ones(
    tmp_path: Path, source: str, arguments: list[str]
) -> None:
    program = tmp_path / "program"
    assert compile_main(["-O1", str(ROOT / source), "-o", str(program)]) == 0
    pruned, proved = counts_of(program, arguments, "on")
    measured, none = counts_of(program, arguments, "off")
    assert pruned == measured
    assert any(proved)
    assert not any(none)
    assert counts_of(program, arguments, "verify")[0] == measured


def test_nothing_is_proved_when_asked_not_to(tmp_path: Path) -> None:
    program = tmp_path / "program"
    source = str(ROOT / "tests/dynamic/programs/proved.cu")
    assert compile_main(["-O1", "--no-prune", source, "-o", str(program)]) == 0
    assert not any(counts_of(program, ["64"], "on")[1])
