"""The macros that a Python program defines when it compiles CUDA code itself, as with PyTorch's
``load(sources=…, extra_cuda_cflags=[f"-DWIDTH={WIDTH}"])``. Nothing is run.

Means: texts with a value from a variable. Assumption: of several whole numbers that the program
assigns to the variable, as one for a test and one for use, the largest is meant. Limits: values
that it computes or is given are not known; variables have no scopes.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import Final

_MOST_NAMES: Final = 8
_LARGEST: Final = 1 << 32
_FLAG: Final = re.compile(r"(?<![\w-])-D ?([A-Za-z_]\w*)=\Z")


def python_flags(text: str) -> Iterator[tuple[str, str]]:
    r"""Names and values of the macros that a program defines by its variables.

    >>> list(python_flags("N = 4\nif big: N = 64\nflags = ['-O3', f'-DWIDTH={N}']"))
    [('WIDTH', '64')]
    """
    if "-D" not in text:
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    assigned: dict[str, list[ast.expr]] = {}
    for node in nodes:
        for name, value in _assignments(node):
            assigned.setdefault(name, []).append(value)
    for node in nodes:
        for name, variable in _flags(node):
            sizes = _sizes(variable, assigned)
            if sizes:
                yield name, str(max(sizes))


def _flags(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Macros and the variables that are their values, of an f-string."""
    if not isinstance(node, ast.JoinedStr):
        return
    parts = [*node.values, ast.Constant(" ")]
    for text, value, after in zip(parts, parts[1:], parts[2:], strict=False):
        flag = _FLAG.search(_text(text))
        whole = not _text(after)[:1].strip()
        if flag is None or not whole or not isinstance(value, ast.FormattedValue):
            continue
        if isinstance(value.value, ast.Name) and value.format_spec is None:
            yield flag[1], value.value.id


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "?"


def _assignments(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """``A = 1`` and ``A, B = 1, 2``."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        yield from _pairs(node.target, node.value)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _pairs(target, node.value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, part in zip(target.elts, value.elts, strict=False):
            if isinstance(one, ast.Name):
                yield one.id, part


def _sizes(variable: str, assigned: dict[str, list[ast.expr]]) -> set[int]:
    """The whole numbers that a variable is assigned, itself or by way of others."""
    names, sizes = [variable], set[int]()
    for name in names:
        for value in assigned.get(name, ()):
            if isinstance(value, ast.Name) and value.id not in names and len(names) < _MOST_NAMES:
                names.append(value.id)
            elif isinstance(value, ast.Constant) and type(value.value) is int:
                sizes |= {value.value} if value.value < _LARGEST else set()
    return sizes
