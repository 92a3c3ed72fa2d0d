"""Comments that say with which types a Numba kernel is to be compiled, and how it is launched.

    # drano: numba void(float32[:, ::1], float32[::1], int32) block=32,8
    @cuda.jit
    def scale(x, out, n): ...

Means: a signature as Numba writes it, then ``block``, ``grid`` and ``arch``, each of which may be
left out. Only Numba knows which signatures there are.
"""

from __future__ import annotations

import ast
import re

from msgspec import Struct

MARKER = b"drano: numba"
_COMMENT = re.compile(r"^[ \t]*#[ \t]*drano:[ \t]*numba[ \t]+(\S.*)$", re.MULTILINE)
_OPTION = re.compile(r"\s+(block|grid|arch)=(\S+)\s*$", re.ASCII)
_DIM = re.compile(r"\d{1,10}(?:,\d{1,10}){0,2}")
_MAX_SIGNATURE = 1000


class NumbaRequest(Struct, frozen=True):
    """``line``: of the comment; ``problem``: why nothing can be compiled for it, or ""."""

    kernel: str
    line: int
    signature: str = ""
    block: tuple[int, ...] = ()
    grid: tuple[int, ...] = ()
    arch: str = ""
    problem: str = ""


def numba_requests(source: str, tree: ast.Module) -> tuple[NumbaRequest, ...]:
    """Those of a Python source, in order."""
    kernels: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(found.lineno for found in node.decorator_list)])
            kernels[first] = node.name
    found = []
    for match in _COMMENT.finditer(source):
        line = source.count("\n", 0, match.start(1)) + 1
        kernel = kernels.get(line + 1, "")
        problem = "" if kernel else "no function follows on the next line"
        found.append(_request(kernel, line, match[1].rstrip(), problem))
    return tuple(found)


def _request(kernel: str, line: int, text: str, problem: str) -> NumbaRequest:
    options: dict[str, str] = {}
    while (option := _OPTION.search(text)) is not None:
        text = text[: option.start()]
        options.setdefault(option[1], option[2])
    shapes = {name: options[name] for name in ("block", "grid") if name in options}
    for name, shape in shapes.items():
        if _DIM.fullmatch(shape) is None:
            problem = problem or f"{name}={shape} is not one to three numbers"
    if len(text) > _MAX_SIGNATURE:
        problem = problem or "its signature is too long"
    if problem:
        return NumbaRequest(kernel, line, problem=problem)
    dims = {name: tuple(map(int, shape.split(","))) for name, shape in shapes.items()}
    return NumbaRequest(kernel, line, text.strip(), dims.get("block", ()), dims.get("grid", ()),
                        options.get("arch", ""))  # fmt: skip
