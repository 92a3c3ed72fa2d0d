"""Units in processes of their own: several at a time, each alone affected by its failure.

A unit whose process crashes, or takes longer than its time (once for the compiler, and as much
again for the analysis), is one failed report. Processes are started afresh (forking one with
threads is unsafe) and replaced now and then. Results are read from the cache and written to it.
Reports are in the order of the tasks, whichever finishes first. A unit that can be refused without
a compiler needs no process either.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from drano.model.report import FileReport, FileStatus
from drano.run.driver import Task, failure, refusal
from drano.run.result_cache import ResultCache, prune
from drano.run.worker import Worker, outcome, wait_for

log = logging.getLogger(__name__)

OnDone = Callable[[int, int], None]
# Numbered tasks' reports, as they come.
Units: TypeAlias = Callable[[Mapping[int, Task]], Iterator[tuple[int, FileReport]]]


def default_jobs() -> int:
    """As many as there are cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


class Processes(Struct):
    """A ``Runner``. ``on_done(done, all)`` is told of progress; ``cache``: None for none;
    ``elsewhere``: runs the units in the place of processes here; ``keep``: what of each report is
    kept until all are there.
    """

    jobs: int = field(default_factory=default_jobs)
    cache: ResultCache | None = None
    on_done: OnDone = lambda done, count: None
    elsewhere: Units | None = None
    keep: Callable[[FileReport], FileReport] = lambda report: report

    def __call__(self, tasks: Sequence[Task]) -> list[FileReport]:
        """The tasks' reports."""
        reports: dict[int, FileReport] = {}
        for number, task in enumerate(tasks):
            known = refusal(task)
            if known is None and self.cache:
                known = self.cache.get(task.path, task.config, task.text, task.shown)
            if known is not None:
                reports[number] = self.keep(known)
        if self.cache:
            unchanged = sum(report.status is FileStatus.OK for report in reports.values())
            log.info("%d of %d units unchanged, from the cache", unchanged, len(tasks))
        todo = {number: task for number, task in enumerate(tasks) if number not in reports}
        if todo:
            run = self.elsewhere or self._run
            for number, report in run(todo):
                reports[number] = report if report.unchanged else self.keep(report)
                self.on_done(len(reports), len(tasks))
                if self.cache:
                    self._store(self.cache, tasks[number], report)
            if self.cache and self.cache.written:
                prune()
        return [reports[number] for number in range(len(tasks))]

    @staticmethod
    def _store(cache: ResultCache, task: Task, report: FileReport) -> None:
        if report.unchanged:
            earlier = cache.get(task.path, task.config, task.text, task.shown_before)
            if earlier is None:
                return
            report = earlier.followed_by(report)
        cache.put(task.path, task.config, task.text, report, task.shown)

    def _run(self, todo: Mapping[int, Task]) -> Iterator[tuple[int, FileReport]]:
        waiting = deque(todo.items())
        workers: list[Worker] = []
        try:
            while waiting or any(worker.task for worker in workers):
                for worker in [w for w in workers if w.idle]:
                    if waiting and not worker.worn:
                        worker.give(*waiting.popleft())
                    else:
                        worker.stop()
                        workers.remove(worker)
                starting = sum(worker.task is None for worker in workers)
                if len(workers) < self.jobs and starting < len(waiting):
                    try:
                        workers.append(Worker.start())
                        continue
                    except OSError as error:  # with others at work, they do it all
                        if not workers:
                            number, task = waiting.popleft()
                            yield number, _not_started(task, error.strerror or str(error))
                            continue
                for worker in wait_for(workers):
                    found = self._heard(worker, waiting)
                    if not worker.idle:
                        workers.remove(worker)
                    if found is not None:
                        yield found
        finally:
            for worker in workers:
                worker.ask_to_stop()
            for worker in workers:
                worker.stop()

    @staticmethod
    def _heard(worker: Worker, waiting: deque[tuple[int, Task]]) -> tuple[int, FileReport] | None:
        """What becomes of a worker that has answered or should have; it is idle if it lives."""
        if worker.task is not None:
            return worker.number, outcome(worker, worker.task)[0]
        try:
            if worker.answered:
                worker.take()
                return None
            worker.stop()
            how = "it did not answer"
        except EOFError:
            how = worker.crash()
        if not waiting:
            return None
        number, task = waiting.popleft()
        return number, _not_started(task, how)


def _not_started(task: Task, reason: str) -> FileReport:
    return failure(task.path, f"could not start a process for it ({reason})")
