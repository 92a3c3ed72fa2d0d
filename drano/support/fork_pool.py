"""Work of one process on several processors: tasks in copies of the process as it is.

Means: ``fork``. A copy does its task, sends what it found and is gone; the first task is done here.
Assumptions: tasks only compute, so that it does not matter which threads the copies lack.
Limits: Linux; elsewhere there is one processor to share work among. What a task gives back must be
picklable.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Generic, NoReturn, TypeVar

from drano.support import messages

T = TypeVar("T")

_MOST_FILES = 1024


class ForkError(Exception):
    """A copy has failed, whatever the reason."""


def processors() -> int:
    """How many processors there are to share work among."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def in_copies(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """What the tasks give back, in order. The first may raise; ForkError when another one fails."""
    copies: list[_Copy[T]] = []
    try:
        for task in tasks[1:]:
            copies.append(_Copy(task))  # noqa: PERF401 - those that have started must be ended
        return [tasks[0](), *(copy.result() for copy in copies)]
    except OSError as error:
        raise ForkError from error
    finally:
        for copy in copies:
            copy.end()


class _Copy(Generic[T]):
    """A process that does one task."""

    def __init__(self, task: Callable[[], T]) -> None:
        source, target = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _work(task, target)
        os.close(target)
        self._answers = os.fdopen(source, "rb")

    def result(self) -> T:
        """Waits for it."""
        try:
            answer: T = messages.receive(self._answers)
        except EOFError:
            raise ForkError from None
        return answer

    def end(self) -> None:
        """Whatever it is busy with."""
        self._answers.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def _work(task: Callable[[], T], target: int) -> NoReturn:
    """In the copy. It never comes back to what the process was about."""
    status = 1
    try:
        for number in (signal.SIGTERM, signal.SIGUSR1):
            signal.signal(number, signal.SIG_DFL)
        # Nobody shall wait for the end of a stream because a copy has it open, too.
        os.closerange(3, target)
        os.closerange(target + 1, _MOST_FILES)
        os.dup2(2, 0)
        os.dup2(2, 1)
        answer = messages.packed(task())
        with os.fdopen(target, "wb") as answers:
            answers.write(answer)
        status = 0
    finally:
        os._exit(status)
