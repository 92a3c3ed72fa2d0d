"""All that the units of a run tell each other: launches, calls, and device code."""

from __future__ import annotations

from collections.abc import Mapping

from drano.model.report import FileReport
from drano.run.other_units.code_elsewhere import code_elsewhere
from drano.run.other_units.launches_elsewhere import launches_elsewhere


def told_elsewhere(
    reports: Mapping[str, FileReport], texts: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """For each unit that is told or asked something: that, as text, sorted
    (``host.cross_unit``). ``reports``: of all units, by path; ``texts``: contents that stand in for
    those of files.
    """
    launches, code = launches_elsewhere(reports, texts), code_elsewhere(reports)
    paths = sorted(launches.keys() | code.keys())
    return {path: tuple(sorted((*launches.get(path, ()), *code.get(path, ())))) for path in paths}
