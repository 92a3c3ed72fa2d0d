"""Loops along a thread's row that are cut into tiles of shared memory, and those that are not."""

from __future__ import annotations

from pathlib import Path

from drano.fix.catalogue.base import Scene
from drano.fix.catalogue.stage_rows import CACHED
from drano.fix.edit import Fix
from drano.fix.search import candidates, mended
from drano.fix.trial import Unit, analysed
from drano.fix.verify.verify import Program, verify
from drano.model.settings import Config
from tests.fix.units import after, offers, unit

NAME = "stage-rows-in-shared-memory"
SOURCE = """__global__ void k(float* out, const float* in, int N, int C) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < N) {
    const float* x = in + t * C;
    float s = 0, q = 0;
    for (int i = 0; i < C; i++) {
      s += x[i];  // a row

      s *= 2;
    }
#pragma unroll 4
    for (int i = 0; i < C; i++) q += x[i] * x[i];
    out[t] = s + q;
  }
}
int main(int c, char**) { k<<<8, 250>>>(nullptr, nullptr, c * 100, c); }
"""
CUT = """  __shared__ float tile[8][32][32 + 1];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned lanes = __ballot_sync(0xffffffff, t < N);
  if (t < N) {
    const float* x = in + t * C;
    float s = 0, q = 0;
    for (long long i_tile = 0; i_tile < C; i_tile += 32) {
      const int i_end = C - i_tile < 32 ? C : i_tile + 32;
      const int x_at = t * C;
      __syncwarp(lanes);
      if (lanes == 0xffffffff && i_end - i_tile == 32) {
#pragma unroll
        for (int owner = 0; owner < 32; owner++) {
          const int x_from = __shfl_sync(lanes, x_at, owner);
          tile[warp][owner][lane] = in[x_from + i_tile + lane];
        }
      } else {
        for (int first = 0; first < 32; first += __popc(lanes)) {
          const int column = first + lane;
#pragma unroll
          for (int owner = 0; owner < 32; owner++) {
            const int x_from = __shfl_sync(lanes, x_at, owner);
            if (lanes >> owner & 1 && column < i_end - i_tile)
              tile[warp][owner][column] = in[x_from + i_tile + column];
          }
        }
      }
      __syncwarp(lanes);
      for (int i = i_tile; i < i_end; i++) {
        s += tile[warp][lane][i - i_tile];  // a row

        s *= 2;
      }
    }
"""


def test_all_loops_along_the_rows_are_cut() -> None:
    (first, second) = offers(SOURCE, NAME, unsafe=True)
    assert first.fix == second.fix
    assert first.fix.unproved == CACHED
    assert (first.promise.before, first.promise.after, first.promise.gone) == (31.25, 4.88, True)
    text = after(SOURCE, unsafe=True)
    start = text.index("  __shared__")
    assert text[start : start + len(CUT)] == CUT
    assert (
        """#pragma unroll 4
      for (int i = i_tile; i < i_end; i++) q += tile[warp][lane][i - i_tile] * tile"""
        in text
    )


# --- many kernels in one unit, of which only the proposals are asked for ----------------------

HEAD = """#include <cuda_runtime.h>
#define RUN(kernel, ...) kernel<<<8, 128, 4096>>>(__VA_ARGS__)
__device__ float total;
__device__ int steps(int);
struct Sizes { int columns; };
"""
KERNEL = """__global__ void NAME(
    float* out, const float* in, const int* map, int N, int C, Sizes sizes) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < N) {
    float s = 0;
    for (int i = 0; i < C; i++) {
      s += in[t * C + i];
    }
    out[t] = s;
  }
}
"""


def proposed(
    changes: dict[str, list[tuple[str, str]]], call: str = "NAME<<<8, 128>>>("
) -> dict[str, Fix]:
    """What is proposed for variations of the kernel, by their names."""
    kernels, calls = [], []
    for name, pairs in changes.items():
        text = KERNEL
        for old, new in pairs:
            assert old in text, old
            text = text.replace(old, new)
        kernels.append(text.replace("NAME", name))
        begin = call.replace("NAME", name)
        calls.append(f"  {begin}nullptr, nullptr, nullptr, c * 100, c + 9, Sizes());\n")
    main = "int main(int c, char**) {\n" + "".join(calls) + "}\n"
    one = unit(HEAD + "".join(kernels) + main)
    report = analysed(one)
    assert report.status == "ok", report.diagnostics
    assert not report.host_errors, report.host_errors
    scene = Scene(one, report)
    return {
        finding.kernel: fix
        for finding in report.findings if finding.counts
        for fix in candidates(scene, finding) if fix.edit == NAME
    }  # fmt: skip


LOOP = "for (int i = 0; i < C; i++) {"
READ = "s += in[t * C + i];"
GUARD = "  if (t < N) {\n"
FORMS = {
    "early": [(GUARD, "  if (t >= N) return;\n  {\n")],
    "early_not": [(GUARD, "  if (!(t < N) || C == 7) { return; }\n  {\n")],
    "all": [(GUARD, "  {\n")],
    "nested": [(GUARD, "  if (C > 3 && N > t)\n  if (gridDim.x * blockDim.x > 77) {\n")],
    "in_loop": [(LOOP, f"for (int n = 0; n <= C - 9; n++)\n    {LOOP}")],
    "less_or_equal": [("i < C;", "i <= C - 1;")],
    "set": [(LOOP, f"int i;\n    {LOOP}"), ("(int i = 0", "(i = 0")],
    "of_a_limit": [(LOOP, f"const int last = C / 2;\n    {LOOP}"), ("i < C", "i < last")],
    "doubles": [("const float* in", "const double* in")],
    "two": [(READ, "s += in[t * C + i] * in[(N - t) * C + i];")],
    "by_pointer": [("int t =", "unsigned t ="), (LOOP, f"const float* x = in + t * C;\n    {LOOP}"),
                   (READ, "s += x[i];")],
}  # fmt: skip


def test_forms() -> None:
    found = proposed(FORMS)
    assert {name: found[name].unproved for name in found} == dict.fromkeys(FORMS, CACHED)


TRAPS = {
    # what is read ahead may be another than what is read
    "written": [("const float* in", "float* in"), (READ, f"{READ} in[t * C + i] = s;")],
    "written_ahead": [("const float* in", "float* in"), (READ, f"{READ} in[t * C + i + 1] = s;")],
    "by_a_function": [(READ, f"{READ} atomicAdd(&out[0], s);")],
    "of_all": [(READ, f"{READ} total += s;")],
    "barrier": [(READ, f"{READ} __syncthreads();")],
    "moved": [(GUARD, f"  in += t * C;\n{GUARD}"), (READ, "s += in[i];")],
    "short_elements": [("const float* in", "const short* in")],
    "volatile_row": [("const float* in", "const volatile float* in")],
    "sometimes": [(READ, f"if (map[i]) {READ}")],
    # lanes leave it at different turns, or come at different times
    "own_limit": [("i < C", "i < t")],
    "own_limits": [("i < C", "i < map[t]")],
    "leaves": [(READ, f"if (s > 9) break; {READ}")],
    "returns": [(READ, f"if (s > 9) return; {READ}")],
    "skips": [(READ, f"if (map[i]) continue; {READ}")],
    "data_decide": [("t < N", "map[t] < N")],
    "odd_lanes": [("t < N", "t % 2 < N")],
    "last_lanes": [("t < N", "t > N")],
    "first_left": [(GUARD, "  if (t < 3) return;\n  {\n")],
    "negative": [("t < N", "unsigned(t - 3) < N")],
    "downwards": [("t < N", "N - t < 20")],
    "of_a_member": [("i < C", "i < sizes.columns")],
    "otherwise": [(GUARD, "  if (t >= N) { out[t] = 0; } else {\n")],
    "waits": [(LOOP, f"while (map[0] == 0) s += 1;\n    {LOOP}")],
    "spins": [(LOOP, f"for (; map[0] == 0;) s += 1;\n    {LOOP}")],
    "polls": [(LOOP, f"for (int n = 0; p[n]; n++) s += 1;\n    {LOOP}"),
              (GUARD, f"  const volatile int* p = map;\n{GUARD}")],
    "calls": [(LOOP, f"s += steps(t);\n    {LOOP}")],
    "own_loop": [(LOOP, f"for (int n = 0; n < t; n++)\n    {LOOP}")],
    "loop_left": [(LOOP, f"for (int n = 0; n < C; n++) {{ if (s > n) break;\n    {LOOP}"),
                  ("out[t]", "} out[t]")],
    "changed_guard": [(LOOP, f"t += 1;\n    {LOOP}"), (GUARD, "  if (t < N)\n  if (t < C) {\n")],
    # rows are not those of lanes side by side, or too short
    "columns": [("in[t * C + i]", "in[i * C + t * 9]")],
    "steps_of_two": [("in[t * C + i]", "in[t * C + 2 * i]")],
    "unsigned_row": [("int t =", "unsigned t =")],
    "short_rows": [("i < C", "i < 7")],
}  # fmt: skip


def test_traps() -> None:
    assert proposed(TRAPS) == {}
    # blocks with several rows, and tiles for which there is no room
    assert proposed({"rows": []}, "NAME<<<8, dim3(64, 2)>>>(") == {}
    assert proposed({"two": FORMS["two"]}, "NAME<<<8, c * 32>>>(") == {}
    of_any_size = proposed({"one": []}, "NAME<<<8, c * 32>>>(")["one"]
    assert b"tile[32][8][32 + 1];" in b"".join(edit.text for edit in of_any_size.edits)


def test_unsafe() -> None:
    stores = {"stores": [(READ, "out[t * C + i] = in[t * C + i];"), ("out[t] = s;", "")]}
    assert proposed(stores)["stores"].unproved == "that out and in do not overlap"
    restricted = [(f"float* {name}", f"float* __restrict__ {name}") for name in ("out", "in")]
    apart = {"stores": [*stores["stores"], *restricted]}
    assert proposed(apart)["stores"].unproved == CACHED
    for call in ("NAME<<<8, 128, 4096>>>(", "RUN(NAME, "):
        dynamic = proposed({"plain": []}, call)["plain"]
        assert dynamic.unproved == "that the blocks' dynamic shared memory still fits"


PROGRAM = """#include <cstdio>
#include <cstdlib>
__global__ void guarded(double* out, const float* in, const float* w, int N, int C) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < N) {
    const float* x = in + t * C;
    double s = 0, q = 0;
    int i;
    for (i = 0; i < C; i++) s = s * 0.5 + x[i] * w[i];
    for (int k = 0; k <= C - 1; k++) {
      q += x[k] * i;
    }
    out[t] += s + q;
  }
}
__global__ void returns(double* out, float* rows, int N, int C) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= N) return;
  rows[t * C + C - 1] = t;
  double s = 0;
  for (int n = 0; n < 2; n++) {
    rows[t * C] = n;
    for (int i = 0; i < C; i++) s = s * 0.5 + rows[t * C + i];
  }
  out[t] += s;
}
int main(int c, char**) {
  float* in; double* out; static double h[200];
  cudaMallocManaged(&in, 40000); cudaMalloc(&out, 1600);
  cudaMemset(out, 0, 1600);
  for (int i = 0; i < 10000; i++) in[i] = rand() % 100;
  for (int C = 29; C < 70; C += 18)
    for (int N = 1; N <= 121; N += 30) {
      guarded<<<3, 48>>>(out, in, in, N, C);
      returns<<<3, c * 48>>>(out, in, N, C);
      cudaMemcpy(h, out, 1600, cudaMemcpyDeviceToHost);
      for (int t = 0; t < N; t++) printf("%.17g\\n", h[t]);
    }
}
"""


def test_the_program_does_the_same_with_any_part_of_a_warp(tmp_path: Path) -> None:
    path = str(tmp_path / "k.cu")
    Path(path).write_text(PROGRAM)
    one = Unit(path, Config())
    found = mended(one, analysed(one), unsafe=True)
    assert {(offer.finding.kernel, offer.fix.edit) for offer in found.made} == {
        ("guarded", NAME), ("returns", NAME),
    }  # fmt: skip
    outcome = verify(Program((path,), (path,), (), ()), {path: PROGRAM.encode()}, found.texts)
    assert outcome.against == ()
    assert all(row.sectors[1] < row.sectors[0] for row in outcome.rows)
