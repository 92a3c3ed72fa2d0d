"""Rows of an array along which a thread walks in a loop, and what may be read ahead of them.

Means: a ``Row`` is what a loop reads in each turn at an index that grows with the counter, from a
parameter on, and which names have to be multiples of a number of elements for the row to begin at
such a multiple. ``unproved``: why what the loop writes may be what it reads.
Assumptions: signed arithmetic does not overflow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from drano.fix.kernel.half_numbers import HALF_BYTES, is_half
from drano.fix.kernel.loops import Loop, is_known, is_local, is_private, stays, uses
from drano.fix.kernel.moved_pointers import Move, move_of
from drano.fix.kernel.ranges import Ranges
from drano.fix.kernel.sums import Sum
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, is_kernel, key
from drano.frontend.type_kinds import INTEGER_TYPES, POINTER
from drano.host.function_bodies import assigned, plain_children, preorder, strip

_BYTES: Final = {21: 4, 17: 4, 9: 4, 22: 8, 19: 8, 11: 8, 16: 2, 8: 2, 4: 1, 5: 1, 13: 1, 14: 1}
"""CXTypeKind of an element -> its size."""
_WORD: Final = 32
_WIDE_BYTES: Final = 16
_UNWRAPPED: Final = frozenset({Kind.UNEXPOSED_EXPR, Kind.PAREN})
_NO_WRAP: Final = frozenset({17, 18, 19, 10, 11})
_SETTING: Final = frozenset({Kind.BINARY, Kind.CALL})
_ALWAYS: Final = frozenset(
    {
        Kind.COMPOUND, Kind.DECL_STMT, Kind.VAR, Kind.BINARY, Kind.COMPOUND_ASSIGN, Kind.CALL,
        Kind.UNARY, Kind.PAREN, Kind.UNEXPOSED_EXPR, Kind.C_CAST, Kind.STATIC_CAST,
        Kind.FUNCTIONAL_CAST, Kind.SUBSCRIPT, Kind.MEMBER_REF_EXPR,
    }
)  # fmt: skip


class Row(Struct, frozen=True):
    """What is read of a row: all places of one text. ``name``: of the pointer; ``base``: the
    parameter that it comes from; ``size``: bytes of an element; ``divisors``: names that have to be
    multiples of the elements of a wide access, None where that is not enough for it to be aligned.
    ``written``: each turn writes its element, and may read it before that if ``read``; ``moved``:
    how many elements the parameter was moved by, as the text has it.
    """

    places: tuple[Node, ...]
    name: bytes
    base: Node
    element: int
    size: int
    divisors: frozenset[str] | None
    written: bool = False
    read: bool = True
    moved: bytes = b""

    @property
    def turns(self) -> int:
        """Elements of 16 bytes."""
        return _WIDE_BYTES // self.size


def row_offset(body: Body, ranges: Ranges, loop: Loop, row: Row) -> Node | None:
    """The expression that says how many elements behind the parameter the row begins, if that is
    the same wherever the row is in scope; the row's own index but for the counter, where its name
    is that of the parameter. None where there is no such expression.
    """
    pointer, index = plain_children(row.places[0])
    named = _unwrapped(pointer)
    if named.key == key(row.base.cursor):
        return index
    declared = [n for n in body.nodes() if n.kind == Kind.VAR and key(n.cursor) == named.key]
    first = _unwrapped(plain_children(declared[0])[-1]) if declared else named
    if first.kind == Kind.UNARY and first.unary == Unary.ADDRESS:
        first = _unwrapped(plain_children(first)[0])
    inner = plain_children(first)
    if len(inner) != 2 or not (first.kind == Kind.SUBSCRIPT or first.binary == "+"):
        return None
    base, offset = inner if inner[0].type_kind == POINTER else inner[::-1]
    if _unwrapped(base).key != key(row.base.cursor) or not stays(body, ranges, loop, offset):
        return None
    if body.words(index) != loop.counter.spelling.encode() or not body.words(offset):
        return None
    return offset if all(_never_changes(body, ranges, n) for n in preorder(offset)) else None


def _never_changes(body: Body, ranges: Ranges, node: Node) -> bool:
    """Whether a name means the same number wherever it stands in the function."""
    if node.kind != Kind.DECL_REF or ranges.is_built_in(node):
        return True
    variable = body.variable(node.spelling)
    declared = node.declared()
    if declared is not None and declared._kind_id == Kind.ENUM_CONSTANT:
        return True
    return (
        variable is not None
        and key(variable.cursor) == node.key
        and not ranges.variables.written(node.key)
    )


def rows_of(body: Body, ranges: Ranges, loop: Loop, *, writes: bool = False) -> Iterator[Row]:
    """What may be read ahead in the loop; if ``writes``, also what it may write after its turns."""
    groups: dict[tuple[int, bytes], list[Node]] = {}
    for node in preorder(loop.body):
        inner = plain_children(node)
        if node.kind == Kind.SUBSCRIPT and len(inner) == 2:
            base = _unwrapped(inner[0])
            index = b"".join(body.words(inner[1]).split())
            if base.kind == Kind.DECL_REF and body.words(node):
                groups.setdefault((base.key, index), []).append(node)
    written = _written(body, loop)
    for (pointer, _), places in groups.items():
        row = _row(body, ranges, loop, places)
        if row is None:
            continue
        if pointer not in written and key(row.base.cursor) not in written:
            yield row
        elif writes and _may_be_delayed(body, ranges, loop, row):
            yield replace(row, written=True, read=not _is_set_first(body, loop, row))


def _may_be_delayed(body: Body, ranges: Ranges, loop: Loop, row: Row) -> bool:
    """Whether each turn writes to the row's element, and the loop comes to its array in no other
    way.
    """
    others = _others(body, ranges, loop, row)
    return (
        others is not None and key(row.base.cursor) not in {key(n.cursor) for n in others}
        and any(_is_set(body, place) and _is_always_read(body, loop, place) for place in row.places)
    )  # fmt: skip


def _others(body: Body, ranges: Ranges, loop: Loop, row: Row) -> list[Node] | None:
    """The parameters by which the loop comes to elements that are not the row's; None where it is
    not known by which.
    """
    found: list[Node] = []
    mine = {id(place) for place in row.places}
    for node in preorder(loop.body):
        if node.kind != Kind.SUBSCRIPT or id(node) in mine:
            continue
        pointer = plain_children(node)[0]
        if _is_array(body, _root(body, ranges, _unwrapped(node))):
            continue
        start = _start(body, ranges, pointer, 0)
        if start is None:
            return None
        found.append(start[0])
    return found


def _is_set(body: Body, place: Node) -> bool:
    """Whether it is what an assignment writes to."""
    above = body.parents.get(id(place))
    return above is not None and assigned(above) is place


def _is_set_first(body: Body, loop: Loop, row: Row) -> bool:
    """Whether each turn begins by writing the element, and does not ask what was there."""
    first, rest = row.places[0], row.places[1:]
    above = body.parents.get(id(first))
    if above is None or above.kind not in _SETTING or assigned(above) is not first:
        return False
    inside = {id(node) for node in preorder(above)}
    asked = any(id(place) in inside for place in rest)
    return not asked and _is_always_read(body, loop, first)


def unproved_delay(
    body: Body,
    ranges: Ranges,
    loop: Loop,
    rows: list[Row],
    separate: Callable[[frozenset[str]], bool],
) -> str:
    """What is not proved of rows that are written after several turns: that nothing else in the
    loop is what they are.
    """
    for row in rows:
        others = _others(body, ranges, loop, row) if row.written else []
        if others is None:
            return f"that nothing else in the loop is {row.base.spelling}"
        if others and not _are_apart([row.base, *others], separate):
            names = sorted({node.spelling for node in (row.base, *others)})
            return f"that {' and '.join(names)} do not overlap"
    return ""


def _are_apart(pointers: list[Node], separate: Callable[[frozenset[str]], bool]) -> bool:
    """Whether parameters are said, or are known, to point to different arrays."""
    said = all("__restrict" in str(node.cursor.type.spelling) for node in pointers)
    return said or separate(frozenset(node.spelling for node in pointers))


def _unwrapped(node: Node) -> Node:
    """Without implicit conversions and parentheses."""
    inner = plain_children(node)
    while node.kind in _UNWRAPPED and len(inner) == 1:
        node = inner[0]
        inner = plain_children(node)
    return node


def _row(body: Body, ranges: Ranges, loop: Loop, places: list[Node]) -> Row | None:
    pointer, index = plain_children(places[0])
    named = _unwrapped(pointer)
    element, type_ = places[0].type_kind, places[0].cursor.type
    size = HALF_BYTES if is_half(type_) else _BYTES.get(element, 0)
    if not size or type_.is_volatile_qualified():
        return None
    if not all(_has_own_text(body, place, named) for place in places):
        return None
    if not any(_is_always_read(body, loop, place) for place in places):
        return None
    if not stays(body, ranges, loop, index) or not stays(body, ranges, loop, named):
        return None
    if not _counts_without_wrapping(body, loop, index) or not _counter_is_shown(body, loop, index):
        return None
    start = _start(body, ranges, named, 0)
    if start is None or body.variable(start[0].spelling) is not start[0]:
        return None
    if not is_known(body, start[0].cursor.type.get_pointee()):
        return None
    atom = ranges.counter_atom(loop.counter, loop.node)
    if atom is None:
        return None
    value = start[1].plus(ranges.sum(index))
    turns = _WIDE_BYTES // size
    offset = value.plus(Sum(0, ((atom, 1),)), -1)
    moved = move_of(body, ranges, start[0]) or Move(Sum(), b"")
    sums = [_divisors(body, ranges, loop, one, atom, turns) for one in (offset, moved.by)]
    divisors = None if None in sums else frozenset(name for names in sums for name in names or ())
    if dict(value.parts).get(atom) != 1:
        return None
    name = named.spelling.encode()
    return Row(tuple(places), name, start[0], element, size, divisors, moved=moved.text)


def _has_own_text(body: Body, place: Node, named: Node) -> bool:
    """Whether the element stands in the text as it is in the tree: no macro makes it."""
    name = named.spelling.encode()
    pointer, index = (body.words(part) for part in plain_children(place))
    text = b"".join(body.words(place).split())
    return pointer == name and text == name + b"[" + b"".join(index.split()) + b"]"


def _is_always_read(body: Body, loop: Loop, place: Node) -> bool:
    """Whether each turn comes to it."""
    below = place
    for above in body.above(place):
        if above is loop.body or below is loop.body:
            return True
        inner = plain_children(above)
        if above.kind in {Kind.IF, Kind.CONDITIONAL}:
            if not inner or inner[0] is not below:
                return False
        elif above.kind not in _ALWAYS or (
            above.kind == Kind.BINARY and above.binary in {"&&", "||"} and inner[0] is not below
        ):
            return False
        below = above
    return False


def _counts_without_wrapping(body: Body, loop: Loop, index: Node) -> bool:
    """Whether the sums that hold the counter are signed or wide: neighbours stay neighbours."""
    for node in preorder(index):
        if node.kind != Kind.BINARY:
            continue
        adds = node.binary in {"+", "-"} and node.type_kind in _NO_WRAP
        if uses(loop, node) and not adds:
            return False
    return True


def _counter_is_shown(body: Body, loop: Loop, index: Node) -> bool:
    """Whether the counter stands in the text wherever it is in the tree: it is put in by no macro,
    so that another name can be written for it.
    """
    name = loop.counter.spelling.encode()
    return all(body.words(use) == name for use in uses(loop, index))


def _start(body: Body, ranges: Ranges, node: Node, depth: int) -> tuple[Node, Sum] | None:
    """The parameter that a pointer comes from, and how many elements behind it it points."""
    node = _unwrapped(node)
    inner = plain_children(node)
    if depth > 8:
        return None
    if node.kind == Kind.DECL_REF:
        declared = [
            n for n in body.nodes()
            if n.kind in {Kind.VAR, Kind.PARM} and key(n.cursor) == node.key
        ]  # fmt: skip
        if len(declared) != 1 or declared[0].type_kind != POINTER:
            return None
        if declared[0].kind == Kind.PARM:
            moved = move_of(body, ranges, declared[0])
            return None if moved is None else (declared[0], Sum())
        if ranges.variables.written(node.key) != 0:
            return None
        first = plain_children(declared[0])
        local = first and is_local(body, declared[0])
        return _start(body, ranges, first[-1], depth + 1) if local else None
    if node.kind == Kind.BINARY and len(inner) == 2 and node.binary in {"+", "-"}:
        minus = node.binary == "-"
        if inner[0].type_kind == POINTER:
            start = _start(body, ranges, inner[0], depth + 1)
            return start and (start[0], start[1].plus(ranges.sum(inner[1]), -1 if minus else 1))
        start = None if minus else _start(body, ranges, inner[1], depth + 1)
        return start and (start[0], start[1].plus(ranges.sum(inner[0])))
    if node.kind == Kind.UNARY and node.unary == Unary.ADDRESS:
        element = _unwrapped(inner[0])
        parts = plain_children(element)
        if element.kind == Kind.SUBSCRIPT and len(parts) == 2:
            start = _start(body, ranges, parts[0], depth + 1)
            return start and (start[0], start[1].plus(ranges.sum(parts[1])))
    return None


def _divisors(
    body: Body, ranges: Ranges, loop: Loop, value: Sum, atom: str, turns: int
) -> frozenset[str] | None:
    """The fewest names that have to be multiples of ``turns`` for the sum to be one."""
    left = [name.split("*") for name, factor in value.parts if factor % turns]
    if value.number % turns or any(atom in names for names in left):
        return None
    numbers = {
        f"v{key(node.cursor)}": node.spelling
        for node in body.nodes() if node.kind in {Kind.PARM, Kind.VAR}
    } | _quotients(body, ranges, loop)  # fmt: skip
    chosen: set[str] = set()
    while left:
        often = {name: sum(name in names for names in left) for names in left for name in names}
        able = [name for name in often if _may_be_asked(body, ranges, loop, numbers.get(name, ""))]
        if not able:
            return None
        best = max(able, key=lambda name: (often[name], name))
        chosen.add(numbers[best])
        left = [names for names in left if best not in names]
    return frozenset(chosen)


def _quotients(body: Body, ranges: Ranges, loop: Loop) -> dict[str, str]:
    """Variables that stand for a part of a sum that is none itself, by its atom: a quotient."""
    found: dict[str, str] = {}
    for node in body.nodes():
        inner = plain_children(node) if node.kind == Kind.VAR else []
        bits = INTEGER_TYPES.get(node.type_kind, (0, False))[0]
        if inner and bits >= _WORD and _is_in_scope(body, loop, node):
            parts = ranges.sum(inner[-1])
            if not parts.number and [factor for _, factor in parts.parts] == [1]:
                found.setdefault(parts.parts[0][0], node.spelling)
    return {atom: name for atom, name in found.items() if atom.startswith("#")}


def _is_in_scope(body: Body, loop: Loop, declared: Node) -> bool:
    """Whether a variable is declared before the loop, in a block around it."""
    statement = body.parents.get(id(declared))
    block = None if statement is None else body.parents.get(id(statement))
    around = {id(above) for above in body.above(loop.node)}
    if block is None or block.kind != Kind.COMPOUND or id(block) not in around:
        return False
    place, end = body.range(declared), body.range(loop.node)
    return place is not None and end is not None and place < end


def _may_be_asked(body: Body, ranges: Ranges, loop: Loop, name: str) -> bool:
    """Whether the name means the same number wherever it stands in the function."""
    variable = body.variable(name) if name else None
    if variable is None or ranges.variables.written(key(variable.cursor)) != 0:
        return False
    local = variable.kind == Kind.VAR and is_private(body, key(variable.cursor))
    return variable.kind == Kind.PARM or (local and _is_in_scope(body, loop, variable))


def _written(body: Body, loop: Loop) -> dict[int, Node]:
    """The names through which the loop writes to elements, by their keys."""
    found: dict[int, Node] = {}
    for node in preorder(loop.body):
        place = assigned(node)
        written = None if place is None else strip(place)
        if written is not None and written.kind == Kind.SUBSCRIPT:
            base = written
            while base.kind == Kind.SUBSCRIPT:
                base = _unwrapped(plain_children(base)[0])
            found[base.key if base.kind == Kind.DECL_REF else 0] = base
    return found


def unproved(
    body: Body,
    ranges: Ranges,
    loop: Loop,
    rows: list[Row],
    separate: Callable[[frozenset[str]], bool] = lambda _: False,
) -> str:
    """What is not proved of the elements that the loop writes. ``separate``: whether parameters are
    known to point to different arrays, though they do not say so.
    """
    read = {key(row.base.cursor): row.base.spelling for row in rows}
    for node in _written(body, loop).values():
        if _is_array(body, _root(body, ranges, node)):
            continue
        start = _start(body, ranges, node, 0)
        names = " and ".join(sorted(read.values()))
        if start is None:
            return f"that the loop does not write to {names}"
        written = start[0].spelling
        pointers = [start[0], *(row.base for row in rows)]
        if key(start[0].cursor) in read or not _are_apart(pointers, separate):
            return f"that {written} and {names} do not overlap"
    return ""


def _root(body: Body, ranges: Ranges, node: Node) -> Node:
    """What a local pointer was made of."""
    for _ in range(8):
        inner = plain_children(node)
        address = node.kind == Kind.UNARY and node.unary == Unary.ADDRESS
        if address or (node.kind in {Kind.BINARY, Kind.SUBSCRIPT} and len(inner) == 2):
            node = _unwrapped(inner[0])
            continue
        places = [n for n in body.nodes() if n.kind == Kind.VAR and key(n.cursor) == node.key]
        pointer = len(places) == 1 and places[0].type_kind == POINTER
        if node.kind != Kind.DECL_REF or not pointer or ranges.variables.written(node.key) != 0:
            return node
        first = plain_children(places[0])
        if not first or not is_local(body, places[0]):
            return node
        node = _unwrapped(first[-1])
    return node


def _is_array(body: Body, node: Node) -> bool:
    """Whether it is an array of the function itself, where no parameter of a kernel points."""
    declared = node.declared() if node.kind == Kind.DECL_REF else None
    if declared is None or declared._kind_id != Kind.VAR or not is_kernel(body.root.cursor):
        return False
    array = int(declared.type.get_canonical().get_array_element_type()._kind_id) != 0
    return array and any(key(n.cursor) == key(declared) for n in body.nodes() if n.kind == Kind.VAR)
