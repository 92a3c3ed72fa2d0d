"""Accesses on their way to JSON Lines: written down as their units come, and kept on disk until the
report is whole, so that a run of thousands of files takes the memory of one.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from typing import IO

from msgspec import Struct, field

from drano.model.report import FileReport, Report
from drano.output.formats.json import access_line

_DIGEST_BYTES = 16


def _file() -> IO[bytes]:
    return tempfile.TemporaryFile()


class AccessSpool(Struct):
    """The lines of each file's accesses, in a file that nobody else sees."""

    _lines: IO[bytes] = field(default_factory=_file)
    _places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def kept(self, file: FileReport) -> FileReport:
        """The report without its accesses, which are written down. Of one file the last counts."""
        start = self._lines.seek(0, 2)
        for access in file.accesses:
            self._lines.write(access_line(access).encode())
        self._places[file.path] = start, self._lines.tell() - start
        return file.without_accesses

    def lines(self, report: Report) -> Iterator[str]:
        """Those of the report's files, in its order, each once though several include a header."""
        seen: set[bytes] = set()
        for file in report.files:
            start, left = self._places.get(file.path, (0, 0))
            self._lines.seek(start)
            while left > 0:
                line = self._lines.readline()
                left -= len(line)
                digest = hashlib.blake2b(line, digest_size=_DIGEST_BYTES).digest()
                if digest not in seen:
                    seen.add(digest)
                    yield line.decode()
