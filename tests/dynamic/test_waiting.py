"""Threads that spin until others have done something: all warps and blocks make progress."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main

SOURCE = Path(__file__).with_name("programs") / "waiting.cu"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("waiting") / "program"
    assert compile_main(["-O2", str(SOURCE), "-o", str(place)]) == 0
    return place


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("choice", range(5))
def test_who_waits_for_others_goes_on(program: Path, choice: int, workers: int) -> None:
    environment = {**os.environ, "DRANO_PROFILE": "none", "DRANO_WORKERS": str(workers)}
    done = subprocess.run(
        [program, str(choice)],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("cudaSuccess 32\n", "")
