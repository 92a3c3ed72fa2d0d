"""What is executed, counted in programs for a GPU: that it is built; what it is, a GPU has to say.

Counts of tests/dynamic/programs/work.cu are then the CPU's, which tests/dynamic/test_work.py tells
beforehand.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.dynamic.gpu.counting.block_visits import with_own_names, with_visits
from drano.dynamic.gpu.counting.counting_calls import Choices
from drano.dynamic.gpu.device_code import Build, GpuUnit, gpu_unit
from drano.dynamic.instrument.counting_calls import instrument
from drano.frontend.clang import compile_unit
from drano.frontend.sdk.headers import cuda_headers
from drano.frontend.toolchain import find_clang
from drano.host.launching.unit_launches import unit_launches
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import CompileOptions
from tests.conftest import Run

WORK = Path(__file__).parents[1] / "programs/work.cu"


def unit_of(choices: Choices | None = None, *, written: bool = False) -> GpuUnit:
    options = CompileOptions(arch="sm_80")
    unit = compile_unit(str(WORK), options)
    assert unit.ir is not None
    return gpu_unit(Build(
        unit.ir, "id", str(WORK), "sm_80", find_clang(), cuda_headers().ptxas, choices,
        launches=lambda: unit_launches(str(WORK), options).sites, operations=True, written=written,
    ))  # fmt: skip


def test_every_block_counts_its_lanes() -> None:
    unit = compile_unit(str(WORK), CompileOptions())
    assert unit.ir is not None
    prepared = prepare(unit.ir, str(WORK), trusted=True)
    text = instrument(prepared, read_module(prepared)).text
    visited = with_visits(text, str(WORK))
    called = [int(number) for number in re.findall(r"@__drano_visit\(i32 (\d+)\)", visited.text)]
    functions = [f for f in visited.module.functions.values() if f.blocks]
    assert called == list(range(visited.blocks))
    assert visited.blocks == sum(len(f.blocks) for f in functions)
    assert {number for number, _ in visited.work} <= set(called)
    (horner,) = {
        (number, item.amounts.flops[1])
        for number, item in visited.work
        if "s * x + 1.0f" in WORK.read_text().splitlines()[item.place.location.span.line - 1]
        and item.amounts.flops[1]
    }
    assert horner[1] == 2
    assert with_own_names(visited).work == visited.work


@pytest.mark.parametrize("written", [False, True])
def test_code_that_counts_is_accepted(written: bool) -> None:
    made = unit_of(written=written)
    start = made.ptx.index(".entry _Z10arithmeticPKfPfPdii(")
    kernel = made.ptx[start : made.ptx.index("\n}", start)]
    assert len(re.findall(r"\bdrano_visit, ", kernel)) >= 6
    assert "drano_register_visits" in str(made.table)


def test_requests_by_lines_as_well() -> None:
    assert "drano_visit" in unit_of(Choices(histogram=True)).ptx


def test_not_in_a_sample(drano: Run) -> None:
    done = drano("cc", "--device", "gpu", "--operations", "--sample", "1/8", str(WORK))
    assert done.status == 2
    assert "--operations: cannot be counted in a sample" in done.error_lines[0]
    assert "is for --device gpu" in drano("cc", "--operations", str(WORK)).error_lines[0]
