"""What ``#error`` says of the macros that a unit is compiled with.

``#else``, ``#error "define one of USE_CUDA and USE_CPU"``: one of the macros that the branches
before it ask for is lacking. ``#if defined(USE_CUDA) && defined(USE_HIP)``, ``#error``: these are
at odds.
Limits: the innermost condition counts, and of that which macros are (not) defined.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from drano.frontend.headers.other_platforms import is_of_another_platform

_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif|error)\b((?:[^\r\n\\]|\\\r?\n?)*)",
    re.MULTILINE,
)
_COMPARED: Final = re.compile(rb"\b\w+ ?(?:[<>]|[!=]=)|(?:[<>]|[!=]=) ?\w+")
_NEGATED: Final = re.compile(rb"! ?(?:defined\b)? ?\(? ?([A-Za-z_]\w*)")
_NOT_ALL: Final = re.compile(rb"! ?\(([^()]*(?:\([^()]*\)[^()]*)*)\)\Z")
_MACRO: Final = re.compile(rb"\b(?!defined\b|__)[A-Za-z_]\w*\b")
OURS: Final = re.compile(rb"CUDA|NVCC|NVIDIA")
"""What macros are named after that code for NVIDIA's GPUs is under."""
_LONGEST: Final = 4096
_MOST_PLACES: Final = 16


class Asked(Struct, frozen=True):
    """``lacking``: macros of which one is to be defined, each with those that go with it;
    ``at_odds``: those that are defined, and not to be, or not all; ``branches``: how many of
    ``lacking``, the first ones, have code of their own.
    """

    lacking: tuple[frozenset[bytes], ...] = ()
    at_odds: frozenset[bytes] = frozenset()
    branches: int = 0

    def first_branch(self) -> frozenset[bytes]:
        """The fewest macros for code: CUDA's, or the first; none of another platform's."""
        usable = [
            way
            for way in self.lacking[: self.branches]
            if not any(is_of_another_platform(os.fsdecode(name)) for name in way)
        ]
        ours = [way for way in usable if any(map(OURS.search, way))]
        return min(ours or usable, key=len, default=frozenset())


class _Condition(Struct, frozen=True):
    """Macros that are defined where it holds, in one of these ways; and where it does not."""

    holds: tuple[frozenset[bytes], ...] = ()
    fails: tuple[frozenset[bytes], ...] = ()


def asked_by(places: Iterable[tuple[str, int]], read: Callable[[str], bytes]) -> list[Asked]:
    """What the ``#error``s among the places, files and lines, say; ``read``: a file's text."""
    found = []
    for path, line in list(dict.fromkeys(places))[:_MOST_PLACES]:
        asked = asked_at(read(path), line) if line else Asked()
        if asked != Asked():
            found.append(asked)
    return found


def asked_at(text: bytes, line: int) -> Asked:
    """What the ``#error`` in a line, from 1, says; nothing where there is none, or no condition."""
    if b"error" not in text:
        return Asked()
    above: list[list[_Condition]] = []
    at, number = 0, 1
    for directive in _DIRECTIVE.finditer(text):
        number += text.count(b"\n", at, directive.start())
        at = directive.start()
        word = directive[1]
        if number > line:
            break
        if word == b"error":
            if number == line:
                return _of_group(above[-1]) if above else Asked()
        elif word == b"endif":
            above = above[:-1]
        elif word in {b"elif", b"else"}:
            if above:
                above[-1].append(_condition(word, directive[2]))
        else:
            above.append([_condition(word, directive[2])])
    return Asked()


def _condition(word: bytes, rest: bytes) -> _Condition:
    rest = rest.partition(b"//")[0].partition(b"/*")[0]
    plain = b" ".join(rest.replace(b"\\", b" ").split())
    if len(plain) > _LONGEST:
        return _Condition()
    if word == b"ifndef":
        return _Condition(fails=_ways(plain))
    whole = _NOT_ALL.match(plain)
    if whole is not None:
        return _Condition(fails=_ways(whole[1]))
    plain = _COMPARED.sub(b"", plain)
    negated = tuple(frozenset({name}) for name in dict.fromkeys(_NEGATED.findall(plain)))
    return _Condition(_ways(_NEGATED.sub(b"", plain)), negated)


def _ways(condition: bytes) -> tuple[frozenset[bytes], ...]:
    """What is defined by each alternative of a condition that asks for macros."""
    found = (frozenset(_MACRO.findall(_COMPARED.sub(b"", way))) for way in condition.split(b"||"))
    return tuple(way for way in found if way)


def _of_group(branches: list[_Condition]) -> Asked:
    own = branches[-1]
    lacking = [way for branch in branches[:-1] for way in branch.holds]
    at_odds = own.holds[0] if len(own.holds) == 1 else frozenset[bytes]()
    return Asked((*lacking, *own.fails), at_odds, len(lacking))
