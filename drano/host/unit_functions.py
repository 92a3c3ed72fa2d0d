"""Functions and variables that the user's files of a unit declare, wherever they stand: in
namespaces, classes, unions, as friends, in classes that are local to functions.

Limits: a class that a macro makes within a function is not looked into.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from drano.frontend.libclang import Kind, declarations, is_device_code, tree
from drano.frontend.text.cpp_lexer import identifiers
from drano.frontend.text.text_scan import may_launch
from drano.host.function_bodies import preorder

FUNCTIONS: Final = frozenset(
    {
        Kind.FUNCTION,
        Kind.METHOD,
        Kind.CONSTRUCTOR,
        Kind.DESTRUCTOR,
        Kind.CONVERSION,
        Kind.FUNCTION_TEMPLATE,
    }
)
_CLASSES: Final = frozenset({Kind.STRUCT, Kind.CLASS, Kind.UNION})
_SCOPES: Final = frozenset(
    {
        *_CLASSES,
        Kind.NAMESPACE,
        Kind.LINKAGE_SPEC,
        Kind.CLASS_TEMPLATE,
        Kind.CLASS_PARTIAL,
        Kind.FRIEND,
        Kind.UNEXPOSED_DECL,
    }
)
_UNSEEN: Final = frozenset({Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION})
_LOCAL_CLASS: Final = frozenset({b"struct", b"class", b"union"})
_MAX_DEPTH: Final = 20


class Function(Struct, frozen=True):
    """A function of the user's files; ``names``: the identifiers in its text; ``pattern``: it is
    a template, or in one: its instantiations are read instead where there are any; ``device``: the
    host cannot run it.
    """

    cursor: Any
    name: str
    launches: bool
    names: frozenset[bytes]
    pattern: bool
    device: bool


class Declared(Struct, frozen=True):
    """``functions`` with a body; ``variables``: of namespaces and classes; ``hidden``: of what
    libclang shows nothing but the place (templates of variables).
    """

    functions: tuple[Function, ...]
    variables: tuple[Any, ...]
    hidden: tuple[Any, ...]


def declared_in(unit: Any, read: Callable[[str], bytes]) -> Declared:
    """All that is declared below a unit's cursor; ``read`` gives a file's text."""
    functions: list[Function] = []
    variables: list[Any] = []
    hidden: list[Any] = []
    waiting = [(unit, 0, False)]
    while waiting:
        scope, depth, pattern = waiting.pop()
        inner = declarations(scope)
        if not inner and scope._kind_id == Kind.UNEXPOSED_DECL:
            hidden.append(scope)
        for cursor in inner:
            kind = cursor._kind_id
            if kind in FUNCTIONS:
                functions += _with_local_ones(cursor, pattern, read)
            elif kind in {Kind.VAR, Kind.FIELD}:
                variables.append(cursor)
            elif kind in _SCOPES and depth < _MAX_DEPTH:
                templated = kind in {Kind.CLASS_TEMPLATE, Kind.CLASS_PARTIAL}
                waiting.append((cursor, depth + 1, pattern or templated))
    return Declared(tuple(functions), tuple(variables), tuple(hidden))


class Mentioning(Struct, frozen=True):
    """The functions and the variables in whose text a word stands."""

    functions: Mapping[bytes, Sequence[Function]] = field(default_factory=dict)
    variables: Mapping[bytes, Sequence[Any]] = field(default_factory=dict)

    def is_called(self, function: Function) -> bool:
        """Whether a function of another name has its name in it."""
        others = self.functions.get(os.fsencode(function.name), ())
        return any(other.name != function.name for other in others)


def mentioning(
    functions: Sequence[Function], variables: Sequence[Any], read: Callable[[str], bytes]
) -> Mentioning:
    """Who has which words in its text."""
    by_function: dict[bytes, list[Function]] = {}
    by_variable: dict[bytes, list[Any]] = {}
    for function in functions:
        for name in function.names:
            by_function.setdefault(name, []).append(function)
    for variable in variables:
        for name in identifiers(own_text(read, variable)):
            by_variable.setdefault(name, []).append(variable)
    return Mentioning(by_function, by_variable)


def called_unseen(function: Any) -> bool:
    """Whether some calls of a function have no call in the tree: of those that make, end and
    convert objects, and of operators.
    """
    return function._kind_id in _UNSEEN or str(function.spelling).startswith("operator")


def own_text(read: Callable[[str], bytes], cursor: Any) -> bytes:
    """The text that a cursor spans."""
    extent = cursor.extent
    start = extent.start
    if start.file is None:
        return b""
    return read(start.file.name)[start.offset : extent.end.offset]


def _with_local_ones(
    cursor: Any, pattern: bool, read: Callable[[str], bytes]
) -> Iterator[Function]:
    """The function, and methods of classes in it."""
    pattern = pattern or cursor._kind_id == Kind.FUNCTION_TEMPLATE
    function = _function(cursor, pattern, read)
    if function is None:
        return
    yield function
    if _LOCAL_CLASS.isdisjoint(function.names):
        return
    root = tree(cursor)
    for node in preorder(root) if root is not None else ():
        if node.kind in FUNCTIONS and node is not root:
            inner = _function(node.cursor, pattern, read)
            if inner is not None:
                yield inner


def _function(cursor: Any, pattern: bool, read: Callable[[str], bytes]) -> Function | None:
    if not cursor.is_definition():
        return None
    text = own_text(read, cursor)
    if not text:
        return None
    launches = may_launch(text)
    name, device = str(cursor.spelling), is_device_code(cursor)
    return Function(cursor, name, launches, identifiers(text), pattern, device)
