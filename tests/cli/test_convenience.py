"""Statistics, stdin, watching, completion and the progress bar, through the real command line."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from tests.conftest import ROOT, Run

STRIDED = "__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def test_statistics(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "__global__ void k(float* a, int* i) {\n  a[2 * threadIdx.x] = 0;\n"
        "  a[3 * threadIdx.x] = 0;\n  a[4 * threadIdx.x] = 0;  // drano: ignore\n"
        "  a[i[threadIdx.x]] = 0;\n}\n"
    )
    (tmp_path / "b.cu").write_text(STRIDED)
    outcome = drano("check", "--statistics", "a.cu", "b.cu")
    assert outcome.status == 1
    assert outcome.stdout.splitlines() == [
        "      3  DRN001  uncoalesced-access",
        "      1  DRN003  data-dependent-access",
        "",
        "      3  a.cu",
        "      1  b.cu",
    ]


def from_stdin(tmp_path: Path, text: bytes, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "drano", "check", *arguments],
        cwd=tmp_path, env=ENVIRONMENT, input=text, capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_stdin_is_checked_under_a_name(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "stride.h").write_text("#define STRIDE 2\n")
    (tmp_path / "src" / "drano.toml").write_text("[rules.DRN001]\nlevel = 'error'\n")
    text = (
        b'#include "stride.h"\n__global__ void k(float* a) {\n  a[STRIDE * threadIdx.x] = 0;\n}\n'
    )
    status, stdout, _ = from_stdin(tmp_path, text, "--stdin-filename", "src/new.cu", "-")
    assert status == 1
    assert stdout.startswith("error[DRN001]: uncoalesced store")
    assert "3 | a[STRIDE * threadIdx.x] = 0;" in stdout
    silenced = text.replace(b"= 0;", b"= 0; // drano: ignore")
    assert from_stdin(tmp_path, silenced, "--stdin-filename", "src/new.cu")[0] == 0
    assert not (tmp_path / "src" / "new.cu").exists()
    assert from_stdin(tmp_path, b"\xff\x00", "--stdin-filename", "src/new.cu")[0] == 2
    status, _, stderr = from_stdin(tmp_path, text, "--stdin-filename", "src/new.cu", "other.cu")
    assert (status, len(stderr.splitlines())) == (2, 1)


def test_watching(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text('#include "stride.h"\n' + STRIDED.replace("2", "STRIDE"))
    (tmp_path / "stride.h").write_text("#define STRIDE 2\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "drano", "check", "--watch", "--output-format", "concise", "a.cu"],
        cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)

    threading.Thread(target=read, daemon=True).start()

    def summary() -> str:
        while True:
            line = lines.get(timeout=60)
            if "global access" in line:
                return line

    try:
        assert summary().startswith("Found 1 finding")
        changed = threading.Event()

        def change() -> None:
            # Whether the watching has begun cannot be seen from here: change until it is noticed.
            for number in range(100):
                (tmp_path / "stride.h").write_text(f"#define STRIDE 1 // {number}\n")
                if changed.wait(0.5):
                    break

        writer = threading.Thread(target=change, daemon=True)
        writer.start()
        assert summary().startswith("No findings")
        changed.set()
        writer.join()
        time.sleep(2)  # said, but the status is only known when that check has returned
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
    assert process.returncode == 0


def test_completion(drano: Run, tmp_path: Path) -> None:
    script = drano("completion", "bash").stdout
    (tmp_path / "drano.bash").write_text(script)
    done = subprocess.run(
        ["bash", "-c", "source drano.bash && complete -p drano"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "drano" in done.stdout
    for word in ("--baseline-commit", "explain", "gpudrano"):
        assert word in script
    assert "#compdef drano" in drano("completion", "zsh").stdout
    assert drano("completion", "tcsh").status == 0


def on_terminal(tmp_path: Path, *arguments: str) -> tuple[str, str]:
    """stdout, and what a terminal got as stderr."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "drano", "check", "--no-cache", *arguments],
        cwd=tmp_path, env={**ENVIRONMENT, "TERM": "xterm"},
        stdout=subprocess.PIPE, stderr=theirs, text=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(ours, 4096):
                shown += part
        assert process.stdout is not None
        stdout = process.stdout.read()
    os.close(ours)
    return stdout, shown.decode()


def test_progress_is_shown_on_a_terminal_only(drano: Run, tmp_path: Path) -> None:
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text(STRIDED)
    arguments = ("--output-format", "json", "a.cu", "b.cu")
    stdout, shown = on_terminal(tmp_path, *arguments)
    assert "analysing" in shown
    assert len(json.loads(stdout)["files"]) == 2
    assert on_terminal(tmp_path, "-q", *arguments)[1] == ""
    assert drano("check", *arguments).stderr == ""
