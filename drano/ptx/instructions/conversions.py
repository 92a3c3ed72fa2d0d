"""``cvt`` and ``cvta``. Source: PTX ISA, "Data Movement and Conversion Instructions: cvt".

Conversions from floating-point numbers clamp, as the hardware's do. 8-bit floating-point formats
stay inline PTX.
"""

from __future__ import annotations

from typing import Final

from drano.ptx.instructions.registry import handles, operands
from drano.ptx.model import Instruction, Name, Operand
from drano.ptx.pointers import NUMBER, SPACES
from drano.ptx.types import is_float, is_signed, is_type, llvm_bits, llvm_type, type_bits
from drano.ptx.writer import UnknownError, Writer, pointer_type

_INTEGER: Final = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_NAMES: Final = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}


_ROUNDED: Final = frozenset({"rz", "rm", "rp"})
_DIRECTED: Final = {"s32": "i", "u32": "ui", "s64": "ll", "u64": "ull"}


@handles("cvt")
def _convert(w: Writer, i: Instruction) -> None:
    if len(i.modifiers) < 2:
        raise UnknownError
    target, source = i.modifiers[-2:]
    if target in ("f16x2", "bf16x2"):
        _pack(w, i)
        return
    to, a = operands(i, 2)
    if target == "tf32":
        _round_to_tf32(w, i)
        return
    plain = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64"}
    rest = set(i.modifiers[:-2])
    if {target, source} - plain or rest - {*_INTEGER, "rn", "rz", "rm", "rp", "rna", "ftz", "sat"}:
        raise UnknownError
    rounded = next((_INTEGER[m] for m in rest if m in _INTEGER), "")
    if rest & _ROUNDED:
        _directed(w, i)
    elif is_float(target) and is_float(source):
        _floating(w, to, a, (source, target), rounded, saturated="sat" in rest)
    elif is_float(target):
        kind = llvm_type(target)
        value = _source(w, a, source)
        how = "sitofp" if is_signed(source) else "uitofp"
        w.set(to, w.let(f"{how} i{type_bits(source)} {value} to {kind}"), kind)
    elif is_float(source):
        kind, wanted = llvm_type(source), llvm_type(target)
        value = w.value(a, kind)
        if rounded and rounded != "trunc":
            value = w.call(f"llvm.{rounded}.{_NAMES[kind]}", kind, f"{kind} {value}")
        name = f"llvm.fpto{'si' if is_signed(target) else 'ui'}.sat.{wanted}.{_NAMES[kind]}"
        found = w.call(name, wanted, f"{kind} {value}")
        w.set(to, found, wanted, signed=is_signed(target))
    else:
        _integer(w, to, a, (source, target), saturated="sat" in rest)


def _directed(w: Writer, i: Instruction) -> None:
    """A conversion that does not round to the nearest."""
    to, a = operands(i, 2)
    target, source = i.modifiers[-2:]
    kind, wanted = llvm_type(source), llvm_type(target)
    mode, *rest = [m for m in i.modifiers[:-2] if m != "ftz"]
    short = "d" if source == "f64" else _DIRECTED.get(source, "")
    if rest or not short or wanted not in ("float", "double") or kind == wanted:
        raise UnknownError
    value = w.value(a, kind, signed=is_signed(source))
    name = f"llvm.nvvm.{short}2{wanted[0]}.{mode}"
    w.set(to, w.call(name, wanted, f"{kind} {value}"), wanted)


def _pack(w: Writer, i: Instruction) -> None:
    """Two numbers as a pair, the first one in its upper half."""
    to, high, low = operands(i, 3)
    if i.modifiers[-1] != "f32" or set(i.modifiers[:-2]) - {"rn", "relu"}:
        raise UnknownError
    pair, total = llvm_type(i.modifiers[-2]), "poison"
    element = pair[5:-1]
    for k, part in enumerate((low, high)):
        half = w.let(f"fptrunc float {w.value(part, 'float')} to {element}")
        total = w.let(f"insertelement {pair} {total}, {element} {half}, i32 {k}")
    if "relu" in i.modifiers:
        name = f"llvm.maxnum.v2{_NAMES[element]}"
        total = w.call(name, pair, f"{pair} {total}", f"{pair} zeroinitializer")
    w.set(to, total, pair)


def _round_to_tf32(w: Writer, i: Instruction) -> None:
    """The 13 low bits become zero; ties away from zero, or to even."""
    to, a = operands(i, 2)
    mode = i.modifiers[0]
    if i.modifiers != (mode, "tf32", "f32") or mode not in ("rna", "rn"):
        raise UnknownError
    bits = w.value(a, "i32")
    half = "4096"
    if mode == "rn":
        odd = w.let(f"and i32 {w.let(f'lshr i32 {bits}, 13')}, 1")
        half = w.let(f"add i32 {odd}, 4095")
    rounded = w.let(f"and i32 {w.let(f'add i32 {bits}, {half}')}, -8192")
    value = w.cast(bits, "i32", "float")
    none = w.let(f"fcmp uno float {value}, 0.0")
    w.set(to, w.let(f"select i1 {none}, i32 2147483647, i32 {rounded}"), "i32")


def _source(w: Writer, a: Operand, type_: str) -> str:
    """The operand's low bits."""
    return w.value(a, f"i{type_bits(type_)}", signed=is_signed(type_))


def _integer(
    w: Writer, to: Operand, a: Operand, types: tuple[str, str], *, saturated: bool
) -> None:
    source, target = types
    if isinstance(to, Name) and w.is_register(to.text) and w.pointers.of(to.text) != NUMBER:
        kind = pointer_type(w.pointers.of(to.text))
        w.set(to, w.value(a, kind), kind)
        return
    have, want = type_bits(source), type_bits(target)
    value = _source(w, a, source)
    if saturated:
        value = _clamped(w, value, source, target)
    value = w.cast(value, f"i{have}", f"i{want}", signed=is_signed(source))
    w.set(to, value, f"i{want}", signed=is_signed(target))


def _clamped(w: Writer, value: str, source: str, target: str) -> str:
    """An integer held within the range of another type, in its own width."""
    have, want = type_bits(source), type_bits(target)
    low = -(1 << (want - 1)) if is_signed(target) else 0
    high = (1 << (want - 1 if is_signed(target) else want)) - 1
    least = -(1 << (have - 1)) if is_signed(source) else 0
    most = (1 << (have - 1 if is_signed(source) else have)) - 1
    sign, kind = "s" if is_signed(source) else "u", f"i{have}"
    if low > least:
        value = w.call(f"llvm.{sign}max.{kind}", kind, f"{kind} {value}", f"{kind} {low}")
    if high < most:
        value = w.call(f"llvm.{sign}min.{kind}", kind, f"{kind} {value}", f"{kind} {high}")
    return value


def _floating(
    w: Writer, to: Operand, a: Operand, types: tuple[str, str], rounded: str, *, saturated: bool
) -> None:
    have, want = llvm_type(types[0]), llvm_type(types[1])
    value = w.value(a, have)
    if rounded:
        value = w.call(f"llvm.{rounded}.{_NAMES[have]}", have, f"{have} {value}")
    if have != want:
        if llvm_bits(have) == llvm_bits(want):  # half and bfloat
            value, have = w.let(f"fpext {have} {value} to float"), "float"
        how = "fpext" if llvm_bits(have) < llvm_bits(want) else "fptrunc"
        value = w.let(f"{how} {have} {value} to {want}")
    if saturated:
        zero, one = {"half": ("0xH0000", "0xH3C00"), "bfloat": ("0xR0000", "0xR3F80")}.get(
            want, ("0.0", "1.0")
        )
        name = _NAMES[want]
        value = w.call(f"llvm.maxnum.{name}", want, f"{want} {value}", f"{want} {zero}")
        value = w.call(f"llvm.minnum.{name}", want, f"{want} {value}", f"{want} {one}")
    w.set(to, value, want)


@handles("cvta")
def _address(w: Writer, i: Instruction) -> None:
    """An address of a state space as a generic one, or the other way round."""
    to, a = operands(i, 2)
    named = [m.split("::")[0] for m in i.modifiers if not is_type(m) and m != "to"]
    if len(named) != 1 or named[0] not in SPACES:
        raise UnknownError
    space = pointer_type(SPACES[named[0]])
    if named[0] == "global" and _is_number(w, a):
        w.set(to, w.value(a, "i64"), "i64")  # both spaces have the same numbers
        return
    source, target = ("ptr", space) if "to" in i.modifiers else (space, "ptr")
    w.set(to, w.cast(w.value(a, source), source, target), target)


def _is_number(w: Writer, o: Operand) -> bool:
    return isinstance(o, Name) and w.is_register(o.text) and w.kept_as(o.text) == "i64"


@handles("isspacep")
def _is_space(w: Writer, i: Instruction) -> None:
    to, a = operands(i, 2)
    name = i.modifiers[0]
    known = {"global", "shared", "shared::cta", "const", "local"}
    if name not in known:
        raise UnknownError
    name = name.split("::")[0]
    w.set(to, w.call(f"llvm.nvvm.isspacep.{name}", "i1", f"ptr {w.value(a, 'ptr')}"), "i1")
