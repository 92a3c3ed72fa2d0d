"""PTX as a unit: from a file of its own, or from the binaries that compilers put it into.

What is wrong with it is a diagnostic with the line of the PTX.
"""

from __future__ import annotations

import time

from drano.model.finding import Severity
from drano.model.report import Diagnostic
from drano.model.translation_unit import CompiledUnit
from drano.ptx import BinaryError, PtxError, ptx_in, translate, translate_all


def read_ptx(path: str, content: bytes, timeout: float) -> CompiledUnit:
    """Device IR of PTX text; ``timeout``: seconds."""
    start = time.monotonic()
    try:
        text = content.removesuffix(b"\0").decode("utf-8")
    except UnicodeDecodeError:
        return _failed(path, start, 0, "is not UTF-8 text")
    try:
        ir = translate(text, path, timeout)
    except PtxError as error:
        return _failed(path, start, error.line, error.reason)
    return CompiledUnit(path, ir, (path,), (), time.monotonic() - start)


def read_binary(path: str, content: bytes, timeout: float) -> CompiledUnit:
    """Device IR of the PTX in a binary; its modules are named ``app#1.sm_90.ptx``."""
    start = time.monotonic()
    try:
        entries = ptx_in(content)
        modules = [
            (f"{path}#{e.container + 1}.sm_{e.arch}.ptx", e.text.decode("utf-8")) for e in entries
        ]
        ir = translate_all(modules, timeout)
    except BinaryError as error:
        return _failed(path, start, 0, str(error))
    except UnicodeDecodeError:
        return _failed(path, start, 0, "its PTX is not UTF-8 text")
    except PtxError as error:
        return _failed(path, start, 0, f"line {error.line} of its PTX: {error.reason}")
    return CompiledUnit(path, ir, (path,), (), time.monotonic() - start)


def _failed(path: str, start: float, line: int, reason: str) -> CompiledUnit:
    diagnostic = Diagnostic(path, line, 0, Severity.ERROR, reason)
    return CompiledUnit(path, None, (path,), (diagnostic,), time.monotonic() - start)
