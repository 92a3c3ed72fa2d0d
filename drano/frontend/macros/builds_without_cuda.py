"""Headers that stand in for CUDA's in builds without it, and the macros that keep them out.

``#ifndef WITH_CUDA``, ``#include "fake_cuda.h"``, ``#endif``, where that header defines
``__global__`` as nothing: with it kernels are functions, and a unit has none. Whoever compiles
kernels defines the macro.
Limits: only conditions whether one macro is defined are followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

_WORDLESS = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+__global__[ \t]*(?://[^\r\n]*)?\r?$", re.M)
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?P<word>ifdef|ifndef|if|elif|else|endif)\b(?P<rest>[^\r\n]*)", re.M
)
_ASKED = re.compile(rb"\s*(?P<not>!?)\s*(?:defined\b)?\s*\(?\s*(?P<name>[A-Za-z_]\w*)\s*\)?\s*\Z")


def macros_against(contents: Mapping[str, bytes]) -> list[bytes]:
    """Macros that, if defined, keep such headers out of a unit with these files."""
    fakes = [path for path, text in contents.items() if _WORDLESS.search(text) is not None]
    if not fakes:
        return []
    names = b"|".join(re.escape(os.fsencode(os.path.basename(path))) for path in fakes)
    wanted = re.compile(rb"#[ \t]*include[ \t]*[\"<](?:[^\">\r\n]*/)?(?:" + names + rb")[\">]")
    found = (
        macro
        for text in contents.values()
        for pattern in (wanted, _WORDLESS)
        for macro in _kept_out_by(text, pattern)
    )
    return list(dict.fromkeys(found))


def _kept_out_by(text: bytes, wanted: re.Pattern[bytes]) -> Iterator[bytes]:
    """Macros that are not defined where something wanted is seen."""
    asked: list[tuple[bytes, bool]] = []  # of each branch, a macro and whether it is defined there
    at = 0
    for directive in _DIRECTIVE.finditer(text):
        if any(name for name, _ in asked) and wanted.search(text, at, directive.start()):
            yield from (name for name, defined in asked if name and not defined)
        at = directive.end()
        word = directive["word"]
        if word == b"endif":
            asked = asked[:-1]
        elif word == b"else":
            asked = [*asked[:-1], *((name, not defined) for name, defined in asked[-1:])]
        elif word == b"elif":
            asked = [*asked[:-1], (b"", False)]
        else:
            asked.append(_of_condition(word, directive["rest"]))


def _of_condition(word: bytes, rest: bytes) -> tuple[bytes, bool]:
    rest = rest.partition(b"//")[0].partition(b"/*")[0]
    one = _ASKED.match(rest)
    if one is None:
        return b"", False
    return one["name"], (word != b"ifndef") != bool(one["not"])
