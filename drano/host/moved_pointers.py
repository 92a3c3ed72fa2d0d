"""Pointers that host code moves before it passes them to a kernel: ``data + offset``, ``&data[i]``.

What moves a pointer is looked for in the expression itself and in all that the function assigns to
its variables, and to members of that name, wherever they are: a pointer is moved if it may be. What
else a variable holds (elements, members, what it refers to) is moved by any statement that assigns
something moved to it, and by functions of the unit that receive it; results of the unit's functions
are moved by what these return.

A pointer that is moved by a size that nobody knows (``data + B * T * C``) may be anywhere, but is
*likely* to be at a whole line, as kernels' own products of sizes are. Distances carry this along as
a prime factor, which the greatest common divisor with any other distance loses.

What other functions of the unit assign to a member or to a variable that outlives them, or make an
object of, counts as well, and so do the arguments that they get for it in the unit.

Limits: results of functions that are not in the unit are taken for the starts of allocations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from drano.frontend.libclang import (
    FLOAT_TYPES,
    INTEGER_TYPES,
    POINTER,
    RECORD,
    REFERENCES,
    Kind,
    Node,
    Unary,
    binary_operator,
    constant,
    key,
    tree,
    type_kind,
    unary_operator,
)
from drano.host.function_bodies import (
    PASSING,
    STEPS,
    VARIABLES,
    assigned,
    descend,
    has_own_name,
    is_lasting,
    is_outside,
    plain_children,
    strip,
)
from drano.host.launch_syntax import launch_parts
from drano.model.translation_unit import Shifted

_START: Final = 256
"""Bytes that starts of allocations are a multiple of (CUDA C++ Programming Guide, 5.3.2)."""
_SIZE: Final = (1 << 61) - 1
"""A prime that stands for a size; no constant of a program is a multiple of it."""
_MAX_DEPTH: Final = 12
_MAX_CALLS: Final = 3
_COMPUTING: Final = frozenset({Kind.BINARY, Kind.COMPOUND_ASSIGN})
_STEPPING: Final = frozenset({"next", "prev", "addressof"})
_ALIGNING: Final = frozenset({"align"})
_EXCHANGING: Final = frozenset({"swap", "exchange"})
_MIXING: Final = frozenset({"memcpy", "memmove", "advance", "tie"})
"""Functions that may give a pointer any other value that they are given."""
_ATOMIC: Final = ("__sync_", "__atomic_")
_HARMLESS: Final = ("cuda", "cu", "nccl", "printf", "fprintf", "free", "memset", "fread", "fwrite")
_ARRAYS: Final = frozenset({112, 114, 115, 116})
_WIDE: Final = frozenset({10, 11, 18, 19})
_ENUM: Final = 106
_PART: Final = -2
"""Stands for all names of parts of objects, ``auto [a, b] = pair``, among the keys of variables."""
_NO_ADDRESS: Final = (INTEGER_TYPES.keys() - _WIDE) | FLOAT_TYPES.keys() | {_ENUM}
"""Types of values that hold no address: what a call gives by them moves nothing."""
_ASSIGNED: Final = VARIABLES | {Kind.FIELD}


_Given: TypeAlias = dict[int, list[Node]]
_Call: TypeAlias = tuple[int, Any]
"""How far a call itself moves pointers, and the cursor of the function whose body does the rest."""
_Body: TypeAlias = tuple[int, list[_Call]]


@dataclass(slots=True)
class _Calls:
    """How far functions move pointers that they are given, when called so deep; ``bodies``: how far
    each does that itself, and its calls.
    """

    moved: dict[tuple[int, int], int] = field(default_factory=dict)
    bodies: dict[int, _Body] = field(default_factory=dict)


@dataclass(slots=True)
class Writes:
    """What each pointer variable of a function is given, and what else may move pointers in it,
    once that is asked; ``made``: what objects of each type are made of, by its key; ``moved``: how
    far, for variables that were asked about.
    """

    given: _Given
    events: list[_Event] | None = None
    made: _Given | None = None
    moved: dict[frozenset[int], int] = field(default_factory=dict)


@dataclass(slots=True)
class UnitWrites:
    """What functions write, by the identity of their trees, which are ``kept`` for that;
    ``naming``: trees of the unit's functions that name something, and of its variables;
    ``members``: how far others move members, lasting variables and parameters; ``calls``: how far
    functions move what they are given, called so deep; ``objects``: how far any pointer of a
    function may be moved.
    """

    functions: dict[int, Writes] = field(default_factory=dict)
    naming: Callable[[str], Iterator[Node]] = lambda _name: iter(())
    members: dict[int, int] = field(default_factory=dict)
    calls: _Calls = field(default_factory=_Calls)
    kept: list[Node] = field(default_factory=list)
    objects: dict[int, int] = field(default_factory=dict)


def shifted(
    node: Node,
    root: Node,
    given: Mapping[int, Shifted],
    known: UnitWrites,
    *,
    numbers: bool = False,
) -> Shifted | None:
    """How far a pointer that is given away in the function ``root`` may be from the start of an
    allocation; None: as far as the unit shows, it is one. ``given``: of its parameters;
    ``numbers``: numbers that hold addresses count as well.
    """
    if type_kind(node.cursor) == RECORD:
        unit = _of_object(node, root, given, known)
    elif type_kind(node.cursor) == POINTER or (numbers and _holds_address(node)):
        unit = _Shifts(root, given, known).unit(node, 0)
    else:
        return None
    if unit % _START == 0:
        return None
    return Shifted(math.gcd(unit, _START), likely_start=unit % _SIZE == 0)


def _of_object(node: Node, root: Node, given: Mapping[int, Shifted], known: UnitWrites) -> int:
    """The same of all pointers in an object that is given away: how far the function moves any of
    its pointers, and others those in objects of the type.
    """
    record = node.cursor.type.get_canonical()
    fields = list(_pointer_fields(record.get_declaration(), 0))
    if not fields and "*" not in str(record.spelling):  # the library's show no members
        return 0
    identity = id(root)
    if identity not in known.objects:
        known.kept.append(root)
        known.objects[identity] = 0
        pointers = (
            n for n, _ in descend(root)
            if n.kind in {Kind.DECL_REF, Kind.MEMBER_REF_EXPR, Kind.CALL} and _is_pointer(n)
        )  # fmt: skip
        units = [_Shifts(root, {}, known).unit(n, 0) for n in pointers]
        known.objects[identity] = math.gcd(_movement_in(_body(root), 0, known.calls), *units)
    shifts = _Shifts(root, given, known)
    own = (g.unit * (_SIZE if g.likely_start else 1) for g in given.values())
    return math.gcd(known.objects[identity], *own, *(shifts.elsewhere(f, 0) for f in fields))


def _pointer_fields(record: Any, depth: int) -> Iterator[Any]:
    """The members of a class, of its bases and of its members, that are pointers."""
    if depth > _MAX_DEPTH:
        return
    for child in record.get_children():
        if child._kind_id not in {Kind.FIELD, Kind.BASE}:
            continue
        type_ = child.type.get_canonical()
        while int(type_._kind_id) in _ARRAYS:
            type_ = type_.element_type.get_canonical()
        if int(type_._kind_id) == POINTER:
            yield child
        elif int(type_._kind_id) == RECORD:
            yield from _pointer_fields(type_.get_declaration(), depth + 1)


class _Shifts:
    """``nested``: of its parameters all is said by the calls of the function."""

    def __init__(
        self,
        root: Node,
        given: Mapping[int, Shifted],
        known: UnitWrites,
        *,
        nested: bool = False,
    ) -> None:
        self._nested = nested
        self._root = root
        self._given = given
        self._known = known
        self._seen: set[int] = set()

    def unit(self, node: Node, depth: int) -> int:
        """Greatest number of bytes that a pointer's place in its allocation is known to be a
        multiple of; 0: it is its start.
        """
        node = _plain(node)
        inner = plain_children(node)
        if depth > _MAX_DEPTH:
            return 1
        if type_kind(node.cursor) in INTEGER_TYPES:
            return self._address(node, depth)
        if node.kind == Kind.DECL_REF:
            return self._variable(node, depth)
        if node.kind == Kind.MEMBER_REF_EXPR:
            return self._member(node, depth)
        if node.kind == Kind.CALL:
            return self._result(node, depth)
        if node.kind == Kind.SUBSCRIPT and len(inner) == 2:
            return self._element(node, depth)
        if node.kind == Kind.CONDITIONAL and len(inner) == 3:
            return math.gcd(self.unit(inner[1], depth + 1), self.unit(inner[2], depth + 1))
        size = pointee_size(node.cursor)
        if node.kind == Kind.UNARY and inner:
            return self._unary(node, inner[0], size or 1, depth)
        if size is None or len(inner) != 2 or node.kind not in _COMPUTING:
            return 0
        operator = binary_operator(node.cursor).removesuffix("=")
        if operator not in {"+", "-"}:
            return self.unit(inner[1], depth + 1)  # an assignment, or the second of two
        step = next((side for side in inner if pointee_size(side.cursor) is None), None)
        base = sum(self.unit(side, depth + 1) for side in inner if side is not step)
        return math.gcd(base, size * _factor(step, 0)) if step is not None else 1

    def _unary(self, node: Node, operand: Node, size: int, depth: int) -> int:
        operator = unary_operator(node.cursor)
        if operator in STEPS:
            return math.gcd(self.unit(operand, depth + 1), size)
        element = _plain(operand)
        parts = plain_children(element)
        if operator == Unary.ADDRESS and element.kind == Kind.SUBSCRIPT and len(parts) == 2:
            return math.gcd(self.unit(parts[0], depth + 1), size * _factor(parts[1], 0))
        if operator == Unary.ADDRESS and element.kind == Kind.UNARY and len(parts) == 1:
            return self.unit(parts[0], depth + 1)
        if operator == Unary.ADDRESS and element.kind == Kind.MEMBER_REF_EXPR and parts:
            return math.gcd(self.unit(parts[0], depth + 1), _offset(element))
        if operator == Unary.DEREF and _is_place(node):
            return self.unit(operand, depth + 1)
        return self._held(node) if operator == Unary.DEREF else 0

    def _address(self, node: Node, depth: int) -> int:
        """``unit`` of a number that was made of a pointer, or is one."""
        inner = plain_children(node)
        if node.kind == Kind.DECL_REF:
            return self._variable(node, depth)
        if len(inner) == 1:
            return self.unit(inner[0], depth + 1)
        if len(inner) != 2 or node.kind not in _COMPUTING:
            return 0
        operator = binary_operator(node.cursor).removesuffix("=")
        if operator not in {"+", "-"}:
            return 1 if operator else self.unit(inner[1], depth + 1)
        bases = [side for side in inner if _holds_address(side)]
        if len(bases) != 1 and node.kind != Kind.COMPOUND_ASSIGN:
            return 1
        base = bases[0] if len(bases) == 1 else inner[0]
        step = inner[1] if base is inner[0] else inner[0]
        return math.gcd(self.unit(base, depth + 1), _factor(step, 0))

    def _element(self, node: Node, depth: int) -> int:
        """``q[i]``: a row of an array, or a pointer out of one."""
        base, index = plain_children(node)
        if not _is_place(node):
            return self._held(node)
        size = max(int(node.cursor.type.get_canonical().get_size()), 1)
        return math.gcd(self.unit(base, depth + 1), size * _factor(index, 0))

    def _member(self, node: Node, depth: int) -> int:
        inner = plain_children(node)
        if _is_array(node) and inner:
            return math.gcd(self.unit(inner[0], depth + 1), _offset(node))
        declared = node.declared() if _is_pointer(node) else None
        elsewhere = 0 if declared is None else self.elsewhere(declared, depth)
        parts = self._moved({_PART})  # by names for members, which do not tell of which
        return math.gcd(self._variable(node, depth), self._held(node), elsewhere, parts)

    def elsewhere(self, declared: Any, depth: int) -> int:
        """How far other functions move what they give a member, or make its object of."""
        record = declared.semantic_parent
        names = (str(declared.spelling), str(record.spelling))

        def units(root: Node, inside: _Shifts) -> Iterator[int]:
            writes = inside._writes()
            if writes.made is None:
                writes.made = _objects_made(root)
            of_objects = writes.made.get(key(record), ())
            for value in (*writes.given.get(key(declared), ()), *of_objects):
                yield inside.unit(value, depth + 2)

        return self._by_others(declared, names, units, depth)

    def _lasting(self, declared: Any, depth: int) -> int:
        """How far any function moves a variable that outlives it, under any name."""
        identity = key(declared)

        def units(root: Node, inside: _Shifts) -> Iterator[int]:
            for value in inside._writes().given.get(identity, ()):
                yield inside.unit(value, depth + 2)
            yield inside._moved({identity})
            other = root.cursor
            if root.kind == Kind.VAR and key(other) != identity and identity in _named(root):
                yield self._lasting(other, depth + 2)

        return self._by_others(declared, (str(declared.spelling),), units, depth)

    def _parameters(self) -> frozenset[int]:
        return frozenset(key(c.cursor) for c in self._root.children if c.kind == Kind.PARM)

    def _anywhere(self) -> int:
        """How far the function moves any pointer, or is given it."""
        given = (self._unit_given(parameter) for parameter in self._given)
        return math.gcd(_movement_in(_body(self._root), 0, self._known.calls), *given)

    def _parameter(self, declared: Any, depth: int) -> int:
        """How far what a function is given for a parameter is moved, by the unit's calls of it."""
        function = declared.semantic_parent
        parameters = [key(each) for each in function.get_arguments() or ()]
        if key(declared) not in parameters:
            return 0
        position = parameters.index(key(declared)) - len(parameters)

        def units(root: Node, inside: _Shifts) -> Iterator[int]:
            for call, _ in descend(root):
                called = call.declared() if call.kind == Kind.CALL else None
                if called is not None and key(called) == key(function):
                    given = plain_children(call)[position:]
                    yield from (inside.unit(part, depth + 2) for part in given[:1])

        return self._by_others(declared, (str(function.spelling),), units, depth)

    def _by_others(
        self,
        declared: Any,
        names: tuple[str, ...],
        units: Callable[[Node, _Shifts], Iterator[int]],
        depth: int,
    ) -> int:
        if declared.location.is_in_system_header or depth > _MAX_DEPTH:
            return 0
        known, identity = self._known.members, key(declared)
        if identity not in known:
            known[identity] = 0  # while it is found out: of those that come by way of themselves
            found: list[int] = []
            for name in dict.fromkeys(names):
                for root in self._known.naming(name):
                    inside = _Shifts(root, {}, self._known, nested=True)
                    found += units(root, inside)
            known[identity] = math.gcd(*found)
        return known[identity]

    def _result(self, call: Node, depth: int) -> int:
        """``unit`` of what a function returns."""
        declared = call.declared()
        if declared is None:
            return 1
        arguments = [part for part in plain_children(call) if type_kind(part.cursor) == POINTER]
        if declared.location.is_in_system_header:
            if declared.spelling in _STEPPING:
                return max(pointee_size(call.cursor) or 1, 1)
            if declared.spelling in _ALIGNING:
                return 1
            units = [self.unit(part, depth + 1) for part in arguments[1:]]
            return math.gcd(self._held(call), *units)
        definition = declared.get_definition()
        root = tree(definition) if definition is not None else None
        if int(declared.result_type.get_canonical()._kind_id) in REFERENCES:
            return 1  # what it refers to may be assigned by way of any other call
        if root is None or depth > _MAX_CALLS:
            own = [part for part in arguments[1:] if _same_pointee(part, call)]
            return (pointee_size(call.cursor) or 1) if own else 0
        inner = plain_children(call)[1:]
        units = [self.unit(part, depth + 1) for part in inner if _is_pointer(part)]
        returned = [n for n, _ in descend(root) if n.kind == Kind.RETURN]
        inside = _Shifts(root, {}, self._known)
        units += (
            inside.unit(part, depth + _MAX_DEPTH // _MAX_CALLS)
            for node in returned
            for part in plain_children(node)
        )
        return math.gcd(self._held(call), *units)

    def _held(self, node: Node) -> int:
        """How far a pointer is moved that is kept in a variable, in any way."""
        names = [n for n, _ in descend(node) if n.kind in {Kind.DECL_REF, Kind.THIS}]
        declared = (n.declared() for n in names if n.kind == Kind.DECL_REF)
        lasting = (self._lasting(d, 0) for d in declared if d is not None and _is_lasting(d))
        variables = {n.key() for n in names}
        given = (self._unit_given(variable) for variable in variables)
        return math.gcd(self._moved(variables), *lasting, *given)

    def _unit_given(self, parameter: int) -> int:
        given = self._given.get(parameter)
        return given.unit * (_SIZE if given.likely_start else 1) if given is not None else 0

    def _moved(self, variables: Set[int]) -> int:
        known = self._writes()
        asked = frozenset(variables)
        if asked not in known.moved:
            known.moved[asked] = _moved(self._events(), asked)
        return known.moved[asked]

    def _events(self) -> list[_Event]:
        known = self._writes()
        if known.events is None:
            known.events = list(_events(self._root, self._known.calls))
        return known.events

    def _writes(self) -> Writes:
        found = self._known.functions.get(id(self._root))
        if found is None:
            self._known.kept.append(self._root)
            found = self._known.functions[id(self._root)] = Writes(_writes(self._root))
        return found

    def _variable(self, node: Node, depth: int) -> int:
        declared = node.declared()
        variable = node.key()
        if declared is None or variable in self._seen:
            return 0
        if declared._kind_id == Kind.UNEXPOSED_DECL:  # a name for a part of something
            return math.gcd(*(event.unit for event in self._events()))
        if declared._kind_id not in _ASSIGNED:
            return 0
        self._seen.add(variable)
        writes = self._writes().given
        units = [self._unit_given(variable)]
        units += (self.unit(write, depth + 1) for write in writes.get(variable, ()))
        if _is_lasting(declared):
            units.append(self._lasting(declared, depth))
        elif declared._kind_id == Kind.PARM and variable not in self._parameters():
            units.append(self._anywhere())  # a lambda's
        elif declared._kind_id == Kind.PARM and self._nested:
            units.append(self._parameter(declared, depth))
        return math.gcd(self._moved({variable}), *units)


@dataclass(frozen=True, slots=True)
class _Event:
    """A statement that may give the variable ``place`` something, or a call that may change what
    it is ``given``. ``unit``: of all pointers that are moved in it; ``named``: all that it names;
    ``aliases``: from then on ``place`` may stand for what is named.
    """

    unit: int
    place: int = 0
    given: frozenset[int] = frozenset()
    named: frozenset[int] = frozenset()
    aliases: bool = False


def _moved(events: Sequence[_Event], variables: frozenset[int]) -> int:
    """How far what variables hold may be moved, under any name."""
    group = set(variables) - {0}
    while True:
        more = {e.place for e in events if e.aliases and not group.isdisjoint(e.named)} - {0}
        if more <= group:
            break
        group |= more
    return math.gcd(*(e.unit for e in events if e.place in group or not e.given.isdisjoint(group)))


def _events(root: Node, known: _Calls) -> Iterator[_Event]:
    for node, _ in descend(root):
        inner = plain_children(node)
        place = assigned(node)
        if node.kind in {Kind.VAR, Kind.UNEXPOSED_DECL} and inner:
            kind = type_kind(node.cursor)
            loose = kind in REFERENCES or kind == RECORD or _points_to_pointer(node.cursor)
            named = _named(inner[-1])
            made = math.gcd(_movement(inner[-1]), _making(inner[-1], known))
            own = _PART if node.kind == Kind.UNEXPOSED_DECL else key(node.cursor)
            yield _Event(made, own, frozenset(), named, loose)
        elif node.kind == Kind.FOR_RANGE:
            yield from _range_events(node)
        elif node.kind == Kind.ASM:
            yield _Event(1, 0, _named(node))
        elif place is not None and node.kind != Kind.CALL:
            made = 1 if _in_union(place) else _movement(node)
            made = math.gcd(made, _making(inner[-1], known))
            for target in _named(place):
                loose = _points_to_pointer(place.cursor)
                yield _Event(made, target, frozenset(), _named(inner[-1]), loose)
        elif node.kind == Kind.CALL and launch_parts(node) is None:
            given = _given(node)
            moved = _call_movement(node, known) if given else 0
            if moved:
                yield _Event(moved, 0, given)
        elif node.kind == Kind.LAMBDA:
            captured = (c.declared() for c in node.children if c.kind == Kind.VARIABLE_REF)
            if any(d is not None and type_kind(d) in REFERENCES for d in captured):
                yield _Event(_movement(node), 0, _named(root))
            yield from _captures(node)


def _range_events(loop: Node) -> Iterator[_Event]:
    """What a loop's variable is given, one after the other."""
    kinds = {Kind.VAR, Kind.UNEXPOSED_DECL}
    variables = [child for child in loop.children if child.kind in kinds]
    for variable in variables[:1]:
        among = [child for child in loop.children[:-1] if child is not variable]
        unit = math.gcd(*map(_movement, among))
        named = frozenset().union(*map(_named, among))
        refers = type_kind(variable.cursor) in REFERENCES
        own = _PART if variable.kind == Kind.UNEXPOSED_DECL else key(variable.cursor)
        yield _Event(unit, own, frozenset(), named, refers)


def _captures(closure: Node) -> Iterator[_Event]:
    """Pointers that a lambda has under names of its own: clang shows the parts of what they are
    given, not what is done with them.
    """
    for capture in closure.children:
        declared = capture.declared() if has_own_name(capture, closure) else None
        if declared is not None and type_kind(declared) == POINTER:
            parts = sum(not plain_children(node) for node, _ in descend(capture))
            yield _Event(0 if parts <= 1 else 1, key(declared), frozenset(), _named(capture))


def _making(value: Node, known: _Calls) -> int:
    """How far functions that make an object may move the pointers that they are given for it."""
    calls = (n for n, _ in descend(value) if n.kind == Kind.CALL and type_kind(n.cursor) == RECORD)
    return math.gcd(*(_call_movement(call, known) for call in calls))


def _in_union(place: Node) -> bool:
    """Whether an assigned expression is a number that lies where a pointer may lie."""
    declared = place.declared() if place.kind == Kind.MEMBER_REF_EXPR else None
    if declared is None or _is_pointer(place):
        return False
    return bool(declared.semantic_parent._kind_id == Kind.UNION)


def _given(call: Node) -> frozenset[int]:
    """Variables that a call may change, or what they hold: not those whose pointers it gets."""
    found: set[int] = set()
    for part in plain_children(call):
        if type_kind(part.cursor) in _NO_ADDRESS:
            continue
        inner = _plain(part)
        value = part is not inner or inner.kind not in {Kind.DECL_REF, Kind.MEMBER_REF_EXPR}
        if not (value and _is_pointer(inner) and not _points_to_pointer(inner.cursor)):
            found |= _named(part)
    return frozenset(found)


def _call_movement(call: Node, known: _Calls) -> int:
    """How far a function may move pointers that it is given, in variables or objects; ``known``:
    by the functions that were looked at.
    """
    return _reached(_call(call), 0, known)


def _call(call: Node) -> _Call:
    declared = call.declared()
    if declared is None:
        return 0, None
    if str(declared.spelling).startswith(_ATOMIC):
        return 1, None
    if declared.location.is_in_system_header:
        plain = declared._kind_id == Kind.FUNCTION and not declared.type.is_function_variadic()
        name = str(declared.spelling)
        if plain and name.startswith(_HARMLESS):
            return 0, None
        return (_movement(call) if name not in _MIXING else 1), None
    definition = declared.get_definition()
    return (0, None) if definition is None else (_movement(call), definition)


def _reached(call: _Call, depth: int, known: _Calls) -> int:
    unit, definition = call
    if definition is None:
        return unit
    if depth >= _MAX_CALLS:
        return 0
    function = key(definition)
    way = function, depth
    if way not in known.moved:
        if function not in known.bodies:
            known.bodies[function] = _body(tree(definition))
        known.moved[way] = _movement_in(known.bodies[function], depth, known)
    return math.gcd(unit, known.moved[way])


def _body(root: Node | None) -> _Body:
    """How far a function of the host moves pointers itself, and its calls. No node is kept."""
    if root is None or any(child.kind == Kind.GLOBAL_ATTR for child in root.children):
        return 0, []
    return _movement(root), [_call(n) for n, _ in descend(root) if n.kind == Kind.CALL]


def _movement_in(body: _Body, depth: int, known: _Calls) -> int:
    return math.gcd(body[0], *(_reached(call, depth + 1, known) for call in body[1]))


def _movement(node: Node) -> int:
    """What all that moves pointers below a node has in common; 0 where nothing does."""
    stack, unasked = [node], []
    while stack:
        inner = stack.pop()
        if inner.movement is None:
            unasked.append(inner)
            stack.extend(inner.children)
    for inner in reversed(unasked):  # parts before what they are parts of
        below = (child.movement or 0 for child in inner.children)
        inner.movement = math.gcd(_own_movement(inner), *below)
    return node.movement or 0


def _own_movement(node: Node) -> int:
    """How far an expression moves a pointer, whatever its operands do."""
    parts = plain_children(node)
    if node.kind in _COMPUTING and len(parts) == 2:
        operator = binary_operator(node.cursor).removesuffix("=")
        size = pointee_size(node.cursor)
        step = next((side for side in parts if not _is_pointer(side)), None)
        if size is not None and operator in {"+", "-"} and step is not None:
            return size * _factor(step, 0)
    elif node.kind == Kind.UNARY and parts:
        operator_kind = unary_operator(node.cursor)
        size = pointee_size(node.cursor) or 1
        element = _plain(parts[0])
        if operator_kind in STEPS and _is_pointer(node):
            return size
        if operator_kind == Unary.ADDRESS and element.kind == Kind.SUBSCRIPT:
            index = plain_children(element)[-1]
            if not _points_to_pointer(node.cursor):
                return size * _factor(index, 0)
    elif node.kind == Kind.CALL and node.cursor.spelling in _STEPPING:
        return pointee_size(node.cursor) or 1
    elif node.kind == Kind.LAMBDA:
        return math.gcd(*(event.unit for event in _captures(node)))
    return 0


def _objects_made(root: Node) -> _Given:
    """The pointers that objects of each type are made of."""
    found: _Given = {}
    for node, _ in descend(root):
        if node.kind not in {Kind.INIT_LIST, Kind.CALL} or type_kind(node.cursor) != RECORD:
            continue
        record = key(node.cursor.type.get_canonical().get_declaration())
        found.setdefault(record, []).extend(p for p in plain_children(node) if _is_pointer(p))
    return found


def _named(node: Node) -> frozenset[int]:
    names = ((n, n.declared()) for n, _ in descend(node) if n.kind == Kind.DECL_REF)
    kinds = ((n, d._kind_id) for n, d in names if d is not None)
    return frozenset(
        _PART if kind == Kind.UNEXPOSED_DECL else n.key()
        for n, kind in kinds
        if kind in VARIABLES or kind == Kind.UNEXPOSED_DECL
    )


def _is_lasting(declared: Any) -> bool:
    return declared._kind_id == Kind.VAR and (is_lasting(declared) or is_outside(declared))


def _points_to_pointer(cursor: Any) -> bool:
    canonical = cursor.type.get_canonical()
    return int(canonical._kind_id) == POINTER and (
        int(canonical.get_pointee().get_canonical()._kind_id) in {POINTER, RECORD}
    )


def _is_pointer(node: Node) -> bool:
    return type_kind(node.cursor) == POINTER


def _is_place(node: Node) -> bool:
    """Whether an expression is part of what a pointer points to, not a value from there."""
    return _is_array(node) or type_kind(node.cursor) == RECORD


def _is_array(node: Node) -> bool:
    return type_kind(node.cursor) in _ARRAYS


def _same_pointee(one: Node, other: Node) -> bool:
    sizes = pointee_size(one.cursor), pointee_size(other.cursor)
    return sizes[0] is not None and sizes[0] == sizes[1]


def _holds_address(node: Node) -> bool:
    """Whether a number is made of a pointer, as far as can be seen."""
    return any(_is_pointer(inner) for inner, _ in descend(node)) or (
        strip(node).kind == Kind.DECL_REF and type_kind(strip(node).cursor) in _WIDE
    )


def _offset(member: Node) -> int:
    """Bytes from the start of an object to a member."""
    declared = member.declared()
    bits = int(declared.get_field_offsetof()) if declared is not None else -1
    return bits // 8 if bits >= 0 else 1


def _plain(node: Node) -> Node:
    """``strip``, with the casts that no value has, and functions that give back what they get."""
    node = strip(node)
    while True:
        inner = plain_children(node)
        if node.kind == Kind.CALL and len(inner) == 2 and node.cursor.spelling in PASSING:
            node = strip(inner[1])
        elif node.kind in {Kind.REINTERPRET_CAST, Kind.CONST_CAST} and len(inner) == 1:
            node = strip(inner[0])
        else:
            return node


def _writes(root: Node) -> _Given:
    """What each pointer variable and member is given: the values of assignments and initialisers,
    and expressions that step it.
    """
    found: _Given = {}
    for node, _ in descend(root):
        place = assigned(node)
        inner = plain_children(node)
        if node.kind == Kind.FOR_RANGE and len(node.children) > 1:
            variables = [child for child in node.children if child.kind == Kind.VAR]
            for variable in variables[:1]:
                among = [child for child in node.children[:-1] if child is not variable]
                found.setdefault(key(variable.cursor), []).extend(among)
        elif node.kind == Kind.CALL and node.cursor.spelling in _EXCHANGING and len(inner) == 3:
            for one, other in ((inner[1], inner[2]), (inner[2], inner[1])):
                found.setdefault(strip(one).key(), []).append(other)
        elif node.kind == Kind.VAR and inner:
            found.setdefault(key(node.cursor), []).append(inner[-1])
        elif place is not None and node.kind != Kind.CALL:
            moves = node.kind in {Kind.UNARY, Kind.COMPOUND_ASSIGN}
            found.setdefault(strip(place).key(), []).append(node if moves else inner[-1])
    return found


def _factor(node: Node, depth: int) -> int:
    """A number that an integer expression is a multiple of; 0 if it is 0."""
    node = strip(node)
    known = constant(node.cursor)
    if known is not None:
        return abs(known)
    inner = plain_children(node)
    if node.kind != Kind.BINARY or len(inner) != 2 or depth > _MAX_DEPTH:
        return _SIZE if _is_given(node) else 1
    operator = binary_operator(node.cursor)
    left, right = (_factor(side, depth + 1) for side in inner)
    if operator == "*":
        product = left * right
        sizes = [constant(strip(side).cursor) is None for side in inner]
        return product * _SIZE if all(sizes) and product % _SIZE else product
    if operator in {"+", "-"}:
        return math.gcd(left, right)
    if operator == "<<":
        shift = constant(strip(inner[1]).cursor)
        return left << shift if shift is not None and 0 <= shift < 64 else 1
    return 1


def _is_given(node: Node) -> bool:
    """Whether it is a number that the function is given: no counter of its own."""
    declared = node.declared()
    kinds = {Kind.PARM, Kind.FIELD}
    return declared is not None and declared._kind_id in kinds


def pointee_size(cursor: Any) -> int | None:
    """Size of what a pointer points to, in bytes; None: no pointer, or to nothing of a size."""
    canonical = cursor.type.get_canonical()
    if int(canonical._kind_id) != POINTER:
        return None
    size = int(canonical.get_pointee().get_size())
    return size if size > 0 else None
