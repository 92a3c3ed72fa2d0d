"""Last strides of PyTorch's tensors: a verdict for contiguous tensors, bounds for all."""

from __future__ import annotations

from pathlib import Path

import pytest

import drano
from drano.model.access import Access, AccessKind
from drano.model.judgement import Pattern, Verdict
from drano.model.settings import AnalysisOptions, Config

SOURCE = """
#include <torch/extension.h>
template <typename T, int N>
using In = torch::PackedTensorAccessor32<T, N, torch::RestrictPtrTraits>;
struct Pair { int n; In<float, 2> first; In<double, 1> second; };
__global__ void k(const In<float, 3> a, In<float, 2> out, const In<long, 1> rows) {
  for (int i = threadIdx.x; i < a.size(2); i += blockDim.x)
    out[blockIdx.x][i] = a[rows[blockIdx.x]][1][i];
}
__global__ void narrow(const In<float, 3> a, In<float, 3> out) {
  out[blockIdx.x][threadIdx.y][threadIdx.x] = 1;
}
__global__ void column(In<float, 2> a) { a[threadIdx.x][blockIdx.x] = 1; }
__global__ void gather(In<float, 2> a, const In<long, 1> rows) {
  a[rows[threadIdx.x]][threadIdx.x] = 1;
}
__global__ void both(Pair p) { p.second[threadIdx.x] = p.n; p.first[blockIdx.x][threadIdx.x] = 2; }
void go(torch::Tensor a, torch::Tensor o, torch::Tensor r, Pair p) {
  auto x = a.packed_accessor32<float, 3, torch::RestrictPtrTraits>();
  auto y = o.packed_accessor32<float, 2, torch::RestrictPtrTraits>();
  k<<<8, 64>>>(x, y, r.packed_accessor32<long, 1, torch::RestrictPtrTraits>());
  narrow<<<8, dim3(16, 16)>>>(x, x);
  column<<<8, 64>>>(y);
  gather<<<8, 64>>>(y, r.packed_accessor32<long, 1, torch::RestrictPtrTraits>());
  both<<<8, 64>>>(p);
}
"""


def accesses(directory: Path, *assume: tuple[str, float]) -> dict[tuple[str, str], Access]:
    """Of global memory that differ between lanes, by kernel and array."""
    source = directory / "a.cu"
    source.write_text(SOURCE, encoding="utf-8")
    options = AnalysisOptions(assume=assume)
    (file,) = drano.check([str(source)], Config(analysis=options)).files
    assert not [d for d in file.diagnostics if "not analysed" in str(d)]
    return {
        (access.kernel, access.judgement.array): access
        for access in file.accesses
        if str(access.judgement.space) == "global" and access.kind is not AccessKind.ATOMIC
        if access.judgement.pattern is not Pattern.UNIFORM
    }


@pytest.mark.parametrize(
    "kernel, array, condition",
    [
        ("k", "out.data_", "out.strides_[1] == 1"),
        ("k", "a.data_", "a.strides_[2] == 1"),
        ("narrow", "out.data_", "out.strides_[2] == 1"),
        ("both", "p.second.data_", "p.second.strides_[0] == 1"),
        ("both", "p.first.data_", "p.first.strides_[1] == 1"),
    ],
)
def test_the_verdict_is_that_of_a_contiguous_tensor(
    tmp_path: Path, kernel: str, array: str, condition: str
) -> None:
    judgement = accesses(tmp_path)[kernel, array].judgement
    assert judgement.verdict is Verdict.COALESCED
    assert condition in judgement.condition.split(" and ")
    assert judgement.sectors is not None
    assert (judgement.sectors.minimum, judgement.sectors.maximum) == (1, 32)


def test_another_stride_than_the_last_is_none(tmp_path: Path) -> None:
    judgement = accesses(tmp_path)["column", "a.data_"].judgement
    assert judgement.verdict is Verdict.UNCOALESCED
    assert "strides_[1]" not in judgement.condition
    assert "a.strides_[0]" in judgement.stride


def test_bounds_of_what_stays_unknown_hold_for_any_stride(tmp_path: Path) -> None:
    judgement = accesses(tmp_path)["gather", "a.data_"].judgement
    assert (judgement.verdict, judgement.condition) == (Verdict.UNKNOWN, "")
    assert judgement.sectors is not None
    assert (judgement.sectors.minimum, judgement.sectors.maximum) == (1, 32)


@pytest.mark.parametrize("stride, sectors", [(1, 4), (2, 8), (8, 32)])
def test_what_is_assumed_of_it_counts(tmp_path: Path, stride: int, sectors: int) -> None:
    judgement = accesses(tmp_path, ("out.strides_[1]", stride))["k", "out.data_"].judgement
    assert "out.strides_[1]" not in judgement.condition
    assert judgement.sectors is not None
    assert judgement.sectors.expected == sectors
    assert judgement.flagged is (stride > 1)
