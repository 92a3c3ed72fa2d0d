"""A process that analyses one unit after the other, and the side that holds it.

``Worker`` starts one and gives it tasks; ``_serve`` is what runs over there. A worker that has no
task is killed outright: it has nothing to clean up, and however far its start or its end has come,
nothing is printed. One with a task is asked first (SIGTERM), which takes it out of the unit by way
of all that ends the compiler and removes its files. It ignores the terminal (Ctrl-C is its holder's
business) and ends when its holder is gone, also in the middle of a unit.

Plain pipes and no multiprocessing: no locks to be left behind, the caller's main module is not run
again, and a cluster's daemonic processes may have workers of their own.
"""

from __future__ import annotations

import contextlib
import logging
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from multiprocessing.connection import Connection, Pipe
from multiprocessing.connection import wait as wait_any
from typing import Any, NoReturn

from drano.model.report import FileReport, FileStatus
from drano.run.driver import Task, failure, guarded
from drano.support.end_with_parent import end_with_parent

# The compiler has its own limit, and tells when it is up.
_GRACE_SECONDS = 2.0
_STOP_SECONDS = 3.0
_START_SECONDS = 120.0
_UNITS_PER_PROCESS = 100
_MEMORY = 16 << 30
_MAIN = (
    "import sys; sys.path[:] = sys.argv[3:]; from drano.run.worker import main; "
    "main(*sys.argv[1:3])"
)


class _State(Enum):
    STARTING = auto()
    IDLE = auto()
    BUSY = auto()


@dataclass(slots=True, eq=False)
class Worker:
    """One process. Mutable: ``give`` it a task when it is ``idle``, ``take`` when it has answered.

    ``deadline``: on the monotonic clock, when its time for what it does now is up.
    """

    process: subprocess.Popen[bytes]
    connection: Connection
    deadline: float
    task: Task | None = None
    number: int = 0
    units: int = 0
    _state: _State = field(default=_State.STARTING)

    @classmethod
    def start(cls, folder: str | None = None) -> Worker:
        """A new process, still starting, in the directory ``folder``. Raises OSError."""
        ours, theirs = Pipe()
        level = str(logging.getLogger().level)
        with theirs:
            handle = theirs.fileno()
            process = subprocess.Popen(
                [sys.executable, "-c", _MAIN, str(handle), level, *sys.path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd=folder,
                pass_fds=(handle,),
                start_new_session=True,
            )
        return cls(process, ours, time.monotonic() + _START_SECONDS)

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
        with contextlib.suppress(OSError):
            self.connection.send(task)

    def take(self) -> FileReport | None:
        """What it has to say, which must be there: a report; None when it has just started.

        Raises EOFError when the process is dead.
        """
        try:
            report: FileReport | None = self.connection.recv()
        except OSError as error:
            raise EOFError from error
        self._state, self.task = _State.IDLE, None
        return report

    def ask_to_stop(self) -> None:
        """The first half of ``stop``: for several that are to stop at the same time."""
        kind = signal.SIGTERM if self._state is _State.BUSY else signal.SIGKILL
        self.process.send_signal(kind)

    def stop(self) -> int:
        """End it, whatever it does; its exit status."""
        self.ask_to_stop()
        self.connection.close()
        try:
            return self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def crash(self) -> str:
        """How a process that is dead has died."""
        self.connection.close()
        try:
            status = self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            status = self.stop()
        return f"signal {-status}" if status < 0 else f"status {status}"


def outcome(worker: Worker, task: Task) -> tuple[FileReport, bool]:
    """The report of ``task`` from a worker that has answered, has died, or whose time is up; and
    whether the worker lives.
    """
    if worker.connection.poll():
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
    ready = set(wait_any([worker.connection for worker in watched], max(left, 0)))
    now = time.monotonic()
    return [w for w in watched if w.connection in ready or w.deadline <= now]


# --- in the other process --------------------------------------------------------------------

_TERMINATED = 143


def main(handle: str, level: str) -> NoReturn:
    """Answer tasks until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    status = 0
    try:
        with Connection(int(handle)) as connection:
            _serve(connection, int(level))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the holder is gone
    except BaseException as error:
        print(f"drano: error: worker: {type(error).__name__}: {error}", file=sys.stderr)
        status = 1
    # Not by way of all that libraries do at exit.
    sys.stderr.flush()
    os._exit(status)


def _serve(connection: Connection, level: int) -> None:
    """The first answer says that all is loaded: the time of a unit is its own."""
    logging.basicConfig(level=level, format="drano: %(message)s", stream=sys.stderr)
    with contextlib.suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, hard))
    import drano.run.pipeline  # noqa: F401, PLC0415 - loads LLVM

    connection.send(None)
    while True:
        connection.send(_analyse(connection.recv()))


def _analyse(task: Task) -> FileReport:
    try:
        _on_sigterm(_terminate)
        report = guarded(task)
        _on_sigterm(signal.SIG_DFL)
    except SystemExit:
        os._exit(_TERMINATED)
    return report


def _on_sigterm(action: signal.Handlers | Callable[[int, Any], NoReturn]) -> None:
    """With the signal blocked, so that none is noted by Python and then finds no handler."""
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
    signal.signal(signal.SIGTERM, action)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))


def _terminate(_signal: int, _frame: Any) -> NoReturn:
    # Where Python cannot raise (it is in the middle of collecting garbage, say) it calls this.
    sys.unraisablehook = _end
    raise SystemExit(_TERMINATED)


def _end(_unraisable: Any) -> NoReturn:
    os._exit(_TERMINATED)
