"""Operands from text: names of values, constants, constant expressions folded to addresses.

Means: a constant expression over the address of a global becomes ``GlobalAddress(name, offset)``
when all its indices are known; through ``addrspacecast`` the global's own space is what counts.
Assumptions: text as LLVM prints it; types come before values.
Limits: any other constant expression is ``OtherConst``: the same for all threads, value unknown.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from drano.ir.llvm_text import (
    MAX_DEPTH,
    TextError,
    Tokens,
    TypeTable,
    bare_name,
    unescape_bytes,
)
from drano.ir.model import (
    ArrayType,
    FloatConst,
    FloatType,
    FunctionAddress,
    GlobalAddress,
    IntConst,
    IntType,
    Local,
    NullConst,
    Operand,
    OtherConst,
    PointerType,
    StructType,
    Type,
    UndefConst,
    VectorConst,
    VectorType,
)
from drano.ir.type_layout import alloc_size

NULL = NullConst()
UNDEF = UndefConst()
GEP_FLAGS = frozenset({"inbounds", "nusw", "nuw"})
_WRAP_FLAGS = frozenset({"nsw", "nuw"})
_CASTS = frozenset(
    {"addrspacecast", "bitcast", "inttoptr", "ptrtoint", "ptrtoaddr", "trunc"},
)
_BINARY = frozenset({"add", "sub", "xor"})
_OTHER_EXPRESSIONS = frozenset({"extractelement", "insertelement", "shufflevector"})
_PREFIXES = frozenset({"dso_local_equivalent", "no_cfi", "blockaddress", "ptrauth"})
_LITERALS: Mapping[str, Operand] = {
    "true": IntConst(-1, 1),
    "false": IntConst(0, 1),
    "null": NULL,
    "none": NULL,
    "zeroinitializer": NULL,
    "undef": UNDEF,
    "poison": UNDEF,
}
VALUE_WORDS = (
    frozenset(_LITERALS)
    | _CASTS
    | _BINARY
    | _OTHER_EXPRESSIONS
    | _PREFIXES
    | {"getelementptr", "splat", "asm"}
)
MAX_SPLAT = 1 << 12


def wrap(value: int, bits: int) -> int:
    """``value`` modulo 2**bits, read as signed: ``wrap(255, 8) == -1``."""
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half


def _zero(type_: Type) -> Operand:
    if isinstance(type_, IntType):
        return IntConst(0, type_.bits)
    return FloatConst(type_.bits) if isinstance(type_, FloatType) else NULL


class OperandTokens(Tokens):
    """A cursor that also takes values. ``locals`` maps ``%name`` to the value of the function."""

    __slots__ = ("functions", "locals")

    def __init__(
        self,
        types: TypeTable,
        functions: Container[str],
        items: list[str],
        local_values: Mapping[str, Local],
    ) -> None:
        super().__init__(types, items)
        self.functions = functions
        self.locals = local_values

    def value(self, type_: Type) -> Operand:
        """Take a value of ``type_``."""
        token = self.take()
        local = self.locals.get(token)
        if local is not None:
            return local
        first = token[0]
        if first.isdigit() or first == "-":
            return self._number(token, type_)
        literal = _LITERALS.get(token)
        if literal is NULL and isinstance(type_, VectorType) and type_.count <= MAX_SPLAT:
            return VectorConst((_zero(type_.element),) * type_.count)
        if literal is not None:
            return literal
        if first == "@":
            name = bare_name(token)
            if name in self.functions:
                return FunctionAddress(name)
            return GlobalAddress(name)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TextError("constants are nested too deeply")
        result = self._nested(token, type_)
        self.depth -= 1
        return result

    def _number(self, token: str, type_: Type) -> Operand:
        if isinstance(type_, IntType):
            try:
                return IntConst(int(token), type_.bits)
            except ValueError:  # thousands of digits
                return OtherConst(token[:40])
        if isinstance(type_, FloatType):
            return FloatConst(type_.bits)
        return OtherConst(token[:40])

    def _nested(self, token: str, type_: Type) -> Operand:
        if token in ("<", "[", "{"):
            return self._aggregate(token)
        if token == "splat":
            self.expect("(")
            element = self.value(self.type())
            self.expect(")")
            if isinstance(type_, VectorType) and type_.count <= MAX_SPLAT:
                return VectorConst((element,) * type_.count)
            return OtherConst("splat")
        if token.startswith('c"'):
            data = unescape_bytes(token[2:-1])
            return VectorConst(tuple(IntConst(wrap(b, 8), 8) for b in data))
        if token == "getelementptr":
            return self._constant_gep()
        if token in _CASTS:
            return self._constant_cast(token)
        if token in _BINARY:
            return self._constant_binary(token)
        if token in _OTHER_EXPRESSIONS:
            self.skip_group()
            return OtherConst(token)
        if token in _PREFIXES:
            if self.peek() == "(":
                self.skip_group()
            else:
                self.take()
            return OtherConst(token)
        if isinstance(type_, FloatType):  # nan, inf and the like
            return FloatConst(type_.bits)
        raise TextError(f"unknown value {token[:40]!r}")

    def _aggregate(self, opening: str) -> Operand:
        closing = {"<": ">", "[": "]", "{": "}"}[opening]
        packed = opening == "<" and self.accept("{")
        elements = []
        while self.peek() != ("}" if packed else closing):
            elements.append(self.value(self.type()))
        self.take()
        if packed:
            self.expect(">")
        return VectorConst(tuple(elements))

    def _constant_gep(self) -> Operand:
        while self.peek() != "(" or self.items[self.at - 1] == "inrange":
            if self.peek() == "(":
                self.skip_group()
            else:
                self.take()
        self.expect("(")
        source = self.type()
        base = self.value(self.type())
        indices = []
        while not self.accept(")"):
            indices.append(self.value(self.type()))
        offset = _constant_offset(source, indices)
        if isinstance(base, GlobalAddress) and offset is not None:
            return GlobalAddress(base.name, wrap(base.offset + offset, 64))
        return OtherConst("getelementptr")

    def _constant_cast(self, op: str) -> Operand:
        self.flags(_WRAP_FLAGS)
        self.expect("(")
        source = self.type()
        value = self.value(source)
        self.expect("to")
        target = self.type()
        self.expect(")")
        same_bits = op in ("addrspacecast", "bitcast") or (
            op != "trunc" and IntType(64) in (source, target)
        )
        if same_bits and isinstance(value, GlobalAddress | FunctionAddress | UndefConst):
            return value
        if op == "addrspacecast" and isinstance(target, PointerType) and value == NULL:
            return OtherConst("addrspacecast null")  # null of one space need not be another's
        return OtherConst(op)

    def _constant_binary(self, op: str) -> Operand:
        self.flags(_WRAP_FLAGS)
        self.expect("(")
        left = self.value(self.type())
        right = self.value(self.type())
        self.expect(")")
        match op, left, right:
            case "add", GlobalAddress(name, offset), IntConst(value, 64):
                return GlobalAddress(name, wrap(offset + value, 64))
            case "add", IntConst(value, 64), GlobalAddress(name, offset):
                return GlobalAddress(name, wrap(offset + value, 64))
            case "sub", GlobalAddress(name, offset), IntConst(value, 64):
                return GlobalAddress(name, wrap(offset - value, 64))
        return OtherConst(op)


def step_into(current: Type, index: Operand) -> tuple[Type, int | None, int]:
    """One GEP index below the first: the type reached, the stride of the index or None where the
    offset is fixed, and that offset.
    """
    if isinstance(current, StructType):
        if isinstance(index, VectorConst) and index.elements:
            index = index.elements[0]
        field = index.value if isinstance(index, IntConst) else -1
        if not 0 <= field < len(current.elements):
            raise TextError("getelementptr into no field")
        return current.elements[field], None, current.offsets[field]
    if isinstance(current, ArrayType | VectorType):
        return current.element, alloc_size(current.element), 0
    raise TextError("getelementptr into a scalar")


def _constant_offset(source: Type, indices: list[Operand]) -> int | None:
    if not indices or not isinstance(indices[0], IntConst):
        return None
    total = indices[0].value * alloc_size(source)
    current = source
    for index in indices[1:]:
        current, stride, fixed = step_into(current, index)
        if stride is None:
            total += fixed
        elif isinstance(index, IntConst):
            total += index.value * stride
        else:
            return None
    return total
