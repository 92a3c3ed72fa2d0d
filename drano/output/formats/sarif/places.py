"""Places in the sources as SARIF has them."""

from __future__ import annotations

from typing import Any

import sarif_om as om
from msgspec import Struct

from drano.model.span import Span
from drano.output.checkout import SourceRoot
from drano.output.formats.sarif.objects import message as message_object
from drano.output.source_lines import Sources
from drano.output.utf16_regions import context, region, units

ROOT_ID = "%SRCROOT%"


class Places(Struct, frozen=True):
    """``root``: what paths are relative to."""

    sources: Sources
    root: SourceRoot

    def column(self, path: str, line: int, column: int) -> int:
        """In UTF-16 code units, from bytes."""
        before = self.sources.line(path, line)[: column - 1]
        return 1 + units(before.decode("utf-8", "replace"))

    def location(
        self,
        span: Span,
        end_column: int = 0,
        *,
        message: str = "",
        number: int = -1,
        surroundings: bool = False,
    ) -> Any:
        """A region of one line, with its text; ``surroundings``: and the lines around it."""
        found = region(self.sources, span, end_column)
        around = context(self.sources, found, span.path) if surroundings else None
        place = om.PhysicalLocation(
            artifact_location=self.artifact(span.path),
            region=om.Region(
                start_line=found.line,
                start_column=found.start or None,
                end_line=found.line if found.start else None,
                end_column=found.end or None,
                snippet=om.ArtifactContent(text=found.text) if found.text else None,
            ),
        )
        if around is not None:
            place.context_region = om.Region(
                start_line=around.first,
                end_line=around.last,
                snippet=om.ArtifactContent(text=around.text),
            )
        return om.Location(
            id=number,
            physical_location=place,
            message=message_object(message) if message else None,
        )

    def artifact(self, path: str) -> Any:
        """A file, by its path from the root where it is below it."""
        uri, relative = self.root.uri_of(path)
        return om.ArtifactLocation(uri=uri, uri_base_id=ROOT_ID if relative else None)
