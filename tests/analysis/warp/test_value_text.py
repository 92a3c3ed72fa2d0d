"""Values of the warp domain in the user's words, and the derivations made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.analysis.thread_layout import assumed_layout, known_layout, layout_of
from drano.analysis.warp.verdict.value_text import Words, stride_text
from drano.lattice import Cause, Form
from drano.model.access import Access, AccessKind, Launch
from drano.model.settings import AnalysisOptions, Config, Domain, View
from drano.run.driver import check_unit

ASSUMED = assumed_layout(Launch((32, 1, 1), assumed=True))
SQUARE = known_layout(Launch((16, 16, 1), assumed=False))


def _parameter(name: str) -> Form:
    return ASSUMED.warp.atom(("p", name), 32, name, Cause.PARAMETER, varying=False)


def test_threads_of_an_assumed_block() -> None:
    warp, words = ASSUMED.warp, Words(ASSUMED)
    x, y, _ = ASSUMED.thread
    n = _parameter("n")
    assert words.expression(x) == "threadIdx.x"
    assert words.expression(warp.scale(x, 4)) == "4*threadIdx.x"
    assert words.expression(warp.add(warp.mul(x, n), y)) == "threadIdx.x*n + threadIdx.y"
    assert words.expression(ASSUMED.lane) == "(threadIdx.x % 32)"
    assert words.expression(ASSUMED.groups) == "(threadIdx.x / 32)"
    assert words.expression(warp.constant(0, 32)) == "0"


def test_threads_of_a_known_block() -> None:
    warp, words = SQUARE.warp, Words(SQUARE)
    x, y, _ = SQUARE.thread
    pitched = warp.add(warp.scale(y, 1024), warp.scale(x, 4))
    assert words.expression(pitched) == "4*threadIdx.x + 1024*threadIdx.y"
    assert words.axes(pitched) == "xy"
    assert words.thread_step(pitched) == 4


def test_threads_of_a_block_that_is_partly_known() -> None:
    layout = layout_of(Launch((16, 2, 1), assumed=False, partly=(16, None, 1)))
    warp, words = layout.warp, Words(layout)
    x, y, z = layout.thread
    pitched = warp.add(warp.scale(y, 1024), warp.scale(x, 4))
    assert words.expression(pitched) == "4*threadIdx.x + 1024*threadIdx.y"
    assert words.expression(layout.groups) == "(threadIdx.y / 2)"
    assert words.expression(z) == "0"
    deep = layout_of(Launch((4, 8, 1), assumed=False, partly=(4, 8, None)))
    assert Words(deep).expression(deep.thread[2]) == "threadIdx.z"


def test_how_lanes_differ() -> None:
    warp, words = ASSUMED.warp, Words(ASSUMED)
    x, y, _ = ASSUMED.thread
    n = _parameter("n")
    assert words.lanes(y) == "the same in all lanes"
    assert words.lanes(warp.scale(x, 3)) == "+3 per lane"
    assert words.lanes(warp.neg(x)) == "-1 per lane"
    assert words.lanes(warp.mul(x, n)) == "+n per lane"
    data = warp.atom("data", 32, "a[…]", Cause.MEMORY, varying=True, data=True)
    assert words.lanes(data) == "differs between lanes"


def test_a_possible_wrap_around_hides_no_stride() -> None:
    warp = ASSUMED.warp
    wrap = warp.atom("wrap", 64, "wrap-around", Cause.WRAP, varying=True, bounds=(0, 1))
    address = warp.add(warp.scale(ASSUMED.thread[0], 8), warp.scale(wrap, 1 << 32))
    assert stride_text(warp, address) == "8 bytes"
    assert Words(ASSUMED).expression(address) == "8*threadIdx.x"


# --- derivations -----------------------------------------------------------------------------

SOURCE = """\
struct Node { int next; float value; };
__device__ float twice(const float* p, int k) { return p[2 * k]; }
__global__ void k(float* out, const float* in, const int* index, Node* nodes, int n, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int c = index[x];
  out[x * w + y] = in[y * w + x];
  out[c] = twice(in, x);
  int at = n > 3 ? x : x + 32;
  for (int j = 0; j < n; ++j) out[at + j * 2] += nodes[x].value;
}
"""


def _accesses(tmp_path: Path, domain: Domain) -> tuple[Access, ...]:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    return check_unit(
        str(path),
        Config(analysis=AnalysisOptions(domain=domain, derive_all=True, view=View.WRITTEN)),
    ).accesses


def _steps(accesses: tuple[Access, ...], text: str, kind: AccessKind) -> list[str]:
    found = next(a for a in accesses if a.index_text == text and a.kind is kind)
    return [step.text for step in found.judgement.derivation]


def test_derivation_of_a_two_dimensional_index(tmp_path: Path) -> None:
    accesses = _accesses(tmp_path, Domain.WARP)
    assert _steps(accesses, "out[x * w + y]", AccessKind.STORE) == [
        "`x = blockIdx.x * blockDim.x + threadIdx.x`: threadIdx.x + blockDim.x*blockIdx.x, "
        "+1 per lane",
        "`y = blockIdx.y * blockDim.y + threadIdx.y`: threadIdx.y + blockDim.y*blockIdx.y, "
        "the same in all lanes",
        "index `x * w + y`: threadIdx.x*w + threadIdx.y + blockDim.x*blockIdx.x*w + "
        "blockDim.y*blockIdx.y, +w per lane",
        "address of `out[x * w + y]`: out + 4*threadIdx.x*w + 4*threadIdx.y + "
        "4*blockDim.x*blockIdx.x*w + 4*blockDim.y*blockIdx.y, +4*w bytes per lane",
    ]


def test_derivations_end_at_loads(tmp_path: Path) -> None:
    accesses = _accesses(tmp_path, Domain.WARP)
    assert _steps(accesses, "out[c]", AccessKind.STORE) == [
        "`c = index[x]`, loaded: c, differs between lanes",
        "address of `out[c]`: out + 4*c, differs between lanes",
    ]


def test_derivations_go_through_calls_loops_and_merges(tmp_path: Path) -> None:
    accesses = _accesses(tmp_path, Domain.WARP)
    called = _steps(accesses, "p[2 * k]", AccessKind.LOAD)
    assert called[-2].startswith("index `2 * k`: 2*threadIdx.x")
    looped = " ".join(_steps(accesses, "out[at + j * 2]", AccessKind.STORE))
    assert "`j`, which changes in a loop: j, the same in all lanes" in looped
    assert "`at`" in looped or "`at = n > 3 ? x : x + 32`" in looped


def test_steps_have_places_in_source_order(tmp_path: Path) -> None:
    for domain in Domain:
        for access in _accesses(tmp_path, domain):
            assert 1 <= len(access.judgement.derivation) <= 12
            assert all(step.span is not None for step in access.judgement.derivation)


def test_the_papers_domain_derives_too(tmp_path: Path) -> None:
    accesses = _accesses(tmp_path, Domain.GPUDRANO)
    steps = _steps(accesses, "nodes[x].value", AccessKind.LOAD)
    assert steps == [
        "`x = blockIdx.x * blockDim.x + threadIdx.x`: 1, +1 per thread",
        "address of `nodes[x].value`: +8 bytes per thread",
    ]


@pytest.mark.parametrize("domain", list(Domain))
def test_a_structure_is_named_in_the_advice(tmp_path: Path, domain: Domain) -> None:
    access = next(a for a in _accesses(tmp_path, domain) if a.index_text == "nodes[x].value")
    assert "read the whole `Node` at once" in access.judgement.fix
    assert "`value[x]`" in access.judgement.fix
