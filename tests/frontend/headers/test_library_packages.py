"""Headers of libraries that come as Python packages: taken where nothing else has them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import drano
from drano.frontend.headers.library_packages import library_of, packaged_directories
from drano.frontend.headers.project_headers import directories_of
from drano.model.judgement import Verdict
from drano.model.report import FileStatus
from drano.model.settings import Config
from drano.output.input_problems import run_notes

SOURCE = """#include <Eigen/Dense>
__global__ void k(Eigen::Three *a) {
  a[threadIdx.x].set(1);
}
void go(Eigen::Three *a) { k<<<1, 64>>>(a); }
"""
HEADER = """#pragma once
namespace Eigen {
struct Three {
  float x, y, z;
  __host__ __device__ void set(float v) {
    y = v;
  }
};
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    path = tmp_path / "project" / "a.cu"
    path.write_text(SOURCE)
    return path


def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "site-packages"
    include = place / "cmeel.prefix" / "include" / "eigen3"
    (include / "Eigen").mkdir(parents=True)
    (include / "Eigen" / "Dense").write_text(HEADER)
    (place / "cmeel_eigen-3.4.1.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(place))
    return include


def test_a_package_brings_them(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    include = install(tmp_path, monkeypatch)
    report = drano.check([str(source)], Config())
    (file,) = report.files
    assert file.found.directories == (str(include),)
    (note,) = run_notes(report)
    assert note.startswith("found headers in Python packages, as if given -I ")
    (access,) = file.accesses
    assert access.judgement.verdict is Verdict.UNCOALESCED
    assert access.location.span.path == str(source)
    assert access.location.span.line == 3


def test_the_project_comes_first(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    own = source.parent / "third_party" / "eigen" / "Eigen"
    own.mkdir(parents=True)
    (own / "Dense").write_text(HEADER)
    assert directories_of(["Eigen/Dense"], str(source)) == (str(own.parent),)


def test_without_the_package_a_note_names_it(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drano.check([str(source)], Config())  # loads all that it needs itself
    monkeypatch.setattr(sys, "path", [])
    report = drano.check([str(source)], Config())
    (file,) = report.files
    assert file.status is not FileStatus.OK or file.not_analysed
    (note,) = (n for n in run_notes(report) if n.startswith("kernels may be lost"))
    assert note.endswith("pip install 'drano[libraries]' brings Eigen")


@pytest.mark.parametrize(
    ("name", "library"),
    [
        ("Eigen/Core", "Eigen"),
        ("unsupported/Eigen/FFT", "Eigen"),
        ("cute/tensor.hpp", "CUTLASS"),
        ("cutlass/numeric_types.h", "CUTLASS"),
        ("raft/core/device_mdspan.hpp", "RAFT"),
        ("cudf/column/column.hpp", "cuDF"),
        ("Eigen", ""),
        ("cutlass.h", ""),
        ("nvshmem.h", ""),
        ("nvshmem.h/Eigen", ""),
        ("Eigen/../../secret.h", ""),
        ("mine/Eigen/Core", ""),
    ],
)
def test_names(name: str, library: str) -> None:
    found = library_of(name)
    assert (found.name if found else "") == library


def test_names_that_a_package_does_not_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    include = install(tmp_path, monkeypatch)
    assert packaged_directories("Eigen/Dense") == (str(include),)
    assert packaged_directories("Eigen/None") == packaged_directories("cute/tensor.hpp") == ()


def test_what_pytorch_brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    include = tmp_path / "nvidia" / "nvshmem" / "include"
    include.mkdir(parents=True)
    (include / "nvshmem.h").write_text("void nvshmem_init();\n")
    (tmp_path / "nvidia_nvshmem_cu13-3.4.5.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert packaged_directories("nvshmem.h") == (str(include),)
    assert packaged_directories("nvshmemx.h") == ()


def test_rapids_with_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("libraft", "librmm", "libcuvs"):
        header = tmp_path / package / "include" / package[3:] / "it.hpp"
        header.parent.mkdir(parents=True)
        header.write_text("#pragma once\n")
    (tmp_path / "libcuvs_cu12-26.10.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    directories = [tmp_path / name / "include" for name in ("libcuvs", "libraft", "librmm")]
    assert packaged_directories("cuvs/it.hpp") == tuple(map(str, directories))
    assert packaged_directories("raft/it.hpp") == ()  # nobody has installed it for itself
    (tmp_path / "libraft_cu13-26.10.0.dist-info").mkdir()
    assert packaged_directories("raft/it.hpp") == tuple(map(str, directories[1:]))
