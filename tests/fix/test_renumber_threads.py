"""Threads of blocks that are not square, numbered along y."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.fix.search import mended
from drano.fix.trial import Unit, analysed
from drano.fix.verify.verify import Program, verify
from drano.model.settings import Config
from tests.fix.units import after, offers

NAME = "renumber-threads"
SOURCE = """__global__ void k(float* a, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;  // threadIdx.x: rows, é😀
  int col = blockIdx.y * blockDim.y + threadIdx . y;
  if (row < n && col < n) a[row * 4096 + col] += 1;
}
int main() { k<<<dim3(8, 32), dim3(32, 8)>>>(nullptr, 256); }
"""
NUMBERS = """  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned thread_x = thread / blockDim.y, thread_y = thread % blockDim.y;
"""


def test_threads_are_numbered_along_y() -> None:
    found = offers(SOURCE, NAME)
    assert found and all(offer.fix.safe for offer in found)
    assert (found[0].promise.before, found[0].promise.after) == (64, 8)
    wanted = SOURCE.replace("+ threadIdx.x;", "+ thread_x;").replace("threadIdx . y", "thread_y")
    assert after(SOURCE) == wanted.replace("{\n", "{\n" + NUMBERS, 1)


def test_comments_outside_say_nothing() -> None:
    assert offers("// by threadIdx.x of a thread\n" + SOURCE, NAME) != []


def test_unknown_launches_need_not_keep_it_from_it() -> None:
    more = SOURCE.replace("int main", "void f(dim3 b) { k<<<1, b>>>(nullptr, 8); }\nint main")
    assert all(offer.fix.safe for offer in offers(more, NAME))


@pytest.mark.parametrize(
    "text",
    [
        SOURCE.replace("dim3(32, 8)", "dim3(32, 32)"),  # the roles can be swapped
        SOURCE.replace("dim3(32, 8)", "dim3(256)"),
        SOURCE.replace("dim3(32, 8)", "dim3(1, 256)"),
        SOURCE.replace("{\n", "{\n  __shfl_sync(~0u, n, 0);\n", 1),
        SOURCE.replace("{\n", "{\n  n = __ballot_sync(~0u, n);\n", 1),
        SOURCE.replace("{\n", "{\n  uint3 t = threadIdx;\n", 1),
        SOURCE.replace("{\n", "{\n  n += threadIdx.z;\n", 1),
        SOURCE.replace("{\n", "{\n  if (threadIdx.x < warpSize) n++;\n", 1),
        SOURCE.replace("{\n", '{\n  asm("mov.u32 %0, %%tid.x;" : "=r"(n));\n', 1),
        SOURCE.replace("{\n", "{\n  volatile __shared__ float s[32]; s[n] = 1;\n", 1),
        SOURCE.replace("{\n", "{\n  int thread_x = 0;\n", 1),
        "#define COL threadIdx.y\n" + SOURCE.replace("+ threadIdx . y", "+ COL"),
        "__device__ int lane() { return threadIdx.x; }\n" + SOURCE.replace("< n)", "< lane())"),
        SOURCE.replace("  if", "  n += a[col * 4096 + row];\n  if"),  # which would get worse
    ],
)
def test_not_where_lanes_are_asked_for_or_nothing_is_gained(text: str) -> None:
    assert offers(text, NAME) == []


PROGRAM = """#include <cstdio>
__global__ void k(float* a, const float* b, int n) {
  __shared__ float tile[256];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.x * 8 + threadIdx.y] = row < n && col < n ? b[row * n + col] : 0;
  __syncthreads();
  if (row < n && col < n)
    a[row * n + col] = tile[255 - threadIdx.x * 8 - threadIdx.y] * col + row;
}
int main() {
  const int n = 101;
  float *a, *b;
  cudaMallocManaged(&a, n * n * 4), cudaMallocManaged(&b, n * n * 4);
  for (int i = 0; i < n * n; i++) b[i] = i % 1009;
  k<<<dim3(4, 13), dim3(32, 8)>>>(a, b, n);
  cudaDeviceSynchronize();
  double s = 0;
  for (int i = 0; i < n * n; i++) s += a[i] * (i % 13);
  printf("%.17g\\n", s);
}
"""


def test_the_program_does_the_same(tmp_path: Path) -> None:
    path = str(tmp_path / "k.cu")
    Path(path).write_text(PROGRAM)
    unit = Unit(path, Config())
    found = mended(unit, analysed(unit), unsafe=False)
    assert NAME in [offer.fix.edit for offer in found.made]
    outcome = verify(Program((path,), (path,), (), ()), {path: PROGRAM.encode()}, found.texts)
    assert outcome.against == ()
    assert outcome.rows[0].sectors[1] < outcome.rows[0].sectors[0]
