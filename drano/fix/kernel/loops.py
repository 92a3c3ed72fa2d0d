"""Loops of a kernel that an edit may cut or copy.

Means: a ``Loop`` counts from 0 by one; ``is_plain``: its body does arithmetic, ends no turn early,
and may be copied; ``stays``: a value is the same in all of its turns.
Assumptions: signed arithmetic does not overflow.
Limits: types of files in which libclang finds errors are known only by the language's own names.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from drano.fix.kernel.half_numbers import is_half, is_half_arithmetic
from drano.fix.kernel.ranges import Ranges
from drano.fix.kernel.variable_writes import loop_parts
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, constant, key, type_kind
from drano.frontend.text.cpp_lexer import Kind as TokenKind
from drano.frontend.text.cpp_lexer import tokens
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES
from drano.host.function_bodies import assigned, plain_children, preorder, strip

MOST_LINES: Final = 24
_BUILT_IN: Final = frozenset(
    {
        "bool", "char", "int", "unsigned int", "long", "unsigned long", "long long", "float",
        "double", "unsigned long long", "size_t", "int32_t", "uint32_t", "int64_t", "uint64_t",
    }
)  # fmt: skip
_COUNTERS: Final = frozenset({17, 9, 18, 19, 10, 11})
_PURE: Final = frozenset(
    {
        "sqrtf", "sqrt", "fabsf", "fabs", "expf", "exp", "exp2f", "logf", "log", "sinf", "sin",
        "cosf", "cos", "fminf", "fmaxf", "fmin", "fmax", "min", "max", "abs", "powf", "pow",
        "rsqrtf", "floorf", "ceilf", "tanhf", "tanh", "fmaf", "fma", "__expf", "__logf",
        "__fmul_rn", "__fadd_rn",
    }
)  # fmt: skip
_WITH_ATTRIBUTES: Final = 200
"""CXCursorKind of a loop with its pragmas."""
_VALUES: Final = frozenset(
    {
        Kind.UNEXPOSED_EXPR, Kind.DECL_REF, Kind.INTEGER, Kind.PAREN, Kind.BINARY, Kind.UNARY,
        Kind.C_CAST, Kind.STATIC_CAST, Kind.FUNCTIONAL_CAST, Kind.TYPE_REF,
    }
)  # fmt: skip
_BODY: Final = _VALUES | frozenset(
    {
        Kind.COMPOUND, Kind.IF, Kind.DECL_STMT, Kind.VAR, Kind.BOOL, Kind.SUBSCRIPT, Kind.FLOATING,
        Kind.COMPOUND_ASSIGN, Kind.CONDITIONAL, Kind.CHARACTER,
    }
)  # fmt: skip


class Loop(Struct, frozen=True):
    """A loop that counts from 0 by one, while the counter is ``sign`` the ``limit``, as its
    ``test`` says; ``declares``: the counter, which is its own.
    """

    node: Node
    counter: Node
    first: Node
    sign: str
    limit: Node
    body: Node
    test: Node
    declares: bool


def stands_among_statements(body: Body, node: Node) -> bool:
    """Whether other statements may be put beside a loop."""
    above = body.parents.get(id(node))
    if above is not None and int(above.kind) == _WITH_ATTRIBUTES:
        above = body.parents.get(id(above))
    return above is not None and above.kind == Kind.COMPOUND


def counting_loop(body: Body, ranges: Ranges, node: Node) -> Loop | None:
    """The ``for`` loop, if it counts from 0 by one."""
    parts = loop_parts(node)
    set_ = None if parts is None else _set_first(body, parts[0])
    if parts is None or set_ is None:
        return None
    (counter, first), condition = set_, strip(parts[1])
    sides = plain_children(condition)
    if len(sides) != 2:
        return None
    named = strip(sides[0])
    if body.words(first) != b"0" or constant(first.cursor) != 0:
        return None
    if named.kind != Kind.DECL_REF or named.key != key(counter.cursor):
        return None
    kinds = counter.type_kind, type_kind(strip(sides[1]).cursor)
    sign = ranges.words(condition, sides)
    if kinds[0] not in _COUNTERS or kinds[1] not in INTEGER_TYPES or sign not in {"<", "<="}:
        return None
    # One more than the limit may be counted to: what is left may then be less than nothing.
    if sign == "<=" and not all(INTEGER_TYPES[kind][1] for kind in kinds):
        return None
    limits = (n for n in preorder(sides[1]) if n.kind == Kind.DECL_REF and sign == "<=")
    if not all(is_known(body, n.cursor.type) for n in (counter, *limits)):
        return None
    own = parts[0].kind == Kind.DECL_STMT
    writes = ranges.variables.writes(key(counter.cursor))
    inside = {id(below) for part in (parts[1], parts[3]) for below in preorder(part)}
    if ranges.step(parts[2]) != (1, 1) or writes is None or not any(
        write is strip(parts[2]) for write in writes
    ):  # fmt: skip
        return None
    if any(id(write) in inside for write in writes) or (own and len(writes) != 1):
        return None
    return Loop(node, counter, first, sign, sides[1], parts[3], parts[1], own)


def _set_first(body: Body, part: Node) -> tuple[Node, Node] | None:
    """The one variable that a loop's first part declares or sets, and to what."""
    inner = plain_children(part)
    if part.kind == Kind.DECL_STMT and len(inner) == 1 and inner[0].kind == Kind.VAR:
        first = plain_children(inner[0])
        return (inner[0], first[0]) if len(first) == 1 else None
    if part.kind != Kind.BINARY or part.binary != "=" or inner[0].kind != Kind.DECL_REF:
        return None
    declared = [
        node for node in body.nodes()
        if node.kind == Kind.VAR and key(node.cursor) == inner[0].key
    ]  # fmt: skip
    if len(declared) != 1 or not is_private(body, inner[0].key):
        return None
    return declared[0], inner[1]


def line_before(source: bytes, start: int) -> int:
    """Where the line of a statement begins, or of the pragmas before it."""
    line = source.rfind(b"\n", 0, start) + 1
    while line:
        previous = source.rfind(b"\n", 0, line - 1) + 1
        if not source[previous:line].lstrip().startswith(b"#pragma"):
            break
        line = previous
    return line


def renamed(body: Body, loop: Loop, node: Node, counter: bytes) -> bytes:
    """A stretch of the text with another name for the counter."""
    place = body.range(node)
    assert place is not None
    return replaced(body, place, [(use, counter) for use in uses(loop, node)])


def replaced(body: Body, place: tuple[int, int], changes: list[tuple[Node, bytes]]) -> bytes:
    """A stretch of the text with other words for some of its parts."""
    parts, done = [], place[0]
    for node, text in sorted(changes, key=lambda change: body.range(change[0]) or (0, 0)):
        start, end = body.range(node) or (done, done)
        parts += [body.source[done:start], text]
        done = end
    return b"".join([*parts, body.source[done : place[1]]])


def is_word(body: Body, node: Node) -> bool:
    """Whether it is a name or a number, and no macro's."""
    text = body.words(node)
    named = node.kind == Kind.DECL_REF and text == node.spelling.encode()
    return named or (node.kind == Kind.INTEGER and text.isdigit())


def is_plain(body: Body, ranges: Ranges, loop: Loop) -> bool:
    """Whether the loop's body may be copied, does arithmetic only, and ends no turn early; and the
    limit stays as it is.
    """
    place = body.range(loop.node)
    if place is None or not stays(body, ranges, loop, loop.limit):
        return False
    start = body.source.rfind(b"\n", 0, place[0]) + 1
    text = body.source[place[0] : place[1]]
    if body.source[start : place[0]].strip() or text.count(b"\n") > MOST_LINES:
        return False
    if any(True for _ in tokens(text, {TokenKind.DIRECTIVE})):
        return False
    for node in preorder(loop.body):
        if ranges.is_built_in(node):
            continue
        if not is_arithmetic(body, node) and node.kind not in _BODY:
            return False
        if node.kind == Kind.UNARY and node.unary in {Unary.DEREF, Unary.ADDRESS}:
            return False
        if node.kind == Kind.VAR and not _is_number(body, node):
            return False
    return True


def is_arithmetic(body: Body, node: Node) -> bool:
    """Whether it is a call that does arithmetic, of no function of the user's."""
    if is_half_arithmetic(node):
        return True
    if node.kind != Kind.CALL or node.spelling not in _PURE:
        return False
    return not any(function.name == node.spelling for function in body.tree.declared.functions)


def is_known(body: Body, type_: Any) -> bool:
    """Whether a type is what libclang takes it for: where it finds errors, other names than those
    of the language may be of any type.
    """
    words = str(type_.spelling).replace("const ", "").replace("std::", "").strip()
    return body.tree.whole or words in _BUILT_IN or is_half(type_)


def _is_number(body: Body, variable: Node) -> bool:
    kind = variable.type_kind
    attributes = list(variable.cursor.get_children())
    shared = any(child._kind_id >= 400 for child in attributes)
    number = kind in INTEGER_TYPES or kind in FLOAT_TYPES or is_half(variable.cursor.type)
    return number and not shared and (
        str(variable.cursor.storage_class) == "StorageClass.NONE"
        and is_known(body, variable.cursor.type)
        and not variable.cursor.type.is_volatile_qualified()
    )  # fmt: skip


def stays(body: Body, ranges: Ranges, loop: Loop, value: Node) -> bool:
    """Whether an expression has no effect, and the same value in each turn but for the counter."""
    inside = {id(node) for node in preorder(loop.node)}
    declared_here = {key(n.cursor) for n in preorder(loop.body) if n.kind == Kind.VAR}
    for node in preorder(value):
        if ranges.is_built_in(node):
            continue
        if node.kind not in _VALUES or assigned(node) is not None:
            return False
        if node.kind == Kind.UNARY and node.unary != Unary.MINUS:
            return False
        if node.kind == Kind.DECL_REF and not _is_kept(ranges, node, inside, declared_here, loop):
            return False
    return True


def _is_kept(
    ranges: Ranges, node: Node, inside: set[int], declared_here: set[int], loop: Loop
) -> bool:
    declared = node.declared()
    if declared is None or declared.type.is_volatile_qualified():
        return False
    if declared._kind_id == Kind.ENUM_CONSTANT or node.key == key(loop.counter.cursor):
        return True
    if declared._kind_id not in {Kind.VAR, Kind.PARM} or node.key in declared_here:
        return False
    if not is_of(ranges.body, node.key):
        return bool(declared.type.is_const_qualified() and constant(node.cursor) is not None)
    writes = ranges.variables.writes(node.key)
    return writes is not None and not any(id(write) in inside for write in writes)


def is_of(body: Body, variable: int) -> bool:
    """Whether it is a variable or parameter of the function, and its own."""
    return any(
        key(node.cursor) == variable and (node.kind == Kind.PARM or is_local(body, node))
        for node in body.nodes() if node.kind in {Kind.VAR, Kind.PARM}
    )  # fmt: skip


def is_local(body: Body, node: Node) -> bool:
    """Whether a variable is each thread's own, and not static."""
    shared = any(child._kind_id >= 400 for child in node.cursor.get_children())
    return not shared and str(node.cursor.storage_class) == "StorageClass.NONE"


def uses(loop: Loop, node: Node) -> list[Node]:
    """Where the counter is used below a node."""
    wanted = key(loop.counter.cursor)
    return [n for n in preorder(node) if n.kind == Kind.DECL_REF and n.key == wanted]


def is_private(body: Body, variable: int) -> bool:
    """Whether it is a number of the function, and no reference to one."""
    return any(
        key(node.cursor) == variable and _is_number(body, node)
        for node in body.nodes() if node.kind in {Kind.VAR, Kind.PARM}
    )  # fmt: skip


def assigned_numbers(loop: Loop) -> set[int]:
    """Variables that the loop's body assigns, by their keys."""
    places = (assigned(node) for node in preorder(loop.body))
    names = (strip(place) for place in places if place is not None)
    return {name.key for name in names if name.kind == Kind.DECL_REF}
