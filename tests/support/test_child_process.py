"""Processes beside this one: copies of a process of one thread, new interpreters otherwise."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.conftest import ROOT

# A worker that says who it is, in a module of its own, as a new interpreter must find it.
WORKER = """
import os, sys
def main(word):
    asked = os.fdopen(0, "rb").readline().decode().strip()
    text = f"{word} {asked} {os.getcwd()} {os.getsid(0) == os.getpid()} {'marked' in sys.modules}"
    os.write(1, text.encode())
    os._exit(7)
"""


def run(tmp_path: Path, lines: str) -> str:
    (tmp_path / "echo_worker.py").write_text(WORKER)
    (tmp_path / "sub").mkdir()
    program = "import echo_worker, signal, sys, threading\n"
    program += "from drano.support.child_process import start\n"
    completed = subprocess.run(
        [sys.executable, "-c", program + textwrap.dedent(lines)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


@pytest.mark.parametrize("threads", [1, 2])
def test_an_answer_and_a_status(tmp_path: Path, threads: int) -> None:
    sub = tmp_path / "sub"
    printed = run(
        tmp_path,
        f"""
        sys.modules["marked"] = sys
        stop = threading.Event()
        if {threads} == 2:
            threading.Thread(target=stop.wait, daemon=True).start()
        print("said once", flush=False)
        child = start(echo_worker.main, "hello", {str(sub)!r})
        child.stdin.write(b"you\\n"); child.stdin.flush()
        print(child.stdout.read().decode(), child.wait(20), child.wait())
        child.send_signal(signal.SIGTERM)  # of one that has ended: nothing
        stop.set()
        """,
    )
    copied = threads == 1 and sys.platform == "linux"
    assert printed == f"said once\nhello you {sub} True {copied} 7 7\n"


def test_one_that_is_killed(tmp_path: Path) -> None:
    printed = run(
        tmp_path,
        """
        import subprocess
        child = start(echo_worker.main, "hello")
        try:
            child.wait(0.1)
        except subprocess.TimeoutExpired:
            print("busy")
        child.kill()
        print(child.wait(20))
        """,
    )
    assert printed == f"busy\n{-signal.SIGKILL}\n"


def test_a_directory_that_is_none(tmp_path: Path) -> None:
    printed = run(
        tmp_path,
        """
        try:
            start(echo_worker.main, "hello", "/nowhere")
        except OSError as error:
            print("refused")
        """,
    )
    assert printed == "refused\n"
