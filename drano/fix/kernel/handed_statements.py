"""Statements of a kernel whose one access threads may do for each other.

Around it are conditions, and a loop at most; all threads come there, but for those that a guard
sends home.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from drano.fix.kernel.ranges import Ranges
from drano.fix.kernel.variable_writes import loop_parts
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, constant
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES
from drano.host.function_bodies import assigned, plain_children, preorder, strip


class Part(Struct, frozen=True):
    """A top-level statement of a kernel with the one access that is to be handed on. ``step``: the
    innermost statement; ``tests``: conditions around it; ``loop``: over the tile's rows.
    """

    whole: Node
    step: Node
    tests: tuple[Node, ...]
    loop: Node | None


def parts_with(
    body: Body, ranges: Ranges, line: int, *, stores: bool
) -> Iterator[tuple[Part, Node]]:
    """Statements of the kernel that may hand on what they access on a line."""
    block = next((node for node in body.root.children if node.kind == Kind.COMPOUND), None)
    statements = [] if block is None else plain_children(block)
    for number, whole in enumerate(statements):
        extent = whole.cursor.extent
        if not extent.start.line <= line <= extent.end.line:
            continue
        part = _part(body, whole)
        if part is None or not _is_reached(body, ranges, statements[:number]):
            return
        if stores:
            target = assigned(part.step)
            last = number == len(statements) - 1
            if target is None or part.step.binary != "=" or not last:
                return
            place = _without_parentheses(target)
            if _may_be_handed_on(body, place) and place.cursor.extent.start.line <= line:
                yield part, place
            return
        if any(_touches_memory(node, writes=True) for before in statements[:number]
               for node in preorder(before)):  # fmt: skip
            return
        for place in _loads(body, part.step, line):
            yield part, place
        return


def _part(body: Body, whole: Node) -> Part | None:
    """The statement, if all in it is conditions, a loop, and declarations before one step."""
    tests: list[Node] = []
    loop: Node | None = None
    node = whole
    while True:
        inner = plain_children(node)
        if node.kind == Kind.COMPOUND:
            if not inner or any(child.kind != Kind.DECL_STMT for child in inner[:-1]):
                return None
            # what is declared before the step is no part of it, but must do nothing else
            for child in inner[:-1]:
                if any(_touches_memory(n, writes=False) for n in preorder(child)):
                    return None
            node = inner[-1]
        elif node.kind == Kind.IF:
            if len(inner) != 2 or inner[0].kind == Kind.DECL_STMT:
                return None
            tests.append(inner[0])
            node = inner[1]
        elif node.kind == Kind.FOR:
            parts = loop_parts(node)
            if parts is None or loop is not None:
                return None
            loop, node = node, parts[3]
        else:
            break
    one = node.kind == Kind.DECL_STMT or node.kind in range(Kind.UNEXPOSED_EXPR, 200)
    own_line = body.range(node) is not None and body.range(whole) is not None
    return Part(whole, node, tuple(tests), loop) if one and own_line else None


def _without_parentheses(node: Node) -> Node:
    while node.kind == Kind.PAREN:
        node = plain_children(node)[0]
    return node


def _is_reached(body: Body, ranges: Ranges, before: Sequence[Node]) -> bool:
    """Whether all threads come behind these statements, but for those that a guard sends home."""
    guarded = False
    for statement in before:
        returns = any(node.kind == Kind.RETURN for node in preorder(statement))
        if not returns:
            if guarded and not _is_pure(statement):
                return False
            continue
        if guard_of(statement) is None:
            return False
        guarded = True
    return True


def _is_pure(statement: Node) -> bool:
    """Whether threads that a guard would have sent home may do it, too."""
    for node in preorder(statement):
        if node.kind in {Kind.CALL, Kind.SUBSCRIPT} and not _is_index(node):
            return False
        if assigned(node) is not None or _touches_memory(node, writes=False):
            return False
        divides = node.kind == Kind.BINARY and node.binary in {"/", "%"}
        if divides and not constant(plain_children(node)[1].cursor):
            return False
    return statement.kind == Kind.DECL_STMT


def _is_index(node: Node) -> bool:
    """Whether a call is how clang reads ``threadIdx.x``."""
    return node.spelling.startswith("__fetch_builtin")


def guard_of(statement: Node) -> Node | None:
    """The condition of ``if (...) return;``."""
    inner = plain_children(statement)
    if statement.kind != Kind.IF or len(inner) != 2:
        return None
    then = inner[1]
    if then.kind == Kind.COMPOUND and len(plain_children(then)) == 1:
        then = plain_children(then)[0]
    return inner[0] if then.kind == Kind.RETURN and not plain_children(then) else None


def _touches_memory(node: Node, *, writes: bool) -> bool:
    """Whether a node may write to memory, or use it at all; calls may do both."""
    if node.kind == Kind.CALL and not _is_index(node):
        return not node.spelling.startswith(("dim3", "uint3"))
    if node.kind == Kind.UNARY and node.unary == Unary.DEREF:
        return True
    if not writes:
        return node.kind == Kind.SUBSCRIPT
    place = assigned(node)
    return place is not None and strip(place).kind != Kind.DECL_REF


def _may_be_handed_on(body: Body, place: Node) -> bool:
    """Whether it is an element of an array of numbers that a parameter points to."""
    kind = place.type_kind
    if place.kind != Kind.SUBSCRIPT or not body.words(place):
        return False
    if place.cursor.type.is_volatile_qualified():
        return False
    base = strip(plain_children(place)[0])
    declared = base.declared() if base.kind == Kind.DECL_REF else None
    if declared is None or declared._kind_id not in {Kind.PARM, Kind.VAR}:
        return False
    array = int(declared.type.get_canonical().get_array_element_type()._kind_id) != 0
    return not array and (kind in INTEGER_TYPES or kind in FLOAT_TYPES)


def _loads(body: Body, step: Node, line: int) -> Iterator[Node]:
    """Elements that the step reads, on the line, whatever else it finds."""
    target = assigned(step)
    written = None if target is None else strip(target)
    for node in preorder(step):
        if node.kind != Kind.SUBSCRIPT or node is written or not _may_be_handed_on(body, node):
            continue
        above = [step, *(a for a in body.above(node) if _within(body, a, step))]
        branches = any(
            outer.kind == Kind.CONDITIONAL
            or (outer.kind == Kind.BINARY and outer.binary in {"&&", "||"})
            or (outer.kind == Kind.UNARY and outer.unary == Unary.ADDRESS)
            or outer.kind in {Kind.SUBSCRIPT, Kind.CALL}
            for outer in above
        )
        if not branches and node.cursor.extent.start.line == line:
            yield node


def _within(body: Body, node: Node, step: Node) -> bool:
    return any(above is step for above in body.above(node))
