"""Classes of instructions, and the operations that they do."""

from __future__ import annotations

import pytest

from drano.analysis.instruction_classes import CLASSES, Operation, operation
from drano.dynamic.profiles.profile import Mix
from drano.ir import model as m

F32, F64, F16, I32 = m.FloatType(32), m.FloatType(64), m.FloatType(16), m.IntType(32)
X = m.Local(0)


def made(kind: type, type_: m.Type = I32, **more: object) -> m.Instruction:
    instruction: m.Instruction = kind(index=1, name="v", type=type_, location=None, **more)
    return instruction


def binary(op: str, type_: m.Type) -> m.Instruction:
    return made(m.Binary, type_, op=op, lhs=X, rhs=X)


def call(name: str | None, type_: m.Type = F32) -> m.Instruction:
    return made(m.Call, type_, callee=name, target=None, args=(), arg_types=())


def asm(text: str) -> m.Instruction:
    return made(m.Call, I32, callee="asm", target=None, args=(), arg_types=(), text=text)


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        (binary("fadd", F32), Operation("f32", 1, 32)),
        (binary("fdiv", F64), Operation("f64", 1, 64)),
        (binary("fmul", m.VectorType(2, F16)), Operation("f16", 2, 16)),
        (binary("add", I32), Operation("integer", integers=1)),
        (call("llvm.fma.f64", F64), Operation("f64", 2, 64)),
        (call("__nv_fmaf"), Operation("f32", 2, 32)),
        (call("__nv_fmaxf"), Operation("f32", 1, 32)),
        (call("llvm.fabs.f32"), Operation("f32", 0, 32)),
        (call("__nv_sinf"), Operation("special", 1, 32)),
        (call("llvm.nvvm.rsqrt.approx.d", F64), Operation("special", 1, 64)),
        (call("__nv_mulhi", I32), Operation("integer", integers=1)),
        (call("__nv_float2int_rz", I32), Operation("convert")),
        (call("llvm.smin.i32", I32), Operation("integer", integers=1)),
        (call("llvm.nvvm.shfl.sync.down.i32", I32), Operation("exchange")),
        (call("llvm.nvvm.vote.ballot.sync", I32), Operation("exchange")),
        (call("llvm.nvvm.barrier.cta.sync.aligned.all"), Operation("barrier")),
        (call("llvm.nvvm.read.ptx.sreg.tid.x", I32), Operation("other")),
        (call("llvm.lifetime.start.p0"), Operation("")),
        (call("_Z4walkPi"), Operation("control")),
        (call(None), Operation("control")),
        (asm("{add.f16 $0,$1,$2;\\0A}"), Operation("f16", 1, 16)),
        (asm("{ fma.rn.f16x2 $0,$1,$2,$3; }"), Operation("f16", 4, 16)),
        (asm("{.reg .f32 a; mov.b32 a, $1; ex2.approx.f32 $0, a;}"), Operation("special", 1, 32)),
        (asm("bfe.u32 $0, $1, $2, $3;"), Operation("integer", integers=1)),
        (asm("ld.global.cg.f32 $0, [$1];"), Operation("memory")),
        (asm("bar.sync 1, 64;"), Operation("barrier")),
        (asm("mov.u32 $0, %laneid;"), Operation("other")),
        (made(m.Compare, m.IntType(1), predicate="slt", lhs=X, rhs=X, operand_type=I32,
              floating=False), Operation("compare")),
        (made(m.Cast, F32, op="sitofp", value=X, source_type=I32), Operation("convert")),
        (made(m.Cast, F32, op="bitcast", value=X, source_type=I32), Operation("")),
        (made(m.Phi, incoming=()), Operation("")),
        (made(m.Jump, m.VoidType(), target=0), Operation("")),
        (made(m.Branch, m.VoidType(), condition=X, if_true=0, if_false=1), Operation("control")),
    ],
)  # fmt: skip
def test_operations(instruction: m.Instruction, wanted: Operation) -> None:
    assert operation(instruction) == wanted


def test_profiles_have_the_same_classes() -> None:
    assert Mix.__struct_fields__ == CLASSES
