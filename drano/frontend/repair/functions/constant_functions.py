"""Functions that are ``constexpr`` in name only, as nvcc and g++ take members of templates.

Before C++23 a ``constexpr`` function has no variable whose type has no constant constructor. In a
template g++ and nvcc let it pass, and such a function is an ordinary one; clang refuses it, and
whoever calls it. Here it becomes one. What nvcc lets both sides call for its ``constexpr`` alone
says so then.
"""

from __future__ import annotations

import re

from drano.frontend.repair.text_edits import Edit
from drano.frontend.text.cpp_lexer import blank, statement_start

REFUSED = re.compile(
    r"variable of non-literal type '.*' cannot be defined in a constexpr (?:function|constructor)"
)
_WORD = re.compile(rb"\bconstexpr\b")
_BRACE = re.compile(rb"[{}]")
_CONDITION = re.compile(rb"\bif\s*\Z")
_SIDE = re.compile(rb"\b__(?:host|device)__\b")


def ordinary(code: bytes, place: int) -> Edit | None:
    """``__host__ constexpr int f() { T t; }`` without ``constexpr``; ``place`` is in its body.

    ``code`` has no braces in comments and literals.
    """
    opened: list[int] = []
    for brace in _BRACE.finditer(code, 0, place):
        if brace[0] == b"{":
            opened.append(brace.start())
        elif opened:
            opened.pop()
    for brace_at in reversed(opened):
        start = statement_start(code, brace_at)
        header = code[start:brace_at]
        for word in _WORD.finditer(header):
            if _CONDITION.search(header, 0, word.start()) is None:
                return _edit(header, start, word)
    return None


def _edit(header: bytes, start: int, word: re.Match[bytes]) -> Edit:
    of_lambda = b"(" not in header[word.end() :]
    said = of_lambda or _SIDE.search(header) is not None
    text = blank(word[0]) if said else b"__host__ __device__"
    return Edit(start + word.start(), start + word.end(), text)
