"""Numba's own compiler, and what drano says of what it makes: at the right lines, in its words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from numba import float32, types

from drano import assert_coalesced, check_numba
from drano.model.finding import Finding
from drano.model.judgement import Space, Verdict
from drano.model.report import Report
from tests.conftest import Run
from tests.expectations import Expectation, read_expectations
from tests.python import numba_cases
from tests.python.numba_cases import CASES, Case

SOURCE = Path(numba_cases.__file__)
LINES = SOURCE.read_text().splitlines()
RULES = ("DRN001", "DRN002", "DRN003", "DRN004", "DRN101")
# A loop that was unrolled in four: which lane goes on where cannot be told.
UNKNOWN = {"grid_stride", "grid_stride_by_range", "gather", "histogram"}  # fmt: skip


def report_of(name: str, **options: Any) -> Report:
    (case,) = (case for case in CASES if case.name == name)
    return check_numba(case.kernel, signature=case.signature, block=case.block, **options)


def expected(case: Case) -> list[Expectation]:
    """What the comments within the kernel announce, and within the function that it calls."""
    names = (case.name, "fifth") if case.name == "calls_a_function" else (case.name,)
    found: list[Expectation] = []
    for name in names:
        first = next(k for k, text in enumerate(LINES, 1) if text.startswith(f"def {name}("))
        rest = range(first + 1, len(LINES) + 1)
        last = next(k for k in rest if LINES[k - 1].startswith(("@", "def ", "class ")))
        found += [e for e in read_expectations(LINES, SOURCE) if first <= e.line < last]
    return found


def said(finding: Finding) -> str:
    return f"{finding.message} {finding.help}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdicts_at_the_right_lines(case: Case) -> None:
    report = report_of(case.name)
    (file,) = report.files
    assert file.path == str(SOURCE)
    found = [f for f in report.findings if f.rule in RULES]
    wanted = expected(case)
    assert sorted({(f.location.span.line, f.rule) for f in found}) == sorted(
        {(e.line, e.rule) for e in wanted}
    ), [f"{f.location.span}: {f.message}" for f in found]
    for want in wanted:
        here = [f for f in found if f.location.span.line == want.line]
        assert any(want.text in said(finding) for finding in here), [said(f) for f in here]
    spaces = (Space.GLOBAL, Space.GENERIC)
    known = [a for a in file.accesses if a.judgement.space in spaces]
    assert known
    unknown = [a for a in known if a.judgement.verdict is Verdict.UNKNOWN]
    assert bool(unknown) == (case.name in UNKNOWN)
    (launch,) = file.kernels[0].launches
    assert launch.block == (*case.block, 1, 1)[:3]
    assert launch.exact


def test_words_and_columns_are_the_sources() -> None:
    (finding,) = report_of("transpose").findings
    line = LINES[finding.location.span.line - 1]
    assert finding.access is not None
    start, end = finding.access.start_column, finding.access.end_column
    assert line[start - 1 : end - 1] == "out[column, row]"
    assert "`out.shape[1]` elements" in finding.message
    assert "cuda.grid(2)" in finding.help
    assert " threadIdx" not in said(finding)
    (finding,) = report_of("of_any_stride").findings
    assert "`x.strides[0]` may be 4" in finding.message
    assert "float32[::1]" in finding.help


def test_types_in_the_place_of_texts() -> None:
    for signature in ((float32[::1], float32[::1]), types.void(float32[::1], float32[::1])):
        report = check_numba(numba_cases.strided, signature=signature)
        assert [f.rule for f in report.findings] == ["DRN001"]
    plain = check_numba(numba_cases.strided.py_func, signature="(float32[::1], float32[::1])",
                        block=(128,), grid=(64,), arch="sm_80")  # fmt: skip
    assert [f.rule for f in plain.findings] == ["DRN001"]


def test_what_is_no_kernel_or_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="no Numba kernel"):
        check_numba(3, signature="void()")
    with pytest.raises(ValueError, match="unknown GPU architecture"):
        report_of("strided", arch="gfx942")
    from numba.core import config

    monkeypatch.setattr(config, "ENABLE_CUDASIM", 1)
    with pytest.raises(ValueError, match="NUMBA_ENABLE_CUDASIM"):
        report_of("strided")


def test_the_benchmark_launches_each_kernel(tmp_path: Path) -> None:
    from benchmarks import python_hardware

    python_hardware.record(tmp_path)
    target = tmp_path / "placed"
    target.mkdir()
    python_hardware.placed(tmp_path, target)
    for name, launch in python_hardware.LAUNCHES.items():
        accesses = python_hardware.accesses_of(name, target)
        assert accesses, name
        shapes = {a.launch.block for a in accesses if a.launch is not None}
        assert shapes == {(*launch.block, 1, 1)[:3]}, name
        assert python_hardware.symbol_of(name, target)
    launched = {name.removeprefix("numba-") for name in python_hardware.LAUNCHES}
    assert {case.name for case in CASES} <= launched


def test_as_assertions() -> None:
    good, bad = CASES[0], next(case for case in CASES if case.name == "strided")
    assert_coalesced(good.kernel, signature=good.signature, block=(256, 1, 1))
    with pytest.raises(AssertionError) as caught:
        assert_coalesced(bad.kernel, signature=bad.signature)
    assert "uncoalesced load of `x[i * 8]`" in str(caught.value)
    assert "out[i] = x[i * 8]" in str(caught.value)
    with pytest.raises(TypeError, match="constexprs are for Triton"):
        assert_coalesced(bad.kernel, signature=bad.signature, constexprs={"N": 1})


KERNEL = """from numba import cuda


@cuda.jit(device=True)
def at(x, i):
    return x[i * 8]


@cuda.jit
def strided(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = at(x, i)
"""
SCRIPT = """import sys
import numpy as np
from kernel import strided

x, out = np.zeros(1 << 20, np.float32), np.zeros(1 << 15, np.float32)
try:
    strided[128, 256](x, out)
except Exception as error:
    print(type(error).__name__)
sys.exit(3)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "kernel.py").write_text(KERNEL)
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def test_what_is_launched_without_a_gpu_is_recorded(
    script: Path, tmp_path: Path, drano: Run
) -> None:
    kept = tmp_path / "kept"
    ran = drano("capture", "--keep", kept, "--", sys.executable, script)
    assert ran.status == 1, ran.stderr
    assert "kernel.py:6:" in ran.stdout
    assert "uncoalesced load of `x[i * 8]`" in ran.stdout
    assert "blocks of 256 threads" in ran.stdout
    assert "cost: 128·8·28 sectors" in ran.stdout  # 128 blocks of 8 warps
    assert "the command ended with status 3" in ran.stderr
    again = drano("check", kept)
    assert again.status == 1
    assert "uncoalesced load of `x`" in again.stdout  # its source is not below the directory


def test_a_simulated_program_compiles_nothing(
    script: Path, drano: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    ran = drano("capture", "--", sys.executable, "-c", "import numba.cuda")
    assert "NUMBA_ENABLE_CUDASIM is set: Numba simulates" in ran.stderr
    assert ran.status == 2


COMMENTS = """import pathlib
from numba import cuda

pathlib.Path(__file__).with_name("imported").touch()


# drano: numba void(float32[:, ::1], float32[:, ::1]) block=32,8 grid=64,64
@cuda.jit
def transpose(x, out):
    column, row = cuda.grid(2)
    if row < x.shape[0] and column < x.shape[1]:
        out[column, row] = x[row, column]


# drano: numba void(float33[:])
@cuda.jit
def wrong(x):
    x[0] = 1


# drano: numba void(float32[:]) block=x
@cuda.jit
def no_block(x):
    x[0] = 1


# drano: numba void(float32[:])
number = 1
"""


def test_comments_are_compiled_with_consent_alone(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(COMMENTS)
    ran = drano("check", path)
    assert ran.status == 0
    assert not list(tmp_path.rglob("imported"))
    assert "kernels.py:7:1: Numba kernel transpose: not analysed, as nothing is" in ran.stderr
    ran = drano("check", "--compile-triton", sys.executable, path)
    assert ran.status == 1
    assert "kernels.py:12:9, in transpose, blocks of 32x8 threads" in ran.stdout, ran.stderr
    assert "`out[column, row]`" in ran.stdout
    assert "kernels.py:15:1: Numba kernel wrong: not analysed: NameError" in ran.stderr
    assert "no_block: not analysed: block=x is not one to three numbers" in ran.stderr
    assert "kernels.py:27:1: Numba comment: not analysed: no function follows" in ran.stderr
