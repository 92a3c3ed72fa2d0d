"""A process whose parent is gone ends, also while C code keeps Python from running."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

CHILD = """
import ctypes, os, sys
from drano.support.end_with_parent import end_with_parent
end_with_parent()
print(os.getpid(), flush=True)
{busy}
"""
HELD = "ctypes.PyDLL(None).sleep(100)"  # PyDLL keeps the interpreter's lock
FREE = "import time; time.sleep(100)"
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE, text=True)
print(child.stdout.readline().strip(), flush=True)
sys.stdin.read()
"""


def runs(process: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
@pytest.mark.parametrize("busy", [HELD, FREE])
def test_it_ends(busy: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, CHILD.format(busy=busy)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert runs(child)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 20
    while runs(child):
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_what_runs_beside_it_ends_with_it() -> None:
    mark = f"time.sleep(0.5 + 0 * {os.getpid()})"
    code = CHILD.format(busy=f"import time; {mark}")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    deadline = time.monotonic() + 10
    while [place for place in Path("/proc").glob("[0-9]*") if _is_of(place, mark)]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert done.stdout


def _is_of(place: Path, mark: str) -> bool:
    try:
        return mark.encode() in (place / "cmdline").read_bytes()
    except OSError:
        return False
