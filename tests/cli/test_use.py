"""Commands as somebody meets them who has not read the documentation."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from drano.cli.progress_bar import waiting
from tests.conftest import ROOT, Run

HEADER = """\
template <typename T> __device__ T get(const T* a, int i) {
  return a[2 * i];
}
"""
UNIT = """\
#include "get.cuh"
template <typename T, int N> __global__ void k(const T* a, T* out) {
  int i = threadIdx.x;
  out[i] = get(a, i) + N;
}
template __global__ void k<float, 1>(const float*, float*);
template __global__ void k<float, 2>(const float*, float*);
template __global__ void k<float, 3>(const float*, float*);
template __global__ void k<double, 1>(const double*, double*);
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "get.cuh").write_text(HEADER)
    (tmp_path / "k.cu").write_text(UNIT)
    return tmp_path


@pytest.mark.parametrize("command", ["run", "cc"])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_compilers_have_help(drano: Run, command: str, flag: str) -> None:
    done = drano(command, flag)
    assert done.status == 0
    assert done.stdout.startswith(f"usage: drano {command} SOURCE...")
    assert "--device cpu|gpu" in done.stdout
    assert "DRANO_PROFILE" in done.stdout


def test_format_is_a_synonym(drano: Run, project: Path) -> None:
    one = drano("check", "--format", "concise", "k.cu").stdout
    assert one == drano("check", "--output-format", "concise", "k.cu").stdout
    table = drano("occupancy", "--output-format", "table", "k.cu").stdout
    assert table == drano("occupancy", "--format", "table", "k.cu").stdout
    head, *rows = table.splitlines()
    assert head.split()[0] == "occupancy"
    assert sorted(row.split("  ")[-1].strip() for row in rows) == [
        "k<double, 1>", "k<float, 1>", "k<float, 2>", "k<float, 3>"
    ]  # fmt: skip


def test_a_dash_is_stdin(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "drano", "check", "-q", "--format", "json", "-"],
        input=UNIT, cwd=project, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert {f["path"] for f in json.loads(done.stdout)["findings"]} == {"get.cuh"}


def test_a_place_in_a_header_is_explained_by_a_unit_and_instances_are_one(
    drano: Run, project: Path
) -> None:
    done = drano("explain", "get.cuh:2")
    assert done.status == 0, done.stderr
    heads = [line for line in done.stdout.splitlines() if line.startswith("get.cuh:2")]
    assert sorted(head.split(", in ")[1] for head in heads) == [
        "k<double, 1>", "k<float, 1> and 2 more"
    ]  # fmt: skip
    assert f"note: explained as a part of {project / 'k.cu'}" in done.stderr
    assert drano("explain", "get.cuh:2", "k.cu").stdout == done.stdout
    assert drano("explain", "get.cuh:3").status == 2


def test_what_takes_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with waiting("thinking", wanted=True):
        pass
    assert terminal.getvalue() == ""
    with waiting("thinking", wanted=True):
        time.sleep(1.4)
    assert "thinking … 1 s" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r")
