"""The tokens of PTX: text, kind and line of each, in three lists that are walked together.

Means: comments and white space are gone, a directive (``.reg``) is one token, and so is an opcode
or special register with its suffixes (``ld.global.f32``, ``%tid.x``).
Limits: ``MAX_TOKENS``; a byte that starts no token is an error with its line.
"""

from __future__ import annotations

import re
import time
from typing import Final

from drano.ptx.model import PtxError

MAX_TOKENS: Final = 10_000_000
_STEP: Final = 1 << 16

_TOKEN = re.compile(
    r"""
    (?P<skip>[ \t\r\f\v]+|//[^\n]*)
    |(?P<line>\n)
    |(?P<comment>/\*.*?\*/)
    |(?P<word>[%$_A-Za-z][\w$]*(?:(?:\.|::)[\w$]+)*)
    |(?P<dot>\.[A-Za-z_][\w$]*(?:::\w+)*)
    |(?P<float>0[fF][0-9a-fA-F]{8}(?![\w.])|0[dD][0-9a-fA-F]{16}(?![\w.])
        |[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?(?!\w)|[0-9]+[eE][-+]?[0-9]+(?!\w))
    |(?P<int>(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)U?(?![\w.]))
    |(?P<string>"[^"\n]*")
    |(?P<mark>@@?|[-+!~*/%<>=&|^?:;,(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)


class Tokens:
    """The tokens with a place among them; ``take`` and its like move it."""

    def __init__(self, text: str, deadline: float) -> None:
        """Raises PtxError; ``deadline`` is of ``time.monotonic``."""
        self.texts: list[str] = []
        self.kinds: list[str] = []
        self.lines: list[int] = []
        self.at = 0
        self._deadline = deadline
        self._read(text)

    def _read(self, text: str) -> None:
        place, line = 0, 1
        texts, kinds, lines = self.texts, self.kinds, self.lines
        match_at = _TOKEN.match
        size = len(text)
        while place < size:
            match = match_at(text, place)
            if match is None:
                raise PtxError(
                    line, f"no PTX: unexpected {text[place : place + 20].split(maxsplit=1)[0]!r}"
                )
            place = match.end()
            kind = match.lastgroup or ""
            if kind == "line":
                line += 1
            elif kind == "comment":
                line += match[0].count("\n")
            elif kind != "skip":
                texts.append(match[0])
                kinds.append(kind)
                lines.append(line)
                if not len(texts) % _STEP:
                    self.check_time(line)
                    if len(texts) > MAX_TOKENS:
                        raise PtxError(line, "too large: more than 10 million tokens")
        texts.append("")
        kinds.append("end")
        lines.append(line)

    def check_time(self, line: int) -> None:
        """Raises PtxError when the time is up."""
        if time.monotonic() > self._deadline:
            raise PtxError(line, "reading it takes longer than --timeout allows")

    # --- walking -----------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The token here; "" at the end."""
        return self.texts[self.at]

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.kinds[self.at]

    @property
    def line(self) -> int:
        """Its line."""
        return self.lines[self.at]

    def take(self) -> str:
        """The token here, stepped over."""
        text = self.texts[self.at]
        if self.kinds[self.at] != "end":
            self.at += 1
        return text

    def accept(self, text: str) -> bool:
        """Step over the token if it is ``text``."""
        if self.texts[self.at] != text:
            return False
        self.at += 1
        return True

    def expect(self, text: str) -> None:
        """Step over ``text``; PtxError if something else is here."""
        if not self.accept(text):
            raise self.unexpected(f"'{text}'")

    def word(self, what: str) -> str:
        """An identifier."""
        if self.kind != "word":
            raise self.unexpected(what)
        return self.take()

    def unexpected(self, wanted: str) -> PtxError:
        """What to raise where ``wanted`` is not."""
        found = f"'{self.text[:40]}'" if self.text else "the end of the file"
        return PtxError(self.line, f"no PTX: expected {wanted}, found {found}")
