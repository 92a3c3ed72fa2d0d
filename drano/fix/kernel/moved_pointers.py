"""Parameters that a function moves to a thread's own part of an array before it uses them.

Means: ``move_of`` says how many elements a pointer is moved by ``p += row * C;`` where this happens
in each call once, before all that is done with it: from there on it is a pointer that stays.
Limits: they are sums and products of numbers that nothing changes. Moves under conditions, in
loops, and in functions with labels are not known.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from drano.fix.kernel.ranges import Ranges
from drano.fix.kernel.sums import Sum
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, key
from drano.frontend.type_kinds import INTEGER_TYPES
from drano.host.function_bodies import plain_children, preorder

_ARITHMETIC: Final = frozenset(
    {
        Kind.UNEXPOSED_EXPR, Kind.INTEGER, Kind.PAREN, Kind.BINARY, Kind.C_CAST, Kind.STATIC_CAST,
        Kind.TYPE_REF,
    }
)  # fmt: skip
_SIGNS: Final = frozenset({"+", "-", "*", "/", "%"})
_JUMPS: Final = frozenset({Kind.GOTO, Kind.INDIRECT_GOTO, Kind.LABEL})


class Move(Struct, frozen=True):
    """``by``: so many elements; ``text``: the same as it is written, to stand in parentheses, b""
    where nothing is moved.
    """

    by: Sum
    text: bytes


def move_of(body: Body, ranges: Ranges, parameter: Node) -> Move | None:
    """How a parameter is moved; None where it is not known what it points to, or names in the text
    of the move change later.
    """
    wanted = key(parameter.cursor)
    moves = ranges.variables.writes(wanted)
    if moves is None or parameter.kind != Kind.PARM:
        return None
    total, within, texts = Sum(), set[int](), list[bytes]()
    for move in moves:
        block = body.parents.get(id(move))
        if move.kind != Kind.COMPOUND_ASSIGN or move.binary != "+=" or block is None:
            return None
        if block.kind != Kind.COMPOUND or body.parents.get(id(block)) is not body.root:
            return None
        pointer, by = plain_children(move)
        if not body.words(by) or not all(_stays(body, ranges, node) for node in preorder(by)):
            return None
        total = total.plus(ranges.sum(by))
        within.add(id(pointer))
        texts.append(body.words(by))
    if moves and any(node.kind in _JUMPS for node in body.nodes()):
        return None
    last = max((move.cursor.extent.end.offset for move in moves), default=0)
    uses = (n for n in body.nodes() if n.kind == Kind.DECL_REF and n.key == wanted)
    early = any(use.cursor.extent.start.offset < last for use in uses if id(use) not in within)
    if early:
        return None
    shown = texts if len(texts) == 1 else [b"(%b)" % text for text in texts]
    return Move(total, b" + ".join(shown))


def _stays(body: Body, ranges: Ranges, node: Node) -> bool:
    """Whether a part of a move means the same number later, wherever it stands."""
    if ranges.is_built_in(node):
        return True
    if node.kind == Kind.DECL_REF:
        variable = body.variable(node.spelling)
        known = variable is not None and key(variable.cursor) == node.key
        return known and ranges.variables.written(node.key) == 0 and node.type_kind in INTEGER_TYPES
    return node.kind in _ARITHMETIC and (node.kind != Kind.BINARY or node.binary in _SIGNS)
