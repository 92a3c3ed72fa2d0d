"""Units in processes of their own: several at a time, none able to take the others with it.

A unit whose process crashes, or takes longer than its time (once for the compiler, and as much
again for the analysis), is one failed report. Processes are
started afresh (forking one with threads is unsafe) and replaced now and then. Results come from the
cache where it has them, and go there. Reports are in the order of the tasks, whatever finishes
first.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field
from typing import Any, NoReturn

from drano.driver import Task, failure, guarded
from drano.finding import FileReport, FileStatus
from drano.results import ResultCache, prune

# The compiler has its own limit, and tells when it is up.
_GRACE_SECONDS = 2.0
_UNITS_PER_PROCESS = 100
_MEMORY = 16 << 30

log = logging.getLogger(__name__)

OnDone = Callable[[int, int], None]


def default_jobs() -> int:
    """As many as there are cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


@dataclass(slots=True)
class Processes:
    """A ``Runner``. ``on_done(done, all)`` is told of progress; ``cache``: None for none."""

    jobs: int = field(default_factory=default_jobs)
    cache: ResultCache | None = None
    on_done: OnDone = lambda done, count: None

    def __call__(self, tasks: Sequence[Task]) -> list[FileReport]:
        """The tasks' reports."""
        reports: dict[int, FileReport] = {}
        for number, task in enumerate(tasks):
            known = self.cache.get(task.path, task.config, task.text) if self.cache else None
            if known is not None:
                reports[number] = known
        if self.cache:
            log.info("%d of %d units unchanged, from the cache", len(reports), len(tasks))
        if len(reports) < len(tasks):
            todo = {number: task for number, task in enumerate(tasks) if number not in reports}
            for number, report in self._run(todo):
                reports[number] = report
                self.on_done(len(reports), len(tasks))
                if self.cache:
                    task = tasks[number]
                    self.cache.put(task.path, task.config, task.text, report)
            if self.cache and self.cache.written:
                prune()
        return [reports[number] for number in range(len(tasks))]

    def _run(self, todo: dict[int, Task]) -> Iterator[tuple[int, FileReport]]:
        """Reports as they come."""
        from pebble import ProcessPool  # noqa: PLC0415 - not needed where the cache has all

        pool: Any = ProcessPool(
            max_workers=min(self.jobs, len(todo)),
            max_tasks=_UNITS_PER_PROCESS,
            initializer=_start,
            initargs=(logging.getLogger().level,),
            context=multiprocessing.get_context("spawn"),
        )
        try:
            futures: dict[Future[FileReport], int] = {}
            for number, task in todo.items():
                limit = 2 * task.config.compile.timeout + _GRACE_SECONDS
                futures[pool.schedule(_analyse, args=(task,), timeout=limit)] = number
            for future in as_completed(futures):
                number = futures[future]
                yield number, _outcome(future, todo[number])
            pool.close()
        finally:
            pool.stop()
            pool.join()


def _outcome(future: Future[FileReport], task: Task) -> FileReport:
    """A report whatever happened to the process."""
    from pebble import ProcessExpired  # noqa: PLC0415

    try:
        return future.result()
    except TimeoutError:
        reason = f"drano took more than {task.config.compile.timeout:g} s"
        return failure(task.path, reason, FileStatus.TIMEOUT)
    except ProcessExpired as error:
        status: Any = error.exitcode
        how = f"signal {-status}" if isinstance(status, int) and status < 0 else f"status {status}"
        return failure(task.path, f"the process that analysed it crashed ({how}); please report it")
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return failure(task.path, f"internal error ({reason}); please report it")


# --- in the other process --------------------------------------------------------------------


def _start(level: int) -> None:
    """Before the first unit, so that its time is its own: limits, signals, and all imports."""
    logging.basicConfig(level=level, format="drano: %(message)s", stream=sys.stderr)
    with contextlib.suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, hard))
    import drano.pipeline  # noqa: F401, PLC0415 - loads LLVM

    signal.signal(signal.SIGTERM, _terminate)


_TERMINATED = 143
_busy = False


def _terminate(_signal: int, _frame: Any) -> NoReturn:
    """Leaves by way of everything that ends the compiler it waits for; between units at once."""
    if _busy:
        raise SystemExit(_TERMINATED)
    os._exit(_TERMINATED)


def _analyse(task: Task) -> FileReport:
    global _busy  # noqa: PLW0603 - a signal's handler can be told in no other way
    try:
        _busy = True
        report = guarded(task)
        _busy = False
    except SystemExit:
        os._exit(_TERMINATED)
    return report
