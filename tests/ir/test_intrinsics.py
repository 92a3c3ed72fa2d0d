"""The table of functions that device code calls without defining them."""

from __future__ import annotations

import pytest

from drano.ir.intrinsics import Barrier, IntegerFunction, Meaning, intrinsic, meaning


@pytest.mark.parametrize(
    ("callee", "means"),
    [
        ("llvm.nvvm.read.ptx.sreg.tid.x", Meaning.THREAD_INDEX),
        ("llvm.nvvm.read.ptx.sreg.ctaid.x", Meaning.UNIFORM),
        ("llvm.nvvm.read.ptx.sreg.lanemask.lt", Meaning.VARYING),
        ("llvm.experimental.noalias.scope.decl", Meaning.NOTHING),
        ("llvm.exp2.f32", Meaning.PURE),
        ("llvm.fmuladd.f32", Meaning.PURE),
        ("llvm.nvvm.fence.acq_rel.cluster", Meaning.NOTHING),
        ("llvm.nvvm.shfl.sync.bfly.i32", Meaning.SHUFFLE),
        ("__nv_sincosf", Meaning.PURE),
        ("freeze_all", Meaning.UNKNOWN),
        ("", Meaning.UNKNOWN),
    ],
)
def test_the_longest_beginning_decides(callee, means):
    assert meaning(callee) is means


def test_whole_names_are_no_beginnings():
    assert intrinsic("__nv_min").integer is IntegerFunction.SMIN
    assert intrinsic("__nv_fmaf").flops == intrinsic("__nv_fma").flops == 2
    assert intrinsic("__nv_fmaxf").flops == 1
    assert not intrinsic("free").writes
    assert intrinsic("free_list").writes


def test_special_registers_are_named():
    assert intrinsic("llvm.nvvm.read.ptx.sreg.nctaid.y").register == "nctaid.y"
    assert not intrinsic("llvm.nvvm.shfl.sync.idx.i32").register


@pytest.mark.parametrize(
    ("callee", "barrier"),
    [
        ("llvm.nvvm.barrier0", Barrier.BLOCK),
        ("llvm.nvvm.barrier0.popc", Barrier.BLOCK),
        ("llvm.nvvm.barrier.cta.sync.aligned.all", Barrier.BLOCK),
        ("llvm.nvvm.barrier.cta.sync.aligned.count", Barrier.PART),
        ("llvm.nvvm.barrier.cluster.arrive", Barrier.PART),
        ("llvm.nvvm.bar.warp.sync", Barrier.WARP),
        ("llvm.nvvm.mbarrier.arrive.shared", Barrier.OBJECT),
        ("llvm.nvvm.membar.gl", Barrier.FENCE),
        ("llvm.nvvm.fence.proxy.async", Barrier.FENCE),
        ("llvm.nvvm.vote.all.sync", None),
    ],
)
def test_barriers(callee, barrier):
    assert intrinsic(callee).barrier is barrier
    assert (intrinsic(callee).unit == "barrier") == (barrier is not None)


def test_what_ends_a_thread_is_idle():
    for callee in ("llvm.trap", "llvm.nvvm.exit", "__assertfail"):
        assert intrinsic(callee).ends
        assert intrinsic(callee).idle
    assert not intrinsic("llvm.debugtrap").ends
