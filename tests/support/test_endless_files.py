"""Tools that read without an end are ended; those that take a few random bytes are not."""

from __future__ import annotations

import os
import time
from pathlib import Path

from drano.support.endless_files import ended_at_once
from drano.support.limited_process import run_limited


def test_one_that_reads_zeros_for_ever() -> None:
    done = run_limited(["sh", "-c", "exec 3</dev/zero; cat <&3 >/dev/null"], timeout=60)
    assert done.timed_out
    assert done.seconds < 20


def test_one_that_takes_random_bytes() -> None:
    script = "for i in 1 2 3 4 5 6 7 8 9; do exec 3</dev/urandom; exec 3<&-; sleep 0.02; done; echo"
    done = run_limited(["sh", "-c", script], timeout=60)
    assert (done.status, done.stdout, done.timed_out) == (0, "\n", False)


def test_in_this_process_it_ends() -> None:
    with ended_at_once(), Path("/dev/zero").open("rb", buffering=0) as file:
        deadline = time.monotonic() + 20
        while file.read(1 << 16) and time.monotonic() < deadline:
            pass
        assert time.monotonic() < deadline


def test_one_that_waits_for_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = run_limited(["cat", str(pipe)], timeout=60)
    assert done.timed_out
    assert done.stuck == "waits for a pipe that nobody writes to"
    assert done.seconds < 20


def test_one_whose_pipe_is_written_to_in_time(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = run_limited(["sh", "-c", f"(sleep 0.3; echo x > {pipe}) & cat {pipe}"], timeout=60)
    assert (done.status, done.stdout, done.stuck) == (0, "x\n", "")
