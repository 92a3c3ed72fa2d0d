"""Expressions of C as Python's: values, places, calls."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TypeAlias

from pycparser import c_ast

from tests.simulated import builtins
from tests.simulated.conversions import CorpusError, bits, convert, element, number, wrap
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
)

_BASIC: dict[tuple[str, ...], CType] = {
    ("char",): Int(8, True), ("signed", "char"): Int(8, True), ("unsigned", "char"): Int(8, False),
    ("short",): Int(16, True), ("unsigned", "short"): Int(16, False), ("int",): INT,
    ("unsigned",): UINT, ("unsigned", "int"): UINT, ("long",): LONG, ("unsigned", "long"): ULONG,
    ("long", "long"): LONG, ("unsigned", "long", "long"): ULONG, ("float",): Float(4),
    ("double",): Float(8), ("void",): Void(), ("_Bool",): BOOL,
}  # fmt: skip
Typed: TypeAlias = tuple[str, CType]


@dataclass
class Scope:
    names: dict[str, tuple[str, CType, bool]] = field(default_factory=dict)  # text, type, memory


class Expressions:
    """Texts of expressions, with their types: names are looked up in the scopes around them."""

    def __init__(self) -> None:
        self.types: dict[str, CType] = {}
        self.scopes = [Scope()]
        self.functions: dict[str, CType] = {}
        self.signatures: dict[str, tuple[tuple[str, CType], ...]] = {}
        self.table: dict[CType, int] = {}
        self.fresh = itertools.count()

    def type_of(self, node: c_ast.Node, name: str = "") -> CType:
        if isinstance(node, c_ast.TypeDecl | c_ast.Typename):
            return self.type_of(node.type, name)
        if isinstance(node, c_ast.PtrDecl):
            return Pointer(self.type_of(node.type))
        if isinstance(node, c_ast.ArrayDecl):
            count = 0 if node.dim is None else number(node.dim)
            return Array(self.type_of(node.type), count)
        if isinstance(node, c_ast.IdentifierType):
            names = tuple(node.names)
            if len(names) == 1 and names[0] in self.types:
                return self.types[names[0]]
            return _BASIC[names]
        if isinstance(node, c_ast.Struct):
            fields = [
                (d.name, self.type_of(d.type), number(d.bitsize) if d.bitsize else 0)
                for d in node.decls
            ]
            return struct(name, fields)
        raise CorpusError(f"{node.coord}: type {type(node).__name__}")

    def _number_of(self, type_: CType) -> str:
        return f"TYPES[{self.table.setdefault(type_, len(self.table))}]"

    def converted(self, node: c_ast.Node, type_: CType) -> str:
        return convert(*self.rvalue(node), type_)

    def rvalue(self, node: c_ast.Node) -> Typed:
        found: Typed = getattr(self, f"_see_{type(node).__name__.lower()}")(node)
        return found

    def _see_constant(self, node: c_ast.Constant) -> Typed:
        if node.type in {"float", "double"}:
            single = node.value[-1] in "fF"
            return node.value.rstrip("fF"), Float(4 if single else 8)
        value = number(node)
        unsigned, long_ = "u" in node.value.lower(), "l" in node.value.lower()
        if long_ or value >= 1 << (32 if unsigned else 31):
            if not long_ and value < 1 << 32 and node.value.lower().startswith("0x"):
                return str(value), UINT
            return str(value), Int(64, not unsigned)
        return str(value), UINT if unsigned else INT

    def _see_exprlist(self, node: c_ast.ExprList) -> Typed:
        parts = [self.rvalue(e) for e in node.exprs]
        return f"({', '.join(t for t, _ in parts)})[-1]", parts[-1][1]

    def _see_cast(self, node: c_ast.Cast) -> Typed:
        type_ = self.type_of(node.to_type)
        return self.converted(node.expr, type_), type_

    def _see_ternaryop(self, node: c_ast.TernaryOp) -> Typed:
        yes, no = self.rvalue(node.iftrue), self.rvalue(node.iffalse)
        type_ = yes[1] if isinstance(yes[1], Pointer) else common(yes[1], no[1])
        test = self.rvalue(node.cond)[0]
        return f"({convert(*yes, type_)} if {test} else {convert(*no, type_)})", type_

    def _see_binaryop(self, node: c_ast.BinaryOp) -> Typed:
        return self._binary(node.op, self.rvalue(node.left), self.rvalue(node.right))

    def _binary(self, op: str, a: Typed, b: Typed) -> Typed:
        if op in {"&&", "||"}:
            return f"(1 if ({a[0]}) {'and' if op == '&&' else 'or'} ({b[0]}) else 0)", INT
        pointers = [isinstance(t, Pointer | Array) for _, t in (a, b)]
        if op in {"==", "!=", "<", ">", "<=", ">="}:
            if not any(pointers):
                type_ = common(a[1], b[1])
                a, b = (convert(*a, type_), type_), (convert(*b, type_), type_)
            return f"(1 if {a[0]} {op} {b[0]} else 0)", INT
        if pointers[0] and pointers[1]:
            return f"(({a[0]} - {b[0]}) // {element(a[1]).size})", LONG
        if any(pointers):
            if pointers[1]:
                a, b = b, a
            return f"({a[0]} {op} ({b[0]}) * {element(a[1]).size})", Pointer(element(a[1]))
        if op in {"<<", ">>"}:
            left = promoted(a[1])
            text = f"SHIFT({op!r}, {convert(*a, left)}, {b[0]}, {bits(left)})"
            return wrap(text, left), left
        type_ = common(a[1], b[1])
        x, y = convert(*a, type_), convert(*b, type_)
        if isinstance(type_, Float):
            return f"({x} {op} {y})", type_
        assert isinstance(type_, Int)
        if op in {"/", "%"}:
            return f"{'DIV' if op == '/' else 'MOD'}({x}, {y})", type_
        if op in {"+", "-", "*"} and type_.signed:
            return f"OK({x} {op} {y}, {type_.bits})", type_
        return wrap(f"{x} {op} {y}", type_), type_

    def _see_unaryop(self, node: c_ast.UnaryOp) -> Typed:
        op = node.op
        if op == "sizeof":
            kind = node.expr
            type_ = self.type_of(kind) if isinstance(kind, c_ast.Typename) else self.rvalue(kind)[1]
            return str(type_.size), ULONG
        if op == "&":
            return self._address(node.expr)
        if op == "*":
            return self._read(node)
        if op in {"++", "--", "p++", "p--"}:
            return self._step(node)
        value = self.rvalue(node.expr)
        if op == "!":
            return f"(0 if {value[0]} else 1)", INT
        type_ = promoted(value[1])
        text = f"({op}{convert(*value, type_)})"
        return wrap(text, type_), type_

    def _step(self, node: c_ast.UnaryOp) -> Typed:
        old = self.rvalue(node.expr)
        new = self._binary(node.op[-1], old, ("1", INT))
        text, type_ = self._assigned(node.expr, convert(*new, old[1]))
        if node.op.startswith("p"):
            return f"({old[0]}, {text})[0]", type_
        return text, type_

    def _see_assignment(self, node: c_ast.Assignment) -> Typed:
        target = self._lvalue_type(node.lvalue)
        if node.op == "=":
            if isinstance(target, Struct):
                return self._assigned(node.lvalue, f"COPY({self.rvalue(node.rvalue)[0]})")
            return self._assigned(node.lvalue, self.converted(node.rvalue, target))
        old = self.rvalue(node.lvalue)
        new = self._binary(node.op[:-1], old, self.rvalue(node.rvalue))
        return self._assigned(node.lvalue, convert(*new, target))

    def _find(self, name: str) -> tuple[str, CType, bool]:
        for scope in reversed(self.scopes):
            if name in scope.names:
                return scope.names[name]
        raise CorpusError(f"{name} is not declared")

    def _place(self, node: c_ast.Node) -> tuple[str, tuple[str, ...], CType, Member | None]:
        """('name', (text,)), ('item', (list, index)) or ('memory', (address,)), and the type."""
        if isinstance(node, c_ast.ID):
            text, type_, memory = self._find(node.name)
            return "memory" if memory else "name", (text,), type_, None
        if isinstance(node, c_ast.UnaryOp) and node.op == "*":
            text, type_ = self.rvalue(node.expr)
            return "memory", (text,), element(type_), None
        if isinstance(node, c_ast.ArrayRef):
            index = self.rvalue(node.subscript)[0]
            kind, texts, type_, _ = self._container(node.name)
            inner = element(type_)
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
        text, type_ = self.rvalue(node)
        return "far", (text,), type_, None

    def _member(self, node: c_ast.StructRef) -> tuple[str, tuple[str, ...], CType, Member | None]:
        name = node.field.name
        if node.type == "->":
            text, type_ = self.rvalue(node.name)
            inner = element(type_)
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

    def _see_funccall(self, node: c_ast.FuncCall) -> Typed:
        name = node.name.name
        arguments = list(node.args.exprs) if node.args else []
        site = next(self.fresh)
        if name in self.functions:
            types = [t for _, t in self.signatures[name]]
            texts = [
                f"COPY({self.rvalue(a)[0]})" if isinstance(t, Struct) else self.converted(a, t)
                for a, t in zip(arguments, types, strict=True)
            ]
            text = f"(yield from F_{name}({', '.join(['T', str(site), *texts])}))"
            return text, self.functions[name]
        if name in builtins.PURE:
            result, types_, _ = builtins.PURE[name]
            parts = [self.converted(a, t) for a, t in zip(arguments, types_, strict=True)]
            return f"PURE[{name!r}][2]({', '.join(parts)})", result
        if name in builtins.LANE_MASKS:
            return f"MASKS[{name!r}](T.lane)", UINT
        if name in builtins.ATOMIC:
            pointer, type_ = self.rvalue(arguments[0])
            new = self.converted(arguments[1], element(type_))
            where = f"{node.coord.line}, {pointer}, {self._number_of(element(type_))}"
            return f"T.atomic({where}, lambda old, n={new}: ATOMIC[{name!r}](old, n))", element(
                type_
            )
        if name in builtins.TOGETHER:
            return self._together(name, arguments, site)
        values = [self.rvalue(a) for a in arguments]
        if name in {"min", "max"}:
            type_ = common(values[0][1], values[1][1])
            return f"{name}({', '.join(convert(*v, type_) for v in values)})", type_
        if name == "__ldg":
            type_ = element(values[0][1])
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
        values = [self.rvalue(a) for a in arguments]
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
