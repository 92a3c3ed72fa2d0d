"""Functions that are defined as a namespace's, ``lib::f(…) {…}``, and not declared there so: nvcc
takes them for declared. They are written into the namespace, on the lines where they are.
"""

from __future__ import annotations

import re
from typing import Final

from drano.frontend.repair.text_edits import Edit
from drano.frontend.text.cpp_lexer import blank, closing, statement_start

REFUSED: Final = re.compile(
    r"out-of-line definition of '\w+' does not match any declaration in namespace '([\w:]+)'\Z"
)
_QUALIFIER: Final = re.compile(rb"(?:\w+\s*::\s*)+\Z")
_LONGEST: Final = 256
_NAME: Final = re.compile(rb"\w+\s*(?=\()")
_BODY: Final = re.compile(rb"[^;{}]*(?=\{)")


def in_namespace(code: bytes, place: int, namespace: str) -> list[Edit]:
    """The edits for the function whose name is at ``place``; none where it is not at the top."""
    start = statement_start(code, place)
    qualifier = _QUALIFIER.search(code, max(start, place - _LONGEST), place)
    name = _NAME.match(code, place)
    if qualifier is None or name is None or _depth(code[:start]):
        return []
    if b"".join(qualifier[0].split()) != namespace.encode() + b"::":
        return []
    behind = closing(code, name.end())
    body = None if behind is None else _BODY.match(code, behind)
    end = None if body is None else closing(code, body.end())
    if end is None:
        return []
    words = code[start:place].split()
    first = start + code[start:place].index(words[0])
    parts = namespace.encode().split(b"::")
    opening = b"".join(b"namespace " + part + b" { " for part in parts)
    return [
        Edit(first, first, opening),
        Edit(qualifier.start(), qualifier.end(), blank(qualifier[0])),
        Edit(end, end, b" " + b"}" * len(parts)),
    ]


def _depth(code: bytes) -> int:
    return code.count(b"{") - code.count(b"}")
