"""A process that works for another one ends when that one is gone, whatever it is busy with.

Means: a thread that asks, once a second, who the parent is. First it ends the process as SIGTERM
does, so that a compiler under way is stopped, too; then outright. While C code keeps Python from
running, a thread does not run either: on Linux a small process beside this one asks as well, which
ends with it.
Limits: elsewhere C code holds a process until it is done.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

_INTERVAL = 1.0
_PATIENCE = 3.0
_STATUS = 143
_MOST_FILES = 1 << 12
_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15


def end_with_parent() -> None:
    """From now on this process does not outlive the one that started it by more than seconds.

    To be called while it has one thread.
    """
    parent = os.getppid()
    if sys.platform == "linux" and _parent_of(os.getpid()) == parent:
        mine = os.getpid()
        if os.fork() == 0:
            _beside(mine, parent)
    threading.Thread(target=_watch, args=(parent,), daemon=True, name="orphan").start()


def name_process(name: str) -> None:
    """What ``top`` calls this process: at most 15 characters."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode())


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_INTERVAL)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_PATIENCE)
    os._exit(_STATUS)


def _beside(watched: int, parent: int) -> NoReturn:
    """What runs beside a process: it holds none of its files, and ends after it."""
    with contextlib.suppress(BaseException):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # it ends with that process
        for number in range(1, signal.NSIG):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.closerange(0, _MOST_FILES)
        while os.getppid() == watched and _parent_of(watched) == parent:
            time.sleep(_INTERVAL)
        time.sleep(_INTERVAL + _PATIENCE)  # it may yet end by itself
        if os.getppid() == watched:
            os.kill(watched, signal.SIGKILL)
    os._exit(0)


def _parent_of(process: int) -> int:
    """0 where that is not told."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        return int(status.rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0
