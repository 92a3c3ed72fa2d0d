"""Text that a preprocessor surely leaves out: branches for other systems and other vendors.

Means: a condition is false, true, or not known. It is known where it asks for macros that nobody
has defined so far (``#ifdef USE_HIP``) or that every compilation of CUDA defines (``__cplusplus``,
``__host__``).
Assumption: macros that neither the project nor the command line defines, and whose names are not
reserved or of NVIDIA's, are not defined. Some reserved names are known to be others' (``_WIN32``).
Limits: of expressions only ``defined``, ``!``, ``&&``, ``||``, 0 and 1 are read; all others may
hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import Final

from msgspec import Struct, field

_DEFINED: Final = re.compile(
    r"__cplusplus|__CUDACC__|__linux__|__clang__|__has_\w+"
    r"|__(?:host|device|global|shared|constant)__"
)
_FOREIGN: Final = re.compile(
    r"_WIN32|_WIN64|_MSC_VER|__APPLE__|__HIP\w*|__MUSA\w*|__SYCL\w*|__INTEL_COMPILER|__NVCOMPILER"
)
_OTHERS: Final = re.compile(
    r"_\w*|(?:CUDA|CUDART|CU|NV|NVCC|CUB|THRUST|CCCL|CG|NDEBUG|linux|unix)\w*"
)
_ASKED: Final = re.compile(r"(!?)\s*defined\s*(?:\(\s*(\w+)\s*\)|\b(\w+))")
_CONDITION: Final = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b((?:[^\n\\]|\\\r?\n|\\.)*)", re.M | re.S
)


class Condition(Struct, frozen=True):
    """A directive that begins, changes or ends a branch, at ``start``."""

    word: str
    expression: str
    start: int


def conditions(text: bytes) -> Iterator[Condition]:
    """The conditional directives of a text, in order."""
    for match in _CONDITION.finditer(text):
        expression = match[2].decode("utf-8", "replace").partition("//")[0].replace("\\\n", " ")
        yield Condition(match[1].decode(), re.sub(r"/\*.*?\*/", " ", expression), match.start())


class Branches(Struct):
    """Which branches are open in a text. Mutated by ``follow``.

    For each: whether it is surely left out, and whether one before it is surely taken;
    ``count``: how many are left out.
    """

    out: list[bool] = field(default_factory=list)
    taken: list[bool] = field(default_factory=list)
    count: int = 0

    @property
    def left_out(self) -> bool:
        """Whether what comes next is surely left out."""
        return self.count > 0

    def follow(self, condition: Condition, defined: Set[str]) -> None:
        """Go past a directive; ``defined``: macros that may be defined by now."""
        if condition.word.startswith("if"):
            self._open(_holds(condition, defined), taken=False)
        elif self.out:
            taken = self.taken.pop()
            self.count -= self.out.pop()
            if condition.word != "endif":
                self._open(condition.word == "else" or _holds(condition, defined), taken=taken)

    def _open(self, holds: bool | None, *, taken: bool) -> None:
        self.out.append(taken or holds is False)
        self.taken.append(taken or holds is True)
        self.count += self.out[-1]


def _holds(condition: Condition, defined: Set[str]) -> bool | None:
    """Whether a condition holds; None where that is not known."""
    text = condition.expression.strip()
    if condition.word in {"ifdef", "ifndef"}:
        known = _is_defined(text.split()[0], defined) if text else None
        return known if condition.word == "ifdef" or known is None else not known
    return _any(_all(_term(t, defined) for t in part.split("&&")) for part in text.split("||"))


def _term(text: str, defined: Set[str]) -> bool | None:
    text = text.strip()
    if text in {"0", "1"}:
        return text == "1"
    asked = _ASKED.fullmatch(text)
    known = None if asked is None else _is_defined(asked[2] or asked[3], defined)
    return known if asked is None or known is None else known is not bool(asked[1])


def _is_defined(name: str, defined: Set[str]) -> bool | None:
    if _DEFINED.fullmatch(name):
        return True
    if name in defined or (_OTHERS.fullmatch(name) and not _FOREIGN.fullmatch(name)):
        return None
    return False


def _any(known: Iterator[bool | None]) -> bool | None:
    values = set(known)
    return True if True in values else None if None in values else False


def _all(known: Iterator[bool | None]) -> bool | None:
    values = set(known)
    return False if False in values else None if None in values else True
