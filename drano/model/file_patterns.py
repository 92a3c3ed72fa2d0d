"""Patterns of files as ``.gitignore`` has them, for ``exclude`` and ``per-file-ignores``.

``*.cu`` matches in every directory, ``src/*.cu`` below the root only, ``gen/`` all below ``gen``,
``**`` any number of directories, ``!`` takes back. Files outside of the root match nothing.

Patterns come with repositories of strangers, so none may take long: the first place where the text
between two wildcards fits is as good as any later one, and is not looked for again (an atomic
group). pathspec's expressions try them all: ``*a*a*a*a*ab`` took minutes for one name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath


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
    from drano.model.linear_patterns import compiled  # noqa: PLC0415 - pathspec

    return compiled(tuple(patterns)).match_file(inside.as_posix())


def matches_header(patterns: Sequence[str], root: str, path: str) -> bool:
    """``matches``, for headers, too, that lie outside of the root (``vendor/``, ``/opt/lib/*.h``).

    >>> matches_header(["cub/"], "/p", "/opt/include/cub/a.cuh")
    True
    """
    if PurePath(path).is_relative_to(root or "/"):
        return matches(patterns, root, path)
    return matches(patterns, "/", path)
