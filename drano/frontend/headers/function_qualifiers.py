"""Macros by which libraries say what a function is: ``HOSTDEVICEQUALIFIER``, ``XGBOOST_DEVICE``.

Where the header that defines them is missing, a unit that misses one is compiled again with what
the name says. A function that is the device's, or just inline, may be the host's, too: such macros
are, as often as not, and clang does not mind.

Assumption: a name in capitals whose last words are these is no type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_MISSED: Final = re.compile(r"unknown type name '(_{0,2}[A-Z][A-Z0-9_]{0,60})'")
_WHERE: Final = r"HOST_?DEVICE|HOST_?DEV|DEVICE|DEV|HOST|CALLABLE|HD|GLOBAL|KERNEL|GPU"
_WHAT: Final = (
    r"(?:FORCE_?|ALWAYS_?)?INLINE|QUALIFIERS?|FUNC(?:TION)?|FN|MEMBER|ONLY|API|EXPORTS?|NOINLINE"
)
_QUALIFIER: Final = re.compile(
    rf"(?:|.*?_|(?=(?:{_WHERE}|{_WHAT})+_*$))((?:_*(?:{_WHERE}|{_WHAT}))+)_*"
)
_KERNEL: Final = re.compile(r"GLOBAL|KERNEL")
_DEVICE: Final = re.compile(r"DEV|CALLABLE|GPU|HD(?:_|$)")
_EITHER: Final = re.compile(r"INLINE|FUNC|FN|MEMBER")


def missed(messages: Iterable[str]) -> tuple[str, ...]:
    """Of the names that clang says are no types those that are qualifiers, as ``NAME=meaning``."""
    names = dict.fromkeys(name for message in messages for name in _MISSED.findall(message))
    found = ((name, _QUALIFIER.fullmatch(name)) for name in names)
    return tuple(f"{name}={_meaning(match[1])}" for name, match in found if match is not None)


def _meaning(words: str) -> str:
    if _KERNEL.search(words):
        return "__global__"
    if _DEVICE.search(words) or ("HOST" not in words and _EITHER.search(words)):
        return "__host__ __device__"
    return "__host__" if "HOST" in words else ""
