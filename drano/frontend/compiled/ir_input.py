"""LLVM IR as a unit: text is read, bitcode disassembled first."""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace

from drano.frontend.compiled import triton_cache
from drano.frontend.compiled.ptx_notes import PtxNotes, ptx_notes
from drano.frontend.failed_unit import failed
from drano.model.settings import CompileOptions
from drano.model.translation_unit import CompiledUnit
from drano.support.input_files import MAX_IR_BYTES
from drano.support.limited_process import run_limited

_TRIPLE = re.compile(r'^target triple = "([^"]*)"', re.MULTILINE)
_DISASSEMBLE = """
import sys, llvmlite.binding as llvm
with open(sys.argv[1], "rb") as file:
    module = llvm.parse_bitcode(file.read())
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(str(module))
"""


def read_ir(path: str, content: bytes, start: float) -> CompiledUnit:
    """LLVM IR as it is, of Triton's with what is written beside it."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return failed(path, start, "is not UTF-8 text")
    triple = _TRIPLE.search(text)
    if triple is not None and not triple[1].startswith("nvptx"):
        return failed(path, start, f"is not device IR: its target is '{triple[1]}'")
    sources: tuple[str, ...] = ()
    notes = PtxNotes()
    if path.endswith(triton_cache.SUFFIX):
        notes = ptx_notes(text, path)
        text, sources = triton_cache.described(text, path), triton_cache.sources_of(text, path)
    return CompiledUnit(
        path, text, (path, *sources), (), time.monotonic() - start,
        launches=notes.launches, language=notes.language,
    )  # fmt: skip


def read_bitcode(path: str, content: bytes, options: CompileOptions, start: float) -> CompiledUnit:
    """Bitcode as IR, read in a process of its own: LLVM's reader aborts on some damaged files."""
    with tempfile.TemporaryDirectory(prefix="drano-") as name:
        source, target = Path(name) / "unit.bc", Path(name) / "unit.ll"
        source.write_bytes(content)
        arguments = [sys.executable, "-c", _DISASSEMBLE, str(source), str(target)]
        completed = run_limited(
            arguments, timeout=options.timeout, memory=options.memory, file_size=MAX_IR_BYTES
        )
        if completed.timed_out:
            unit = failed(path, start, "LLVM took too long to read this bitcode")
            return replace(unit, timed_out=True)
        if completed.status != 0:
            return failed(path, start, "is not bitcode readable by this LLVM version")
        text = target.read_bytes()
    return read_ir(path, text, start)
