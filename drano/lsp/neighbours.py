"""Launches that the files of the workspace show of each other's kernels, and device code that they
have of each other.

Of every file that was analysed since the server began, what it shows is remembered, also when it is
no longer open. Where that changes what is known of another file's kernels, that file is analysed
again.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from drano.model.report import FileReport
from drano.run.other_units.told_elsewhere import told_elsewhere


class Neighbours(Struct):
    """``shown``: for each file the launches of its kernels elsewhere, as text."""

    shown: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _reports: dict[str, FileReport] = field(default_factory=dict)
    _seen: object = None

    def analysed(self, report: FileReport, texts: Mapping[str, str]) -> list[str]:
        """Remember what a file shows; files whose kernels are launched otherwise than they were
        analysed for. ``texts``: of the files that are open.
        """
        self._reports[report.path] = replace(report, accesses=(), findings=(), diagnostics=())
        return self._compared(texts)

    def forget(self, path: str, texts: Mapping[str, str]) -> list[str]:
        """What was remembered of a file is no longer so; as ``analysed``."""
        self._reports.pop(path, None)
        return self._compared(texts)

    def _compared(self, texts: Mapping[str, str]) -> list[str]:
        parts = {name for r in self._reports.values() for name in r.dependencies if name != r.path}
        units = {path: report for path, report in self._reports.items() if path not in parts}
        calls = any(report.open_functions or report.open_variables for report in units.values())
        seen = [
            (path, report.shown, [(k.symbol, k.launch_sites) for k in report.kernels],
             report.open_functions, report.open_variables,
             report.lacks, report.offers, report.given,
             texts.get(path) if calls or not report.host_read else None)
            for path, report in sorted(units.items())
        ]  # fmt: skip
        if seen == self._seen:
            return []
        before, self._seen = self.shown, seen
        self.shown = told_elsewhere(units, texts)
        paths = before.keys() | self.shown.keys()
        return sorted(path for path in paths if before.get(path) != self.shown.get(path))
