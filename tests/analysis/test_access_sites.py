"""How many bytes a lane accesses, as the type says that is loaded."""

from __future__ import annotations

import pytest

from drano.analysis.access_sites import memory_sites
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
declare TYPE @llvm.nvvm.NAME.TYPES.p1(ptr addrspace(1), i32)
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %loaded = call TYPE @llvm.nvvm.NAME.TYPES.p1(ptr addrspace(1) %a, i32 16)
  store TYPE %loaded, ptr addrspace(1) %out
  ret void
}
"""


@pytest.mark.parametrize("name", ["ldu.global", "ldg.global"])
@pytest.mark.parametrize(
    ("type_", "overload", "size"),
    [
        ("float", "f.f32", 4),
        ("double", "f.f64", 8),
        ("<4 x float>", "f.v4f32", 16),
        ("<2 x double>", "f.v2f64", 16),
        ("<2 x float>", "f.v2f32", 8),
        ("<4 x i8>", "i.v4i8", 4),
        ("i16", "i.i16", 2),
    ],
)
def test_loads_by_intrinsics(name: str, type_: str, overload: str, size: int) -> None:
    text = KERNEL.replace("NAME.TYPES", f"{name}.{overload}").replace("TYPE", type_)
    module = read_module(prepare(text, "loads.ll", trusted=True))
    load, store = memory_sites(module.functions["k"])
    assert (load.bytes, store.bytes) == (size, size)
