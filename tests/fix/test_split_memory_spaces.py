"""Loops through a pointer that may point into one of two memory spaces: a loop for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.fix.verify.verify import Program, verify
from tests.fix.units import offers, proposed, with_fix

NAME = "split-memory-spaces"
KERNEL = """#include <cstdio>
__global__ void sum(float* out, const float* in, int n, bool staged) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float* from = staged ? tile : in;
  float total = 0;
  for (int k = 0; k < n; k++) {
    total += from[k];  // one after the other
  }
  out[threadIdx.x] = total;
}
int main() {
  float *in, *out;
  cudaMallocManaged(&in, 1024);
  cudaMallocManaged(&out, 1024);
  for (int i = 0; i < 256; i++) in[i] = i;
  for (int s = 0; s < 2; s++) {
    sum<<<1, 256>>>(out, in, 200, s);
    cudaDeviceSynchronize();
    printf("%g\\n", out[3]);
  }
}
"""
SPLIT = """  __syncthreads();
  float total = 0;
  if (staged) {
    const float* from = tile;
    for (int k = 0; k < n; k++) {
      total += from[k];  // one after the other
    }
  } else {
    const float* from = in;
    for (int k = 0; k < n; k++) {
      total += from[k];  // one after the other
    }
  }
  out[threadIdx.x] = total;
"""


def test_a_loop_for_each_space() -> None:
    (offer,) = offers(KERNEL, NAME)
    assert offer.fix.safe
    assert offer.fix.title == "write the loop once for each memory space of from"
    assert str(offer.promise).endswith("→ 0 generic accesses")
    assert offer.promise.gone
    assert SPLIT in with_fix(KERNEL, offer)


def test_banks_of_what_was_generic_are_no_loss() -> None:
    own = KERNEL.replace("from[k];", "from[(threadIdx.x + k) % 256];")
    (offer,) = offers(own, NAME)
    assert str(offer.promise).endswith("→ 0 generic accesses")


def test_the_program_does_the_same(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL)
    (offer,) = offers(KERNEL, NAME)
    once = Program((str(path),), (str(path),), (), ())
    texts = {str(path): with_fix(KERNEL, offer).encode()}
    assert verify(once, {str(path): KERNEL.encode()}, texts).against == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("total += from[k];", "total += *from++;"),
        ("total += from[k];", "if (from[k] < 0) break; total += from[k] * from[0];"),
        ("for (int k = 0; k < n; k++) {", "for (int k = 0; k < n; k += blockDim.x) {"),
        ("staged ? tile : in;", "(staged ? tile + 1 : &in[1]);"),
        ("staged ? tile : in;", "n > 3 && staged ? &tile[0] : in;"),
    ],
)
def test_other_loops(old: str, new: str) -> None:
    text = KERNEL.replace(old, new)
    assert text != KERNEL
    found = offers(text, NAME)
    assert len({offer.fix for offer in found}) == 1
    assert all(offer.fix.safe and offer.promise.gone for offer in found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("out[threadIdx.x] = total;", "out[threadIdx.x] = total + from[0];"),  # used behind it
        ("float total = 0;", "float total = from[0];"),
        ("float total = 0;", "float total = 0; n = min(n, 100);"),
        ("float total = 0;", "float total = 0; staged = !staged;"),
        ("float total = 0;", "float total = 0;\n#pragma unroll 1"),
        ("const float* from =", "const auto* from ="),
        ("total += from[k];", "total += from[k]; __syncthreads();"),
        ("total += from[k];", "static __shared__ int last; last = k; total += from[k];"),
        ("total += from[k];", "again: total += from[k]; if (total < 0) goto again;"),
        ("total += from[k];", "total += __shfl_xor_sync(~0u, from[k], 1);"),
        ("const float* from = staged ? tile : in;",
         "const float *from = staged ? tile : in, *other = in;"),
    ],
)  # fmt: skip
def test_loops_that_are_left_alone(old: str, new: str) -> None:
    text = KERNEL.replace(old, new)
    assert text != KERNEL
    assert not proposed(text, NAME)


def test_one_space_needs_no_second_loop() -> None:
    assert not offers(KERNEL.replace("staged ? tile : in;", "staged ? in + 1 : in;"), NAME)


def test_lanes_that_differ_are_not_parted() -> None:
    text = KERNEL.replace("staged ? tile", "threadIdx.x % 2 ? tile")
    assert not offers(text, NAME)
