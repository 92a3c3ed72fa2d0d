"""Runs one tool under limits: wall-clock time, address space, size of each output file.

No shell. The tool gets a process group of its own, all of which is killed when the time is up, when
it reads a file without an end or waits for a pipe (as if its time were up), or when the caller is
interrupted. stdout and stderr go to files, so that the size limit holds for them too.
Limits: memory and file size are limited on Linux only (``prlimit``, set right after the start: a
``preexec_fn`` would not be safe in a threaded caller such as a language server).
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from msgspec import Struct

from drano.support.endless_files import INTERVAL, Looks

MAX_MESSAGES = 1 << 20
_LIBRARIES = "LD_LIBRARY_PATH"
_searched: list[str] = []


class Completed(Struct, frozen=True):
    """``status``: exit status, negative: killed by that signal; ``stdout``/``stderr``: the first
    ``MAX_MESSAGES`` bytes of each as text, or as many as were asked for. ``stuck``: what it was
    ended for before its time was up.
    """

    status: int
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool
    stuck: str = ""


def run_limited(
    arguments: Sequence[str],
    *,
    timeout: float,
    memory: int = 0,
    file_size: int = 0,
    stdin: bytes = b"",
    messages: int = MAX_MESSAGES,
) -> Completed:
    """Run ``arguments``; 0 means unlimited. ``messages``: bytes of each output that are kept.
    Raises OSError when it cannot be started.
    """
    start = time.monotonic()
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as errors,
    ):
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(
            list(arguments),
            stdin=given,
            stdout=out,
            stderr=errors,
            env=environment(),
            start_new_session=True,
        )
        try:
            _limit(process.pid, memory, file_size)
            timed_out, stuck = _wait(process, timeout)
        finally:
            _kill_group(process)
        return Completed(
            process.returncode,
            _text(out, messages),
            _text(errors, messages),
            time.monotonic() - start,
            timed_out,
            stuck,
        )


def _wait(process: subprocess.Popen[bytes], timeout: float) -> tuple[bool, str]:
    """Whether the time was up before the process had ended, or what it was stuck at."""
    if hasattr(os, "pidfd_open"):  # Linux tells at once; subprocess looks every 50 ms
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(process.pid)
            try:
                poll = select.poll()
                poll.register(descriptor, select.POLLIN)
                stuck = _ends(poll, process.pid, timeout)
            finally:
                os.close(descriptor)
            if stuck is not None:
                return True, stuck
            timeout = 1.0  # only to be collected
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        return True, ""
    return False, ""


def _ends(poll: select.poll, pid: int, timeout: float) -> str | None:
    """None if a process ends in time; else what it is stuck at, "" if nothing is known of that."""
    deadline = time.monotonic() + timeout
    looks = Looks()
    while (left := deadline - time.monotonic()) > 0:
        if poll.poll(min(left, INTERVAL) * 1000):
            return None
        if looks.at(pid):
            return "reads a file that does not end"
        if looks.waits(pid):
            return "waits for a pipe that nobody writes to"
    return ""


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the group; the group's id is the process's, as it leads its session."""
    if process.returncode is not None:
        return  # it ended by itself; its id may be another process's by now
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _limit(pid: int, memory: int, file_size: int) -> None:
    if not hasattr(resource, "prlimit"):
        return
    limits = [(resource.RLIMIT_CORE, 0)]
    if memory:
        limits.append((resource.RLIMIT_AS, memory))
    if file_size:
        limits.append((resource.RLIMIT_FSIZE, file_size))
    for what, value in limits:
        # The process may have ended already, or may run under a lower hard limit: both are fine.
        with contextlib.suppress(ProcessLookupError, PermissionError, ValueError):
            resource.prlimit(pid, what, (value, value))


def search_first(directory: Path) -> None:
    """From now on tools look for shared libraries there first. Changes this process's memory."""
    if str(directory) not in _searched:
        _searched.append(str(directory))


def environment() -> dict[str, str]:
    """The user's environment, without what makes clang do other than it is told."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CCC_")}
    kept["LC_ALL"] = "C"
    if _searched:
        kept[_LIBRARIES] = ":".join([*_searched, *filter(None, [kept.get(_LIBRARIES)])])
    return kept


def _text(file: IO[bytes], most: int) -> str:
    file.seek(0)
    return file.read(most).decode("utf-8", "replace")
