"""Source lines for reports: reading them, and finding what a column means in them.

A compiler's columns are 1-based *bytes* of a UTF-8 line; a terminal's are cells, of which a tab
takes up to four here and a wide character two. Source is untrusted: control characters are shown
as pictures (``␛``), so that no file can drive the reader's terminal.

Assumption: files have not changed since they were compiled; where a line is gone, "" is given.
"""

from __future__ import annotations

import os
from functools import lru_cache

from msgspec import Struct, field
from rich.cells import cell_len

from drano.model.source_files import SourceFiles
from drano.support.regular_files import read_regular

TAB_STOP = 4
MAX_FILE_BYTES = 64 << 20
_MAX_CELLS = 160


class Excerpt(Struct, frozen=True):
    """One line ready to print, and the cells to underline: ``width`` cells from ``start``."""

    text: str
    start: int
    width: int


class Sources(Struct):
    """Lines of source files, each file read once. ``overlay``: text of unsaved files; ``among``:
    files that may be read.
    """

    overlay: dict[str, str] = field(default_factory=dict)
    among: SourceFiles = SourceFiles()
    _lines: dict[str, list[bytes]] = field(default_factory=dict)

    def line(self, path: str, number: int) -> bytes:
        """Line ``number`` (1-based) without its end, or b"" when there is none."""
        lines = self._of(path)
        return lines[number - 1].rstrip(b"\r") if 0 < number <= len(lines) else b""

    def length(self, path: str) -> int:
        """How many lines there are; what follows the last line's end is none."""
        lines = self._of(path)
        return len(lines) - (not lines[-1]) if lines else 0

    def content(self, path: str) -> bytes:
        """The whole file, b"" when it cannot be read."""
        return b"\n".join(self._of(path))

    def _of(self, path: str) -> list[bytes]:
        lines = self._lines.get(path)
        if lines is None:
            lines = self._lines[path] = self._read(path)
        return lines

    def _read(self, path: str) -> list[bytes]:
        if path in self.overlay:
            return self.overlay[path].encode("utf-8", "surrogateescape").split(b"\n")
        if path not in self.among:
            return []
        try:
            return read_regular(path, MAX_FILE_BYTES).split(b"\n")
        except (OSError, ValueError):
            return []

    def excerpt(self, path: str, number: int, column: int, end_column: int = 0) -> Excerpt | None:
        """The line as printed and where its expression at ``column`` lies; None without a line."""
        raw = self.line(path, number)
        if not raw.strip():
            return None
        begin = max(column, 1) - 1
        end = end_column - 1 if end_column > column else begin + extent(raw[begin:])
        if column < 1 or begin >= len(raw):
            begin, end = len(raw) - len(raw.lstrip()), len(raw.rstrip())
        head, body, tail = (_decode(part) for part in (raw[:begin], raw[begin:end], raw[end:]))
        start_text = printable(head)
        body_text = printable(body, cell_len(start_text))
        tail_text = printable(tail, cell_len(start_text + body_text))
        return _shorten(start_text, body_text, tail_text.rstrip())


def _shorten(head: str, body: str, tail: str) -> Excerpt:
    """Drop indentation; cut a line of generated code to a window around its expression."""
    indent = len(head) - len(head.lstrip(" ")) if head.strip() else len(head)
    head = head[indent:]
    if cell_len(head) > _MAX_CELLS // 2:
        head = "…" + head[-(_MAX_CELLS // 2) :]
    if len(body) > _MAX_CELLS:
        body = body[:_MAX_CELLS]
        tail = "…"
    room = max(_MAX_CELLS - cell_len(head) - cell_len(body), 8)
    if cell_len(tail) > room:
        tail = tail[:room] + "…"
    return Excerpt(head + body + tail, cell_len(head), max(cell_len(body), 1))


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def printable(text: str, column: int = 0) -> str:
    r"""``text`` with tabs expanded (it starts at cell ``column``), control characters shown, and
    what is no text (bytes of a file name that are not UTF-8) replaced.

    >>> printable("a\tb\x1b[31m")
    'a   b␛[31m'
    """
    if text.isascii() and text.isprintable():
        return text
    out: list[str] = []
    for char in text:
        if char == "\t":
            shown = " " * (TAB_STOP - column % TAB_STOP)
        elif ord(char) < 0x20:
            shown = chr(0x2400 + ord(char))
        elif 0x7F <= ord(char) < 0xA0 or 0xD800 <= ord(char) < 0xE000 or char in _DIRECTION_MARKS:
            shown = "�"
        else:
            shown = char
        out.append(shown)
        column += cell_len(shown)
    return "".join(out)


# Characters that reorder what is displayed ("Trojan Source", CVE-2021-42574), and line separators.
_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")


def extent(rest: bytes) -> int:
    """Bytes of the expression that ``rest`` starts with: a name with its subscripts and fields,
    or an operator; at least 1.

    >>> extent(b"in[y * w + x];"), extent(b"p[i].x + 1"), extent(b"+= 2"), extent(b"f(a, b);")
    (13, 6, 2, 1)
    """
    position = _name(rest, 0)
    if position == 0:
        return max(1, next((len(op) for op in _OPERATORS if rest.startswith(op)), 1))
    while position < len(rest):
        if rest[position : position + 1] == b"[":
            close = _closing(rest, position)
            if close == 0:
                break
            position = close
            continue
        skip = 2 if rest.startswith(b"->", position) else 1 if rest[position] == ord(".") else 0
        field_end = _name(rest, position + skip) if skip else position
        if field_end == position + skip:
            break
        position = field_end
    return position


_OPERATORS = tuple(
    sorted((b"<<=", b">>=", *(o + b"=" for o in (b"+", b"-", b"*", b"/", b"%", b"&", b"|", b"^")),
            b"++", b"--", b"->", b"="), key=len, reverse=True)
)  # fmt: skip


def _name(text: bytes, position: int) -> int:
    """End of the identifier at ``position``, or ``position`` when there is none."""
    end = position
    while end < len(text) and (text[end] >= 0x80 or chr(text[end]).isalnum() or text[end] == 0x5F):
        end += 1
    return end


def _closing(text: bytes, position: int) -> int:
    """Just behind the bracket that closes the one at ``position``; 0 when the line ends first."""
    depth = 0
    for index in range(position, len(text)):
        if text[index] in b"[(":
            depth += 1
        elif text[index] in b"])":
            depth -= 1
            if depth == 0:
                return index + 1
    return 0


def shown_path(path: str) -> str:
    """``path`` as reports print it: relative to the working directory when below it, with "/"."""
    try:
        return _shown(path, os.getcwd())
    except (ValueError, OSError):  # another drive; the working directory was removed
        return path


@lru_cache(maxsize=4096)
def _shown(path: str, start: str) -> str:
    relative = os.path.relpath(path, start)
    shown = path if relative.split(os.sep, 1)[0] == os.pardir else relative
    return shown.replace(os.sep, "/")
