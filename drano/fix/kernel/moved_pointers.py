"""Parameters that a function moves to a thread's own part of an array before it uses them.

Means: ``move_of`` says how many elements a pointer is moved by ``p += row * C;`` where this happens
in each call once, before all that is done with it: from there on it is a pointer that stays.
Limits: moves under conditions, in loops, and in functions with labels are not known.
"""

from __future__ import annotations

from typing import Final

from drano.fix.kernel.ranges import Ranges, Sum
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, key
from drano.host.function_bodies import plain_children, preorder

_JUMPS: Final = frozenset({Kind.GOTO, Kind.INDIRECT_GOTO, Kind.LABEL})


def move_of(body: Body, ranges: Ranges, parameter: Node) -> Sum | None:
    """By how many elements a parameter is moved; None where it is not known what it points to."""
    wanted = key(parameter.cursor)
    moves = ranges.writes(wanted)
    if moves is None or parameter.kind != Kind.PARM:
        return None
    total, within = Sum(), set[int]()
    for move in moves:
        block = body.parents.get(id(move))
        if move.kind != Kind.COMPOUND_ASSIGN or move.binary != "+=" or block is None:
            return None
        if block.kind != Kind.COMPOUND or body.parents.get(id(block)) is not body.root:
            return None
        pointer, by = plain_children(move)
        if any(node.key == wanted for node in preorder(by) if node.kind == Kind.DECL_REF):
            return None
        total = total.plus(ranges.sum(by))
        within.add(id(pointer))
    if moves and any(node.kind in _JUMPS for node in body.nodes()):
        return None
    last = max((move.cursor.extent.end.offset for move in moves), default=0)
    uses = (n for n in body.nodes() if n.kind == Kind.DECL_REF and n.key == wanted)
    early = any(use.cursor.extent.start.offset < last for use in uses if id(use) not in within)
    return None if early else total
