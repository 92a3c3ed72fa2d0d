"""Expressions of gitignore patterns that do not go back over wildcards.

A module of its own, as pathspec takes 12 ms to load and most runs have no patterns.
"""

from __future__ import annotations

import functools
import re
from typing import AnyStr, Final

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_LEADING: Final = "^(?:.+/)?"
_INNER: Final = "(?:/.+)?"
_STAR: Final = "[^/]*"
_CLASS: Final = re.compile(r"\[(?:\\.|[^\]])*\]")


@functools.lru_cache(maxsize=256)
def compiled(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """What matches paths, relative to the root of ``patterns``."""
    return GitIgnoreSpec.from_lines(patterns, _Linear, backend="simple")


class _Linear(GitIgnoreSpecPattern):
    """A pattern whose expression does not go back."""

    @classmethod
    def pattern_to_regex(cls, pattern: AnyStr) -> tuple[AnyStr | None, bool | None]:
        """See the base."""
        regex, include = super().pattern_to_regex(pattern)
        if isinstance(regex, str):
            regex = _linear(regex)
        return regex, include


def _linear(regex: str) -> str:
    """An expression of pathspec's that means the same without going back over wildcards.

    >>> _linear("^(?:.+/)?[^/]*a[^/]*b(?:/|$)")
    '^(?:.+/)?(?>[^/]*?a)[^/]*b(?:/|$)'
    """
    head, leading, rest = regex.partition(_LEADING)
    if not leading:
        head, rest = "", regex
    *inner, last = rest.split(_INNER)
    parts = [head]
    for number, block in enumerate(inner):
        if number == 0 and not leading:
            parts.append(_without_going_back(block))
        else:
            lazy = r"^(?>(?:.+?/)??" if number == 0 else r"(?>(?:/.+?)??"
            parts.append(f"{lazy}{_without_going_back(block)}(?=/))")
    opening = _INNER if inner else leading
    return "".join([*parts, opening, _without_going_back(last)])


def _without_going_back(block: str) -> str:
    """Directories of an expression, each with its ``*`` but for the last one atomic."""
    pieces = block.split(_STAR)
    parts = [pieces[0]]
    for number, piece in enumerate(pieces[1:], 2):
        inside = number < len(pieces) and "/" not in _CLASS.sub("", piece)
        parts.append(f"(?>[^/]*?{piece})" if inside else f"{_STAR}{piece}")
    return "".join(parts)
