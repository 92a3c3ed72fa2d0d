"""Files without an end (``/dev/zero``, a disk) that a compiler was told to read.

A source can include any path, and a repository can hold a link to a device: LLVM reads to the end
of what it opens, into memory. What a process has open is looked at while it works, on Linux.

A pipe that nobody writes to is waited for while it is opened: what a process waits for in the
kernel tells that, where it may be asked.

Limits: in this process such a pipe is not found; where ``wchan`` says nothing, the time limit ends
who waits.
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

INTERVAL: Final = 0.03
"""Seconds between two looks: memory is filled by a few GB a second."""
_MEMORY_DEVICES: Final = 1
_ENDLESS: Final = frozenset({5, 7, 8, 9, 11})
"""Minor numbers of zero, full, random, urandom and kmsg (Linux, admin-guide/devices.txt)."""


LOOKS: Final = 3
"""Looks in a row at which it has to be open: who takes a few random bytes is done by then."""
PATIENCE: Final = 30
"""Looks in a row at which a pipe is waited for: who is to write to it may be about to start."""
_WAITS: Final = "wait_for_partner"


class Looks:
    """What was seen open at the last looks; mutated by each."""

    def __init__(self) -> None:
        self._seen: dict[tuple[int, int], int] = {}
        self._waiting: dict[int, int] = {}

    def at(self, pid: int, *, children: bool = True) -> list[int]:
        """Descriptors of files without an end that a process or a child of it goes on reading."""
        processes = (pid, *_children(pid)) if children else (pid,)
        found = {(process, fd) for process in processes for fd in _endless(process)}
        self._seen = {place: self._seen.get(place, 0) + 1 for place in found}
        return [fd for (_, fd), looks in self._seen.items() if looks >= LOOKS]

    def waits(self, pid: int) -> bool:
        """Whether a process or a child of it goes on waiting for somebody to write to a pipe."""
        waiting = [p for p in (pid, *_children(pid)) if _waits_for_partner(p)]
        self._waiting = {p: self._waiting.get(p, 0) + 1 for p in waiting}
        return any(looks >= PATIENCE for looks in self._waiting.values())


def _waits_for_partner(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/wchan").read_text(encoding="ascii") == _WAITS
    except (OSError, ValueError):
        return False


@contextlib.contextmanager
def ended_at_once() -> Iterator[None]:
    """Within it such files are empty, or end soon, for this process."""
    done = threading.Event()
    thread = threading.Thread(target=_empty, args=(done,), daemon=True, name="endless files")
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _empty(done: threading.Event) -> None:
    """Put nothing in their place until ``done``."""
    looks = Looks()
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    try:
        while not done.wait(INTERVAL):
            for descriptor in looks.at(os.getpid(), children=False):
                with contextlib.suppress(OSError):
                    os.dup2(nothing, descriptor, inheritable=False)
    finally:
        os.close(nothing)


def _endless(pid: int) -> Iterator[int]:
    """Descriptors behind the three standard ones."""
    place = Path(f"/proc/{pid}/fd")
    try:
        numbers = [int(name) for name in os.listdir(place)]  # noqa: PTH208 - text
    except (OSError, ValueError):
        return
    for number in numbers:
        with contextlib.suppress(OSError):
            status = os.stat(place / str(number))  # noqa: PTH116 - as above
            memory = stat.S_ISCHR(status.st_mode) and os.major(status.st_rdev) == _MEMORY_DEVICES
            endless = memory and os.minor(status.st_rdev) in _ENDLESS
            if number > 2 and (endless or stat.S_ISBLK(status.st_mode)):
                yield number


def _children(pid: int) -> Iterator[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return
    for word in text.split():
        yield int(word)
        yield from _children(int(word))
