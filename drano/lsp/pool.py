"""The pool of worker processes: who runs, who waits, who is stopped.

``await pool.run(job)`` gives the job's report. Cancelling that await abandons the job: the worker
is told to stop and, if it does not within ``GRACE`` seconds, killed and replaced. A job that takes
longer than its limit, or that takes its worker with it, gets a failed report. Waiting jobs go by
their rank, then in order. A worker is replaced when it has grown or worked for long.

Everything here runs in the server's event loop; the only waiting is on pipes.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import logging
import pickle
from collections.abc import Coroutine

from msgspec import Struct, field

from drano.lsp.worker import Job
from drano.model.finding import Severity
from drano.model.report import Diagnostic, FileReport, FileStatus
from drano.run.driver import failure
from drano.support import messages
from drano.support.worker_protocol import CANCEL, Reply, command

GRACE = 1.0
START_SECONDS = 120.0
MAX_MEMORY = 1 << 30
MAX_JOBS = 500

log = logging.getLogger(__name__)


class _Worker(Struct, eq=False):
    process: asyncio.subprocess.Process
    jobs: int = 0
    memory: int = 0

    @property
    def worn(self) -> bool:
        return self.jobs >= MAX_JOBS or self.memory > MAX_MEMORY

    async def send(self, job: Job) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(messages.packed(job))
        await self.process.stdin.drain()

    async def receive(self) -> Reply:
        """Raises IncompleteReadError when the worker has ended."""
        assert self.process.stdout is not None
        size = messages.length(await self.process.stdout.readexactly(messages.PREFIX))
        reply: Reply = pickle.loads(await self.process.stdout.readexactly(size))
        self.memory = reply.memory
        return reply

    def abandon(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(CANCEL)

    async def end(self) -> None:
        """Ask it to end, with the compiler it waits for; then make it."""
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), GRACE)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()


class Pool(Struct):
    """At most ``size`` workers, started when first needed."""

    size: int = 2
    time_limit: float = 60.0
    _started: int = 0
    _idle: list[_Worker] = field(default_factory=list)
    _alive: set[_Worker] = field(default_factory=set)
    _waiting: list[tuple[int, int, asyncio.Future[None]]] = field(default_factory=list)
    _order: itertools.count[int] = field(default_factory=itertools.count)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _starting: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, job: Job, rank: int = 0) -> FileReport:
        """The report of ``job``; lower ranks first. Raises CancelledError only."""
        await self._turn(rank)
        try:
            worker = await self._worker()
        except BaseException as error:
            self._release()
            if isinstance(error, (OSError, TimeoutError, asyncio.IncompleteReadError)):
                return failure(job.path, f"cannot start a worker: {error or 'no answer'}")
            raise
        return await self._run(worker, job)

    async def warm_up(self) -> None:
        """Start a first worker before there is work for it."""
        await self._turn(0)
        try:
            self._idle.append(await self._worker())
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            log.error("cannot start a worker: %s", error)
        finally:
            self._release()

    async def close(self) -> None:
        """End all workers, and whatever they run."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(worker.end() for worker in self._alive), return_exceptions=True)
        self._alive.clear()
        self._idle.clear()

    # --- whose turn it is

    async def _turn(self, rank: int) -> None:
        if self._started < self.size and not self._waiting:
            self._started += 1
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (rank, next(self._order), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # its turn came, but too late
                self._release()
            raise

    def _next(self) -> None:
        while self._waiting and self._started < self.size:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._started += 1
                turn.set_result(None)

    def _release(self) -> None:
        self._started -= 1
        self._next()

    # --- one job

    async def _worker(self) -> _Worker:
        """An idle worker, or a new one; one starts at a time, the first warms the caches."""
        if self._idle:
            return self._idle.pop()
        async with self._starting:
            return self._idle.pop() if self._idle else await self._start()

    async def _run(self, worker: _Worker, job: Job) -> FileReport:
        """Holds its place in the pool until the worker is free or gone."""
        reading: asyncio.Task[Reply] | None = None
        try:
            await worker.send(job)
            reading = asyncio.ensure_future(worker.receive())
            reply = await asyncio.wait_for(asyncio.shield(reading), self.time_limit)
        except TimeoutError:
            self._later(self._abandon(worker, reading))
            return _too_slow(job.path, self.time_limit)
        except asyncio.CancelledError:
            self._later(self._abandon(worker, reading))
            raise
        except (OSError, asyncio.IncompleteReadError):
            self._later(self._discard(worker))
            return failure(job.path, "the analysis crashed on this file; please report it")
        self._keep(worker)
        return reply.value or failure(job.path, "the analysis was interrupted")

    async def _start(self) -> _Worker:
        """A worker that is ready: it has replied once, after its warm-up."""
        process = await asyncio.create_subprocess_exec(
            *command("drano.lsp.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        worker = _Worker(process)
        self._alive.add(worker)
        try:
            await asyncio.wait_for(worker.receive(), START_SECONDS)
        except BaseException:
            self._alive.discard(worker)
            self._later(worker.end())
            raise
        return worker

    async def _abandon(self, worker: _Worker, reading: asyncio.Task[Reply] | None) -> None:
        """Stop the worker's job and keep the worker, or end it when it does not stop."""
        if reading is None:
            await self._discard(worker)
            return
        worker.abandon()
        try:
            await asyncio.wait_for(reading, GRACE)
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            await self._discard(worker)
        else:
            self._keep(worker)

    def _keep(self, worker: _Worker) -> None:
        worker.jobs += 1
        if worker.worn:
            self._later(self._discard(worker))
            return
        self._idle.append(worker)
        self._release()

    async def _discard(self, worker: _Worker) -> None:
        await worker.end()
        self._alive.discard(worker)
        self._release()

    def _later(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _too_slow(path: str, seconds: float) -> FileReport:
    reason = f"took more than {seconds:g} s to analyse"
    return FileReport(
        path, FileStatus.TIMEOUT, diagnostics=(Diagnostic(path, 0, 0, Severity.ERROR, reason),)
    )
