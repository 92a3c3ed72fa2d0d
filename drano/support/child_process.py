"""A process of our own code beside this one, by a fork where that is safe.

Means: a copy of this process has loaded already what this process has; only a process of one thread
is copied, as a copy lacks the others, with whatever they held. ``start`` makes a new interpreter
where it may not copy.
Assumption: what runs in the copy ends by ``os._exit`` and reads no state that the caller has set
for itself.
Limits: copies on Linux only.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, NoReturn, Protocol

from msgspec import Struct

from drano.support.worker_protocol import command

_MOST_FILES = 1 << 12
_INTERVAL = 0.005


class ChildProcess(Protocol):
    """What ``subprocess.Popen`` and a copy have in common."""

    @property
    def stdin(self) -> IO[bytes] | None: ...  # noqa: D102
    @property
    def stdout(self) -> IO[bytes] | None: ...  # noqa: D102
    def send_signal(self, sig: int, /) -> None: ...  # noqa: D102
    def kill(self) -> None: ...  # noqa: D102
    def wait(self, timeout: float | None = None) -> int: ...  # noqa: D102


def start(
    main: Callable[[str], NoReturn], argument: str, folder: str | None = None
) -> ChildProcess:
    """A process of a session of its own that runs ``main(argument)``, in the directory ``folder``,
    with pipes for stdin and stdout. ``main``: a module's function of that name.

    Raises OSError.
    """
    if _has_one_thread():
        return _copy(main, argument, folder)
    return subprocess.Popen(
        command(main.__module__, argument),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder,
        start_new_session=True,
    )


def _has_one_thread() -> bool:
    try:
        return sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1
    except OSError:
        return False


class _Copy(Struct):
    """Mutable: ``status`` is known when it has ended."""

    pid: int
    stdin: IO[bytes]
    stdout: IO[bytes]
    status: int | None = None

    def send_signal(self, sig: int, /) -> None:
        if not self._has_ended():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, sig)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Raises subprocess.TimeoutExpired."""
        ends = None if timeout is None else time.monotonic() + timeout
        while not self._has_ended(os.WNOHANG if timeout is not None else 0):
            if ends is not None and time.monotonic() >= ends:
                raise subprocess.TimeoutExpired("a copy", timeout or 0.0)
            time.sleep(_INTERVAL)
        assert self.status is not None
        return self.status

    def _has_ended(self, options: int = os.WNOHANG) -> bool:
        if self.status is None:
            try:
                pid, status = os.waitpid(self.pid, options)
            except ChildProcessError:  # somebody else has waited for it
                pid, status = self.pid, 0
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None


def _copy(main: Callable[[str], NoReturn], argument: str, folder: str | None) -> _Copy:
    if folder is not None and not Path(folder).is_dir():
        raise NotADirectoryError(folder)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()  # else its text comes twice
    requests, asks = os.pipe()
    answers, replies = os.pipe()
    pid = os.fork()
    if pid == 0:
        _run(main, argument, folder, requests, replies)
    os.close(requests)
    os.close(replies)
    return _Copy(pid, os.fdopen(asks, "wb"), os.fdopen(answers, "rb"))


def _run(
    main: Callable[[str], NoReturn], argument: str, folder: str | None, stdin: int, stdout: int
) -> NoReturn:
    """In the copy. It never comes back to what the process was about."""
    try:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        # Nobody shall wait for the end of a stream because a copy has it open, too.
        os.closerange(3, _MOST_FILES)
        if folder is not None:
            os.chdir(folder)
        main(argument)
    finally:
        os._exit(1)
