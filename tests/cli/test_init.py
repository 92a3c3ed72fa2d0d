"""`drano init`: the file it writes is true, and read back."""

from __future__ import annotations

import doctest
import json
import tomllib
from pathlib import Path

from drano.cli import init
from tests.conftest import Run

KERNEL = "__global__ void k(float* a) { a[STRIDE * threadIdx.x] = 0; }\n"
TEMPLATE = "template <class T> __global__ void t(T* a) { a[threadIdx.x] = 0; }\n"
LAUNCHED = "__global__ void l(int* a) { a[threadIdx.x] = 0; }\nvoid f() { l<<<1, 64>>>(0); }\n"


def write(root: Path) -> None:
    for name, text in (
        ("lib/include/own/stride.h", "#define STRIDE 2\n"),
        ("lib/src/beside.h", ""),
        ("lib/src/a.cu", '#include "beside.h"\n#include <own/stride.h>\n' + KERNEL + LAUNCHED),
        ("lib/src/b.cu", "#include <own/stride.h>\n" + TEMPLATE),
        ("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 70;86-real;999)\n"),
        ("build/own/stride.h", "#error not the project's\n"),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_a_file_to_start_from(drano: Run, tmp_path: Path) -> None:
    assert doctest.testmod(init).failed == 0
    write(tmp_path)
    assert "as if given -I lib/include" in drano("check", "lib").stderr
    outcome = drano("init")
    assert outcome.status == 0
    assert outcome.stderr.endswith(
        "drano.toml: 1 include directory, architecture sm_86, 2 kernels without a visible launch\n"
    )
    text = (tmp_path / "drano.toml").read_text()
    assert tomllib.loads(text) == {"compile": {"include-dirs": ["lib/include"], "arch": "sm_86"}}
    filled = text.replace("# [[", "[[").replace("# name", "name").replace("# block", "block")
    assert tomllib.loads(filled)["kernels"] == [
        {"name": "k", "block": [256, 1, 1]},
        {"name": "t<*", "block": [256, 1, 1]},
    ]
    outcome = drano("check", "lib")
    assert outcome.status == 1 and "as if given" not in outcome.stderr
    (tmp_path / "drano.toml").write_text(filled)
    assert "assumed" not in drano("check", "lib").stdout


def test_nothing_is_overwritten(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(LAUNCHED)
    (tmp_path / "drano.toml").write_text("# mine\n")
    outcome = drano("init")
    assert (outcome.status, len(outcome.error_lines)) == (2, 1)
    assert (tmp_path / "drano.toml").read_text() == "# mine\n"
    assert drano("init", "--force").status == 0
    assert tomllib.loads((tmp_path / "drano.toml").read_text()) == {"compile": {}}


def test_what_a_database_says_is_left_to_it(drano: Run, tmp_path: Path) -> None:
    write(tmp_path)
    command = "nvcc -I../lib/include -arch=sm_90a -c ../lib/src/a.cu"
    entry = {"directory": str(tmp_path / "build"), "file": "../lib/src/a.cu", "command": command}
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    assert "flags from build/compile_commands.json" in drano("init").stderr
    text = (tmp_path / "drano.toml").read_text()
    assert tomllib.loads(text) == {"compile": {"arch": "sm_90a"}}
    assert drano("check", "lib").status == 1


def test_places_without_a_project(drano: Run, tmp_path: Path) -> None:
    for arguments in ((), ("gone",)):
        outcome = drano("init", *arguments)
        assert (outcome.status, len(outcome.error_lines)) == (2, 1)
    assert list(tmp_path.iterdir()) == []


def test_names_of_others_stay_text(drano: Run, tmp_path: Path) -> None:
    folder = tmp_path / 'a"]\nselect = ["DRN9'
    folder.mkdir()
    (folder / "stride.h").write_text("#define STRIDE 2\n")
    (tmp_path / "a.cu").write_text("#include <stride.h>\n" + KERNEL)
    assert drano("init").status == 0
    settings = tomllib.loads((tmp_path / "drano.toml").read_text())
    assert settings == {"compile": {"include-dirs": [folder.name]}}
    assert drano("check", "a.cu").status == 1


def test_a_project_whose_kernels_are_in_c_files(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "scale.c").write_text(KERNEL.replace("STRIDE", "2"))
    outcome = drano("init")
    assert outcome.status == 0 and "1 kernel without a visible launch" in outcome.stderr
