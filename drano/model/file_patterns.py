"""Patterns of files as ``.gitignore`` has them, for ``exclude`` and ``per-file-ignores``.

``*.cu`` matches in every directory, ``src/*.cu`` below the root only, ``gen/`` all below ``gen``,
``**`` any number of directories, ``!`` takes back. Files outside of the root match nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import PurePath

from pathspec import GitIgnoreSpec


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
    return GitIgnoreSpec.from_lines(patterns)
