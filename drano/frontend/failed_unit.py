"""Units of which there is no IR."""

from __future__ import annotations

import time

from msgspec.structs import replace

from drano.model.finding import Severity
from drano.model.report import Diagnostic
from drano.model.settings import CompileOptions
from drano.model.translation_unit import CompiledUnit


def failed(path: str, start: float, reason: str, line: int = 0) -> CompiledUnit:
    """A unit with one error; ``start``: when it was begun, in monotonic seconds."""
    diagnostic = Diagnostic(path, line, 0, Severity.ERROR, reason)
    return CompiledUnit(path, None, (path,), (diagnostic,), time.monotonic() - start)


def timed_out(path: str, options: CompileOptions, start: float, stuck: str = "") -> CompiledUnit:
    """A unit that clang had not compiled in its time; ``stuck``: where it hung, if known."""
    unit = failed(path, start, f"clang {stuck or f'took more than {options.timeout:g} s'}")
    return replace(unit, timed_out=True)
