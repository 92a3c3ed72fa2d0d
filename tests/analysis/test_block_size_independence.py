"""Which kernels are proved independent of their block size, and what stands against the others."""

from __future__ import annotations

import pytest

from drano.analysis.blocks.block_size_independence import BlockSize, block_size_independence
from drano.frontend.clang import compile_unit
from drano.ir.prepare.passes import prepare
from drano.ir.read.reader import read_module
from drano.model.settings import CompileOptions

SOURCE = """
extern __device__ float other(float);
__device__ int counter;
__device__ int own() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void plain(float* a, int n) { int i = own(); if (i < n) a[i] *= 2; }
__global__ void wide(float* a, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
__global__ void apart(float* a, int n) {
  int start = blockIdx.x * blockDim.x;
  if (start + (int)threadIdx.x < n) a[3 * start + 3 * threadIdx.x + 1] = n;
}
__global__ void stride(float* a, int n) {
  for (int i = own(); i < n; i += gridDim.x * blockDim.x) a[i] = i % 7;
}
__global__ void rows(float* a, int width) {
  int x = own(), y = blockIdx.y * blockDim.y + threadIdx.y;
  a[y * width + x] = threadIdx.z == 0 ? 1 : 2;
}
__global__ void flat(float* a) {  // x is only safe as long as y keeps its size
  a[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = 1;
}
__global__ void gather(float* a, const int* index, int n) {
  float part[4];
  for (int k = 0; k < 4; k++) part[k] = a[index[own() + k * n]];
  a[own()] = part[n & 3];
}
__global__ void lane(float* a) { a[threadIdx.x] = 1; }
__global__ void value(float* a) { a[own()] = threadIdx.x; }
__global__ void branch(float* a) { if (threadIdx.x == 0) a[own()] = 1; }
__global__ void loop(float* a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) a[0] = 1;
}
__global__ void chunk(float* a) { a[blockIdx.x * 256 + threadIdx.x] = 1; }
__global__ void barrier(float* a) { a[own()] = 1; __syncthreads(); a[own()] += 1; }
__global__ void shared(float* a) {
  __shared__ float s[256];
  s[own() & 255] = a[own()];
  a[own()] = s[own() & 255];
}
__global__ void slot(float* a) { a[atomicAdd(&counter, 1)] = 1; }
__global__ void count(int* a) { atomicAdd(&a[own() & 7], 1); }
__global__ void vote(int* a) { a[own()] = __ballot_sync(~0u, a[own()] > 0); }
__global__ void fence(int* a) { a[own()] = 1; __threadfence(); }
__global__ void call(float* a) { a[own()] = other(a[own()]); }
__global__ void narrow(float* a) {
  unsigned char low = threadIdx.x, high = blockIdx.x * blockDim.x;
  a[low + high] = 1;
}
__global__ void shift(float* a) {
  a[own() >> 1] = 1;
  a[(blockIdx.x * blockDim.x >> 1) + (threadIdx.x >> 1)] = 1;
}
__global__ void lane_id(float* a) { int l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); a[own()] = l; }
__global__ void assembly(float* a) {
  int l; asm("fns.b32 %0, %1, 0, 1;" : "=r"(l) : "r"(threadIdx.x)); a[own()] = l;
}
__global__ void size(float* a) { a[own()] = blockDim.x; }
__global__ void grid(float* a) { a[own()] = gridDim.x; }
__global__ void total(float* a) { a[own()] = gridDim.x * blockDim.x; }
__global__ void local(float* a, int n) {
  int place[2] = {(int)threadIdx.x, n};
  a[own() + place[n & 1]] = 1;
}
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BlockSize]:
    path = tmp_path_factory.mktemp("block_size") / "a.cu"
    path.write_text(SOURCE)
    unit = compile_unit(str(path), CompileOptions())
    assert unit.ir is not None, unit.diagnostics
    module = read_module(prepare(unit.ir, str(path), trusted=True))
    return {k.source_name: block_size_independence(module, k) for k in module.kernels}


@pytest.mark.parametrize("kernel", ["plain", "wide", "apart", "stride", "gather", "count", "total"])
def test_proved(answers: dict[str, BlockSize], kernel: str) -> None:
    assert answers[kernel].obstacles == ()
    assert answers[kernel].proved == set("xyz")


SELECTED = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %a, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  %one = select i1 %first, TYPE, TYPE_OTHER
  store ELEMENT %one, ptr %a
  ret void
}
"""


@pytest.mark.parametrize(
    ("first", "second", "proved"),
    [
        ("float 1.0", "float 2.0", "yz"),
        ("<2 x float> <float 1.0, float 2.0>", "<2 x float> <float 3.0, float 4.0>", "yz"),
        ("i32 1", "i32 2", "yz"),
        ("i32 %n", "i32 %n", "xyz"),
    ],
)
def test_selections_of_optimised_code(first: str, second: str, proved: str) -> None:
    element = first.rsplit(" <float", 1)[0] if first[0] == "<" else first.split(maxsplit=1)[0]
    text = SELECTED.replace("TYPE_OTHER", second).replace("TYPE", first)
    module = read_module(prepare(text.replace("ELEMENT", element), "a.ll", trusted=True))
    answer = block_size_independence(module, module.functions["k"])
    assert answer.proved == set(proved), answer.obstacles


@pytest.mark.parametrize(("kernel", "axes"), [("rows", "xy"), ("flat", "xz"), ("loop", "yz")])
def test_proved_along_some_axes(answers: dict[str, BlockSize], kernel: str, axes: str) -> None:
    assert answers[kernel].proved == set(axes)


@pytest.mark.parametrize(
    ("kernel", "text"),
    [
        ("lane", "the address of this store depends on threadIdx.x"),
        ("value", "the value stored here depends on threadIdx.x"),
        ("branch", "this branch depends on threadIdx.x"),
        ("loop", "this branch depends on threadIdx.x"),
        ("chunk", "the address of this store depends on blockIdx.x and threadIdx.x"),
        ("barrier", "a barrier: the threads of a block cooperate"),
        ("shared", "shared memory (`s`), which is private to each block"),
        ("slot", "the result of an atomic"),
        ("vote", "the lanes of a warp exchange values"),
        ("fence", "a fence: threads communicate through memory"),
        ("call", "calling `other` is not analysed"),
        ("narrow", "the address of this store depends on threadIdx.x"),
        ("shift", "the address of this store depends on blockDim.x and blockIdx.x"),
        ("lane_id", "`%laneid`, which tells where a thread runs"),
        ("assembly", "inline assembly"),
        ("size", "the value stored here depends on blockDim.x"),
        ("grid", "the value stored here depends on gridDim.x"),
        ("local", "the value stored here depends on threadIdx.x"),
    ],
)
def test_what_stands_against_it(answers: dict[str, BlockSize], kernel: str, text: str) -> None:
    answer = answers[kernel]
    assert "x" not in answer.proved
    assert any(text in obstacle.text for obstacle in answer.obstacles), answer.obstacles
    assert all(obstacle.location is not None for obstacle in answer.obstacles)
