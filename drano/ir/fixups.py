"""Repairs of spellings that nvcc accepts and clang does not; length and columns stay as they are.

nvcc reads ``kernel<< <grid, block>> >(…)`` as a launch. Here ``<< <`` becomes ``<<< `` and the
``>> >`` that closes it ``>>> ``. Comments, literals, ``operator<< <T>``, template arguments that
close no launch, and brackets that a line break splits stay. Assumption: no launch is spelled in a
macro's ``#`` or ``##`` operands.
"""

from __future__ import annotations

import re

_TOKENS = re.compile(
    rb"""
    (?P<skip> //[^\n]* | /\*.*?\*/
      | R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
      | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
      | \boperator\s*<<[ \t]*<?
      | <<< | >>> )
  | (?P<open> <<(?P<open_gap>[ \t]+)< (?![<=]) )
  | (?P<close> >>(?P<close_gap>[ \t]+)> (?=\s*\() )
    """,
    re.VERBOSE | re.DOTALL,
)


_MANAGED_MACRO = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+__managed__[ \t\r]*(?://.*|/\*.*)?$", re.MULTILINE
)
_BETWEEN = rb"(?:\s|\b(?:static|extern|volatile)\b|\b(?:__align__|alignas)\s*\([^()]*\))+"


def plain_managed(source: bytes) -> bytes:
    """``source`` with ``__device__ __managed__`` as ``__managed__`` alone, at the same columns: for
    the host such a variable is its own. ``__managed__`` may have another name by a macro.
    """
    if b"__managed__" not in source:
        return source
    names = b"|".join([b"__managed__", *_MANAGED_MACRO.findall(source)])
    blank = b" " * len("__device__")
    before = rb"\b__device__(" + _BETWEEN + rb"(?:" + names + rb")\b)"
    after = rb"\b((?:" + names + rb")\b" + _BETWEEN + rb")__device__\b"
    return re.sub(after, rb"\1" + blank, re.sub(before, blank + rb"\1", source))


def join_launch_brackets(source: bytes) -> bytes:
    """``source`` with split launch brackets joined; the same object when there are none.

    ``k<< <g, b>> >(x)`` becomes ``k<<< g, b>>> (x)``.
    """
    pieces: list[bytes] = []
    done = 0
    depth = 0
    for match in _TOKENS.finditer(source):
        if match["open"] is not None:
            depth += 1
            joined = b"<<<" + match["open_gap"]
        elif match["close"] is not None and depth > 0:
            depth -= 1
            joined = b">>>" + match["close_gap"]
        else:
            continue
        pieces += (source[done : match.start()], joined)
        done = match.end()
    return b"".join((*pieces, source[done:])) if pieces else source
