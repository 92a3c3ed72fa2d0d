"""The command that analyses all sources of the workspace, with progress and a way to stop it."""

from __future__ import annotations

import asyncio
import uuid
from concurrent.futures import Future
from pathlib import Path

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException

from drano.lsp.language_server import DranoServer
from drano.lsp.session import SOURCE_SUFFIXES
from drano.run.found_sources import find_sources

MAX_FILES = 5000


async def analyse_workspace(ls: DranoServer) -> dict[str, int]:
    """Analyse every ``.cu`` of the workspace folders; what is found is pushed as it comes.

    The answer counts files, files that failed, and findings. A cancelled run keeps what it has.
    """
    session = ls.session
    session.release()
    paths = await asyncio.get_running_loop().run_in_executor(None, _sources, session.folders)
    progress = await _Progress.begin(ls, len(paths))
    limit = asyncio.Semaphore(session.pool.size)

    async def one(path: str) -> None:
        async with limit:
            if progress.cancelled:
                return
            session.adopt(path)
            await session.settled(path)
            progress.done(path)

    await asyncio.gather(*(one(path) for path in paths))
    units = [unit for unit in map(session.units.get, paths) if unit is not None]
    counts = {
        "files": len(units),
        "failed": sum(unit.failure is not None for unit in units),
        "findings": len(
            {
                (finding.rule, finding.location)
                for unit in units
                for found in unit.findings.values()
                for finding in found
            }
        ),
    }
    progress.end("{files} files, {findings} findings, {failed} failed".format(**counts))
    return counts


def _sources(folders: tuple[str, ...]) -> list[str]:
    found = [path for folder in folders for path in find_sources(folder)]
    return [path for path in dict.fromkeys(found) if path.endswith(SOURCE_SUFFIXES)][:MAX_FILES]


class _Progress:
    """The client's progress bar; where it has none, nothing happens."""

    def __init__(self, ls: DranoServer, token: str | None, total: int) -> None:
        self._ls, self._token, self._total, self._done = ls, token, total, 0

    @classmethod
    async def begin(cls, ls: DranoServer, total: int) -> _Progress:
        if not get_capability(ls.client_capabilities, "window.work_done_progress", False):
            return cls(ls, None, total)
        token = str(uuid.uuid4())
        try:
            await ls.work_done_progress.create_async(token)
        except JsonRpcException:
            return cls(ls, None, total)
        ls.work_done_progress.begin(
            token,
            types.WorkDoneProgressBegin("drano: workspace", cancellable=True, percentage=0),
        )
        return cls(ls, token, total)

    @property
    def cancelled(self) -> bool:
        if self._token is None:
            return False
        future: Future[None] | None = self._ls.work_done_progress.tokens.get(self._token)
        return future is not None and future.cancelled()

    def done(self, path: str) -> None:
        self._done += 1
        if self._token is not None:
            message = f"{self._done}/{self._total} {Path(path).name}"
            percentage = 100 * self._done // max(self._total, 1)
            self._ls.work_done_progress.report(
                self._token, types.WorkDoneProgressReport(message=message, percentage=percentage)
            )

    def end(self, message: str) -> None:
        if self._token is not None:
            self._ls.work_done_progress.end(self._token, types.WorkDoneProgressEnd(message=message))
            self._ls.work_done_progress.tokens.pop(self._token, None)
