"""The functions of a unit as trees of libclang, with their places in the text.

Means: the host's side is parsed, for its launches are wanted too; bodies of kernels are in it as
they are, but for code under ``#if`` on what only device code has. So an edit may only rely on what
``mentions`` says: whether all places of the text where a name stands are in the tree.
Limits: functions with errors for libclang have no tree. A parse runs in this process, after clang
itself has accepted the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

from drano.fix.trial import Unit
from drano.frontend.libclang import Kind, Node, errors, key, tree
from drano.frontend.text.cpp_lexer import (
    NAME,
    NOT_CODE,
    blanked,
    identifiers,
    macros,
    statement_start,
    tokens,
)
from drano.frontend.text.cpp_lexer import Kind as TokenKind
from drano.host.function_bodies import preorder
from drano.host.launching.unit_launches import host_unit
from drano.host.unit_functions import Declared, Function, declared_in
from drano.model.finding import Finding
from drano.support.errors import IRError


@dataclass(frozen=True)
class Tree:
    """A parsed unit. ``files``: the user's files that it is made of; ``bodies``: its functions that
    were asked for, as long as somebody keeps them (they keep the tree, and a circle would keep
    libclang's memory until the next collection of garbage); ``broken``: where libclang finds errors
    in the files, as path and offset.
    """

    unit: Unit
    cursor: Any
    files: tuple[str, ...]
    broken: tuple[tuple[str, int], ...] = ()
    bodies: WeakValueDictionary[tuple[str, int], Body] = field(
        default_factory=WeakValueDictionary, compare=False
    )

    @property
    def whole(self) -> bool:
        """Whether the user's files have no errors, so that what is not seen is not there."""
        return not self.broken

    @cached_property
    def declared(self) -> Declared:
        """Functions and variables of the user's files."""
        return declared_in(self.cursor.cursor, self.text)

    def text(self, path: str) -> bytes:
        """What the file holds."""
        return self.unit.text(path)

    def function_at(self, path: str, line: int) -> Function | None:
        """The innermost function whose text holds the line."""
        found: list[tuple[int, Function]] = []
        for function in self.declared.functions:
            extent = function.cursor.extent
            if extent.start.file is None or not same_file(extent.start.file.name, path):
                continue
            if extent.start.line <= line <= extent.end.line:
                found.append((extent.end.line - extent.start.line, function))
        return min(found, key=lambda item: item[0])[1] if found else None


def parsed(unit: Unit, files: Sequence[str]) -> Tree | None:
    """The unit as libclang reads it; None where it does not."""
    try:
        cursor = host_unit(unit.path, unit.config.compile, unit.texts)
    except IRError:
        return None
    own = {os.path.realpath(path) for path in files}
    broken = ((os.path.realpath(path), offset) for path, offset, _ in errors(cursor))
    return Tree(unit, cursor, tuple(files), tuple(place for place in broken if place[0] in own))


def same_file(one: str, other: str) -> bool:
    """Whether two paths are of one file."""
    return one == other or os.path.realpath(one) == os.path.realpath(other)


@dataclass(frozen=True)
class Body:
    """A function of one file. ``start``, ``end``: of its text, in bytes; ``places``: of nodes that
    were asked for, by ``id``, which is the node's own as long as it is kept with it.
    """

    tree: Tree
    path: str
    root: Node
    start: int
    end: int
    places: dict[int, tuple[Node, tuple[int, int] | None]] = field(
        default_factory=dict, compare=False
    )

    @cached_property
    def source(self) -> bytes:
        """The whole file."""
        return self.tree.text(self.path)

    @cached_property
    def code(self) -> bytes:
        """The whole file with blanks for what is not code."""
        return blanked(self.source, NOT_CODE)

    @cached_property
    def parents(self) -> dict[int, Node]:
        """The node above each node, by ``id``."""
        return {id(child): node for node in preorder(self.root) for child in node.children}

    def nodes(self) -> Iterator[Node]:
        """All of them, in the text's order."""
        return (node for node in preorder(self.root))

    def above(self, node: Node) -> Iterator[Node]:
        """What a node is in, innermost first."""
        current = self.parents.get(id(node))
        while current is not None:
            yield current
            current = self.parents.get(id(current))

    def range(self, node: Node) -> tuple[int, int] | None:
        """Where the node stands in the file; None if that is in another, or in a macro."""
        known = self.places.get(id(node))
        if known is None:
            known = self.places[id(node)] = (node, self._range(node))
        return known[1]

    def _range(self, node: Node) -> tuple[int, int] | None:
        extent = node.cursor.extent
        file = extent.start.file
        if file is None or not same_file(file.name, self.path):
            return None
        start, end = int(extent.start.offset), int(extent.end.offset)
        return (start, end) if start < end else None

    def words(self, node: Node) -> bytes:
        """The node's text, b"" where it has none of its own."""
        place = self.range(node)
        return self.source[slice(*place)] if place else b""

    def has_directives(self, *, but_pragmas: bool = False) -> bool:
        """Whether any preprocessor directive stands in it."""
        found = [
            token
            for token in tokens(self.source[: self.end], {TokenKind.DIRECTIVE, TokenKind.COMMENT})
            if token.kind is TokenKind.DIRECTIVE and token.start >= self.start
        ]
        return not all(but_pragmas and self._is_pragma(token.start) for token in found)

    def _is_pragma(self, start: int) -> bool:
        return self.source[start : self.end].lstrip(b" \t#").startswith(b"pragma")

    def mentions(self, declared: Node) -> list[Node] | None:
        """All references to a local variable; None if its name also stands where the tree has none
        (in a directive, a macro's arguments, code that is left out), or shows elsewhere what it is.
        """
        name = declared.spelling.encode()
        wanted = key(declared.cursor)
        found = [n for n in self.nodes() if n.kind == Kind.DECL_REF and n.key == wanted]
        places = {int(n.cursor.location.offset) for n in found}
        if any(self.words(n) != name for n in found) or len(places) != len(found):
            return None
        text = blanked(self.source[: self.end], {TokenKind.COMMENT, TokenKind.STRING})
        standing = {m.start() for m in NAME.finditer(text, self.start) if m[0] == name}
        return found if standing == places | {int(declared.cursor.location.offset)} else None

    def variable(self, name: str) -> Node | None:
        """The one local variable or parameter of the name."""
        found = [
            n for n in self.nodes()
            if n.kind in {Kind.VAR, Kind.PARM} and n.spelling == name
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

    def is_restricted(self, name: str) -> bool:
        """Whether it promises that its memory is reached through it only."""
        variable = self.variable(name)
        return variable is not None and "__restrict" in str(variable.cursor.type.spelling)


def body_of(tree_: Tree, finding: Finding) -> Body | None:
    """The function that a finding's line is in."""
    span = finding.location.span
    function = tree_.function_at(span.path, span.line)
    return None if function is None else body(tree_, span.path, function)


def body(tree_: Tree, path: str, function: Function) -> Body | None:
    """The function as a tree; None where it is too large for one, or has errors."""
    place = (path, int(function.cursor.extent.start.offset))
    known = tree_.bodies.get(place)
    if known is not None:
        return known
    made = _body(tree_, path, function)
    if made is not None:
        tree_.bodies[place] = made
    return made


def _body(tree_: Tree, path: str, function: Function) -> Body | None:
    extent = function.cursor.extent
    text = range(int(extent.start.offset), int(extent.end.offset) + 1)
    if any(file == os.path.realpath(path) and at in text for file, at in tree_.broken):
        return None
    root = tree(function.cursor)
    if root is None:
        return None
    return Body(tree_, path, root, int(extent.start.offset), int(extent.end.offset))


def taken(text: bytes, body_: tuple[int, int], files: Iterable[bytes]) -> frozenset[bytes]:
    """Names that a new variable of a function must not have: those in its text, with what is before
    its braces, and macros.
    """
    code = blanked(text[: body_[1]], {TokenKind.COMMENT, TokenKind.STRING})
    start = statement_start(code, max(body_[0] - 1, 0))
    defined = (macro.name for file in files for macro in macros(file))
    return identifiers(code[start:]) | frozenset(defined)


def expressions_on(body_: Body, line: int) -> Iterator[Node]:
    """Nodes that begin on a line."""
    for node in body_.nodes():
        if node.cursor.extent.start.line == line:
            yield node
