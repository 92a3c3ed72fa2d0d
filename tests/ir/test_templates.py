"""Lines of a shape that was decoded before are read as if each were decoded for itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.ir import model as m
from drano.ir.prepare.passes import PreparedModule, prepare
from drano.ir.read import reader
from drano.ir.read.reader import read_module
from drano.ir.read.templates import shape, template
from drano.model.settings import CompileOptions
from tests.conftest import ROOT

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'
BODY = """
%struct.P = type { i32, i64 }
@table = addrspace(4) global [4 x i32] zeroinitializer
declare i32 @f(i32, ptr)
declare void @g(ptr)
define ptx_kernel void @k(ptr %p, ptr %q, i64 %n, i32 %i) {
entry:
  %a = add nsw i64 %n, 1099511627776
  %b = add nsw i64 %a, 1099511627776
  %c = mul i64 %a, %a
  %d = mul i64 %b, %c
  %far = getelementptr [4294967296 x i64], ptr %p, i64 %c, i64 255
  %near = getelementptr [4294967296 x i64], ptr %q, i64 %d, i64 255
  %struct = getelementptr %struct.P, ptr %far, i64 %a, i32 1
  %other = getelementptr %struct.P, ptr %near, i64 %b, i32 1
  %const = load i32, ptr addrspace(4) @table, align 4
  %back = load i32, ptr addrspace(4) @table, align 4
  %x = call i32 @f(i32 %const, ptr %struct)
  %y = call i32 @f(i32 %back, ptr @g)
  %z = cmpxchg ptr %p, i32 %x, i32 %y seq_cst seq_cst, align 4
  %w = cmpxchg ptr %q, i32 %y, i32 %x seq_cst seq_cst, align 4
  %never = load i32, ptr %other, align 4, !invariant.load !0
  %again = load i32, ptr %other, align 4
  switch i64 %n, label %out [ i64 1099511627776, label %one
    i64 1, label %two ]
one:
  switch i64 %n, label %two [ i64 12, label %out
    i64 1, label %two ]
two:
  %phi = phi i32 [ %x, %one ], [ %y, %entry ], [ %x, %one ]
  %psi = phi i32 [ %y, %one ], [ %x, %entry ], [ %y, %one ]
  %more = icmp slt i32 %phi, %psi
  br i1 %more, label %out, label %two.again
two.again:
  %less = icmp slt i32 %psi, %i
  br i1 %less, label %out, label %three
three:
  %v = load <2 x float>, ptr %p, align 8
  %s = shufflevector <2 x float> %v, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %t = insertelement <2 x float> %s, float 0x7FF0000000000000, i32 1
  store <2 x float> %t, ptr %q, align 8
  unreachable
out:
  ret void
}
!0 = !{}
"""


def read_both_ways(prepared: PreparedModule) -> tuple[m.Module, m.Module]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reader, "template", lambda *_: None)
        plain = read_module(prepared, thorough=True)
    return read_module(prepared, walked=False), plain


def test_what_has_no_template_and_what_looks_like_a_mark() -> None:
    prepared = prepare(HEAD + BODY, "test.ll", trusted=True)
    found, plain = read_both_ways(prepared)
    assert found == plain


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.cu")), ids=lambda p: p.stem)
def test_examples_are_read_the_same(path: Path) -> None:
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None
    found, plain = read_both_ways(prepare(unit.ir, str(path), trusted=True, printed=True))
    assert found == plain


@pytest.mark.parametrize(
    ("line", "has_one"),
    [
        ("add nsw i32 %a, 4", True),
        ("store float %x, ptr addrspace(1) %p, align 4", True),
        ("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", True),
        ("tail call void @f(ptr %p)", True),
        ("call void @f(ptr @g)", False),
        ("call void %f(ptr @g)", False),
        ("getelementptr %struct.P, ptr %p, i64 %i", False),
        ("load i32, ptr @table, align 4", False),
        ('atomicrmw add ptr %p, i32 1 syncscope("device") seq_cst, align 4', False),
        ("add i64 %a, 1099511627776", False),
        ("fence acquire", False),
        ("nonsense", False),
    ],
)
def test_which_lines_have_a_template(line: str, has_one: bool) -> None:
    texts, _ = shape(line)
    assert (template(texts, False) is not None) == has_one
