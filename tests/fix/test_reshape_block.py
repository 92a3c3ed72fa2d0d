"""Launches whose blocks get another shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.fix.search import mended
from drano.fix.trial import Unit, analysed
from drano.fix.verify.verify import Program, verify
from drano.model.settings import Config
from tests.fix.units import proposed

NAME = "reshape-block"
SOURCE = """#include <cstdio>
#include <cstdlib>
#define ROWS 300
const int HIGH = 64;
__device__ float half_of(float x) { return x / 2; }
__global__ void scale(float* out, const float* in, int rows, int columns, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) out[y * pitch + x] = half_of(in[y * pitch + x]);
}
__global__ void down(float* a, unsigned rows, int columns) {
  const unsigned row = threadIdx.y + (blockDim.y * blockIdx.y);
  if (row >= rows) return;
  const int column = (blockIdx.x * blockDim.x) + threadIdx.x;
  if (columns > column) {
    a[row * columns + column] += 1;
  }
}
__global__ void whole(double* a) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  a[y * 256 + x] += x;
}
__global__ void rows_down(float* a, int n, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  a[row * pitch + column] *= 3;
}
int main(int count, char**) {
  const int columns = count + 256;
  double *a, *b;
  cudaMalloc(&a, 1000000);
  cudaMalloc(&b, 1000000);
  cudaMemset(a, 1, 1000000);
  cudaMemset(b, 1, 1000000);
  dim3 block(4, HIGH);
  dim3 grid((columns + block.x - 1) / block.x, (ROWS - 1) / HIGH + 1);
  scale<<<grid, block>>>((float*)a, (float*)b, ROWS, columns, 400);
  down<<<dim3(columns, (columns + 255) / 256), dim3(1, 256)>>>((float*)a, columns, columns);
  whole<<<dim3(128, 1), dim3(2, 128)>>>(a);
  const dim3 tile = dim3(128, 1);
  rows_down<<<dim3((count - 1 + tile.x) / tile.x, count), tile, 0, 0>>>((float*)b, count, 200);
  float last;
  cudaMemcpy(&last, a, 4, cudaMemcpyDeviceToHost);
  printf("%g\\n", last);
}
"""


def told(text: str) -> list[tuple[str, str]]:
    """The kernels for which it is tried, with what is not proved."""
    return sorted({(fix.title.split(" with ")[0], fix.unproved) for fix in proposed(text, NAME)})


def test_blocks_of_another_shape(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    unit = Unit(str(path), Config())
    found = mended(unit, analysed(unit), unsafe=True)
    made = {o.fix.title.split()[1]: o for o in found.made if o.fix.edit == NAME}
    rows = "that its grid has no more than 65535 rows"
    assert {name: (str(o.promise), o.fix.unproved) for name, o in made.items()} == {
        "scale": ("16 → 8 sectors", ""), "down": ("64 → 8 sectors", rows),
        "whole": ("32 → 16 sectors", ""), "rows_down": ("64 → 8 sectors", ""),
    }  # fmt: skip
    text = found.texts[str(path)].decode()
    for line in (
        "  dim3 block(32, 8);\n",
        "  dim3 grid((columns + block.x - 1) / block.x, (ROWS + 7) / 8);\n",
        "  down<<<dim3((columns + 31) / 32, (columns + 7) / 8), dim3(32, 8)>>>(",
        "  whole<<<dim3(8, 16), dim3(32, 8)>>>(a);\n",
        "  const dim3 tile = dim3(1, 128);\n",
        "<<<dim3((count - 1 + tile.x) / tile.x, (count + 127) / 128), tile, 0, 0>>>(",
    ):
        assert line in text
    once = Program((str(path),), (str(path),), (), ())
    assert verify(once, {str(path): SOURCE.encode()}, found.texts).against == ()


ONE = (
    SOURCE.partition("int main(")[0] + "int main() {\n  float *a, *b;\n  int n = 101;\n"
    "  scale<<<dim3((n + 3) / 4, (99 + 63) / 64), dim3(4, 64)>>>(a, b, 99, n, 200);\n}\n"
)
LAUNCH = "scale<<<dim3((n + 3) / 4, (99 + 63) / 64), dim3(4, 64)>>>(a, b, 99, n, 200);"
GUARD = "  if (x < columns && y < rows) out"
GROWS = "that its grid has no more than 65535 rows"


@pytest.mark.parametrize(
    ("old", "new", "unproved"),
    [
        ("main()", "main()", ""),
        ("(99 + 63) / 64", "2", ""),  # guarded or not: 128 rows of threads
        (LAUNCH, LAUNCH.replace("99", "n"), GROWS),
        (LAUNCH, "dim3 g((n + 3) / 4, 2);\n  n++;\n  "
         + LAUNCH.replace("dim3((n + 3) / 4, (99 + 63) / 64)", "g"),
         "that n is the same at the launch"),
    ],
)  # fmt: skip
def test_what_is_not_proved(old: str, new: str, unproved: str) -> None:
    assert ("launch scale", unproved) in told(ONE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (GUARD, "  out"),  # threads beyond the end would write
        (GUARD, GUARD.replace("<", "<=")),
        (GUARD, "  if (x < columns && y < rows) out[0] = 1;\n" + GUARD),
        (GUARD, "  out[7] = 1;\n" + GUARD),
        (GUARD, GUARD.replace("(x", "((signed char)x")),
        (GUARD, "  columns++;\n" + GUARD),
        (GUARD, "  x -= 1;\n" + GUARD),
        (GUARD, "  __syncthreads();\n" + GUARD),
        (GUARD, "  pitch += blockDim.x;\n" + GUARD),
        (GUARD, "  pitch += 2 * blockIdx.x * blockDim.x + threadIdx.x;\n" + GUARD),
        ("= half_of", "= atomicAdd(out, 1) + half_of"),
        (GUARD, '  asm volatile("" ::: "memory");\n' + GUARD),
        (GUARD, "  __shared__ float s[9]; s[pitch] = 1;\n" + GUARD),
        ("x / 2; }", "x / 2 + threadIdx.x; }"),
        ("x / 2; }", "__shfl_sync(~0u, x, 2); }"),
        (LAUNCH, LAUNCH.replace(", n", ", n + 1")),
        (LAUNCH, LAUNCH.replace("+ 3", "+ 2")),
        (LAUNCH, LAUNCH.replace("dim3(4, 64)", "dim3(4, 64, 2)")),
        (LAUNCH, LAUNCH + "\n  " + LAUNCH.replace("dim3(4,", "dim3(8,")),
        (LAUNCH, LAUNCH + "\n  auto f = scale; f<<<1, 8>>>(a, b, 1, 1, 1);"),
        (LAUNCH, "dim3 t(4, 64);\n  int w = t.x;\n  " + LAUNCH.replace("dim3(4, 64)", "t")),
        (LAUNCH, "dim3 t(4, 64);\n  t.x = 8;\n  " + LAUNCH.replace("dim3(4, 64)", "t")),
    ],
)
def test_not_where_threads_may_do_something_else(old: str, new: str) -> None:
    assert old in ONE
    assert told(ONE.replace(old, new)) == []
