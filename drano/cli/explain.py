"""``drano explain FILE:LINE``: in a header, by a unit that includes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from drano.model.access import Access
from drano.model.report import Report
from drano.output.formats.closing import all_accesses
from drano.run.driver import absolute
from drano.run.other_units.includers import find_includers

_HEADERS = frozenset({".cuh", ".h", ".hh", ".hpp", ".inc", ".inl"})


def units_of(path: str, units: Sequence[str]) -> Iterator[str]:
    """The sources to analyse for a place in a file: of a header those that include it, the closest
    first, among ``units`` if there are any; and what else there is, itself.
    """
    whole = absolute(path)
    if Path(whole).suffix in _HEADERS:
        near = [str(Path(whole).parent), *_checkout(whole)]
        found = find_includers(whole, [near[-1]])
        known = [unit for unit in found if not units or unit in units]
        yield from known or found
    yield path


def _checkout(path: str) -> Iterator[str]:
    """The directory of the repository that a file is in."""
    for directory in Path(path).parents:
        if (directory / ".git").exists():
            yield str(directory)
            return


def at_place(report: Report, path: str, line: int, column: int) -> list[Access]:
    """The accesses there; ``column`` 0: of the whole line."""
    return [
        access
        for access in all_accesses(report)
        if access.location.span.line == line
        and column in (0, access.location.span.column)
        and absolute(access.location.span.path) == absolute(path)
    ]


def first_that_reaches(
    place: tuple[str, int, int], units: Iterator[str], analyse: Callable[[str], Report]
) -> tuple[Report | None, list[Access]]:
    """The report of the first unit with accesses at a place, and these; else the last report."""
    report: Report | None = None
    for unit in units:
        report = analyse(unit)
        if found := at_place(report, *place):
            return report, found
    return report, []
