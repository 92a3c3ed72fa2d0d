"""Variables of host code that are known by more than one name, and what may change them.

A variable that outlives a call may be changed by any function that is called, and by any store
through a pointer or a reference; a parameter that is a reference is another one's other name.

Assumption: C++'s rules of aliasing: a store of a number that is no integer changes no integer.
"""

from __future__ import annotations

from typing import Any, Final

from drano.frontend.headers.stand_ins import OWN_STUBS
from drano.frontend.libclang import Kind, Node, Unary, type_kind
from drano.frontend.type_kinds import INTEGER_TYPES, POINTER, RECORD, REFERENCES
from drano.host.function_bodies import (
    descend,
    is_lasting,
    is_outside,
    plain_children,
    preorder,
    strip,
)
from drano.host.launching.launch_syntax import launch_parts

_ARRAYS: Final = frozenset({112, 114, 115})
_VOID: Final = 2


def is_reference(function: Any, position: int) -> bool:
    """Whether a function takes an argument by reference, as far as is known."""
    if function is None:
        return True
    parameters = list(function.get_arguments())
    return position >= len(parameters) or type_kind(parameters[position]) in REFERENCES


def is_loose(place: Node) -> bool:
    """Whether an assigned expression that names no variable may be one that has a name: it has an
    integer or a structure, and is no element of an array with a name of its own.
    """
    if place.type_kind not in {*INTEGER_TYPES, RECORD}:
        return False
    place = strip(place)
    while place.kind == Kind.SUBSCRIPT:
        array = strip(plain_children(place)[0])
        if array.kind == Kind.DECL_REF and array.type_kind in _ARRAYS:
            return False
        place = array
    return True


def is_local(place: Node) -> bool:
    """Whether an assigned expression is (a member of) a variable of one call of a function, or of
    this object.
    """
    return outliving(place) is None


def outliving(place: Node) -> Any | None:
    """The variable that an assigned expression is (a member of), where it outlives the call."""
    for node in preorder(place):
        declared = node.declared() if node.kind == Kind.DECL_REF else None
        if declared is not None:
            return declared if is_lasting(declared) or is_outside(declared) else None
    return None


def is_changed(root: Node, variable: int) -> bool:
    """Whether a function, or an initialiser, does more with a variable than read it."""
    return any(
        node.kind == Kind.DECL_REF and node.key == variable and not _is_read(above)
        for node, above in descend(root)
    )


def _is_read(above: tuple[Node, ...]) -> bool:
    """Whether the value of a name is taken, from what is around the name."""
    inner = {Kind.PAREN, Kind.MEMBER_REF_EXPR}
    outer = next((node for node in above if node.kind not in inner), None)
    return outer is not None and outer.kind in {Kind.UNEXPOSED_EXPR, Kind.UNARY_TRAIT}


def may_change_others(call: Node) -> bool:
    """Whether a call may assign to variables that outlive the function, and static ones."""
    declared = call.declared()
    if declared is None:
        return True
    if launch_parts(call) is not None:
        return False
    if not declared.location.is_in_system_header or _stands_in(declared):
        return True
    if any(_reaches_integers(part) for part in plain_children(call)[1:]):
        return True
    # What the system calls back.
    arguments = [node for part in plain_children(call)[1:] for node in preorder(part)]
    return any(
        node.kind == Kind.LAMBDA or (node.kind == Kind.DECL_REF and _names_function(node))
        for node in arguments
    )


def _stands_in(declared: Any) -> bool:
    """Whether a function is of a library that is not there: it may call back, or set flags."""
    file = declared.location.file
    return file is not None and str(file.name).startswith(f"{OWN_STUBS}/")


def _names_function(node: Node) -> bool:
    declared = node.declared()
    return (
        declared is not None
        and not declared.location.is_in_system_header
        and (declared._kind_id in {Kind.FUNCTION, Kind.METHOD} or type_kind(declared) == RECORD)
    )


def _reaches_integers(argument: Node) -> bool:
    """Whether the system may store integers through an argument, in what is no local variable."""
    node = argument
    if node.type_kind != POINTER:
        return False
    while node.kind == Kind.UNEXPOSED_EXPR and len(plain_children(node)) == 1:
        node = plain_children(node)[0]
    inner = strip(node)
    if inner.kind == Kind.UNARY and inner.unary == Unary.ADDRESS:
        return not is_local(inner)
    passed = argument.cursor.type.get_canonical().get_pointee()
    own = inner.cursor.type.get_canonical().get_pointee().get_canonical()
    known = int(own._kind_id)
    return not passed.is_const_qualified() and known in {_VOID, *INTEGER_TYPES}
