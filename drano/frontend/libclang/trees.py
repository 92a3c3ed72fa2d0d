"""Trees: plain Python copies of cursors' subtrees, each made in one visit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clang import cindex
from msgspec import Struct, field

from drano.frontend.libclang.kinds import Kind
from drano.frontend.libclang.parsing import library
from drano.frontend.libclang.questions import underlying_kind
from drano.frontend.type_kinds import ENUM

if TYPE_CHECKING:
    import numpy as np

_Identity = tuple[int, int, int]

MAX_NODES: Final = 80_000
"""Nodes of one tree: larger functions are generated tables, and give no launch."""


class _Tree(Struct, frozen=True):
    """What the nodes of one tree are made of, and the unit that keeps it alive; ``known``: cursors
    that were made of them.
    """

    records: np.ndarray[Any, np.dtype[np.void]]
    unit: Any
    known: dict[bytes, Any] = field(default_factory=dict)

    def cursor(self, member: str, position: int) -> Any:
        raw = self.records[member][position].tobytes()
        cursor = self.known.get(raw)
        if cursor is None:
            cursor = self.known[raw] = _Cursor.from_buffer_copy(raw)
            cursor._tu = self.unit
        return cursor


class _Cursor(cindex.Cursor):  # type: ignore[misc]  # of a module without types
    """Of a tree, where none is null: the bindings ask that of clang before each attribute."""

    def is_null(self) -> bool:
        return False


class Node(Struct, eq=False):
    """One cursor of a copied tree. Mutated while it is built.

    ``kind`` is its raw CXCursorKind, ``type_kind`` and ``key`` what the functions of these names
    say of it and of what it names (0 if it names nothing), ``unary`` and ``binary`` its operator.
    ``movement``: what ``host.pointers.pointer_movement`` found out of the tree below, once it did;
    ``plain`` and ``below``: children that are no names of types, and all nodes of the tree below in
    source order, once they were asked for.
    """

    kind: int
    type_kind: int
    unary: int
    binary: str
    key: int
    _tree: _Tree
    _position: int
    children: list[Node] = field(default_factory=list)
    plain: list[Node] | None = None
    below: tuple[Node, ...] | None = None
    movement: int | None = None
    _cursor: Any = None
    _declared: Any = None
    _spelling: str | None = None

    @property
    def cursor(self) -> Any:
        """The cursor itself, for all that the node does not say."""
        if self._cursor is None:
            self._cursor = self._tree.cursor("cursor", self._position)
        return self._cursor

    @property
    def spelling(self) -> str:
        """Name of what it declares or refers to."""
        if self._spelling is None:
            self._spelling = str(self.cursor.spelling)
        return self._spelling

    def declared(self) -> Any | None:
        """The declaration that a reference, member or call names."""
        if self._declared is None and self.key:
            self._declared = self._tree.cursor("named", self._position)
        return self._declared


def tree(cursor: Any) -> Node | None:
    """Copy of the subtree of ``cursor``; None when it exceeds ``MAX_NODES``."""
    from drano.frontend.tree_records import subtree  # noqa: PLC0415 - loads numpy and LLVM

    records = subtree(library(), cursor, MAX_NODES)
    if records is None:
        return None
    nodes = _nodes(_Tree(records, cursor._tu))
    above = [_identities(records["cursor"]), _identities(records["parent"])]
    stack: list[tuple[_Identity, Node]] = []
    for node, own, parent in zip(nodes, *above, strict=True):
        if stack:
            if stack[-1][0] != parent:
                _back_to(stack, parent)
            stack[-1][1].children.append(node)
        stack.append((own, node))
    nodes[0].below = tuple(nodes[1:])  # what is visited next lies below what is on the stack
    return nodes[0]


def _nodes(whole: _Tree) -> list[Node]:
    columns = (whole.records[name].tolist() for name in ("type_kind", "unary", "binary", "key"))
    kinds = whole.records["cursor"]["kind"].tolist()
    nodes = [
        Node(kind, of, unary, _OPERATORS.get(binary, ""), named, whole, at)
        for at, (kind, of, unary, binary, named) in enumerate(zip(kinds, *columns, strict=True))
    ]
    numbers: dict[int, int] = {}
    for at in (whole.records["type_kind"] == ENUM).nonzero()[0].tolist():
        type_ = int(whole.records["type"][at])
        if type_ not in numbers:
            numbers[type_] = underlying_kind(nodes[at].cursor)
        nodes[at].type_kind = numbers[type_]
    return nodes


def _identities(cursors: np.ndarray[Any, np.dtype[np.void]]) -> list[_Identity]:
    """Of each cursor its kind and what it points to."""
    data = cursors["data"]
    columns = (cursors["kind"].tolist(), data[:, 0].tolist(), data[:, 1].tolist())
    return list(zip(*columns, strict=True))


def _back_to(stack: list[tuple[_Identity, Node]], wanted: _Identity) -> None:
    """Leave what is on top of a parent. Of what lambdas capture, clang shows parts without what
    they are parts of: these belong to the capture.
    """
    for position in range(len(stack) - 2, -1, -1):
        if stack[position][0] == wanted:
            del stack[position + 1 :]
            return
    for position in range(len(stack) - 1, 0, -1):
        if stack[position][1].kind == Kind.VARIABLE_REF:
            del stack[position + 1 :]
            return


_ARITHMETIC = ("*", "/", "%", "+", "-", "<<", ">>", "<=>")
_LOGIC = ("<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||")
_ASSIGNMENTS = ("=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ",")
_OPERATORS: Final = dict(enumerate((*_ARITHMETIC, *_LOGIC, *_ASSIGNMENTS), start=3))
"""CXBinaryOperatorKind -> spelling; 1 and 2 are pointers to members."""
