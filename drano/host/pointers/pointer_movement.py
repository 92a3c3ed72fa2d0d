"""How far statements and functions of host code move pointers, and what they give variables.

A function moves what it is given as far as its own statements and the functions that it calls do,
followed three calls deep. Statements that mix pointers (``swap``, unions, ``asm``) count as moving
them anywhere.

Assumptions: functions that are not in the unit, or of which it is not known which they are, may
move the pointers that they are given to write; most likely they give starts of allocations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from drano.frontend.libclang import Kind, Node, Unary, key, tree, type_kind
from drano.frontend.type_kinds import FLOAT_TYPES, INTEGER_TYPES, POINTER, RECORD, REFERENCES
from drano.host.function_bodies import (
    STEPS,
    WRITING,
    assigned,
    has_own_name,
    plain_children,
    preorder,
    strip,
)
from drano.host.launching.launch_syntax import launch_parts
from drano.host.pointers.kept_addresses import HARMLESS
from drano.host.pointers.pointer_syntax import (
    ARRAYS,
    COMPUTING,
    MAX_DEPTH,
    PART,
    SIZE,
    WIDE,
    factor,
    is_in_place_of_pointer,
    is_pointer,
    may_hold_pointers,
    named_in,
    plain,
    points_to_pointer,
    step_size,
)
from drano.host.pointers.unseen_code import (
    definition_of,
    is_unseen,
    may_return_pointers,
    may_write_pointers,
)

MAX_CALLS: Final = 3
STEPPING: Final = frozenset({"next", "prev", "addressof", "iota", "accumulate"})
_SYMBOLS: Final = frozenset({"cudaGetSymbolAddress", "cuModuleGetGlobal", "cuModuleGetGlobal_v2"})
_MAPPED: Final = frozenset({"cudaHostGetDevicePointer", "cuMemHostGetDevicePointer_v2"})
"""Functions that give the device's name for a place in memory of the host."""
_EXCHANGING: Final = frozenset({"swap", "exchange"})
_COPYING: Final = frozenset({"memcpy", "memmove"})
_MIXING: Final = frozenset({*_COPYING, "tie"})
"""Functions that may give a pointer any other value that they are given: of a whole object that is
copied most likely its own, which are starts of allocations.
"""
_ATOMIC: Final = ("__sync_", "__atomic_")
_ENUM: Final = 106
_GIVING: Final = WRITING | {Kind.VAR, Kind.FIELD, Kind.FOR_RANGE}
_EVENTS: Final = _GIVING | {Kind.UNEXPOSED_DECL, Kind.ASM, Kind.LAMBDA}
_CASTS: Final = {Kind.C_CAST, Kind.REINTERPRET_CAST, Kind.FUNCTIONAL_CAST}
_MOVING: Final = COMPUTING | _CASTS | {Kind.UNARY, Kind.CALL, Kind.LAMBDA}
_NO_ADDRESS: Final = (INTEGER_TYPES.keys() - WIDE) | FLOAT_TYPES.keys() | {_ENUM}
"""Types of values that hold no address: what a call gives by them moves nothing."""
Given: TypeAlias = dict[int, list[Node]]
_Call: TypeAlias = tuple[int, Any]
"""How far a call itself moves pointers, and the cursor of the function whose body does the rest."""
Body: TypeAlias = tuple[int, list[_Call]]


class Calls(Struct):
    """How far functions move pointers that they are given, when called so deep; ``bodies``: how far
    each does that itself, and its calls; ``tree``: gives a function's tree, maybe one that is kept.
    """

    tree: Callable[[Any], Node | None] = tree
    moved: dict[tuple[int, int], int] = field(default_factory=dict)
    bodies: dict[int, Body] = field(default_factory=dict)


class Event(Struct, frozen=True):
    """A statement that may give the variable ``place`` something, or a call that may change what
    it is ``given``. ``unit``: of all pointers that are moved in it; ``named``: all that it names;
    ``aliases``: from then on ``place`` may stand for what is named; ``leads``: the pointers and
    objects that may be reached by way of what is given (of ``place``, from then on); ``mixes``:
    what is given may refer to one another from then on.
    """

    unit: int
    place: int = 0
    given: frozenset[int] = frozenset()
    named: frozenset[int] = frozenset()
    aliases: bool = False
    leads: frozenset[int] = frozenset()
    mixes: bool = False


def moved(events: Sequence[Event], variables: frozenset[int]) -> int:
    """How far what variables hold may be moved, under any name."""
    group = set(variables) - {0}
    while True:
        more = {e.place for e in events if e.aliases and not group.isdisjoint(e.named)} - {0}
        more |= {v for e in events if e.mixes and not group.isdisjoint(e.given) for v in e.given}
        if more <= group:
            break
        group |= more
    return math.gcd(*(e.unit for e in events if e.place in group or not e.given.isdisjoint(group)))


def led_to(events: Sequence[Event], variables: frozenset[int]) -> frozenset[int]:
    """Variables, and those that they lead to, as ``q`` does to ``p`` after ``q = &p``."""
    group = set(variables)
    while True:
        more = {
            v for e in events
            if e.leads and (e.place in group or not e.given.isdisjoint(group))
            for v in e.leads
        }  # fmt: skip
        if more <= group:
            return frozenset(group)
        group |= more


def _leads(place: Node, value: Node) -> frozenset[int]:
    """Variables that a place may lead to once it has a value: those that it names, of a pointer
    to pointers or a reference; else those whose addresses are in the value, and pointers that an
    object may refer to.
    """
    kind = place.type_kind
    everything = kind in REFERENCES or points_to_pointer(place)
    found: set[int] = set()
    for node in preorder(value):
        if node.kind == Kind.UNARY and node.unary == Unary.ADDRESS:
            found |= named_in(node)
        elif node.kind == Kind.DECL_REF:
            leading = node.type_kind in ARRAYS or is_pointer(node)
            if leading or (everything and node.type_kind == RECORD):
                wanted = everything or kind == RECORD or points_to_pointer(node)
                found |= named_in(node) if wanted else frozenset()
    return frozenset(found)


def events_of(root: Node, known: Calls) -> Iterator[Event]:
    """What in a function may move pointers, in its order."""
    for node in preorder(root):
        if node.kind not in _EVENTS:
            continue
        inner = plain_children(node)
        place = assigned(node)
        if node.kind in {Kind.VAR, Kind.UNEXPOSED_DECL} and inner:
            kind = node.type_kind
            loose = kind in REFERENCES or kind == RECORD or points_to_pointer(node)
            named = named_in(inner[-1])
            made = math.gcd(_movement(inner[-1]), _making(inner[-1], known))
            own = PART if node.kind == Kind.UNEXPOSED_DECL else node.key
            yield Event(made, own, frozenset(), named, loose, _leads(node, inner[-1]))
        elif node.kind == Kind.FOR_RANGE:
            yield from _range_events(node)
        elif node.kind == Kind.ASM:
            yield Event(1, 0, named_in(node))
        elif place is not None and node.kind != Kind.CALL:
            made = SIZE if _in_union(place) else _movement(node)
            made = math.gcd(made, _making(inner[-1], known))
            for target in named_in(place):
                loose = points_to_pointer(place)
                leads = _leads(place, inner[-1])
                yield Event(made, target, frozenset(), named_in(inner[-1]), loose, leads)
        elif node.kind == Kind.CALL and launch_parts(node) is None:
            given = _given(node)
            moved = _call_movement(node, known) if given else 0
            kept = frozenset().union(*(_leads(node, part) for part in inner)) if given else given
            mixes = len(given) > 1 and _is_of_user(node)
            if moved or kept or mixes:
                yield Event(moved, 0, given, leads=kept, mixes=mixes)
        elif node.kind == Kind.LAMBDA:
            captured = (c.declared() for c in node.children if c.kind == Kind.VARIABLE_REF)
            if any(d is not None and type_kind(d) in REFERENCES for d in captured):
                yield Event(_movement(node), 0, named_in(root))
            yield from _captures(node)


def _is_of_user(call: Node) -> bool:
    called = call.declared()
    return called is None or not called.location.is_in_system_header


def _range_events(loop: Node) -> Iterator[Event]:
    """What a loop's variable is given, one after the other."""
    kinds = {Kind.VAR, Kind.UNEXPOSED_DECL}
    variables = [child for child in loop.children if child.kind in kinds]
    for variable in variables[:1]:
        among = [child for child in loop.children[:-1] if child is not variable]
        unit = math.gcd(*map(_movement, among))
        named = frozenset().union(*map(named_in, among))
        refers = variable.type_kind in REFERENCES
        own = PART if variable.kind == Kind.UNEXPOSED_DECL else variable.key
        yield Event(unit, own, frozenset(), named, refers)


def _captures(closure: Node) -> Iterator[Event]:
    """Pointers that a lambda has under names of its own: clang shows the parts of what they are
    given, not what is done with them.
    """
    for capture in closure.children:
        declared = capture.declared() if has_own_name(capture, closure) else None
        if declared is not None and type_kind(declared) == POINTER:
            parts = sum(not plain_children(node) for node in preorder(capture))
            yield Event(0 if parts <= 1 else 1, key(declared), frozenset(), named_in(capture))


def _making(value: Node, known: Calls) -> int:
    """How far functions that make an object may move the pointers that they are given for it."""
    calls = (n for n in preorder(value) if n.kind == Kind.CALL and n.type_kind == RECORD)
    return math.gcd(
        *(SIZE if may_return_pointers(call) else _call_movement(call, known) for call in calls)
    )


def _in_union(place: Node) -> bool:
    """Whether an assigned expression is a number that lies where a pointer may lie."""
    if is_in_place_of_pointer(place):
        return True
    declared = place.declared() if place.kind == Kind.MEMBER_REF_EXPR else None
    if declared is None or is_pointer(place):
        return False
    owner = declared.semantic_parent  # None of what a template takes from a base, as yet unknown
    return owner is None or bool(owner._kind_id == Kind.UNION)


def _given(call: Node) -> frozenset[int]:
    """Variables that a call may change, or what they hold: not those whose pointers it gets."""
    if _copies(call):
        return named_in(plain_children(call)[1])
    found: set[int] = set()
    for part in plain_children(call):
        if part.type_kind in _NO_ADDRESS:
            continue
        inner = plain(part)
        value = part is not inner or inner.kind not in {Kind.DECL_REF, Kind.MEMBER_REF_EXPR}
        if not (value and is_pointer(inner) and not points_to_pointer(inner)):
            found |= named_in(part)
    return frozenset(found)


def _call_movement(call: Node, known: Calls) -> int:
    """How far a function may move pointers that it is given, in variables or objects; ``known``:
    by the functions that were looked at.
    """
    return _reached(_call(call), 0, known)


def _call(call: Node) -> _Call:
    declared = call.declared()
    if declared is None:
        return SIZE, None
    if str(declared.spelling).startswith(_ATOMIC):
        return SIZE, None
    if declared.location.is_in_system_header:
        if declared.spelling in _SYMBOLS:  # where a variable lies
            return _alignment(call), None
        plain = declared._kind_id == Kind.FUNCTION and not declared.type.is_function_variadic()
        name = str(declared.spelling)
        if plain and name.startswith(HARMLESS):
            return 0, None
        if _copies(call) and not any(map(_may_lead, preorder(plain_children(call)[1]))):
            return 0, None  # what is copied lands where no pointer is
        if name == "advance":
            return 1, None
        return (SIZE if name in _MIXING else _movement(call)), None
    if is_unseen(call):
        return (SIZE if may_write_pointers(call) else 0), None
    definition = definition_of(call)
    return (0, None) if definition is None else (_movement(call), definition)


def _copies(call: Node) -> bool:
    """Whether it copies memory to where its first argument points."""
    named = call.kind == Kind.CALL and call.spelling in _COPYING
    declared = call.declared() if named else None
    system = declared is not None and declared.location.is_in_system_header
    return bool(system) and len(plain_children(call)) > 1


def _may_lead(node: Node) -> bool:
    """Whether an address may be that of a pointer, or of bytes or numbers in the place of one: of
    what it is made of.
    """
    named = node.kind in {Kind.DECL_REF, Kind.MEMBER_REF_EXPR} and may_hold_pointers(node)
    return named or points_to_pointer(node)


def _alignment(call: Node) -> int:
    """What the address of the variable that a call names is a multiple of, as far as is known."""
    inner = plain_children(call)
    symbol = strip(inner[2]) if len(inner) > 2 else call
    return max(int(symbol.cursor.type.get_canonical().get_align()), 1)


def _reached(call: _Call, depth: int, known: Calls) -> int:
    unit, definition = call
    if definition is None:
        return unit
    if depth >= MAX_CALLS:
        return 0
    function = key(definition)
    way = function, depth
    if way not in known.moved:
        if function not in known.bodies:
            known.bodies[function] = body_movement(known.tree(definition))
        known.moved[way] = movement_in(known.bodies[function], depth, known)
    return math.gcd(unit, known.moved[way])


def body_movement(root: Node | None) -> Body:
    """How far a function of the host moves pointers itself, and its calls. No node is kept."""
    if root is None or any(child.kind == Kind.GLOBAL_ATTR for child in root.children):
        return 0, []
    return _movement(root), [_call(n) for n in preorder(root) if n.kind == Kind.CALL]


def movement_in(body: Body, depth: int, known: Calls) -> int:
    """How far a function moves pointers, with all that it calls, called ``depth`` deep itself."""
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
        parts = _moving_parts(inner) if inner.kind == Kind.CALL else inner.children
        unit = _own_movement(inner) if inner.kind in _MOVING else 0
        for child in parts:
            if child.movement:
                unit = math.gcd(unit, child.movement)
        inner.movement = unit
    return node.movement or 0


def _moving_parts(node: Node) -> Sequence[Node]:
    """Its parts but for where it copies from: nothing is moved by that, if it writes nothing."""
    if not _copies(node):
        return node.children
    written, source = plain_children(node)[:2], plain_children(node)[2:]
    silent = all(assigned(n) is None and n.kind != Kind.CALL for s in source for n in preorder(s))
    return written if silent else node.children


def _own_movement(node: Node) -> int:
    """How far an expression moves a pointer, whatever its operands do."""
    moved = _moved_by(node)
    # The host's own lists, of operators and the like, are hardly what kernels are given.
    return moved * SIZE if moved and _leads_to_enum(node.cursor) else moved


def _leads_to_enum(cursor: Any) -> bool:
    canonical = cursor.type.get_canonical()
    if int(canonical._kind_id) != POINTER:
        return False
    return int(canonical.get_pointee().get_canonical()._kind_id) == _ENUM


def _moved_by(node: Node) -> int:
    parts = plain_children(node)
    if node.kind in COMPUTING and len(parts) == 2:
        operator = node.binary.removesuffix("=")
        size = step_size(node)
        step = next((side for side in parts if not is_pointer(side)), None)
        if size is not None and operator in {"+", "-"} and step is not None:
            return size * factor(step, 0)
    elif node.kind == Kind.UNARY and parts:
        operator_kind = node.unary
        size = step_size(node) or 1
        element = plain(parts[0])
        if operator_kind in STEPS and is_pointer(node):
            return size
        if operator_kind == Unary.ADDRESS and element.kind == Kind.SUBSCRIPT:
            index = plain_children(element)[-1]
            if not points_to_pointer(node):
                return size * factor(index, 0)
    elif node.kind == Kind.CALL and node.spelling in STEPPING:
        return step_size(node) or 1
    elif node.kind in _CASTS and len(parts) == 1 and is_pointer(node):
        return _number_movement(parts[0], 0)
    elif node.kind == Kind.LAMBDA:
        return math.gcd(*(event.unit for event in _captures(node)))
    return 0


def _number_movement(node: Node, depth: int) -> int:
    """How far a number that becomes a pointer is from the one that it was made of."""
    node = plain(node)
    parts = plain_children(node)
    if is_pointer(node) or node.type_kind not in INTEGER_TYPES or depth > MAX_DEPTH:
        return 0 if depth <= MAX_DEPTH else 1
    if len(parts) == 1:
        return _number_movement(parts[0], depth + 1)
    if node.kind == Kind.DECL_REF:  # what a function is given is what it is; others may be changed
        declared = node.declared()
        return 0 if declared is None or declared._kind_id == Kind.PARM else 1
    if node.kind not in COMPUTING or len(parts) != 2:
        return 0
    bases = [side for side in parts if any(map(is_pointer, preorder(side)))]
    if node.binary.removesuffix("=") not in {"+", "-"} or len(bases) != 1:
        return 1
    step = parts[1] if bases[0] is parts[0] else parts[0]
    return math.gcd(_number_movement(bases[0], depth + 1), factor(step, 0))


def objects_made(root: Node) -> Given:
    """The pointers that objects of each type are made of."""
    found: Given = {}
    for node in preorder(root):
        if node.kind not in {Kind.INIT_LIST, Kind.CALL} or node.type_kind != RECORD:
            continue
        record = key(node.cursor.type.get_canonical().get_declaration())
        found.setdefault(record, []).extend(p for p in plain_children(node) if is_pointer(p))
    return found


def writes_of(root: Node) -> Given:
    """What each pointer variable and member is given: the values of assignments and initialisers,
    and expressions that step it.
    """
    found: Given = {}
    for node in preorder(root):
        if node.kind not in _GIVING:
            continue
        place = assigned(node)
        inner = plain_children(node)
        if node.kind == Kind.FOR_RANGE and len(node.children) > 1:
            variables = [child for child in node.children if child.kind == Kind.VAR]
            for variable in variables[:1]:
                among = [child for child in node.children[:-1] if child is not variable]
                found.setdefault(variable.key, []).extend(among)
        elif node.kind == Kind.CALL and node.spelling in _EXCHANGING and len(inner) == 3:
            for one, other in ((inner[1], inner[2]), (inner[2], inner[1])):
                found.setdefault(strip(one).key, []).append(other)
        elif node.kind == Kind.CALL and node.spelling in _MAPPED and len(inner) > 2:
            for place in preorder(inner[1]):
                if place.kind in {Kind.DECL_REF, Kind.MEMBER_REF_EXPR}:
                    found.setdefault(place.key, []).append(inner[2])
        elif node.kind in {Kind.VAR, Kind.FIELD} and inner:
            found.setdefault(node.key, []).append(inner[-1])
        elif place is not None and node.kind != Kind.CALL:
            moves = node.kind in {Kind.UNARY, Kind.COMPOUND_ASSIGN}
            found.setdefault(strip(place).key, []).append(node if moves else inner[-1])
    return found
