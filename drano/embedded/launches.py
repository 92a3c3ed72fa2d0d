"""Launches of embedded kernels by the Python code around them.

Means: ``k((grid,), (block,), (arguments,))`` of CuPy and ``k(…, block=…, grid=…)`` of PyCUDA, for
kernels whose name is bound once, and for those that a module is asked for by name; sizes and
arguments where they are constants. A slice among the arguments is a pointer that was moved.
Limits: kernels in attributes, and what other modules do with them, are not seen. A kernel that is
also handed on is told so; of a module that is, no launch counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from msgspec import Struct

from drano.embedded.constants import Evaluator, NotConstantError
from drano.embedded.scopes import Module, Scope
from drano.model.span import Span
from drano.model.translation_unit import Argument, LaunchSite, Shifted

Dim = tuple[int | None, int | None, int | None]
_UNKNOWN: Dim = (None, None, None)
_ASKED = frozenset({"get_function", "get_kernel"})
_INTEGERS = frozenset({"int32", "int64", "uint32", "uint64", "intc", "int8", "uint8", "int16"})
_MAX_STEPS = 20


class _Meant(Struct, frozen=True):
    """What an expression stands for: the texts of ``owner``; ``kernel``: one of its kernels."""

    owner: ast.Call
    kernel: str | None


class LaunchReader(Struct, frozen=True):
    """``owners``: the calls that give source to a library, with the kernel that each gives back,
    None where it gives a module.
    """

    path: str
    module: Module
    evaluator: Evaluator
    owners: Mapping[ast.AST, str | None]

    def launches(self) -> dict[ast.AST, tuple[LaunchSite, ...]]:
        """Of each owner."""
        found: dict[ast.AST, list[LaunchSite]] = {}
        lost: set[ast.AST] = set()
        used: set[ast.AST] = set()
        for node, scope in self.module.nodes:
            if isinstance(node, ast.Call) and node not in self.owners:
                meant = self._meant(node.func, scope)
                if meant is not None and meant.kernel is not None:
                    used.update(_parts(node.func))
                    site = self._site(node, scope, meant.kernel)
                    found.setdefault(meant.owner, []).append(site)
            if isinstance(node, ast.Attribute):
                used.update(_parts(node.value))
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.expr):
                used.update(_parts(node.value))
        for node, scope in self.module.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in used:
                meant = self._meant(node, scope)
                if meant is None:
                    continue
                if meant.kernel is None:
                    lost.add(meant.owner)
                else:
                    span = Span(self.path, node.lineno, node.col_offset + 1)
                    name = meant.kernel
                    site = LaunchSite(name, name, _UNKNOWN, _UNKNOWN, (), span, named=True)
                    found.setdefault(meant.owner, []).append(site)
        return {owner: tuple(sites) for owner, sites in found.items() if owner not in lost}

    def _meant(self, node: ast.expr, scope: Scope) -> _Meant | None:
        for _ in range(_MAX_STEPS):
            match node:
                case ast.Name(id=name):
                    known = scope.find(name)
                    if known is None:
                        return None
                    node, scope = known
                case ast.Call() if node in self.owners:
                    return _Meant(node, self.owners[node])
                case ast.Call(func=ast.Attribute(value=value, attr=attr), args=[name, *_]):
                    if attr not in _ASKED:
                        return None
                    inner = self._meant(value, scope) if _is_short(value) else None
                    if inner is None or inner.kernel is not None:
                        return None
                    try:
                        return _Meant(inner.owner, self.evaluator.text(name, scope).text)
                    except NotConstantError:
                        return None
                case _:
                    return None
        return None

    def _site(self, node: ast.Call, scope: Scope, kernel: str) -> LaunchSite:
        keywords = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        span = Span(self.path, node.lineno, node.col_offset + 1)
        if any(k.arg is None for k in node.keywords) or any(
            isinstance(argument, ast.Starred) for argument in node.args
        ):
            return LaunchSite(kernel, kernel, _UNKNOWN, _UNKNOWN, (), span)
        if "block" in keywords and "args" not in keywords:  # PyCUDA's way
            grid, block = keywords.get("grid"), keywords.get("block")
            given = [(argument, scope) for argument in node.args]
        else:
            places = dict(enumerate(node.args))
            grid = keywords.get("grid", places.get(0))
            block = keywords.get("block", places.get(1))
            given = self._items(keywords.get("args", places.get(2)), scope)
        arguments = tuple(self._argument(*item) for item in given)
        return LaunchSite(
            kernel, kernel, self._dim(grid, scope), self._dim(block, scope), arguments, span
        )

    def _items(self, node: ast.expr | None, scope: Scope) -> list[tuple[ast.expr, Scope]]:
        try:
            return [] if node is None else self.evaluator.items(node, scope)
        except NotConstantError:
            return []

    def _dim(self, node: ast.expr | None, scope: Scope) -> Dim:
        try:
            items = [] if node is None else self.evaluator.items(node, scope)
        except NotConstantError:
            return _UNKNOWN
        if not 1 <= len(items) <= 3:
            return _UNKNOWN
        sizes = [self._size(*item) for item in items] + [1, 1]
        return sizes[0], sizes[1], sizes[2]

    def _size(self, node: ast.expr, scope: Scope) -> int | None:
        try:
            size = self.evaluator.number(node, scope)
        except NotConstantError:
            return None
        return size if 0 < size < 1 << 31 else None

    def _argument(self, node: ast.expr, scope: Scope) -> Argument:
        for _ in range(_MAX_STEPS):
            match node:
                case ast.Subscript():
                    return Shifted(1)
                case ast.Call(func=ast.Attribute(attr=attr), args=[inner]) if attr in _INTEGERS:
                    node = inner
                case ast.Name(id=name) if (known := scope.find(name)) is not None:
                    node, scope = known
                case _:
                    break
        try:
            return self.evaluator.number(node, scope)
        except NotConstantError:
            return None


def _is_short(node: ast.expr) -> bool:
    """Whether it is a name or a call, not a chain of them without an end."""
    return isinstance(node, ast.Name) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    )


def _parts(node: ast.expr) -> Iterator[ast.AST]:
    """The expression, if it is a name."""
    if isinstance(node, ast.Name):
        yield node
