"""Which kernels device code with errors costs, told from the IR of what did compile.

A function is lost that holds the marker of a body with errors (``removed_text``), that uses a
record of which not all members are known, or that is a lambda with errors; and whoever calls or
names a lost function. Lost kernels stop being kernels in the IR, so that nothing is said of them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence

from msgspec import Struct

from drano.frontend.repair.culprits import Culprit, Role
from drano.frontend.repair.removed_text import MARKER
from drano.ir.debug_nodes import debug_files, debug_functions, place_of
from drano.model.finding import Severity
from drano.model.report import Diagnostic, NotAnalysed
from drano.model.span import Location, Span

_DEFINE = re.compile(r"^define [^\n]*?@(\"[^\"]*\"|[\w$.]+)\([^\n]*\{$(.*?)^\}$", re.M | re.S)
_SYMBOL = re.compile(r"@(\"[^\"]*\"|[\w$.]+)")
_MARK = re.compile(rf"@{MARKER}\(i32[^)]*?(\d+)\)")
_TYPE = re.compile(r"%(\"[^\"]*\"|[\w$.:]+)")
_TYPE_LINE = re.compile(r"^%(\"[^\"]*\"|[\w$.:]+) = type (.*)$", re.M)
_KERNEL = re.compile(r"\bptx_kernel ")


class _Function(Struct, frozen=True):
    """``text``: of header and body; ``place``: of its debug information."""

    symbol: str
    kernel: bool
    text: str
    place: str


def withdraw(
    ir: str, marked: Sequence[Culprit], others: Iterable[Culprit], launched: Container[str]
) -> tuple[str, tuple[NotAnalysed, ...]]:
    """``ir`` without the kernels that errors cost, and these. ``marked``: bodies by number;
    ``others``: whatever else has errors; ``launched``: names that files with errors launch.
    """
    others = tuple(others)
    functions = _functions(ir)
    places = _places(ir)
    lost = dict(_lost_by_marker(functions, marked))
    lost |= {k: v for k, v in _lost_by_layout(ir, functions, others).items() if k not in lost}
    lost |= {k: v for k, v in _lost_lambdas(functions, places, others).items() if k not in lost}
    _spread(functions, lost)
    kernels = [f for f in functions.values() if f.kernel and f.symbol in lost]
    gone = [_not_analysed(f, lost[f.symbol], places) for f in kernels]
    named = {kernel.kernel.partition("<")[0] for kernel in gone}
    told = {(c.file, c.line, c.message) for c in lost.values()}
    for culprit in (*marked, *others):
        name = culprit.name.rpartition("::")[2]
        if culprit.role is Role.LAMBDA:
            wanted = (culprit.file, culprit.line, culprit.message) not in told
        else:
            # A template without instance costs nothing, if it is no error that took the instance.
            bare = culprit.template and name not in launched
            body = culprit.role is Role.BODY and not bare
            wanted = culprit.kernel and (body or culprit.role is Role.FUNCTION)
        if wanted and name not in named:
            named.add(name)
            gone.append(_never_compiled(culprit, name))
    return _without_kernels(ir, {f.symbol for f in kernels}), tuple(gone)


def _functions(ir: str) -> dict[str, _Function]:
    found = {}
    for match in _DEFINE.finditer(ir):
        header = match[0].partition("\n")[0]
        kernel = _KERNEL.search(header.partition("@")[0]) is not None
        found[match[1]] = _Function(match[1], kernel, match[0], place_of(header))
    return found


def _lost_by_marker(
    functions: Mapping[str, _Function], marked: Sequence[Culprit]
) -> Iterable[tuple[str, Culprit]]:
    for function in functions.values():
        mark = _MARK.search(function.text)
        if mark is not None and int(mark[1]) < len(marked):
            yield function.symbol, marked[int(mark[1])]


def _lost_by_layout(
    ir: str, functions: Mapping[str, _Function], others: Sequence[Culprit]
) -> dict[str, Culprit]:
    """Users of records with unknown members, and of records that hold such."""
    unknown = {c.name: c for c in others if c.role in (Role.FIELD, Role.LAYOUT) and c.name}
    if not unknown:
        return {}
    bodies = {match[1]: match[2] for match in _TYPE_LINE.finditer(ir)}
    types = {name: unknown[plain] for name in bodies if (plain := _plain(name)) in unknown}
    changed = True
    while changed:
        changed = False
        for name, body in bodies.items():
            held = next((types[t] for t in _TYPE.findall(body) if t in types), None)
            if held is not None and name not in types:
                types[name] = held
                changed = True
    lost = {}
    for function in functions.values():
        used = next((types[t] for t in _TYPE.findall(function.text) if t in types), None)
        if used is not None:
            lost[function.symbol] = used
    return lost


def _plain(name: str) -> str:
    """``"struct.ns::S.12"`` is ``ns::S``."""
    text = name.strip('"').partition(".")[2]
    return re.sub(r"(?:\.base|\.\d+)*\Z", "", text)


def _lost_lambdas(
    functions: Mapping[str, _Function],
    places: Mapping[str, tuple[str, str, int]],
    others: Sequence[Culprit],
) -> dict[str, Culprit]:
    lambdas = [c for c in others if c.role in (Role.LAMBDA, Role.HOST_LAMBDA)]
    lost = {}
    for function in functions.values():
        _, file, line = places.get(function.place, ("", "", 0))
        for culprit in lambdas:
            if file == culprit.extent_file and culprit.owner <= line <= culprit.line:
                lost[function.symbol] = culprit
    return lost


def _spread(functions: Mapping[str, _Function], lost: dict[str, Culprit]) -> None:
    """Add to ``lost`` whoever calls or names what is lost."""
    users: dict[str, list[str]] = {}
    for function in functions.values():
        for used in set(_SYMBOL.findall(function.text)):
            users.setdefault(used, []).append(function.symbol)
    todo = list(lost)
    while todo:
        symbol = todo.pop()
        for user in users.get(symbol, ()):
            if user not in lost:
                lost[user] = lost[symbol]
                todo.append(user)


def _places(ir: str) -> dict[str, tuple[str, str, int]]:
    """Metadata number of a subprogram -> its name, file and line."""
    files = debug_files(ir)
    return {
        number: (function.name, files.get(function.file, ""), function.line)
        for number, function in debug_functions(ir.split("\n")).items()
        if function.line
    }


def _not_analysed(
    function: _Function, culprit: Culprit, places: Mapping[str, tuple[str, str, int]]
) -> NotAnalysed:
    name, file, line = places.get(function.place, ("", "", 0))
    name = name or function.symbol
    where = Location(Span(file, line, 0), name) if file else None
    return NotAnalysed(name, function.symbol.strip('"'), where, _cause(culprit))


def _never_compiled(culprit: Culprit, name: str) -> NotAnalysed:
    where = Location(Span(culprit.extent_file, culprit.owner, 0), name)
    return NotAnalysed(name, "", where, _cause(culprit))


def _cause(culprit: Culprit) -> Diagnostic:
    return Diagnostic(culprit.file, culprit.line, culprit.column, Severity.ERROR, culprit.message)


def _without_kernels(ir: str, symbols: set[str]) -> str:
    if not symbols:
        return ir

    def plain(match: re.Match[str]) -> str:
        header, newline, rest = match[0].partition("\n")
        if match[1] not in symbols:
            return match[0]
        return _KERNEL.sub("", header, count=1) + newline + rest

    return _DEFINE.sub(plain, ir)
