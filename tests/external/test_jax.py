"""JAX of today, in an environment of its own: what ``drano capture`` records of it without a GPU.

Needs a package registry. What XLA makes for a GPU is in ``tests/python/test_jax.py``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import Run
from tests.python.record_jax import CASES


def test_interpreted_kernels_of_pallas_are_recorded(tmp_path: Path, drano: Run) -> None:
    venv = [sys.executable, "-m", "venv", "--without-pip", tmp_path / "jax"]
    subprocess.run(venv, check=True)
    python = tmp_path / "jax" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python]
    subprocess.run([*pip, "install", "-q", "jax"], check=True, timeout=900)
    ran = drano("capture", "--", "env", "JAX_PLATFORMS=cpu", python, CASES)
    assert "[1. 1. 1. " in ran.stdout  # the program runs as it would
    assert "uncoalesced load of `x_ref[rows, 3]`: lanes are 128 bytes apart" in ran.stdout
    assert "Found 1 finding: 2 files, 2 kernels" in ran.stdout
    assert "JAX ran on the CPU" in ran.stderr
    assert "third_of_each_row" in ran.stderr and "with a GPU" in ran.stderr
    assert "not recorded" not in ran.stderr
