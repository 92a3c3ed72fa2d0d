"""Expressions of a kernel as another thread of the block would evaluate them.

Means: ``OtherThread.text`` is the text of an expression with other words for ``threadIdx.x``,
``threadIdx.y`` and the counter of a loop. Local variables that depend on these get copies of their
own, whose declarations are in ``declared``. What the copy gives is what the other thread has in the
place of the original: all that stands in it are numbers of the thread and the block, parameters and
variables that are written once, and arithmetic.
Limits: expressions that read memory, call functions but arithmetic, or come out of macros are not
copied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, field

from drano.fix.kernel.ranges import Ranges
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, constant, key, type_kind
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, POINTER
from drano.host.function_bodies import assigned, plain_children, strip

_BUILT_IN: Final = re.compile(rb"\s*(threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*([xyz])\s*")
_ALLOWED: Final = frozenset(
    {
        Kind.UNEXPOSED_EXPR, Kind.INTEGER, Kind.FLOATING, Kind.BOOL, Kind.CHARACTER, Kind.PAREN,
        Kind.BINARY, Kind.UNARY, Kind.CONDITIONAL, Kind.C_CAST, Kind.STATIC_CAST,
        Kind.FUNCTIONAL_CAST,
    }
)  # fmt: skip
_SIGNS: Final = frozenset({Unary.PLUS, Unary.MINUS, Unary.NOT, Unary.LNOT})
_NUMBERS: Final = frozenset({*INTEGER_TYPES, *FLOAT_TYPES, POINTER})
_CONSTANTS: Final = frozenset({Kind.ENUM_CONSTANT, Kind.NON_TYPE_PARAMETER})


class NotCopiedError(Exception):
    """An expression that no other thread can evaluate alike, for all that is known."""


class OtherThread(Struct):
    """``words``: what to write for ``threadIdx.x`` and ``threadIdx.y``; ``counter``: the key of a
    loop's variable that is 0 for the other thread, 0 for none; ``inside``: the statement that the
    copies are put beside, whose own variables they cannot see; ``tail``: of the new names.
    Mutated: ``declared``, names and declarations by the key of their variables, in order.
    """

    body: Body
    ranges: Ranges
    words: Mapping[bytes, bytes]
    counter: int
    inside: Node
    tail: bytes
    declared: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)

    def text(self, node: Node) -> bytes:
        """The expression for the other thread. Raises NotCopiedError."""
        place = self.body.range(node)
        if place is None:
            raise NotCopiedError
        changes = sorted(self._changes(node))
        parts, done = [], place[0]
        for start, end, text in changes:
            if start < done or end > place[1]:
                raise NotCopiedError
            parts += [self.body.source[done:start], text]
            done = end
        return b"".join([*parts, self.body.source[done : place[1]]])

    def varies(self, node: Node) -> bool:
        """Whether the other thread may find another value. Raises NotCopiedError."""
        return bool(self._changes(node))

    def _changes(self, node: Node) -> list[tuple[int, int, bytes]]:
        place = self.body.range(node)
        if place is None:
            raise NotCopiedError
        match = _BUILT_IN.fullmatch(self.body.words(node))
        if match is not None:
            text = self.words.get(match[2]) if match[1] == b"threadIdx" else None
            return [] if text is None else [(*place, text)]
        if node.kind == Kind.DECL_REF:
            return self._named(node, place)
        inner = plain_children(node)
        if node.kind not in _ALLOWED or assigned(node) is not None:
            raise NotCopiedError
        if node.kind == Kind.UNARY and Unary(node.unary) not in _SIGNS:
            raise NotCopiedError
        if node.kind == Kind.BINARY and len(inner) == 2 and node.binary == "+":
            for one, other in (inner, inner[::-1]):
                if self._is_counter(one):
                    return [(*place, self.text(other))]
        return [change for child in inner for change in self._changes(child)]

    def _is_counter(self, node: Node) -> bool:
        named = strip(node)
        return bool(self.counter) and named.kind == Kind.DECL_REF and named.key == self.counter

    def _named(self, node: Node, place: tuple[int, int]) -> list[tuple[int, int, bytes]]:
        declared = node.declared()
        name = node.spelling.encode()
        if declared is None or self.body.words(node) != name:
            raise NotCopiedError
        if self._is_counter(node):
            return [(*place, b"0")]
        if declared._kind_id in _CONSTANTS:
            return []
        if declared.type.is_volatile_qualified():
            raise NotCopiedError
        local = self._local(declared)
        if local is None:
            if declared.type.is_const_qualified() and constant(node.cursor) is not None:
                return []
            raise NotCopiedError
        if self.ranges.variables.written(key(declared)) != 0 or type_kind(declared) not in _NUMBERS:
            raise NotCopiedError
        return [] if local.kind == Kind.PARM else self._variable(local, place)

    def _local(self, declared: Any) -> Node | None:
        """A variable or parameter of the function, where it is the thread's own."""
        wanted = key(declared)
        for node in self.body.nodes():
            if node.kind in {Kind.VAR, Kind.PARM} and key(node.cursor) == wanted:
                shared = any(child._kind_id >= 400 for child in node.cursor.get_children())
                lasting = str(node.cursor.storage_class) != "StorageClass.NONE"
                if node.kind == Kind.VAR and (shared or lasting):
                    raise NotCopiedError
                return node
        return None

    def _variable(self, variable: Node, place: tuple[int, int]) -> list[tuple[int, int, bytes]]:
        wanted = key(variable.cursor)
        if wanted not in self.declared:
            inner = plain_children(variable)
            if not inner:
                raise NotCopiedError
            text = self.text(inner[-1])
            hidden = any(above is self.inside for above in self.body.above(variable))
            if not hidden and not self._changes(inner[-1]):
                return []
            name = variable.spelling.encode() + self.tail
            kind = variable.cursor.type
            spelled = str((kind.get_canonical() if "auto" in kind.spelling else kind).spelling)
            spelled = spelled.removeprefix("const ").removesuffix("const")
            line = b"const %b %b = %b;" % (spelled.encode(), name, text)
            if b"*" in spelled.encode():
                line = b"%b%b = %b;" % (spelled.encode(), name, text)
            self.declared[wanted] = (name, line)
        return [(*place, self.declared[wanted][0])]
