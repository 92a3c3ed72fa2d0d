"""PTX as a unit: from a file of its own, or from the binaries that compilers put it into.

What is wrong with it is a diagnostic with the line of the PTX.
"""

from __future__ import annotations

import contextlib
import os
import time

from drano.frontend.compiled.ptx_notes import PtxNotes, ptx_notes
from drano.frontend.failed_unit import failed
from drano.frontend.text.kernel_parameters import parameter_names
from drano.model.source_files import source_files
from drano.model.symbols import plain_symbol
from drano.model.translation_unit import CompiledUnit
from drano.ptx import BinaryError, NamesOf, PtxError, ptx_in, translate, translate_all
from drano.support.errors import IRError
from drano.support.input_files import InputKind, read_input


def read_ptx(path: str, content: bytes, timeout: float) -> CompiledUnit:
    """Device IR of PTX text; ``timeout``: seconds."""
    start = time.monotonic()
    try:
        text = content.removesuffix(b"\0").decode("utf-8")
    except UnicodeDecodeError:
        return failed(path, start, "is not UTF-8 text")
    notes = ptx_notes(text, path)
    try:
        ir = translate(text, path, timeout, _names_near(path, notes))
    except PtxError as error:
        return failed(path, start, error.reason, error.line)
    return CompiledUnit(
        path, ir, (path,), (), time.monotonic() - start,
        launches=notes.launches, language=notes.language,
    )  # fmt: skip


def read_binary(path: str, content: bytes, timeout: float) -> CompiledUnit:
    """Device IR of the PTX in a binary; its modules are named ``app#1.sm_90.ptx``."""
    start = time.monotonic()
    try:
        entries = ptx_in(content)
        modules = [
            (f"{path}#{e.container + 1}.sm_{e.arch}.ptx", e.text.decode("utf-8")) for e in entries
        ]
        ir = translate_all(modules, timeout, _names_near(path))
    except BinaryError as error:
        return failed(path, start, str(error))
    except UnicodeDecodeError:
        return failed(path, start, "its PTX is not UTF-8 text")
    except PtxError as error:
        return failed(path, start, f"line {error.line} of its PTX: {error.reason}")
    return CompiledUnit(path, ir, (path,), (), time.monotonic() - start)


def _names_near(path: str, notes: PtxNotes | None = None) -> NamesOf:
    """How to find what kernels call their parameters: in notes, in sources that may be shown."""
    allowed = source_files([path])
    texts: dict[str, bytes] = {}

    def names(source: str, symbol: str, line: int, count: int) -> tuple[str, ...] | None:
        told = notes.names(symbol, count) if notes else None
        if told is not None or not source:
            return told
        source = os.path.join(os.path.dirname(path), source)
        if source not in texts:
            texts[source] = b""
            if source in allowed:
                with contextlib.suppress(IRError):
                    texts[source] = read_input(source, InputKind.CUDA)
        return parameter_names(texts[source], plain_symbol(symbol), line, count)

    return names
