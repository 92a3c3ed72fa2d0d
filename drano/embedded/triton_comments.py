"""Comments that say with which types a Triton kernel is to be compiled.

    # drano: triton x=*fp32 out=*fp32 n=i32:16 BLOCK=1024 num_warps=4
    @triton.jit
    def add(x, out, n, BLOCK: tl.constexpr): ...

Means: each parameter gets a type of Triton's, or, if what stands there is a number or ``True`` or
``False``, a value. ``num_warps``, ``num_stages`` and ``arch`` that are no parameters are options.
"""

from __future__ import annotations

import ast
import re

from msgspec import Struct

MARKER = b"drano: triton"
_COMMENT = re.compile(r"^[ \t]*#[ \t]*drano:[ \t]*triton[ \t]+(\S.*)$", re.MULTILINE)
_WORD = re.compile(r"([A-Za-z_]\w*)=(\S+)", re.ASCII)
_OPTIONS = frozenset({"num_warps", "num_stages", "arch"})
_INTEGER = re.compile(r"-?\d{1,18}")
_FLOAT = re.compile(r"-?\d+\.\d*(?:e-?\d+)?")
_VALUES = {"True": True, "False": False, "None": None}

Value = int | float | bool | None


class TritonRequest(Struct, frozen=True):
    """``line``: of the comment; ``problem``: why nothing can be compiled for it, or ""."""

    kernel: str
    line: int
    signature: tuple[tuple[str, str], ...] = ()
    constexprs: tuple[tuple[str, Value], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    problem: str = ""


def triton_requests(source: str, tree: ast.Module) -> tuple[TritonRequest, ...]:
    """Those of a Python source, in order."""
    kernels: dict[int, ast.FunctionDef] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(found.lineno for found in node.decorator_list)])
            kernels[first] = node
    found = []
    for match in _COMMENT.finditer(source):
        line = source.count("\n", 0, match.start(1)) + 1
        kernel = kernels.get(line + 1)
        if kernel is None:
            problem = "no function follows on the next line"
            found.append(TritonRequest("", line, problem=problem))
        else:
            found.append(_request(kernel, line, match[1].split()))
    return tuple(found)


def _request(kernel: ast.FunctionDef, line: int, words: list[str]) -> TritonRequest:
    given = kernel.args
    names = {argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    signature: list[tuple[str, str]] = []
    constexprs: list[tuple[str, Value]] = []
    options: list[tuple[str, str]] = []
    for word in words:
        match = _WORD.fullmatch(word)
        if match is None:
            problem = f"'{word}' is not NAME=TYPE or NAME=VALUE"
            return TritonRequest(kernel.name, line, problem=problem)
        name, value = match.groups()
        if name in _OPTIONS and name not in names:
            options.append((name, value))
        elif value in _VALUES:
            constexprs.append((name, _VALUES[value]))
        elif _INTEGER.fullmatch(value):
            constexprs.append((name, int(value)))
        elif _FLOAT.fullmatch(value):
            constexprs.append((name, float(value)))
        else:
            signature.append((name, value))
    return TritonRequest(kernel.name, line, tuple(signature), tuple(constexprs), tuple(options))
