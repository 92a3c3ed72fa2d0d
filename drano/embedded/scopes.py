"""Names of a Python module that mean one thing, and which calls stand where.

Means: a name that its scope (the module, a function) binds once, by a plain assignment, stands for
the expression that it is bound to; every other binding (a parameter, a loop, an import, a second
assignment, ``global``) makes it unknown.
Limits: what another module sets in this one, and ``exec``, are not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct, field

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LISTS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope(Struct, eq=False):
    """``values``: of names bound once; ``bound``: all names that it binds; ``outer``: the scope
    that it is looked up in next. A class's names are not seen from within its functions.
    """

    node: ast.AST
    outer: Scope | None = None
    values: dict[str, ast.expr] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)

    def find(self, name: str) -> tuple[ast.expr, Scope] | None:
        """The expression that a name stands for, and where that is to be understood."""
        owner = self.owner(name)
        if owner is None or name not in owner.values:
            return None
        return owner.values[name], owner

    def owner(self, name: str) -> Scope | None:
        """The scope that binds a name, as seen from here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound and (scope is self or not isinstance(scope.node, ast.ClassDef)):
                return scope
            scope = scope.outer
        return None


class Module(Struct, frozen=True):
    """A module's nodes, each with its scope, in the order of the source."""

    tree: ast.Module
    nodes: tuple[tuple[ast.AST, Scope], ...]


def read_module(tree: ast.Module) -> Module:
    """All nodes of a module with the scopes that they are in."""
    top = Scope(tree)
    rebound: list[tuple[Scope, str, bool]] = []
    nodes = tuple(_walk(tree, top, rebound))
    for scope, name, everywhere in rebound:
        # A function that says ``global`` may bind the name anew, whenever it is called.
        above = scope.outer
        while above is not None:
            if not everywhere or isinstance(above.node, ast.Module):
                above.values.pop(name, None)
                above.bound.add(name)
            above = above.outer
    return Module(tree, nodes)


def _walk(
    root: ast.AST, top: Scope, rebound: list[tuple[Scope, str, bool]]
) -> Iterator[tuple[ast.AST, Scope]]:
    """Nodes of scopes, outer ones first, by a stack of our own: trees may be deep."""
    waiting: list[tuple[ast.AST, Scope]] = [(root, top)]
    assigned: set[ast.AST] = set()
    while waiting:
        node, scope = waiting.pop()
        yield node, scope
        assigned.update(_plain_targets(node))
        if node not in assigned:
            _bind(node, scope, rebound)
        inner = scope
        if isinstance(node, _OWN_SCOPE):
            inner = Scope(node, scope)
            if not isinstance(node, ast.ClassDef):
                for argument in _arguments(node):
                    inner.bound.add(argument)
        elif isinstance(node, _LISTS):
            inner = Scope(node, scope)
        waiting += [(child, inner) for child in reversed(list(ast.iter_child_nodes(node)))]


def _arguments(node: _Function) -> Iterator[str]:
    given = node.args
    for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs):
        yield argument.arg
    for more in (given.vararg, given.kwarg):
        if more is not None:
            yield more.arg


def _plain_targets(node: ast.AST) -> list[ast.AST]:
    """The names that an assignment gives its value to as a whole."""
    match node:
        case ast.Assign(targets=targets):
            return [target for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name() as target, value=ast.expr()):
            return [target]
        case _:
            return []


def _bind(node: ast.AST, scope: Scope, rebound: list[tuple[Scope, str, bool]]) -> None:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Name):
                    _once(scope, target.id, value)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            _once(scope, name, value)
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            _again(scope, name)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            _again(scope, name)
        case ast.alias(name=name, asname=known):
            _again(scope, known or name.partition(".")[0])
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            for name in names:
                _again(scope, name)
                rebound.append((scope, name, isinstance(node, ast.Global)))
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            _again(scope, name)
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            _again(scope, name)


def _once(scope: Scope, name: str, value: ast.expr) -> None:
    if name in scope.bound:
        scope.values.pop(name, None)
    else:
        scope.bound.add(name)
        scope.values[name] = value


def _again(scope: Scope, name: str) -> None:
    scope.bound.add(name)
    scope.values.pop(name, None)
