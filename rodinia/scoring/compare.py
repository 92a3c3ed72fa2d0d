"""``python -m rodinia compare-original``: our flags in the paper's domain beside the original's.

By source line: flagged by both, only by it, only by us. The original runs in one of two modes:
*intra* (the paper's table; calls give an unknown value) and *inter* (its repository's default).
Only loads and stores, as it checks nothing else. Every line that differs has a cause
(``differences.py``); one without makes the command fail. ``--list`` prints each line that differs
with its abstract index and ours. A *site* is a line, column and kind of access.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct
from rich.console import Console

from drano.model.access import Access
from rodinia.measured.lines import (
    AccessesByLine,
    Place,
    Said,
    Sources,
    access_column,
    accesses_by_line,
    place_in,
    program_of,
    said,
)
from rodinia.measured.truth import AuthorsRow, OriginalFlag
from rodinia.pages import show
from rodinia.programs.analyse import UnitResult
from rodinia.programs.manifest import Manifest
from rodinia.scoring.differences import MEANING, Cause, cause_of_its_flags, cause_of_our_flags


class Mode(StrEnum):
    """How the original was run."""

    INTRA = "intra"
    INTER = "inter"


class Side(StrEnum):
    """Who flags a line."""

    BOTH = "both"
    ITS = "original"
    OURS = "ours"


class LineDifference(Struct, frozen=True):
    """A line flagged by one or both. ``confirmed``: the authors' dynamic run saw more than one
    line per warp there; None where it has no row. ``cause``: why the two differ, None for BOTH.
    """

    place: Place
    program: str
    side: Side
    flags: tuple[OriginalFlag, ...]
    accesses: tuple[Access, ...]
    confirmed: bool | None
    cause: Cause | None = None

    @property
    def its_sites(self) -> frozenset[tuple[int, str]]:
        """Column and kind of each access that the original flags on this line."""
        return frozenset((flag.column, flag.kind) for flag in self.flags)

    @property
    def our_sites(self) -> frozenset[tuple[int, str]]:
        """The same of ours."""
        return frozenset(
            (access_column(access), str(access.kind))
            for access in self.accesses
            if access.judgement.flagged
        )


def compare(
    manifest: Manifest,
    accesses: AccessesByLine,
    flags: Iterable[OriginalFlag],
    mode: Mode,
    authors_units_only: bool,
    dynamic: Iterable[AuthorsRow] = (),
) -> tuple[LineDifference, ...]:
    """All lines that either side flags, in order. ``accesses`` must come from the same units."""
    its: dict[Place, list[OriginalFlag]] = defaultdict(list)
    for flag in flags:
        place = place_in(manifest, flag.program, flag.file, flag.line)
        wanted = flag.intra if mode is Mode.INTRA else flag.inter
        if place and wanted and (flag.in_authors_makefile or not authors_units_only):
            its[place].append(flag)
    ours = {place for place, found in accesses.items() if said(found) is Said.FLAGGED}
    seen = confirmed_lines(manifest, dynamic)
    lines = []
    for place in sorted(ours | set(its)):
        side = _side(place in its, place in ours)
        theirs, found = tuple(its.get(place, ())), accesses.get(place, ())
        cause = None
        if side is Side.ITS:
            cause = cause_of_its_flags(theirs, found)
        elif side is Side.OURS:
            cause = cause_of_our_flags(manifest, place, found)
        program = program_of(place, manifest)
        lines.append(LineDifference(place, program, side, theirs, found, seen.get(place), cause))
    return tuple(lines)


def _side(its: bool, ours: bool) -> Side:
    if its and ours:
        return Side.BOTH
    return Side.ITS if its else Side.OURS


def confirmed_lines(manifest: Manifest, rows: Iterable[AuthorsRow]) -> dict[Place, bool]:
    """Lines of the authors' dynamic runs: True where some row shows more than one line a warp."""
    seen: dict[Place, bool] = {}
    for row in rows:
        place = place_in(manifest, row.program, row.file, row.line)
        if place:
            seen[place] = seen.get(place, False) or row.average_lines > 1
    return seen


def compare_units(
    manifest: Manifest,
    results: Iterable[UnitResult],
    cuda: Path,
    flags: Sequence[OriginalFlag],
    mode: Mode,
    authors_units_only: bool,
    dynamic: Sequence[AuthorsRow] = (),
) -> tuple[LineDifference, ...]:
    """``compare`` on analysed units; drops the units that the authors did not build if wanted."""
    kept = [r for r in results if r.unit.in_authors_makefile or not authors_units_only]
    found = accesses_by_line(kept, cuda)
    return compare(manifest, found, flags, mode, authors_units_only, dynamic)


COLUMNS = (
    "program",
    "both",
    "only original",
    "only ours",
    "original, confirmed",
    "of those ours",
    "its sites",
    "of those ours",
)


def _count(lines: Sequence[LineDifference]) -> tuple[int, ...]:
    sides = [line.side for line in lines]
    confirmed = [line for line in lines if line.confirmed and line.side is not Side.OURS]
    return (
        sides.count(Side.BOTH),
        sides.count(Side.ITS),
        sides.count(Side.OURS),
        len(confirmed),
        sum(line.side is Side.BOTH for line in confirmed),
        sum(len(line.its_sites) for line in lines),
        sum(len(line.its_sites & line.our_sites) for line in lines),
    )


def unexplained(lines: Iterable[LineDifference]) -> tuple[LineDifference, ...]:
    """Lines on which the two differ for no known cause."""
    return tuple(line for line in lines if line.cause is Cause.UNEXPLAINED)


def report(
    console: Console,
    manifest: Manifest,
    lines: Sequence[LineDifference],
    title: str,
    sources: Sources | None,
) -> None:
    """Print the table, and with ``sources`` each differing line with both reasons."""
    table: list[tuple[show.Cell, ...]] = [
        (program.name, *_count([line for line in lines if line.program == program.name]))
        for program in manifest.programs
    ]
    console.print(show.table(title, COLUMNS, table, ("total", *_count(lines))))
    _print_causes(console, lines)
    if sources is None:
        return
    for side in (Side.ITS, Side.OURS):
        show.plain(console, f"\nflagged only by {'the original' if side is Side.ITS else 'us'}:")
        for line in lines:
            if line.side is side:
                _print_line(console, line, sources)


def _print_causes(console: Console, lines: Sequence[LineDifference]) -> None:
    """How many lines differ for which cause, and where the dynamic run disagrees with us."""
    rows: list[tuple[show.Cell, ...]] = []
    for cause in Cause:
        here = [line for line in lines if line.cause is cause]
        if here:
            programs = ", ".join(dict.fromkeys(line.program for line in here))
            side = "original" if here[0].side is Side.ITS else "ours"
            rows.append((str(cause), side, len(here), programs, MEANING[cause]))
    if rows:
        columns = ("cause", "flagged by", "lines", "programs", "meaning")
        console.print(show.table("Lines that differ, by cause", columns, rows))
    missed = [line for line in lines if line.confirmed and line.side is Side.ITS]
    if missed:
        show.plain(console, "flagged by the original, confirmed dynamically, not flagged by us:")
    for line in missed:
        show.plain(console, f"  {line.place}: {line.cause}")
    for line in unexplained(lines):
        show.plain(console, f"unexplained: {line.place} ({line.side})")


def _print_line(console: Console, line: LineDifference, sources: Sources) -> None:
    mark = {True: " [dynamic: uncoalesced]", False: " [dynamic: one line]", None: ""}
    show.plain(console, f"{line.place}{mark[line.confirmed]}  {sources.text(line.place)}")
    its = {
        f"    original: column {flag.column} {flag.kind} {flag.kernel.split('(')[0]} "
        f"index {flag.index}, {flag.base_bytes} bytes"
        for flag in line.flags
    }
    shown = line.accesses
    if line.side is Side.OURS:
        shown = tuple(a for a in shown if a.judgement.flagged)
    ours = {f"    ours: {describe(access)}" for access in shown}
    for text in [*sorted(its), *sorted(ours)]:
        show.plain(console, text)
    if not line.accesses:
        show.plain(console, "    ours: no global access on this line")


def describe(access: Access) -> str:
    """One access in one line: where, what, verdict, value and reason."""
    judgement = access.judgement
    sectors = judgement.sectors
    counted = f" sectors {sectors.minimum}-{sectors.maximum}/{sectors.ideal}" if sectors else ""
    block = ""
    if access.launch:
        shape = "x".join(map(str, access.launch.block))
        block = f" block {shape}{' (assumed)' if access.launch.assumed else ''}"
    return (
        f"column {access.location.span.column} {access.kind} {access.bytes} B {access.kernel}"
        f"{block}: {judgement.verdict}{counted}, {judgement.pattern} {judgement.value}: "
        f"{judgement.reason}"
    )


def as_json(manifest: Manifest, lines: Sequence[LineDifference], mode: Mode) -> dict[str, object]:
    """The table's figures and every line that either side flags."""
    names = (
        "both",
        "only_original",
        "only_ours",
        "original_confirmed",
        "confirmed_both",
        "original_sites",
        "original_sites_both",
    )
    return {
        "mode": str(mode),
        "total": dict(zip(names, _count(lines), strict=True)),
        "programs": {
            program.name: dict(
                zip(names, _count([x for x in lines if x.program == program.name]), strict=True)
            )
            for program in manifest.programs
        },
        "lines": [
            {
                "file": line.place.file,
                "line": line.place.line,
                "flagged_by": str(line.side),
                "dynamic_uncoalesced": line.confirmed,
                "cause": str(line.cause) if line.cause else None,
                "original_index": sorted({flag.index for flag in line.flags}),
                "ours": sorted({describe(access) for access in line.accesses}),
            }
            for line in lines
        ],
    }
