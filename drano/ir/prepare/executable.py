"""What only NVPTX's back end knows, written as others know it: for who executes optimised code.

It moves structures that are given by value into a space of parameters (PTX ISA, "Parameter State
Space"), which nothing but a kernel on a GPU has: they are in the generic space again. And it makes
one wide load of neighbours with a gap between, of which a mask leaves the gap out: what is loaded
there is not used, and in the same aligned piece of memory.
Limits: stores with a gap stay as they are.
"""

from __future__ import annotations

import re
from typing import Final

_SPACE: Final = "ptr addrspace(101)"
_WRAPPED = re.compile(
    r"(?:tail )?call [^@\n]*@llvm\.nvvm\.internal\.addrspace\.wrap\.p101\.p0"
    r"\(ptr (?:\w+ )*(%\"[^\"]*\"|%[-\w.$]+)\)"
)
_DECLARED = re.compile(r"^declare .*@llvm\.nvvm\.internal\.addrspace\.wrap\.p101\.p0\(.*$", re.M)

_MASKED = re.compile(
    r"(?:tail )?call (<[^>\n]*>) @llvm\.masked\.load\.\S+?"
    r"\((ptr(?: addrspace\(\d+\))?) align (\d+) "
    r"([^\n]*?), <\d+ x i1> <[^>\n]*>, <[^>\n]*> poison\)[ \t]*(?:#\d+)?(.*)"
)
_ONE_SPACE = re.compile(r"addrspacecast (ptr (?!addrspace)\S+ to ptr)(?! addrspace)")


def executable(text: str) -> str:
    """The module as back ends of other machines take it."""
    if "@llvm.masked.load." in text:
        text = _MASKED.sub(_whole_load, text)
    if _SPACE not in text:
        return text
    text = _DECLARED.sub("", text)
    text = _WRAPPED.sub(r"bitcast ptr \1 to ptr", text)
    return _ONE_SPACE.sub(r"bitcast \1", text.replace(_SPACE, "ptr"))


def _whole_load(match: re.Match[str]) -> str:
    type_, space, align, pointer, rest = match.groups()
    return f"load {type_}, {space} {pointer}, align {align}{rest}"
