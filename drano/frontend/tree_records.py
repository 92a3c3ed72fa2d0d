"""Subtrees of libclang's cursors as flat records, copied by a visitor in machine code.

``clang_visitChildren`` calls its visitor once for each node. A visitor in Python takes 10 µs a
call, most of it for structures that go from C to Python and back; this one is LLVM IR, compiled in
the process by llvmlite, and takes a fraction of one. It also asks libclang there what nearly every
node is asked later: its type's kind, its operator, what it names.
"""

from __future__ import annotations

import ctypes
import platform
from functools import cache
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np
from clang.cindex import Cursor

from drano.support.errors import IRError

_FUNCTIONS: Final = (
    "clang_getCursorType",
    "clang_getCanonicalType",
    "clang_getCursorReferenced",
    "clang_getCanonicalCursor",
    "clang_getCursorUnaryOperatorKind",
    "clang_getCursorBinaryOperatorKind",
)

# A CXCursor (32 bytes) and a CXType (24) are too large for registers: x86-64's ABI passes them on
# the stack (byval), AArch64's by address; both return them through a pointer.
_PASSING: Final = {
    "x86_64": "ptr byval(%{}) align 8",
    "amd64": "ptr byval(%{}) align 8",
    "aarch64": "ptr",
    "arm64": "ptr",
}
_TEXT: Final = """
%cursor = type {{ i32, i32, [3 x ptr] }}
%type = type {{ i32, [2 x ptr] }}
%record = type {{ %cursor, %cursor, %cursor, i64, i32, i32, i32, i32, i64 }}
%records = type {{ i64, i64, ptr }}

define i32 @visit({cursor} %child, {cursor} %parent, ptr %data) {{
  %count = load i64, ptr %data
  %next = add i64 %count, 1
  store i64 %next, ptr %data
  %limit.at = getelementptr %records, ptr %data, i32 0, i32 1
  %limit = load i64, ptr %limit.at
  %full = icmp uge i64 %count, %limit
  br i1 %full, label %stop, label %go
stop:
  ret i32 0
go:
  %type.at = alloca %type
  %canonical.at = alloca %type
  %named.at = alloca %cursor
  %first.at = alloca %cursor
  %records.at = getelementptr %records, ptr %data, i32 0, i32 2
  %records = load ptr, ptr %records.at
  %record = getelementptr %record, ptr %records, i64 %count
  %child.value = load %cursor, ptr %child
  store %cursor %child.value, ptr %record
  %record.parent = getelementptr %record, ptr %record, i32 0, i32 1
  %parent.value = load %cursor, ptr %parent
  store %cursor %parent.value, ptr %record.parent
  call void {clang_getCursorType}(ptr sret(%type) %type.at, {cursor} %child)
  call void {clang_getCanonicalType}(ptr sret(%type) %canonical.at, {type} %type.at)
  %kind = load i32, ptr %canonical.at
  %record.kind = getelementptr %record, ptr %record, i32 0, i32 4
  store i32 %kind, ptr %record.kind
  %type.data = getelementptr %type, ptr %canonical.at, i32 0, i32 1, i32 0
  %identity = load i64, ptr %type.data
  %record.type = getelementptr %record, ptr %record, i32 0, i32 8
  store i64 %identity, ptr %record.type
  %unary = call i32 {clang_getCursorUnaryOperatorKind}({cursor} %child)
  %record.unary = getelementptr %record, ptr %record, i32 0, i32 5
  store i32 %unary, ptr %record.unary
  %binary = call i32 {clang_getCursorBinaryOperatorKind}({cursor} %child)
  %record.binary = getelementptr %record, ptr %record, i32 0, i32 6
  store i32 %binary, ptr %record.binary
  call void {clang_getCursorReferenced}(ptr sret(%cursor) %named.at, {cursor} %child)
  %named.value = load %cursor, ptr %named.at
  %record.named = getelementptr %record, ptr %record, i32 0, i32 2
  store %cursor %named.value, ptr %record.named
  call void {clang_getCanonicalCursor}(ptr sret(%cursor) %first.at, {cursor} %named.at)
  %key.at = getelementptr %cursor, ptr %first.at, i32 0, i32 2, i32 0
  %key = load i64, ptr %key.at
  %record.key = getelementptr %record, ptr %record, i32 0, i32 3
  store i64 %key, ptr %record.key
  ret i32 2
}}
"""


_ENGINES: Final[list[Any]] = []
"""Keep the machine code of visitors in memory."""


class _Records(ctypes.Structure):
    _fields_ = (("count", ctypes.c_int64), ("limit", ctypes.c_int64), ("at", ctypes.c_void_p))


_CURSOR: Final = [("kind", "i4"), ("extra", "i4"), ("data", "u8", (3,))]
RECORD: Final = np.dtype(
    [
        ("cursor", _CURSOR),
        ("parent", _CURSOR),
        ("named", _CURSOR),
        ("key", "i8"),
        ("type_kind", "i4"),
        ("unary", "i4"),
        ("binary", "i4"),
        ("", "i4"),
        ("type", "i8"),
    ]
)
"""One node: its cursor and its parent's; what it names, the null cursor if nothing, and the
identity of that declaration; kind and identity of its canonical type, and operators as libclang
numbers them."""


def subtree(library: Any, cursor: Any, limit: int) -> np.ndarray[Any, np.dtype[np.void]] | None:
    """Records of a cursor and all below it, in the order of the text; None if more than ``limit``.

    ``library`` is libclang as the bindings loaded it. IRError on processors whose calls are not
    known.
    """
    visit = _visitor(library)
    room = np.empty(limit, RECORD)
    records = _Records(0, limit, room.ctypes.data)
    place = ctypes.addressof(records)
    visit(cursor, cursor, place)
    _visit_children(library)(cursor, ctypes.cast(visit, ctypes.c_void_p), place)
    return room[: records.count].copy() if records.count <= limit else None


@cache
def _visit_children(library: Any) -> Any:
    """``clang_visitChildren`` for a visitor in machine code: the bindings' takes Python's only."""
    prototype = ctypes.CFUNCTYPE(ctypes.c_uint, Cursor, ctypes.c_void_p, ctypes.c_void_p)
    return prototype(("clang_visitChildren", library))


@cache
def _visitor(library: Any) -> Any:
    passing = _PASSING.get(platform.machine().lower())
    if passing is None:
        raise IRError("libclang.so", f"calls on {platform.machine()} are not known")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    addresses = {name: f"inttoptr (i64 {_address(library, name)} to ptr)" for name in _FUNCTIONS}
    text = _TEXT.format(cursor=passing.format("cursor"), type=passing.format("type"), **addresses)
    machine = llvm.Target.from_default_triple().create_target_machine(opt=1)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    prototype = ctypes.CFUNCTYPE(ctypes.c_int, Cursor, Cursor, ctypes.c_void_p)
    _ENGINES.append(engine)
    return prototype(engine.get_function_address("visit"))


def _address(library: Any, name: str) -> int | None:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value
