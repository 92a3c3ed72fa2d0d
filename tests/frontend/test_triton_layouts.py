"""Layouts of blocks, from a module as Triton prints it."""

from __future__ import annotations

from drano.frontend.compiled.triton_layouts import Layout, layouts_in, layouts_of, with_layouts

# ruff: noqa: E501 - as Triton prints it

MODULE = """\
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#loc = loc("/w/k.py":3:0)
    %a = tt.load %p : tensor<32x16x!tt.ptr<f32>, #blocked> loc(#loc9)
    %b = ttg.async_copy_global_to_local %q, %s mask %m : tensor<32x16x!tt.ptr<f32>, #blocked> -> <32x16xf32, #shared, #smem> loc(#loc9)
    tt.store %p1, %v : tensor<128x!tt.ptr<f32>, #blocked1> loc(#loc3)
    %c = tt.load %p2 : tensor<32x16x!tt.ptr<f32>, #blocked> loc(#loc4)
    %d = tt.load %p3 : tensor<128x!tt.ptr<f32>, #blocked1> loc(#loc4)
    %e = tt.load %p4 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>> loc(#loc5)
    %f = tt.load %p5 : !tt.ptr<f32> loc(#loc6)
    %g = arith.addf %a, %c : tensor<32x16xf32, #blocked> loc(#loc7)
#loc1 = loc("/w/k.py":5:8)
#loc2 = loc("/w/k.py":20:4)
#loc3 = loc("/w/k.py":6:4)
#loc4 = loc("/w/k.py":7:4)
#loc5 = loc("/w/k.py":8:4)
#loc6 = loc("/w/k.py":9:4)
#loc7 = loc("/w/k.py":10:4)
#loc8 = loc(callsite(#loc1 at #loc2))
#loc9 = loc("value"(#loc8))
"""


def test_layouts_of_places_with_one() -> None:
    block = Layout("32x16", "1x4", "4x16", "last")
    assert layouts_of(MODULE) == {(5, 8): block, (6, 4): Layout("128", "8", "128", "last")}
    assert (block.elements, Layout("8x8x8", "2x2x1", "4x4x4", "middle").elements) == (4, 4)


def test_layouts_are_handed_on_in_comments() -> None:
    text = with_layouts("define void @k() {\n}\n", MODULE)
    assert text.startswith("define void @k() {\n}\n; drano: layout 5:8 shape=32x16 thread=1x4")
    assert layouts_in(text) == layouts_of(MODULE)
    assert with_layouts("text", "no module") == "text"
    assert layouts_of("#loc1 = loc(callsite(#loc1 at #loc1))\n  tt.load %p loc(#loc1)\n") == {}
