"""Kernels of which the architecture that was compiled for, or a macro, leaves nothing.

``#if __CUDA_ARCH__ >= 1000`` or ``#ifdef HAVE_NVSHMEM`` around a kernel's code makes it vanish
without a word. A kernel is told of whose IR does nothing at all, while its text has a directive
between its braces.

Limits: the braces are found by a closing one at a line's start, as kernels are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from drano.ir.debug_nodes import debug_files, debug_functions
from drano.model.finding import Severity
from drano.model.report import Diagnostic

_KERNEL = re.compile(
    r"^define [^@\n]*\bptx_kernel [^@\n]*@[^\n]*!dbg !(\d+) \{$(.*?)^\}$", re.M | re.S
)
_IDLE = re.compile(
    r"\s*(?:;.*|[\w.$-]+:.*|%\S+ = alloca .*|store .* %\S+, ptr %\S+\.addr.*"
    r"|#dbg_.*|ret void.*|br label .*|call void @llvm\.dbg.*)?\Z"
)
_TARGET = re.compile(r'"target-cpu"="(\w+)"')
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:el)?if[^\n]*", re.MULTILINE)
_END = re.compile(rb"^\}", re.MULTILINE)


def empty_kernels(ir: str, read: Callable[[str], bytes]) -> tuple[Diagnostic, ...]:
    """A note for each kernel of a unit's IR that is empty there; ``read`` gives a file's text."""
    idle = [
        match[1] for match in _KERNEL.finditer(ir) if all(map(_IDLE.match, match[2].splitlines()))
    ]
    if not idle:
        return ()
    notes: dict[Diagnostic, None] = {}
    target = _TARGET.search(ir)
    arch = target[1] if target else "this architecture"
    functions, files = debug_functions(ir.split("\n")), debug_files(ir)
    for number in idle:
        kernel = functions.get(number)
        path = files.get(kernel.file) if kernel is not None else None
        if kernel is None or path is None or not kernel.line:
            continue
        directives = _directives(read(path), kernel.line)
        if directives:
            text = f"kernel {kernel.name} is empty for {arch}: {_reason(directives)}"
            notes[Diagnostic(path, kernel.line, 0, Severity.NOTE, text)] = None
    return tuple(notes)


def _reason(directives: list[bytes]) -> str:
    if any(b"__CUDA_ARCH__" in directive for directive in directives):
        return "its code targets other architectures (--cuda-gpu-arch)"
    first = directives[0].split(b"//")[0].split(b"/*")[0].decode("utf-8", "replace")
    return f"its code is under `{' '.join(first.split())[:80]}` (-D defines a macro)"


def _directives(text: bytes, line: int) -> list[bytes]:
    """The ``#if`` and their like between a line and the next closing brace at a line's start."""
    start = 0
    for _ in range(line - 1):
        start = text.find(b"\n", start) + 1
        if start == 0:
            return []
    end = _END.search(text, start)
    return _DIRECTIVE.findall(text, start, end.start() if end else len(text))
