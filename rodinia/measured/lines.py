"""Accesses as source lines of the suite, and the one word we have for each line.

Measurements know lines, not columns: everything said about a line is joined. Only loads and
stores that may go to global memory count; atomics are measured apart.

An access belongs to the innermost file *of the suite*: its own, or, where it stands in a header
from elsewhere (an intrinsic), the call in the suite that it was inlined through.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from drano.model.access import Access, AccessKind
from drano.model.judgement import Space, Verdict
from drano.model.span import Span
from rodinia.programs.analyse import UnitResult
from rodinia.programs.manifest import Manifest


class Place(Struct, frozen=True, order=True):
    """A line of a file, the file relative to the suite's CUDA directory."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Said(StrEnum):
    """What an analysis says about a line: some access on it flagged; none flagged but some
    unknown; all cleared; or no access seen on it at all.
    """

    FLAGGED = "flagged"
    UNKNOWN = "unknown"
    CLEAN = "clean"
    ABSENT = "absent"


AccessesByLine = Mapping[Place, tuple[Access, ...]]


def accesses_by_line(results: Iterable[UnitResult], cuda: Path) -> dict[Place, tuple[Access, ...]]:
    """Global loads and stores of all units, by line; a header's line joins all its units."""
    found: dict[Place, list[Access]] = defaultdict(list)
    for result in results:
        for access in result.report.accesses:
            if is_global(access) and access.kind is not AccessKind.ATOMIC:
                for place in places_of(access, cuda):
                    found[place].append(access)
    return {place: tuple(accesses) for place, accesses in found.items()}


def finding_places(results: Iterable[UnitResult], cuda: Path) -> frozenset[Place]:
    """Lines of which some rule complains, notes included; as in ``accesses_by_line``."""
    accesses = (
        finding.access
        for result in results
        for finding in result.report.findings
        if finding.access and finding.access.kind is not AccessKind.ATOMIC
    )
    return frozenset(
        place for access in accesses if is_global(access) for place in places_of(access, cuda)
    )


def is_global(access: Access) -> bool:
    """Whether it may go to global memory."""
    return access.judgement.space in (Space.GLOBAL, Space.GENERIC)


def places_of(access: Access, cuda: Path) -> frozenset[Place]:
    """All lines inside ``cuda`` whose accesses it does the work of: compilers name one of them."""
    parts = access.origin.parts if access.origin else ()
    places = (place_of(access, cuda), *(_inside(part, cuda) for part in parts))
    return frozenset(place for place in places if place)


def place_of(access: Access, cuda: Path) -> Place | None:
    """The innermost place of an access inside ``cuda``; None where no frame is there."""
    location = access.location
    for span in (location.span, *(frame.span for frame in location.inlined_at)):
        place = _inside(span, cuda)
        if place:
            return place
    return None


def access_column(access: Access) -> int:
    """The access's column in its own line; meaningful where that line is the suite's."""
    return access.location.span.column


def _inside(span: Span, cuda: Path) -> Place | None:
    path = os.path.normpath(span.path)
    root = str(cuda) + os.sep
    return Place(path.removeprefix(root), span.line) if path.startswith(root) else None


def said(accesses: Iterable[Access]) -> Said:
    """The word for a line with these accesses."""
    judgements = [access.judgement for access in accesses]
    if not judgements:
        return Said.ABSENT
    if any(judgement.flagged for judgement in judgements):
        return Said.FLAGGED
    clean = all(judgement.verdict is Verdict.COALESCED for judgement in judgements)
    return Said.CLEAN if clean else Said.UNKNOWN


def base_name(kernel: str) -> str:
    """A kernel's name as profilers group it: ``"void ns::k<int>(float*)"`` is ``"k"``."""
    name = kernel.split("<", 1)[0].split("(", 1)[0]
    return name.rsplit("::", 1)[-1].rsplit(" ", 1)[-1]


def data_dependent_places(manifest: Manifest) -> frozenset[Place]:
    """The manifest's hand-read list, as places."""
    return frozenset(
        Place(f"{program.directory}/{file}", line)
        for program in manifest.programs
        for file, lines in program.data_dependent.items()
        for line in lines
    )


def program_of(place: Place, manifest: Manifest) -> str:
    """Name of the program whose directory holds the place, "" for none."""
    for program in manifest.programs:
        if place.file.startswith(program.directory + "/"):
            return program.name
    return ""


def place_in(manifest: Manifest, program: str, file: str, line: int) -> Place | None:
    """A place given by program name and a file relative to it; None for another program's."""
    for entry in manifest.programs:
        if entry.name == program:
            return Place(os.path.normpath(f"{entry.directory}/{file}"), line)
    return None


class Sources:
    """Text of source lines, for listings. Reading a file mutates the cache."""

    def __init__(self, cuda: Path) -> None:
        self._cuda = cuda
        self._files: dict[str, list[str]] = {}

    def text(self, place: Place) -> str:
        """The line without its indent; "" where it cannot be read."""
        if place.file not in self._files:
            path = self._cuda / place.file
            try:
                self._files[place.file] = path.read_text(errors="replace").split("\n")
            except OSError:
                self._files[place.file] = []
        lines = self._files[place.file]
        return " ".join(lines[place.line - 1].split()) if 0 < place.line <= len(lines) else ""
