"""What git says has changed since a commit, and the commit's findings.

git is asked for a full commit id instead of the user's words, and nothing is run that the
repository names (``git_objects``). The old files are written below a temporary directory: neither
the checkout nor its index is touched.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from drano.frontend.commands.compile_database import with_compile_commands
from drano.model.finding import Finding
from drano.model.report import FileReport, FileStatus, Report
from drano.model.settings import CompileOptions, Config
from drano.model.span import Span
from drano.run.driver import Runner, check
from drano.run.git_objects import (
    ChangesError,
    blob,
    git,
    is_same,
    patch,
    staged,
    tree_of,
    write_tree,
)
from drano.run.other_units.launches_elsewhere import linked
from drano.support.input_files import MAX_BYTES
from drano.support.regular_files import regular_or_empty
from drano.triage.baseline import Known, known_of
from drano.triage.suppress import Read

_HUNK = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class Changes(Struct, frozen=True):
    """What differs between ``commit`` and the files now. ``top``: the checkout's root. ``old``: for
    each changed file (relative to ``top``) its name in the commit, None where it is new.
    ``tracked``: what git knows.
    """

    top: str
    commit: str
    old: Mapping[str, str | None]
    tracked: frozenset[str]

    def relative(self, path: str) -> str | None:
        """``path`` from the root on; None for what is not below it."""
        for spelling in (path, os.path.realpath(path)):
            inside = os.path.relpath(spelling, self.top)
            if not inside.startswith(os.pardir):
                return inside
        return None

    def is_changed(self, path: str) -> bool:
        """Whether the file differs from the commit's. What is not below the root does not."""
        inside = self.relative(path)
        return inside is not None and (inside in self.old or inside not in self.tracked)

    def lines(self, path: str) -> Callable[[int], bool]:
        """Which lines of the file, by number, are not the commit's."""
        inside = self.relative(path)
        if inside is None or not self.is_changed(path):
            return lambda line: False
        before = self.old.get(inside)
        if before is None:
            return lambda line: True
        now = regular_or_empty(path, MAX_BYTES).replace(b"\r\n", b"\n")
        then = blob(self.top, self.commit, before).replace(b"\r\n", b"\n")
        ranges = [
            range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1))
            for hunk in _HUNK.finditer(patch(then, now))
        ]
        return lambda line: any(line in each for each in ranges)


def changes_since(commit: str, directory: str) -> Changes:
    """What has changed since ``commit`` (anything that git understands) in the checkout that
    ``directory`` is in. Raises ChangesError.
    """
    top = os.fsdecode(git(directory, "rev-parse", "--show-toplevel").rstrip(b"\n"))
    try:
        found = git(
            top, "rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{commit}"
        )
    except ChangesError:
        raise ChangesError(f"unknown git commit '{commit}'") from None
    full = found.decode().strip()
    status = git(top, "diff", "--cached", "--name-status", "-M", "-z", "--no-ext-diff", full)
    fields = [os.fsdecode(field) for field in status.split(b"\0")[:-1]]
    old, index, before = dict(_renames(fields)), staged(top), tree_of(top, full)
    for name, identity in index.items():
        if name not in old and not is_same(Path(top, name), identity):
            old[name] = name if name in before else None
    return Changes(top, full, old, frozenset(index))


def _renames(fields: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """(name now, name in the commit): fields are a letter and one name, or two for R and C."""
    rest = iter(fields)
    for letter in rest:
        name = next(rest, "")
        if letter[:1] in {"R", "C"}:
            yield next(rest, ""), name
        else:
            yield name, None if letter == "A" else name


# --- findings of changed lines, and of the commit ----------------------------------------------


def only_changed(report: Report, changes: Changes) -> Report:
    """Without the findings on lines that have not changed."""
    tests: dict[str, Callable[[int], bool]] = {}

    def is_changed(finding: Finding) -> bool:
        span = finding.location.span
        if span.path not in tests:
            tests[span.path] = changes.lines(span.path)
        return tests[span.path](span.line)

    return replace(
        report,
        files=tuple(
            replace(file, findings=tuple(filter(is_changed, file.findings)))
            for file in report.files
        ),
    )


class OldFindings(Struct, frozen=True):
    """``same``: units none of whose files have changed: their findings are the commit's.
    ``report``: of the others, as they were in the commit, under ``tree``; ``failed``: units that
    could not be analysed there.
    """

    same: tuple[FileReport, ...]
    report: Report
    tree: str
    failed: tuple[str, ...]


@contextlib.contextmanager
def findings_at(
    changes: Changes, report: Report, settings: Callable[[str], Config], run: Runner
) -> Iterator[OldFindings]:
    """What the units of ``report`` said in the commit. Raises ChangesError."""
    same: list[FileReport] = []
    touched: list[FileReport] = []
    for file in report.files:
        parts = (file.path, *file.dependencies, *file.host_dependencies, *file.joined)
        (touched if any(map(changes.is_changed, parts)) else same).append(file)
    reached = linked(report.files, touched)  # by launches of each other's kernels
    touched += [file for file in same if file.path in reached]
    same = [file for file in same if file.path not in reached]
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        tree = str(Path(name).resolve() / "tree")
        if touched:
            write_tree(changes.top, changes.commit, Path(tree))
        configs = dict(_old_units(touched, changes, settings, tree))
        old = (
            check(list(configs), configs.__getitem__, run) if configs else replace(report, files=())
        )
        failed = tuple(file.path for file in old.files if file.status is not FileStatus.OK)
        yield OldFindings(tuple(same), old, tree, failed)


def known_at(old: OldFindings, changes: Changes, read: Read) -> tuple[Known, ...]:
    """The commit's findings under today's names, each once though several units include it."""
    now = {before: name for name, before in changes.old.items() if before is not None}

    def name_now(path: str) -> str:
        try:
            inside = str(Path(path).relative_to(old.tree))
        except ValueError:
            return changes.relative(path) or path
        return now.get(inside, inside)

    unique: dict[tuple[str, str, Span, str], Finding] = {}
    for finding in (f for file in (*old.same, *old.report.files) for f in file.findings):
        if finding.suppressed is None:
            span = finding.location.span
            place = replace(span, path="")
            key = (finding.rule, name_now(span.path), place, finding.kernel)
            unique.setdefault(key, finding)
    return known_of(unique.values(), name_now, read)


def _old_units(
    files: Sequence[FileReport], changes: Changes, settings: Callable[[str], Config], tree: str
) -> Iterator[tuple[str, Config]]:
    """Each unit's path in the old tree, where it is there, with its settings."""
    for file in files:
        inside = changes.relative(file.path)
        before = changes.old.get(inside, inside) if inside is not None else None
        if before is None or not Path(tree, before).is_file():
            continue
        config = settings(file.path)
        options = with_compile_commands(file.path, config.compile)
        yield str(Path(tree, before)), replace(config, compile=_moved(options, changes, tree))


def _moved(options: CompileOptions, changes: Changes, tree: str) -> CompileOptions:
    """The options with the checkout's directories replaced by the old tree's where it has them."""

    def moved(path: str) -> str:
        inside = changes.relative(os.path.abspath(path))
        there = None if inside is None else str(Path(tree, inside))
        return there if there is not None and Path(there).exists() else path

    top = changes.top.rstrip("/") + "/"
    return replace(
        options,
        include_dirs=tuple(map(moved, options.include_dirs)),
        force_includes=tuple(map(moved, options.force_includes)),
        flags=tuple(flag.replace(top, tree + "/") for flag in options.flags),
    )
