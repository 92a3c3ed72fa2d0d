"""What is going on, on stderr, on a terminal only: a bar while many units are analysed, a word with
the seconds for what takes more than one.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

MIN_UNITS = 2
_PATIENCE = 1.0
_TICK = 0.5


class ProgressBar:
    """A context whose ``on_done`` is told how many units of how many are done.

    It appears with the first unit of several and leaves nothing behind.
    """

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted and _is_terminal()
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


def _is_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def waiting(what: str, *, wanted: bool) -> Iterator[None]:
    """Say ``what`` is being done once that has taken a second, and for how long; the line is gone
    when it is done.
    """
    if not (wanted and _is_terminal()):
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_tick, args=(what, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _tick(what: str, done: threading.Event) -> None:
    start = time.monotonic()
    delay, shown = _PATIENCE, ""
    while not done.wait(delay):
        shown = f"{what} … {time.monotonic() - start:.0f} s"
        sys.stderr.write(f"\r{shown}")
        sys.stderr.flush()
        delay = _TICK
    if shown:
        sys.stderr.write(f"\r{' ' * len(shown)}\r")
        sys.stderr.flush()
