"""What Triton's modules say of parameters, in all versions' ways, and numbers of a newer LLVM."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drano.frontend.compiled.triton_cache import (
    Parameter,
    parameters_of,
    python_sources,
    with_old_constants,
    with_parameters,
)
from drano.model.report import FileStatus
from drano.model.settings import Config
from drano.run.driver import check_unit

NEW = """#loc = loc("/w/k.py":3:1)
tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("x"(#loc)), %y: !tt.ptr<f16> \
loc("y"(#loc)), %n: i32 {tt.divisibility = 16 : i32} loc("n"(#loc)), %m: i32 loc("m"(#loc))) \
attributes {noinline = false} {
"""
OLD = """#loc13 = loc("x"(#loc))
#loc14 = loc("n"(#loc))
tt.func public @k(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32} \
loc(#loc13), %arg1: i32 {tt.divisibility = 8 : i32} loc(#loc14)) attributes {} {
"""
OLDEST = """tt.func public @k(%arg0: !tt.ptr<f64> loc("/w/k.py":3:0), %arg1: i32 loc(unknown)) {
"""
DEFINE = "define ptx_kernel void @k(ptr addrspace(1) %0, i32 %1) local_unnamed_addr #0 !dbg !4 {\n"


def test_parameters() -> None:
    assert parameters_of(NEW)["k"] == (
        Parameter("x"), Parameter("y", 2), Parameter("n", 16), Parameter("m"),
    )  # fmt: skip
    assert parameters_of(OLD)["k"] == (Parameter("x"), Parameter("n", 8))
    assert parameters_of(OLDEST)["k"] == (Parameter("arg0", 8), Parameter("arg1"))
    assert parameters_of("tt.func public @k(%x: tensor<(") == {}
    assert parameters_of("") == {}


def test_attributes() -> None:
    told = with_parameters(DEFINE, OLD)
    assert '#0 "drano.parameters"="x n:8" !dbg !4 {' in told
    assert '"drano.parameters"="a b:8"' in with_parameters(DEFINE, OLD, ("a", "b"))
    assert '"drano.parameters"="x n:8" {' in with_parameters(DEFINE.replace(" !dbg !4", ""), OLD)
    assert with_parameters(DEFINE.replace("@k", "@other"), OLD) == DEFINE.replace("@k", "@other")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("fmul float %a, f0x3FB8AA3B", "fmul float %a, 0x3FF7154760000000"),
        ("float -inf", "float 0xFFF0000000000000"),
        ("double +inf)", "double 0x7FF0000000000000)"),
        ("half f0x3C00, half -inf", "half 0xH3C00, half 0xHFC00"),
        ("splat (bfloat f0x3F80)", "splat (bfloat 0xR3F80)"),
        ("fadd double %x, f0x3FF0000000000000", "fadd double %x, 0x3FF0000000000000"),
        ("float +qnan", "float 0x7FF8000000000000"),
        ('%f0x3FB8AA3B = add i32 %a, -1, !"-inf"', '%f0x3FB8AA3B = add i32 %a, -1, !"-inf"'),
    ],
)
def test_numbers_of_newer_llvms(new: str, old: str) -> None:
    assert with_old_constants(new) == old


def test_sources_below_the_working_directory_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def of(directory: str, name: str) -> tuple[str, ...]:
        return python_sources(f'!1 = !DIFile(filename: "{name}", directory: "{directory}")')

    (tmp_path / "k.py").write_text("")
    assert of(str(tmp_path), "k.py") == (os.path.join(tmp_path, "k.py"),)
    assert of(str(tmp_path), "k.txt") == ()
    assert of("/etc", "k.py") == ()
    assert of(str(tmp_path), "../k.py") == ()


def test_broken_files(tmp_path: Path) -> None:
    for text, reason in (("", "empty"), ("hello", "not valid LLVM IR"), ("\0", "NUL byte")):
        path = tmp_path / "k.llir"
        path.write_text(text)
        path.with_suffix(".ttgir").write_text("tt.func public @k(%x: " + "(" * 1000)
        report = check_unit(str(path), Config())
        assert report.status is FileStatus.ERROR
        assert reason in report.diagnostics[0].message
    amd = 'target triple = "amdgcn-amd-amdhsa"\n'
    path.write_text(amd)
    assert "target is 'amdgcn" in check_unit(str(path), Config()).diagnostics[0].message
