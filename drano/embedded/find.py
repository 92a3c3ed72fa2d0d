"""All CUDA source within one Python source.

Means: the text is parsed, never run. What ``calls`` knows is found by the call; any other string
that holds a whole kernel is found by its text, whoever compiles it.
Limits: a source that is not UTF-8, or that Python's own parser refuses, is no Python here.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from msgspec.structs import replace

from drano.embedded import numba_comments
from drano.embedded.calls import ELEMENTWISE, Caller, caller, imported_names, unit_of
from drano.embedded.constants import Evaluator, NotConstantError
from drano.embedded.launches import LaunchReader
from drano.embedded.scopes import Module, Scope, read_module
from drano.embedded.traced import Lines
from drano.embedded.triton_comments import MARKER, triton_requests
from drano.embedded.units import Embedded, EmbeddedUnit, PythonError, UnknownText
from drano.model.span import Span
from drano.model.translation_unit import LaunchSite

_KERNEL = re.compile(r"__global__[^;]*?\)\s*\{")
_METHODS = frozenset({"format", "replace", "strip", "dedent"})


def find_embedded(source: str, path: str) -> Embedded:
    """What is found in the Python source ``source`` of the file ``path``. Raises PythonError."""
    tree = _parsed(source)
    module = read_module(tree)
    evaluator = Evaluator(Lines(source))
    imported = imported_names(module)
    units: list[tuple[ast.AST, EmbeddedUnit]] = []
    unknown: list[UnknownText] = []
    owners: dict[ast.AST, str | None] = {}
    for node, scope in module.nodes:
        call = caller(node, scope, imported) if isinstance(node, ast.Call) else None
        if call is None:
            continue
        owners[call.node] = _kernel_name(call, evaluator)
        try:
            unit = unit_of(call, evaluator)
        except NotConstantError as error:
            place = (call.node.lineno, call.node.col_offset + 1)
            unknown.append(UnknownText(call.name, *place, str(error)))
            continue
        if unit is not None:
            units.append((call.node, unit))
    launches = LaunchReader(path, module, evaluator, owners).launches()
    known = [
        replace(unit, launches=(*launches.get(node, ()), *_fixed(unit, path)))
        for node, unit in units
    ]
    rest = list(_unclaimed(module, evaluator))
    known += [found for found in rest if isinstance(found, EmbeddedUnit)]
    unknown += [found for found in rest if isinstance(found, UnknownText)]
    requests = triton_requests(source, tree) if MARKER.decode() in source else ()
    marked = numba_comments.MARKER.decode() in source
    numba = numba_comments.numba_requests(source, tree) if marked else ()
    return Embedded(_one_of_each(known), requests, tuple(unknown), numba)


def _parsed(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the user's source, such as on its escapes
            return ast.parse(source)
    except SyntaxError as error:
        raise PythonError(error.lineno or 0, error.offset or 0, error.msg) from None
    except UnicodeEncodeError:
        raise PythonError(0, 0, "is not UTF-8") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise PythonError(0, 0, str(error) or "is nested too deeply") from None


def _fixed(unit: EmbeddedUnit, path: str) -> tuple[LaunchSite, ...]:
    """How the library itself launches a kernel, whatever it is called with."""
    if unit.fixed is None:
        return ()
    name, threads = unit.fixed
    place = Span(path, unit.line, unit.column)
    return (LaunchSite(name, name, (None, 1, 1), (threads, 1, 1), (), place),)


def _kernel_name(call: Caller, evaluator: Evaluator) -> str | None:
    if call.name != "RawKernel":
        return None
    places = (*(k.value for k in call.node.keywords if k.arg == "name"), *call.node.args[1:2])
    try:
        return evaluator.text(places[0], call.scope).text if places else None
    except NotConstantError:
        return None


def _unclaimed(module: Module, evaluator: Evaluator) -> Iterator[EmbeddedUnit | UnknownText]:
    """Strings with kernels that no known call is given."""
    above: dict[ast.AST, ast.AST] = {}
    scopes: dict[ast.AST, Scope] = {}
    for node, scope in module.nodes:
        scopes[node] = scope
        above.update((child, node) for child in ast.iter_child_nodes(node))
    done: set[ast.AST] = set()
    for node, _ in module.nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if node in evaluator.used or _KERNEL.search(node.value) is None:
            continue
        whole = _whole(node, above)
        if whole in done or whole in evaluator.used or isinstance(above.get(whole), ast.Expr):
            continue
        done.add(whole)
        place = (whole.lineno, whole.col_offset + 1)
        try:
            text = evaluator.text(whole, scopes[whole])
        except NotConstantError as error:
            yield UnknownText("", *place, str(error))
            continue
        yield EmbeddedUnit("", text, *place)


def _whole(node: ast.expr, above: dict[ast.AST, ast.AST]) -> ast.expr:
    """The expression of strings that a literal is part of."""
    while True:
        parent = above.get(node)
        match parent:
            case ast.BinOp(op=ast.Add() | ast.Mod()) | ast.JoinedStr():
                node = parent
            case ast.Attribute(attr=attr) if attr in _METHODS:
                call = above.get(parent)
                if not isinstance(call, ast.Call):
                    return node
                node = call
            case ast.Call(func=ast.Attribute(attr="dedent") | ast.Name(id="dedent")):
                node = parent
            case _:
                return node


def _one_of_each(units: list[EmbeddedUnit]) -> tuple[EmbeddedUnit, ...]:
    """Units that several calls are given once, with all launches."""
    found: dict[tuple[object, ...], EmbeddedUnit] = {}
    for unit in units:
        made = (unit.line, unit.column) if unit.what == ELEMENTWISE else ()
        key = (unit.text.text, unit.text.origins, unit.defines, unit.std, unit.instances, made)
        before = found.get(key)
        if before is None:
            found[key] = unit
        else:
            found[key] = replace(before, launches=(*before.launches, *unit.launches))
    return tuple(found.values())
