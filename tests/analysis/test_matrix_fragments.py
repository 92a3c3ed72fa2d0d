"""Fragments of ``nvcuda::wmma`` against an H100's counters, for all shapes, types and layouts.

``benchmarks/measured/fragments_h100.csv``: requests and sectors of global memory, by Nsight
Compute, of one warp that loads, or stores, one fragment from a matrix whose lines are 64 elements
apart (PART_LAYOUT_TYPE_SHAPE).
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from drano.model.access import Access
from drano.model.judgement import Space, Verdict
from drano.model.settings import AnalysisOptions, CompileOptions, Config, View
from drano.run.driver import check_unit

MEASURED = Path(__file__).parents[2] / "benchmarks/measured/fragments_h100.csv"
ELEMENTS = {
    "f16": "half", "bf16": "__nv_bfloat16", "s8": "signed char", "u8": "unsigned char",
    "tf32": "float", "f32": "float", "s32": "int", "f64": "double",
}  # fmt: skip


HEAD = "#include <mma.h>\n#include <cuda_bf16.h>\nusing namespace nvcuda;\n"


def element(name: str) -> str:
    """The type of the matrix that a kernel's fragment is of."""
    return ELEMENTS[name.split("_")[2]]


def rows() -> dict[str, tuple[int, int]]:
    with MEASURED.open(newline="", encoding="utf-8") as file:
        return {r["kernel"]: (int(r["requests"]), int(r["sectors"])) for r in csv.DictReader(file)}


def kernel(name: str) -> str:
    """A kernel that moves one fragment between ``p`` and registers."""
    part, order, type_, shape = name.split("_")
    m, rest = shape[1:].split("n")
    n, k = rest.split("k")
    own = element(name)
    factor = "wmma::precision::tf32" if type_ == "tf32" else own
    if part in "ab":
        fragment = f"wmma::matrix_{part}, {m}, {n}, {k}, {factor}, wmma::{order}_major"
        moved = "wmma::load_matrix_sync(f, p, ld);"
    else:
        fragment = f"wmma::accumulator, {m}, {n}, {k}, {own}"
        way = "load_matrix_sync(f, p" if part == "c" else "store_matrix_sync(p, f"
        moved = f"wmma::{way}, ld, wmma::mem_{order}_major);"
    each = "for (int i = 0; i < f.num_elements; i++)"
    given = f"{each} f.x[i] = ({own})(float)(threadIdx.x * i + ld); {moved}"
    taken = f"{moved} {each} o[threadIdx.x * f.num_elements + i] = f.x[i];"
    return (
        f'extern "C" __global__ void {name}({own} *p, {own} *o, int ld)'
        f" {{ wmma::fragment<{fragment}> f; {given if part == 'd' else taken} }}\n"
    )


def accesses(tmp_path: Path, text: str, view: View, arch: str = "sm_90") -> list[Access]:
    path = tmp_path / "unit.cu"
    path.write_text(f"{HEAD}{text}")
    options = CompileOptions(std="c++17", arch=arch)
    report = check_unit(
        str(path),
        Config(compile=options, analysis=AnalysisOptions(view=view, assume=(("ld", 64),))),
    )
    assert not report.diagnostics
    return [a for a in report.accesses if a.judgement.space is Space.GLOBAL]


@pytest.mark.parametrize("view", View)
def test_requests_and_sectors_are_the_hardwares(tmp_path: Path, view: View) -> None:
    names = rows()
    launches = " ".join(f"{name}<<<1, 32>>>(0, 0, 64);" for name in names)
    text = "".join(map(kernel, names)) + f"void go() {{ {launches} }}\n"
    found = defaultdict[str, list[float]](list)
    for access in accesses(tmp_path, text, view):
        sectors = access.judgement.sectors
        if access.judgement.array == "p":
            assert sectors is not None and access.judgement.verdict is not Verdict.UNKNOWN
            found[access.kernel].append(sectors.expected or 0)
    assert {name: (len(each), sum(each)) for name, each in found.items()} == names


@pytest.mark.parametrize("arch", ["sm_70", "sm_75"])
def test_how_older_gpus_load_is_unknown(tmp_path: Path, arch: str) -> None:
    found = accesses(tmp_path, kernel("a_row_f16_m16n16k16"), View.COMPILED, arch)
    unknown = [a.judgement.reason for a in found if a.judgement.verdict is Verdict.UNKNOWN]
    assert unknown == ["the hardware spreads the matrix over the lanes"]
