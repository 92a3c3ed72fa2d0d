"""What a compiler has made of a kernel's Python source, checked and reported as that source."""

from __future__ import annotations

import tempfile
from pathlib import Path

from msgspec.structs import replace

from drano.analysis.explain.source_expressions import reading
from drano.model.report import FileReport, Report
from drano.model.settings import Config
from drano.run.driver import check
from drano.support.regular_files import regular_or_empty

MAX_SOURCE = 64 << 20


def check_code(code: str, ending: str, source: str, config: Config) -> Report:
    """The report of ``code``, as of a file with that ``ending``, said of its ``source``."""
    content = regular_or_empty(source, MAX_SOURCE)
    given = {source: content} if content else {}
    texts = {path: text.decode("utf-8", "surrogateescape") for path, text in given.items()}
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        path = Path(name, f"kernel{ending}")
        path.write_text(code, encoding="utf-8")
        with reading(given):
            report = check([str(path)], config, texts=texts)
    return replace(report, files=tuple(_of_source(f, str(path), source) for f in report.files))


def _of_source(file: FileReport, path: str, source: str) -> FileReport:
    diagnostics = tuple(
        replace(found, path=source, line=0, column=0) if found.path == path else found
        for found in file.diagnostics
    )
    named = dict.fromkeys((source, *file.dependencies))
    named.pop(path, None)
    return replace(file, path=source, diagnostics=diagnostics, dependencies=tuple(named))
