"""The requests in a file that somebody has compiled, PTX or a binary with PTX or machine code, and
in what nvcc makes of a source.

PTX is read without any tool, and so it is preferred. Machine code is printed by nvdisasm, under
limits of time, memory and output.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from drano.confirm.judge import MachineCode
from drano.confirm.ptx_requests import has_lines, is_unoptimised, ptx_functions
from drano.confirm.requests import Code
from drano.confirm.sass_requests import sass_functions
from drano.frontend.nvcc import nvcc_ptx
from drano.frontend.sdk.tools import find_tool
from drano.model.report import Found
from drano.model.settings import CompileOptions
from drano.ptx import BinaryError, code_in, ptx_in
from drano.support.errors import IRError
from drano.support.input_files import InputKind, read_input
from drano.support.limited_process import run_limited

_MAX_PRINTED = 256 << 20
_LINEINFO = "has no line information: compile it with -lineinfo"


class Limits(Struct, frozen=True):
    """``tools``: the SDK whose programs are run, None: any that the user has; ``run``: whether any
    may be; ``timeout``: in seconds; ``memory``: in bytes.
    """

    tools: str | None = None
    run: bool = True
    timeout: float = 60.0
    memory: int = 8 << 30


def compiled_code(path: str, limits: Limits) -> MachineCode:
    """Raises IRError, one line, where the file cannot be used."""
    name = Path(path).name
    if Path(path).suffix.lower() == ".ptx":
        content = read_input(path, InputKind.PTX)
        return MachineCode(name, functions_of_ptx(path, content.decode("utf-8", "replace")))
    content = read_input(path, InputKind.BINARY)
    try:
        texts = [entry.text.decode("utf-8", "replace") for entry in ptx_in(content)]
    except BinaryError as no_ptx:
        texts, reason = [], str(no_ptx)
    if any(map(has_lines, texts)):
        whole = "\n".join(texts)
        if is_unoptimised(whole):
            raise IRError(path, "was compiled for a debugger (-G), without optimisation")
        return MachineCode(name, tuple(f for text in texts for f in ptx_functions(text)))
    try:
        modules = [entry.text for entry in code_in(content)]
    except BinaryError as damaged:
        raise IRError(path, str(damaged)) from None
    if not modules:
        raise IRError(path, f"its PTX {_LINEINFO}" if texts else reason)
    functions = tuple(f for module in modules for f in _disassembled(path, module, limits))
    if not functions:
        raise IRError(path, _LINEINFO)
    return MachineCode(name, functions)


def nvcc_code(nvcc: str, path: str, options: CompileOptions, found: Found) -> MachineCode:
    """What nvcc makes of the source: see ``nvcc_ptx``. Raises IRError, one line."""
    ptx = nvcc_ptx(nvcc, path, options, found)
    return MachineCode("nvcc's PTX", functions_of_ptx(path, ptx))


def functions_of_ptx(path: str, text: str) -> tuple[Code, ...]:
    """Of PTX text. Raises IRError where it says nothing of the source's lines."""
    if is_unoptimised(text):
        raise IRError(path, "was compiled for a debugger (-G), without optimisation")
    if not has_lines(text):
        raise IRError(path, _LINEINFO)
    return ptx_functions(text)


def _disassembled(path: str, module: bytes, limits: Limits) -> Iterator[Code]:
    if not limits.run:
        raise IRError(
            path, "holds no PTX with lines; --cubin has its machine code read by nvdisasm"
        )
    program = find_tool("nvdisasm", limits.tools)
    with tempfile.TemporaryDirectory(prefix="drano-") as directory:
        cubin = Path(directory, "module.cubin")
        cubin.write_bytes(module)
        done = run_limited(
            [program, "-c", "-gi", str(cubin)],
            timeout=limits.timeout,
            memory=limits.memory,
            file_size=_MAX_PRINTED,
            messages=_MAX_PRINTED,
        )
    if done.timed_out:
        raise IRError(path, f"nvdisasm took more than {limits.timeout:g} s")
    if done.status != 0:
        lines = done.stderr.splitlines() or ["failed"]
        raise IRError(path, f"nvdisasm: {lines[0]}"[:300])
    yield from sass_functions(done.stdout)
