"""What may access memory, but is not followed, is told as unknown, with its place and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.access import Access, AccessKind
from drano.model.judgement import Space, Verdict
from drano.model.settings import AnalysisOptions, CompileOptions, Config, Domain, View
from drano.run.driver import check_unit
from tests.views import AS_WRITTEN

ASSEMBLY = 'asm volatile("{{ .reg .pred p; setp.ne.s32 p, %0, 0; @p {} }}" :: "r"(n), "l"(a));'
FRAGMENTS = """
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;
  wmma::load_matrix_sync(x, (const half *)a, 16);
  wmma::load_matrix_sync(y, (const half *)a, 16);
  wmma::fill_fragment(z, 0.0f);
  wmma::mma_sync(z, x, y, z);
  wmma::store_matrix_sync(a, z, 16, wmma::mem_row_major);
"""


def _unseen(
    tmp_path: Path, body: str, view: View = View.WRITTEN, head: str = "", arch: str = "sm_90"
) -> list[Access]:
    path = tmp_path / "k.cu"
    path.write_text(
        f"{head}\n__global__ void k(float *a, int n, void (*f)(float *)) {{ {body} }}\n"
    )
    options = AnalysisOptions(view=view)
    report = check_unit(str(path), Config(CompileOptions(arch=arch), options), None)
    assert not report.diagnostics
    assert not report.not_analysed
    return [a for a in report.accesses if a.judgement.space is not Space.LOCAL]


@pytest.mark.parametrize("view", View)
@pytest.mark.parametrize(
    ("body", "kind", "space", "reason"),
    [
        ("f(a);", AccessKind.OTHER, Space.GENERIC, "a call through a pointer"),
        ("away(a);", AccessKind.OTHER, Space.GENERIC, "is not here"),
        (ASSEMBLY.format("discard.global.L2 [%1], 8;"), AccessKind.OTHER, Space.GLOBAL,
         "inline PTX"),
        ('asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 '
         '[%0], [%1], 64; ld.global.newer.b32 %1, [%0];" :: "l"(a), "r"(n));', AccessKind.OTHER,
         Space.GENERIC, "inline PTX that is not followed"),
        ('asm volatile("cp.async.bulk.shared::cluster.global [%0], [%1], 32, [%0];" '
         ':: "r"(n), "l"(a));', AccessKind.LOAD, Space.GLOBAL, "a bulk copy of 32 bytes only"),
        ('asm volatile("cp.async.bulk.shared::cluster.shared::cta [%0], [%0], 64, [%0];" '
         ':: "r"(n));', AccessKind.OTHER, Space.SHARED, "between shared memories"),
        ('asm volatile("ld.global.newer.b32 %0, [%1];" : "=r"(n) : "l"(a)); a[0] = n;',
         AccessKind.LOAD, Space.GLOBAL, "inline PTX"),
    ],
)  # fmt: skip
def test_what_is_not_followed_is_unknown(
    tmp_path: Path, view: View, body: str, kind: AccessKind, space: Space, reason: str
) -> None:
    head = "__device__ void away(float *);"
    found = [a for a in _unseen(tmp_path, body, view, head) if a.index_text != "a[0]"]
    assert [(a.kind, a.judgement.space) for a in found] == [(kind, space)]
    assert found[0].judgement.verdict is Verdict.UNKNOWN
    assert reason in found[0].judgement.reason
    assert found[0].location.span.line == 2
    assert found[0].width == "width unknown"


_BULK = {
    "g2s": ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", "load"),
    "multicast": ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                  ".multicast::cluster", "load"),
    "s2g": ("cp.async.bulk.global.shared::cta.bulk_group", "store"),
    "reduced": ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32", "access"),
}  # fmt: skip


@pytest.mark.parametrize("view", View)
@pytest.mark.parametrize("way", _BULK)
@pytest.mark.parametrize(
    ("size", "condition"), [("512", ""), ("48", ""), ("n", "it moves 48 bytes or more")]
)
def test_a_bulk_copy_moves_bytes_side_by_side(
    tmp_path: Path, view: View, way: str, size: str, condition: str
) -> None:
    opcode, kind = _BULK[way]
    ends = "[%1], [%0]" if kind == "load" else "[%0], [%1]"
    body = f'asm volatile("{opcode} {ends}, %2, [%1];" :: "l"(a), "r"(n), "r"({size}));'
    (found,) = _unseen(tmp_path, f"if (threadIdx.x == 0) {body}", view)
    assert (str(found.kind), found.judgement.space) == (kind, Space.GLOBAL)
    assert found.judgement.verdict is Verdict.COALESCED
    assert found.judgement.condition == condition


@pytest.mark.parametrize("view", View)
@pytest.mark.parametrize(
    ("opcode", "operands", "kind"),
    [
        ("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
         "[%1], [%0, {%1, %1}], [%1]", "load"),
        ("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group", "[%0, {%1}], [%1]", "store"),
        ("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group",
         "[%0, {%1}], [%1]", "access"),
    ],
)  # fmt: skip
def test_a_tensor_copy_moves_rows_of_its_box(
    tmp_path: Path, view: View, opcode: str, operands: str, kind: str
) -> None:
    body = f'asm volatile("{opcode} {operands};" :: "l"(a), "r"(n));'
    (found,) = _unseen(tmp_path, body, view)
    assert (str(found.kind), found.judgement.space) == (kind, Space.GLOBAL)
    assert found.judgement.verdict is Verdict.COALESCED
    assert found.judgement.condition == "the rows of the tensor map's box have 48 bytes or more"


@pytest.mark.parametrize("way", ["[%0], 64", "tensor.1d.L2.global.tile [%0, {%1}]"])
def test_a_prefetch_of_bytes_is_no_access(tmp_path: Path, way: str) -> None:
    opcode = way if way.startswith("tensor") else f"L2.global {way}"
    body = f'asm volatile("cp.async.bulk.prefetch.{opcode};" :: "l"(a), "r"(n));'
    assert not _unseen(tmp_path, body)


@pytest.mark.parametrize("view", View)
def test_fragments_are_loads_and_stores(tmp_path: Path, view: View) -> None:
    """Of GPUs before compute capability 8.0: see ``test_matrix_fragments`` for others."""
    found = _unseen(tmp_path, FRAGMENTS, view, "#include <mma.h>", "sm_70")
    assert [str(a.kind) for a in found] == ["load", "load", "store"]
    assert all("spreads the matrix" in a.judgement.reason for a in found)


@pytest.mark.parametrize("view", View)
def test_fragments_of_shared_memory_are_no_global_accesses(tmp_path: Path, view: View) -> None:
    body = """
      using namespace nvcuda::wmma;
      __shared__ double tile[2][64];
      double* chosen = n & 1 ? tile[0] : tile[1];
      fragment<accumulator, 8, 8, 4, double> c;
      load_matrix_sync(c, chosen, 8, mem_row_major);
      store_matrix_sync((double*)a, c, 8, mem_row_major);
    """
    found = _unseen(tmp_path, body, view, "#include <mma.h>")
    spaces = [(str(a.kind), a.judgement.space) for a in found]
    assert spaces == [("load", Space.SHARED), ("store", Space.GLOBAL)]


@pytest.mark.parametrize("view", View)
def test_so_have_those_of_references(tmp_path: Path, view: View) -> None:
    head = (
        "texture<float, 1> line; texture<uchar4, 2, cudaReadModeNormalizedFloat> plane;\n"
        "surface<void, 2> board;"
    )
    body = (
        "a[n] = tex1Dfetch(line, n) + tex2D(plane, 1.0f, 2.0f).x;"
        "surf2Dwrite(surf2Dread<float>(board, 0, n), board, 4, n);"
    )
    found = [a for a in _unseen(tmp_path, body, view, head) if a.index_text != "a[n]"]
    assert all(a.judgement.space is Space.TEXTURE for a in found)
    assert [a.kind for a in found] == [AccessKind.LOAD] * 3 + [AccessKind.STORE]


@pytest.mark.parametrize("view", View)
def test_textures_and_surfaces_have_a_space_of_their_own(tmp_path: Path, view: View) -> None:
    body = (
        "a[threadIdx.x] = tex2D<float>(n, threadIdx.x, 0.0f);"
        " surf2Dwrite(1.0f, n, 4 * threadIdx.x, 0); a[threadIdx.x] += 1;"
    )
    found = _unseen(tmp_path, body, view)
    images = [a for a in found if a.judgement.space is Space.TEXTURE]
    assert [str(a.kind) for a in images] == ["load", "store"]
    rest = [a for a in found if a.judgement.space is not Space.TEXTURE]
    # A surface's `.trap` ends no lane: all are active behind it.
    assert {a.judgement.verdict for a in rest} == {Verdict.COALESCED}


def test_all_lanes_go_on_behind_a_barrier_of_the_grid(tmp_path: Path) -> None:
    head = "#include <cooperative_groups.h>"
    body = "cooperative_groups::this_grid().sync(); a[threadIdx.x] = n;"
    last = _unseen(tmp_path, body, View.COMPILED, head)[-1]
    assert last.judgement.verdict is Verdict.COALESCED


_WAITS = (
    "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @p bra L; L: }",
    "{\\n.reg .pred p;\\nL_%=:\\nmbarrier.try_wait.shared.b64 p, [%0], %0;\\n@!p bra L_%=;\\n}",
    "mbarrier.arrive.expect_tx.shared.b64 _, [%0], 64;",
)


@pytest.mark.parametrize(
    "body",
    [
        "n = __popc(n);",
        'asm volatile("nanosleep.u32 %0;" :: "r"(n));',
        *(f'asm volatile("{wait}" :: "r"(n) : "memory");' for wait in _WAITS),
    ],
)
def test_what_cannot_access_memory_is_none(tmp_path: Path, body: str) -> None:
    assert not _unseen(tmp_path, body)


@pytest.mark.parametrize("view", View)
def test_an_asynchronous_copy_is_a_load_and_a_store(tmp_path: Path, view: View) -> None:
    body = (
        "__shared__ float4 s[256];"
        " __pipeline_memcpy_async(&s[threadIdx.x], &((float4 *)a)[threadIdx.x], 16);"
    )
    load, store = _unseen(tmp_path, body, view, "#include <cuda_pipeline.h>")
    assert (load.kind, load.judgement.space, load.bytes) == (AccessKind.LOAD, Space.GLOBAL, 16)
    assert (store.kind, store.judgement.space, store.bytes) == (AccessKind.STORE, Space.SHARED, 16)
    assert load.judgement.verdict is store.judgement.verdict is Verdict.COALESCED


def test_the_papers_domain_has_no_such_accesses(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(float *a, void (*f)(float *)) { f(a); }\n")
    config = Config(analysis=AnalysisOptions(domain=Domain.GPUDRANO))
    assert not check_unit(str(path), config, None).accesses


@pytest.mark.parametrize("view", View)
def test_a_copy_of_as_many_bytes_as_an_operand_says_may_read_none(
    tmp_path: Path, view: View
) -> None:
    body = (
        "__shared__ float s[256]; unsigned to = __cvta_generic_to_shared(&s[threadIdx.x]);"
        ' asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"'
        ' :: "r"(to), "l"(a + 33 * threadIdx.x), "r"(n));'
    )
    store, load = _unseen(tmp_path, body, view)
    assert (store.kind, store.judgement.space) == (AccessKind.STORE, Space.SHARED)
    assert store.judgement.verdict is Verdict.COALESCED
    assert (load.kind, load.judgement.space) == (AccessKind.LOAD, Space.GLOBAL)
    assert load.judgement.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("mask", "verdicts"),
    [
        ("<4 x i1> splat (i1 true)", ["uncoalesced", "uncoalesced"]),
        ("<4 x i1> <i1 true, i1 true, i1 true, i1 false>", ["uncoalesced", "unknown"]),
        ("<4 x i1> zeroinitializer", ["unknown", "unknown"]),
        ("<4 x i1> %m", ["unknown", "unknown"]),
    ],
)
def test_elements_that_the_run_chooses_are_not_judged(
    tmp_path: Path, mask: str, verdicts: list[str]
) -> None:
    path = tmp_path / "k.ll"
    path.write_text(
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define ptx_kernel void @k(ptr %p, <4 x i1> %m) {\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %a = getelementptr [33 x <4 x float>], ptr %p, i32 %t\n"
        f"  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 16 %a, {mask}, "
        "<4 x float> zeroinitializer)\n"
        f"  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr align 16 %a, {mask})\n"
        "  ret void\n}\n"
    )
    report = check_unit(str(path), AS_WRITTEN, None)
    assert [str(access.judgement.verdict) for access in report.accesses] == verdicts
