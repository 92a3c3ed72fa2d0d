"""Programs with nvcc's PTX in the place of their kernels: the same output, the same counts.

Needs nvcc, on PATH, in CUDA_HOME, or of the pip package, and a host compiler that it takes.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.frontend.sdk.tools import find_tool
from tests.conftest import ROOT
from tests.dynamic.compiler.test_ptx_code import run

EXAMPLES = sorted((ROOT / "examples").glob("*.cu"))
PROGRAMS = [ROOT / f"tests/dynamic/programs/{name}.cu" for name in ("arrays", "patterns", "reuse")]


@pytest.mark.parametrize("source", [*EXAMPLES, *PROGRAMS], ids=lambda path: path.stem)
def test_counts_are_those_of_the_source(source: Path, tmp_path: Path) -> None:
    ptx = tmp_path / "kernels.ptx"
    nvcc = [find_tool("nvcc", None), "-O3", "-std=c++17", "-lineinfo", "-arch=sm_90"]
    subprocess.run([*nvcc, "-ptx", source, "-o", ptx], check=True)
    own, other = tmp_path / "own", tmp_path / "other"
    assert compile_main(["-std=c++17", str(source), "-o", str(own)]) == 0
    assert compile_main(["-std=c++17", str(source), str(ptx), "-o", str(other)]) == 0
    assert run(own) == run(other)
