"""A process that analyses one unit after the other for the language server.

``main`` reads jobs from stdin and writes replies to stdout (``support.messages``); whoever started
it is trusted. It loads and warms up once what each ``drano check``
has to load anew. SIGUSR1 abandons the job at hand, its compiler included; the worker lives on.

Limits: a job inside libclang or LLVM is only abandoned when it comes out of there; the pool kills
a worker that does not answer in time.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import os
import resource
import signal
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NoReturn

from drano.analysis.explain.source_expressions import reading
from drano.frontend.clang import precompile_preamble
from drano.frontend.overlay import overlay_flags
from drano.lsp.own_failures import internal_error
from drano.model.report import FileReport, FileStatus
from drano.model.settings import Config
from drano.run.driver import Task, check, check_unit, failure
from drano.run.pipeline import Memory
from drano.support import messages
from drano.support.end_with_parent import end_with_parent

# Has a launch and a library header, so that all precompiled preludes are made and loaded.
_WARM_UP = """#include <vector>
__global__ void warm_up(float* a) { a[2 * threadIdx.x] = 0; }
int main() { warm_up<<<1, 32>>>(nullptr); }
"""


@dataclass(frozen=True, slots=True)
class Job:
    """One unit to analyse; ``text`` in the place of the file's content when given.

    ``others``: the same for files that the unit may include, by absolute path; ``shown``: launches
    of its kernels in other units, as text.
    """

    path: str
    text: str | None
    config: Config
    others: tuple[tuple[str, str], ...] = ()
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """``report``: None when the job was abandoned; ``memory``: the process's peak, in bytes."""

    report: FileReport | None
    memory: int


def analyse(job: Job, memory: Memory) -> FileReport:
    """The report of one job; a defect of drano becomes a failed report."""

    def run(tasks: Sequence[Task]) -> Iterable[FileReport]:
        return (
            check_unit(task.path, task.config, task.text, memory=memory, shown=job.shown)
            for task in tasks
        )

    try:
        others = {path: text.encode("utf-8", "surrogateescape") for path, text in job.others}
        with tempfile.TemporaryDirectory(prefix="drano-") as directory, reading(others):
            config = _with_overlay(job.config, others, Path(directory))
            texts = dict(job.others) | ({} if job.text is None else {job.path: job.text})
            (report,) = check([job.path], config, run, texts).files
            return report
    except Exception as error:
        return failure(job.path, internal_error(error))


def _with_overlay(config: Config, texts: Mapping[str, bytes], directory: Path) -> Config:
    """The compiler is told of unsaved headers by an overlay of the file system."""
    flags = (*config.compile.flags, *overlay_flags(texts, directory))
    return dataclasses.replace(config, compile=dataclasses.replace(config.compile, flags=flags))


# --- the process -----------------------------------------------------------------------------


class _Abandoned(BaseException):
    """Not an Exception: nothing between the signal and the main loop may take it for a defect."""


# Not printed: who sets a signal's handler anew has Python print the old one, our method, for an
# error that it then drops (``Handlers(old)`` of its ``signal.py``), all that is remembered with it.
@dataclass(slots=True, repr=False)
class _Process:
    """``busy``: whether there is a job that a signal may abandon."""

    jobs: IO[bytes]
    replies: IO[bytes]
    busy: bool = False
    memory: Memory = field(default_factory=Memory)
    ahead: threading.Thread | None = None

    def run(self) -> None:
        """Until the other side closes its end."""
        while (job := self._next()) is not None:
            report = self._analysed(job)
            self._reply(report)
            if job.text is not None and report is not None and report.status is FileStatus.OK:
                self._prepare(job)
            # after the answer, not while somebody waits for it
            self.memory.spent.clear()
            gc.collect()

    def _prepare(self, job: Job) -> None:
        """After the answer: have clang begin behind the ``#include`` lines when asked again."""
        if self.ahead is not None and self.ahead.is_alive():
            return
        content = (job.text or "").encode("utf-8", "surrogateescape")
        options = job.config.compile
        self.ahead = threading.Thread(
            target=precompile_preamble, args=(job.path, options, content), daemon=True
        )
        self.ahead.start()

    def _next(self) -> Job | None:
        try:
            job: Job = messages.receive(self.jobs)
        except EOFError:
            return None
        return job

    def _analysed(self, job: Job) -> FileReport | None:
        try:
            self.busy = True
            report = analyse(job, self.memory)
            self.busy = False
        except _Abandoned:
            return None
        return report

    def _reply(self, report: FileReport | None) -> None:
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        self.replies.write(messages.packed(Reply(report, memory)))
        self.replies.flush()

    def abandon(self, _signal: int, _frame: Any) -> None:
        """Handler of SIGUSR1; between jobs it does nothing."""
        if self.busy:
            self.busy = False
            raise _Abandoned


def main() -> None:
    """Serve until stdin ends. Whatever is printed on the way goes to stderr."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    process = _Process(sys.stdin.buffer, replies)
    signal.signal(signal.SIGUSR1, process.abandon)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the server's business
    signal.signal(signal.SIGTERM, _terminate)
    end_with_parent()
    analyse(Job(os.path.abspath("warm-up.cu"), _WARM_UP, Config()), process.memory)  # noqa: PTH100 - as the driver
    gc.collect()
    gc.freeze()  # what was loaded stays
    gc.disable()
    process._reply(None)
    with contextlib.suppress(BrokenPipeError):
        process.run()


def _terminate(_signal: int, _frame: Any) -> NoReturn:
    """Ends the process the way that also ends the compiler it waits for."""
    raise SystemExit(0)
