"""A process that analyses one unit after the other, and the side that holds it.

``Worker`` starts one and gives it tasks; ``main`` is what runs over there, by the protocol of
``support.worker_protocol``. A worker that has no task is killed outright: it has nothing to clean
up, and however far its start or its end has come, nothing is printed. One with a task is asked
first (SIGTERM).
"""

from __future__ import annotations

import contextlib
import gc
import logging
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from enum import Enum, auto
from functools import partial
from multiprocessing.connection import wait as wait_any
from typing import IO, NoReturn

from msgspec import Struct

from drano.model.report import FileReport, FileStatus
from drano.run.driver import Task, failure, guarded
from drano.support import child_process, messages
from drano.support.child_process import ChildProcess
from drano.support.end_with_parent import name_process
from drano.support.worker_protocol import Reply, serve

# The compiler has its own limit, and tells when it is up.
_GRACE_SECONDS = 2.0
_STOP_SECONDS = 3.0
_START_SECONDS = 120.0
_UNITS_PER_PROCESS = 100
_MEMORY = 16 << 30


class _State(Enum):
    STARTING = auto()
    IDLE = auto()
    BUSY = auto()


class Worker(Struct, eq=False):
    """One process. Mutable: ``give`` it a task when it is ``idle``, ``take`` when it has answered.

    ``deadline``: on the monotonic clock, when its time for what it does now is up.
    """

    process: ChildProcess
    deadline: float
    task: Task | None = None
    number: int = 0
    units: int = 0
    _state: _State = _State.STARTING

    @classmethod
    def start(cls, folder: str | None = None) -> Worker:
        """A new process, still starting, in the directory ``folder``. Raises OSError."""
        process = child_process.start(main, str(logging.getLogger().level), folder)
        return cls(process, time.monotonic() + _START_SECONDS)

    @property
    def replies(self) -> IO[bytes]:
        """Where it writes them."""
        assert self.process.stdout is not None
        return self.process.stdout

    @property
    def answered(self) -> bool:
        """Whether ``take`` need not wait: there is a reply, or the process is dead."""
        return bool(wait_any([self.replies.fileno()], 0))

    @property
    def idle(self) -> bool:
        """Whether it waits for a task."""
        return self._state is _State.IDLE

    @property
    def worn(self) -> bool:
        """Whether it has done enough: what a library loses in each unit adds up."""
        return self.units >= _UNITS_PER_PROCESS

    def give(self, number: int, task: Task) -> None:
        """The next task. A process that has just died is found out by ``take``."""
        self._state, self.number, self.task = _State.BUSY, number, task
        self.deadline = time.monotonic() + 2 * task.config.compile.timeout + _GRACE_SECONDS
        self.units += 1
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.write(messages.packed(task))
            self.process.stdin.flush()

    def take(self) -> FileReport | None:
        """What it has to say, which must be there: a report; None when it has just started.

        Raises EOFError when the process is dead.
        """
        reply: Reply = messages.receive(self.replies)
        self._state, self.task = _State.IDLE, None
        report: FileReport | None = reply.value
        return report

    def ask_to_stop(self) -> None:
        """The first half of ``stop``: for several that are to stop at the same time."""
        kind = signal.SIGTERM if self._state is _State.BUSY else signal.SIGKILL
        self.process.send_signal(kind)

    def stop(self) -> int:
        """End it, whatever it does; its exit status."""
        self.ask_to_stop()
        self._close()
        try:
            return self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def crash(self) -> str:
        """How a process that is dead has died."""
        self._close()
        try:
            status = self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            status = self.stop()
        return f"signal {-status}" if status < 0 else f"status {status}"

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # of what it has not read
                    pipe.close()


def outcome(worker: Worker, task: Task) -> tuple[FileReport, bool]:
    """The report of ``task`` from a worker that has answered, has died, or whose time is up; and
    whether the worker lives.
    """
    if worker.answered:
        try:
            report = worker.take()
        except EOFError:
            how = worker.crash()
            reason = f"the process that analysed it crashed ({how}); please report it"
            return failure(task.path, reason), False
        assert report is not None
        return report, True
    worker.stop()
    seconds = task.config.compile.timeout
    return failure(task.path, f"drano took more than {seconds:g} s", FileStatus.TIMEOUT), False


def wait_for(workers: Iterable[Worker]) -> list[Worker]:
    """Of workers that are not idle: those that have something to say or whose time is up."""
    watched = list(workers)
    left = min(worker.deadline for worker in watched) - time.monotonic()
    ready = set(wait_any([worker.replies.fileno() for worker in watched], max(left, 0)))
    now = time.monotonic()
    return [w for w in watched if w.replies.fileno() in ready or w.deadline <= now]


# --- in the other process --------------------------------------------------------------------


def main(level: str) -> NoReturn:
    """Answer tasks until the other end is closed."""
    serve(guarded, partial(_load, int(level)), _collect)


def _collect(_task: Task, _report: FileReport | None) -> None:
    """Looking for garbage while trees of clang's grow takes a third of the time of reading them."""
    gc.collect()


def _load(level: int) -> None:
    """The time of a unit is its own."""
    name_process("drano-worker")
    logging.basicConfig(level=level, format="drano: %(message)s", stream=sys.stderr)
    with contextlib.suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, hard))
    import drano.run.pipeline  # noqa: F401, PLC0415 - loads LLVM

    gc.freeze()  # what was loaded stays
    gc.disable()
