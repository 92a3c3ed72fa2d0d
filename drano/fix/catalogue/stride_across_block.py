"""Let the threads of a block take turns, instead of a stretch of elements for each thread.

## What it does

`stride-across-block` deals out the elements that a block works on like cards:

```cuda
int t = blockIdx.x * blockDim.x + threadIdx.x;
for (int k = 0; k < K; k++) a[t * K + k] *= 2;  // before: lanes are K elements apart

for (int k = 0; k < K; k++)                     // after: lanes are neighbours
  a[(t - (int)threadIdx.x) * K + k * (int)blockDim.x + (int)threadIdx.x] *= 2;
```

A loop that counts the elements themselves gets another header:

```cuda
for (int i = t * K; i < t * K + K; i++) a[i] *= 2;  // before

for (int i = (t - threadIdx.x) * K + threadIdx.x; i < ...; i += blockDim.x)  // after
```

## When it is offered

* All threads of the block come to the loop: no branch and no `return` before it.
* What the loop does depends on the thread and the counter only by the element's number, of which
  each block has as many as the loop has turns, times its threads.
* The analysis of the edited text finds the access better and no other worse.

## What is proved

The elements of a block stay the same, and each is worked on once. Turns of the loop must not
depend on each other, and no other code of the kernel on what they write: they may write to arrays
at the element's number, read what they write only there, and change no variable of the kernel;
nothing else of the kernel touches these arrays. That no two arrays overlap is proved where
all pointers are `__restrict__`, or only one is used; else the edit is unsafe.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix
from drano.fix.kernel.ranges import Ranges, ranges_of
from drano.fix.kernel.sums import Sum
from drano.fix.kernel.variable_writes import loop_parts
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, is_kernel, key, type_kind
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES
from drano.host.function_bodies import assigned, plain_children, preorder, strip
from drano.model.finding import Finding

NAME: Final = "stride-across-block"
_TID: Final = "threadIdx.x"
_PURE: Final = frozenset(
    {
        "sqrtf", "sqrt", "fabsf", "fabs", "expf", "exp", "logf", "log", "sinf", "sin", "cosf",
        "cos", "fminf", "fmaxf", "min", "max", "abs", "powf", "pow", "rsqrtf", "floorf", "ceilf",
        "tanhf", "tanh", "fmaf", "fma", "__expf", "__logf", "__fmul_rn", "__fadd_rn",
    }
)  # fmt: skip
_EXITS: Final = frozenset({Kind.RETURN, Kind.BREAK, Kind.GOTO, Kind.ASM, Kind.LAMBDA, Kind.LABEL})
_BRANCHES: Final = frozenset(
    {Kind.IF, Kind.FOR, Kind.WHILE, Kind.DO, Kind.SWITCH, Kind.CONDITIONAL, Kind.FOR_RANGE}
)
_SIMPLE: Final = frozenset({*range(Kind.UNEXPOSED_EXPR, Kind.FLOATING + 1), Kind.COMPOUND, Kind.IF,
                            Kind.CONTINUE, Kind.DECL_STMT, Kind.VAR, Kind.BOOL, Kind.PAREN,
                            Kind.UNARY, Kind.SUBSCRIPT, Kind.BINARY, Kind.COMPOUND_ASSIGN,
                            Kind.CONDITIONAL, Kind.C_CAST, Kind.STATIC_CAST,
                            Kind.FUNCTIONAL_CAST, Kind.TYPE_REF})  # fmt: skip


class _Loop(Struct, frozen=True):
    """A loop of a kernel that counts by one; ``trips``: how often it runs, as a sum."""

    node: Node
    counter: Node
    first: Node
    body: Node
    trips: Sum
    limit: Node


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body = scene.body(finding)
    if body is None or not is_kernel(body.root.cursor) or body.has_directives():
        return
    kernels = scene.instances(finding)
    if len(kernels) != 1 or not kernels[0].launches_known:
        return
    if not all(launch.exact and launch.block[1:] == (1, 1) for launch in kernels[0].launches):
        return
    ranges = ranges_of(body, kernels[0])
    for node in body.nodes():
        extent = node.cursor.extent
        if node.kind != Kind.FOR or not _holds(extent, finding.location.span.line):
            continue
        loop = _counting_loop(ranges, node)
        if loop is not None and _reached_by_all(body, loop):
            fix = _dealt(body, ranges, loop)
            if fix is not None:
                yield fix


def _holds(extent: Any, line: int) -> bool:
    start, end = extent.start.line, extent.end.line
    return bool(start <= line <= end)


def _counting_loop(ranges: Ranges, node: Node) -> _Loop | None:
    """The loop, if it counts up by one from a first value to below a limit."""
    parts = loop_parts(node)
    if parts is None or parts[0].kind != Kind.DECL_STMT:
        return None
    declared = plain_children(parts[0])
    if len(declared) != 1 or declared[0].kind != Kind.VAR or not plain_children(declared[0]):
        return None
    counter, condition = declared[0], strip(parts[1])
    sides = plain_children(condition)
    first = plain_children(counter)[-1]
    named = strip(sides[0]) if len(sides) == 2 else condition
    if named.kind != Kind.DECL_REF or named.key != key(counter.cursor):
        return None
    if ranges.words(condition, sides) != "<" or counter.type_kind != 17:
        return None
    if ranges.step(parts[2]) != (1, 1) or ranges.variables.written(key(counter.cursor)) != 1:
        return None
    if type_kind(strip(sides[1]).cursor) not in INTEGER_TYPES:
        return None
    trips = ranges.sum(sides[1]).plus(ranges.sum(first), -1)
    return _Loop(node, counter, first, parts[3], trips, sides[1])


def _reached_by_all(body: Body, loop: _Loop) -> bool:
    """Whether all threads come to the loop, at once or one after the other, and nobody leaves."""
    if any(above.kind in _BRANCHES for above in body.above(loop.node)):
        return False
    return not any(node.kind in _EXITS for node in body.nodes())


def _dealt(body: Body, ranges: Ranges, loop: _Loop) -> Fix | None:
    atom = ranges.counter_atom(loop.counter, loop.node)
    if atom is None or not _uniform(loop.trips):
        return None
    first = ranges.sum(loop.first)
    stretch = loop.trips.times(Sum(0, ((_TID, 1),)))
    numbers = {ranges.sum(node) for node in _indices_in(loop.body)}
    if len(numbers) != 1 or stretch is None:
        return None
    number = numbers.pop()
    counts_elements = _mentions_tid(first)
    turn = Sum(0, ((atom, 1),)) if counts_elements else stretch.plus(Sum(0, ((atom, 1),)))
    if not _uniform(number.plus(turn, -1)):
        return None
    if not _uniform(first.plus(stretch, -1)) if counts_elements else first != Sum():
        return None
    made = [] if counts_elements else _made(ranges, loop, number)
    pointers = _accesses(body, loop, number, made, ranges)
    edits = None
    if pointers:
        edits = _header(body, loop) if counts_elements else _dealt_indices(body, loop, made)
    if edits is None or pointers is None:
        return None
    plain = len(pointers) == 1 or all(body.is_restricted(name) for name in pointers)
    unproved = "" if plain else f"that {' and '.join(sorted(pointers))} do not overlap"
    return Fix(NAME, "let the block's threads take turns in this loop", edits, unproved)


def _mentions_tid(value: Sum) -> bool:
    return any(_TID in atom.split("*") for atom, _ in value.parts)


def _uniform(value: Sum, *others: str) -> bool:
    """Whether it is the same for all threads of a block, and all turns of the loop."""
    for atom, _ in value.parts:
        for name in atom.split("*"):
            block = name.startswith(("blockIdx.", "blockDim.", "gridDim."))
            if name in others or not (block or name.startswith("v")):
                return False
    return True


def _indices_in(node: Node) -> Iterator[Node]:
    """What is used as an index of an array."""
    for below in preorder(node):
        inner = plain_children(below)
        if below.kind == Kind.SUBSCRIPT and len(inner) == 2:
            yield inner[1]


def _accesses(
    body: Body, loop: _Loop, number: Sum, made: list[Node], ranges: Ranges
) -> frozenset[str] | None:
    """The pointers that the loop uses, if its turns depend on nothing else; None where they may."""
    inside = {key(n.cursor) for n in preorder(loop.body) if n.kind == Kind.VAR}
    pointers: dict[int, str] = {}
    for node in preorder(loop.body):
        if ranges.is_built_in(node):
            if not _under(body, node, made) and not ranges.is_same_in_block(node):
                return None
            continue
        if node.kind not in _SIMPLE and not _pure_call(node):
            return None
        if node.kind == Kind.UNARY and node.unary in {Unary.DEREF, Unary.ADDRESS}:
            return None
        if node.kind == Kind.SUBSCRIPT:
            base = strip(plain_children(node)[0])
            if not _parameter(base):
                return None
            pointers[base.key] = base.spelling
        place = assigned(node)
        if place is not None:
            written = strip(place)
            local = written.kind == Kind.DECL_REF and written.key in inside
            if written.kind != Kind.SUBSCRIPT and not local:
                return None
        if node.kind == Kind.DECL_REF and not _may_be_used(node, inside, pointers):
            declared = node.declared()
            if not _is_number(body, node, declared, number, made, ranges):
                return None
    return frozenset(pointers.values()) if _alone(body, loop, set(pointers), ranges) else None


def _alone(body: Body, loop: _Loop, pointers: set[int], ranges: Ranges) -> bool:
    """Whether nothing else of the kernel touches memory."""
    inside = {id(node) for node in preorder(loop.body)}
    for node in body.nodes():
        if id(node) in inside or ranges.is_built_in(node):
            continue
        if node.kind == Kind.DECL_REF and node.key in pointers:
            return False
        deref = node.kind == Kind.UNARY and node.unary in {
            Unary.DEREF, Unary.ADDRESS,
        }  # fmt: skip
        if deref or node.kind in {Kind.SUBSCRIPT, Kind.CALL}:
            return False
    return True


def _pure_call(node: Node) -> bool:
    return node.kind == Kind.CALL and node.spelling in _PURE


def _parameter(base: Node) -> bool:
    declared = base.declared() if base.kind == Kind.DECL_REF else None
    return declared is not None and declared._kind_id == Kind.PARM


def _may_be_used(node: Node, inside: set[int], pointers: dict[int, str]) -> bool:
    """Whether a name in the loop is of the loop itself, or no variable that counts."""
    declared = node.declared()
    if declared is None:
        return False
    if declared._kind_id in {Kind.FUNCTION, Kind.FUNCTION_TEMPLATE, Kind.ENUM_CONSTANT}:
        return True
    if key(declared) in inside or key(declared) in pointers:
        return True
    numeric = type_kind(declared) in FLOAT_TYPES
    return bool(declared._kind_id == Kind.PARM and numeric)


def _is_number(
    body: Body, node: Node, declared: Any, number: Sum, made: list[Node], ranges: Ranges
) -> bool:
    """Whether a name stands in the element's number, is that, or is the same for all threads."""
    if _under(body, node, made):
        return True
    if type_kind(declared) not in INTEGER_TYPES:
        return False
    value = ranges.sum(node)
    return value == number or _uniform(value)


def _under(body: Body, node: Node, places: list[Node]) -> bool:
    above = {id(outer) for outer in body.above(node)}
    return any(id(place) in above for place in places)


def _made(ranges: Ranges, loop: _Loop, number: Sum) -> list[Node]:
    """Where the element's number is made: at indices, for variables of the loop, in conditions."""
    found: list[Node] = []
    done: set[int] = set()
    for node in preorder(loop.body):
        if id(node) in done:
            done |= {id(child) for child in node.children}
        elif node.kind == Kind.BINARY and ranges.sum(node) == number:
            done |= {id(child) for child in node.children}
            found.append(node)
    return found


def _dealt_indices(body: Body, loop: _Loop, made: list[Node]) -> tuple[Edit, ...] | None:
    """The element's number for other threads and turns, wherever it is made."""
    counter, limit = loop.counter.spelling.encode(), body.words(loop.limit)
    edits = []
    for node in made:
        place = body.range(node)
        # Thread indices are unsigned: a sum of ints has to stay one, for it may be negative.
        cast = {9: b"", 17: b"(int)"}.get(node.type_kind)
        if place is None or cast is None:
            return None
        text = _dealt_index(body, node, counter, limit, cast)
        if text is None:
            return None
        edits.append(Edit(body.path, *place, text))
    return tuple(edits) if edits else None


def _dealt_index(
    body: Body, element: Node, counter: bytes, limit: bytes, cast: bytes
) -> bytes | None:
    """``t * K + k`` as ``(t - threadIdx.x) * K + k * blockDim.x + threadIdx.x``."""
    sides = plain_children(element)
    if len(sides) != 2 or body.words(strip(sides[1])) != counter:
        return None
    if element.binary != "+":
        return None
    tid, turns = cast + b"threadIdx.x", counter + b" * " + cast + b"blockDim.x"
    row = strip(sides[0])
    factors = plain_children(row)
    if row.kind == Kind.BINARY and row.binary == "*" and len(factors) == 2:
        one, other = (body.words(factor) for factor in factors)
        if other == limit:
            return b"(%b - %b) * %b + %b + %b" % (one, tid, limit, turns, tid)
    return b"%b - %b * (%b) + %b + %b" % (body.words(sides[0]), tid, limit, turns, tid)


def _header(body: Body, loop: _Loop) -> tuple[Edit, ...] | None:
    """The loop's header, for a loop that counts elements."""
    first, limit = body.range(loop.first), body.range(loop.limit)
    parts = loop_parts(loop.node)
    step = body.range(parts[2]) if parts is not None else None
    if first is None or limit is None or step is None:
        return None
    begin, end = body.words(loop.first), body.words(loop.limit)
    name = loop.counter.spelling.encode()
    stretch = b"(" + end + b" - (" + begin + b"))"
    back = b" - (int)threadIdx.x * " + stretch
    return (
        Edit(body.path, first[1], first[1], back + b" + threadIdx.x"),
        Edit(
            body.path, limit[1], limit[1],
            b" + (int)(blockDim.x - 1 - threadIdx.x) * " + stretch,
        ),
        Edit(body.path, *step, name + b" += blockDim.x"),
    )  # fmt: skip


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
