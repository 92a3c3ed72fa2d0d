"""Kinds of types as libclang numbers them (CXTypeKind, Index.h of LLVM 22).

Apart from ``libclang``, so that who computes with them need not load it.
"""

from __future__ import annotations

from typing import Final

INTEGER_TYPES: Final[dict[int, tuple[int, bool]]] = {
    3: (1, False),
    4: (8, True),
    5: (8, False),
    8: (16, False),
    9: (32, False),
    10: (64, False),
    11: (64, False),
    13: (8, True),
    14: (8, True),
    16: (16, True),
    17: (32, True),
    18: (64, True),
    19: (64, True),
}
"""CXTypeKind of an integer type -> (bits, signed), on x86-64 Linux."""

FLOAT_TYPES: Final = {21: "<f", 22: "<d", 23: ""}
"""CXTypeKind of a floating type -> its ``struct`` layout, "" where Python has none."""

POINTER: Final = 101
REFERENCES: Final = frozenset({103, 104})
RECORD: Final = 105
ENUM: Final = 106
FUNCTION: Final = 111
