"""A progress bar on stderr while many units are analysed, on a terminal only."""

from __future__ import annotations

import os
import sys
from types import TracebackType

MIN_UNITS = 2


class ProgressBar:
    """A context whose ``on_done`` is told how many units of how many are done.

    It appears with the first unit of several and leaves nothing behind.
    """

    def __init__(self, *, wanted: bool) -> None:
        terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._wanted = wanted and terminal
        self._bar: _Bar | None = None

    def on_done(self, done: int, count: int) -> None:
        """``done`` of ``count`` units are done."""
        if not self._wanted or count < MIN_UNITS:
            return
        if self._bar is None:
            self._bar = _Bar()
        self._bar.show(done, count)

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()


class _Bar:
    def __init__(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - not needed where there is no terminal
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415 - as above

        columns = (TextColumn("analysing"), BarColumn(), MofNCompleteColumn(), TextColumn("files"))
        console = Console(stderr=True)
        self._progress = Progress(*columns, console=console, transient=True)
        self._task = self._progress.add_task("", total=None)
        self._progress.start()

    def show(self, done: int, count: int) -> None:
        self._progress.update(self._task, completed=done, total=count)

    def close(self) -> None:
        self._progress.stop()
