"""Neighbouring elements of one thread: which of them one wider access could take."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from drano.analysis.warp.verdict.wider_accesses import alignment, missing
from drano.lattice import Congruence
from drano.model.settings import Config
from drano.run.driver import check_unit
from tests.lattice.worlds import World

SOURCE = """
struct alignas(16) Quad { float x, y, z, w; };
struct Pair { float x, y; };
__global__ void k(float* a, const float* p, const double* d, const Pair* q, const Quad* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = p[4 * i] + p[4 * i + 1] + p[4 * i + 2] + p[4 * i + 3];  // 6: four
  x += p[2 * i + 64] + p[2 * i + 65];                               // 7: two
  x += p[2 * i + 1] + p[2 * i + 2];                                 // 8: not aligned
  x += p[n + 4 * i] + p[n + 4 * i + 1];                             // 9: aligned if n is even
  x += p[4 * n + 2 * i] + p[4 * n + 2 * i + 1];                     // 10: two
  x += d[2 * i] + d[2 * i + 1];                                     // 11: two of eight bytes
  x += q[i].x + q[i].y;                                             // 12: two
  x += v[i].x + v[i].y + v[i].z + v[i].w;                           // 13: the compiler knows
  x += p[i] + p[i + 1];                                             // 14: every other one aligned
  a[4 * i] = x;                                                     // 15: two, then two alone
  a[4 * i + 1] = x;
  __syncthreads();
  a[4 * i + 2] = x;
  if (n) a[4 * i + 3] = x;
}
void run(float* a, const float* p, const double* d, const Pair* q, const Quad* v, int n) {
  k<<<64, 256>>>(a, p, d, q, v, n);
}
"""


def test_what_lies_together_and_is_aligned(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    report = check_unit(str(path), Config(select=("DRN401",)))
    found = [(a.location.span.line, a.vector) for a in report.accesses if a.vector]
    assert found == [(6, 4), (7, 2), (9, 2), (10, 2), (11, 2), (12, 2), (15, 2)]
    said = {f.location.span.line: f.message for f in report.findings}
    assert sorted(said) == [6, 7, 9, 10, 11, 12, 15]
    assert "could be one access of 8 bytes if `n` is a multiple of 2" in said[9]
    assert "4 adjacent elements, aligned to 16 bytes" in said[6]
    assert not [f for f in check_unit(str(path), Config()).findings if f.rule == "DRN401"]


def test_alignment_holds_in_every_lane() -> None:
    world = World(np.random.default_rng(5))
    warp = world.warp
    lane = warp.lanes(warp.space.intern(np.arange(32, dtype=np.int64)), 64)
    base = world.fresh("base", 64, (1, 1 << 40), Congruence(256, 0), varying=False)
    odd = world.fresh("odd", 64, (0, 1 << 20), Congruence(2, 1), varying=False)
    stride = world.fresh("stride", 64, (0, 1 << 20), Congruence(4, 0), varying=False)
    for form in (
        base,
        warp.add(base, warp.scale(lane, 8)),
        warp.add(base, warp.scale(odd, 4)),
        warp.add(base, warp.mul(stride, warp.scale(lane, 2))),
        warp.add(base, warp.add(warp.scale(lane, 16), warp.constant(12, 64))),
        warp.constant(0, 64),
    ):
        claimed = alignment(warp, form)
        assert (world.sum(form) % claimed == 0).all(), form
    assert alignment(warp, base) == 256
    assert alignment(warp, warp.add(base, warp.scale(lane, 8))) == 8
    assert alignment(warp, warp.add(base, warp.mul(stride, warp.scale(lane, 2)))) == 8


def test_what_64_bits_may_wrap_around_by_is_no_overflow_of_ours() -> None:
    world = World(np.random.default_rng(5))
    warp = world.warp
    base = world.fresh("base", 64, (1, 1 << 40), Congruence(256, 0), varying=False)
    wraps = world.fresh("wraps", 64, (0, 3), Congruence(1, 0), varying=False)
    form = warp.add(base, warp.scale(wraps, 1 << 68))
    assert alignment(warp, form) == 256
    assert missing(warp, form, 16) is None
