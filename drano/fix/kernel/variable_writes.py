"""What assigns the variables of a function, and which loops count them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct, field

from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, key, type_kind
from drano.frontend.type_kinds import INTEGER_TYPES
from drano.host.function_bodies import assigned, plain_children, strip

_LOOPS: Final = frozenset({Kind.FOR, Kind.WHILE, Kind.DO, Kind.FOR_RANGE})
_PLAIN: Final = frozenset({Kind.IF})
_ELSEWHERE: Final = frozenset({414, 415, 416, 413, 412})  # __shared__, __device__, __constant__


class VariableWrites(Struct):
    """Of one function; mutated: ``found`` keeps the writes that were asked for."""

    body: Body
    found: dict[int, list[Node] | None] = field(default_factory=dict)

    def written(self, variable: int) -> int:
        """How often a variable is assigned, by its key; -1 where others may write to it."""
        writes = self.writes(variable)
        return -1 if writes is None else len(writes)

    def is_private(self, declared: Any) -> bool:
        """Whether a variable is this thread's own, of this function, and of an integer type that is
        as wide as what is computed.
        """
        kind = INTEGER_TYPES.get(type_kind(declared))
        if kind is None or kind[0] < 32 or declared.type.is_volatile_qualified():
            return False
        if declared._kind_id == Kind.VAR and _says_shared(declared):
            return False
        places = (node for node in self.body.nodes() if node.kind == declared._kind_id)
        return any(key(node.cursor) == key(declared) for node in places)

    def varies(self, place: Node, use: Node) -> bool:
        """Whether the variable may be of another iteration than the use: never, for its scope is
        within the loop's body; but its declaration must be in this function, not a lambda in it.
        """
        return any(
            node.kind == Kind.LAMBDA for node in (*self.body.above(place), *self.body.above(use))
        )

    def writes(self, wanted: int) -> list[Node] | None:
        """What assigns the variable; None where others may, by its address or a reference."""
        if wanted not in self.found:
            self.found[wanted] = self._find_writes(wanted)
        return self.found[wanted]

    def _find_writes(self, wanted: int) -> list[Node] | None:
        found: list[Node] = []
        for node in self.body.nodes():
            if node.kind != Kind.DECL_REF or node.key != wanted:
                continue
            above = self.body.parents.get(id(node))
            while above is not None and above.kind == Kind.PAREN:
                above = self.body.parents.get(id(above))
            if above is None or above.kind in {Kind.VAR, Kind.CALL, Kind.LAMBDA, Kind.VARIABLE_REF}:
                return None  # bound to a reference; a plain read has a cast above it
            if above.kind == Kind.UNARY and above.unary == Unary.ADDRESS:
                return None
            place = assigned(above)
            if place is not None and strip(place) is node:
                found.append(above)
        return found

    def counting(self, use: Node, wanted: int, writes: list[Node]) -> Node | None:
        """The innermost loop around a use that counts the variable, if nothing in it does else."""
        for loop in self.body.above(use):
            if loop.kind != Kind.FOR:
                continue
            parts = loop_parts(loop)
            if parts is None or first_value(parts[0], wanted) is None:
                continue
            inside = {id(node) for node in nodes_below(parts[3])} | {
                id(n) for n in nodes_below(parts[1])
            }
            stepped = [
                write for write in writes if id(write) in {id(n) for n in nodes_below(parts[2])}
            ]
            if any(id(write) in inside for write in writes) or len(stepped) != 1:
                return None
            return loop if id(use) in inside else None
        return None

    def last_write(self, use: Node, wanted: int, writes: list[Node]) -> Node | None:
        """What was assigned last, in a statement of its own before the use in one of the blocks
        around it, with no other write between the two.
        """
        written = {id(write) for write in writes}
        below = use
        for above in self.body.above(use):
            if above.kind in _LOOPS and any(id(node) in written for node in nodes_below(above)):
                return None
            if above.kind == Kind.COMPOUND:
                before = above.children[: above.children.index(below)]
                for statement in reversed(before):
                    inner = plain_children(statement)
                    if id(statement) in written:
                        whole = (
                            statement.kind == Kind.BINARY
                            and statement.binary == "="
                            and strip(inner[0]).key == wanted
                        )
                        return inner[1] if whole else None
                    if any(id(node) in written for node in nodes_below(statement)):
                        return None
            elif above.kind not in _PLAIN and any(
                id(node) in written
                for child in above.children if child is not below for node in nodes_below(child)
            ):  # fmt: skip
                return None
            below = above
        return None


def first_value(init: Node, wanted: int) -> Node | None:
    """What the loop's first part sets the variable to."""
    for node in nodes_below(init):
        inner = plain_children(node)
        if node.kind == Kind.VAR and key(node.cursor) == wanted and inner:
            return inner[-1]
        if node.kind != Kind.BINARY or node.binary != "=":
            continue
        if strip(inner[0]).kind == Kind.DECL_REF and strip(inner[0]).key == wanted:
            return inner[1]
    return None


def _says_shared(declared: Any) -> bool:
    return any(child._kind_id in _ELSEWHERE for child in declared.get_children())


def is_static(place: Node) -> bool:
    """Whether a variable outlives its block."""
    return str(place.cursor.storage_class) != "StorageClass.NONE"


def nodes_below(node: Node) -> Iterator[Node]:
    """The node and all that is in it."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(current.children)


def loop_parts(loop: Node) -> tuple[Node, Node, Node, Node] | None:
    """First part, condition, step and body of a ``for`` loop that has all of them."""
    inner = plain_children(loop)
    return (inner[0], inner[1], inner[2], inner[3]) if len(inner) == 4 else None
