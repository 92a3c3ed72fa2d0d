"""Units with errors, compiled, and the kernels that errors cost."""

from __future__ import annotations

import re
from pathlib import Path

from drano.frontend.clang import compile_unit
from drano.model.settings import CompileOptions
from drano.model.translation_unit import CompiledUnit

KERNEL = re.compile(r"^define [^@]*ptx_kernel [^@]*@([\w$.]+)", re.MULTILINE)


def compiled(tmp_path: Path, source: str) -> CompiledUnit:
    path = tmp_path / "unit.cu"
    path.write_text(source)
    unit = compile_unit(str(path), CompileOptions(), partial=True)
    assert unit.ir is not None, unit.diagnostics
    return unit


def kernels(unit: CompiledUnit) -> set[str]:
    assert unit.ir is not None
    return set(KERNEL.findall(unit.ir))


def lost(unit: CompiledUnit) -> dict[str, str]:
    return {kernel.kernel: kernel.cause.message for kernel in unit.not_analysed}
