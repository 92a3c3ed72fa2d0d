"""The timing script on one small file: real run, real figures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.rodinia.samples import TWO

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    script = ROOT / "benchmarks/analysis_time.py"
    return subprocess.run(
        [sys.executable, str(script), *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_ratios_of_one_file(tmp_path: Path) -> None:
    (tmp_path / "two.cu").write_text(TWO)
    done = run(str(tmp_path / "two.cu"), "--repeat", "1")
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"\d\.\d\dx", done.stdout)) == 3


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    done = run(str(tmp_path / "none.cu"), "--repeat", "1")
    assert done.returncode == 2
    assert "none.cu: error: no such file" in done.stderr
