"""Which requests of global memory compiled functions make, by line of the source.

Means: a request is what one instruction asks for: its kind (load, store, atomic) and bytes of a
lane; 0 bytes where its width is not known. Lines are those of the innermost function in the user's
own code. Of generic addresses it is not known whether they are global: they count as if they were.
"""

from __future__ import annotations

import os
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field

from drano.model.system_headers import is_system_header

Place: TypeAlias = tuple[str, int]
Request: TypeAlias = tuple[str, int]


class Code(Struct, frozen=True):
    """One compiled function. ``lines``: those of each file that any instruction of it is of, in
    order; ``whole``: all that its source asks for is in it, not in functions that it calls.
    """

    symbol: str
    requests: Mapping[Place, Counter[Request]]
    lines: Mapping[str, Sequence[int]]
    whole: bool

    def statement(self, place: Place) -> Place:
        """Where the statement at ``place`` begins: nvcc says no more of the lines behind it.

        With instructions of lines 3 and 7: 3 of 5, 7 of 7, and 1 of 1, of which nothing is known.
        """
        path, line = place
        known = self.lines.get(path, ())
        before = bisect(known, line)
        return (path, known[before - 1]) if before else place

    def at(self, place: Place) -> Counter[Request]:
        """The requests of one line."""
        return self.requests.get(place, Counter())


class Function(Struct):
    """A function that is being read: its methods change it."""

    symbol: str
    requests: dict[Place, Counter[Request]] = field(default_factory=dict)
    lines: dict[str, set[int]] = field(default_factory=dict)
    calls: set[str] = field(default_factory=set)
    place: Place = ("", 0)

    def moved(self, place: Place) -> None:
        """What follows is of that line."""
        self.place = place
        self.lines.setdefault(place[0], set()).add(place[1])

    def asked(self, request: Request) -> None:
        """An instruction at the present place."""
        self.requests.setdefault(self.place, Counter())[request] += 1

    def finished(self, *, whole: bool) -> Code:
        """The function as it was read."""
        lines = {path: sorted(numbers) for path, numbers in self.lines.items()}
        return Code(self.symbol, self.requests, lines, whole)


def user_place(frames: Iterable[Place]) -> Place:
    """The innermost of ``frames`` (innermost first) in the user's code, else the first."""
    first: Place | None = None
    for path, line in frames:
        if not is_system_header(path):
            return real(path), line
        first = first or (path, line)
    return first or ("", 0)


@lru_cache(maxsize=4096)
def real(path: str) -> str:
    """A path as it is compared: compilers name files with and without links."""
    return os.path.realpath(path) if Path(path).is_absolute() else os.path.normpath(path)
