"""Logic, shifts, fields of bits, moves and selections. Sources: PTX ISA, "Logic and Shift
Instructions", "Data Movement and Conversion Instructions".
"""

from __future__ import annotations

from typing import Final

from drano.ptx.instructions.registry import handles, last_type, only, operands, whole_type
from drano.ptx.model import Instruction, Int, Name, Operand, Sum, Vector
from drano.ptx.pointers import NUMBER
from drano.ptx.types import is_float, is_signed, register_type, type_bits
from drano.ptx.writer import SINK, UnknownError, Writer, pointer_type

# Of the modes of prmt, the bytes that the four numbers of one choose, the first one lowest.
_MODES: Final = {
    "f4e": 0x6543_5432_4321_3210, "b4e": 0x0123_7012_6701_5670, "rc8": 0x3333_2222_1111_0000,
    "ecl": 0x3333_3222_3211_3210, "ecr": 0x3210_2210_1110_0000, "rc16": 0x3232_1010_3232_1010,
}  # fmt: skip


@handles("and", "or", "xor")
def _logic(w: Writer, i: Instruction) -> None:
    to, a, b = operands(i, 3)
    kind = whole_type(last_type(i))
    only(i)
    w.set(to, w.let(f"{i.opcode} {kind} {w.value(a, kind)}, {w.value(b, kind)}"), kind)


@handles("not")
def _not(w: Writer, i: Instruction) -> None:
    to, a = operands(i, 2)
    kind = whole_type(last_type(i))
    w.set(to, w.let(f"xor {kind} {w.value(a, kind)}, -1"), kind)


@handles("cnot")
def _is_zero(w: Writer, i: Instruction) -> None:
    to, a = operands(i, 2)
    kind = whole_type(last_type(i))
    zero = w.let(f"icmp eq {kind} {w.value(a, kind)}, 0")
    w.set(to, zero, "i1")


@handles("shl", "shr")
def _shift(w: Writer, i: Instruction) -> None:
    """Amounts past the width shift everything out, of signed numbers all but the sign."""
    to, a, b = operands(i, 3)
    type_ = last_type(i)
    only(i)
    kind, bits = whole_type(type_), type_bits(type_)
    value = w.value(a, kind)
    how = "shl" if i.opcode == "shl" else "ashr" if is_signed(type_) else "lshr"
    if isinstance(b, Int):
        amount = b.value & 0xFFFFFFFF
        if amount < bits:
            w.set(to, w.let(f"{how} {kind} {value}, {amount}") if amount else value, kind,
                  signed=is_signed(type_))  # fmt: skip
            return
        w.set(to, w.let(f"ashr {kind} {value}, {bits - 1}") if how == "ashr" else "0", kind)
        return
    by = w.value(b, "i32")
    fits = w.let(f"icmp ult i32 {by}, {bits}")
    safe = w.let(f"select i1 {fits}, i32 {by}, i32 {bits - 1 if how == 'ashr' else 0}")
    shifted = w.let(f"{how} {kind} {value}, {w.cast(safe, 'i32', kind)}")
    if how != "ashr":
        shifted = w.let(f"select i1 {fits}, {kind} {shifted}, {kind} 0")
    w.set(to, shifted, kind, signed=is_signed(type_))


@handles("shf")
def _funnel(w: Writer, i: Instruction) -> None:
    to, low, high, by = operands(i, 4)
    modes = set(i.modifiers[:-1])
    if last_type(i) != "b32" or len(modes & {"l", "r"}) != 1 or len(modes) != 2:
        raise UnknownError
    a, b, amount = w.value(low, "i32"), w.value(high, "i32"), w.value(by, "i32")
    if "wrap" in modes:
        name = "llvm.fshl.i32" if "l" in modes else "llvm.fshr.i32"
        w.set(to, w.call(name, "i32", f"i32 {b}", f"i32 {a}", f"i32 {amount}"), "i32")
        return
    if "clamp" not in modes:
        raise UnknownError
    capped = w.call("llvm.umin.i32", "i32", f"i32 {amount}", "i32 32")
    wide = w.cast(capped, "i32", "i64")
    top = w.let(f"shl i64 {w.cast(b, 'i32', 'i64')}, 32")
    both = w.let(f"or i64 {top}, {w.cast(a, 'i32', 'i64')}")
    if "l" in modes:
        shifted = w.let(f"shl i64 {both}, {wide}")
        shifted = w.let(f"lshr i64 {shifted}, 32")
    else:
        shifted = w.let(f"lshr i64 {both}, {wide}")
    w.set(to, w.cast(shifted, "i64", "i32"), "i32")


@handles("bfe")
def _extract(w: Writer, i: Instruction) -> None:
    """A field at a place and of a length, of 8 bits each."""
    to, a, place, length = operands(i, 4)
    type_ = last_type(i)
    kind, bits = whole_type(type_), type_bits(type_)
    if not isinstance(place, Int) or not isinstance(length, Int):
        w.set(to, _any_field(w, i), kind)
        return
    at, size = place.value & 255, length.value & 255
    if not size:
        w.set(to, "0", kind)
        return
    if at >= bits and not is_signed(type_):
        w.set(to, "0", kind)
        return
    at = min(at, bits - 1)
    size = min(size, bits - at)
    left, right = bits - at - size, bits - size
    value = w.value(a, kind)
    value = w.let(f"shl {kind} {value}, {left}") if left else value
    how = "ashr" if is_signed(type_) else "lshr"
    w.set(to, w.let(f"{how} {kind} {value}, {right}") if right else value, kind)


def _any_field(w: Writer, i: Instruction) -> str:
    """The field shifted up to the end of the number, then down: what is past the end is its sign,
    or zero.
    """
    _, a, place, length = i.operands
    type_ = last_type(i)
    kind, bits = whole_type(type_), type_bits(type_)
    at, size = _byte(w, place), _byte(w, length)
    behind = w.let(f"add i32 {at}, {size}")
    end = w.call("llvm.umin.i32", "i32", f"i32 {behind}", f"i32 {bits}")
    up = w.let(f"sub i32 {bits}, {end}")
    none = w.let(f"icmp eq i32 {size}, 0")
    up = w.let(f"select i1 {none}, i32 0, i32 {up}")
    value = w.let(f"shl {kind} {w.value(a, kind)}, {w.cast(up, 'i32', kind)}")
    down = w.let(f"add i32 {up}, {at}")
    most = w.call("llvm.umin.i32", "i32", f"i32 {down}", f"i32 {bits - 1}")
    how = "ashr" if is_signed(type_) else "lshr"
    value = w.let(f"{how} {kind} {value}, {w.cast(most, 'i32', kind)}")
    if how == "lshr":
        past = w.let(f"icmp ugt i32 {down}, {bits - 1}")
        none = w.let(f"or i1 {none}, {past}")
    return w.let(f"select i1 {none}, {kind} 0, {kind} {value}")


def _byte(w: Writer, o: Operand) -> str:
    """The low byte of an operand."""
    return w.let(f"and i32 {w.value(o, 'i32')}, 255")


def _ones(w: Writer, size: str, at: str, bits: int) -> str:
    """As many ones as ``size`` says, from the bit ``at``; what is past the end is cut off."""
    kind, wide = f"i{bits}", f"i{2 * bits}"
    sizes = [w.call("llvm.umin.i32", "i32", f"i32 {n}", f"i32 {bits}") for n in (size, at)]
    size, at = (w.cast(n, "i32", wide) for n in sizes)
    ones = w.let(f"sub {wide} {w.let(f'shl {wide} 1, {size}')}, 1")
    return w.cast(w.let(f"shl {wide} {ones}, {at}"), wide, kind)


@handles("bfi")
def _insert(w: Writer, i: Instruction) -> None:
    """A field put into a number, at a place and of a length of 8 bits each."""
    to, a, b, place, length = operands(i, 5)
    type_ = last_type(i)
    kind, bits = whole_type(type_), type_bits(type_)
    if not isinstance(place, Int) or not isinstance(length, Int):
        start = _byte(w, place)
        taken = _ones(w, _byte(w, length), start, bits)
        fits = w.let(f"icmp ult i32 {start}, {bits}")
        start = w.let(f"select i1 {fits}, i32 {start}, i32 0")
        moved = w.let(f"shl {kind} {w.value(a, kind)}, {w.cast(start, 'i32', kind)}")
        kept = w.let(f"and {kind} {w.value(b, kind)}, {w.let(f'xor {kind} {taken}, -1')}")
        field = w.let(f"and {kind} {moved}, {taken}")
        w.set(to, w.let(f"or {kind} {kept}, {field}"), kind)
        return
    at, size = place.value & 255, length.value & 255
    whole = (1 << bits) - 1
    mask = (((1 << size) - 1) << at) & whole if at < bits else 0
    kept = w.let(f"and {kind} {w.value(b, kind)}, {w.value(Int(whole & ~mask), kind)}")
    if not mask:
        w.set(to, w.value(b, kind), kind)
        return
    moved = w.let(f"shl {kind} {w.value(a, kind)}, {at}") if at else w.value(a, kind)
    field = w.let(f"and {kind} {moved}, {w.value(Int(mask), kind)}")
    w.set(to, w.let(f"or {kind} {kept}, {field}"), kind)


@handles("lop3")
def _table(w: Writer, i: Instruction) -> None:
    """Any function of three bits, by its table."""
    to, a, b, c, table = operands(i, 5)
    if last_type(i) != "b32" or len(i.modifiers) != 1 or not isinstance(table, Int):
        raise UnknownError
    x, y, z = (w.value(o, "i32") for o in (a, b, c))
    number = table.value & 255
    simple = {0x96: ("xor", "xor"), 0x80: ("and", "and"), 0xFE: ("or", "or")}.get(number)
    if simple:
        first = w.let(f"{simple[0]} i32 {x}, {y}")
        w.set(to, w.let(f"{simple[1]} i32 {first}, {z}"), "i32")
        return
    inverted = [w.let(f"xor i32 {v}, -1") for v in (x, y, z)]
    total = "0"
    for k in range(8):
        if not number >> k & 1:
            continue
        bits = [v if k >> (2 - n) & 1 else inverted[n] for n, v in enumerate((x, y, z))]
        term = w.let(f"and i32 {w.let(f'and i32 {bits[0]}, {bits[1]}')}, {bits[2]}")
        total = term if total == "0" else w.let(f"or i32 {total}, {term}")
    w.set(to, total, "i32")


@handles("popc", "clz", "brev")
def _count(w: Writer, i: Instruction) -> None:
    to, a = operands(i, 2)
    kind = whole_type(last_type(i))
    given = [f"{kind} {w.value(a, kind)}"]
    if i.opcode == "clz":
        given.append("i1 false")
    name = {"popc": "ctpop", "clz": "ctlz", "brev": "bitreverse"}[i.opcode]
    w.set(to, w.call(f"llvm.{name}.{kind}", kind, *given), kind)


@handles("bfind")
def _find(w: Writer, i: Instruction) -> None:
    """The highest bit that is set (of negative numbers: that is not), or all bits for none."""
    to, a = operands(i, 2)
    type_ = last_type(i)
    kind, bits = whole_type(type_), type_bits(type_)
    value = w.value(a, kind)
    if is_signed(type_):
        sign = w.let(f"ashr {kind} {value}, {bits - 1}")
        value = w.let(f"xor {kind} {value}, {sign}")
    zeros = w.call(f"llvm.ctlz.{kind}", kind, f"{kind} {value}", "i1 false")
    if "shiftamt" not in i.modifiers:
        zeros = w.let(f"sub {kind} {bits - 1}, {zeros}")
        w.set(to, w.cast(zeros, kind, "i32", signed=True), "i32")
        return
    none = w.let(f"icmp eq {kind} {value}, 0")
    w.set(to, w.let(f"select i1 {none}, i32 -1, i32 {w.cast(zeros, kind, 'i32')}"), "i32")


@handles("bmsk")
def _mask(w: Writer, i: Instruction) -> None:
    to, place, length = operands(i, 3)
    if i.modifiers not in (("clamp", "b32"), ("wrap", "b32")):
        raise UnknownError
    if not isinstance(place, Int) or not isinstance(length, Int):
        count, start = w.value(length, "i32"), w.value(place, "i32")
        if "wrap" in i.modifiers:
            count, start = (w.let(f"and i32 {value}, 31") for value in (count, start))
        w.set(to, _ones(w, count, start, 32), "i32")
        return
    at, size = place.value & 0xFFFFFFFF, length.value & 0xFFFFFFFF
    if "clamp" not in i.modifiers:
        at, size = at & 31, size & 31
    mask = ((1 << min(size, 32)) - 1) << min(at, 32)
    w.set(to, w.value(Int(mask & 0xFFFFFFFF), "i32"), "i32")


@handles("prmt")
def _permute(w: Writer, i: Instruction) -> None:
    """Bytes of two words, chosen by a constant; by what is not one, LLVM's intrinsic."""
    to, a, b, choice = operands(i, 4)
    if i.modifiers[:1] != ("b32",) or len(i.modifiers) > 2:
        raise UnknownError
    x, y = w.value(a, "i32"), w.value(b, "i32")
    if len(i.modifiers) == 2:
        choices = _MODES[i.modifiers[1]]
        if isinstance(choice, Int):
            choice = Int(choices >> 16 * (choice.value & 3) & 0xFFFF)
        else:
            number = w.let(f"and i32 {w.value(choice, 'i32')}, 3")
            by = w.let(f"shl i32 {number}, 4")
            moved = w.let(f"lshr i64 {choices}, {w.cast(by, 'i32', 'i64')}")
            _intrinsic(w, to, x, y, w.cast(moved, "i64", "i32"))
            return
    if not isinstance(choice, Int) or any(choice.value >> 4 * k & 8 for k in range(4)):
        _intrinsic(w, to, x, y, w.value(choice, "i32"))
        return
    top = w.let(f"shl i64 {w.cast(y, 'i32', 'i64')}, 32")
    both = w.let(f"or i64 {top}, {w.cast(x, 'i32', 'i64')}")
    total = "0"
    for k in range(4):
        source = choice.value >> 4 * k & 7
        byte = w.let(f"lshr i64 {both}, {8 * source}") if source else both
        byte = w.cast(w.let(f"and i64 {byte}, 255"), "i64", "i32")
        byte = w.let(f"shl i32 {byte}, {8 * k}") if k else byte
        total = byte if total == "0" else w.let(f"or i32 {total}, {byte}")
    w.set(to, total, "i32")


def _intrinsic(w: Writer, to: Operand, x: str, y: str, choice: str) -> None:
    given = f"i32 {x}", f"i32 {y}", f"i32 {choice}"
    w.set(to, w.call("llvm.nvvm.prmt", "i32", *given), "i32")


@handles("mov")
def _move(w: Writer, i: Instruction) -> None:
    to, source = operands(i, 2)
    type_ = last_type(i)
    kind = register_type(type_)
    if isinstance(source, Vector):
        w.set(to, packed(w, source, type_bits(type_)), f"i{type_bits(type_)}")
        return
    if isinstance(to, Vector):
        unpack(w, to, w.value(source, f"i{type_bits(type_)}"), type_bits(type_))
        return
    if isinstance(to, Name) and w.is_register(to.text) and w.pointers.of(to.text) != NUMBER:
        kind = pointer_type(w.pointers.of(to.text))
    elif isinstance(source, Name) and w.is_register(source.text):
        value, kind = w.register(source.text)
        w.set(to, value, kind)
        return
    elif isinstance(source, Name | Sum):
        w.set(to, *w.named(source.text if isinstance(source, Name) else source.name,
                           source.offset if isinstance(source, Sum) else 0))  # fmt: skip
        return
    w.set(to, w.value(source, kind), kind)


def packed(w: Writer, parts: Vector, bits: int) -> str:
    """Registers side by side, the first one lowest."""
    each = bits // max(1, len(parts.parts))
    total = "0"
    for k, part in enumerate(parts.parts):
        value = w.cast(w.value(part, f"i{each}"), f"i{each}", f"i{bits}")
        value = w.let(f"shl i{bits} {value}, {k * each}") if k else value
        total = value if total == "0" else w.let(f"or i{bits} {total}, {value}")
    return total


def unpack(w: Writer, parts: Vector, value: str, bits: int) -> None:
    """The opposite."""
    each = bits // max(1, len(parts.parts))
    for k, part in enumerate(parts.parts):
        if part == Name(SINK):
            continue
        moved = w.let(f"lshr i{bits} {value}, {k * each}") if k else value
        w.set(part, w.cast(moved, f"i{bits}", f"i{each}"), f"i{each}")


@handles("selp")
def _select(w: Writer, i: Instruction) -> None:
    to, a, b, predicate = operands(i, 4)
    kind = _kept_type(w, to, register_type(last_type(i)))
    chosen = w.value(predicate, "i1")
    yes, no = w.value(a, kind), w.value(b, kind)
    w.set(to, w.let(f"select i1 {chosen}, {kind} {yes}, {kind} {no}"), kind)


@handles("slct")
def _by_sign(w: Writer, i: Instruction) -> None:
    """``c >= 0 ? a : b``."""
    to, a, b, c = operands(i, 4)
    if len(i.modifiers) < 2:
        raise UnknownError
    kind = register_type(i.modifiers[-2])
    if is_float(last_type(i)):
        chosen = w.let(f"fcmp oge float {w.value(c, 'float')}, 0.0")
    else:
        chosen = w.let(f"icmp sge i32 {w.value(c, 'i32')}, 0")
    yes, no = w.value(a, kind), w.value(b, kind)
    w.set(to, w.let(f"select i1 {chosen}, {kind} {yes}, {kind} {no}"), kind)


def _kept_type(w: Writer, to: Operand, kind: str) -> str:
    """The type for a result: an address, where its register holds one."""
    if isinstance(to, Name) and w.is_register(to.text) and w.pointers.of(to.text) != NUMBER:
        return pointer_type(w.pointers.of(to.text))
    return kind
