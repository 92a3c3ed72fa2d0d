"""Names by which code calls integers of one size: ``int32``, ``uint64``, ``u8``, ``uchar``.

Libraries and projects declare them in a header. Where that is missing, a unit that misses a name is
compiled again with the integer that the name says.

Assumption: who calls a type so means that size; long integers are those of 64-bit Linux.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

_HEADER: Final = Path(__file__).parents[1] / "prelude" / "later" / "integer_names.h"
_SIZED: Final = r"u?int(?:8|16|32|64)"
_MISSED: Final = re.compile(
    rf"unknown type name '({_SIZED}|[usi](?:8|16|32|64)|u(?:char|short|int|long))'"
    rf"|no member named '({_SIZED})' in the global namespace"
    rf"|use of undeclared identifier '({_SIZED})'"
)


def missed(messages: Iterable[str]) -> tuple[str, ...]:
    """The names that clang says are not there."""
    found = (match for message in messages for match in _MISSED.finditer(message))
    return tuple(sorted({match[1] or match[2] or match[3] for match in found}))


def flags(names: Sequence[str]) -> tuple[str, ...]:
    """A compiler's flags that declare them."""
    if not names:
        return ()
    return (*(f"-DDRANO_MISSES_{name}" for name in names), "-include", str(_HEADER))
