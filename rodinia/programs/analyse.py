"""drano over the suite's units: the one place of the harness that runs the analysis.

A unit whose file is missing, does not compile or crashes the analysis is a ``FileReport`` with a
status other than ``ok``; the others go on. With several jobs, units run in separate processes,
started afresh (forking a process with threads is unsafe).
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drano.model.report import FileReport
from drano.model.settings import Config
from drano.run import driver
from rodinia.programs.manifest import Manifest, Program, Unit


class UnitResult(Struct, frozen=True):
    """What drano says about one unit of one program."""

    program: str
    unit: Unit
    report: FileReport


OnResult = Callable[[UnitResult], None]
_Task = tuple[str, Unit, str, Config]


def analyse(
    manifest: Manifest,
    cuda: Path,
    config: Config,
    jobs: int = 1,
    on_result: OnResult | None = None,
) -> tuple[UnitResult, ...]:
    """All units of the manifest below the CUDA directory ``cuda``, in the manifest's order."""
    results: list[UnitResult] = []
    for result in _run(_tasks(manifest, cuda, config), jobs):
        results.append(result)
        if on_result:
            on_result(result)
    return tuple(results)


def _tasks(manifest: Manifest, cuda: Path, config: Config) -> list[_Task]:
    tasks: list[_Task] = []
    for program in manifest.programs:
        for unit in program.units:
            path = directory(cuda, program) / unit.path
            options = unit.options(directory(cuda, program), config.compile)
            tasks.append((program.name, unit, str(path), replace(config, compile=options)))
    return tasks


def directory(cuda: Path, program: Program) -> Path:
    """A program's directory in the checkout."""
    return cuda / program.directory


def _run(tasks: list[_Task], jobs: int) -> Iterator[UnitResult]:
    if jobs <= 1:
        yield from map(_unit, tasks)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=jobs, mp_context=context) as pool:
        futures = [pool.submit(_unit, task) for task in tasks]
        for task, future in zip(tasks, futures, strict=True):
            try:
                yield future.result()
            except BrokenProcessPool:
                # A worker died (out of memory, say): the pool is gone, this unit is not counted.
                reason = "the process that analysed it, or another one, died"
                yield UnitResult(task[0], task[1], driver.failure(task[2], reason))


def _unit(task: _Task) -> UnitResult:
    program, unit, path, config = task
    if not Path(path).is_file():
        return UnitResult(program, unit, driver.failure(path, "no such file in the checkout"))
    return UnitResult(program, unit, driver.check([path], config).files[0])
