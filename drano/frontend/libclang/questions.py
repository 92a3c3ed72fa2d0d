"""Questions about one cursor: its children, its value, its type, what it names."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from clang import cindex

from drano.frontend.libclang.kinds import Kind
from drano.frontend.libclang.parsing import library
from drano.frontend.type_kinds import ENUM, FUNCTION, INTEGER_TYPES, REFERENCES

_REFERENCE: Final = 103
_EXTERNAL: Final = 4  # CXLinkageKind


def file_place(cursor: Any) -> tuple[str, int] | None:
    """Where a name stands in a file, path and offset: within a macro's arguments its own place,
    within a macro's text that of the macro's name.
    """
    file, offset = cindex.c_object_p(), ctypes.c_uint()
    library().clang_getFileLocation(
        cursor.location, ctypes.byref(file), None, None, ctypes.byref(offset)
    )
    if not file:
        return None
    return str(cindex.File(file).name), int(offset.value)


def children(parent: Any) -> list[Any]:
    """Children of a cursor, in the text's order; of a unit without those of precompiled headers."""
    found: list[Any] = []

    def visit(child: Any, _parent: Any, _data: Any) -> int:
        child._tu = parent._tu
        found.append(child)
        return 1

    library().clang_visitChildren(parent, cindex.cursor_visit_callback(visit), None)
    return found


def declarations(parent: Any) -> list[Any]:
    """Children of a translation unit, namespace or class that are not in system headers."""
    clang = library()
    found: list[Any] = []

    def visit(child: Any, _parent: Any, _data: Any) -> int:
        if not clang.clang_Location_isInSystemHeader(clang.clang_getCursorLocation(child)):
            found.append(child)
        return 1

    clang.clang_visitChildren(parent, cindex.cursor_visit_callback(visit), None)
    for child in found:
        child._tu = parent._tu
    return found


def fields(class_type: Any) -> list[Any]:
    """Members of a class's objects, in order: also of instances of templates, which have no
    children, and those without a name that anonymous unions are.
    """
    return list(class_type.get_fields())


def bases(class_type: Any) -> list[Any]:
    """What a class is derived from, also an instance of a template."""
    return list(class_type.get_bases())


def constructors(record: Any) -> list[Any]:
    """The constructors that a class declares; of an instance of a template, those of the
    template.
    """
    found = children(record)
    if not found:
        template = library().clang_getSpecializedCursorTemplate(record)
        template._tu = record._tu
        found = children(template)
    return [child for child in found if child._kind_id == Kind.CONSTRUCTOR]


def constant(cursor: Any) -> int | None:
    """What clang's own evaluator makes of an expression or a constant variable."""
    clang = library()
    result = clang.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if clang.clang_EvalResult_getKind(result) != 1:
            return None
        if clang.clang_EvalResult_isUnsignedInt(result):
            return int(clang.clang_EvalResult_getAsUnsigned(result))
        return int(clang.clang_EvalResult_getAsLongLong(result))
    finally:
        clang.clang_EvalResult_dispose(result)


def float_constant(cursor: Any) -> float | None:
    """Value of a floating literal."""
    clang = library()
    result = clang.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if clang.clang_EvalResult_getKind(result) != 2:
            return None
        return float(clang.clang_EvalResult_getAsDouble(result))
    finally:
        clang.clang_EvalResult_dispose(result)


def type_kind(cursor: Any) -> int:
    """CXTypeKind of the canonical type; enumerations read as the integers that they are made of."""
    clang = library()
    kind = int(clang.clang_getCanonicalType(clang.clang_getCursorType(cursor))._kind_id)
    return underlying_kind(cursor) if kind == ENUM else kind


def underlying_kind(cursor: Any) -> int:
    """CXTypeKind of the integers that an enumeration is made of: ``int`` where none is told."""
    declared = cursor.type.get_canonical().get_declaration()
    kind = int(declared.enum_type.get_canonical()._kind_id)
    return kind if kind in INTEGER_TYPES else 17


def passed_kind(cursor: Any) -> int:
    """``type_kind`` of a parameter, of what it refers to when it is a reference to a constant."""
    kind = type_kind(cursor)
    if kind != _REFERENCE:
        return kind
    pointee = cursor.type.get_canonical().get_pointee()
    return int(pointee._kind_id) if pointee.is_const_qualified() else kind


def bit_field(member: Any) -> tuple[int, bool] | None:
    """Bits of a member that is a bit-field, and whether it has a sign; None of others."""
    if not member.is_bitfield():
        return None
    return int(member.get_bitfield_width()), INTEGER_TYPES.get(type_kind(member), (0, False))[1]


def refers_to_function(cursor: Any) -> bool:
    """Whether a declaration is a reference to a function."""
    canonical = cursor.type.get_canonical()
    return int(canonical._kind_id) in REFERENCES and (
        int(canonical.get_pointee().get_canonical()._kind_id) == FUNCTION
    )


def is_constant(declared: Any) -> bool:
    """Whether a variable is const, or a reference through which nothing can be assigned."""
    canonical = declared.type.get_canonical()
    if int(canonical._kind_id) == _REFERENCE:
        canonical = canonical.get_pointee()
    return bool(canonical.is_const_qualified())


def is_external(declared: Any) -> bool:
    """Whether other units mean the same by the declaration's mangled name."""
    return int(library().clang_getCursorLinkage(declared)) == _EXTERNAL


def is_kernel(declared: Any) -> bool:
    """Whether a declaration is that of a kernel."""
    return any(child._kind_id == Kind.GLOBAL_ATTR for child in children(declared))


def is_device_code(function: Any) -> bool:
    """Whether a function runs on the device alone: a kernel, or what the host may not call."""
    kinds = {child._kind_id for child in children(function)}
    return Kind.GLOBAL_ATTR in kinds or (Kind.DEVICE_ATTR in kinds and Kind.HOST_ATTR not in kinds)


def key(cursor: Any) -> int:
    """Identity of a declaration, the same for all its redeclarations."""
    canonical = library().clang_getCanonicalCursor(cursor)  # `canonical` asks for nulls first
    return int(canonical.data[0] or 0)
