"""Numbers between lanes that may be 1: a verdict with its condition, never a proof."""

from __future__ import annotations

from pathlib import Path

import pytest

import drano
from drano.model.access import AccessKind
from drano.model.judgement import PROVED, CountRange, Judgement, Pattern, Verdict
from drano.model.settings import AnalysisOptions, Config

SOURCE = """
__global__ void k(float* x, int stride) { x[threadIdx.x * stride] = 1; }
void go(float* x, int stride) { k<<<1, 64>>>(x, stride); }
"""


def judgement_of(directory: Path, assume: tuple[tuple[str, float], ...] = ()) -> Judgement:
    source = directory / "a.cu"
    source.write_text(SOURCE, encoding="utf-8")
    report = drano.check([str(source)], Config(analysis=AnalysisOptions(assume=assume)))
    (access,) = report.files[0].accesses
    return access.judgement


def test_the_number_is_the_condition(tmp_path: Path) -> None:
    found = judgement_of(tmp_path)
    assert (found.verdict, found.condition) == (Verdict.UNCOALESCED, "stride >= 8")
    assert found.pattern is Pattern.COLUMN_MAJOR
    assert found.possible
    assert not found.flagged
    assert found.weight < PROVED
    assert found.sectors is not None
    assert (found.sectors.minimum, found.sectors.maximum) == (1, 32)


@pytest.mark.parametrize("stride, sectors", [(1, 4), (2, 8), (0, 1), (8, 32), (100, 32)])
def test_what_it_is_assumed_to_be_decides(tmp_path: Path, stride: int, sectors: int) -> None:
    found = judgement_of(tmp_path, (("stride", stride),))
    assert found.sectors is not None
    assert found.sectors.expected == sectors
    assert found.flagged is (sectors > 4)
    assert not found.condition


def test_products_with_other_strides_are_no_index_in_a_row(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(
        "struct Rows { float* data; int outer, inner; };\n"
        "__global__ void k(Rows r, const long* at) {\n"
        "  float* row = r.data + unsigned(at[blockIdx.x]) * r.outer;\n"
        "  for (int i = threadIdx.x; i < 100; i += blockDim.x)\n"
        "    row[i * r.inner] = 1;\n"
        "}\n"
        "void go(Rows r, const long* at) { k<<<8, 64>>>(r, at); }\n",
        encoding="utf-8",
    )
    (file,) = drano.check([str(source)]).files
    (store,) = (access.judgement for access in file.accesses if access.kind is AccessKind.STORE)
    assert store.possible
    assert "r.inner >= 8" in store.condition
    assert store.sectors == CountRange(1, 32, 4, 32.0)
