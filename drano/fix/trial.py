"""A unit analysed with texts in the place of its files, as ``drano check`` analyses saved ones.

Limits: launches of its kernels in other units are those that were seen before the edits.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from drano.analysis.explain.source_expressions import reading
from drano.analysis.incremental.remembered import KernelMemory
from drano.frontend.headers.overlay import overlay_flags
from drano.model.report import FileReport
from drano.model.settings import Config
from drano.run.driver import Task, check, guarded
from drano.support.input_files import MAX_BYTES
from drano.support.regular_files import regular_or_empty


class Unit(Struct, frozen=True):
    """A unit with its settings. ``texts``: what stands in for files, by absolute path; ``shown``:
    launches of its kernels in other units.
    """

    path: str
    config: Config
    texts: Mapping[str, bytes] = field(default_factory=dict)
    shown: tuple[str, ...] = ()

    def text(self, path: str) -> bytes:
        """What the file holds, b"" if it cannot be read."""
        found = self.texts.get(path)
        return regular_or_empty(path, MAX_BYTES) if found is None else found

    def edited(self, texts: Mapping[str, bytes]) -> Unit:
        """With further texts in the place of files."""
        return replace(self, texts={**self.texts, **texts})


def analysed(unit: Unit, kernels: KernelMemory | None = None) -> FileReport:
    """The report of a unit, with what its comments silence marked. Raises nothing.

    ``kernels``: what was found in the kernels of its last state, with other texts.
    """

    def run(tasks: Sequence[Task]) -> Iterable[FileReport]:
        return (guarded(replace(task, shown=unit.shown), kernels) for task in tasks)

    with tempfile.TemporaryDirectory(prefix="drano-fix-") as directory, reading(unit.texts):
        config = with_overlay(unit, Path(directory))
        texts = {k: v.decode("utf-8", "surrogateescape") for k, v in unit.texts.items()}
        (report,) = check([unit.path], config, run, texts, rounds=0).files
        return report


def with_overlay(unit: Unit, directory: Path) -> Config:
    """The settings by which compilers see the unit's texts, kept in ``directory``."""
    others = {path: text for path, text in unit.texts.items() if path != unit.path}
    options = unit.config.compile
    flags = (*options.flags, *overlay_flags(others, directory))
    return replace(unit.config, compile=replace(options, flags=flags))
