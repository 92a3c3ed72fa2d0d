"""Padded shared arrays: where it helps, and only where nobody knows how long a row is."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.fix.search import Offer, Trials, outcomes
from drano.fix.trial import Unit, analysed
from drano.model.settings import Config
from tests.fix.units import after, offers, tried

NAME = "pad-shared-array"
SOURCE = """#define SIDE 32
__global__ void k(float* out, const float* in) {
  __shared__ float tile[SIDE][SIDE];  // one block's part
  int x = blockIdx.x * SIDE + threadIdx.x;
  for (int j = 0; j < SIDE; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = in[(threadIdx.y + j) * 1024 + x];
  __syncthreads();
  for (int j = 0; j < SIDE; j += 8)
    out[(threadIdx.y + j) * 1024 + x] = tile[threadIdx.x][threadIdx.y + j];
}
int main() { k<<<32, dim3(32, 8)>>>(nullptr, nullptr); }
"""


def test_rows_are_padded_and_nothing_else_is_touched() -> None:
    (offer,) = offers(SOURCE, NAME)
    assert offer.fix.safe, offer.fix.unproved
    assert offer.promise.gone
    assert offer.promise.after < offer.promise.before
    assert after(SOURCE) == SOURCE.replace("[SIDE][SIDE]", "[SIDE][SIDE + 1]")


def test_a_length_that_is_no_single_word_is_put_in_parentheses() -> None:
    shifted = SOURCE.replace("#define SIDE 32", "#define SIDE 1 << 5")
    assert "[SIDE][(SIDE) + 1]" in after(shifted.replace("* SIDE", "* 32"))


@pytest.mark.parametrize(
    "changed",
    [
        # j may be larger than a row: the next row's element was meant.
        SOURCE.replace("j < SIDE; j += 8)\n    out", "j < SIDE + 8; j += 8)\n    out"),
        SOURCE.replace("int main() { k<<<32, dim3(32, 8)>>>(nullptr, nullptr); }", ""),
        SOURCE.replace("dim3(32, 8)", "dim3(32, 16)"),
        SOURCE.replace("j < SIDE; j += 8)\n    out", "j < in[0]; j += 8)\n    out"),
        SOURCE.replace("int x =", "int i = 0; i += int(in[3]); tile[i][0] = 1; int x ="),
    ],
)
def test_unsafe_where_an_index_may_leave_its_row(changed: str) -> None:
    found = offers(changed, NAME)
    assert found and not any(offer.fix.safe for offer in found)
    assert "is always below" in found[0].fix.unproved
    assert after(changed) == changed


@pytest.mark.parametrize(
    "changed",
    [
        SOURCE.replace("  int x =", "  extern __shared__ float more[];\n  more[0] = 1;\n  int x ="),
        SOURCE.replace("(32, 8)>>>", "(32, 8), 45056>>>"),
        SOURCE + "void f(void** a) { cudaLaunchCooperativeKernel((void*)k, 32, 256, a, 0, 0); }\n",
    ],
)
def test_unsafe_where_shared_memory_may_be_needed_otherwise(changed: str) -> None:
    found = offers(changed, NAME)
    assert not any(offer.fix.safe for offer in found)
    assert after(changed) == changed


@pytest.mark.parametrize(
    "line",
    [
        "float* p = &tile[0][0]; out[0] = p[33];",
        "float* row = tile[1]; out[0] = row[33];",
        "out[0] = sizeof(tile);",
        "out[0] = ((float*)tile)[33];",
        "float (&t)[32][32] = tile; out[0] = t[0][0];",
        "out[0] = *(*tile + 33);",
        "const char* s = __func__;\n#ifdef __CUDA_ARCH__\n out[0] = (&tile[0][0])[33];\n#endif\n",
    ],
)
def test_not_where_somebody_may_know_a_rows_length(line: str) -> None:
    changed = SOURCE.replace("  __syncthreads();\n", f"  __syncthreads();\n  {line}\n")
    found = tried(changed)
    assert [o.fix for o in found if o.fix.edit == NAME and o.fix.safe] == []


def test_elements_addresses_may_go_to_atomic_functions() -> None:
    changed = SOURCE.replace("  __syncthreads();\n", "  atomicAdd(&tile[0][1], 2.f);\n", 1)
    assert all(offer.fix.safe for offer in offers(changed, NAME))


def test_not_where_shared_memory_would_not_suffice() -> None:
    more = "  __shared__ float more[11250];\n  more[threadIdx.x] = 1;\n  out[1] = more[x & 63];\n"
    assert offers(SOURCE.replace("  __sync", more + "  __sync"), NAME) == []


def test_what_an_if_and_a_loop_say_of_an_index() -> None:
    """As in Rodinia's nw: the difference of two indices is not negative where an if says so."""
    source = """__global__ void k(int* a) {
  __shared__ int temp[17][17];
  int tx = threadIdx.x;
  for (int m = 0; m < 16; m++) {
    if (tx <= m) {
      int x = tx + 1;
      int y = m - tx + 1;
      temp[y][x] = temp[y - 1][x - 1] + temp[y][x - 1];
    }
    __syncthreads();
  }
  a[tx] = temp[16][tx + 1];
}
int main() { k<<<1, 16>>>(nullptr); }
"""
    assert "[17][17 + 1]" in after(source)
    assert after(source.replace("tx <= m", "tx <= m + 1")) == source.replace(
        "tx <= m", "tx <= m + 1"
    )


def test_a_function_of_several_kernels_is_proved_for_all_blocks() -> None:
    function = SOURCE.replace("__global__ void k(", "__device__ __noinline__ void turned(")
    kernels = """__global__ void k(float* out, const float* in) { turned(out, in); }
__global__ void wider(float* out, const float* in) { turned(out, in); }
int main() { k<<<32, dim3(32, 8)>>>(nullptr, nullptr); }
"""
    changed = function[: function.index("int main")] + kernels
    assert [offer for offer in offers(changed, NAME) if offer.fix.safe] == []


def test_unsafe_in_a_header_that_other_units_may_include(tmp_path: Path) -> None:
    kernel, launch = SOURCE.split("int main")
    (tmp_path / "k.cuh").write_text(kernel)
    source = tmp_path / "a.cu"
    source.write_text(f'#include "k.cuh"\nint main{launch}')
    one = Unit(str(source), Config(), {})
    (offer,) = [o for o in outcomes(Trials(one, analysed(one))) if isinstance(o, Offer)]
    assert offer.fix.unproved == "that other units that include k.cuh use it alike"
