"""What CUDA's sources are called, where directories are looked through."""

from __future__ import annotations

from pathlib import Path

import pytest

import drano
from drano.model.settings import Config


@pytest.mark.parametrize("name", ["a.cu.cc", "a.cu.cpp"])
def test_other_names_of_cuda_sources(tmp_path: Path, name: str) -> None:
    """As Bazel's rules have them; beside them C++ is not CUDA."""
    (tmp_path / name).write_text("__global__ void k(float *a) { a[2 * threadIdx.x] = 1; }\n")
    (tmp_path / "b.cc").write_text("int main() {}\n")
    report = drano.check([str(tmp_path)], Config())
    assert [file.path for file in report.files] == [str(tmp_path / name)]
    assert [finding.rule for finding in report.findings] == ["DRN001"]
