"""Precompiled headers without the lists that clang would go through in vain."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.headers import prelude_pch
from drano.frontend.headers.unread_lists import without_unread_lists
from drano.model.settings import CompileOptions

SOURCE = """
#include <math.h>
__device__ int later(int i);
__host__ __device__ float length(float2 p) { return sqrtf(p.x * p.x + p.y * p.y) + rsqrtf(p.x); }
template <class T> __global__ void k(T* a, const float2* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[later(i)] = std::max(T(length(p[i])), __shfl_xor_sync(~0u, a[i], 1));
  atomicAdd(a + i % 4, T(__popc(i)));
}
__device__ int later(int i) { return __ldg(&i) * 2; }
int main() { k<<<dim3(4), 256>>>((float*)nullptr, nullptr, 1000); }
"""


def test_units_mean_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRANO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(prelude_pch, "without_unread_lists", lambda path: None)
    source = tmp_path / "a.cu"
    source.write_text(SOURCE)
    wanted = compile_unit(str(source), CompileOptions())
    assert wanted.ir is not None and not wanted.diagnostics
    (header,) = (tmp_path / "pch").glob("*.pch")
    whole = header.read_bytes()
    without_unread_lists(header)
    changed = header.read_bytes()
    assert len(changed) == len(whole)
    places = [n for n, (a, b) in enumerate(zip(whole, changed, strict=True)) if a != b]
    assert 2 <= len(places) <= 8, "two numbers, of two records"
    without_unread_lists(header)
    assert header.read_bytes() == changed
    assert compile_unit(str(source), CompileOptions()).ir == wanted.ir
    assert header.read_bytes() == changed, "it was found damaged and made anew"


@pytest.mark.parametrize(
    "content",
    [
        b"\0",
        b"CPCH",
        b"BC\xc0\xde" + bytes(64),
        b"CPCH" + bytes(64),
        b"CPCH" + b"\xff" * 64,
        # The block, with a record of a form that none has told, and one without an end.
        b"CPCH" + bytes.fromhex("2114000008000000") + b"\x06" + bytes(31),
        b"CPCH" + bytes.fromhex("2114000008000000") + b"\xe3\xff" + b"\xff" * 30,
    ],
)
def test_files_of_another_form_stay(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.pch"
    file.write_bytes(content)
    without_unread_lists(file)
    assert file.read_bytes() == content
