"""Findings in headers: whose they are, and which files of others say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run

HEADER = "#pragma once\ntemplate <int N> __global__ void h(float* a) { a[N * threadIdx.x] = 0; }\n"
SOURCE = '#include "{}"\nvoid f(float* a) {{ h<2><<<1, 32>>>(a); }}\n'


def write(root: Path, header: str, include: str = "") -> None:
    path = root / header
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER)
    (root / "src").mkdir(exist_ok=True)
    (root / "src" / "a.cu").write_text(SOURCE.format(include or f"../{header}"))


def found(drano: Run, root: Path, *arguments: str) -> bool:
    outcome = drano("check", *arguments, "src/a.cu", cwd=root)
    assert outcome.status in {0, 1}, outcome.stderr
    return "DRN001" in outcome.stdout


@pytest.mark.parametrize("pattern", ["deps/", "tile.cuh", "deps/*.cuh", "/deps/tile.cuh"])
def test_exclude_and_per_file_ignores_hold_for_headers(
    drano: Run, tmp_path: Path, pattern: str
) -> None:
    write(tmp_path, "deps/tile.cuh")
    assert found(drano, tmp_path)
    config = tmp_path / "drano.toml"
    config.write_text(f'exclude = ["{pattern}"]\n')
    assert not found(drano, tmp_path)
    config.write_text(f'[per-file-ignores]\n"{pattern}" = ["DRN001"]\n')
    assert not found(drano, tmp_path)
    config.write_text('exclude = ["src/"]\n')
    assert found(drano, tmp_path)


def test_headers_outside_of_the_project(drano: Run, tmp_path: Path) -> None:
    project = tmp_path / "project"
    write(project, "x.cuh", "../../vendor/tile.cuh")
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor" / "tile.cuh").write_text(HEADER)
    config = project / "drano.toml"
    for text in (
        'exclude = ["vendor/"]',
        'exclude = ["tile.*"]',
        f'exclude = ["{tmp_path}/vendor"]',
    ):
        config.write_text(text)
        assert not found(drano, project)
    config.write_text('exclude = ["/vendor/"]')
    assert found(drano, project)


def test_headers_of_an_sdk_are_hidden_unless_asked_for(drano: Run, tmp_path: Path) -> None:
    write(tmp_path, "sdk/include/cub/device/tile.cuh")
    (tmp_path / "sdk/include/cuda_runtime.h").write_text("")
    assert not found(drano, tmp_path)
    assert found(drano, tmp_path, "--system-headers")
    (tmp_path / "drano.toml").write_text("system-headers = true\n")
    assert found(drano, tmp_path)
    assert not found(drano, tmp_path, "--no-system-headers")
    # Who names a file wants to know.
    (tmp_path / "drano.toml").unlink()
    own = tmp_path / "sdk/include/cub/device/own.cu"
    own.write_text(
        '#include "tile.cuh"\ntemplate __global__ void h<2>(float*);\n'
        + HEADER.split("\n")[1]
        .replace("template <int N>", "")
        .replace("h(", "own(")
        .replace("N *", "2 *")
        + "\n"
    )
    assert drano("check", own).stdout.count("DRN001") == 1


def test_kernels_of_libraries_are_looked_at_where_the_users_code_is_in_them(
    drano: Run, tmp_path: Path
) -> None:
    library = tmp_path / "sdk/include/cub/each.cuh"
    library.parent.mkdir(parents=True)
    (tmp_path / "sdk/include/cuda_runtime.h").write_text("")
    library.write_text(
        "template <class F> __global__ void each(float* a, F f) { f(a[2 * threadIdx.x]); }\n"
        "template <class T> __global__ void fill(T* a) { a[2 * threadIdx.x] = 1; }\n"
    )
    (tmp_path / "a.cu").write_text(
        '#include "sdk/include/cub/each.cuh"\n'
        "struct Put {\n"
        "  float* to;\n"
        "  __device__ void operator()(float x) { to[3 * threadIdx.x] = x; }\n"
        "};\n"
        "void f(float* a) { fill<<<1, 32>>>(a); each<<<1, 32>>>(a, Put{a}); }\n"
    )
    plain = drano("check", "--show", "all", "a.cu", cwd=tmp_path).stdout
    assert "1 kernel, 1 global access (1 uncoalesced)" in plain
    assert "global load" not in plain
    every = drano("check", "--show", "all", "--system-headers", "a.cu", cwd=tmp_path).stdout
    assert "2 kernels, 3 global accesses (3 uncoalesced)" in every
