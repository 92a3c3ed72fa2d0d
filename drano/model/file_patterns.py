"""Patterns of files as ``.gitignore`` has them, for ``exclude`` and ``per-file-ignores``.

``*.cu`` matches in every directory, ``src/*.cu`` below the root only, ``gen/`` all below ``gen``,
``**`` any number of directories, ``!`` takes back. Files outside of the root match nothing.

Patterns come with repositories of strangers, so none may take long: the first place where the text
between two wildcards fits is as good as any later one, and is not looked for again (an atomic
group). pathspec's expressions try them all: ``*a*a*a*a*ab`` took minutes for one name.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import AnyStr, Final

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_LEADING: Final = "^(?:.+/)?"
_INNER: Final = "(?:/.+)?"
_STAR: Final = "[^/]*"
_CLASS: Final = re.compile(r"\[(?:\\.|[^\]])*\]")


def matches(patterns: Sequence[str], root: str, path: str) -> bool:
    """Whether ``path`` (absolute) is one of ``patterns``, which are relative to ``root``.

    >>> matches(["old/"], "/p", "/p/src/old/a.cu"), matches(["/a.cu"], "/p", "/p/src/a.cu")
    (True, False)
    """
    if not patterns:
        return False
    try:
        inside = PurePath(path).relative_to(root or "/")
    except ValueError:
        return False
    return _compiled(tuple(patterns)).match_file(inside.as_posix())


def matches_header(patterns: Sequence[str], root: str, path: str) -> bool:
    """``matches``, for headers, too, that lie outside of the root (``vendor/``, ``/opt/lib/*.h``).

    >>> matches_header(["cub/"], "/p", "/opt/include/cub/a.cuh")
    True
    """
    if PurePath(path).is_relative_to(root or "/"):
        return matches(patterns, root, path)
    return matches(patterns, "/", path)


@functools.lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> GitIgnoreSpec:
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
