"""The expression of a Numba access as its author wrote it: ``x[row, column]``.

Numba gives an access its line, and its PTX the array. Of the subscripts on that line, the one of
this array that is read, or written, is the access, if there is only one; of an array that has
another name there (a device function's parameter), the line's only one. An atomic's are the first
two arguments of the call.
Limits: of several that would fit, none is named; a file that is no Python, or larger than
``MAX_BYTES``, has no expressions.
"""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.explain.source_expressions import plain, source_lines
from drano.model.access import Access, AccessKind

MAX_BYTES = 4 << 20
_MAX_TEXT = 100
_SHARED = "_cudapy_smem"


class Subscript(Struct, frozen=True):
    """``start`` and ``end``: columns from 1, of bytes, the end behind it, both on ``line``."""

    array: str
    text: str
    line: int
    last: int
    start: int
    end: int
    read: bool = False
    written: bool = False
    atomic: bool = False

    def suits(self, kind: AccessKind) -> bool:
        """Whether it makes accesses of that kind."""
        wanted = {
            AccessKind.LOAD: self.read, AccessKind.STORE: self.written,
            AccessKind.ATOMIC: self.atomic,
        }  # fmt: skip
        return wanted.get(kind, True)


def with_subscripts(access: Access) -> Access:
    """The access with the expression of its source, where that can be told."""
    span, array = access.location.span, access.judgement.array
    if access.index_text or not span.path.endswith(".py"):
        return access
    here = [
        found for found in _subscripts(source_lines(span.path))
        if found.line <= span.line <= found.last and found.suits(access.kind)
    ]  # fmt: skip
    own = [found for found in here if found.array == array]
    texts = {found.text for found in own or here}
    if len(texts) != 1:
        return access
    found = (own or here)[0]
    inside = found.line == span.line
    judgement = access.judgement
    if array.startswith(_SHARED):
        judgement = replace(judgement, array=found.array)
    return replace(
        access, index_text=found.text, judgement=judgement,
        start_column=found.start if inside else access.start_column,
        end_column=found.end if inside else access.end_column,
    )  # fmt: skip


@lru_cache(maxsize=16)
def _subscripts(lines: tuple[str, ...]) -> tuple[Subscript, ...]:
    """All of a source, in order."""
    content = "\n".join(lines).encode("latin-1")
    if len(content) > MAX_BYTES:
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    updated = {node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
    inner = {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.Subscript)
    }
    found = [
        _subscript(node, lines, updated=node in updated)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Subscript) and node not in inner
    ]
    found += [_atomic(node, lines) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return tuple(f for f in found if f is not None)


def _subscript(
    node: ast.Attribute | ast.Subscript, lines: tuple[str, ...], *, updated: bool
) -> Subscript | None:
    """A whole chain, ``points[i].x``, whose first link is a subscript of a name."""
    first: ast.expr = node
    while isinstance(first, ast.Attribute | ast.Subscript):
        base = first.value
        if isinstance(base, ast.Name):
            break
        first = base
    if not isinstance(first, ast.Subscript) or not isinstance(first.value, ast.Name):
        return None
    stored = isinstance(node.ctx, ast.Store)
    return _made(first.value.id, node, _text(node, lines), read=not stored or updated,
                 written=stored)  # fmt: skip


def _atomic(node: ast.Call, lines: tuple[str, ...]) -> Subscript | None:
    """``cuda.atomic.add(counts, bin, 1)`` as ``counts[bin]``."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute(attr="atomic") | ast.Name(id="atomic")),
            args=[ast.Name(id=array), index, *_],
        ):
            inside = _text(index, lines)
            if isinstance(index, ast.Tuple) and inside.startswith("("):
                inside = inside[1:-1]
            return _made(array, node, f"{array}[{inside}]", atomic=True)
        case _:
            return None


def _made(
    array: str, node: ast.expr, text: str, *,
    read: bool = False, written: bool = False, atomic: bool = False,
) -> Subscript:  # fmt: skip
    line, last = node.lineno, node.end_lineno or node.lineno
    end = node.end_col_offset or 0
    start = node.col_offset + 1
    text = text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"
    return Subscript(array, text, line, last, start, end + 1 if last == line else start,
                     read, written, atomic)  # fmt: skip


def _text(node: ast.expr, lines: tuple[str, ...]) -> str:
    """As it stands in the source, with single spaces."""
    first, last = node.lineno, node.end_lineno or node.lineno
    part = list(lines[first - 1 : last])
    part[-1] = part[-1][: node.end_col_offset]
    part[0] = part[0][node.col_offset :]
    return plain(" ".join(part))
