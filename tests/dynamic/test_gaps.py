"""Neighbours with a gap between, which optimised code loads as one: counted as one, and right."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.profiles.profile import read_profile

SOURCE = Path(__file__).with_name("programs") / "gap.cu"


def test_a_gap_in_a_wide_load(tmp_path: Path) -> None:
    program, profile = tmp_path / "program", tmp_path / "profile.json"
    assert compile_main(["-O1", str(SOURCE), "-o", str(program)]) == 0
    environment = {**os.environ, "DRANO_PROFILE": str(profile)}
    said = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout == "right\n"
    loads = {s.space: s for s in read_profile(str(profile)).sites if s.kind == "load"}
    assert {space: (load.bytes, load.executions) for space, load in loads.items()} == {
        "global": (16, 1),
        "shared": (16, 1),
    }
    assert loads["global"].sectors == 16
