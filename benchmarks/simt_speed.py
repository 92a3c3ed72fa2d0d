"""Speed of kernels on the CPU with every access counted, beside the same loops in plain C.

    python benchmarks/simt_speed.py [--repeat N]

Each program is built twice from one source: by ``drano run``'s compiler with counting on, for one
worker, and natively by the same clang at -O3 for one thread. Prints millions of thread-level
accesses a second of processor time and the ratio; wanted: at least 50 million, at most 10 times
slower. Exit status 1 when the first is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from drano.frontend.toolchain import find_clang

WANTED = 50.0
ROUNDS = 5
"""In each both are measured, and the best of all counts: a machine may be slow for a while."""
CLOCK = """
#include <cstdio>
#include <cstdlib>
#include <ctime>
static double now() {
  timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec;
}
"""
SAXPY = """
static const int N = 1 << 20;
#ifdef __CUDA__
__global__ void work(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
static void run(float *x, float *y, float *) { work<<<N / 256, 256>>>(2, x, y, N); }
#else
static void run(float *x, float *y, float *) {
  for (int i = 0; i < N; i++) y[i] = 2 * x[i] + y[i];
}
#endif
static const double ACCESSES = 3.0 * N;
"""
STENCIL = """
static const int S = 1024, N = S * S;
#ifdef __CUDA__
__global__ void work(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  int p = y * n + x;
  out[p] = 0.25f * (in[p - 1] + in[p + 1] + in[p - n] + in[p + n]) - in[p];
}
static void run(float *x, float *y, float *) {
  work<<<dim3(S / 32, S / 8), dim3(32, 8)>>>(x, y, S);
}
#else
static void run(float *in, float *out, float *) {
  for (int y = 1; y < S - 1; y++) for (int x = 1; x < S - 1; x++) {
    int p = y * S + x;
    out[p] = 0.25f * (in[p - 1] + in[p + 1] + in[p - S] + in[p + S]) - in[p];
  }
}
#endif
static const double ACCESSES = 6.0 * (S - 2) * (S - 2);
"""
PRODUCT = """
static const int S = 256, N = S * S;
#ifdef __CUDA__
__global__ void work(const float *a, const float *b, float *c, int n) {
  __shared__ float s[16][16], t[16][16];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[y][x] = a[row * n + k + x];
    t[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += s[y][j] * t[j][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
static void run(float *x, float *y, float *z) {
  work<<<dim3(S / 16, S / 16), dim3(16, 16)>>>(x, y, z, S);
}
#else
static void run(float *a, float *b, float *c) {
  static float s[16][16], t[16][16];
  for (int r = 0; r < S; r += 16) for (int q = 0; q < S; q += 16) {
    for (int y = 0; y < 16; y++) for (int x = 0; x < 16; x++) c[(r + y) * S + q + x] = 0;
    for (int k = 0; k < S; k += 16) {
      for (int y = 0; y < 16; y++) for (int x = 0; x < 16; x++) {
        s[y][x] = a[(r + y) * S + k + x]; t[y][x] = b[(k + y) * S + q + x];
      }
      for (int y = 0; y < 16; y++) for (int j = 0; j < 16; j++) for (int x = 0; x < 16; x++)
        c[(r + y) * S + q + x] += s[y][j] * t[j][x];
    }
  }
}
#endif
static const double ACCESSES = (double)N * (S / 16 * 36 + 1);
"""
MAIN = """
int main() {
  float *a[3];
  for (float *&p : a) {
#ifdef __CUDA__
    cudaMalloc(&p, N * sizeof(float)); cudaMemset(p, 0, N * sizeof(float));
#else
    p = (float *)calloc(N, sizeof(float));
#endif
  }
  double best = 1e9;
  for (int k = 0; k < REPEAT; k++) {
    double start = now();
    run(a[0], a[1], a[2]);
#ifdef __CUDA__
    cudaDeviceSynchronize();
#else
    asm volatile("" : : "r"(a[0]), "r"(a[1]), "r"(a[2]) : "memory");
#endif
    double spent = now() - start;
    if (spent < best) best = spent;
  }
  printf("%f\\n", ACCESSES / best / 1e6);
}
"""
PROGRAMS = {"saxpy": SAXPY, "stencil": STENCIL, "matrix product": PRODUCT}


def speeds(source: str, repeat: int, directory: Path) -> tuple[float, float]:
    """Millions of accesses a second: counted on the CPU, and native."""
    text = CLOCK + source + MAIN
    cuda, plain = directory / "program.cu", directory / "program.cpp"
    for path in (cuda, plain):
        path.write_text(text)
    counted = [
        sys.executable, "-m", "drano", "cc", "-O3", f"-DREPEAT={repeat}", str(cuda),
        "-o", str(directory / "counted"),
    ]  # fmt: skip
    native = [
        find_clang().path, "-O3", "-march=native", f"-DREPEAT={repeat}", str(plain),
        "-o", str(directory / "native"), "-lm",
    ]  # fmt: skip
    subprocess.run(counted, check=True)
    subprocess.run(native, check=True)
    environment = {**os.environ, "DRANO_WORKERS": "1", "DRANO_PROFILE": "none"}

    def measured(name: str) -> float:
        command = [str(directory / name)]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        return float(done.stdout.split()[0])

    rounds = [(measured("counted"), measured("native")) for _ in range(ROUNDS)]
    counted_best, native_best = (max(of_one) for of_one in zip(*rounds, strict=True))
    return counted_best, native_best


def main() -> int:
    """The table, and whether the speed is what is wanted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=10)
    options = parser.parse_args()
    table = Table("program", "counted, M/s", "native, M/s", "times slower")
    slowest = float("inf")
    for name, source in PROGRAMS.items():
        with tempfile.TemporaryDirectory(prefix="drano-") as directory:
            counted, native = speeds(source, options.repeat, Path(directory))
        slowest = min(slowest, counted)
        table.add_row(name, f"{counted:.0f}", f"{native:.0f}", f"{native / counted:.1f}")
    Console().print(table)
    return int(slowest < WANTED)


if __name__ == "__main__":
    sys.exit(main())
