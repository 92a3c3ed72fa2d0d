"""Integers per lane: the ground of the warp domain.

A *coefficient* says what every lane of every warp of one block holds: a Python ``int`` when all
agree, a ``LaneVector`` (shape ``(warps, 32)``, int64) when they differ. Vectors are interned by
their ``LaneSpace``, so that equality is identity and results of operations can be remembered:
a program combines the same few patterns (``tid.x``, ``4*tid.x``) over and over.

Limits: a vector holds exact integers below 2**62 in magnitude; an operation that would leave
that range raises ``LaneOverflowError`` and the caller falls back to "unknown".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

WARP_SIZE = 32
LIMIT = 1 << 62

Array: TypeAlias = npt.NDArray[np.int64]


class LaneOverflowError(ArithmeticError):
    """A lane's exact integer left the range that a vector holds."""


class LaneVector:
    """Interned integers per (warp, lane); never all equal (that is an ``int``).

    ``lo``/``hi``: least and greatest element; ``warp_uniform``: the lanes of each single warp
    agree (as ``tid.y`` does for 32-wide rows).
    """

    __slots__ = ("data", "hi", "lo", "warp_uniform")

    def __init__(self, data: Array) -> None:
        self.data = data
        self.lo = int(data.min())
        self.hi = int(data.max())
        self.warp_uniform = bool((data == data[:, :1]).all())

    def __repr__(self) -> str:
        return f"LaneVector(np.array({self.data.tolist()}))"


Coefficient: TypeAlias = int | LaneVector


def low(value: Coefficient) -> int:
    """Least element."""
    return value if isinstance(value, int) else value.lo


def high(value: Coefficient) -> int:
    """Greatest element."""
    return value if isinstance(value, int) else value.hi


def is_warp_uniform(value: Coefficient) -> bool:
    """Whether the lanes of each warp agree."""
    return isinstance(value, int) or value.warp_uniform


class LaneSpace:
    """All vectors of one block layout, and the remembered results of operations on them.

    ``x, y, z``: ``threadIdx`` per (warp, lane); ``valid``: lanes that exist (the last warp of a
    block may be partial). Threads are laid over warps x first, then y, then z, as the hardware
    does (CUDA Programming Guide, "Hardware Multithreading").
    """

    def __init__(self, warps: int) -> None:
        self.warps = warps
        self.shape = (warps, WARP_SIZE)
        self._interned: dict[bytes, LaneVector] = {}
        self._memo: dict[tuple[str, Coefficient, Coefficient], Coefficient] = {}

    def intern(self, data: npt.NDArray[np.generic]) -> Coefficient:
        """The coefficient holding ``data`` (broadcast to ``(warps, 32)``)."""
        full = np.ascontiguousarray(np.broadcast_to(data, self.shape), dtype=np.int64)
        key = full.tobytes()
        found = self._interned.get(key)
        if found is not None:
            return found
        first = int(full.flat[0])
        if (full == first).all():
            return first
        vector = LaneVector(full)
        self._interned[key] = vector
        return vector

    def array(self, value: Coefficient) -> Array:
        """``value`` as an array of shape ``(warps, 32)``; not to be written to."""
        if isinstance(value, LaneVector):
            return value.data
        if abs(value) >= LIMIT:
            raise LaneOverflowError
        return np.full(self.shape, value, dtype=np.int64)

    def divisor(self, value: Coefficient) -> int:
        """The greatest number that divides every lane's, however wide a number of all lanes is."""
        return abs(value) if isinstance(value, int) else int(np.gcd.reduce(value.data, axis=None))

    def modulo(self, value: Coefficient, modulus: int) -> Array:
        """Every lane's remainder, 0 to ``modulus`` - 1."""
        return self.array(value % modulus if isinstance(value, int) else value) % modulus

    def _apply(
        self,
        name: str,
        left: Coefficient,
        right: Coefficient,
        operation: Callable[[Array, Array], npt.NDArray[np.generic]],
    ) -> Coefficient:
        key = (name, left, right)
        found = self._memo.get(key)
        if found is None:
            found = self.intern(operation(self.array(left), self.array(right)))
            self._memo[key] = found
        return found

    def add(self, left: Coefficient, right: Coefficient) -> Coefficient:
        """Lane-wise sum, e.g. ``add(lane, 1)`` is 1..32."""
        if isinstance(left, int):
            if isinstance(right, int):
                return left + right
            if left == 0:
                return right
        elif isinstance(right, int) and right == 0:
            return left
        if max(abs(low(left)), abs(high(left))) + max(abs(low(right)), abs(high(right))) >= LIMIT:
            raise LaneOverflowError
        return self._apply("add", left, right, np.add)

    def neg(self, value: Coefficient) -> Coefficient:
        """Lane-wise negation."""
        return -value if isinstance(value, int) else self.mul(value, -1)

    def mul(self, left: Coefficient, right: Coefficient) -> Coefficient:
        """Lane-wise product."""
        if isinstance(left, int):
            if isinstance(right, int):
                return left * right
            if left in {0, 1}:
                return right if left else 0
        elif isinstance(right, int) and right in {0, 1}:
            return left if right else 0
        if max(abs(low(left)), abs(high(left))) * max(abs(low(right)), abs(high(right))) >= LIMIT:
            raise LaneOverflowError
        return self._apply("mul", left, right, np.multiply)

    def floordiv(self, value: Coefficient, divisor: int) -> Coefficient:
        """Lane-wise quotient rounded down; ``divisor`` > 0."""
        if isinstance(value, int):
            return value // divisor
        return self._apply("floordiv", value, divisor, np.floor_divide)

    def mod(self, value: Coefficient, divisor: int) -> Coefficient:
        """Lane-wise remainder in [0, divisor); ``divisor`` > 0."""
        if isinstance(value, int):
            return value % divisor
        return self._apply("mod", value, divisor, np.mod)

    def bitwise(self, name: str, left: Coefficient, right: Coefficient) -> Coefficient:
        """``and``, ``or`` or ``xor`` of the two's complement readings."""
        if isinstance(left, int) and isinstance(right, int):
            if name == "and":
                return left & right
            return left | right if name == "or" else left ^ right
        operation = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[name]
        return self._apply(name, left, right, operation)

    def where(self, chosen: Coefficient, left: Coefficient, right: Coefficient) -> Coefficient:
        """``left`` where ``chosen`` is 1, ``right`` where it is 0."""
        if isinstance(chosen, int):
            return left if chosen else right
        if left is right or (isinstance(left, int) and left == right):
            return left
        return self.intern(np.where(chosen.data != 0, self.array(left), self.array(right)))

    def map(self, value: LaneVector, operation: Callable[[Array], Array]) -> Coefficient:
        """``operation`` on the whole array, not remembered."""
        return self.intern(operation(value.data))
