"""Which lanes of a warp come to a statement of a kernel: all together, and the first so many.

Means: ``arrival`` is a statement of the kernel's outermost block, and the conditions that lead from
there to the statement in question. All lanes of a warp that have not returned come to the former;
those for which the conditions hold come to the latter, equally often. These lanes are the first
ones of their warp: lanes number the threads along x, and what a condition compares with a number
that is the same for all lanes grows along x.
Assumptions: blocks have one row (``is_one_row``); indices do not overflow.
Limits: ``while`` loops and calls but of arithmetic are not followed on the way, for lanes might
wait for each other in them.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from drano.fix.kernel.loops import counting_loop, is_arithmetic, is_of
from drano.fix.kernel.ranges import Ranges
from drano.fix.kernel.variable_writes import loop_parts
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, constant, key
from drano.frontend.type_kinds import INTEGER_TYPES
from drano.host.function_bodies import assigned, plain_children, preorder
from drano.model.report import KernelInfo

_X: Final = "threadIdx.x"
_LEAVES: Final = frozenset(
    {
        Kind.GOTO, Kind.INDIRECT_GOTO, Kind.LABEL, Kind.ASM, Kind.LAMBDA, Kind.TRY, Kind.SWITCH,
        Kind.WHILE, Kind.DO, Kind.FOR_RANGE,
    }
)  # fmt: skip
_READS: Final = frozenset({Kind.DECL_REF, Kind.SUBSCRIPT, Kind.UNARY, Kind.MEMBER_REF_EXPR})
_EARLY: Final = frozenset({Kind.RETURN, Kind.BREAK, Kind.CONTINUE})
_WITH_ATTRIBUTES: Final = 200
"""CXCursorKind of a loop with its pragmas."""
_COMPARED: Final = frozenset({"<", "<=", ">", ">="})
_LITERALS: Final = frozenset({Kind.INTEGER, Kind.FLOATING, Kind.BOOL, Kind.CHARACTER})
_CONSTANTS: Final = frozenset({Kind.ENUM_CONSTANT, Kind.NON_TYPE_PARAMETER})
_OPERATORS: Final = frozenset(
    {
        Kind.UNEXPOSED_EXPR, Kind.PAREN, Kind.BINARY, Kind.UNARY, Kind.CONDITIONAL, Kind.C_CAST,
        Kind.STATIC_CAST, Kind.FUNCTIONAL_CAST,
    }
)  # fmt: skip
_SIGNS: Final = frozenset({Unary.PLUS, Unary.MINUS, Unary.NOT, Unary.LNOT})
_SAME: Final = ("blockIdx.", "blockDim.", "gridDim.", "v")
"""Atoms that are the same for all threads of a block begin with these; the last: parameters."""


class Arrival(Struct, frozen=True):
    """``whole``: the outermost statement; ``tests``: conditions that are not the same for all
    lanes; ``counters``: variables that are, of loops on the way.
    """

    whole: Node
    tests: tuple[Node, ...]
    counters: frozenset[int]


def is_one_row(kernel: KernelInfo) -> bool:
    """Whether all blocks that a kernel is launched with are known to have one row of threads."""
    shapes = [launch.block if launch.exact else launch.partly for launch in kernel.launches]
    known = kernel.launches_known or not any(launch.exact for launch in kernel.launches)
    return known and bool(kernel.launch_sites) and all(
        shape is not None and shape[1:] == (1, 1) for shape in shapes
    )  # fmt: skip


def arrival(body: Body, ranges: Ranges, node: Node) -> Arrival | None:
    """How lanes come to a statement of a kernel; None where that is not known."""
    block = next((child for child in body.root.children if child.kind == Kind.COMPOUND), None)
    way = [node, *body.above(node)]
    if block is None or not any(above is block for above in way):
        return None
    way = way[: next(at for at, above in enumerate(way) if above is block)]
    statements = plain_children(block)
    before = statements[: next(at for at, part in enumerate(statements) if part is way[-1])]
    last = next((above for above in reversed(way) if above.kind == Kind.FOR), node)
    end = last.cursor.extent.end.offset
    inside = [below for below in preorder(way[-1]) if below.cursor.extent.start.offset < end]
    if any(_may_wait(body, ranges, below) for part in before for below in preorder(part)):
        return None
    if any(_may_wait(body, ranges, below) or below.kind == Kind.RETURN for below in inside):
        return None
    if not all(_sends_last_home(body, ranges, statement) for statement in before):
        return None
    return _on_the_way(body, ranges, way)


def _may_wait(body: Body, ranges: Ranges, node: Node) -> bool:
    """Whether lanes may wait in it for what others do later."""
    if ranges.is_built_in(node):
        return False
    if node.kind == Kind.CALL:
        known = node.spelling == "__syncthreads" or node.spelling.startswith("__builtin_")
        return not known and not is_arithmetic(body, node)
    if node.kind == Kind.FOR and loop_parts(node) is None:
        return True
    volatile = node.kind in _READS and node.cursor.type.is_volatile_qualified()
    return node.kind in _LEAVES or volatile


def _sends_last_home(body: Body, ranges: Ranges, statement: Node) -> bool:
    """Whether lanes that leave the kernel in the statement, if any, are the last ones."""
    if not any(below.kind == Kind.RETURN for below in preorder(statement)):
        return True
    inner = plain_children(statement)
    if statement.kind != Kind.IF or len(inner) != 2 or inner[0].kind == Kind.DECL_STMT:
        return False
    then = inner[1]
    if then.kind == Kind.COMPOUND and len(plain_children(then)) == 1:
        then = plain_children(then)[0]
    alone = then.kind == Kind.RETURN and not plain_children(then)
    return alone and _holds_for_first(body, ranges, inner[0], frozenset(), holds=False)


def _on_the_way(body: Body, ranges: Ranges, way: list[Node]) -> Arrival | None:
    """``way``: the statement and what it is in, innermost first."""
    tests: list[Node] = []
    counters: set[int] = set()
    inside = {id(below) for below in preorder(way[-1])}
    for above, below in zip(reversed(way[1:]), reversed(way[:-1]), strict=True):
        inner = plain_children(above)
        if above.kind == Kind.COMPOUND or int(above.kind) == _WITH_ATTRIBUTES:
            continue
        if above.kind == Kind.FOR:
            loop = counting_loop(body, ranges, above)
            if loop is None or below is not loop.body or not _runs_alike(loop.body):
                return None
            if not is_same(body, ranges, loop.limit, frozenset(counters)):
                return None
            counters.add(key(loop.counter.cursor))
            continue
        if above.kind != Kind.IF or inner[0].kind == Kind.DECL_STMT or below is inner[0]:
            return None
        if is_same(body, ranges, inner[0], frozenset(counters)):
            continue
        if below is not inner[1] or not _is_known_before(body, ranges, inner[0], inside):
            return None
        if not _holds_for_first(body, ranges, inner[0], frozenset(), holds=True):
            return None
        tests.append(inner[0])
    return Arrival(way[-1], tuple(tests), frozenset(counters))


def _runs_alike(loop: Node) -> bool:
    return not any(below.kind in _EARLY for below in preorder(loop))


def _is_known_before(body: Body, ranges: Ranges, test: Node, inside: set[int]) -> bool:
    """Whether a condition may be asked before the statement that it is in."""
    if not body.words(test):
        return False
    for node in preorder(test):
        if node.kind != Kind.DECL_REF or ranges.is_built_in(node):
            continue
        places = [
            place for place in body.nodes()
            if place.kind in {Kind.VAR, Kind.PARM} and key(place.cursor) == node.key
        ]  # fmt: skip
        writes = ranges.variables.writes(node.key)
        if writes is None or any(id(write) in inside for write in writes):
            return False
        if any(id(place) in inside for place in places):
            return False
    return True


def _holds_for_first(
    body: Body, ranges: Ranges, test: Node, counters: frozenset[int], *, holds: bool
) -> bool:
    """Whether the lanes for which a condition holds (or does not) are the first ones."""
    if is_same(body, ranges, test, counters):
        return True
    node = test
    while node.kind in {Kind.PAREN, Kind.UNEXPOSED_EXPR} and len(plain_children(node)) == 1:
        node = plain_children(node)[0]
    inner = plain_children(node)
    if node.kind == Kind.UNARY and node.unary == Unary.LNOT:
        return _holds_for_first(body, ranges, inner[0], counters, holds=not holds)
    if node.kind != Kind.BINARY or len(inner) != 2:
        return False
    if node.binary == ("&&" if holds else "||"):
        return all(_holds_for_first(body, ranges, part, counters, holds=holds) for part in inner)
    if node.binary not in _COMPARED:
        return False
    grows, same = inner if (node.binary in {"<", "<="}) == holds else inner[::-1]
    return is_same(body, ranges, same, counters) and _grows_along_x(body, ranges, grows, same)


def _grows_along_x(body: Body, ranges: Ranges, node: Node, same: Node) -> bool:
    """Whether a number is larger for each further lane, as it is compared with another one."""
    kinds = [INTEGER_TYPES.get(side.type_kind) for side in (node, same)]
    if None in kinds:
        return False
    value = ranges.sum(node)
    if dict(value.parts).get(_X, 0) <= 0:
        return False
    for atom, _ in value.parts:
        if atom != _X and not all(name.startswith(_SAME) for name in atom.split("*")):
            return False
    signed = all(kind is not None and kind[1] for kind in kinds)
    # What is compared without a sign is another number where it is negative.
    return signed or ranges.atoms.least(value, []) >= 0


def is_same(body: Body, ranges: Ranges, node: Node, counters: frozenset[int]) -> bool:
    """Whether an expression has no effect, and one value for all threads of the block that come to
    it; ``counters``: variables that have.
    """
    if ranges.is_built_in(node):
        return ranges.is_same_in_block(node)
    if node.kind in _LITERALS:
        return True
    if node.kind == Kind.DECL_REF:
        return _is_same_variable(body, ranges, node, counters)
    if node.kind not in _OPERATORS or assigned(node) is not None:
        return False
    if node.kind == Kind.UNARY and Unary(node.unary) not in _SIGNS:
        return False
    inner = plain_children(node)
    return bool(inner) and all(is_same(body, ranges, child, counters) for child in inner)


def _is_same_variable(body: Body, ranges: Ranges, node: Node, counters: frozenset[int]) -> bool:
    declared = node.declared()
    if declared is None or declared.type.is_volatile_qualified():
        return False
    if declared._kind_id in _CONSTANTS or node.key in counters:
        return True
    if not is_of(body, node.key):
        return bool(declared.type.is_const_qualified() and constant(node.cursor) is not None)
    if ranges.variables.written(node.key) != 0:
        return False
    return declared._kind_id == Kind.PARM or _starts_same(body, ranges, declared, counters)


def _starts_same(body: Body, ranges: Ranges, declared: Any, counters: frozenset[int]) -> bool:
    wanted = key(declared)
    places = [n for n in body.nodes() if n.kind == Kind.VAR and key(n.cursor) == wanted]
    first = plain_children(places[0]) if len(places) == 1 else []
    return len(first) == 1 and is_same(body, ranges, first[0], counters)
