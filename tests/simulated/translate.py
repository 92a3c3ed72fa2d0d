"""From kernels, written in the C that CUDA and C share, to Python generators, one a thread.

The C standard's semantics, by its own words: integers are promoted and converted, and wrap around
where they are unsigned; signed overflow, shifts past a width and indices past an array's end are
errors of the corpus, and raise. A scalar variable is a Python variable, a structure or array of
a thread's own a list; all other memory has addresses. Nothing here is drano's.

Limits: no address of a variable is taken, no switch, no goto; one load and one store of memory
on a line.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pycparser import c_ast, c_parser

from tests.simulated import builtins
from tests.simulated.lanes import CONSTANT, GLOBAL, SHARED, Body, Thread
from tests.simulated.types import (
    BOOL,
    INT,
    LONG,
    UINT,
    ULONG,
    Array,
    CType,
    Float,
    Int,
    Member,
    Pointer,
    Struct,
    Void,
    common,
    promoted,
    struct,
    wrapped,
)

Typed: TypeAlias = tuple[str, CType]
_BASIC: dict[tuple[str, ...], CType] = {
    ("char",): Int(8, True), ("signed", "char"): Int(8, True), ("unsigned", "char"): Int(8, False),
    ("short",): Int(16, True), ("unsigned", "short"): Int(16, False), ("int",): INT,
    ("unsigned",): UINT, ("unsigned", "int"): UINT, ("long",): LONG, ("unsigned", "long"): ULONG,
    ("long", "long"): LONG, ("unsigned", "long", "long"): ULONG, ("float",): Float(4),
    ("double",): Float(8), ("void",): Void(), ("_Bool",): BOOL,
}  # fmt: skip
_VECTORS = {
    name + str(count): struct(name + str(count), [(c, base, 0) for c in "xyzw"[:count]])
    for name, base in (("float", Float(4)), ("int", INT), ("double", Float(8)), ("uint", UINT))
    for count in (2, 3, 4)
}
_HEAD = "typedef _Bool bool; typedef unsigned uint; " + " ".join(
    "typedef struct {"
    + "".join(
        f"{'float' if m.type == Float(4) else 'double' if m.type == Float(8) else 'int'} {m.name};"
        for m in t.members
    )
    + f"}} {name};"
    for name, t in _VECTORS.items()
)
_WORDS = {
    "__global__": "", "__device__": "", "__forceinline__": "", "__noinline__": "", "inline": "",
    "__restrict__": "", "__shared__": "register", "__constant__": "static", "true": "1",
    "false": "0",
}  # fmt: skip


class CorpusError(Exception):
    """What the simulator does not read, or C leaves undefined."""


class ExitThread(Exception):  # noqa: N818 - no error
    """``exit;`` of PTX."""


@dataclass(frozen=True)
class Kernel:
    """A kernel that can be run; ``structs`` of its parameters are lists of members."""

    name: str
    parameters: tuple[tuple[str, CType], ...]
    run: Callable[..., Body]


@dataclass
class _Scope:
    names: dict[str, tuple[str, CType, bool]] = field(default_factory=dict)  # text, type, memory


class Translator:
    """One source file. ``constants``: what its initialised variables hold, by address."""

    def __init__(self, text: str) -> None:
        self.constants: dict[int, Any] = {}
        self.kernels: dict[str, Kernel] = {}
        self._wanted = set(re.findall(r"__global__\s+void\s+(\w+)", text))
        plain = re.sub(r"//[^\n]*|#[^\n]*", "", text)
        for word, other in _WORDS.items():
            plain = re.sub(rf"\b{word}\b", other, plain)
        tree = c_parser.CParser().parse(_HEAD + plain)
        self._types: dict[str, CType] = {}
        self._scopes = [_Scope()]
        self._functions: dict[str, CType] = {}
        self._lines: list[str] = []
        self._indent = 0
        self._fresh = itertools.count()
        self._windows = {"static": CONSTANT, "register": SHARED, "": GLOBAL + (1 << 36)}
        self._places: dict[tuple[int, str], int] = {}
        for node in tree.ext:
            self._external(node)
        space: dict[str, Any] = {
            "W": wrapped, "OK": _in_range, "DIV": builtins.divided, "MOD": builtins.remainder,
            "SHIFT": _shift, "SET": _set, "COPY": copy.deepcopy, "PURE": builtins.PURE,
            "MASKS": builtins.LANE_MASKS, "ATOMIC": builtins.ATOMIC, "TYPES": self._type_table(),
            "ExitThread": ExitThread, "GET": _get, "HOLDS": _holds,
        }  # fmt: skip
        exec("\n".join(self._lines), space)
        for name, parameters in self._signatures.items():
            if name in self._wanted:
                self.kernels[name] = Kernel(name, parameters, _kernel(space["F_" + name]))

    _signatures: dict[str, tuple[tuple[str, CType], ...]]

    # --- declarations ------------------------------------------------------------------------

    def _external(self, node: c_ast.Node) -> None:
        if not hasattr(self, "_signatures"):
            self._signatures = {}
            self._table: dict[CType, int] = {}
        if isinstance(node, c_ast.Typedef):
            self._types[node.name] = _VECTORS.get(node.name) or self._type(node.type, node.name)
        elif isinstance(node, c_ast.FuncDef):
            self._function(node)
        elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            self._functions[node.name] = self._type(node.type.type)
        elif isinstance(node, c_ast.Decl):
            self._variable(node)
        else:
            raise CorpusError(f"{node.coord}: {type(node).__name__}")

    def _type(self, node: c_ast.Node, name: str = "") -> CType:
        if isinstance(node, c_ast.TypeDecl | c_ast.Typename):
            return self._type(node.type, name)
        if isinstance(node, c_ast.PtrDecl):
            return Pointer(self._type(node.type))
        if isinstance(node, c_ast.ArrayDecl):
            count = 0 if node.dim is None else _number(node.dim)
            return Array(self._type(node.type), count)
        if isinstance(node, c_ast.IdentifierType):
            names = tuple(node.names)
            if len(names) == 1 and names[0] in self._types:
                return self._types[names[0]]
            return _BASIC[names]
        if isinstance(node, c_ast.Struct):
            fields = [
                (d.name, self._type(d.type), _number(d.bitsize) if d.bitsize else 0)
                for d in node.decls
            ]
            return struct(name, fields)
        raise CorpusError(f"{node.coord}: type {type(node).__name__}")

    def _variable(self, node: c_ast.Decl) -> None:
        """A variable that has an address."""
        type_ = self._type(node.type)
        values = _listed(node.init)
        if isinstance(type_, Array) and not type_.count:
            type_ = Array(type_.of, len(values))
        window = (node.storage or [""])[0]
        address = -(-self._windows[window] // 256) * 256
        self._windows[window] = address + type_.size
        self._scopes[-1].names[node.name] = (str(address), type_, True)
        inner = type_
        while isinstance(inner, Array):
            inner = inner.of
        for number in range(type_.size // inner.size) if node.init is not None else ():
            value = values[number] if number < len(values) else 0
            self.constants[address + number * inner.size] = value

    def _function(self, node: c_ast.FuncDef) -> None:
        declared = node.decl.type
        parameters = tuple(
            (p.name, self._type(p.type)) for p in (declared.args.params if declared.args else ())
            if p.name
        )  # fmt: skip
        name = node.decl.name
        self._result = self._functions[name] = self._type(declared.type)
        self._signatures[name] = parameters
        with self._scope():
            texts = [self._declare(n, t) for n, t in parameters]
            self._emit(f"def F_{name}({', '.join(['T', 'site', *texts])}):")
            self._indent += 1
            self._emit("T.path.append(site); depth = len(T.path) - 1")
            self._emit("try:")
            self._indent += 1
            self._emit("if False: yield")
            self._statement(node.body)
            self._indent -= 1
            self._emit("finally: del T.path[depth:]")
            self._indent -= 1

    def _declare(self, name: str, type_: CType) -> str:
        text = f"v_{name}_{next(self._fresh)}"
        self._scopes[-1].names[name] = (text, type_, False)
        return text

    @contextmanager
    def _scope(self) -> Iterator[None]:
        self._scopes.append(_Scope())
        yield
        self._scopes.pop()

    def _emit(self, text: str) -> None:
        self._lines.append("  " * self._indent + text)

    def _type_table(self) -> list[CType]:
        return list(self._table)

    def _number_of(self, type_: CType) -> str:
        return f"TYPES[{self._table.setdefault(type_, len(self._table))}]"

    # --- statements --------------------------------------------------------------------------

    def _statement(self, node: c_ast.Node | None) -> None:
        if node is None or isinstance(node, c_ast.EmptyStatement):
            return
        name = f"_do_{type(node).__name__.lower()}"
        if hasattr(self, name):
            getattr(self, name)(node)
        else:
            self._emit(self._rvalue(node)[0])

    def _do_compound(self, node: c_ast.Compound) -> None:
        with self._scope():
            for item in node.block_items or ():
                self._statement(item)

    def _do_decllist(self, node: c_ast.DeclList) -> None:
        for decl in node.decls:
            self._statement(decl)

    def _do_decl(self, node: c_ast.Decl) -> None:
        if "register" in node.storage or "static" in node.storage:
            scopes, self._scopes = self._scopes, [self._scopes[-1]]
            self._variable(node)
            self._scopes = scopes
            return
        type_ = self._type(node.type)
        if isinstance(type_, Array | Struct):
            if isinstance(type_, Array) and not type_.count:
                type_ = Array(type_.of, len(node.init.exprs))
            if node.init is None or isinstance(node.init, c_ast.InitList):
                value = self._list(type_, node.init)
            else:
                value = f"COPY({self._rvalue(node.init)[0]})"
        elif node.init is None:
            value = "None"
        else:
            value = self._converted(node.init, type_)
        self._emit(f"{self._declare(node.name, type_)} = {value}")

    def _list(self, type_: CType, init: c_ast.InitList | None) -> str:
        given = [] if init is None else list(init.exprs)
        kinds = (
            [type_.of] * type_.count if isinstance(type_, Array)
            else [m.type for m in type_.members] if isinstance(type_, Struct) else []
        )  # fmt: skip
        texts = []
        for n, kind in enumerate(kinds):
            part = given[n] if n < len(given) else None
            if isinstance(kind, Array | Struct):
                texts.append(self._list(kind, part))
            elif part is None:
                texts.append("0" if given else "None")
            else:
                texts.append(self._converted(part, kind))
        return f"[{', '.join(texts)}]"

    def _do_if(self, node: c_ast.If) -> None:
        self._emit(f"if {self._rvalue(node.cond)[0]}:")
        self._block(node.iftrue)
        if node.iffalse is not None:
            self._emit("else:")
            self._block(node.iffalse)

    def _block(self, node: c_ast.Node | None) -> None:
        self._indent += 1
        self._emit("pass")
        with self._scope():
            self._statement(node)
        self._indent -= 1

    def _loop(self, cond: c_ast.Node | None, step: c_ast.Node | None, body: c_ast.Node) -> None:
        """``continue`` of Python goes to the step, too: it stands at the beginning."""
        depth, first = f"d{next(self._fresh)}", f"f{next(self._fresh)}"
        self._emit(f"{depth} = len(T.path); T.path.append(0); {first} = True")
        self._emit("while True:")
        self._indent += 1
        self._emit(f"del T.path[{depth} + 1:]")
        if step is not None:
            self._emit(f"if not {first}: {self._rvalue(step)[0]}")
        self._emit(f"T.path[{depth}] += 1")
        if cond is not None:
            self._emit(f"if not ({self._rvalue(cond)[0]}): break")
        self._emit(f"{first} = False")
        self._indent -= 1
        self._block(body)
        self._emit(f"del T.path[{depth}:]")

    def _do_for(self, node: c_ast.For) -> None:
        with self._scope():
            self._statement(node.init)
            self._loop(node.cond, node.next, node.stmt)

    def _do_while(self, node: c_ast.While) -> None:
        self._loop(node.cond, None, node.stmt)

    def _do_dowhile(self, node: c_ast.DoWhile) -> None:
        first, depth = f"f{next(self._fresh)}", f"d{next(self._fresh)}"
        self._emit(f"{depth} = len(T.path); T.path.append(0); {first} = True")
        self._emit("while True:")
        self._indent += 1
        self._emit(f"del T.path[{depth} + 1:]")
        self._emit(f"if not {first} and not ({self._rvalue(node.cond)[0]}): break")
        self._emit(f"{first} = False; T.path[{depth}] += 1")
        self._indent -= 1
        self._block(node.stmt)
        self._emit(f"del T.path[{depth}:]")

    def _do_return(self, node: c_ast.Return) -> None:
        if node.expr is None:
            self._emit("return")
        else:
            self._emit(f"return {self._converted(node.expr, self._result)}")

    def _do_break(self, _node: c_ast.Node) -> None:
        self._emit("break")

    def _do_continue(self, _node: c_ast.Node) -> None:
        self._emit("continue")

    # --- values ------------------------------------------------------------------------------

    def _converted(self, node: c_ast.Node, type_: CType) -> str:
        return _convert(*self._rvalue(node), type_)

    def _rvalue(self, node: c_ast.Node) -> Typed:
        found: Typed = getattr(self, f"_see_{type(node).__name__.lower()}")(node)
        return found

    def _see_constant(self, node: c_ast.Constant) -> Typed:
        if node.type in {"float", "double"}:
            single = node.value[-1] in "fF"
            return node.value.rstrip("fF"), Float(4 if single else 8)
        value = _number(node)
        unsigned, long_ = "u" in node.value.lower(), "l" in node.value.lower()
        if long_ or value >= 1 << (32 if unsigned else 31):
            if not long_ and value < 1 << 32 and node.value.lower().startswith("0x"):
                return str(value), UINT
            return str(value), Int(64, not unsigned)
        return str(value), UINT if unsigned else INT

    def _see_exprlist(self, node: c_ast.ExprList) -> Typed:
        parts = [self._rvalue(e) for e in node.exprs]
        return f"({', '.join(t for t, _ in parts)})[-1]", parts[-1][1]

    def _see_cast(self, node: c_ast.Cast) -> Typed:
        type_ = self._type(node.to_type)
        return self._converted(node.expr, type_), type_

    def _see_ternaryop(self, node: c_ast.TernaryOp) -> Typed:
        yes, no = self._rvalue(node.iftrue), self._rvalue(node.iffalse)
        type_ = yes[1] if isinstance(yes[1], Pointer) else common(yes[1], no[1])
        test = self._rvalue(node.cond)[0]
        return f"({_convert(*yes, type_)} if {test} else {_convert(*no, type_)})", type_

    def _see_binaryop(self, node: c_ast.BinaryOp) -> Typed:
        return self._binary(node.op, self._rvalue(node.left), self._rvalue(node.right))

    def _binary(self, op: str, a: Typed, b: Typed) -> Typed:
        if op in {"&&", "||"}:
            return f"(1 if ({a[0]}) {'and' if op == '&&' else 'or'} ({b[0]}) else 0)", INT
        pointers = [isinstance(t, Pointer | Array) for _, t in (a, b)]
        if op in {"==", "!=", "<", ">", "<=", ">="}:
            if not any(pointers):
                type_ = common(a[1], b[1])
                a, b = (_convert(*a, type_), type_), (_convert(*b, type_), type_)
            return f"(1 if {a[0]} {op} {b[0]} else 0)", INT
        if pointers[0] and pointers[1]:
            return f"(({a[0]} - {b[0]}) // {_element(a[1]).size})", LONG
        if any(pointers):
            if pointers[1]:
                a, b = b, a
            return f"({a[0]} {op} ({b[0]}) * {_element(a[1]).size})", Pointer(_element(a[1]))
        if op in {"<<", ">>"}:
            left = promoted(a[1])
            text = f"SHIFT({op!r}, {_convert(*a, left)}, {b[0]}, {_bits(left)})"
            return _wrap(text, left), left
        type_ = common(a[1], b[1])
        x, y = _convert(*a, type_), _convert(*b, type_)
        if isinstance(type_, Float):
            return f"({x} {op} {y})", type_
        assert isinstance(type_, Int)
        if op in {"/", "%"}:
            return f"{'DIV' if op == '/' else 'MOD'}({x}, {y})", type_
        if op in {"+", "-", "*"} and type_.signed:
            return f"OK({x} {op} {y}, {type_.bits})", type_
        return _wrap(f"{x} {op} {y}", type_), type_

    def _see_unaryop(self, node: c_ast.UnaryOp) -> Typed:
        op = node.op
        if op == "sizeof":
            kind = node.expr
            type_ = self._type(kind) if isinstance(kind, c_ast.Typename) else self._rvalue(kind)[1]
            return str(type_.size), ULONG
        if op == "&":
            return self._address(node.expr)
        if op == "*":
            return self._read(node)
        if op in {"++", "--", "p++", "p--"}:
            return self._step(node)
        value = self._rvalue(node.expr)
        if op == "!":
            return f"(0 if {value[0]} else 1)", INT
        type_ = promoted(value[1])
        text = f"({op}{_convert(*value, type_)})"
        return _wrap(text, type_), type_

    def _step(self, node: c_ast.UnaryOp) -> Typed:
        old = self._rvalue(node.expr)
        new = self._binary(node.op[-1], old, ("1", INT))
        text, type_ = self._assigned(node.expr, _convert(*new, old[1]))
        if node.op.startswith("p"):
            return f"({old[0]}, {text})[0]", type_
        return text, type_

    def _see_assignment(self, node: c_ast.Assignment) -> Typed:
        target = self._lvalue_type(node.lvalue)
        if node.op == "=":
            if isinstance(target, Struct):
                return self._assigned(node.lvalue, f"COPY({self._rvalue(node.rvalue)[0]})")
            return self._assigned(node.lvalue, self._converted(node.rvalue, target))
        old = self._rvalue(node.lvalue)
        new = self._binary(node.op[:-1], old, self._rvalue(node.rvalue))
        return self._assigned(node.lvalue, _convert(*new, target))

    # --- places ------------------------------------------------------------------------------

    def _find(self, name: str) -> tuple[str, CType, bool]:
        for scope in reversed(self._scopes):
            if name in scope.names:
                return scope.names[name]
        raise CorpusError(f"{name} is not declared")

    def _place(self, node: c_ast.Node) -> tuple[str, tuple[str, ...], CType, Member | None]:
        """('name', (text,)), ('item', (list, index)) or ('memory', (address,)), and the type."""
        if isinstance(node, c_ast.ID):
            text, type_, memory = self._find(node.name)
            return "memory" if memory else "name", (text,), type_, None
        if isinstance(node, c_ast.UnaryOp) and node.op == "*":
            text, type_ = self._rvalue(node.expr)
            return "memory", (text,), _element(type_), None
        if isinstance(node, c_ast.ArrayRef):
            index = self._rvalue(node.subscript)[0]
            kind, texts, type_, _ = self._container(node.name)
            inner = _element(type_)
            if kind == "own":
                return "item", (texts[0], index), inner, None
            return "memory", (f"({texts[0]} + ({index}) * {inner.size})",), inner, None
        if isinstance(node, c_ast.StructRef):
            return self._member(node)
        raise CorpusError(f"{node.coord}: no place")

    def _container(self, node: c_ast.Node) -> tuple[str, tuple[str, ...], CType, None]:
        """What is indexed: ('own', list) or ('far', address)."""
        if isinstance(node, c_ast.ID | c_ast.ArrayRef | c_ast.StructRef):
            kind, texts, type_, _ = self._place(node)
            if isinstance(type_, Array):
                if kind == "memory":
                    return "far", texts, type_, None
                text = texts[0] if kind == "name" else f"{texts[0]}[{texts[1]}]"
                return "own", (text,), type_, None
        text, type_ = self._rvalue(node)
        return "far", (text,), type_, None

    def _member(self, node: c_ast.StructRef) -> tuple[str, tuple[str, ...], CType, Member | None]:
        name = node.field.name
        if node.type == "->":
            text, type_ = self._rvalue(node.name)
            inner = _element(type_)
            assert isinstance(inner, Struct)
            member = inner.member(name)
            if member.width:
                raise CorpusError(f"{node.coord}: bit-field in memory")
            return "memory", (f"({text} + {member.offset})",), member.type, None
        kind, texts, type_, _ = self._place(node.name)
        assert isinstance(type_, Struct)
        member = type_.member(name)
        if kind == "memory":
            if member.width:
                raise CorpusError(f"{node.coord}: bit-field in memory")
            return "memory", (f"({texts[0]} + {member.offset})",), member.type, None
        text = texts[0] if kind == "name" else f"{texts[0]}[{texts[1]}]"
        return "item", (text, str(type_.members.index(member))), member.type, member

    def _lvalue_type(self, node: c_ast.Node) -> CType:
        return self._place(node)[2]

    def _address(self, node: c_ast.Node) -> Typed:
        kind, texts, type_, _ = self._place(node)
        if kind != "memory":
            raise CorpusError(f"{node.coord}: address of a variable")
        return texts[0], Pointer(type_)

    def _read(self, node: c_ast.Node) -> Typed:
        kind, texts, type_, _ = self._place(node)
        if kind == "name":
            return texts[0], type_
        if kind == "item":
            return f"GET({texts[0]}, {texts[1]})", type_
        if isinstance(type_, Array):
            return texts[0], type_
        line = node.coord.line
        return f"T.load({line}, {texts[0]}, {self._number_of(type_)})", type_

    def _assigned(self, node: c_ast.Node, value: str) -> Typed:
        kind, texts, type_, member = self._place(node)
        if kind == "name":
            return f"({texts[0]} := {value})", type_
        if kind == "item":
            if member is not None and member.width:
                assert isinstance(type_, Int)
                value = f"W({value}, {member.width}, {type_.signed})"
            return f"SET({texts[0]}, {texts[1]}, {value})", type_
        line = node.coord.line
        return f"T.store({line}, {texts[0]}, {self._number_of(type_)}, {value})", type_

    def _see_id(self, node: c_ast.ID) -> Typed:
        if node.name == "warpSize":
            return "32", INT
        return self._read(node)

    def _see_arrayref(self, node: c_ast.ArrayRef) -> Typed:
        return self._read(node)

    def _see_structref(self, node: c_ast.StructRef) -> Typed:
        special = {
            "threadIdx": "T.place", "blockIdx": "T.block", "blockDim": "T.launch.block",
            "gridDim": "T.launch.grid",
        }.get(getattr(node.name, "name", ""))  # fmt: skip
        if special:
            return f"{special}[{'xyz'.index(node.field.name)}]", UINT
        return self._read(node)

    # --- calls -------------------------------------------------------------------------------

    def _see_funccall(self, node: c_ast.FuncCall) -> Typed:
        name = node.name.name
        arguments = list(node.args.exprs) if node.args else []
        site = next(self._fresh)
        if name in self._functions:
            types = [t for _, t in self._signatures[name]]
            texts = [
                f"COPY({self._rvalue(a)[0]})" if isinstance(t, Struct) else self._converted(a, t)
                for a, t in zip(arguments, types, strict=True)
            ]
            text = f"(yield from F_{name}({', '.join(['T', str(site), *texts])}))"
            return text, self._functions[name]
        if name in builtins.PURE:
            result, types_, _ = builtins.PURE[name]
            parts = [self._converted(a, t) for a, t in zip(arguments, types_, strict=True)]
            return f"PURE[{name!r}][2]({', '.join(parts)})", result
        if name in builtins.LANE_MASKS:
            return f"MASKS[{name!r}](T.lane)", UINT
        if name in builtins.ATOMIC:
            pointer, type_ = self._rvalue(arguments[0])
            new = self._converted(arguments[1], _element(type_))
            where = f"{node.coord.line}, {pointer}, {self._number_of(_element(type_))}"
            return f"T.atomic({where}, lambda old, n={new}: ATOMIC[{name!r}](old, n))", _element(
                type_
            )
        if name in builtins.TOGETHER:
            return self._together(name, arguments, site)
        values = [self._rvalue(a) for a in arguments]
        if name in {"min", "max"}:
            type_ = common(values[0][1], values[1][1])
            return f"{name}({', '.join(_convert(*v, type_) for v in values)})", type_
        if name == "__ldg":
            type_ = _element(values[0][1])
            return f"T.load({node.coord.line}, {values[0][0]}, {self._number_of(type_)})", type_
        plain = {
            "__syncthreads": f"(yield ('barrier', {site}))", "__syncwarp": "None",
            "__threadfence": "None",
        }  # fmt: skip
        if name == "__builtin_assume":
            return f"HOLDS({values[0][0]})", INT
        if name in {"exit_thread", "trap_thread"}:
            return "(_ for _ in ()).throw(ExitThread)", INT
        if name in plain:
            return plain[name], INT
        raise CorpusError(f"{node.coord}: function {name}")

    def _together(self, name: str, arguments: list[c_ast.Node], site: int) -> Typed:
        what, type_ = builtins.TOGETHER[name]
        values = [self._rvalue(a) for a in arguments]
        if name == "__ballot_sync":
            values[1] = (f"bool({values[1][0]})", INT)
        texts = [text for text, _ in values]
        if what == "shfl":
            type_ = values[1][1]
            mode = name.removeprefix("__shfl_").removesuffix("sync").rstrip("_") or "idx"
            texts[2:2] = [repr(mode)]
            if len(texts) == 4:
                texts.append("32")
        assert type_ is not None
        return f"(yield ({', '.join([repr(what), str(site), *texts])}))", type_


def _kernel(function: Callable[..., Body]) -> Callable[..., Body]:
    def run(thread: Thread, *arguments: Any) -> Body:
        try:
            yield from function(thread, 0, *map(copy.deepcopy, arguments))
        except ExitThread:
            return

    return run


def _number(node: c_ast.Node) -> int:
    if isinstance(node, c_ast.UnaryOp) and node.op == "-":
        return -_number(node.expr)
    if isinstance(node, c_ast.BinaryOp):
        a, b = _number(node.left), _number(node.right)
        return {"+": a + b, "*": a * b, "-": a - b, "/": a // b if b else 0}[node.op]
    if isinstance(node, c_ast.Constant):
        if node.type == "char":
            return ord(node.value[1])
        return int(node.value.rstrip("uUlL"), 0)
    raise CorpusError(f"{node.coord}: not a number")


def _listed(node: c_ast.Node | None) -> list[int]:
    if node is None:
        return []
    if isinstance(node, c_ast.InitList):
        return [n for e in node.exprs for n in _listed(e)]
    return [_number(node)]


def _element(type_: CType) -> CType:
    if isinstance(type_, Pointer):
        return type_.to
    assert isinstance(type_, Array)
    return type_.of


def _bits(type_: CType) -> int:
    assert isinstance(type_, Int)
    return type_.bits


def _wrap(text: str, type_: CType) -> str:
    return f"W({text}, {type_.bits}, {type_.signed})" if isinstance(type_, Int) else text


def _convert(text: str, from_: CType, to: CType) -> str:
    if from_ == to or isinstance(to, Struct | Void):
        return text
    if isinstance(to, Float):
        return f"float({text})"
    if to == BOOL:
        return f"int(bool({text}))"
    if isinstance(to, Int):
        return _wrap(f"int({text})" if isinstance(from_, Float) else text, to)
    return text


def _in_range(value: int, bits: int) -> int:
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise CorpusError(f"signed overflow: {value}")
    return value


def _shift(op: str, value: int, count: int, bits: int) -> int:
    if not 0 <= count < bits:
        raise CorpusError(f"shift by {count}")
    return value << count if op == "<<" else value >> count


def _set(container: list[Any], index: int, value: Any) -> Any:
    if not 0 <= index < len(container):
        raise CorpusError(f"index {index} past the end")
    container[index] = value
    return value


def _get(container: list[Any], index: int) -> Any:
    if not 0 <= index < len(container) or container[index] is None:
        raise CorpusError(f"index {index}: past the end, or nothing there")
    return container[index]


def _holds(truth: int) -> None:
    if not truth:
        raise CorpusError("an assumption does not hold")
