"""Makefiles as make follows them: GNU make, where it is here, is asked the same."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit
from drano.frontend.macros.makefiles import followed
from drano.model.settings import CompileOptions

CONDITIONS = {
    "equal": ("GPU := H100\nifeq ($(GPU),H100)\nF += -DYES\nelse\nF += -DNO\nendif\n", "YES"),
    "in quotes": ('GPU = A\nifneq "$(GPU)" "A"\nF += -DYES\nelse\nF += -DNO\nendif\n', "NO"),
    "of a chain": (
        "GPU ?= B\nifeq ($(GPU), A)\nF += -DNO\nelse ifeq ($(GPU), B)\nF += -DYES\n"
        "else\nF += -DNO\nendif\n",
        "YES",
    ),
    "nested": (
        "ifdef A\nifdef B\nF += -DNO\nelse\nF += -DNO\nendif\nelse\nF += -DYES\nendif\n",
        "YES",
    ),
    "a default": ("DOUBLE ?= 0\nifeq ($(DOUBLE),1)\nF += -DNO\nelse\nF += -DYES\nendif\n", "YES"),
    "a default that is given": ("D = 1\nD ?= 0\nifeq ($D,1)\nX=1\nendif\nF += -DYES\n", "YES"),
    "recursive": ("A = $(B)\nB = x\nifeq ($(A),x)\nF += -DYES\nendif\n", "YES"),
    "simple": ("A := $(B)\nB = x\nifeq ($(A),x)\nF += -DNO\nelse\nF += -DYES\nendif\n", "YES"),
    "appended": ("A = x\nA += y\nifeq ($(A),x y)\nF += -DYES\nendif\n", "YES"),
    "a function": ("A = 90a\nifneq ($(findstring 90,$(A)),)\nF += -DYES\nendif\n", "YES"),
    "words of a list": ("A = a.o b.c\nifeq ($(filter %.c,$(A)),b.c)\nF += -DYES\nendif\n", "YES"),
    "the system": ("ifeq ($(shell uname -s),Darwin)\nF += -DNO\nelse\nF += -DYES\nendif\n", "YES"),
    "continued": ("A = x \\\n  y\nifeq ($(strip $(A)),x y)\nF += -DYES\nendif\n", "YES"),
    "a comment": ("# F += -DNO\nF += -DYES # -DNO\n", "YES"),
    "set and empty": ("A =\nifdef A\nF += -DNO\nendif\nifndef A\nF += -DYES\nendif\n", "YES"),
}  # fmt: skip


@pytest.mark.parametrize("case", CONDITIONS)
def test_sides_are_those_of_make(tmp_path: Path, case: str) -> None:
    text, expected = CONDITIONS[case]
    path = tmp_path / "Makefile"
    path.write_text(text + "\nall:\n\t@echo $(F)\n")
    (read,) = followed(str(path), str(tmp_path))
    assert [w for w in ("YES", "NO") if f"-D{w}" in read.holds] == [expected]
    make = shutil.which("make")
    if make is not None:
        said = subprocess.run([make, "-sf", str(path)], capture_output=True, text=True, check=True)
        assert said.stdout.strip() == f"-D{expected}"


@pytest.mark.parametrize(
    "condition", ["ifeq ($(shell ./guess),1)", "ifeq ($(word 2,$(A)),1)", "ifeq ($(A),1"]
)
def test_what_is_not_known_leaves_both_sides(tmp_path: Path, condition: str) -> None:
    path = tmp_path / "Makefile"
    path.write_text(f"{condition}\nA = 1\nF += -DONE\nelse\nF += -DTWO\nendif\nB := $(A)\n")
    (read,) = followed(str(path), str(tmp_path))
    assert "-DONE" in read.holds and "-DTWO" in read.holds and not read.instead


def test_what_is_included_has_the_variables_of_what_includes_it(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "common.mk").write_text(
        "HERE := $(dir $(lastword $(MAKEFILE_LIST)))\n"
        "ifeq ($(GPU),B200)\nF += -DNEW\nelse\nF += -DOLD\nendif\ninclude $(HERE)common.mk\n"
    )
    path = tmp_path / "one/Makefile"
    path.write_text("GPU := B200\ninclude ../common.mk\n-include missing.mk /etc/hostname\n")
    own, common = followed(str(path), str(tmp_path))
    assert own.path == str(path)
    assert "-DNEW" in common.holds and "-DOLD" not in common.holds
    assert common.instead == (("F += -DOLD", "F += -DNEW"),)


def test_one_of_several_targets_is_built(tmp_path: Path) -> None:
    """What stands on other sides goes with none that is taken, though names are missing."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "params.h").write_text(
        "#ifdef NEW\nstruct Wide { float *p; };\n#endif\n"
        "#ifdef OLD\nstruct Narrow { float *p; };\n#endif\n"
    )
    (tmp_path / "Makefile").write_text(
        "GPU ?= old\nifeq ($(GPU),old)\nF += -DOLD\nelse\nF += -DNEW\nendif\n"
    )
    path = tmp_path / "a.cu"
    path.write_text(
        '#include "params.h"\n__global__ void k(Narrow a) { a.p[threadIdx.x] = 1; }\n'
        "__global__ void other(Wide a) { a.p[threadIdx.x] = 1; }\n"
    )
    unit = compile_unit(str(path), CompileOptions(), partial=True)
    assert unit.found.macros == ("OLD",)


@pytest.mark.parametrize(
    "text",
    [
        "A = $(A)\nifeq ($(A),1)\nendif\n",
        "A0 = x\n" + "".join(f"A{n + 1} = {f'$(A{n})' * 40}\n" for n in range(10))
        + "ifeq ($(A10),x)\nendif\n",
        "ifdef A\n" * 20_000,
        "ifndef A\n" * 9_000 + "F += -DX\n" * 9_000,
        "A += " + "$(" * 5_000 + "\n",
        "endif\nelse\nelse ifeq\n" * 1_000,
        "X := " + "$(X)$(X) y\nX := ".join([""] * 500) + "\n",
    ],
)  # fmt: skip
def test_hostile_makefiles_take_no_time(tmp_path: Path, text: str) -> None:
    path = tmp_path / "Makefile"
    path.write_text(text)
    start = time.process_time()
    assert followed(str(path), str(tmp_path))
    assert time.process_time() - start < 5
