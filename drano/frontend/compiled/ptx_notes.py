"""What comments in compiled code say of its kernels: launches, parameters, the source's language.

    // drano: launch scale block=32,8 grid=64,64
    // drano: parameters scale x x.shape[0] n
    // drano: language numba

In PTX, that is; LLVM's comments begin with ``;``.

Means: a launch counts as one of host code; ``*`` for a name leaves the parameter its own. A kernel
is named by its symbol or, as in the source, by the plain name within it. What is not written so is
a comment like any other.
Limits: ``MAX_NOTES`` lines; a number that no launch can have makes none.
"""

from __future__ import annotations

import math
import re
from typing import Final

from msgspec import Struct

from drano.model.span import Span
from drano.model.symbols import plain_symbol
from drano.model.translation_unit import LaunchSite

MAX_NOTES: Final = 10_000
_NOTE = re.compile(
    r"^[ \t]*(?://|;)[ \t]*drano:[ \t]*(launch|parameters|language)[ \t]+([\w$.]+)([^\n]*)$",
    re.MULTILINE | re.ASCII,
)
_SHAPE = re.compile(r"\b(block|grid)=(\d{1,10}(?:,\d{1,10}){0,2})(?![\w,])", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+|\[\d+\])*|\*", re.ASCII)
_MOST_THREADS: Final = 1024
_MOST_BLOCKS: Final = (1 << 31) - 1

Dim = tuple[int | None, int | None, int | None]


class PtxNotes(Struct, frozen=True):
    """``launches``: of kernels by symbol or name; ``parameters``: their names by the same;
    ``language``: of the source, "" where it is not told.
    """

    launches: tuple[LaunchSite, ...] = ()
    parameters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    language: str = ""

    def names(self, symbol: str, count: int) -> tuple[str, ...] | None:
        """What the ``count`` parameters of a kernel are called; None where nothing is said."""
        for kernel, names in self.parameters:
            if kernel in (symbol, plain_symbol(symbol)) and len(names) == count:
                return names
        return None


def ptx_notes(text: str, path: str) -> PtxNotes:
    """The notes in the PTX of the file ``path``."""
    launches: list[LaunchSite] = []
    parameters: list[tuple[str, tuple[str, ...]]] = []
    language = ""
    if "drano:" not in text:
        return PtxNotes()
    for number, match in enumerate(_NOTE.finditer(text)):
        if number >= MAX_NOTES:
            break
        what, word, rest = match.groups()
        if what == "language":
            language = word
        elif what == "parameters" and all(map(_NAME.fullmatch, rest.split())):
            parameters.append((word, tuple(rest.split())))
        elif what == "launch":
            launches += _launch(word, rest, Span(path, text.count("\n", 0, match.start()) + 1, 1))
    return PtxNotes(tuple(launches), tuple(parameters), language)


def _launch(kernel: str, rest: str, place: Span) -> list[LaunchSite]:
    shapes = {kind: _dim(numbers) for kind, numbers in _SHAPE.findall(rest)}
    block, grid = shapes.get("block"), shapes.get("grid", (None, None, None))
    if block is None or not _possible(block, _MOST_THREADS) or not _possible(grid, _MOST_BLOCKS):
        return []
    if math.prod(size or 1 for size in block) > _MOST_THREADS:
        return []
    name = plain_symbol(kernel)
    return [LaunchSite(kernel, name, grid, block, (), place)]


def _dim(text: str) -> Dim:
    x, y, z = (*map(int, text.split(",")), 1, 1)[:3]
    return x, y, z


def _possible(shape: Dim, most: int) -> bool:
    return all(size is None or 0 < size <= most for size in shape)
