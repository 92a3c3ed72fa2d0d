"""Each instruction of the PTX ISA 9.0, chapter "Instructions", in a form or two.

``%r``: 32 bits, ``%d``: 64, ``%h``: 16, ``%f``, ``%e``: floating-point of 32 and 64, ``%p``:
predicates, ``%q``: 128. ``KNOWN`` are translated; of ``OPAQUE`` the result is unknown, and nothing
else happens; ``ACCESSES`` are accesses that nothing more is known of.
"""

from __future__ import annotations

KNOWN = """
add.s32 %r1, %r2, %r3; add.sat.s32 %r1, %r2, %r3; add.u16x2 %r1, %r2, %r3; sub.s64 %d1, %d2, %d3
mul.lo.s32 %r1, %r2, %r3; mul.hi.u64 %d1, %d2, %d3; mul.wide.s16 %r1, %h2, %h3
mad.lo.u32 %r1, %r2, %r3, %r4; mad.wide.u32 %d1, %r2, %r3, %d4; mad.hi.s32 %r1, %r2, %r3, %r4
mul24.lo.s32 %r1, %r2, %r3; mad24.hi.u32 %r1, %r2, %r3, %r4; sad.u32 %r1, %r2, %r3, %r4
div.s32 %r1, %r2, %r3; rem.u64 %d1, %d2, %d3; abs.s32 %r1, %r2; neg.s64 %d1, %d2
min.u32 %r1, %r2, %r3; max.s16x2 %r1, %r2, %r3; max.relu.s32 %r1, %r2, %r3; popc.b64 %r1, %d2
clz.b32 %r1, %r2; bfind.u32 %r1, %r2; bfind.shiftamt.u64 %r1, %d2; brev.b32 %r1, %r2
bfe.u32 %r1, %r2, 3, 5; bfe.s64 %d1, %d2, 60, 10; bfi.b32 %r1, %r2, %r3, 8, 8
bmsk.clamp.b32 %r1, 4, 8; dp4a.s32.u32 %r1, %r2, %r3, %r4; dp2a.lo.u32.s32 %r1, %r2, %r3, %r4
testp.finite.f32 %p1, %f2; copysign.f64 %e1, %e2, %e3; add.rn.ftz.f32 %f1, %f2, %f3
sub.f64 %e1, %e2, %e3; mul.rn.f32 %f1, %f2, %f3; fma.rn.f64 %e1, %e2, %e3, %e4
mad.rn.f32 %f1, %f2, %f3, %f4; div.full.f32 %f1, %f2, %f3; abs.f32 %f1, %f2; neg.f64 %e1, %e2
min.NaN.f32 %f1, %f2, %f3; max.f64 %e1, %e2, %e3; min.f32 %f1, %f2, %f3, %f4
rcp.approx.ftz.f32 %f1, %f2; rcp.approx.ftz.f64 %e1, %e2; sqrt.rn.f64 %e1, %e2
rsqrt.approx.f32 %f1, %f2; rsqrt.approx.ftz.f64 %e1, %e2; sin.approx.f32 %f1, %f2
cos.approx.f32 %f1, %f2; lg2.approx.f32 %f1, %f2; ex2.approx.ftz.f32 %f1, %f2
tanh.approx.f32 %f1, %f2; add.f16 %h1, %h2, %h3; sub.bf16x2 %r1, %r2, %r3
mul.rn.f16x2 %r1, %r2, %r3; fma.rn.relu.bf16 %h1, %h2, %h3, %h4; neg.f16x2 %r1, %r2
abs.bf16 %h1, %h2; min.f16 %h1, %h2, %h3; max.NaN.bf16x2 %r1, %r2, %r3; tanh.approx.f16 %h1, %h2
ex2.approx.f16 %h1, %h2; add.rn.f32x2 %d1, %d2, %d3; fma.rn.f32x2 %d1, %d2, %d3, %d4
set.lt.u32.s32 %r1, %r2, %r3; set.eq.and.f32.f32 %f1, %f2, %f3, %p1
setp.lt.s32 %p1, %r2, %r3; setp.ltu.or.f32 %p1|%p2, %f2, %f3, !%p3; setp.hi.u64 %p1, %d2, %d3
setp.gt.f16 %p1, %h2, %h3; selp.b64 %d1, %d2, %d3, %p1; slct.s32.f32 %r1, %r2, %r3, %f4
and.b32 %r1, %r2, %r3; or.pred %p1, %p2, %p3; xor.b64 %d1, %d2, %d3; not.b32 %r1, %r2
not.pred %p1, %p2; cnot.b32 %r1, %r2; lop3.b32 %r1, %r2, %r3, %r4, 0x6a
shf.l.wrap.b32 %r1, %r2, %r3, %r4; shf.r.clamp.b32 %r1, %r2, %r3, %r4; shl.b32 %r1, %r2, %r3
shr.s64 %d1, %d2, %r3; shr.u16 %h1, %h2, 3; mov.u32 %r1, %tid.x; mov.b64 %d1, {%r2, %r3}
mov.b64 {%r1, %r2}, %d3; mov.u64 %d1, table; mov.u32 %r1, tile; mov.f32 %f1, 0f3F800000
mov.b32 {%h1, _}, %r2; mov.u32 %r1, WARP_SZ; mov.u64 %d1, %clock64; mov.b32 %r1, %lanemask_lt
mov.u32 %r1, %cluster_ctaid.x; shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, -1
shfl.bfly.b32 %r1, %r2, 1, 31; prmt.b32 %r1, %r2, %r3, 0x5410; prmt.b32 %r1, %r2, %r3, %r4
ld.global.f32 %f1, [%d1]; ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1, %f2, %f3, %f4}, [%d1]
ld.shared.v2.u32 {%r1, %r2}, [%r3+8]; ld.volatile.u8 %h1, [%d1]; ld.const.b64 %d1, [coef+16]
ld.local.s8 %r1, [%d1]; ld.acquire.gpu.b32 %r1, [%d1]; ld.param.u64 %d1, [p]; ldu.global.f32 %f1, [%d1]
ld.global.v8.f32 {%f1, %f2, %f3, %f4, %f1, %f2, %f3, %f4}, [%d1]; ld.global.b128 %q1, [%d1]
ld.global.L2::cache_hint.f32 %f1, [%d1], %d2; ld.shared::cluster.u32 %r1, [%r2]
st.global.cs.v2.f64 [%d1], {%e1, %e2}; st.shared.b16 [%r1], %h1; st.release.sys.global.u32 [%d1], %r1
st.L2::cache_hint.global.b32 [%d1], %r1, %d2; prefetch.global.L2 [%d1]; prefetchu.L1 [%d1]
applypriority.global.L2::evict_normal [%d1], 128; isspacep.global %p1, %d1
cvta.to.global.u64 %d1, %d2; cvta.shared.u64 %d1, %d2; cvt.rn.f32.s32 %f1, %r1
cvt.rzi.s32.f32 %r1, %f1; cvt.u16.u32 %h1, %r1; cvt.sat.u8.s32 %h1, %r1; cvt.rn.f16.f32 %h1, %f1
cvt.f32.bf16 %f1, %h1; cvt.s64.s8 %d1, %h1; cvt.rmi.f32.f32 %f1, %f2; cvt.rn.bf16.f16 %h1, %h2
cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.cg.shared.global.L2::128B [%r1], [%d1], 16, %r2
cp.async.commit_group; cp.async.wait_group 1; cp.async.wait_all; bra.uni over; ret; exit; trap
@%p1 bra over; @!%p1 add.s32 %r1, %r2, %r3; bar.sync 0; barrier.sync.aligned 1, 64
barrier.cta.sync 0; bar.warp.sync -1; membar.gl; atom.global.add.f32 %f1, [%d1], %f2
atom.shared.cas.b32 %r1, [%r2], %r3, %r4; atom.global.exch.b64 %d1, [%d2], %d3
atom.relaxed.gpu.global.inc.u32 %r1, [%d1], %r2; red.global.max.s64 [%d1], %d2
red.shared::cta.and.b32 [%r1], %r2; atom.add.noftz.f16 %h1, [%d1], %h2; vote.sync.any.pred %p1, %p2, -1
vote.ballot.b32 %r1, %p1; match.any.sync.b64 %r1, %d1, -1; match.all.sync.b32 %r1|%p1, %r2, -1
activemask.b32 %r1; redux.sync.add.s32 %r1, %r2, -1; elect.sync %r1|%p1, -1; nanosleep.u32 20
griddepcontrol.wait; pmevent 1; setmaxnreg.inc.sync.aligned.u32 240; brkpt
call (res), callee, (arg); call done
"""

OPAQUE = """
fns.b32 %r1, %r2, 0, 1; szext.clamp.s32 %r1, %r2, %r3; add.cc.u32 %r1, %r2, %r3
addc.u32 %r1, %r2, %r3; sub.cc.s64 %d1, %d2, %d3; subc.s64 %d1, %d2, %d3
mad.lo.cc.u32 %r1, %r2, %r3, %r4; madc.hi.u32 %r1, %r2, %r3, %r4; add.rn.f32.f16 %f1, %h2, %f3
fma.rn.f32.bf16 %f1, %h2, %h3, %f4; bfe.u32 %r1, %r2, %r3, 4; min.xorsign.abs.f32 %f1, %f2, %f3
set.lt.f16x2.f16x2 %r1, %r2, %r3; setp.lt.f16x2 %p1|%p2, %r2, %r3
createpolicy.fractional.L2::evict_first.b64 %d1, 0.5
createpolicy.range.global.L2::evict_last.b64 %d1, [%d2], 64, 128; cvt.rn.f16x2.f32 %r1, %f1, %f2
cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2; cvt.rna.tf32.f32 %r1, %f1
cvt.pack.sat.s16.s32 %r1, %r2, %r3; mapa.u64 %d1, %d2, %r1; getctarank.u32 %r1, %d1
tanh.approx.bf16x2 %r1, %r2; txq.width.b32 %r1, [image]; suq.width.b32 %r1, [image]
istypep.texref %p1, %d1; bar.red.popc.u32 %r1, 0, %p1; bar.arrive 1, 64
barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire; fence.acq_rel.gpu
fence.proxy.tensormap::generic.acquire.gpu [%d1], 128; fence.proxy.async; redux.sync.min.f32 %f1, %f2, -1
mbarrier.init.shared.b64 [%r1], 32; mbarrier.arrive.shared.b64 %d1, [%r1]; mbarrier.inval.shared.b64 [%r1]
mbarrier.test_wait.shared.b64 %p1, [%r1], %d1; mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2
mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], %r2; mbarrier.pending_count.b64 %r1, %d1
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%f1, %f2, %f3, %f4}
wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%e1, %e2}, {%e3}, {%e4}, {%e1, %e2}
movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2; wgmma.fence.sync.aligned
wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; cp.async.bulk.commit_group
cp.async.bulk.wait_group.read 0; tcgen05.fence::before_thread_sync
tcgen05.wait::ld.sync.aligned; vadd.s32.s32.s32.sat %r1, %r2.b0, %r3.h1
vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4; vset2.u32.u32.ge %r1, %r2, %r3, %r4
vmad.u32.u32.u32.shr7 %r1, %r2.b0, %r3.b1, %r4; stacksave.u64 %d1; stackrestore.u64 %d1
alloca.u64 %d1, %d2, 8; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q1
cp.async.mbarrier.arrive.shared.b64 [%r1]
"""

ACCESSES = """
st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%d1], %r1, [%d2]
st.bulk.shared::cta [%d1], %d2, 0; multimem.ld_reduce.relaxed.sys.global.add.f32 %f1, [%d1]
multimem.st.relaxed.sys.global.f32 [%d1], %f1; multimem.red.relaxed.sys.global.add.f32 [%d1], %f1
discard.global.L2 [%d1], 128; red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%d1], %r1, [%d2]
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%d1], [%d2], %r1, [%d3]
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%d2], %r1
cp.async.bulk.prefetch.L2.global [%d1], %r1
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%d1], [%d2, {%r1, %r2}], [%d3]
cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%d1, {%r1}], [%d2]
cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%d1, {%r1}]
tensormap.replace.tile.global_address.global.b1024.b64 [%d1], %d2
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1], [%d2], 128
tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2}]; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1}]
tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2}]; suld.b.2d.b32.trap %r1, [%d1, {%r1, %r2}]
sust.b.1d.v2.b32.clamp [%d1, {%r1}], {%r2, %r3}; sured.b.add.2d.u32.clamp [%d1, {%r1, %r2}], %r3
atom.global.v4.f32.add {%f1, %f2, %f3, %f4}, [%d1], {%f1, %f2, %f3, %f4}; red.global.add.noftz.f16x2 [%d1], %r1
atom.global.cas.b128 %q1, [%d1], %q2, %q3
wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2, %r3, %r4, %r1, %r2, %r3, %r4}, [%d1], %r1
wmma.store.d.sync.aligned.row.m8n8k4.f64 [%d1], {%e1, %e2}, %r1
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r1]
stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r2, %r3}
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d1, %d2, %p1, 1, 1, 0, 0
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%d1], 32
tcgen05.ld.sync.aligned.16x64b.x1.b32 %r1, [%r2]; tcgen05.st.sync.aligned.16x64b.x1.b32 [%r1], %r2
tcgen05.cp.cta_group::1.128x256b [%r1], %d1
tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p1
clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%d1], [%d2]
frobnicate.global.f32 %f1, [%d1]
"""


def forms(text: str) -> list[str]:
    """The instructions in such a list."""
    return [part.strip() for line in text.strip().splitlines() for part in line.split("; ")]


def module(instruction: str, *, line: int = 20) -> str:
    """A module with a kernel that executes the instruction, in that line."""
    registers = "".join(
        f".reg .{type_} %{name}<9>; "
        for name, type_ in zip("rdhfepq", ("b32", "b64", "b16", "f32", "f64", "pred", "b128"), strict=True)
    )  # fmt: skip
    head = (
        ".version 9.0\n.target sm_100a\n.address_size 64\n"
        ".global .align 16 .b8 table[64];\n.const .align 16 .b8 coef[64];\n"
        ".global .texref image;\n.shared .align 16 .b8 tile[64];\n"
        ".func (.param .b32 r) callee (.param .b32 a) { ret; }\n.func done { ret; }\n"
        f".visible .entry k(.param .u64 p) {{\n{registers}\n"
        ".param .b32 res; .param .b32 arg;\nld.param.u64 %d1, [p];\n"
    )
    padding = "\n" * (line - 1 - head.count("\n"))
    return f"{head}{padding}{instruction};\nover: ret;\n}}\n"
