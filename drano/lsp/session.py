"""What is open in the editor, what is analysed when, and what is then said about which file.

A *unit* is what clang compiles: an open ``.cu``, or a source that includes an open header. Findings
of a unit may lie in headers; what is said of a file is the union of what its units say. An edit
supersedes the analysis of the text before it, which is stopped. All methods run in the server's
event loop and return at once; analyses run in the pool.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Iterable
from functools import cache
from typing import Protocol

from lsprotocol import types
from msgspec import Struct, field
from msgspec.structs import replace

from drano.config.command_parser import UsageError
from drano.config.config_file import ConfigError
from drano.embedded.markers import is_python
from drano.lsp.answers.diagnostics import to_uri
from drano.lsp.answers.lenses import on_line
from drano.lsp.answers.proved_fixes import Fix, fixes_for, proved, shown_fix
from drano.lsp.built_code import Marks, marks_of
from drano.lsp.documents import Document
from drano.lsp.neighbours import Neighbours
from drano.lsp.pool import Pool
from drano.lsp.positions import Encoding, Text, moved_lines
from drano.lsp.settings import Settings, Shape, config_for
from drano.lsp.units import WORKSPACE, Unit
from drano.lsp.worker import Job
from drano.model.access import Access
from drano.model.finding import Finding
from drano.model.report import FileReport, FileStatus, KernelInfo
from drano.output.entries import family
from drano.run.driver import failure
from drano.run.other_units.includers import find_includers
from drano.support.input_files import CUDA_SOURCES, holds_kernel

SOURCE_SUFFIXES = (*CUDA_SOURCES, ".py")
HEADER_SUFFIXES = (".cuh", ".h", ".hpp", ".hh", ".inl", ".inc")
# A change after this many debounce times of quiet is analysed at once: it is no typing.
_QUIET = 3
_AT_ONCE = 0.005  # what comes in one burst is one change
# So long a question for actions waits at most for the proof of one.
_PROOF_SECONDS = 2.0
# So long one for all fixes, which people ask for by name.
_ALL_SECONDS = 60.0
_RANK_OPEN, _RANK_INCLUDER, RANK_WORKSPACE = 0, 1, 2

log = logging.getLogger(__name__)


class Client(Protocol):
    """What the session has to say to the editor."""

    def publish(self, path: str) -> None:
        """What is said about ``path`` has changed."""

    def working(self, busy: bool) -> None:
        """Whether any analysis of an open file is under way."""


class Session(Struct):
    """The state of one editor's connection."""

    client: Client
    pool: Pool = field(default_factory=Pool)
    settings: Settings = field(default_factory=Settings)
    encoding: Encoding = Encoding.UTF16
    folders: tuple[str, ...] = ()
    documents: dict[str, Document] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    shapes: dict[str, dict[str, Shape]] = field(default_factory=dict)
    neighbours: Neighbours = field(default_factory=Neighbours)
    _searches: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    # --- what the editor does

    def opened(self, document: Document) -> None:
        """A file was opened (or opened again with another text)."""
        path = document.path
        self.documents[path] = document
        if path.endswith(SOURCE_SUFFIXES):
            self._want(path, path)
            self._schedule(path, 0.0)
        elif path.endswith(HEADER_SUFFIXES):
            self._search(path)

    def changed(self, path: str, version: int | None, text: Text) -> None:
        """An open file's text has changed."""
        document = self.documents.get(path)
        if document is None:
            return
        document.version, document.text, document.unsaved = version, text, True
        for unit in self._concerned(path):
            now = time.monotonic()
            quiet = now - unit.last_change > _QUIET * self.settings.debounce
            unit.last_change = now
            delay = min(_AT_ONCE, self.settings.debounce) if quiet else self.settings.debounce
            self._schedule(unit.path, delay)

    def saved(self, path: str) -> None:
        """An open file's text is now the disk's."""
        document = self.documents.get(path)
        if document is not None:
            document.unsaved = False

    def touched(self, paths: Iterable[str]) -> None:
        """Files have changed on the disk: units that include them are analysed again."""
        changed = set(paths)
        concerned = {unit.path for path in changed for unit in self._concerned(path)}
        for path in sorted(concerned):
            self._schedule(path, 0.0)
        for path in sorted(changed - self.units.keys()):
            self._again(self.neighbours.forget(path, self._open_texts()))

    def closed(self, path: str) -> None:
        """An open file was closed; units that only it wanted are forgotten."""
        document = self.documents.pop(path, None)
        search = self._searches.pop(path, None)
        if search is not None:
            search.cancel()
        for unit in list(self.units.values()):
            unit.wanted.discard(path)
            if not unit.wanted:
                self._forget(unit)
            elif unit.path == path:  # from now on the disk's text counts
                self._schedule(path, 0.0)
        if document is not None and document.unsaved and path not in self.units:
            self._again(self.neighbours.forget(path, self._open_texts()))
        self.client.publish(path)

    def reconfigure(self, settings: Settings | None = None) -> None:
        """The settings or their files have changed: everything is analysed again."""
        if settings is not None:
            self.settings = settings
            self.pool.size = settings.workers
        for path in list(self.units):
            self._schedule(path, 0.0)

    def set_shape(self, path: str, kernel: str, shape: Shape | None) -> None:
        """The user gives a kernel's block shape, or takes it back."""
        shapes = self.shapes.setdefault(path, {})
        shapes.pop(kernel, None)
        if shape is not None:
            shapes[kernel] = shape
        if path in self.units:
            self._schedule(path, 0.0)

    # --- what is known of a file

    async def settled(self, path: str) -> None:
        """Returns when no analysis that concerns the file is waiting or under way."""
        while True:
            tasks = [unit.task for unit in self._concerned(path) if unit.task is not None]
            search = self._searches.get(path)
            pending = {task for task in (*tasks, search) if task is not None and not task.done()}
            if not pending:
                return
            await asyncio.wait(pending)

    def text(self, path: str) -> Text:
        """The editor's text of an open file, the disk's of any other."""
        document = self.documents.get(path)
        return document.text if document is not None else Text.of_file(path)

    def diagnostics(self, path: str) -> list[types.Diagnostic]:
        """What is said about a file: one finding a place of those that are one thing to do, the
        worst, though instances of a template differ in it and several units include its line.
        """
        unique: dict[tuple[int, int, str], types.Diagnostic] = {}
        texts = cache(self.text)  # nothing changes meanwhile
        for unit in self.units.values():
            for found in unit.diagnostics(path, texts, self.encoding):
                start = found.range.start
                about = family(str(found.code)) if found.data else found.message
                key = (start.line, start.character, about)
                old = unique.setdefault(key, found)
                if (found.severity or 0) < (old.severity or 0):
                    unique[key] = found
        return [unique[key] for key in sorted(unique)]

    def accesses(self, path: str) -> list[Access]:
        """All accesses in a file; none where its text is no longer the analysed one."""
        return [a for unit in self._current(path) for a in unit.accesses.get(path, ())]

    def marks(self, path: str) -> Marks:
        """What compiled code says of the accesses in a file."""
        found: Marks = {}
        for unit in self._current(path):
            if unit.report is not None:
                found |= marks_of(unit.report.findings)
        return found

    def hinted(self, path: str) -> list[Access]:
        """All accesses in a file, where their lines are now: those of lines that have not been
        edited since, while the present text is not analysed, or cannot be.
        """
        now = self.text(path)
        found = self.accesses(path)
        for unit in self._concerned(path):
            if unit.path != path or unit.report is None or unit.text.source == now.source:
                continue
            lines = moved_lines(unit.text, now)
            for access in unit.accesses.get(path, ()):
                line = lines.get(access.location.span.line - 1)
                if line is not None:
                    found.append(on_line(access, line + 1))
        return found

    def kernels(self, path: str) -> tuple[list[KernelInfo], list[Finding]]:
        """The kernels of the units that hold the file, with their findings."""
        kernels: list[KernelInfo] = []
        findings: list[Finding] = []
        for unit in self._current(path):
            if unit.report is not None:
                kernels += unit.report.kernels
                findings += [found for found in unit.report.findings if found.counts]
        return kernels, findings

    async def fixes(self, path: str, first: int, last: int) -> list[tuple[Finding, Fix]]:
        """Edits of an open source that mend a finding on lines ``first`` to ``last`` (from 0), as
        an analysis of the edited text has shown.
        """
        unit = self.units.get(path)
        if unit is None and not is_python(path):
            return await self._fixes_of_header(path, (first + 1, last + 1))
        if unit is None or unit not in self._current(path) or is_python(path):
            return []  # what stands in a string is edited by its author
        text = unit.text
        found: list[tuple[Finding, Fix]] = []
        for finding in unit.findings.get(path, ()):
            if not first < finding.location.span.line <= last + 1:
                continue
            for fix in self._candidates(unit, finding):
                if await self._proved(unit, finding, fix):
                    found.append((finding, fix))
                    break
        known = tuple(fix.title for _, fix in found)
        more = await self._looked_for(unit, path, (first + 1, last + 1))
        found += [(finding, fix) for finding, fix in more if not fix.title.startswith(known)]
        return found if unit.text is text else []

    async def _fixes_of_header(
        self, path: str, lines: tuple[int, int]
    ) -> list[tuple[Finding, Fix]]:
        """The same for a header, proved in the first unit that has any."""
        text = self.text(path).source
        for unit in self._current(path):
            found = await self._looked_for(unit, path, lines)
            if found:
                return found if self.text(path).source == text else []
        return []

    async def _looked_for(
        self, unit: Unit, path: str, lines: tuple[int, int]
    ) -> list[tuple[Finding, Fix]]:
        """What the catalogue of fixes has for the findings on some lines, as a worker finds it."""
        mine = [f for f in unit.findings.get(path, ()) if f.counts and f.access is not None]
        if not any(lines[0] <= f.location.span.line <= lines[1] for f in mine):
            return []
        report = await self._mended(unit, _PROOF_SECONDS, lines, path)
        offered = ((f, fix) for f in report.findings for fix in f.fixes) if report else ()
        return [(f, shown_fix(fix, path, self._source)) for f, fix in offered]

    async def _mended(
        self, unit: Unit, seconds: float, lines: tuple[int, int] | None, path: str = ""
    ) -> FileReport | None:
        """What a worker finds for the lines of the file at ``path``, None: for all; None if that
        takes too long, or is of other texts than the present ones, of the unit or its headers.
        """
        name = f"fixes {lines} {path}"
        if name not in unit.proofs:
            try:
                job = replace(self._job(unit), fixed=lines, fixed_in=path, all_fixed=lines is None)
            except (ConfigError, UsageError):
                return None
            unit.proofs[name] = asyncio.ensure_future(self.pool.run(job, _RANK_INCLUDER))
        answer = unit.proofs[name]
        await asyncio.wait({answer}, timeout=seconds)
        same = unit.task is None and unit.proofs.get(name) is answer
        return answer.result() if same and answer.done() and not answer.cancelled() else None

    def _source(self, path: str) -> str:
        return self.text(path).source

    async def fixed(self, path: str) -> Fix | None:
        """All safe fixes of an open source as one, each proved on the text that the ones before
        leave.
        """
        unit = self.units.get(path)
        if unit is None or unit not in self._current(path) or is_python(path):
            return None
        report = await self._mended(unit, _ALL_SECONDS, None)
        fixes = (fix for finding in report.findings for fix in finding.fixes) if report else ()
        return next((shown_fix(fix, path, self._source) for fix in fixes), None)

    def file(self, path: str) -> Document:
        """A file as the editor has it; one that is not open has no version."""
        found = self.documents.get(path)
        return found or Document(path, to_uri(path), None, Text.of_file(path))

    def _candidates(self, unit: Unit, finding: Finding) -> list[Fix]:
        assert unit.report is not None
        headers = [
            self.text(name).source.encode("utf-8", "surrogateescape")
            for name in unit.report.host_dependencies
            if name != unit.path
        ]
        return list(fixes_for(finding, unit.report, unit.text.source, headers))

    async def _proved(self, unit: Unit, finding: Finding, fix: Fix) -> bool:
        before, proofs = unit.report, unit.proofs
        edited = fix.applied(unit.text.source)
        if edited not in proofs:
            try:
                job = replace(self._job(unit), text=edited)
            except (ConfigError, UsageError):
                return False
            proofs[edited] = asyncio.ensure_future(self.pool.run(job, _RANK_INCLUDER))
        # It goes on when the client does not wait: the answer is of use to the next question.
        await asyncio.wait({proofs[edited]}, timeout=_PROOF_SECONDS)
        if before is None or not proofs[edited].done() or proofs[edited].cancelled():
            return False
        return proved(finding, before, proofs[edited].result())

    @property
    def busy(self) -> bool:
        """Whether any analysis is waiting or under way."""
        return any(unit.task is not None for unit in self.units.values())

    # --- analyses

    def adopt(self, path: str) -> None:
        """Have a file analysed that is not open, and remember what is found."""
        self._want(path, WORKSPACE)
        unit = self.units[path]
        if unit.task is None and unit.report is None:
            self._schedule(path, 0.0)

    def release(self) -> None:
        """Forget what only the workspace analysis wanted."""
        for unit in list(self.units.values()):
            unit.wanted.discard(WORKSPACE)
            if not unit.wanted:
                self._forget(unit)

    async def close(self) -> None:
        """Stop everything."""
        tasks = [unit.task for unit in self.units.values() if unit.task is not None]
        proofs = [proof for unit in self.units.values() for proof in unit.proofs.values()]
        for task in [*tasks, *proofs, *self._searches.values()]:
            task.cancel()
        await self.pool.close()

    def _concerned(self, path: str) -> list[Unit]:
        return [u for u in self.units.values() if u.path == path or u.depends_on(path)]

    def _current(self, path: str) -> list[Unit]:
        """Units whose last analysis is of the present text."""
        current = []
        for unit in self._concerned(path):
            document = self.documents.get(unit.path)
            same = document is None or document.text.source == unit.text.source
            if unit.report is not None and same:
                current.append(unit)
        return current

    def _want(self, path: str, who: str) -> None:
        self.units.setdefault(path, Unit(path)).wanted.add(who)

    def _forget(self, unit: Unit) -> None:
        if unit.task is not None:
            unit.task.cancel()
            unit.task = None
        for proof in unit.proofs.values():
            proof.cancel()
        del self.units[unit.path]
        for path in unit.paths:
            self.client.publish(path)
        self.client.working(self.busy)

    def _schedule(self, path: str, delay: float) -> None:
        """Analyse the unit's present text after ``delay``, and no other text of it any more."""
        unit = self.units[path]
        for task in (unit.task, *unit.proofs.values()):
            if task is not None:
                task.cancel()
        unit.task = asyncio.ensure_future(self._analyse(unit, delay))
        self.client.working(True)

    async def _analyse(self, unit: Unit, delay: float) -> None:
        await asyncio.sleep(delay)
        path = unit.path
        text = self.text(path)
        try:
            job = self._job(unit)
        except (ConfigError, UsageError) as error:
            report = failure(path, str(error))
        else:
            report = await self.pool.run(job, self._rank(unit))
        # From here on nothing waits: no newer edit can come between.
        before = unit.paths
        if report.status is FileStatus.OK:
            unit.succeeded(report, text)
        else:
            unit.failed(report, text)
        unit.task = None
        for changed in sorted(before | unit.paths, key=lambda name: (name != path, name)):
            self.client.publish(changed)  # first the file that is being looked at
        if report.status is FileStatus.OK:
            self._again(self.neighbours.analysed(report, self._open_texts()))
        self.client.working(self.busy)

    def _again(self, paths: Iterable[str]) -> None:
        """Other files show other launches of these files' kernels."""
        for path in paths:
            if path in self.units:
                self._schedule(path, 0.0)

    def _open_texts(self) -> dict[str, str]:
        return {document.path: document.text.source for document in self.documents.values()}

    def _job(self, unit: Unit) -> Job:
        """Raises ConfigError."""
        document = self.documents.get(unit.path)
        shapes = self.shapes.get(unit.path, {})
        return Job(
            unit.path,
            document.text.source if document is not None else None,
            config_for(unit.path, self.settings, self.folders, shapes),
            tuple(
                (other.path, other.text.source)
                for other in self.documents.values()
                if other.unsaved and other.path != unit.path
            ),
            self.neighbours.shown.get(unit.path, ()),
            built=tuple(map(os.path.abspath, self.settings.options.cubin)),
        )

    def _rank(self, unit: Unit) -> int:
        if unit.path in self.documents:
            return _RANK_OPEN
        return RANK_WORKSPACE if unit.wanted == {WORKSPACE} else _RANK_INCLUDER

    # --- headers

    def _search(self, header: str) -> None:
        """Find sources that include an opened header, and have them analysed."""
        if any(unit.depends_on(header) for unit in self.units.values()):
            for unit in self._concerned(header):
                unit.wanted.add(header)
            self.client.publish(header)
            return
        self._searches[header] = asyncio.ensure_future(self._find(header))

    async def _find(self, header: str) -> None:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(None, find_includers, header, self.folders)
        if not found and header.endswith(".cuh") and holds_kernel(header):
            found = [header]
        self._searches.pop(header, None)
        for path in found:
            self._want(path, header)
            if self.units[path].task is None and self.units[path].report is None:
                self._schedule(path, 0.0)
