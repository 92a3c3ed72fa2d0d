"""Whether a kernel may be in what clang skips after an error that is in no declaration.

After an error at the top level clang goes on behind the next semicolon or the next body. What it
skips is told from the text: a declaration that says ``__global__``, and what may be an unknown
macro, ``KERNEL(name) {…}`` or ``MAKE_KERNELS(float);``, may be a kernel; ``using T = missing::T;``
and what is given a string, ``TEST_CASE("name") {…}``, are none. Errors of braces and of conditional
directives may hide the rest of the file.

Limits: an unknown macro among others in one declaration is only seen by a name that tells.
"""

from __future__ import annotations

import re

from drano.frontend.text.source_without_kernels import without_comments

_UNBALANCED = re.compile(r"brace|'\}'|\bunterminated\b|conditional|end of file")
_ENDS = re.compile(rb"[;{}]")
_CALL_ALONE = re.compile(rb"\s*\w+\s*\(.*\)\s*\Z", re.DOTALL)
_CAPITALS = re.compile(rb"\b[A-Z][A-Z0-9_]*(?:KERNEL|GLOBAL)[A-Z0-9_]*\b")


def may_hide_kernel(text: bytes, line: int, message: str) -> bool:
    r"""``text``: of the file; ``line``: of the error, from 1.

    >>> may_hide_kernel(b"DEFINE_int32(k, 3, \"\");\n", 1, "expected ')'")
    False
    >>> may_hide_kernel(b"MAKE_KERNELS(float);\n", 1, "expected ')'")
    True
    >>> may_hide_kernel(b"KERNEL(k, float *a) {\n", 1, "expected ')'")
    True
    """
    if _UNBALANCED.search(message):
        return True
    lines = without_comments(text).split(b"\n")
    if not 0 < line <= len(lines):
        return True
    if lines[line - 1].lstrip().startswith(b"#"):
        return True
    first = line - 1
    while first > 0 and not _ends_a_statement(lines[first - 1]):
        first -= 1
    before = b"\n".join(lines[first : line - 1])
    after = b"\n".join(lines[line - 1 :])
    end = _ENDS.search(after)
    head = before + b"\n" + (after if end is None else after[: end.start()])
    if b"__global__" in head or _CAPITALS.search(head):
        return True
    return end is None or (_CALL_ALONE.match(head) is not None and b'"' not in head)


def _ends_a_statement(line: bytes) -> bool:
    line = line.strip()
    return line.endswith((b";", b"}", b"{")) or line.startswith(b"#")
