"""Headers of the project that no flag leads to: found where one place fits best."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.headers import project_headers
from drano.frontend.headers.project_headers import (
    directories_for,
    directories_of,
    empty_submodules,
    places_of,
    repository_of,
)
from tests.conftest import Run

KERNEL = """#include "get.h"
__global__ void k(float *o) { o[get(threadIdx.x)] = 1; }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project_headers.files_below.cache_clear()
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    for name, text in {
        "include/util/one.h": "1",
        "a/twice.h": "1",
        "b/twice.h": "2",
        "c/copied.h": "3",
        "src/deep/copied.h": "3",
        "src/deep/k.cu": "",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_the_only_place_is_taken(project: Path) -> None:
    source = str(project / "src/deep/k.cu")
    assert repository_of(source) == str(project)
    assert directories_of(["util/one.h"], source) == (str(project / "include"),)
    assert directories_of(["one.h"], source) == (str(project / "include/util"),)


@pytest.mark.parametrize(
    ("files", "root"),
    [
        (["project/.hg/x", "project/sub/CMakeLists.txt"], "project"),
        (["project/sub/.svn/x", "project/CMakeLists.txt"], "project/sub"),
        (["project/CMakeLists.txt", "project/sub/deep/Makefile"], "project"),
        (["Makefile", "other/setup.py"], None),
        (["project/readme"], None),
    ],
)
def test_without_git_the_outermost_directory_that_is_built(
    files: list[str], root: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = repository_of(str(tmp_path / "project/sub/deep/k.cu"))
    assert found == (str(tmp_path / root) if root else None)


def test_an_unpacked_archive_has_its_own_headers(drano: Run, tmp_path: Path) -> None:
    for name, text in {
        "project/CMakeLists.txt": "project(p)\n",
        "project/include/get.h": "__device__ int get(int i) { return i; }\n",
        "project/src/k.cu": KERNEL,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = drano("check", "project/src/k.cu")
    assert found.status == 0
    assert "found headers in the repository, as if given -I project/include" in found.stderr


def test_of_two_texts_equally_near_none_is_taken(project: Path) -> None:
    source = str(project / "src/deep/k.cu")
    assert directories_of(["twice.h", "absent.h", "../a/twice.h", ""], source) == ()
    assert places_of("twice.h", source) == (str(project / "a"), str(project / "b"))
    assert places_of("copied.h", source) == places_of("absent.h", source) == ()


def test_of_two_texts_the_nearest_is_taken(project: Path) -> None:
    source = str(project / "b/kernels/k.cu")
    assert directories_of(["twice.h"], source) == (str(project / "b"),)
    assert places_of("twice.h", source) == ()


def test_of_copies_the_nearest_is_taken(project: Path) -> None:
    source = str(project / "src/deep/k.cu")
    assert directories_of(["copied.h"], source) == (str(project / "src/deep"),)


def test_of_several_platforms_ours_is_taken(project: Path) -> None:
    for platform in ("cuda", "hip", "sycl"):
        (project / "targets" / platform).mkdir(parents=True)
        (project / "targets" / platform / "kernel.h").write_text(platform)
    (project / "targets/hip/only.h").write_text("")
    source = str(project / "src/deep/k.cu")
    assert directories_of(["kernel.h"], source) == (str(project / "targets/cuda"),)
    assert directories_of(["only.h"], source) == (str(project / "targets/hip"),)
    there = str(project / "targets/hip/k.cu")
    assert directories_of(["kernel.h"], there) == (str(project / "targets/hip"),)
    (project / "src/Makefile").write_text("CFLAGS = -I../targets/sycl")
    assert directories_of(["kernel.h"], source) == (str(project / "targets/sycl"),)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("#####\n# flags of the compiler\nCC = gcc\n", False),
        ("# flags\nCC = gcc\n", False),
        ("#!/bin/sh\n", False),
        ("/* flags\n# of the compiler */\n#  define N 1\n# error too\n", True),
        ("// none\n#\nint n;\n", True),
        ('# 1 "made.c"\n', True),
        ("#include_next <one.h>\n", True),
        ("int n;\n", True),
        ("", True),
    ],
)
def test_what_is_no_c_is_no_header(project: Path, text: str, taken: bool) -> None:
    source = str(project / "src/deep/k.cu")
    (project / "other").mkdir()
    (project / "other/config.h").write_text(text)
    (project / "setup").mkdir()
    (project / "setup/config.h.in").write_text("#undef USE_MPI\n")
    (found,) = directories_of(["config.h"], source)
    assert (found == str(project / "other")) == taken


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("src/deep/Makefile", "CFLAGS = -O3 -I../../b -DN=1\n"),
        ("src/deep/Makefile", "INC := -I ../../b/\n"),
        ("src/CMakeLists.txt", "include_directories(deep ../b)\n"),
        ("CMakeLists.txt", "target_include_directories(k PRIVATE ${PROJECT_SOURCE_DIR}/b)\n"),
        ("CMakeLists.txt", "include_directories(\n  b\n)\n"),
        ("setup.py", "Extension(include_dirs=[os.path.join(here, 'b')])\n"),
    ],
)
def test_of_several_that_which_the_build_names_is_taken(
    project: Path, file: str, text: str
) -> None:
    """As nvcc takes it, however near others are."""
    (project / file).write_text(text)
    source = str(project / "src/deep/k.cu")
    assert directories_of(["twice.h"], source) == (str(project / "b"),)
    assert places_of("twice.h", source) == ()
    (project / "a/Makefile").write_text("CFLAGS = -I../a")  # of other sources
    assert directories_of(["twice.h"], source) == (str(project / "b"),)


def test_what_the_build_names_twice_or_not_at_all_is_left(project: Path) -> None:
    source = str(project / "src/deep/k.cu")
    (project / "src/deep/Makefile").write_text("CFLAGS = -Ibig -I../../b.old -I../../bb a/b\n")
    assert directories_of(["twice.h"], source) == ()
    (project / "Makefile").write_text("CFLAGS = -Ia -Ib\n")
    assert directories_of(["twice.h"], source) == ()


def test_outside_of_a_repository_nothing_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "one.h").write_text("")
    assert directories_of(["one.h"], str(tmp_path / "sub/k.cu")) == ()


def test_headers_of_headers_are_told_before_clang_misses_them(project: Path) -> None:
    source = str(project / "src/deep/k.cu")
    (project / "include/util/one.h").write_text(
        '#ifndef ONE_H\n#define ONE_H\n#include <gone/two.h>\n#include "near.h"\n#endif\n'
    )
    (project / "include/util/near.h").write_text("#include <math.h>\n")
    (project / "lib/gone").mkdir(parents=True)
    (project / "lib/gone/two.h").write_text("")
    (project / "other").mkdir()
    for name in ("math.h", "late.h", "given.h"):
        (project / "other" / name).write_text("")
    text = b"""#include "util/one.h"
#include "given.h"
#if ON_WINDOWS
#include "late.h"
#endif
"""
    found = (str(project / "include"), str(project / "lib"))
    assert directories_for(source, text, [str(project / "other")]) == found
    assert directories_for(source, text, [*found, str(project / "other")]) == ()


def test_submodules_that_nobody_has_fetched(project: Path) -> None:
    source = str(project / "src/deep/k.cu")
    assert empty_submodules(source) == ()
    (project / ".gitmodules").write_text(
        '[submodule "glm"]\n\tpath = third_party/glm\n\turl = https://example.com/glm\n'
        '[submodule "there"]\n\tpath = include/util\n[submodule "gone"]\n\tpath=gone\n'
    )
    (project / "third_party/glm").mkdir(parents=True)
    assert empty_submodules(source) == ("third_party/glm", "gone")


def test_of_different_headers_the_nearest_is_taken_and_ties_are_told(
    drano: Run, tmp_path: Path
) -> None:
    for name, text in {
        "one/include/get.h": "__device__ int get(int i) { return i; }\n",
        "two/include/get.h": "__device__ int get(int i) { return 32 * i; }\n",
        "two/k.cu": KERNEL,
        "k.cu": KERNEL,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".git").mkdir()
    found = drano("check", "two/k.cu")
    assert found.status == 1
    assert "found headers in the repository, as if given -I two/include" in found.stderr
    tie = drano("check", "k.cu")
    assert tie.status == 2
    assert (
        "get.h is in several directories of the repository, -I chooses: one/include, two/include"
        in tie.stderr
    )
    assert drano("check", "k.cu", "-I", "one/include").status == 0
