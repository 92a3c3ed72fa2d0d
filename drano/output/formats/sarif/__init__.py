"""SARIF 2.1.0, for GitHub's code scanning and every other viewer of that format.

A pure function of the report, the source lines, and the root that paths are relative to; the same
input gives the same bytes: no times, no random ids. Objects are ``sarif_om``'s, which knows the
format's names and defaults; nothing outside this package knows ``sarif_om``.

Choices where the standard leaves some: columns count UTF-16 code units; a result has one location
of one line; several call paths, instances and launches of a line are one result with its
``occurrenceCount``; places are linked from the message, as GitHub shows only those; code flows are
inline. GitHub takes 5,000 results: the rest, by rank, is left out, and a notification says so.
"""

from __future__ import annotations

from drano.output.formats.sarif.log import MAX_RESULTS, render_sarif
from drano.output.formats.sarif.standings import Standing, Suppression

__all__ = ["MAX_RESULTS", "Standing", "Suppression", "render_sarif"]
