"""Functions that are called as they are: CUDA's mathematics library, in its own IR.

Means: the bodies of ``__nv_sinf`` and its kin come with the module; with GPU intrinsics replaced
by helpers they are scalar functions that LLVM may inline and vectorise, with the GPU's own
results up to the approximating instructions. ``__nvvm_reflect`` answers as nvcc does by default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from drano.dynamic.simt.helpers import has_helper
from drano.dynamic.simt.texts import SPACE
from drano.ir.errors import IRError
from drano.ir.inlining import FunctionText

_REFLECTED = {"__CUDA_FTZ": 0, "__CUDA_PREC_SQRT": 1, "__CUDA_PREC_DIV": 1, "__CUDA_ARCH": 700}
_REFLECT = re.compile(r"call i32 @__nvvm_reflect\(ptr[^@]*@([-\w.$]+)[^)]*\)+")
_STRING = re.compile(r'@([-\w.$]+) = .*constant \[\d+ x i8\] c"([^"]*)\\00"')
_INTRINSIC = re.compile(r"@llvm\.nvvm\.([\w.]+)\(")
_METADATA = re.compile(r", ![\w.]+ !\d+")
_GROUP = re.compile(r" #\d+(?= |$|,)")
_ASM = re.compile(r"\basm ")


def reflect_strings(rest: tuple[str, ...]) -> dict[str, str]:
    """The strings that a module holds, by the names of their variables."""
    return {match[1]: match[2] for line in rest if (match := _STRING.match(line))}


def library_function(path: str, text: FunctionText, strings: Mapping[str, str]) -> str:
    """The native definition of a function of the library."""
    lines = [_header(text.header)]
    for line in text.body:
        if line.lstrip().startswith("#dbg_"):
            continue
        lines.append(_line(path, text.name, line, strings))
    return "\n".join([*lines, "}", ""])


def _header(header: str) -> str:
    return (
        _METADATA.sub("", _GROUP.sub("", SPACE.sub("", header.partition(" !dbg ")[0].rstrip("{ "))))
        + " {"
    )


def _line(path: str, function: str, line: str, strings: Mapping[str, str]) -> str:
    line = _GROUP.sub("", _METADATA.sub("", SPACE.sub("", line)))
    if "@__nvvm_reflect" in line:
        match = _REFLECT.search(line)
        answer = _REFLECTED.get(strings.get(match[1], "") if match else "")
        if match is None or answer is None:
            raise IRError(path, f"not supported on the CPU: {line.strip()} in {function}")
        return line[: match.start()].removesuffix("tail ") + f"add i32 0, {answer}"
    for name in _INTRINSIC.findall(line):
        if not has_helper(f"drano.nvvm.{name}"):
            raise IRError(path, f"not supported on the CPU: llvm.nvvm.{name} in {function}")
        line = line.replace(f"@llvm.nvvm.{name}(", f"@drano.nvvm.{name}(")
    return line.replace("addrspacecast", "bitcast")
