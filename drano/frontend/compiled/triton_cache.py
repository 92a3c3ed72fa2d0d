"""Kernels that Triton has compiled: its ``.llir``, and what its ``.ttgir`` knows besides.

Means: Triton's LLVM IR (the file ``NAME.llir`` of a cache directory) is device IR without names of
parameters, and without what they were specialised for. Both are in the module before it, in
``NAME.ttgir`` beside it; they are handed on in an attribute of the kernel, ``drano.parameters``,
one word a parameter: ``x`` or, for what is a multiple of 16, ``n:16``.
Assumptions: the two files are of one kernel. Where the second is missing or not understood,
nothing is known of parameters.
Limits: the source that the lines are of is shown if it is a ``.py`` file below the working
directory: a cache may have come from anywhere.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from drano.frontend.compiled.triton_layouts import with_layouts
from drano.support.regular_files import regular_or_empty

SUFFIX: Final = ".llir"
_MAX_BYTES: Final = 64 << 20
_FUNCTION = re.compile(r"tt\.func public @([\w$.-]+)\(")
_PARAMETER = re.compile(
    r"\s*%([\w$.-]+): ([^{(),]*?)\s*(?:\{([^{}]*)\}\s*)?"
    r'(?:loc\((?:"(\w+)"|(#\w+)|[^()]*)(?:\(#\w+\))?\)\s*)?(?=[,)])'
)
_DIVISIBLE = re.compile(r"tt\.divisibility = (\d+)")
_NAMED = re.compile(r'^(#\w+) = loc\("(\w+)"', re.MULTILINE)
_DEFINITION = re.compile(r"^define (?:ptx_kernel )?void @([\w$.-]+)\(.*\{$", re.MULTILINE)
_POINTER = re.compile(r"!tt\.ptr<([a-z]+)(\d+)")
_FILE = re.compile(r'!DIFile\(filename: "([^"\\]*)", directory: "([^"\\]*)"')
_CONSTANT = re.compile(
    r"(?<![\w.%@$\"])(?:f0x([0-9A-F]{16}|[0-9A-F]{8}|[0-9A-F]{4})|([-+])(inf|qnan))(?![\w\"(])"
)
_FLOATS = re.compile(r"\b(half|bfloat|float|double)\b")
_SPECIAL: Final = {
    "half": {"inf": "7C00", "qnan": "7E00"},
    "bfloat": {"inf": "7F80", "qnan": "7FC0"},
    "float": {"inf": "7F800000", "qnan": "7FC00000"},
    "double": {"inf": "7FF0000000000000", "qnan": "7FF8000000000000"},
}
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Parameter(Struct, frozen=True):
    """``multiple``: of integers, a number that it is a multiple of, of pointers, the bytes that it
    is aligned to, if that is less than Triton asks for; 1 where nothing is known.
    """

    name: str
    multiple: int = 1

    def __str__(self) -> str:
        return self.name if self.multiple == 1 else f"{self.name}:{self.multiple}"


def described(text: str, path: str) -> str:
    """The module with what is known of its kernels' parameters, in the syntax of our LLVM."""
    beside = Path(path).with_suffix(".ttgir")
    module = regular_or_empty(str(beside), _MAX_BYTES).decode("utf-8", "replace")
    return with_parameters(with_old_constants(text), module)


def with_old_constants(text: str) -> str:
    """Floating-point numbers as LLVM 22 writes them: Triton's LLVM is newer.

    >>> with_old_constants("fmul float %a, f0x3FB8AA3B")
    'fmul float %a, 0x3FF7154760000000'
    """
    return _CONSTANT.sub(_old_constant, text)


def _old_constant(match: re.Match[str]) -> str:
    """By the type that was named last on its line, of which a vector's elements are."""
    line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
    types = _FLOATS.findall(line)
    if not types:
        return match[0]
    digits = match[1] or _SPECIAL[types[-1]][match[3]]
    if match[2] == "-":
        digits = f"{int(digits[0], 16) | 8:X}{digits[1:]}"
    if types[-1] in ("half", "bfloat"):
        return f"0x{'H' if types[-1] == 'half' else 'R'}{digits}"
    if len(digits) == 16:
        return f"0x{digits}"
    single = struct.unpack(">f", bytes.fromhex(digits))[0]
    return f"0x{struct.pack('>d', single).hex().upper()}"


def with_parameters(text: str, module: str, names: Sequence[str] = ()) -> str:
    """The same of a ``.ttgir`` that is given, and the layouts of accesses. ``names``: of the
    parameters of its one kernel.
    """
    known = parameters_of(module)
    for kernel, given in known.items() if names else ():
        if len(given) == len(names):
            known[kernel] = tuple(map(Parameter, names, (p.multiple for p in given)))

    def told(match: re.Match[str]) -> str:
        given = known.get(match[1])
        if given is None:
            return match[0]
        words = " ".join(map(str, given))
        head, debug, rest = match[0].partition(" !dbg ")
        if not debug:
            head, rest = match[0][:-2], " {"
        return f'{head} "drano.parameters"="{words}"{debug}{rest}'

    return with_layouts(_DEFINITION.sub(told, text), module)


def parameters_of(module: str) -> dict[str, tuple[Parameter, ...]]:
    """Of each kernel of a ``.ttgir``, its parameters in order."""
    names = dict(_NAMED.findall(module))
    found: dict[str, tuple[Parameter, ...]] = {}
    for match in _FUNCTION.finditer(module):
        parameters = _parameters(module, match.end(), names)
        if parameters is not None:
            found[match[1]] = parameters
    return found


def _parameters(module: str, at: int, names: dict[str, str]) -> tuple[Parameter, ...] | None:
    found: list[Parameter] = []
    while not module.startswith(")", at):
        match = _PARAMETER.match(module, at)
        if match is None:
            return None
        own, type_, attributes, quoted, place = match.groups()
        name = quoted or names.get(place or "", own)
        if not _IDENTIFIER.fullmatch(name):
            name = own if _IDENTIFIER.fullmatch(own) else f"argument{len(found)}"
        found.append(Parameter(name, _multiple(type_, attributes or "")))
        at = match.end()
        if module.startswith(",", at):
            at += 1
    return tuple(found)


def _multiple(type_: str, attributes: str) -> int:
    divisible = _DIVISIBLE.search(attributes)
    number = int(divisible[1]) if divisible else 1
    pointer = _POINTER.search(type_)
    if pointer is None:
        return number
    # Aligned pointers are what allocations give, whose alignment the settings say.
    return 1 if number >= 16 else max(int(pointer[2]) // 8, 1)


def at_source(llir: str, kernel: str, path: str) -> str:
    """The module with the kernel's lines in the file ``path``: Triton's cache may have it from a
    copy of that file, as it tells kernels by their text and line alone.
    """
    program = re.search(rf'!DISubprogram\(name: "{re.escape(kernel)}", .*\bfile: (!\d+)', llir)
    if program is None or not path or '"' in path or "\\" in path:
        return llir
    folder, name = os.path.split(path)
    node = re.compile(rf"^{program[1]} = !DIFile\(.*\)$", re.MULTILINE)
    return node.sub(
        lambda _match: f'{program[1]} = !DIFile(filename: "{name}", directory: "{folder}")', llir
    )


def python_files(text: str) -> tuple[str, ...]:
    """All ``.py`` files that a module names."""
    found = dict.fromkeys(os.path.join(d, f) for f, d in _FILE.findall(text))
    return tuple(path for path in found if path.endswith(".py"))


def sources_of(text: str, path: str) -> tuple[str, ...]:
    """What a module's analysis depends on besides itself: Python sources, the ``.ttgir``."""
    beside = str(Path(path).with_suffix(".ttgir"))
    return (*python_sources(text), *([beside] if os.path.isfile(beside) else ()))


def python_sources(text: str) -> tuple[str, ...]:
    """The Python sources that a module's lines are of, as far as they may be read."""
    top = os.path.realpath(os.getcwd())
    return tuple(
        path
        for path in python_files(text)
        if os.path.realpath(path).startswith(top.rstrip("/") + "/")
    )
