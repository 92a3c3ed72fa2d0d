"""What is taken of numbers that the source does not give. All of them are said in the result.

They are no measurements: they only have to order accesses sensibly. A size is large, a loop whose
end is data is short, what is subtracted is half of what it is subtracted from.
"""

from __future__ import annotations

from typing import Final

SIZE: Final = 1024.0
"""An integer parameter."""

DATA: Final = 16.0
"""A number loaded from memory that ends a loop."""

HOST: Final = 100.0
"""A number of the host code that ends a loop around launches."""

BLOCK_THREADS: Final = 256.0
"""Threads of a block along x."""

_TRIPS: Final = (32.0, 8.0, 4.0)

EVEN: Final = 0.5
"""Chance of a side of a branch of which nothing is known; of a lane to be chosen by data."""

EQUAL: Final = 0.1
"""Chance that two numbers of which nothing is known are equal."""

MAIN: Final = 0.75
"""Chance of the side with accesses, where the other side has none."""

GATHER: Final = 0.5
"""Share of the greatest excess that an access with an unknown index is taken to have."""

UNPROVED: Final = 0.1
"""The same, at least, of an access whose pattern is known, but not whether it is aligned."""


def blocks(threads: float) -> float:
    """Blocks along one axis of a grid, of blocks with ``threads`` along it: together they have as
    many threads as the value assumed for a size.

    >>> blocks(256.0), blocks(16.0), blocks(1.0)
    (4.0, 64.0, 1024.0)
    """
    return max(1.0, SIZE / threads)


def trips(depth: int) -> float:
    """Iterations of a loop of which nothing is known, ``depth`` 1 for an outermost one.

    >>> [trips(depth) for depth in (1, 2, 3, 9)]
    [32.0, 8.0, 4.0, 4.0]
    """
    return _TRIPS[min(max(depth, 1), len(_TRIPS)) - 1]
