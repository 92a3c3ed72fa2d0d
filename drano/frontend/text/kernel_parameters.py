"""The names of a kernel's parameters, read from the text of its source.

PTX has numbers for them. Means: of the definitions of that name, the nearest one to the line that
the compiler gives, if it has as many parameters. Limits: text, not the preprocessor: a macro that
hides a definition hides its names, too.
"""

from __future__ import annotations

import re

from drano.frontend.text.cpp_lexer import Kind, blanked

_NAME = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*\Z", re.ASCII)
_LONGEST = 10_000
_FARTHEST = 30
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}


def parameter_names(text: bytes, kernel: str, line: int, count: int) -> tuple[str, ...] | None:
    """What the ``count`` parameters of the ``kernel`` near ``line`` are called; None: not told.

    >>> parameter_names(b"__global__ void k(const float *a, S<int, 2> s, int n[]) {", "k", 1, 3)
    ('a', 's', 'n')
    """
    code = blanked(text, {Kind.COMMENT}).decode("latin-1")
    best: tuple[int, tuple[str, ...]] | None = None
    for match in re.finditer(rf"\b{re.escape(kernel)}\s*\(", code):
        names = _names(_inside(code, match.end()))
        apart = abs(code.count("\n", 0, match.start()) + 1 - line)
        if names is None or len(names) != count or apart > _FARTHEST:
            continue
        if best is None or apart < best[0]:
            best = (apart, names)
    return None if best is None else best[1]


def _inside(code: str, start: int) -> str:
    """What is between a parenthesis and the one that closes it."""
    depth = 1
    for place in range(start, min(len(code), start + _LONGEST)):
        depth += (code[place] == "(") - (code[place] == ")")
        if not depth:
            return code[start:place]
    return ""


def _names(parameters: str) -> tuple[str, ...] | None:
    """The last word of each, before any default; None where one has none, or two are the same."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(parameters):
        depth += (char in _PAIRS) - (char in _PAIRS.values())
        if char == "," and depth == 0:
            parts.append(parameters[start:place])
            start = place + 1
    parts.append(parameters[start:])
    found = [_NAME.search(part.partition("=")[0].strip()) for part in parts]
    names = tuple(match[1] for match in found if match)
    return names if len(names) == len(parts) == len(set(names)) else None
