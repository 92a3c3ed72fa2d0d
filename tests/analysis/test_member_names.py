"""Members of by-value parameters have the names that the source gives them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from drano.analysis.member_names import member_name
from drano.ir.model import ArrayType, IntType, StructInfo, StructType
from drano.model.access import Access
from drano.model.judgement import Space, Verdict
from drano.model.settings import AnalysisOptions, Config, View
from drano.run.driver import check_unit

SOURCE = """struct Dims { int w, h; int strides[3]; };
struct Base { int rows; };
union Either { int one; float other; };
struct Params : Base { float *data; Dims dims; long long pitch; Either either; };
struct Own : Params {};
template <typename T> struct View { T *p; int step; };
__global__ void k(Params params, View<float> view, View<double> wide, Own own) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  params.data[i * %s] = 0;
}
void go(Params p, View<float> v, View<double> w, Own o) { k<<<4, 256>>>(p, v, w, o); }
"""
MEMBERS = [
    "params.rows",
    "params.dims.h",
    "params.dims.strides[1]",
    "params.pitch",
    "view.step",
    "wide.step",
    "own.dims.strides[2]",
]


def stored(path: Path, options: AnalysisOptions) -> Access:
    """The one access of global memory."""
    report = check_unit(str(path), Config(analysis=options))
    (access,) = [a for a in report.accesses if a.judgement.space is Space.GLOBAL]
    return access


@pytest.mark.parametrize("view", [View.COMPILED, View.WRITTEN])
@pytest.mark.parametrize("member", MEMBERS)
def test_strides_are_called_by_their_members(tmp_path: Path, member: str, view: View) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE % member)
    options = AnalysisOptions(view=view)
    access = stored(path, options)
    assert access.judgement.condition == f"{member} >= 8"
    for value, verdict in ((1, Verdict.COALESCED), (8, Verdict.UNCOALESCED)):
        access = stored(path, replace(options, assume=((member, value),)))
        assert access.judgement.verdict is verdict


def test_what_a_lambda_captures_has_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "template <class L> __global__ void each(L f) { f(threadIdx.x); }\n"
        "void go(float *out, int stride) {\n"
        "  each<<<4, 256>>>([=] __device__(int i) { out[i * stride] = 0; });\n}\n"
    )
    access = stored(path, AnalysisOptions())
    assert access.judgement.condition == "f.stride >= 8"
    assert access.judgement.array == "f.out"


def test_of_lambdas_that_look_alike_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "template <class L> __global__ void each(L f) { f(threadIdx.x); }\n"
        "void go(float *out, int stride, float *to, int pitch) {\n"
        "  each<<<4, 256>>>([=] __device__(int i) { out[i * stride] = 0; });\n"
        "  each<<<4, 256>>>([=] __device__(int i) { to[i * pitch] = 0; });\n}\n"
    )
    report = check_unit(str(path), Config())
    found = [a.judgement for a in report.accesses if a.judgement.space is Space.GLOBAL]
    assert [judgement.array for judgement in found] == ["f[…]", "f[…]"]


def test_members_that_are_loaded_together(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE % "params.dims.h + params.dims.w")
    access = stored(path, AnalysisOptions())
    assert "*params.dims.h" in access.judgement.address
    assert access.judgement.address.endswith("4*params.dims.w")


def test_what_has_several_names_has_none(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE % "params.either.one")
    access = stored(path, AnalysisOptions())
    assert access.judgement.condition == "params[…] >= 8"


PAIR = StructType("struct.Pair", (IntType(32), IntType(32)), (0, 4), 8, 4)
OUTER = StructType("struct.Outer", (PAIR, ArrayType(2, PAIR), IntType(64)), (0, 8, 24), 32, 8)
NAMES = {
    "struct.Pair": StructInfo("struct.Pair", ("w", "h")),
    "struct.Outer": StructInfo("struct.Outer", ("", "pairs", "n")),
}


@pytest.mark.parametrize(
    ("offset", "size", "name"),
    [
        (0, 4, ".w"),  # of a base class
        (4, 4, ".h"),
        (20, 4, ".pairs[1].h"),
        (24, 8, ".n"),
        (0, 8, ""),  # two members in one load: neither's name
        (24, 4, ""),
        (26, 2, ""),
        (32, 4, ""),
        (-4, 4, ""),
    ],
)
def test_only_a_whole_member_has_its_name(offset: int, size: int, name: str) -> None:
    """``--assume`` goes by it, and must not decide another member."""
    assert member_name(NAMES, OUTER, offset, size) == name
