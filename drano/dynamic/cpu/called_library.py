"""Functions that are called as they are: CUDA's mathematics library, in its own IR.

Means: the bodies of ``__nv_sinf`` and its kin come with the module. Once helpers replace the GPU
intrinsics, they are scalar functions that LLVM can inline and vectorise, with the GPU's own results
except in approximating instructions. ``__nvvm_reflect`` answers as nvcc does by default.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from drano.dynamic.cpu.errors import NOT_ON_THE_CPU
from drano.dynamic.cpu.helpers.lookup import has_helper
from drano.dynamic.cpu.ptx.asm import translate
from drano.dynamic.cpu.translated_text import SPACE, operand_type
from drano.dynamic.instrument.printed_instructions import inside_brackets, split_top
from drano.ir.llvm_text import unescape
from drano.ir.prepare.inlining import FunctionText
from drano.ptx.model import PtxError
from drano.support.errors import IRError

_REFLECTED = {"__CUDA_FTZ": 0, "__CUDA_PREC_SQRT": 1, "__CUDA_PREC_DIV": 1, "__CUDA_ARCH": 700}
_REFLECT = re.compile(r"call i32 @__nvvm_reflect\(ptr[^@]*@([-\w.$]+)[^)]*\)+")
_STRING = re.compile(r'@([-\w.$]+) = .*constant \[\d+ x i8\] c"([^"]*)\\00"')
_INTRINSIC = re.compile(r"@llvm\.nvvm\.([\w.]+)\(")
_METADATA = re.compile(r", ![\w.]+ !\d+")
_GROUP = re.compile(r" #\d+(?= |$|,)")
_ASM = re.compile(
    r"(?:tail )?call (?:\w+ )*?(\{[^}]*\}|<[^>]*>|\w+) asm (?:sideeffect )?"
    r'"([^"]*)", "([^"]*)"\('
)


def reflect_strings(rest: tuple[str, ...]) -> dict[str, str]:
    """The strings that a module holds, by the names of their variables."""
    return {match[1]: match[2] for line in rest if (match := _STRING.match(line))}


def library_function(
    path: str, text: FunctionText, strings: Mapping[str, str], assembly: dict[str, str]
) -> str:
    """The native definition of a function of the library; ``assembly`` grows by its PTX."""
    lines = [_header(text.header)]
    for line in text.body:
        if line.lstrip().startswith("#dbg_"):
            continue
        lines.append(_line(path, text.name, line, strings, assembly))
    return "\n".join([*lines, "}", ""])


def _header(header: str) -> str:
    return (
        _METADATA.sub("", _GROUP.sub("", SPACE.sub("", header.partition(" !dbg ")[0].rstrip("{ "))))
        + " {"
    )


def _line(
    path: str, function: str, line: str, strings: Mapping[str, str], assembly: dict[str, str]
) -> str:
    line = _GROUP.sub("", _METADATA.sub("", SPACE.sub("", line)))
    if "@__nvvm_reflect" in line:
        match = _REFLECT.search(line)
        answer = _REFLECTED.get(strings.get(match[1], "") if match else "")
        if match is None or answer is None:
            raise IRError(path, f"{NOT_ON_THE_CPU}: {line.strip()} in {function}")
        return line[: match.start()].removesuffix("tail ") + f"add i32 0, {answer}"
    for name in _INTRINSIC.findall(line):
        if not has_helper(f"drano.nvvm.{name}"):
            raise IRError(path, f"{NOT_ON_THE_CPU}: llvm.nvvm.{name} in {function}")
        line = line.replace(f"@llvm.nvvm.{name}(", f"@drano.nvvm.{name}(")
    match = _ASM.search(line)
    if match is None:
        return line.replace("addrspacecast", "bitcast")
    arguments = inside_brackets(line[match.end() - 1 :])
    result = match[1].split("noundef ")[-1].strip()
    types = [operand_type(argument) for argument in split_top(arguments)]
    template = unescape(match[2])
    key = "\0".join([template, match[3], result, *types])
    name = f"drano.asm.{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    try:
        assembly.setdefault(name, translate(name, template, match[3], result, types))
    except PtxError as error:
        raise IRError(path, f"{NOT_ON_THE_CPU}: {error.reason} in {function}") from None
    rest = f"call {result} @{name}(ptr null, i64 0, i32 0, {arguments})"
    return line[: match.start()] + rest
