"""Graphs, capture and memory pools, in one whole program that checks itself."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main

SOURCE = Path(__file__).with_name("programs") / "graphs.cu"


def test_graphs_do_what_they_were_made_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "program"
    assert compile_main(["-O1", str(SOURCE), "-o", str(program)]) == 0
    monkeypatch.setenv("DRANO_PROFILE", str(tmp_path / "profile.json"))
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("all as it should be\n", "")
    kernels = json.loads((tmp_path / "profile.json").read_text())["kernels"]
    launches = {kernel["name"]: kernel["launches"] for kernel in kernels}
    # by hand 3, captured 2 x 3, of a pool 1; by hand 3; two loops of 10
    assert launches == {"_Z3addPii": 10, "_Z5twicePi": 3, "_Z10count_downPiy": 20}
