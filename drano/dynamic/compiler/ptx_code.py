"""PTX in the place of a unit's own device code: ``drano cc main.cu kernel.ptx``.

Means: host code, and with it launches and their arguments, is the source's; kernels, and what they
call and keep in variables, are those of the PTX that has kernels of these names, whatever compiler
made it. Lines are those that the PTX names, or its own.
Assumptions: the kernels' parameters are those that the host code passes.
Limits: a unit has all of its kernels from PTX or none; the driver's ``cuModuleLoad`` is not there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from msgspec.structs import replace

from drano.model.symbols import plain_symbol
from drano.model.translation_unit import CompiledUnit
from drano.ptx import PtxError, translate_all
from drano.support.errors import IRError
from drano.support.input_files import InputKind, read_input

_KERNEL = re.compile(r'^define [^@\n]*\bptx_kernel\b[^@\n]*@"?([\w.$]+)', re.MULTILINE)
_ENTRY = re.compile(r"\.entry\s+([\w$]+)")


def with_ptx(
    unit: CompiledUnit, paths: Sequence[str], timeout: float, *, only: bool
) -> CompiledUnit:
    """The unit with its kernels from the files ``paths``, as far as these have any of them.

    ``only``: no other unit's kernels can be meant. Raises IRError.
    """
    assert unit.ir is not None
    own = set(_KERNEL.findall(unit.ir))
    texts = {path: _text(path) for path in paths}
    entries = {path: set(_ENTRY.findall(text)) for path, text in texts.items()}
    chosen = [path for path in paths if own & entries[path]]
    if not chosen and only:
        raise IRError(paths[0], f"has none of the kernels that {unit.path} defines")
    if not chosen:
        return unit
    missing = sorted(own.difference(*(entries[path] for path in chosen)))
    if missing:
        name = plain_symbol(missing[0])
        raise IRError(chosen[0], f"has no kernel {name}, which {unit.path} defines")
    ir = _translated([(os.path.abspath(path), texts[path]) for path in chosen], timeout)
    return replace(unit, ir=ir, dependencies=tuple(dict.fromkeys((*unit.dependencies, *chosen))))


def _text(path: str) -> str:
    try:
        return read_input(path, InputKind.PTX).removesuffix(b"\0").decode("utf-8")
    except UnicodeDecodeError:
        raise IRError(path, "is not UTF-8 text") from None


def _translated(modules: Sequence[tuple[str, str]], timeout: float) -> str:
    try:
        return translate_all(modules, timeout)
    except PtxError as error:
        named = ", ".join(path for path, _ in modules)
        raise IRError(named, f"line {error.line}: {error.reason}") from None
