"""The files that a unit was read from, and those that it lacked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from drano.frontend.clang_messages import parse_dependencies
from drano.frontend.headers import stand_ins
from drano.frontend.headers.configured_headers import made_of
from drano.frontend.headers.project_headers import places_of
from drano.frontend.macros.build_macros import defined_in
from drano.frontend.text.cpp_lexer import includes
from drano.model.report import Found, MissingHeader


def files_of(
    path: str, directory: Path, used: Path | None, forced: Sequence[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The file and what it includes, without what we made, and headers that are missing: they alone
    have no absolute path. ``used``: the preamble, included; ``forced``: files that are included
    first, looked for in the working directory.
    """
    block = None if used is None else str(used.with_suffix(".h"))
    below = f"{directory}{os.sep}"
    try:
        text = (directory / "unit.d").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return (path,), ()
    found = [path]
    missing = []
    for name in parse_dependencies(text):
        if not os.path.isabs(name) and name not in forced:  # noqa: PTH117 - text
            missing.append(name)
            continue
        absolute = os.path.abspath(name)
        ours = absolute.startswith(below) or absolute.endswith(".pch")
        if not ours and absolute != block:
            found.append(absolute)
    return tuple(dict.fromkeys(found)), tuple(dict.fromkeys(missing))


def used_directories(found: Sequence[str], dependencies: Sequence[str]) -> tuple[str, ...]:
    """Of the directories those with a header that was read."""
    return tuple(
        directory
        for directory in found
        if any(path.startswith(directory + "/") for path in dependencies)
    )


def sources_of(path: str, found: Found) -> tuple[str, ...]:
    """What headers that we made were made of, and where macros are defined that we took."""
    made = (file for place in found.directories for file in made_of(place))
    return tuple(dict.fromkeys((*made, *defined_in(path, found.macros))))


def told_missing(
    path: str, content: bytes, missing: Sequence[str], dependencies: Sequence[str]
) -> tuple[MissingHeader, ...]:
    """Headers that were not found: those that clang went on without, and those of stand-ins."""
    names = dict.fromkeys(missing, False) | dict.fromkeys(stand_ins.used(dependencies), True)
    return tuple(
        MissingHeader(
            name,
            path,
            _line_of_include(content, name),
            stand_in,
            () if stand_in else places_of(name, path),
        )
        for name, stand_in in names.items()
    )


def _line_of_include(content: bytes, name: str) -> int:
    """Where the source itself includes ``name``; 0 where a header does."""
    wanted = name.encode("utf-8", "surrogateescape")
    places = (include.start for include in includes(content) if include.name == wanted)
    place = next(places, None)
    return 0 if place is None else content.count(b"\n", 0, place) + 1
