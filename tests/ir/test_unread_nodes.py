"""Lists of the debug information that nothing reads are not carried along."""

from __future__ import annotations

from pathlib import Path

from drano.frontend.clang import compile_unit
from drano.ir.debug_nodes import without_unread
from drano.ir.prepare.passes import expanded, formed
from drano.model.settings import CompileOptions, View

SOURCE = """
enum class Way { Up, Down };
struct Pair { float first, second; };
template <class T> __device__ T twice(T x) { T sum = x + x; return sum; }
__constant__ float factor;
__global__ void k(Pair *p, Way way) {
  int i = threadIdx.x;
  if (way == Way::Up) p[i].second = twice(p[i].first) * factor;
}
"""


def test_lists_are_dropped_and_names_stay(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    ir = compile_unit(str(path), CompileOptions()).ir
    assert "retainedNodes: " in ir
    text = without_unread(ir)
    assert not any(word in text for word in ("retainedNodes: ", "globals: "))
    module = formed(ir, str(path), view=View.COMPILED)
    prepared = expanded(module).text
    assert "retainedNodes: " not in prepared
    for name in ("k", "sum", "i", "first", "factor"):
        assert f'name: "{name}"' in prepared, name
