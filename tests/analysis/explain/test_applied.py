"""Advice that is followed: the finding goes. And advice that does not fit is not given."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.finding import Finding
from drano.model.settings import Config
from drano.run.driver import check_unit

ONE_OF_TWO = (
    """\
__global__ void k(const float* x, float* out) {
  int i = 2 * threadIdx.x;
  out[threadIdx.x] = x[i + 0];
}
void f(const float* x, float* out) { k<<<1, 256>>>(x, out); }
""",
    ("take neighbours that are needed, too, in one wider access",),
    """\
__global__ void k(const float* x, float* out) {
  float2 both = reinterpret_cast<const float2*>(x)[threadIdx.x];
  out[threadIdx.x] = both.x * both.y;
}
void f(const float* x, float* out) { k<<<1, 256>>>(x, out); }
""",
)
THREAD_NUMBER = (
    """\
__global__ void k(const float* x, float* out, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  out[row * pitch + threadIdx.y] = x[0];
}
void f(float* x, int n) { k<<<1, dim3(32, 8)>>>(x, x, n); }
""",
    ("use threadIdx.x for `threadIdx.y`", "compute `row`", "from threadIdx.y"),
    """\
__global__ void k(const float* x, float* out, int pitch) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  out[row * pitch + threadIdx.x] = x[0];
}
void f(float* x, int n) { k<<<1, dim3(32, 8)>>>(x, x, n); }
""",
)
ONE_COLUMN = (
    """\
__global__ void k(const float* x, float* out) {
  int i = 2 * (blockDim.y * blockIdx.y + threadIdx.y);
  out[i / 2] = x[i];
}
void f(const float* x, float* out) { k<<<1, dim3(1, 256)>>>(x, out); }
""",
    ("in one wider access",),
    """\
__global__ void k(const float* x, float* out) {
  int i = blockDim.y * blockIdx.y + threadIdx.y;
  float2 both = reinterpret_cast<const float2*>(x)[i];
  out[i] = both.x + both.y;
}
void f(const float* x, float* out) { k<<<1, dim3(1, 256)>>>(x, out); }
""",
)


WIDER_BLOCKS = (
    """\
__global__ void k(const float* x, float* out) {
  int i = threadIdx.y * 1024 + blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i];
}
void f(float* x, int n) { k<<<n, dim3(4, 8)>>>(x, x); }
""",
    ("launch blocks at least 32 threads wide", "4x8"),
    """\
__global__ void k(const float* x, float* out) {
  int i = threadIdx.y * 1024 + blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i];
}
void f(float* x, int n) { k<<<n, dim3(32, 8)>>>(x, x); }
""",
)
WHOLE_STRUCTURE = (
    """\
struct P { float x, y, z, w; };
__global__ void k(const P* p, float* out) { out[threadIdx.x] = p[threadIdx.x].x; }
void f(P* p, float* out) { k<<<1, 64>>>(p, out); }
""",
    ("read the whole `P` at once: declared __align__(16)", "one array per member"),
    """\
struct __align__(16) P { float x, y, z, w; };
__global__ void k(const P* p, float* out) {
  P whole = p[threadIdx.x];
  out[threadIdx.x] = whole.x + whole.y + whole.z + whole.w;
}
void f(P* p, float* out) { k<<<1, 64>>>(p, out); }
""",
)
MEMBER_ARRAYS = (
    """\
struct P { float x, y, z, w, mass; };
__global__ void k(P* p) { p[threadIdx.x].mass = 1; }
void f(P* p) { k<<<1, 64>>>(p); }
""",
    ("split the array of `P` into one array per member (`mass`", "`mass[threadIdx.x]`"),
    """\
struct P { float *x, *y, *z, *w, *mass; };
__global__ void k(P p) { p.mass[threadIdx.x] = 1; }
void f(P p) { k<<<1, 64>>>(p); }
""",
)
TILE = (
    """\
__global__ void k(const float* in, float* out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}
void f(float* x, int n) { k<<<dim3(n, n), dim3(32, 32)>>>(x, x, n); }
""",
    ("transpose through shared memory: read `in` along its rows", "tile[32][33]"),
    """\
__global__ void k(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] =
      in[(blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];
}
void f(float* x, int n) { k<<<dim3(n, n), dim3(32, 32)>>>(x, x, n); }
""",
)
CHUNKS = (
    """\
__global__ void k(const float* x, float* out, int chunk) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < chunk; i++) sum += x[t * chunk + i];
  out[t] = sum;
}
void f(float* x, float* out, int n) { k<<<9, 64>>>(x, out, n); }
""",
    ("each thread walks its own chunk of `chunk` elements: let thread t process elements t",),
    """\
__global__ void k(const float* x, float* out, int chunk) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = 0; i < chunk; i++) sum += x[t + i * threads];
  out[t] = sum;
}
void f(float* x, float* out, int n) { k<<<9, 64>>>(x, out, n); }
""",
)
TRANSPOSED = (
    """\
__global__ void k(const float* x, float* out, int cols, int col) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  out[row] = x[row * cols + col];
}
void f(float* x, float* out, int n) { k<<<9, 64>>>(x, out, n, n); }
""",
    ("store `x` transposed, so that `row` is added to the index",),
    """\
__global__ void k(const float* x, float* out, int rows, int col) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  out[row] = x[col * rows + row];
}
void f(float* x, float* out, int n) { k<<<9, 64>>>(x, out, n, n); }
""",
)
BYTES = (
    """\
__global__ void k(const char* x, int* out) {
  int v;
  memcpy(&v, x + 4 * threadIdx.x, 4);
  out[threadIdx.x] = v;
}
void f(char* x, int* out) { k<<<1, 64>>>(x, out); }
""",
    ("the compiler is not told how this is aligned", "__builtin_assume_aligned"),
    """\
__global__ void k(const char* x, int* out) {
  int v;
  memcpy(&v, __builtin_assume_aligned(x + 4 * threadIdx.x, 4), 4);
  out[threadIdx.x] = v;
}
void f(char* x, int* out) { k<<<1, 64>>>(x, out); }
""",
)
ADJACENT = (
    """\
__global__ void k(const float* x, float* out) {
  out[threadIdx.x] = x[2 * threadIdx.x + 1] - x[2 * threadIdx.x];
}
void f(float* x, float* out) { k<<<1, 64>>>(x + 1, out); }
""",
    ("each thread accesses 2 adjacent elements: combine them into one access of 8 bytes",),
    """\
__global__ void k(const float* x, float* out) {
  float2 both = reinterpret_cast<const float2*>(x)[threadIdx.x];
  out[threadIdx.x] = both.y - both.x;
}
void f(float* x, float* out) { k<<<1, 64>>>(x, out); }
""",
)
SHIFTED = (
    """\
__global__ void k(const char* x, char* out) { out[threadIdx.x] = x[threadIdx.x + 1]; }
void f(char* x, char* out) { k<<<1, 64>>>(x, out); }
""",
    ("start 1 element earlier, or pad the front",),
    """\
__global__ void k(const char* x, char* out) { out[threadIdx.x] = x[threadIdx.x + 32]; }
void f(char* x, char* out) { k<<<1, 64>>>(x, out); }
""",
)
PRIVATE_COPY = (
    """\
__global__ void k(const int* x, int* bins) { atomicAdd(&bins[x[threadIdx.x] & 63], 1); }
void f(int* x, int* bins) { k<<<9, 64>>>(x, bins); }
""",
    ("accumulate in a per-block copy of `bins` in shared memory",),
    """\
__global__ void k(const int* x, int* bins) {
  __shared__ int own[64];
  own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[x[threadIdx.x] & 63], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
void f(int* x, int* bins) { k<<<9, 64>>>(x, bins); }
""",
)
STAGED = (
    """\
__global__ void k(const int* at, const float* x, float* out) {
  out[threadIdx.x] = x[at[threadIdx.x] & 63];
}
void f(int* at, float* x, float* out) { k<<<9, 64>>>(at, x, out); }
""",
    ("stage the part of `x` that a block needs in shared memory",),
    """\
__global__ void k(const int* at, const float* x, float* out) {
  __shared__ float part[64];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[at[threadIdx.x] & 63];
}
void f(int* at, float* x, float* out) { k<<<9, 64>>>(at, x, out); }
""",
)
CASES = {
    "one of two": ONE_OF_TWO,
    "a thread's number": THREAD_NUMBER,
    "blocks of one column": ONE_COLUMN,
    "wider blocks": WIDER_BLOCKS,
    "a whole structure": WHOLE_STRUCTURE,
    "an array for each member": MEMBER_ARRAYS,
    "a tile": TILE,
    "chunks": CHUNKS,
    "transposed": TRANSPOSED,
    "bytes": BYTES,
    "adjacent elements": ADJACENT,
    "shifted": SHIFTED,
    "a private copy": PRIVATE_COPY,
    "staged": STAGED,
}


def findings(place: Path, source: str) -> list[Finding]:
    place.write_text(source)
    report = check_unit(str(place), Config(), None)
    assert not report.diagnostics
    rules = {"DRN001", "DRN002", "DRN003", "DRN004"}
    return [finding for finding in report.findings if finding.rule in rules]


@pytest.mark.parametrize(("bad", "said", "good"), CASES.values(), ids=CASES.keys())
def test_applied_the_finding_goes(
    tmp_path: Path, bad: str, said: tuple[str, ...], good: str
) -> None:
    found = findings(tmp_path / "bad.cu", bad)
    assert any(all(words in finding.help for words in said) for finding in found), found
    assert ("threads wide" in found[0].help) == ("threads wide" in said[0])
    assert findings(tmp_path / "good.cu", good) == []
