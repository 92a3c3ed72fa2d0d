"""The protocol of workers, from the side that holds one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from drano.support import messages
from drano.support.worker_protocol import CANCEL, Reply, command, serve


def main(marker: str) -> None:
    """What the workers of these tests do: a request is seconds to sleep, or what to do."""

    def answer(request: object) -> object:
        print("printed")
        if request == "exit":
            os._exit(7)
        if isinstance(request, float):
            try:
                time.sleep(request)
            finally:
                Path(marker).write_text("cleaned up")
        if request == "stdin":
            return sys.stdin.read()
        return request

    def after(request: object, value: object) -> None:
        if request == "after":
            Path(marker).write_text(f"{value} has gone")

    serve(answer, lambda: None, after)


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "marker"


@pytest.fixture
def worker(marker: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    (tmp_path / "tests").mkdir()  # which nothing is imported from
    process = subprocess.Popen(
        command("tests.support.test_worker_protocol", str(marker)),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
    )  # fmt: skip
    with process:
        assert received(process).value is None
        yield process
        process.kill()


def send(worker: subprocess.Popen[bytes], request: object) -> None:
    assert worker.stdin is not None
    worker.stdin.write(messages.packed(request))
    worker.stdin.flush()


def received(worker: subprocess.Popen[bytes]) -> Reply:
    assert worker.stdout is not None
    reply: Reply = messages.receive(worker.stdout)
    return reply


def test_requests_are_answered_until_the_end(worker: subprocess.Popen[bytes], marker: Path) -> None:
    for request in ("one", ("two", 2), b"3" * 1_000_000):
        send(worker, request)
        assert received(worker).value == request
    send(worker, "after")
    reply = received(worker)
    assert reply.memory > 1 << 20
    send(worker, "stdin")
    assert received(worker).value == ""
    assert marker.read_text() == "after has gone"
    stdout, stderr = worker.communicate()
    assert (worker.returncode, stdout) == (0, b"")
    assert stderr.split() == [b"printed"] * 5


def test_a_request_is_cancelled_and_the_next_is_answered(
    worker: subprocess.Popen[bytes], marker: Path
) -> None:
    worker.send_signal(CANCEL)  # there is nothing to cancel
    send(worker, 600.0)
    time.sleep(0.5)
    worker.send_signal(CANCEL)
    assert received(worker).value is None
    assert marker.read_text() == "cleaned up"
    worker.send_signal(signal.SIGINT)
    send(worker, "next")
    assert received(worker).value == "next"


def test_it_cleans_up_when_it_is_ended(worker: subprocess.Popen[bytes], marker: Path) -> None:
    send(worker, 600.0)
    time.sleep(0.5)
    worker.terminate()
    assert worker.wait(20) == 143
    assert marker.read_text() == "cleaned up"


def test_a_crash_is_the_end_of_its_replies(worker: subprocess.Popen[bytes]) -> None:
    send(worker, "exit")
    with pytest.raises(EOFError):
        received(worker)
    assert worker.wait(20) == 7
