"""Compilation databases as projects have them: found, given, hostile, with an SDK of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from drano.frontend.commands.compile_database import cuda_units, options_for
from drano.frontend.commands.find_database import Databases, candidates, search_path
from drano.frontend.commands.nvcc_options import translate_nvcc_args
from drano.model.settings import CompileOptions
from tests.conftest import Run

KERNEL = "#ifdef WIDE\n__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n#endif\n"


def write(place: Path, *entries: tuple[str, str]) -> Path:
    """A database at ``place`` with (file, command) for each source."""
    place.mkdir(parents=True, exist_ok=True)
    path = place / "compile_commands.json"
    path.write_text(
        json.dumps([{"directory": str(place), "file": f, "command": c} for f, c in entries])
    )
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a source, and a build's database that gives it a macro."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / "src").mkdir()
    (root / "src" / "a.cu").write_text(KERNEL)
    write(root / "build-debug", ("../src/a.cu", "nvcc -DWIDE -c ../src/a.cu"))
    return root


@pytest.mark.parametrize(
    "place", [".", "src", "build", "build-x", "out/x", "cmake-build-debug", "src/build"]
)
def test_the_builds_database_is_found(drano: Run, project: Path, place: str) -> None:
    (project / "build-debug" / "compile_commands.json").unlink()
    write(project / place, (str(project / "src/a.cu"), "nvcc -DWIDE -c a.cu"))
    outcome = drano("check", "a.cu", "-v", cwd=project / "src")
    assert outcome.status == 1
    assert "compile commands of 1 file from " in outcome.stderr
    assert drano("check", "src", cwd=project).status == 1


def test_the_builds_database_can_be_left_alone(drano: Run, project: Path) -> None:
    assert drano("check", "src", cwd=project).status == 1
    assert drano("check", "--no-compile-commands", "src", cwd=project).status == 0
    (project / "drano.toml").write_text("compile = { find-compile-commands = false }\n")
    assert drano("check", "src", cwd=project).status == 0


def test_nothing_above_the_repository_is_looked_at(tmp_path: Path, project: Path) -> None:
    source = str(project / "src")
    assert search_path(source) == [source, str(project)]
    (project / ".git").rmdir()
    assert search_path(source) == [source]
    assert search_path(source, (str(project),)) == [source, str(project)]
    assert search_path(source, ("/",)) == [source]


def test_of_several_the_one_that_names_the_source(project: Path) -> None:
    first = write(project / "build", ("../src/b.cu", "nvcc -c ../src/b.cu"))
    found = Databases()
    assert found.of(str(project / "src/a.cu")) == str(project / "build-debug/compile_commands.json")
    assert found.of(str(project / "src/c.cu")) == str(first)
    assert candidates(str(project / "none")) == []


def test_one_without_cuda_sources_is_passed_over(drano: Run, project: Path) -> None:
    write(project / "build", ("../src/x.cpp", "g++ -c ../src/x.cpp"))
    assert drano("check", "src/a.cu", cwd=project).status == 1


@pytest.mark.parametrize("text", ["{", "[1]", '[{"file": "a.cu", "command": "nvcc @gone.rsp"}]'])
def test_a_bad_one_is_fatal_only_when_it_was_named(drano: Run, project: Path, text: str) -> None:
    (project / "build-debug" / "compile_commands.json").unlink()
    bad = write(project / "build")
    bad.write_text(text)
    outcome = drano("check", "src/a.cu", cwd=project)
    assert outcome.status == 0
    (line,) = [line for line in outcome.stderr.splitlines() if "compile_commands" in line]
    assert line.startswith("drano: note: build/compile_commands.json: ")
    assert line.endswith("; continued without it")
    for arguments in (("-p", "build", "src/a.cu"), ("-p", "build")):
        given = drano("check", *arguments, cwd=project)
        assert given.status == 2
        assert len(given.error_lines) == 1


def test_a_database_alone_says_what_to_check(drano: Run, project: Path) -> None:
    (project / "src" / "part.cpp").write_text(KERNEL)
    (project / "src" / "host.cpp").write_text("int main() {}\n")
    (project / "src" / "plain.cpp").write_text(KERNEL)
    (project / "src" / "old.cu").write_text(KERNEL)
    write(
        project / "build",
        ("../src/a.cu", "/usr/bin/env nvcc -DWIDE -c ../src/a.cu"),
        ("../src/a.cu", "nvcc -DWIDE -DTWICE -c ../src/a.cu"),
        ("../src/part.cpp", "clang++ -x cuda -DWIDE -c ../src/part.cpp"),
        ("../src/host.cpp", "nvcc -c ../src/host.cpp"),
        ("../src/plain.cpp", "g++ -DWIDE -c ../src/plain.cpp"),
        ("../src/old.cu", "nvcc -DWIDE -c ../src/old.cu"),
    )
    (project / "drano.toml").write_text('exclude = ["old.cu"]\n')
    outcome = drano("check", "-p", "build", "--output-format", "concise", cwd=project)
    assert outcome.status == 1
    found = [line.split(":")[0] for line in outcome.stdout.splitlines()[:-1]]
    assert found == ["src/a.cu", "src/part.cpp"]
    # Below a directory, too, sources are told by their commands.
    below = drano("check", "-p", "build", "--output-format", "concise", "src", cwd=project)
    assert below.stdout == outcome.stdout
    empty = write(project / "empty")
    none = drano("check", "-p", empty.parent, cwd=project)
    assert (none.status, len(none.error_lines)) == (2, 1)
    assert "contains no CUDA source" in none.stderr


@pytest.mark.parametrize("name", ["k.cpp", "k.cc", "k.cxx", "k.c", "k.h", "k.hpp", "k.inl"])
def test_any_source_can_be_named(drano: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("#define WIDE\n" + KERNEL)
    assert drano("check", name).status == 1


def sdk(root: Path, include: str = "include") -> Path:
    """What looks like an SDK; returns its include directory."""
    for name in ("cuda.h", "cuda_runtime.h", "crt/host_config.h"):
        header = root / include / name
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text("#define CUDA_VERSION 12080\n")
    if include != "include":
        (root / "include").symlink_to(include)
    device = root / "nvvm/libdevice/libdevice.10.bc"
    device.parent.mkdir(parents=True)
    device.write_bytes(b"")
    return root / include


def test_an_included_sdk_is_the_one_to_use(tmp_path: Path) -> None:
    root = tmp_path / "cuda 12.8"
    include = sdk(root, "targets/x86_64-linux/include")
    (tmp_path / "x.rsp").write_text(f'-Iown -isystem="{include}" -DN=1')
    options = translate_nvcc_args(["--options-file", "x.rsp"], str(tmp_path)).options
    assert options == CompileOptions(
        include_dirs=(str(tmp_path / "own"),), defines=("N=1",), cuda_path=str(root)
    )
    for arguments in (
        ["-isystem", f'"{include}"'],
        [f"-I{root / 'include'}"],
        [f"--cuda-path={root}"],
    ):
        found = translate_nvcc_args(arguments, "/p").options
        assert (found.cuda_path, found.flags, found.include_dirs) == (str(root), (), ())
    assert translate_nvcc_args(["--cuda-path=/nowhere"], "/p").options.cuda_path is None


def test_who_chose_the_sdk_is_said(drano: Run, project: Path) -> None:
    plain = drano("check", "-v", "--no-compile-commands", "src/a.cu", cwd=project)
    assert ": 1 file" in plain.stderr.split("drano: note: CUDA ")[1]
    assert "(compile commands)" not in plain.stderr
    facts = drano("doctor", cwd=project)
    assert facts.status == 0
    assert "build-debug/compile_commands.json (no SDK named)" in facts.stdout
    sdk(project / "cuda")
    command = f"{project}/cuda/bin/nvcc -DWIDE -c ../src/a.cu"
    write(project / "build-debug", ("../src/a.cu", command))
    assert f"SDK {project}/cuda" in drano("doctor", cwd=project).stdout
    verbose = drano("check", "-v", "src/a.cu", cwd=project)
    assert (
        f"note: CUDA 12.8 from SDK at {project}/cuda (compile commands): 1 file" in verbose.stderr
    )


def test_headers_without_the_rest_of_the_sdk_come_last(tmp_path: Path) -> None:
    include = sdk(tmp_path / "conda")
    (tmp_path / "conda/nvvm/libdevice/libdevice.10.bc").unlink()
    options = translate_nvcc_args(["-isystem", str(include)], "/p").options
    assert options == CompileOptions(flags=("-idirafter", str(include)))


def test_the_compilers_own_sdk_wins(tmp_path: Path) -> None:
    sdk(tmp_path / "cuda-12.8")
    other = sdk(tmp_path / "cuda-11.0")
    place = write(
        tmp_path / "build",
        ("/w/a.cu", f"ccache {tmp_path}/cuda-12.8/bin/nvcc -isystem {other} -c a.cu"),
        ("/w/b.cu", f"nvcc -isystem {other} -c b.cu"),
    )
    assert options_for("/w/a.cu", str(place)).cuda_path == str(tmp_path / "cuda-12.8")
    assert options_for("/w/b.cu", str(place)).cuda_path == str(tmp_path / "cuda-11.0")
    assert options_for("/w/a.cu", str(place)).flags == ()
    assert cuda_units(str(place)) == ("/w/a.cu", "/w/b.cu")


def test_an_sdk_in_a_files_flags_is_refused(drano: Run, tmp_path: Path) -> None:
    include = sdk(tmp_path / "cuda")
    (tmp_path / "a.cu").write_text(KERNEL)
    (tmp_path / "drano.toml").write_text(f'compile = {{ flags = ["-I{include}"] }}\n')
    outcome = drano("check", "a.cu")
    assert (outcome.status, len(outcome.error_lines)) == (2, 1)
    assert "set cuda-path instead" in outcome.stderr


@pytest.mark.parametrize(
    ("arguments", "arch"),
    [
        ("--generate-code=arch=compute_80,code=[compute_80,sm_80]", "sm_80"),
        ("-gencode arch=compute_75,code=sm_75 -gencode arch=compute_90a,code=sm_90a", "sm_90a"),
        ("-arch=all-major", CompileOptions().arch),
        ("-arch all -gencode arch=compute_80,code=sm_80", "sm_80"),
        ("-arch=native", CompileOptions().arch),
    ],
)
def test_the_newest_architecture(arguments: str, arch: str) -> None:
    assert translate_nvcc_args(arguments.split(), "/p").options.arch == arch
