"""A defect of drano costs the kernel that it strikes, and is told as one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from drano.analysis import AnalysisResult, in_parts, kernels
from drano.analysis.incremental.remembered import KernelResult
from drano.ir.model import Function, Module
from drano.model.settings import Config
from drano.run.driver import Task, check_unit, guarded
from drano.run.result_cache import ResultCache

SOURCE = """
__global__ void first(float* a) { a[threadIdx.x * 8] = 1; }
__global__ void second(float* a) { a[threadIdx.x * 8] = 1; }
"""


def test_a_kernel_that_is_lost_is_named_and_the_others_are_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed = kernels._warp

    def failing(module: Module, function: Function, *rest: Any) -> KernelResult:
        if "first" in function.name:
            raise ArithmeticError("too wide")
        return analysed(module, function, *rest)

    monkeypatch.setattr(kernels, "_warp", failing)
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    report = check_unit(str(path), Config())
    (lost,) = report.not_analysed
    assert (lost.kernel, lost.cause.line) == ("first", 2)
    assert "internal error (ArithmeticError: too wide); please report it" in lost.cause.message
    assert [f.location.span.line for f in report.findings] == [3]
    assert report.incomplete
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cache = ResultCache(started=time.time_ns() + 10**10)
    cache.put(str(path), Config(), None, report)
    assert cache.get(str(path), Config()) is None  # to be seen again, with DRANO_DEBUG=1
    cache.put(str(path), Config(), None, replace(report, not_analysed=()))
    assert cache.get(str(path), Config()) is not None


def test_kernels_that_there_is_no_time_for_cost_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one may take as long as the first one did, which is too long."""
    analysed, whole = kernels._warp, in_parts.analyse_module
    config = Config()

    def slow(*arguments: Any) -> KernelResult:
        time.sleep(1.0)
        return analysed(*arguments)

    def in_little_time(*arguments: Any, until: float, **named: Any) -> AnalysisResult:
        assert 0 < until - time.monotonic() < 2 * config.compile.timeout
        return whole(*arguments, until=time.monotonic() + 1.5, **named)

    monkeypatch.setattr(kernels, "_warp", slow)
    monkeypatch.setattr(in_parts, "analyse_module", in_little_time)
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    report = check_unit(str(path), config)
    assert [kernel.name for kernel in report.kernels] == ["first"]
    assert [f.location.span.line for f in report.findings] == [2]
    (lost,) = report.not_analysed
    assert (lost.kernel, lost.cause.line) == ("second", 3)
    assert "the time for its file is up" in lost.cause.message


def test_what_takes_too_much_memory_is_no_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> KernelResult:
        raise MemoryError

    monkeypatch.setattr(kernels, "_warp", failing)
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    (told,) = guarded(Task(str(path), Config())).diagnostics
    assert "more memory" in told.message
    assert "internal error" not in told.message
