"""Finds the ``compile_commands.json`` that has a source's flags, in the usual places.

Looked at are the source's directory and those above it, up to the root of its repository: in each
the directory itself, then ``build*``, ``cmake-build-*`` and ``out/*`` below it. The nearest that
knows a CUDA source is taken; of several in one directory one that names the source. A database that
cannot be used is passed over, and remembered with the reason.

Limits: without a repository (``.git``, ``.hg``, ``.svn``, ``.jj``) nothing above the given roots
(an editor's folders, the working directory) is looked at, as others may write there.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from drano.frontend.commands.compile_database import NAME, compiles_cuda, names, options_for
from drano.support.errors import IRError

_MARKS = (".git", ".hg", ".svn", ".jj")
_MAX_DEPTH = 64
_MAX_ENTRIES = 10_000
_MAX_CANDIDATES = 32


class Databases(Struct):
    """What was found in one run; mutated by ``of``. ``roots``: absolute directories that searches
    stay in where there is no repository. ``taken``: database by source; ``problems``: by database.
    """

    roots: tuple[str, ...] = ()
    taken: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    _candidates: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, path: str) -> str | None:
        """The database for the source at ``path`` (absolute). Raises nothing."""
        for directory in search_path(str(Path(path).parent), self.roots):
            if directory not in self._candidates:
                self._candidates[directory] = tuple(candidates(directory))
            usable = [d for d in self._candidates[directory] if self._is_usable(d, path)]
            if usable:
                exact = [database for database in usable if names(database, path)]
                self.taken[path] = (exact or usable)[0]
                return self.taken[path]
        return None

    def _is_usable(self, database: str, path: str) -> bool:
        if database in self.problems:
            return False
        try:
            if not compiles_cuda(database):
                return False
            options_for(path, database)
        except IRError as error:
            same = error.path == database
            self.problems[database] = error.reason if same else str(error)
            return False
        return True


def search_path(directory: str, roots: Sequence[str] = ()) -> list[str]:
    """``directory`` and those above it, up to the repository's root, or else to one of ``roots``.

    Without either it is alone.
    """
    chain = [directory, *map(str, Path(directory).parents)][:_MAX_DEPTH]
    for number, place in enumerate(chain):
        if any(os.path.lexists(os.path.join(place, mark)) for mark in _MARKS):
            return chain[: number + 1]
    last = [number for number, place in enumerate(chain) if place in roots and place != os.sep]
    return chain[: max(last) + 1] if last else chain[:1]


def candidates(directory: str) -> list[str]:
    """Databases in ``directory`` and in what builds are usually called below it."""
    below = _folders(directory)
    places = [directory]
    places += [os.path.join(directory, n) for n in below if n.startswith(("build", "cmake-build-"))]
    if "out" in below:
        out = os.path.join(directory, "out")
        places += [out, *(os.path.join(out, name) for name in _folders(out))]
    found = (os.path.join(place, NAME) for place in places)
    return [path for path in found if os.path.isfile(path)][:_MAX_CANDIDATES]


def _folders(directory: str) -> list[str]:
    """Names of the directories in ``directory``, sorted; of very many only some."""
    try:
        with os.scandir(directory) as entries:
            found = [entry for entry, _ in zip(entries, range(_MAX_ENTRIES), strict=False)]
            return sorted(entry.name for entry in found if entry.is_dir())
    except OSError:
        return []
