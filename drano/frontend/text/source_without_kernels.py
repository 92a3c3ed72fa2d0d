"""The part of a source that its launches can depend on: the text without the bodies of its kernels.

While somebody types in a kernel the rest stays the same, and so do the launches. They are kept
under the rest's text, with their lines counted there, and moved to their places in the new text.

Assumptions: a ``__global__`` function returns nothing and runs on the device only, so its body
means nothing to host code.
Limits: the text is not preprocessed: a body that holds a directive, a launch or another function's
specifier stays, as does one that does not end on a line of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from msgspec import Struct

from drano.frontend.text.cpp_lexer import LINE_END, LITERALS, Kind, blanked, tokens

_PART = re.compile(rb"\b__global__\b|[(){};]")
_REST_OF_LINE = re.compile(rb"[ \t]*(?://[^\r\n\\]*)?(?=[\r\n]|\Z)")
_FOREIGN = re.compile(rb"#|<<\s*<|cudaLaunch|\b__(?:global|host|device)__\b")


class HostPart(Struct, frozen=True):
    """``text``: the source with the bodies left out; ``places``, ``shifts``: after which of its
    lines (from 1, ascending) how many of the source's are missing, all that are before included.
    """

    text: bytes
    places: tuple[int, ...]
    shifts: tuple[int, ...]

    def source_line(self, line: int) -> int:
        """Where a line of ``text`` is in the source."""
        count = bisect_left(self.places, line)
        return line + (self.shifts[count - 1] if count else 0)

    def own_line(self, line: int) -> int:
        """Where a line of the source, in none of the bodies, is in ``text``."""
        count = 0
        while count < len(self.places) and self.places[count] + self.shifts[count] < line:
            count += 1
        return line - (self.shifts[count - 1] if count else 0)


def host_part(source: bytes) -> HostPart:
    r"""The source without its kernels' bodies.

    >>> part = host_part(b"__global__ void k() {\n  f();\n}\nint a;\n")
    >>> part.text, part.source_line(2), part.own_line(4)
    (b'__global__ void k() {}\nint a;\n', 4, 2)
    """
    kept: list[bytes] = []
    places: list[int] = []
    shifts: list[int] = []
    done = lines = missing = 0
    for start, end in kernel_bodies(source):
        if not _closed(source, start, end):
            continue
        kept.append(source[done:start])
        lines += len(LINE_END.findall(kept[-1]))
        missing += len(LINE_END.findall(source[start:end]))
        places.append(lines + 1)
        shifts.append(missing)
        done = end
    kept.append(source[done:])
    return HostPart(b"".join(kept), tuple(places), tuple(shifts))


def kernel_bodies(source: bytes) -> list[tuple[int, int]]:
    """Where the text between the braces of each kernel begins and ends, in order."""
    found: list[tuple[int, int]] = []
    head = False
    parentheses = braces = start = 0
    for match in _PART.finditer(blanked(source, LITERALS | {Kind.COMMENT})):
        token = match[0]
        if braces:
            braces += (token == b"{") - (token == b"}")
            if not braces:
                found.append((start, match.start()))
        elif token == b"__global__":
            head, parentheses = True, 0
        elif head and token in {b"(", b")"}:
            parentheses += 1 if token == b"(" else -1
        elif head and not parentheses and token in {b";", b"{", b"}"}:
            head = False
            braces, start = (1 if token == b"{" else 0), match.end()
    return found


def without_comments(text: bytes) -> bytes:
    r"""The text with a space for each comment, all on their lines, and nothing behind the last.

    Comments of directives stay.

    >>> without_comments(b"f(); // why\n/* a\n b */ g();\n\n// end\n")
    b'f();  \n \n g();'
    """
    kept: list[bytes] = []
    done = 0
    for token in tokens(text, {Kind.COMMENT, Kind.DIRECTIVE}):
        if token.kind is Kind.COMMENT:
            kept += (text[done : token.start], b" ", *LINE_END.findall(token.text))
            done = token.end
    return b"".join((*kept, text[done:])).rstrip()


def _closed(source: bytes, start: int, end: int) -> bool:
    """Whether a body may be left out: nothing foreign in it, nothing behind its brace."""
    if _REST_OF_LINE.match(source, end + 1) is None:
        return False
    return _FOREIGN.search(source, start, end) is None
