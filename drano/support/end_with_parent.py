"""A process that works for another one ends when that one is gone, whatever it is busy with.

Means: a thread that asks, once a second, who the parent is. First it ends the process as SIGTERM
does, so that a compiler under way is stopped, too; then outright.
Limits: not while C code keeps Python from running.
"""

from __future__ import annotations

import os
import signal
import threading
import time

_INTERVAL = 1.0
_PATIENCE = 3.0
_STATUS = 143


def end_with_parent() -> None:
    """From now on this process does not outlive the one that started it by more than seconds."""
    parent = os.getppid()
    threading.Thread(target=_watch, args=(parent,), daemon=True, name="orphan").start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_INTERVAL)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_PATIENCE)
    os._exit(_STATUS)
