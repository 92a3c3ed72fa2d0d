"""Loops of host code: how often they run, where their heads tell.

A counted loop steps a variable of its test by a number: ``for (i = 0; i < n; i += 2)``, ``while (i
< n)`` where the body steps ``i`` once. Numbers that are not constant stay formulas in the names of
the host code. A loop that divides what it tests (``while (n > 1) { … n = (n + 255) / 256; }``) is
*shrinking*, and so are variables computed from it: a grid made of them shrinks too.

Limits: other exits of the loop (``break``, ``return``) are ignored; of tests joined by ``&&`` the
first that counts is used; a loop that is not counted has no trips.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from drano.frontend.libclang import Kind, Node, Unary
from drano.host.arithmetic import State
from drano.host.evaluator import Around, Evaluator
from drano.host.function_bodies import (
    STEPS,
    VARIABLES,
    assigned,
    plain_children,
    preorder,
    strip,
    target,
)
from drano.model.span import Span
from drano.model.translation_unit import HostAmount, HostLoop

_RELATIONS: Final = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "!=": "ne"}
_SWAPPED: Final = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "ne": "ne"}
_STEPS: Final = {"+": "add", "-": "sub", "*": "mul", "/": "sdiv", "<<": "shl", ">>": "lshr"}
_FORMULAS: Final = frozenset({"+", "-", "*", "/"})
_DIVISIONS: Final = frozenset({"/", ">>", "/=", ">>="})
_MAX_FORMULA: Final = 6
MAX_NEST: Final = 8
"""Loops around a launch that are looked at, the outer ones of deeper nests."""


def around(node: Node, evaluator: Evaluator, before: State, within: State) -> Around:
    """The loop ``node``; ``before``: the state when it starts, its initialiser run; ``within``:
    what is known in each of its iterations.
    """
    start = node.cursor.extent.start
    path = Path(start.file.name).absolute() if start.file is not None else Path()
    span = Span(str(path), start.line, start.column)
    head = _head(node)
    comparisons = [c for part in head for c in _comparisons(part)]
    tested = {n.key for part in head for n in preorder(part) if _is_variable(n)}
    shrinking = _shrinking(node, tested)
    for comparison in comparisons:
        left, right = (strip(side) for side in plain_children(comparison))
        relation = _RELATIONS[comparison.binary]
        for counter, bound, said in ((left, right, relation), (right, left, _SWAPPED[relation])):
            step = _step(node, counter)
            end = _amount(bound, evaluator, within) if step is not None else None
            if step is None or end is None or _changes(node, bound):
                continue
            first = _first(node, counter, evaluator, before)
            by = _amount(step[1], evaluator, within) if isinstance(step[1], Node) else step[1]
            if first is not None and by is not None:
                name = counter.spelling
                return Around(HostLoop(span, name, first, end, by, step[0], said), shrinking)
    return Around(HostLoop(span), shrinking)


def _head(node: Node) -> Sequence[Node]:
    """All of a loop but its body."""
    if node.kind == Kind.FOR_RANGE:
        return ()
    return node.children[1:] if node.kind == Kind.DO else node.children[:-1]


def _comparisons(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        inner = strip(waiting.pop())
        if inner.kind != Kind.BINARY or len(plain_children(inner)) != 2:
            continue
        operator = inner.binary
        if operator in _RELATIONS:
            yield inner
        elif operator == "&&":
            waiting += reversed(plain_children(inner))


def _is_variable(node: Node) -> bool:
    if node.kind != Kind.DECL_REF:
        return False
    declared = node.declared()
    return declared is not None and declared._kind_id in VARIABLES


def _writes(loop: Node, variable: int) -> list[Node]:
    """Assignments of ``variable`` in a loop, its initialiser left out."""
    parts = loop.children
    if loop.kind == Kind.FOR and len(parts) > 1:
        parts = parts[1:]
    found = []
    for part in parts:
        for node in preorder(part):
            place = assigned(node)
            if place is not None and target(place) == (variable, ()):
                found.append(node)
    return found


def _changes(loop: Node, bound: Node) -> bool:
    """Whether the loop assigns anything that a bound is made of."""
    return any(_writes(loop, n.key) for n in preorder(bound) if _is_variable(n))


def _step(loop: Node, counter: Node) -> tuple[str, Node | int] | None:
    """What a loop does to its counter in each iteration, and by how much."""
    if not _is_variable(counter):
        return None
    writes = _writes(loop, counter.key)
    if len(writes) != 1:
        return None
    (node,) = writes
    inner = plain_children(node)
    if node.kind == Kind.UNARY and node.unary in STEPS:
        up = node.unary in {Unary.POST_INC, Unary.PRE_INC}
        return ("add" if up else "sub"), 1
    if node.kind == Kind.COMPOUND_ASSIGN and len(inner) == 2:
        op = _STEPS.get(node.binary.removesuffix("="))
        return (op, inner[1]) if op else None
    value = strip(inner[1]) if node.kind == Kind.BINARY and len(inner) == 2 else None
    sides = plain_children(value) if value is not None and value.kind == Kind.BINARY else []
    if value is None or len(sides) != 2:
        return None
    operator = value.binary
    own = [strip(side).key == counter.key and _is_variable(strip(side)) for side in sides]
    if operator not in _STEPS or own[0] == own[1] or (own[1] and operator not in {"+", "*"}):
        return None
    return _STEPS[operator], sides[own.index(False)]


def _first(loop: Node, counter: Node, evaluator: Evaluator, before: State) -> HostAmount | None:
    """What a counter starts with."""
    variable = counter.key
    values = {environment.get(variable) for environment in before}
    if loop.kind == Kind.FOR and len(loop.children) > 1:
        for node in preorder(loop.children[0]):
            inner = plain_children(node)
            if node.kind == Kind.VAR and node.key == variable and inner:
                return _amount(inner[-1], evaluator, before)
            place = assigned(node)
            if node.kind == Kind.BINARY and place is not None and target(place)[0] == variable:
                return _amount(inner[1], evaluator, before)
    value = values.pop() if len(values) == 1 else None
    return value if isinstance(value, int) else None


def _amount(node: Node, evaluator: Evaluator, state: State, depth: int = 0) -> HostAmount | None:
    """A number: its value, else its formula in the names of the source; None: neither."""
    node = strip(node)
    if depth > _MAX_FORMULA or any(n.kind == Kind.CALL or assigned(n) for n in preorder(node)):
        return None
    values = {evaluator.integer(node, dict(environment)) for environment in state}
    value = values.pop() if len(values) == 1 else None
    if value is not None:
        return value
    inner = plain_children(node)
    if _is_variable(node) or node.kind == Kind.MEMBER_REF_EXPR:
        return node.spelling or None
    if node.kind != Kind.BINARY or len(inner) != 2:
        return None
    operator = node.binary
    left, right = (_amount(side, evaluator, state, depth + 1) for side in inner)
    if operator not in _FORMULAS or left is None or right is None:
        return None
    return operator, left, right


def _shrinking(loop: Node, tested: set[int]) -> frozenset[int]:
    """Variables of the test that come back divided, and what is made of them in the loop."""
    feeds: dict[int, set[int]] = {}
    divided: set[int] = set()
    for node in preorder(loop):
        place = assigned(node)
        variable = target(place)[0] if place is not None else 0
        if node.kind == Kind.VAR:
            variable = node.key
        if not variable:
            continue
        below = list(preorder(node))
        whole = node.kind in {Kind.COMPOUND_ASSIGN, Kind.VAR}
        named = [n.key for n in below if _is_variable(n) and (whole or n is not place)]
        feeds.setdefault(variable, set()).update(named)
        binary = (n for n in below if n.kind in {Kind.BINARY, Kind.COMPOUND_ASSIGN})
        if any(n.binary in _DIVISIONS for n in binary):
            divided.add(variable)
    found = {variable for variable in tested if _comes_back_divided(variable, feeds, divided)}
    more = set(found)
    while more:
        more = {v for v, named in feeds.items() if v not in found and named & found}
        found |= more
    return frozenset(found)


def _comes_back_divided(variable: int, feeds: dict[int, set[int]], divided: set[int]) -> bool:
    seen: set[tuple[int, bool]] = set()
    waiting = [(variable, False)]
    while waiting:
        at, before = waiting.pop()
        less = before or at in divided
        for feeder in feeds.get(at, ()):
            if feeder == variable and less:
                return True
            if (feeder, less) not in seen:
                seen.add((feeder, less))
                waiting.append((feeder, less))
    return False
