"""Functions that a call may reach and that the unit does not show: another unit has them, or a
pointer leads to them. They may move what they may write, and most likely do not. So may other units
with what headers declare.
"""

from __future__ import annotations

from typing import Any

from drano.frontend.libclang import Kind, Node, Unary, is_kernel, key
from drano.frontend.type_kinds import POINTER, RECORD, REFERENCES
from drano.host.function_bodies import plain_children, strip
from drano.host.pointers.pointer_syntax import may_hold_pointers
from drano.host.unit_functions import FUNCTIONS


def definition_of(call: Node) -> Any | None:
    """The function that is called, where its body is in the unit; None of others."""
    declared = call.declared()
    if declared is None or declared._kind_id not in FUNCTIONS:
        return None
    return declared.get_definition()


def is_unseen(call: Node) -> bool:
    """Whether a call reaches a function of the host that neither the unit nor a system's header
    has, nor the compiler makes.
    """
    declared = call.declared()
    if declared is None:
        return True
    if definition_of(call) is not None or declared.location.is_in_system_header:
        return False
    made = declared.location == declared.semantic_parent.location
    return not (made or is_kernel(declared))


def is_shared(variable: Any) -> bool:
    """Whether other units may write a member or a variable that outlives functions: a header
    declares it, or it is another unit's.
    """
    first = variable.canonical.location
    if first.is_in_system_header or first.file is None:
        return False
    if variable._kind_id == Kind.VAR and variable.get_definition() is None:
        return True
    return str(first.file.name) != str(variable.translation_unit.spelling)


def calls_back(call: Node) -> bool:
    """Whether a library's function calls one that it is given, or that its object holds."""
    called = call.declared()
    parts = plain_children(call)
    return call.spelling == "operator()" or any(_is_function(part, called) for part in parts)


def _is_function(part: Node, called: Any) -> bool:
    """Whether part of a call is a function, other than that which is ``called``."""
    node = strip(part)
    if node.kind == Kind.UNARY and node.unary == Unary.ADDRESS:
        node = strip(plain_children(node)[0])
    declared = node.declared() if node.kind == Kind.DECL_REF else None
    if declared is None or declared._kind_id not in FUNCTIONS:
        return node.kind == Kind.LAMBDA
    return called is None or key(declared) != key(called)


def may_write_pointers(call: Node) -> bool:
    """Whether what a function that is not seen is given leads to pointers that it may write, by
    what it is declared to take.
    """
    declared = call.declared()
    if declared is None or declared._kind_id not in FUNCTIONS:
        return True
    if declared._kind_id == Kind.METHOD and not declared.is_const_method():
        return True
    types = (parameter.type.get_canonical() for parameter in declared.get_arguments() or ())
    leading = (t for t in types if int(t._kind_id) in {POINTER, *REFERENCES})
    return any(not t.get_pointee().get_canonical().is_const_qualified() for t in leading)


def may_return_pointers(call: Node) -> bool:
    """Whether an expression is a call of such a function that returns an object which may have
    pointers.
    """
    record = call.kind == Kind.CALL and call.type_kind == RECORD
    return record and is_unseen(call) and may_hold_pointers(call)
