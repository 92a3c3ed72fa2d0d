"""Integer arithmetic. Sources: PTX ISA, "Integer Arithmetic Instructions".

Division by zero, of which PTX says nothing, is LLVM's. The carry is a register of its own.
"""

from __future__ import annotations

from typing import Final

from drano.ptx.instructions.floats import arithmetic
from drano.ptx.instructions.registry import handles, last_type, only, operands, whole_type
from drano.ptx.model import Instruction, Name, Operand
from drano.ptx.operands import reads_carry
from drano.ptx.pointers import NUMBER
from drano.ptx.types import is_float, is_signed, llvm_type, type_bits
from drano.ptx.writer import UnknownError, Writer, pointer_type

_FLOATING: Final = frozenset({"f16x2", "bf16x2", "f32x2"})


@handles("add", "sub")
def _sum(w: Writer, i: Instruction) -> None:
    type_ = last_type(i)
    if is_float(type_) or type_ in _FLOATING:
        arithmetic(w, i, "fadd" if i.opcode == "add" else "fsub")
        return
    to, a, b = operands(i, 3)
    rest = only(i, "sat", "cc")
    kind = llvm_type(type_)
    if "cc" in rest:
        w.set(to, _carrying(w, i, kind, w.value(a, kind), w.value(b, kind)), kind)
        return
    if rest:
        name = f"llvm.s{i.opcode}.sat.{kind}"
        w.set(to, w.call(name, kind, f"{kind} {w.value(a, kind)}", f"{kind} {w.value(b, kind)}"),
              kind)  # fmt: skip
        return
    if isinstance(to, Name) and type_bits(type_) >= 32 and _address(w, i, to):
        return
    w.set(to, w.let(f"{i.opcode} {kind} {w.value(a, kind)}, {w.value(b, kind)}"), kind)


@handles("addc", "subc")
def _sum_with_carry(w: Writer, i: Instruction) -> None:
    to, a, b = operands(i, 3)
    only(i, "cc")
    kind = whole_type(last_type(i))
    w.set(to, _carrying(w, i, kind, w.value(a, kind), w.value(b, kind)), kind)


def _carrying(w: Writer, i: Instruction, kind: str, left: str, right: str) -> str:
    """A sum or difference that takes the carry (or borrow), sets it, or both."""
    name = f"llvm.u{'sub' if i.opcode.startswith('sub') else 'add'}.with.overflow.{kind}"
    pair = f"{{ {kind}, i1 }}"
    carry = w.carry() if reads_carry(i) else ""
    made = w.call(name, pair, f"{kind} {left}", f"{kind} {right}")
    value, out = (w.let(f"extractvalue {pair} {made}, {k}") for k in range(2))
    if carry:
        made = w.call(name, pair, f"{kind} {value}", f"{kind} {w.cast(carry, 'i1', kind)}")
        value, more = (w.let(f"extractvalue {pair} {made}, {k}") for k in range(2))
        out = w.let(f"or i1 {out}, {more}")
    if "cc" in i.modifiers:
        w.set_carry(out)
    return value


def _address(w: Writer, i: Instruction, to: Name) -> bool:
    """A sum whose result is an address: an offset to the part that is one."""
    if not w.is_register(to.text) or w.pointers.of(to.text) == NUMBER:
        return False
    a, b = i.operands[1:3]
    bits = type_bits(last_type(i))
    if i.opcode == "add" and not _is_base(w, a, b):
        a, b = b, a
    pointer = pointer_type(w.pointers.of(to.text))
    base = w.value(a, pointer)
    offset = w.value(b, f"i{bits}", signed=True)
    if i.opcode == "sub":
        offset = w.let(f"sub i{bits} 0, {offset}")
    offset = w.cast(offset, f"i{bits}", "i64", signed=True)
    w.set(to, w.let(f"getelementptr i8, {pointer} {base}, i64 {offset}"), pointer)
    return True


def _is_base(w: Writer, a: Operand, b: Operand) -> bool:
    """Whether of a sum the first part is the address."""
    known = [w.pointers.held(o) for o in (a, b)]
    if known[0] is None or known[0].space == NUMBER:
        return False
    other = known[1]
    return other is None or other.space == NUMBER or known[0].sure or not other.sure


@handles("mul")
def _product(w: Writer, i: Instruction) -> None:
    type_ = last_type(i)
    if is_float(type_) or type_ in _FLOATING:
        arithmetic(w, i, "fmul")
        return
    to, a, b = operands(i, 3)
    found, kind = product(w, i, a, b)
    w.set(to, found, kind)


def product(w: Writer, i: Instruction, a: Operand, b: Operand) -> tuple[str, str]:
    """The product of two integers, as ``.lo``, ``.hi`` or ``.wide`` says, and its type."""
    type_ = last_type(i)
    rest = only(i, "lo", "hi", "wide", "cc") - {"cc"}
    bits, signed = type_bits(type_), is_signed(type_)
    kind = f"i{bits}"
    left, right = w.value(a, kind), w.value(b, kind)
    match sorted(rest):
        case ["lo"] | []:
            return w.let(f"mul {kind} {left}, {right}"), kind
        case ["wide"]:
            wide = f"i{2 * bits}"
            left = _wider(w, left, kind, wide, signed=signed)
            right = _wider(w, right, kind, wide, signed=signed)
            return w.let(f"mul {'nsw' if signed else 'nuw'} {wide} {left}, {right}"), wide
        case ["hi"] if bits >= 32:
            name = {32: "i" if signed else "ui", 64: "ll" if signed else "ull"}[bits]
            given = f"{kind} {left}", f"{kind} {right}"
            return w.call(f"llvm.nvvm.mulhi.{name}", kind, *given), kind
        case ["hi"]:
            wide = f"i{2 * bits}"
            left = _wider(w, left, kind, wide, signed=signed)
            right = _wider(w, right, kind, wide, signed=signed)
            whole = w.let(f"mul {wide} {left}, {right}")
            return w.cast(w.let(f"lshr {wide} {whole}, {bits}"), wide, kind), kind
        case _:
            raise UnknownError


def _wider(w: Writer, value: str, kind: str, wide: str, *, signed: bool) -> str:
    """Extended; a constant at once."""
    if value.lstrip("-").isdigit():
        number = int(value)
        return str(number if signed or number >= 0 else number + (1 << int(kind[1:])))
    return w.cast(value, kind, wide, signed=signed)


@handles("mad", "madc")
def _multiply_add(w: Writer, i: Instruction) -> None:
    type_ = last_type(i)
    if is_float(type_) or type_ in _FLOATING:
        arithmetic(w, i, "fma")
        return
    to, a, b, c = operands(i, 4)
    if "sat" in i.modifiers:
        raise UnknownError
    found, kind = product(w, i, a, b)
    if "cc" in i.modifiers or i.opcode == "madc":
        w.set(to, _carrying(w, i, kind, found, w.value(c, kind)), kind)
        return
    _added(w, to, found, kind, c)


def _added(w: Writer, to: Operand, found: str, kind: str, c: Operand) -> None:
    """A product and a number or an address."""
    if isinstance(to, Name) and w.is_register(to.text) and w.pointers.of(to.text) != NUMBER:
        pointer = pointer_type(w.pointers.of(to.text))
        offset = w.cast(found, kind, "i64", signed=True)
        base = w.value(c, pointer)
        w.set(to, w.let(f"getelementptr i8, {pointer} {base}, i64 {offset}"), pointer)
        return
    w.set(to, w.let(f"add {kind} {found}, {w.value(c, kind)}"), kind)


@handles("mul24", "mad24")
def _product24(w: Writer, i: Instruction) -> None:
    to, a, b, *rest = operands(i, 3 if i.opcode == "mul24" else 4)
    type_ = last_type(i)
    how = only(i, "lo", "hi")
    signed = is_signed(type_)
    shift = "ashr" if signed else "lshr"
    parts = []
    for o in (a, b):
        high = w.let(f"shl i32 {w.value(o, 'i32')}, 8")
        low = w.let(f"{shift} i32 {high}, 8")
        parts.append(w.cast(low, "i32", "i64", signed=signed) if how == {"hi"} else low)
    if how == {"hi"}:
        whole = w.let(f"mul i64 {parts[0]}, {parts[1]}")
        found = w.cast(w.let(f"lshr i64 {whole}, 16"), "i64", "i32")
    else:
        found = w.let(f"mul i32 {parts[0]}, {parts[1]}")
    if rest:
        found = w.let(f"add i32 {found}, {w.value(rest[0], 'i32')}")
    w.set(to, found, "i32")


@handles("div", "rem")
def _quotient(w: Writer, i: Instruction) -> None:
    type_ = last_type(i)
    if is_float(type_):
        arithmetic(w, i, "fdiv")
        return
    to, a, b = operands(i, 3)
    only(i)
    kind = whole_type(type_)
    sign = "s" if is_signed(type_) else "u"
    left, right = w.value(a, kind), w.value(b, kind)
    w.set(to, w.let(f"{sign}{i.opcode} {kind} {left}, {right}"), kind)


@handles("min", "max")
def _extremum(w: Writer, i: Instruction) -> None:
    type_ = last_type(i)
    if is_float(type_) or type_ in _FLOATING:
        arithmetic(w, i, i.opcode)
        return
    to, a, b = operands(i, 3)
    rest = only(i, "relu")
    kind = llvm_type(type_)
    name = f"llvm.{'s' if is_signed(type_) else 'u'}{i.opcode}"
    overload = f"v2{kind[5:-1]}" if kind[0] == "<" else kind
    given = f"{kind} {w.value(a, kind)}", f"{kind} {w.value(b, kind)}"
    found = w.call(f"{name}.{overload}", kind, *given)
    if rest:
        zero = "zeroinitializer" if kind[0] == "<" else "0"
        found = w.call(f"llvm.smax.{overload}", kind, f"{kind} {found}", f"{kind} {zero}")
    w.set(to, found, kind)


@handles("abs", "neg")
def _sign(w: Writer, i: Instruction) -> None:
    type_ = last_type(i)
    if is_float(type_) or type_ in _FLOATING:
        arithmetic(w, i, i.opcode)
        return
    to, a = operands(i, 2)
    only(i)
    kind = whole_type(type_)
    value = w.value(a, kind)
    if i.opcode == "neg":
        w.set(to, w.let(f"sub {kind} 0, {value}"), kind)
    else:
        w.set(to, w.call(f"llvm.abs.{kind}", kind, f"{kind} {value}", "i1 false"), kind)


@handles("sad")
def _difference(w: Writer, i: Instruction) -> None:
    """``c + |a - b|``."""
    to, a, b, c = operands(i, 4)
    type_ = last_type(i)
    only(i)
    kind = whole_type(type_)
    left, right = w.value(a, kind), w.value(b, kind)
    less = w.let(f"icmp {'slt' if is_signed(type_) else 'ult'} {kind} {left}, {right}")
    one, other = w.let(f"sub {kind} {right}, {left}"), w.let(f"sub {kind} {left}, {right}")
    found = w.let(f"select i1 {less}, {kind} {one}, {kind} {other}")
    w.set(to, w.let(f"add {kind} {found}, {w.value(c, kind)}"), kind)


@handles("dp4a", "dp2a")
def _dot(w: Writer, i: Instruction) -> None:
    """``c`` and the sum of products of bytes, or of halves with bytes."""
    to, a, b, c = operands(i, 4)
    types = [m for m in i.modifiers if m in ("u32", "s32")]
    if len(types) != 2:
        raise UnknownError
    halves = i.opcode == "dp2a"
    if halves and not {"lo", "hi"} & set(i.modifiers):
        raise UnknownError
    total = w.value(c, "i32")
    left, right = w.value(a, "i32"), w.value(b, "i32")
    for k in range(2 if halves else 4):
        place = k + 2 if halves and "hi" in i.modifiers else k
        x = _piece(w, left, k, 16 if halves else 8, signed=types[0] == "s32")
        y = _piece(w, right, place, 8, signed=types[1] == "s32")
        total = w.let(f"add i32 {total}, {w.let(f'mul i32 {x}, {y}')}")
    w.set(to, total, "i32")


@handles("vabsdiff4")
def _byte_differences(w: Writer, i: Instruction) -> None:
    """The absolute differences of four bytes, and a third operand, added up."""
    to, a, b, c = operands(i, 4)
    if i.modifiers != ("u32", "u32", "u32", "add"):
        raise UnknownError
    left, right, total = (w.value(o, "i32") for o in (a, b, c))
    for k in range(4):
        given = [f"i32 {_piece(w, word, k, 8, signed=False)}" for word in (left, right)]
        most, least = (w.call(f"llvm.u{how}.i32", "i32", *given) for how in ("max", "min"))
        total = w.let(f"add i32 {total}, {w.let(f'sub i32 {most}, {least}')}")
    w.set(to, total, "i32")


def _piece(w: Writer, value: str, number: int, bits: int, *, signed: bool) -> str:
    shifted = w.let(f"lshr i32 {value}, {number * bits}") if number else value
    return w.cast(w.cast(shifted, "i32", f"i{bits}"), f"i{bits}", "i32", signed=signed)
