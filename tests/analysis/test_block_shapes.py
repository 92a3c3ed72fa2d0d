"""Which block shapes a kernel is analysed for, and that an answer is one for all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drano.analysis.blocks.block_shapes import shape_of
from drano.model.access import Access, Launch
from drano.model.judgement import Space, Verdict
from drano.model.report import FileReport
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.run.driver import check_unit
from tests.conftest import unpacked
from tests.warm_cli import main

GIVEN, ASSUMED = Launch((256, 1, 1), assumed=False), Launch((32, 1, 1), assumed=True)
KERNEL = """
__global__ void k(float* out, const float* in, int n) {
  __shared__ float tile[1024];
  tile[threadIdx.x * n] = in[threadIdx.x * n];
  out[threadIdx.x] = tile[threadIdx.x];
}
void host(float* out, float* in, int n, int block) {
"""


def _report(
    tmp_path: Path, launches: str, block: tuple[int, int, int] | None = None, most: int = 4
) -> FileReport:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL + launches + "}\n")
    config = Config(analysis=AnalysisOptions(block=block, max_shapes=most))
    return check_unit(str(path), config, None)


def _strided(report: FileReport) -> tuple[Access, Access]:
    """The load whose stride is n, and the store to shared memory."""
    load = next(a for a in report.accesses if a.index_text == "in[threadIdx.x * n]")
    store = next(a for a in report.accesses if a.index_text == "tile[threadIdx.x * n]")
    assert (load.judgement.space, store.judgement.space) == (Space.GLOBAL, Space.SHARED)
    return load, store


def test_one_launch_decides_alone(tmp_path: Path) -> None:
    report = _report(tmp_path, "k<<<1, 256>>>(out, in, 1);")
    assert report.kernels[0].launches == (GIVEN,)
    load, store = _strided(report)
    assert load.judgement.verdict is Verdict.COALESCED
    assert store.judgement.wavefronts is not None
    assert store.judgement.wavefronts.expected == 1


@pytest.mark.parametrize("other", ["k<<<1, block>>>(out, in, n);", "k<<<1, 64>>>(out, in, n);"])
def test_what_holds_for_one_launch_is_not_said_of_another(tmp_path: Path, other: str) -> None:
    report = _report(tmp_path, "k<<<1, 256>>>(out, in, 1);" + other)
    assert len(report.kernels[0].launches) == 2
    assert report.kernels[0].launches[0] == GIVEN
    load, store = _strided(report)
    assert load.judgement.possible
    assert load.launch == report.kernels[0].launches[1]
    assert store.judgement.wavefronts is not None
    assert (store.judgement.wavefronts.minimum, store.judgement.wavefronts.maximum) == (1, 32)
    assert store.judgement.wavefronts.expected is None


def test_with_a_usual_block_arguments_are_not_the_usual_ones(tmp_path: Path) -> None:
    sizes = "int any(int), m = n > 1 ? any(1) : 1, t = n > 2 ? any(2) : 256;"
    report = _report(tmp_path, f"{sizes} k<<<1, t>>>(out, in, m);")
    assert GIVEN in report.kernels[0].launches and len(report.kernels[0].launches) == 2
    load, _ = _strided(report)
    assert load.judgement.verdict is not Verdict.COALESCED
    report = _report(tmp_path, f"{sizes} k<<<1, t>>>(out, in, 1);")
    assert _strided(report)[0].judgement.verdict is Verdict.COALESCED


def test_arguments_common_to_the_launches_of_unknown_shape_are_known(tmp_path: Path) -> None:
    both = "k<<<1, 256>>>(out, in, 1); k<<<1, block>>>(out, in, 1);"
    load, _ = _strided(_report(tmp_path, both))
    assert load.judgement.verdict is Verdict.COALESCED
    assert load.launch == GIVEN  # not the assumed one, which says the same


def test_more_shapes_than_are_looked_at(tmp_path: Path) -> None:
    launches = "".join(f"k<<<1, {threads}>>>(out, in, 1);" for threads in (256, 128, 64))
    report = _report(tmp_path, launches + "k<<<1, 32>>>(out, in, 2);", most=2)
    assert report.kernels[0].launches == (GIVEN, Launch((128, 1, 1), assumed=False), ASSUMED)
    assert not report.kernels[0].launches_known
    assert _strided(report)[0].judgement.verdict is not Verdict.COALESCED


@pytest.mark.parametrize(
    ("block", "taken"),
    [
        ((4, 8, None), Launch((4, 8, 1), assumed=False, partly=(4, 8, None))),
        ((16, None, 1), Launch((16, 2, 1), assumed=False, partly=(16, None, 1))),
        ((16, None, None), Launch((16, 2, 1), assumed=True, partly=(16, None, None))),
        ((64, None, None), Launch((64, 1, 1), assumed=False, partly=(64, None, None))),
        ((None, 4, 1), Launch((32, 4, 1), assumed=True, partly=(None, 4, 1))),
        ((600, None, 1), Launch((600, 1, 1), assumed=False, partly=(600, None, 1))),
        ((4, 8, 2), Launch((4, 8, 2), assumed=False)),
        ((None, None, None), None),
        ((None, 64, 1), None),
        ((2048, None, 1), None),
        ((0, None, 1), None),
    ],
)
def test_what_is_known_of_a_shape_is_kept(
    block: tuple[int | None, int | None, int | None], taken: Launch | None
) -> None:
    assert shape_of(block) == taken


def test_a_given_block_fits_or_is_not_meant(tmp_path: Path) -> None:
    assert shape_of((4, 8, None), given=(4, 8, 2)) == Launch((4, 8, 2), assumed=False)
    known = Launch((4, 8, 1), assumed=False, partly=(4, 8, None))
    assert shape_of((4, 8, None), given=(256, 1, 1)) == known


def test_a_given_block_stands_for_launches_of_unknown_shape(tmp_path: Path) -> None:
    launches = "k<<<1, 256>>>(out, in, 1); k<<<1, block>>>(out, in, 2);"
    report = _report(tmp_path, launches, block=(64, 1, 1))
    assert report.kernels[0].launches == (GIVEN, Launch((64, 1, 1), assumed=False))
    load, _ = _strided(report)
    assert load.judgement.verdict is Verdict.UNCOALESCED
    assert load.launch == Launch((64, 1, 1), assumed=False)


NAMES = """
#define BODY { p[threadIdx.x * n] = 0; }
template <class T> __global__ void t(T* p, int n) BODY
template __global__ void t<int>(int*, int);
__global__ void o(float* p, int n) BODY
__global__ void o(int* p, int n) BODY
static __global__ void hidden(float* p, int n) BODY
namespace { __global__ void unnamed(float* p, int n) BODY }
namespace outer { namespace { template <int N> __global__ void inner(float* p, int n) BODY } }
extern "C" __global__ void plain(float* p, int n) BODY
struct Method { template <class T> static void go(T* p) { t<<<1, 256>>>(p, 1); } };
void host(float* p) {
  Method::go(p);
  o<<<1, 256>>>(p, 1);
  hidden<<<1, 256>>>(p, 1);
  unnamed<<<1, 256>>>(p, 1);
  outer::inner<2><<<1, 256>>>(p, 1);
  plain<<<1, 256>>>(p, 1);
}
"""


def test_launches_are_of_one_instance_and_one_overload(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(NAMES)
    report = check_unit(str(path), Config(), None)
    verdicts = {access.kernel_symbol: access.judgement.verdict for access in report.accesses}
    launched = {symbol for symbol, verdict in verdicts.items() if verdict is Verdict.COALESCED}
    assert verdicts.keys() - launched == {"_Z1tIiEvPT_i", "_Z1oPii"}
    assert len(launched) == 6
    known = {kernel.symbol for kernel in report.kernels if kernel.launches == (GIVEN,)}
    assert known == launched


def test_an_overload_has_its_own_launches(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(float* a) { a[threadIdx.y] = 1; }\n"
        "__global__ void k(float* a, float* b) { b[threadIdx.y] = 1; }\n"
        'extern "C" __global__ void k(float* a, int n) { a[threadIdx.y * n] = 1; }\n'
        "namespace { __global__ void s(float* a) { a[threadIdx.y] = 1; } }\n"
        "void f(float* p) { k<<<1, dim3(64, 2)>>>(p); s<<<1, 96>>>(p); }\n"
        "void g(float* p) { k<<<1, 96>>>(p, 1); }\n"
    )
    report = check_unit(str(path), Config(compile=CompileOptions(flags=("-fgpu-rdc",))))
    assert [(k.symbol.partition("__")[0], k.launches) for k in report.kernels] == [
        ("_Z1kPf", (Launch((64, 2, 1), assumed=False),)),
        ("_Z1kPfS_", (ASSUMED,)),
        ("k", (Launch((96, 1, 1), assumed=False),)),
        ("_ZN12_GLOBAL__N_11sEPf".partition("__")[0], (Launch((96, 1, 1), assumed=False),)),
    ]


def test_what_no_block_of_the_assumed_shape_reaches_is_unknown_not_absent(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    kernel = "__global__ void k(float* a) { a[0] = 1; if (blockDim.x == 8) a[threadIdx.x] = 2; }"
    path.write_text(kernel)
    report = check_unit(str(path), Config(), None)
    guarded = next(a for a in report.accesses if a.index_text == "a[threadIdx.x]")
    assert guarded.judgement.verdict is Verdict.UNKNOWN
    assert "a different shape" in guarded.judgement.reason
    path.write_text(kernel + "void host(float* a) { k<<<1, 64>>>(a); }")
    report = check_unit(str(path), Config(), None)
    assert [a.index_text for a in report.accesses] == ["a[0]"]


def test_what_is_coalesced_in_the_assumed_shape_only_says_so_in_every_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.cu"
    path.write_text("__global__ void k(float* a) { a[threadIdx.y * 128 + threadIdx.x] = 1; }\n")
    (access,) = check_unit(str(path), Config(), None).accesses
    assert access.judgement.verdict is Verdict.COALESCED
    assert access.otherwise == (4, 8, 1)
    said = "assumes the block shape: not so in blocks of 4x8"
    for arguments in (
        ["--show", "all"],
        ["--show", "all", "--output-format", "json"],
        ["--output-format", "html"],
    ):
        main(["check", "--isolated", *arguments, str(path)])
        shown = capsys.readouterr().out
        packed = re.findall(r'<template id="[^"]*">([^<]*)<', shown)
        assert said in "".join([shown, *(part for text in packed for part in unpacked(text))])
    main(["check", "--isolated", str(path)])
    assert "1 only in blocks of the assumed shape" in capsys.readouterr().out
    path.write_text(path.read_text() + "void f(float* a) { k<<<1, dim3(32, 8)>>>(a); }\n")
    (access,) = check_unit(str(path), Config(), None).accesses
    assert access.otherwise is None


@pytest.mark.parametrize("view", View)
def test_bounds_hold_for_all_launches(tmp_path: Path, view: View) -> None:
    """Blocks of 50 threads start inside a line, blocks of 64 do not."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(float* x) {\n"
        "  __shared__ float t[2048];\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  x[4 * i] = t[threadIdx.x + 31 * (threadIdx.x / blockDim.x)];\n"
        "  t[blockDim.x / 50 * 2 * threadIdx.x] = i;\n}\n"
        "void host(float* x) { k<<<9, 50>>>(x); k<<<9, 64>>>(x); }\n"
    )
    report = check_unit(str(path), Config(analysis=AnalysisOptions(view=view)), None)
    (store,) = (a for a in report.accesses if a.judgement.space is Space.GLOBAL)
    for block, lines in ((50, 5), (64, 4)):
        alone = AnalysisOptions(view=view, block=(block, 1, 1))
        text = path.read_text().partition("void host")[0]
        other = check_unit(str(path), Config(analysis=alone), text)
        (single,) = (a for a in other.accesses if a.judgement.space is Space.GLOBAL)
        assert single.judgement.lines is not None and store.judgement.lines is not None
        assert single.judgement.lines.maximum == lines
        assert store.judgement.lines.minimum <= single.judgement.lines.minimum
        assert store.judgement.lines.maximum >= single.judgement.lines.maximum
