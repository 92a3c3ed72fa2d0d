"""Indices that an atomic gives out: judged by warps whose lanes get them in turn."""

from __future__ import annotations

from pathlib import Path

import pytest

import drano
from drano.model.access import Access
from drano.model.judgement import IN_TURN, PROVED, Pattern, Space, Verdict
from drano.model.settings import Config

KERNEL = """
struct Pair { float x, y; };
__global__ void k(const float* in, const int* lengths, int* count, unsigned* wide,
                  unsigned long long* many, float* out, Pair* pairs, int step, int most) {
  __shared__ int mine;
  __shared__ float found[2048];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) mine = 0;
  __syncthreads();
  %s
}
void go(float* f, int* i, unsigned* u, unsigned long long* l, Pair* p, int n) {
  k<<<n, 128>>>(f, i, i, u, l, f, p, n, n);
}
"""


READ = """
  __syncthreads(); out[i] = found[mine - 1 - threadIdx.x];"""


def last_store(
    directory: Path, body: str, space: Space = Space.GLOBAL, *, text: str = KERNEL
) -> Access:
    source = directory / "a.cu"
    source.write_text(text % body, encoding="utf-8")
    report = drano.check([str(source)], Config())
    accesses = report.files[0].accesses
    stores = [a for a in accesses if a.kind == "store" and a.judgement.space is space]
    return max(stores, key=lambda a: (a.location.span.line, a.location.span.column))


@pytest.mark.parametrize(
    "body",
    [
        "out[atomicAdd(count, 1)] = in[i];",
        "if (in[i] > 0.5f) out[atomicAdd(count, 1)] = in[i];",
        "if (in[i] > 0.5f) { int p = atomicAdd(count, 1); if (p < most) out[p] = in[i]; }",
        "out[step * 1024 + atomicAdd(count, 1)] = in[i];",
        "out[atomicAdd(count + lengths[blockIdx.x], 1)] = in[i];",
        "out[atomicAdd(wide, 1u)] = in[i];",
        "out[atomicAdd(many, 1ull)] = in[i];",
        "out[atomicSub(count, 1)] = in[i];",
        "out[atomicAdd(count, -1) + 7] = in[i];",
        "for (int n = 0; n < lengths[i]; ++n) out[atomicAdd(count, 1)] = in[i];",
        "if (in[i] > 0.5f) out[blockIdx.x * 128 + atomicAdd(&mine, 1)] = in[i];",
    ],
)
def test_numbers_in_turn_are_coalesced(tmp_path: Path, body: str) -> None:
    judgement = last_store(tmp_path, body).judgement
    assert judgement.verdict is Verdict.COALESCED, judgement
    assert judgement.condition == IN_TURN
    assert judgement.sectors is not None
    assert (judgement.sectors.minimum, judgement.sectors.maximum) == (1, 32)
    assert judgement.sectors.ideal == 4


def test_they_do_not_meet_in_banks(tmp_path: Path) -> None:
    body = "if (in[i] > 0.5f) found[atomicAdd(&mine, 1)] = in[i];"
    store = last_store(tmp_path, body + READ, Space.SHARED)
    judgement = store.judgement
    assert (judgement.space, judgement.verdict) == (Space.SHARED, Verdict.COALESCED)
    assert judgement.condition == IN_TURN
    assert judgement.wavefronts is not None and judgement.wavefronts.maximum == 32


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("pairs[atomicAdd(count, 1)].x = in[i];", 8),
        ("out[atomicAdd(count, 2)] = in[i];", 8),
        ("out[atomicAdd(count, 1) * 32] = in[i];", 32),
        ("out[atomicSub(count, 4)] = in[i];", 17),
    ],
)
def test_numbers_apart_are_uncoalesced_and_no_proof(
    tmp_path: Path, body: str, expected: int
) -> None:
    judgement = last_store(tmp_path, body).judgement
    assert (judgement.verdict, judgement.pattern) == (Verdict.UNCOALESCED, Pattern.STRIDED)
    assert judgement.condition == IN_TURN
    assert judgement.weight < PROVED
    assert judgement.sectors is not None
    assert (judgement.sectors.minimum, judgement.sectors.expected) == (1, expected)


def test_of_chosen_lanes_several_are_active(tmp_path: Path) -> None:
    store = last_store(tmp_path, "if (in[i] > 0.5f) pairs[atomicAdd(count, 1)].x = in[i];")
    assert store.judgement.verdict is Verdict.UNCOALESCED
    assert store.judgement.condition == f"several lanes are active and {IN_TURN}"


def test_a_counter_of_each_row_of_a_block_is_unknown(tmp_path: Path) -> None:
    """nvcc does not join what differs by ``threadIdx``, though rows be as wide as a warp."""
    text = KERNEL.replace("<<<n, 128>>>", "<<<n, dim3(32, 4)>>>")
    store = last_store(tmp_path, "out[atomicAdd(&count[threadIdx.y], 1)] = in[i];", text=text)
    assert (store.judgement.verdict, store.judgement.condition) == (Verdict.UNKNOWN, "")


@pytest.mark.parametrize(
    "body",
    [
        "out[atomicInc(wide, 1u << 30)] = in[i];",
        "out[atomicMax(count, i)] = in[i];",
        "out[atomicAdd(count, lengths[i])] = in[i];",
        "out[atomicAdd(count, i & 1)] = in[i];",
        "out[atomicAdd(&count[lengths[i]], 1)] = in[i];",
        "out[atomicAdd(&count[threadIdx.x / 32], 1)] = in[i];",
        "out[atomicAdd(count, 1 + threadIdx.x / 32)] = in[i];",
        "out[atomicAdd(&count[i], 1)] = in[i];",
        "out[lengths[atomicAdd(count, 1)]] = in[i];",
        "int p = atomicAdd(count, 1); out[p * p] = in[i];",
        "int p = atomicAdd(count, 1); out[p + lengths[i]] = in[i];",
        "out[atomicAdd(count, 1) % most] = in[i];",
        # numbers of different iterations, or of several counters
        "int p = 0; for (int n = 0; n < lengths[i]; ++n) p = atomicAdd(count, 1); out[p] = in[i];",
        "int p, n = 0; do p = atomicAdd(count, 1); while (in[p + n++] > 0.5f); out[p] = in[i];",
        "out[in[i] > 0 ? atomicAdd(count, 1) : atomicAdd(count + 1, 1)] = in[i];",
        "int p = -1; if (in[i] > 0) p = atomicAdd(count, 1); out[p + 1] = in[i];",
    ],
)
def test_others_are_unknown(tmp_path: Path, body: str) -> None:
    judgement = last_store(tmp_path, body).judgement
    assert (judgement.verdict, judgement.condition) == (Verdict.UNKNOWN, "")
