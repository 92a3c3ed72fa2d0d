"""Edits of source files: ranges of bytes, and what to put there.

Means: a ``Fix`` is one change of the program, in one file or several, that is made whole or not at
all. It is *safe* where the program's results are proved to stay the same; else ``unproved`` says
what is not, and it is made only when the user asks for such fixes.
Limits: edits of one fix do not overlap.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping

from msgspec import Struct


class Edit(Struct, frozen=True, order=True):
    """``text`` in the place of the bytes from ``start`` to ``end`` of the file at ``path``."""

    path: str
    start: int
    end: int
    text: bytes


class Copied(Struct, frozen=True, order=True):
    """A new line that does for ``turns`` turns of a loop at once what the line ``old`` does for
    each of the others; for a part of a turn, where that is less than 1. ``line``: of the text after
    the edits; both count from 1.
    """

    path: str
    line: int
    old: int
    turns: float = 1


class Relaid(Struct, frozen=True):
    """An array of structures of ``size`` bytes that is kept in groups of ``lanes``, by members.
    ``pointer``: the host's; ``members``: offset, bytes and number of elements of each.
    """

    pointer: str
    size: int
    lanes: int
    members: tuple[tuple[int, int, int], ...]


class Fix(Struct, frozen=True):
    """``edit``: its name in the catalogue; ``title``: what it does, for people; ``unproved``: what
    of its precondition is not proved, "" where all is; ``rounds``: results of floating-point sums
    may differ in their last bits, for the order of their terms does;
    ``unused``: the host's pointers to arrays that kernels write no more; ``copies``: lines that do
    what old ones do, which stay for what is left over; ``relaid``: arrays whose bytes have other
    places; ``merges``: loads of other lines become one with the finding's.
    """

    edit: str
    title: str
    edits: tuple[Edit, ...]
    unproved: str = ""
    rounds: bool = False
    unused: tuple[str, ...] = ()
    copies: tuple[Copied, ...] = ()
    moves: tuple[tuple[str, int, int], ...] = ()
    private: str = ""
    relaid: tuple[Relaid, ...] = ()
    merges: bool = False

    @property
    def safe(self) -> bool:
        """Whether it is proved to leave the results as they are."""
        return not self.unproved and not self.rounds

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it changes."""
        return tuple(dict.fromkeys(edit.path for edit in sorted(self.edits)))

    def applied(self, texts: Mapping[str, bytes]) -> dict[str, bytes]:
        """The texts of the changed files after it.

        >>> Fix("", "", (Edit("a", 1, 2, b"xy"),)).applied({"a": b"abc"})
        {'a': b'axyc'}
        """
        return {path: _applied(texts[path], self.of(path)) for path in self.paths}

    def of(self, path: str) -> tuple[Edit, ...]:
        """Its edits of one file, in the order of the text."""
        return tuple(sorted(edit for edit in self.edits if edit.path == path))


def _applied(text: bytes, edits: Iterable[Edit]) -> bytes:
    parts, done = [], 0
    for edit in edits:
        if edit.start < done or edit.end > len(text):
            raise ValueError(f"edits of {edit.path} overlap, or are not of this text")
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return b"".join([*parts, text[done:]])


def line_map(old: bytes, edits: Iterable[Edit]) -> tuple[int, ...]:
    r"""For each line of the text after the edits, the old line that it comes from; both from 1, the
    first is of line 1. A new line comes from the one that it was put at.

    >>> line_map(b"a\nb\nc\n", [Edit("", 2, 2, b"x\ny\n")])
    (1, 2, 2, 2, 3, 4)
    """
    lines, line, done = [1], 1, 0
    for edit in (*sorted(edits), Edit("", len(old), len(old), b"")):
        for _ in range(old.count(b"\n", done, edit.start)):
            line += 1
            lines.append(line)
        lines += [line] * edit.text.count(b"\n")
        line += old.count(b"\n", edit.start, edit.end)
        done = edit.end
    return tuple(lines)


def landed(old: bytes, edits: Iterable[Edit], edit: Edit, within: int = 0) -> int:
    r"""The line, from 1, of the text after the edits where the byte ``within`` one's text stands.

    >>> landed(b"a\nb\n", [Edit("", 0, 0, b"x\n"), last := Edit("", 2, 2, b"y\nz\n")], last, 2)
    4
    """
    before = [other for other in sorted(edits) if other < edit]
    lines = old.count(b"\n", 0, edit.start) + edit.text.count(b"\n", 0, within) + 1
    for other in before:
        lines += other.text.count(b"\n") - old.count(b"\n", other.start, other.end)
    return lines


def patch(before: Mapping[str, bytes], after: Mapping[str, bytes], root: str) -> str:
    """What has changed, as ``git apply`` and ``patch -p1`` take it; paths below ``root``."""
    parts: list[str] = []
    for path, text in after.items():
        name = os.path.relpath(path, root)
        old, new = (t.decode("utf-8", "surrogateescape") for t in (before[path], text))
        lines = difflib.unified_diff(
            _lines(old), _lines(new), f"a/{name}", f"b/{name}", lineterm="\n"
        )
        for line in lines:
            ended = line.endswith("\n")
            parts.append(line if ended else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _lines(text: str) -> list[str]:
    r"""Only ``\n`` ends a line for ``patch``."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
