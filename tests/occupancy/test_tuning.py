"""Register pressure of PTX, and the versions that are worth a run."""

from __future__ import annotations

import pytest

from drano.model.gpus import GPUS, find_gpu
from drano.occupancy.formula import Need, occupancy
from drano.occupancy.pressure import max_live
from drano.occupancy.tuning import MOST_CANDIDATES, Direction, other_blocks, tune

PTX = """
.visible .entry first(
	.param .u64 first_param_0
)
{
	.reg .pred 	%p<3>;
	.reg .b16 	%rs<3>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<5>;
// %bb.0:
%s
}
.func helper() { .reg .b32 %r<9>; mov.u32 %r1, 1; ret; }
"""
STRAIGHT = """
	ld.param.b64 	%rd1, [first_param_0];  // 2
	ld.global.b32 	%r1, [%rd1];            // 3
	ld.global.v2.b32 	{%r2, %r3}, [%rd1+8];  // 5
	add.s32 	%r4, %r1, %r2;              // 4 left
	st.global.b32 	[%rd1], %r4;            // the address and r3
	st.global.b32 	[%rd1+4], %r3;
	ret;
"""
LOOP = """
	mov.u32 	%r1, %tid.x;
	mov.u32 	%r2, 0;
	mov.u32 	%r5, 7;
$L__BB0_1:
	add.s32 	%r2, %r2, %r1;
	setp.lt.s32 	%p1, %r2, 100;
	@%p1 bra 	$L__BB0_1;
	bra.uni 	$L__BB0_3;
$L__BB0_2:
	mov.u32 	%r6, 1; mov.u32 %r7, 2; add.s32 %r6, %r6, %r7;
$L__BB0_3:
	add.s32 	%r5, %r5, %r2;
	st.shared.b32 	[%r5], %r5;
	ret;
"""
KEPT = """
	mov.u32 	%r1, 1;
	mov.u32 	%r2, 2;
	setp.eq.s32 	%p1, %r2, 3;
	@%p1 mov.u32 	%r1, 4;
	{ .reg .b32 %r8; mov.b32 %r8, %r1; mov.b64 %rd1, {%r8, %r2}; }
	st.global.b64 	[%rd1], %rd1;
	ret;
"""


@pytest.mark.parametrize(("body", "expected"), [(STRAIGHT, 5), (LOOP, 4), (KEPT, 2)])
def test_pressure(body: str, expected: int) -> None:
    assert max_live(PTX.replace("%s", body)) == {"first": expected}


def test_pressure_of_anything_is_no_error() -> None:
    assert max_live("") == {}
    assert max_live(".visible .entry k( .param .u64 p )\n{ bra $nowhere; @ %; { ld") == {"k": 0}


def test_more_warps_when_registers_are_short() -> None:
    gpu = find_gpu("sm_80")
    assert gpu is not None
    tuning = tune(gpu, Need(256, 56, 0), 52)
    assert (tuning.direction, tuning.fair) == (Direction.MORE, 32)
    assert [c.need.registers for c in tuning.candidates] == [56, 48, 40, 32]
    assert [c.short for c in tuning.candidates] == [0, 4, 12, 20]
    shares = [c.share for c in tuning.candidates]
    assert shares == sorted(set(shares))


def test_more_warps_when_the_block_alone_keeps_them_away() -> None:
    gpu = find_gpu("sm_80")
    assert gpu is not None
    tuning = tune(gpu, Need(32, 16, 0), 13, other_blocks(None))
    assert tuning.direction is Direction.MORE
    assert [c.need.threads for c in tuning.candidates] == [32, 768, 192, 96, 64]
    assert [c.share for c in tuning.candidates] == [0.5, 0.75, 0.9375, 0.984375, 1.0]
    assert tune(gpu, Need(32, 16, 0), 13).direction is Direction.FEWER  # not proved: not varied


def test_fewer_warps_when_they_are_not() -> None:
    gpu = find_gpu("sm_80")
    assert gpu is not None
    tuning = tune(gpu, Need(256, 24, 0), 20)
    assert tuning.direction is Direction.FEWER
    now, *others = tuning.candidates
    assert now.share == 1.0
    for other in others:
        padded = Need(256, 24, other.padding)
        assert 0 < occupancy(gpu, padded).share == other.share < 1.0


@pytest.mark.parametrize("gpu", GPUS, ids=lambda gpu: gpu.arch)
@pytest.mark.parametrize("pressure", [10, 33, 64, 180])
def test_at_most_five_versions_each_of_another_occupancy(gpu: object, pressure: int) -> None:
    chosen = next(g for g in GPUS if g is gpu)
    for threads in (32, 96, 256, 1024):
        for shared in (0, 5000, 40_000):
            need = Need(threads, min(pressure + 6, 255), shared)
            found = tune(chosen, need, pressure, other_blocks(None)).candidates
            shares = [c.share for c in found]
            assert 1 <= len(found) <= MOST_CANDIDATES
            assert len(set(shares)) == len(shares)


def test_blocks_stay_within_launch_bounds() -> None:
    assert other_blocks(256) == (64, 96, 128, 192, 256)
    assert max(other_blocks(None)) == 1024
