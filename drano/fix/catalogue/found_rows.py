"""Which rows that a loop reads there are findings for."""

from __future__ import annotations

from drano.fix.catalogue.base import Scene
from drano.fix.kernel.rows import Row
from drano.frontend.libclang import Node
from drano.model.finding import Finding


def holds(node: Node, line: int) -> bool:
    """Whether a line is one of the node's."""
    extent = node.cursor.extent
    return bool(extent.start.line <= line <= extent.end.line)


def is_of_finding(row: Row, finding: Finding) -> bool:
    """Whether the finding is for it."""
    array = "" if finding.access is None else finding.access.judgement.array
    line = finding.location.span.line
    return array == row.base.spelling and any(
        place.cursor.extent.start.line == line for place in row.places
    )


def is_found(row: Row, finding: Finding, scene: Scene) -> bool:
    """Whether there is a finding for it in the loop."""
    base = row.base.spelling
    lines = {place.cursor.extent.start.line for place in row.places}
    return any(
        other.counts and other.access is not None and other.kernel == finding.kernel
        and other.access.judgement.array == base and other.location.span.line in lines
        and other.location.span.path == finding.location.span.path
        for other in scene.report.findings
    )  # fmt: skip
