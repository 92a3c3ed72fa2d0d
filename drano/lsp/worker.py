"""A process that analyses one unit after the other for the language server.

It loads and warms up once what each ``drano check`` has to load anew, and remembers what it has
analysed. Limits: the pool kills a worker that does not come out of libclang or LLVM in time.
"""

from __future__ import annotations

import gc
import os
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.explain.source_expressions import reading
from drano.fix.trial import Unit
from drano.frontend.clang import precompile_preamble
from drano.frontend.headers.overlay import overlay_flags
from drano.lsp.built_code import with_built_code
from drano.model.finding import Finding
from drano.model.report import FileReport, FileStatus
from drano.model.settings import Config
from drano.run.driver import Task, check, check_unit, failure
from drano.run.pipeline import Memory
from drano.support.own_failures import internal_error
from drano.support.worker_protocol import serve

_TRIALS = 8
"""Edits that are tried for an editor's question: it does not wait for long."""
_ALL_TRIALS = 64
"""The same where all fixes are asked for."""

# Has a launch and a library header, so that all precompiled preludes are made and loaded.
_WARM_UP = """#include <vector>
__global__ void warm_up(float* a) { a[2 * threadIdx.x] = 0; }
int main() { warm_up<<<1, 32>>>(nullptr); }
"""


class Job(Struct, frozen=True):
    """One unit to analyse; ``text`` in the place of the file's content when given.

    ``others``: the same for files that the unit may include, by absolute path; ``shown``: launches
    of its kernels in other units, as text; ``fixed``: first and last line of the file for whose
    findings fixes are looked for: the unit's, or that named by ``fixed_in``; ``all_fixed``: one
    fix is wanted that makes all safe ones; ``built``: compiled files that the user names.
    """

    path: str
    text: str | None
    config: Config
    others: tuple[tuple[str, str], ...] = ()
    shown: tuple[str, ...] = ()
    fixed: tuple[int, int] | None = None
    fixed_in: str = ""
    all_fixed: bool = False
    built: tuple[str, ...] = ()


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
            (report,) = check([job.path], config, run, texts, rounds=0).files
            if job.all_fixed or job.fixed is not None:
                return _with_fixes(job, report)
            if job.others:
                return report
            return with_built_code(report, job.config, job.built, job.text)
    except Exception as error:
        return failure(job.path, internal_error(error))


def _with_fixes(job: Job, report: FileReport) -> FileReport:
    from drano.fix.attach import all_fixed, with_fixes  # noqa: PLC0415 - for those who ask

    texts = dict(job.others) | ({} if job.text is None else {job.path: job.text})
    known = {path: text.encode("utf-8", "surrogateescape") for path, text in texts.items()}
    unit = Unit(job.path, job.config, known, job.shown)
    if job.all_fixed:
        return all_fixed(unit, report, _ALL_TRIALS)
    first, last = job.fixed or (0, 0)

    def wanted(finding: Finding) -> bool:
        span = finding.location.span
        return span.path == (job.fixed_in or job.path) and first <= span.line <= last

    return with_fixes(unit, report, wanted, _TRIALS)


def _with_overlay(config: Config, texts: Mapping[str, bytes], directory: Path) -> Config:
    """The compiler is told of unsaved headers by an overlay of the file system."""
    flags = (*config.compile.flags, *overlay_flags(texts, directory))
    return replace(config, compile=replace(config.compile, flags=flags))


# --- the process -----------------------------------------------------------------------------


def main() -> NoReturn:
    """Answer jobs until the other end is closed."""
    memory = Memory()

    def load() -> None:
        analyse(Job(os.path.abspath("warm-up.cu"), _WARM_UP, Config()), memory)
        gc.collect()
        gc.freeze()  # what was loaded stays
        gc.disable()

    serve(partial(analyse, memory=memory), load, _Ahead(memory).after)


class _Ahead(Struct, eq=False):
    """What is done when an answer has gone, while nobody waits."""

    memory: Memory
    thread: threading.Thread | None = None

    def after(self, job: Job, report: FileReport | None) -> None:
        """``report``: None when the job was cancelled."""
        if job.text is not None and report is not None and report.status is FileStatus.OK:
            self._precompile(job)
        self.memory.spent.clear()
        gc.collect()

    def _precompile(self, job: Job) -> None:
        """Have clang begin behind the ``#include`` lines when asked again."""
        if self.thread is not None and self.thread.is_alive():
            return
        content = (job.text or "").encode("utf-8", "surrogateescape")
        options = job.config.compile
        self.thread = threading.Thread(
            target=precompile_preamble, args=(job.path, options, content), daemon=True
        )
        self.thread.start()
