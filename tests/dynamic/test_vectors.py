"""Requests of compiled code, which runs count as nvcc makes them, and that results are right."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.profiles.profile import read_profile

PROGRAMS = Path(__file__).with_name("programs")


def test_a_gap_in_a_wide_load(tmp_path: Path) -> None:
    program, profile = tmp_path / "program", tmp_path / "profile.json"
    assert compile_main(["-O1", str(PROGRAMS / "gap.cu"), "-o", str(program)]) == 0
    environment = {**os.environ, "DRANO_PROFILE": str(profile)}
    said = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout == "right\n"
    loads = {s.space: s for s in read_profile(str(profile)).sites if s.kind == "load"}
    assert {space: (load.bytes, load.executions) for space, load in loads.items()} == {
        "global": (16, 1),
        "shared": (16, 1),
    }
    assert loads["global"].sectors == 16


def test_a_constant_vector_where_data_say(tmp_path: Path) -> None:
    program = tmp_path / "program"
    assert compile_main(["-O1", str(PROGRAMS / "pairs.cu"), "-o", str(program)]) == 0
    environment = {**os.environ, "DRANO_PROFILE": "none"}
    said = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout == "0 wrong\n"


def test_the_rest_of_a_strided_loop_comes_first(tmp_path: Path) -> None:
    """nvcc makes four copies of it, so that the lanes that go round once more are a stride behind
    the others: their bytes are in two sectors, in each of four requests.
    """
    program, profile = tmp_path / "program", tmp_path / "profile.json"
    assert compile_main(["-O1", str(PROGRAMS / "stride_loop.cu"), "-o", str(program)]) == 0
    environment = {**os.environ, "DRANO_PROFILE": str(profile)}
    said = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout == "0 wrong\n"
    sites = read_profile(str(profile)).sites
    for kind in ("load", "store"):
        copies = [site for site in sites if site.kind == kind]
        assert (sum(s.executions for s in copies), sum(s.sectors for s in copies)) == (5, 9)
