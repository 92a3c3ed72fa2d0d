"""Whether a host function is given the shape of a launch: ``void run(dim3 block, float* p)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from drano.frontend.libclang import Kind, Node, passed_kind
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, RECORD
from drano.host.function_bodies import assigned, preorder, target
from drano.host.launching.launch_syntax import launch_parts

_BY_VALUE: Final = frozenset({*INTEGER_TYPES, *FLOAT_TYPES, RECORD})


def gives_shape(function: Node, launches: Callable[[Node], bool]) -> bool:
    """Whether a number, a ``dim3`` or a structure that the function is given may reach the block of
    a launch in it, or a call of what ``launches`` tells.
    """
    parameters = {
        child.key
        for child in function.children
        if child.kind == Kind.PARM and passed_kind(child.cursor) in _BY_VALUE
    }
    if not parameters:
        return False
    feeds: dict[int, set[int]] = {}
    waiting: list[int] = []
    for node in preorder(function):
        if node.kind == Kind.VAR:
            feeds.setdefault(node.key, set()).update(_named((node,)))
        place = assigned(node)
        if place is not None:
            feeds.setdefault(target(place)[0], set()).update(_named((node,)))
        if node.kind == Kind.CALL:
            parts = launch_parts(node)
            if parts is not None:
                waiting += _named((parts.block, *parts.sizes[3:]))
            elif launches(node):
                waiting += _named((node,))
    reached: set[int] = set()
    while waiting:
        variable = waiting.pop()
        if variable in parameters:
            return True
        if variable not in reached:
            reached.add(variable)
            waiting += feeds.get(variable, ())
    return False


def _named(nodes: Iterable[Node]) -> set[int]:
    return {n.key for node in nodes for n in preorder(node) if n.kind == Kind.DECL_REF}
