"""``drano fix`` and ``drano check --fix``: what is mended, printed and written."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from rich.text import Text

from drano.fix.attach import why_unsafe, with_fixes
from drano.fix.edit import patch
from drano.fix.review import review
from drano.fix.search import Mended, Offer, mended
from drano.fix.trial import Unit, analysed
from drano.fix.verify.verify import Program, compiler_words, table, verify
from drano.fix.write import write_sources
from drano.model.finding import Finding
from drano.model.report import FileStatus, Report
from drano.model.settings import Config
from drano.model.system_headers import is_system_header
from drano.output.formats.text_parts import to_text
from drano.output.plurals import count
from drano.output.source_lines import printable
from drano.run.found_sources import UNIT_SUFFIXES
from drano.run.other_units.told_elsewhere import told_elsewhere
from drano.support.errors import IRError

_MOST_NAMED: Final = 5

Say = Callable[[str], None]


class Changes(Struct, frozen=True):
    """All units after their fixes: ``before`` and ``after`` of the changed files."""

    units: tuple[Mended, ...]
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]

    @property
    def made(self) -> tuple[Offer, ...]:
        """The fixes of all units."""
        return tuple(offer for unit in self.units for offer in unit.made)

    @property
    def unsafe(self) -> tuple[Offer, ...]:
        """Offers of all units that were not made."""
        return tuple(offer for unit in self.units for offer in unit.unsafe)


def changes(
    report: Report,
    settings: Callable[[str], Config],
    *,
    unsafe: bool,
    say: Say,
    accepts: Callable[[Changes], bool] = lambda _: True,
) -> Changes:
    """What is to be changed in the files of a report. One file of several units is changed for the
    first of them; the next ones find it changed. ``accepts``: is asked of the changes up to each
    fix, with it.
    """
    reports = {file.path: file for file in report.files}
    shown = told_elsewhere({p: r for p, r in reports.items() if r.status is FileStatus.OK}, {})
    here = Path.cwd()
    elsewhere = (Path(path).parent for path in reports if not Path(path).is_relative_to(here))
    roots = frozenset(path.resolve() for path in (here, *elsewhere))
    skipped: set[str] = set()
    units: list[Mended] = []
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    for path, file in reports.items():
        if file.status is not FileStatus.OK:
            continue
        unit = Unit(path, settings(path), dict(after), shown.get(path, ()))
        found = mended(
            unit,
            file if after.keys().isdisjoint((path, *file.dependencies)) else analysed(unit),
            unsafe=unsafe,
            wanted=lambda finding: _may_change(finding, roots, skipped),
            told=lambda offer: say(offer_line(offer)),
            accepts=partial(_accepted, unit, units, before, after, accepts),
        )
        units.append(found)
        for name, text in found.texts.items():
            before.setdefault(name, Unit(path, unit.config).text(name))
            after[name] = text
    if skipped:
        say(skipped_line(skipped))
    return Changes(tuple(units), before, after)


def _accepted(
    unit: Unit,
    units: Sequence[Mended],
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    accepts: Callable[[Changes], bool],
    made: tuple[Offer, ...],
    texts: Mapping[str, bytes],
) -> bool:
    """Whether the changes are accepted that a unit's fixes ``made``, after those of ``units``."""
    old = {path: before.get(path) or Unit(path, unit.config).text(path) for path in texts}
    now = Mended(unit, made[-1].after, made, (), texts)
    return accepts(Changes((*units, now), {**before, **old}, {**after, **texts}))


def offered(report: Report, settings: Callable[[str], Config]) -> Report:
    """The report with the fixes that are offered for its findings."""
    good = {file.path: file for file in report.files if file.status is FileStatus.OK}
    shown = told_elsewhere(good, {})
    files = (
        with_fixes(Unit(file.path, settings(file.path), {}, shown.get(file.path, ())), file)
        if file.path in good
        else file
        for file in report.files
    )
    return replace(report, files=tuple(files))


def _may_change(finding: Finding, roots: frozenset[Path], skipped: set[str]) -> bool:
    """Whether a file is the user's: below the directories ``roots``, and no link to outside; of
    others ``skipped`` is told.
    """
    path = finding.location.span.path
    if is_system_header(path):
        return False
    real = Path(path).resolve()
    within = any(real.is_relative_to(root) for root in roots)
    if not within:
        skipped.add(path)
    return within


def skipped_line(paths: Collection[str]) -> str:
    """``skipped 1 file with findings outside of the directory: a.cu (a link to ../b.cu)``."""
    names = []
    for path in sorted(paths):
        real = os.path.realpath(path)
        link = "" if real == path else f" (a link to {os.path.relpath(real)})"
        names.append(os.path.relpath(path) + link)
    more = len(names) - _MOST_NAMED
    shown = ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    number = count(len(names), "file")
    return printable(f"skipped {number} with findings outside of this directory: {shown}")


def offer_line(offer: Offer) -> str:
    """``a.cu:3: pad-shared-array: pad the rows of tile by 1 (32 → 1 wavefronts)``."""
    span = offer.finding.location.span
    name = os.path.relpath(span.path)
    text = f"{name}:{span.line}: {offer.fix.edit}: {offer.fix.title} ({offer.promise})"
    if offer.fix.safe:
        return printable(text)
    return printable(f"{text}; unsafe: {why_unsafe(offer)}")


def diff(found: Changes, *, color: bool) -> str:
    """The changes as a patch, with paths from the current directory; in ``color`` for eyes only."""
    text = patch(found.before, found.after, str(Path.cwd()))
    if not color:
        return text
    lines = text.removesuffix("\n").split("\n") if text else []
    return to_text([Text(printable(line), _style(line)) for line in lines], color=True)


def _style(line: str) -> str:
    if line.startswith(("--- ", "+++ ")):
        return "bold"
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")


def suggestions(found: Changes) -> str:
    """The changes as a review on GitHub, with paths from the current directory."""
    return review(found.before, found.after, found.made, str(Path.cwd()))


def write(found: Changes) -> None:
    """Write the changed files; raises IRError, with nothing written, where one is not as before."""
    write_sources(found.before, found.after)


def summary(found: Changes, *, written: bool) -> str:
    """One line: what was done, and what more could be."""
    verb = "Made" if written else "Would make"
    text = f"{verb} {count(len(found.made), 'fix', 'fixes')}"
    if found.unsafe:
        text += f"; {len(found.unsafe)} more with --unsafe-fixes"
    return text + "."


class Result(Struct, frozen=True):
    """What running both versions has shown: a table for people, and what speaks against the fixes,
    in one line, or "".
    """

    text: str
    against: str


def sorted_paths(paths: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """CUDA sources, and what is only linked with them. Raises IRError for directories."""
    for path in paths:
        if Path(path).is_dir():
            raise IRError(path, "--verify takes the sources of one program, not a directory")
    cuda = [path for path in paths if path.endswith(UNIT_SUFFIXES)]
    return cuda, tuple(path for path in paths if not path.endswith(UNIT_SUFFIXES))


def verified(
    report: Report,
    settings: Callable[[str], Config],
    found: Changes,
    linked: tuple[str, ...],
    arguments: tuple[str, ...],
) -> Result:
    """Build and run the program of the report's units and of ``linked`` sources, both versions."""
    sources = [file.path for file in report.files]
    options = settings(sources[0]).compile
    files = {
        path
        for file in report.files
        for path in (*file.dependencies, *file.host_dependencies)
        if not is_system_header(path)
    }
    program = Program(
        (*sources, *linked),
        tuple(sorted(files)),
        compiler_words(options),
        arguments,
        tuple(options.include_dirs),
    )
    rounds = any(offer.fix.rounds for offer in found.made)
    unused = [name for offer in found.made for name in offer.fix.unused]
    relaid = [array for offer in found.made for array in offer.fix.relaid]
    outcome = verify(
        program, found.before, found.after, rounds=rounds, unused=unused, relaid=relaid
    )
    text = table(outcome.rows)
    if outcome.races:
        text += f"Both versions have {count(outcome.races, 'conflict')} between barriers.\n"
    return Result(printable_lines(text), "; ".join(outcome.against))


def printable_lines(text: str) -> str:
    """Control characters of untrusted names made visible."""
    return "".join(printable(line) + "\n" for line in text.splitlines())
