"""Inline PTX that is a function of its operands, and what is none."""

from __future__ import annotations

import pytest

from drano.ir.computing_asm import only_computes

COMPUTING = [
    "{  cvt.f32.f16 $0, $1;}\\0A",
    "{.reg .f32 a; mov.b32 a, $1; ex2.approx.f32 $0, a;}",
    "{ .reg .pred p; .reg .b32 %r<3>; setp.lt.s32 p, $1, $2; @p mov.b32 %r1, $1;"
    " @!p mov.b32 %r1, $2; add.s32 $0, %r1, 1; }",
    "// of two\\0Aprmt.b32 $0, $1, $2, 0x3210;",
]
OTHERS = [
    "mov.u32 $0, %laneid;",
    "{ .reg .b32 %r; mov.u32 %r, %clock; mov.b32 $0, %r; }",
    "ld.global.cg.f32 $0, [$1];",
    "shfl.sync.idx.b32 $0, $1, 0, 31, -1;",
    "activemask.b32 $0;",
    "{ .reg .pred p; setp.eq.s32 p, $1, 0; @p bra end; add.s32 $0, $1, 1; end: }",
    "add.s32 $0, $1, 1; bar.sync 0;",
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {$0}, {$1}, {$2}, {$3};",
    "addc.u32 $0, $1, $2;",
    "@%is_explicit_cluster mov.b32 $0, $1;",
    "no PTX at all",
    "",
]


@pytest.mark.parametrize("text", COMPUTING)
def test_what_only_computes(text: str) -> None:
    assert only_computes(text)


@pytest.mark.parametrize("text", OTHERS)
def test_what_may_do_more(text: str) -> None:
    assert not only_computes(text)
