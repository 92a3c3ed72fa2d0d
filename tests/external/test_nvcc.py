"""Findings beside what nvcc makes of the source: its PTX, its objects.

Needs nvcc, on PATH, in CUDA_HOME, or of the pip package, and a host compiler that it takes.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from drano.confirm.tools import find_tool
from tests.confirm.test_judge import SOURCE, outcomes
from tests.conftest import Run

EXPECTED = {"whole": ["refuted"] * 4, "apart": [None] * 4, "single": ["confirmed"]}


@pytest.mark.parametrize("how", ["confirm", "ptx", "object", "built"])
def test_nvcc(drano: Run, tmp_path: Path, how: str) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    nvcc = [
        find_tool("nvcc", None),
        "-O3",
        "-lineinfo",
        "-gencode",
        "arch=compute_90,code=compute_90",
    ]
    arguments = ["--confirm"]
    if how == "ptx":
        subprocess.run([*nvcc, "-ptx", "a.cu", "-o", "a.ptx"], cwd=tmp_path, check=True)
        arguments = ["--cubin", "a.ptx"]
    elif how == "object":
        subprocess.run([*nvcc, "-c", "a.cu", "-o", "a.o"], cwd=tmp_path, check=True)
        arguments = ["--cubin", "a.o"]
    elif how == "built":
        command = [*nvcc, "-c", "a.cu", "-o", "a.o"]
        subprocess.run(command, cwd=tmp_path, check=True)
        entry = {"directory": str(tmp_path), "file": "a.cu", "arguments": command}
        (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
        arguments = ["-p", "."]
    outcome = drano("check", "a.cu", "--as-written", "--format", "json", *arguments)
    assert outcome.status == 1, outcome.stderr
    report = json.loads(outcome.stdout)
    assert {kernel: outcomes(report, kernel) for kernel in EXPECTED} == EXPECTED


def test_as_compiled_agrees(drano: Run, tmp_path: Path) -> None:
    """What drano's own compiler merges is no finding; what is left of them nvcc has, too."""
    (tmp_path / "a.cu").write_text(SOURCE)
    report = json.loads(drano("check", "a.cu", "--confirm", "--format", "json").stdout)
    assert [f["confirmation"]["outcome"] for f in report["findings"]] == ["confirmed"] * 2
