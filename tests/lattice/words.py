"""A small concrete machine: warps of 4 threads whose words have 3 bits, and LLVM's integer
operations on them. Literals and results are unsigned readings unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

BITS = 3
SIZE = 1 << BITS
LANES = 4

Warp = tuple[int, ...]
WARPS: tuple[Warp, ...] = tuple(product(range(SIZE), repeat=LANES))


def signed(word: int, bits: int = BITS) -> int:
    size = 1 << bits
    word %= size
    return word - size if word >= size // 2 else word


def _shift(function: Callable[[int, int], int]) -> Callable[[int, int], int | None]:
    return lambda a, b: function(a, b) if b < BITS else None


def _quotient(a: int, b: int) -> int | None:
    x, y = signed(a), signed(b)
    if y == 0 or (x == -SIZE // 2 and y == -1):
        return None
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _remainder(a: int, b: int) -> int | None:
    quotient = _quotient(a, b)
    return None if quotient is None else signed(a) - quotient * signed(b)


OPERATIONS: dict[str, Callable[[int, int], int | None]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "shl": _shift(lambda a, b: a << b),
    "lshr": _shift(lambda a, b: a >> b),
    "ashr": _shift(lambda a, b: signed(a) >> b),
    "udiv": lambda a, b: a // b if b else None,
    "urem": lambda a, b: a % b if b else None,
    "sdiv": _quotient,
    "srem": _remainder,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ult": lambda a, b: a < b,
    "ule": lambda a, b: a <= b,
    "ugt": lambda a, b: a > b,
    "uge": lambda a, b: a >= b,
    "slt": lambda a, b: signed(a) < signed(b),
    "sle": lambda a, b: signed(a) <= signed(b),
    "sgt": lambda a, b: signed(a) > signed(b),
    "sge": lambda a, b: signed(a) >= signed(b),
}


def lanewise(operation: Callable[[int, int], int | None]) -> Callable[[Warp, Warp], Warp | None]:
    """The operation in every thread; None when any thread has no result."""
    table = [[operation(a, b) for b in range(SIZE)] for a in range(SIZE)]

    def run(a: Warp, b: Warp) -> Warp | None:
        result = []
        for x, y in zip(a, b, strict=True):
            word = table[x][y]
            if word is None:
                return None
            result.append(word % SIZE)
        return tuple(result)

    return run
