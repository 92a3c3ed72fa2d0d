"""``--watch``: checks again whenever a file changes that the last report depended on.

Files are watched by the optional package ``watchfiles``. Unchanged units come from the cache.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path

from drano.config.config_file import FILE_NAME, PROJECT_FILE
from drano.model.report import Report
from drano.model.system_headers import is_system_header
from drano.run.found_sources import UNIT_SUFFIXES


class WatchError(Exception):
    """``str()`` is one line: why nothing can be watched."""


def watch(paths: Iterable[str], check: Callable[[], tuple[Report, int]]) -> int:
    """Call ``check`` now and after each change, until interrupted; its last status."""
    try:
        import watchfiles  # noqa: PLC0415 - optional
    except ImportError:
        raise WatchError("--watch needs a package: pip install 'drano[watch]'") from None
    given = [Path(path) for path in paths]
    status = 0
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            report, status = check()
            files = _files(report)
            folders = _folders(given, files)

            def concerns(_change: object, path: str, files: frozenset[str] = files) -> bool:
                name = Path(path).name
                return path in files or name in {FILE_NAME, PROJECT_FILE} or _is_source(name)

            for _ in watchfiles.watch(
                *folders, watch_filter=concerns, debounce=200, raise_interrupt=True
            ):
                break
    return status


def _is_source(name: str) -> bool:
    return name.endswith(UNIT_SUFFIXES) and not name.startswith(".")


def _files(report: Report) -> frozenset[str]:
    """All of the user's files that the report depends on."""
    return frozenset(
        path
        for file in report.files
        for path in (file.path, *file.dependencies, *file.host_dependencies)
        if not is_system_header(path)
    )


def _folders(given: Iterable[Path], files: Iterable[str]) -> list[Path]:
    """Directories to watch, without those below another one."""
    wanted = {path if path.is_dir() else path.absolute().parent for path in given}
    wanted |= {Path(path).parent for path in files}
    present = sorted(path.absolute() for path in wanted if path.is_dir())
    kept: list[Path] = []
    for path in present:
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept
