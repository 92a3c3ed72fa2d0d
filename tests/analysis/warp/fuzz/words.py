"""Machine words of many lanes: readings of their bits, and a hash."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from drano.ir.model import IntType, Type

Lanes: TypeAlias = npt.NDArray[np.int64]
Truth: TypeAlias = npt.NDArray[np.bool_]


def bits_of(type_: Type) -> int:
    """Width of a scalar; pointers have 64 bits."""
    if isinstance(type_, IntType):
        return type_.bits
    return 64


def signed(value: Lanes, bits: int) -> Lanes:
    """The low ``bits`` bits, read as a signed number; of one bit, as 0 or 1."""
    if bits == 64:
        return value
    if bits == 1:
        return value & 1
    size, half = np.int64(1 << bits), np.int64(1 << (bits - 1))
    return ((value + half) & (size - 1)) - half


def unsigned(value: Lanes, bits: int) -> npt.NDArray[np.uint64]:
    """The low ``bits`` bits, read as an unsigned number."""
    if bits == 64:
        return value.view(np.uint64)
    return (value & np.int64((1 << bits) - 1)).view(np.uint64)


def mix(*parts: Lanes | int) -> Lanes:
    """A hash of integers, the same for the same integers."""
    state = np.uint64(0x9E3779B97F4A7C15)
    for part in parts:
        word = np.asarray(part, dtype=np.int64).view(np.uint64)
        state = (state ^ word) * np.uint64(0xBF58476D1CE4E5B9)
        state = state ^ (state >> np.uint64(29))
        state = state * np.uint64(0x94D049BB133111EB)
        state = state ^ (state >> np.uint64(32))
    return np.asarray(state).view(np.int64)
