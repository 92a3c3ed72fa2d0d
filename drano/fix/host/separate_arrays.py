"""Whether the arrays that a kernel is given are different ones: told from the host's side.

Means: ``separate`` is true where every launch of the kernel is in the unit, gives each of the
parameters a plain variable, two parameters never the same one, and all that the host's code does
with these variables is to declare them, allocate them with ``cudaMalloc``, copy, set and free them,
and pass them to kernels. Then each holds what one allocation gave it, or nothing.
Limits: read from the text. Variables that are members, parameters of functions, or the sum of a
pointer and a number are not known.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from drano.fix.host.calls import codes_of, launches
from drano.fix.source_tree import Body, Tree, same_file
from drano.frontend.libclang import Kind, is_kernel
from drano.frontend.text.cpp_lexer import NAME

_ALLOCATED: Final = re.compile(
    rb"\bcudaMalloc(?:Managed)?\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?&\s*\Z"
)
_PASSED: Final = re.compile(
    rb"\b(?:cudaFree|cudaMemcpy|cudaMemcpyAsync|cudaMemset|cudaMemsetAsync)\s*\(\s*"
    rb"(?:[^;{}()]*,\s*)?\Z"
)
_DECLARED: Final = re.compile(
    rb"(?:[;{}]|\A)\s*[\w:]+(?:\s+[\w:]+)*\s*\*\s*(?:[\w\s=*]+,\s*\*\s*)*\Z"
)
_AFTER_NAME: Final = re.compile(rb"\s*(?:=\s*(?:NULL|nullptr|0)\s*)?[;,]")


def separate(unit: Tree, body: Body, names: Collection[str]) -> bool:
    """Whether no two of the kernel's parameters of these names point to the same array."""
    order = [node.spelling for node in body.root.children if node.kind == Kind.PARM]
    kernel = body.root.spelling.encode()
    codes = codes_of(unit)
    found = launches(unit, codes)
    if found is None:
        return False
    spans: dict[str, list[tuple[int, int]]] = {path: [] for path in codes}
    given: list[list[bytes]] = []
    for launch in found:
        code = codes[launch.path]
        spans[launch.path].append((launch.start, launch.end))
        if launch.name == kernel:
            given.append([code[slice(*place)] for place in launch.arguments(code)])
    if not given or any(len(launch) != len(order) for launch in given):
        return False
    variables: set[bytes] = set()
    for arguments in given:
        passed = [arguments[order.index(name)] for name in names if name in order]
        if len(passed) != len(names) or len(set(passed)) != len(passed):
            return False
        variables |= set(passed)
    return all(
        NAME.fullmatch(variable) is not None and _is_only_allocated(unit, codes, spans, variable)
        for variable in variables
    )


def _is_only_allocated(
    unit: Tree,
    codes: dict[str, bytes],
    spans: dict[str, list[tuple[int, int]]],
    variable: bytes,
) -> bool:
    allocated = False
    extents = (f.cursor.extent for f in unit.declared.functions if is_kernel(f.cursor))
    kernels = [
        (str(extent.start.file.name), int(extent.start.offset), int(extent.end.offset))
        for extent in extents
        if extent.start.file is not None
    ]
    for path, code in codes.items():
        for match in re.finditer(rb"\b" + re.escape(variable) + rb"\b", code):
            if any(
                same_file(name, path) and start <= match.start() < end
                for name, start, end in kernels
            ):
                continue  # no kernel sees the host's variables
            before = code[max(match.start() - 300, 0) : match.start()]
            if _ALLOCATED.search(before):
                allocated = True
                continue
            if before.rstrip().endswith((b".", b"->", b"::")):
                continue  # a member of something else
            behind = code[match.end() : match.end() + 80].lstrip()[:1]
            if behind == b"[" and before.rstrip()[-1:] != b"*":
                continue
            launch = any(start <= match.start() < end for start, end in spans[path])
            alone = before.rstrip()[-1:] in {b"(", b","} and behind in {b",", b")"}
            if alone and (launch or _PASSED.search(before)):
                continue
            if not (_DECLARED.search(before) and _AFTER_NAME.match(code, match.end())):
                return False
    return allocated
