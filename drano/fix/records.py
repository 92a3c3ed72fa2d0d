"""What other structures of a unit make of one."""

from __future__ import annotations

from typing import Any, Final

from drano.fix.source_tree import Tree
from drano.frontend.libclang import Kind, declarations, key

_UNIT: Final = frozenset({300, 350, Kind.LINKAGE_SPEC})


def is_global(declared: Any) -> bool:
    """Whether it is in no namespace, class or function."""
    return declared.semantic_parent is not None and declared.semantic_parent._kind_id in _UNIT


def is_part_of_another(declared: Any, unit: Tree) -> bool:
    """Whether a structure of the unit has it as a member or base."""
    wanted = key(declared)
    waiting = [unit.cursor.cursor]
    while waiting:
        for cursor in declarations(waiting.pop()):
            if cursor._kind_id in {Kind.FIELD, Kind.BASE} and _holds(cursor.type, wanted):
                return True
            if cursor._kind_id in {
                Kind.NAMESPACE, Kind.STRUCT, Kind.CLASS, Kind.UNION, Kind.LINKAGE_SPEC,
                Kind.CLASS_TEMPLATE,
            }:  # fmt: skip
                waiting.append(cursor)
    return False


def _holds(type_: Any, wanted: int) -> bool:
    canonical = type_.get_canonical()
    while int(canonical.get_array_element_type()._kind_id):
        canonical = canonical.get_array_element_type().get_canonical()
    declared = canonical.get_declaration()
    return key(declared) == wanted
