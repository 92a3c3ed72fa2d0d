"""Declarations of fragments' moves: known ones get bodies, others stay as they are."""

from __future__ import annotations

import pytest

from drano.ir.prepare.tile_accesses import with_tile_accesses

ROW = "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1"
HALVES = "{ " + ", ".join(["<2 x half>"] * 8) + " }"
SUMS = ", ".join(["float"] * 8)


@pytest.mark.parametrize(
    "declared",
    [
        f"declare {HALVES} @{ROW}(ptr addrspace(1) readonly captures(none), i32)",
        f"declare void @llvm.nvvm.wmma.m8n32k16.store.d.col.stride.f32.p0(ptr, {SUMS}, i32)",
        "declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3(ptr addrspace(3))",
        "declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3), i32, i32)",
    ],
)
def test_what_is_known_gets_a_body(declared: str) -> None:
    text = with_tile_accesses(f"{declared} #0\n")
    assert "@llvm.nvvm.wmma" not in text and "matrix.sync.aligned.m8n8.x1.b16.p3(ptr" not in text
    assert "define internal" in text


@pytest.mark.parametrize(
    "declared",
    [
        f"declare {HALVES} @{ROW.replace('m16', 'm99999999')}(ptr addrspace(1), i32)",
        f"declare i64 @{ROW}(ptr addrspace(1), i32)",
        f"declare void @{ROW}(ptr addrspace(1), i32)",
        f"declare {HALVES} @{ROW}(ptr addrspace(1), i64)",
        f"declare {HALVES} @{ROW}(i32, ptr addrspace(1))",
        f"declare <2 x half> @{ROW}(ptr addrspace(1), i32)",
        f"declare {HALVES} @{ROW.replace('f16', 'f64')}(ptr addrspace(1), i32)",
        "declare void @llvm.nvvm.wmma.m8n32k16.store.d.col.stride.f32.p0(ptr, float, i32)",
        "declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))",
        "declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3), i32)",
        f"declare {HALVES} @{ROW}({'(' * 50}",
    ],
)
@pytest.mark.parametrize("executed", [False, True])
def test_what_is_not_as_llvm_declares_it_stays(declared: str, executed: bool) -> None:
    text = f"{declared} #0\n"
    assert with_tile_accesses(text, executed=executed) == text
