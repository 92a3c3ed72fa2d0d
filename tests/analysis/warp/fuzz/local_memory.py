"""Local arrays of all lanes, byte by byte; an access past an array's end is undefined."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tests.analysis.warp.fuzz.words import Lanes, Truth

Bytes: TypeAlias = npt.NDArray[np.uint8]
MOST_COPIED = 16
_BASE = 1 << 50
_SPACING = 1 << 24


class LocalMemory:
    """Arrays by number. ``forbid`` is told which lanes do what is undefined."""

    def __init__(self, shape: tuple[int, ...], forbid: Callable[[Truth], None]) -> None:
        self._shape = shape
        self._forbid = forbid
        self._arrays: dict[int, Bytes] = {}

    def allocate(self, number: int, size: int) -> Lanes:
        """The address of an array, the same in all lanes."""
        self._arrays.setdefault(number, np.zeros((*self._shape, size), dtype=np.uint8))
        return np.full(self._shape, _BASE + number * _SPACING, dtype=np.int64)

    def holds(self, address: Lanes, mask: Truth) -> bool:
        """Whether a lane's address is in local memory."""
        return bool(self._homes(address, mask))

    def read(self, address: Lanes, length: Lanes | int, mask: Truth) -> list[Bytes]:
        """The bytes from an address on, each lane's; those past its ``length`` are zero."""
        length = self._checked(length, mask)
        found = []
        for byte in range(int(length[mask].max(initial=0))):
            value = np.zeros(self._shape, dtype=np.uint8)
            for home, part in self._homes(address, mask & (byte < length)):
                offset = self._within(home, address + byte, part)
                got = np.take_along_axis(self._arrays[home], offset, axis=3)[..., 0]
                value = np.where(part, got, value)
            found.append(value)
        return found

    def write(self, address: Lanes, data: list[Bytes], length: Lanes | int, mask: Truth) -> None:
        """Put bytes from an address on, as many as each lane's ``length``."""
        length = self._checked(length, mask)
        for byte, value in enumerate(data):
            for home, part in self._homes(address, mask & (byte < length)):
                offset = self._within(home, address + byte, part)
                memory = self._arrays[home]
                old = np.take_along_axis(memory, offset, axis=3)
                new = np.where(part[..., None], value[..., None], old)
                np.put_along_axis(memory, offset, new, axis=3)

    def _checked(self, length: Lanes | int, mask: Truth) -> Lanes:
        lengths = np.broadcast_to(np.asarray(length, dtype=np.int64), self._shape)
        bad = (lengths < 0) | (lengths > MOST_COPIED)
        self._forbid(mask & bad)
        return np.where(bad, 0, lengths)

    def _homes(self, address: Lanes, mask: Truth) -> list[tuple[int, Truth]]:
        """The arrays that active lanes point into, each with these lanes."""
        numbers = (address - _BASE + _SPACING // 2) // _SPACING
        found = [(home, mask & (numbers == home)) for home in self._arrays]
        return [(home, part) for home, part in found if part.any()]

    def _within(self, home: int, address: Lanes, mask: Truth) -> Lanes:
        offset = address - (_BASE + home * _SPACING)
        bad = (offset < 0) | (offset >= self._arrays[home].shape[3])
        self._forbid(mask & bad)
        return np.where(bad, 0, offset)[..., None]
