"""Divisions by constants, which compilers write as multiplications by reciprocals, found again.

Means: ``mul.hi`` by a constant, shifts, and for signed numbers the sign that is added, all of one
block, are a division if the constant and the shift give its quotient for every number of the width:
``0 <= M * d - 2**(N+s) <= 2**s`` for unsigned ones, half of that for signed ones (Granlund and
Montgomery, "Division by Invariant Integers using Multiplication", theorems 4.2 and 5.1). What was a
quotient for a smaller range only stays as it is.

A register that is part of such a pattern is written in one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from drano.ptx.model import Instruction, Int, Label, Name, Operand, Statement
from drano.ptx.operands import written

_ENDS: Final = frozenset({"bra", "brx", "ret", "exit", "trap", "call"})


class Division(Struct, frozen=True):
    """The quotient of ``value`` by ``divisor``, of numbers of ``bits``."""

    value: Operand
    divisor: int
    bits: int
    signed: bool


def divisor_of(
    multiplier: int, bits: int, shift: int, *, signed: bool, free: int = 0
) -> int | None:
    """What a multiplication, of which bits from ``bits + shift`` on are taken, divides by.

    ``free``: upper bits of the number that are zero.

    >>> divisor_of(0xAAAAAAAB, 32, 1, signed=False), divisor_of(0x55555556, 32, 0, signed=True)
    (3, 3)
    """
    power = 1 << (bits + shift)
    most = 1 << (shift + 1 if signed else shift + free)
    if multiplier <= 1:
        return None
    divisor = (power + most) // multiplier
    excess = multiplier * divisor - power
    exact = (excess > 0 if signed else excess >= 0) and excess <= most
    return divisor if exact and 1 < divisor < 1 << (bits - 1) else None


def divisions(body: Sequence[Statement]) -> dict[int, Division]:
    """The quotients among the results of statements, by the statements' numbers."""
    if not any(isinstance(s, Instruction) and s.opcode == "mul" for s in body):
        return {}
    return _Finder(body).found()


class _Finder:
    """``homes``: of registers that are written once, the statement and the number of its block."""

    def __init__(self, body: Sequence[Statement]) -> None:
        self.body = body
        self.homes: dict[str, tuple[int, int]] = {}
        several: set[str] = set()
        block = 0
        for number, s in enumerate(body):
            if isinstance(s, Label):
                block += 1
                continue
            for name in written(s):
                if name in self.homes or s.guard is not None:
                    several.add(name)
                self.homes[name] = (number, block)
            if s.opcode in _ENDS:
                block += 1
        for name in several:
            self.homes.pop(name, None)
        self.block = 0

    def found(self) -> dict[int, Division]:
        """All of them."""
        result: dict[int, Division] = {}
        block = 0
        for number, s in enumerate(self.body):
            if isinstance(s, Label):
                block += 1
                continue
            self.block = block
            if s.guard is None and s.opcode in ("shr", "add", "cvt", "mul"):
                division = self._quotient(s)
                if division is not None and self._in_order(number, division.value):
                    result[number] = division
            if s.opcode in _ENDS:
                block += 1
        return result

    def _in_order(self, number: int, value: Operand) -> bool:
        """Whether the steps of a pattern come one after the other, all after the number is there:
        else one of them is of the iteration before.
        """
        if not isinstance(value, Name) or value.text not in self.homes:
            return False
        pending, seen = [number], {number}
        while pending:
            at = pending.pop()
            step = self.body[at]
            assert isinstance(step, Instruction)
            for o in step.operands[1:]:
                home = self.homes.get(o.text) if isinstance(o, Name) else None
                if home is None or home[1] != self.block:
                    continue
                if home[0] >= at:
                    return False
                if o != value and home[0] not in seen:
                    seen.add(home[0])
                    pending.append(home[0])
        return True

    def _made(self, o: Operand, opcode: str) -> Instruction | None:
        """The instruction of that name, in this block, which an operand comes from."""
        home = self.homes.get(o.text) if isinstance(o, Name) else None
        if home is None or home[1] != self.block:
            return None
        made = self.body[home[0]]
        return made if isinstance(made, Instruction) and made.opcode == opcode else None

    def _quotient(self, i: Instruction) -> Division | None:
        ops = i.operands
        match i.opcode, i.modifiers:
            case "shr", (("u32" | "u64" | "b32" | "b64") as type_,):
                return self._unsigned(ops, int(type_[1:]))
            case "mul", ("hi", ("u32" | "u64") as type_):
                return self._high(i, int(type_[1:]), 0, signed=False)
            case "add", (("s32" | "s64") as type_,) if len(ops) == 3:
                bits = int(type_[1:])
                return self._signed(ops[1], ops[2], bits) or self._signed(ops[2], ops[1], bits)
            case "cvt", ("u32", "u64") if len(ops) == 2:
                return self._wide(ops[1])
            case _:
                return None

    def _unsigned(self, ops: Sequence[Operand], bits: int) -> Division | None:
        if len(ops) != 3 or not isinstance(ops[2], Int):
            return None
        shift = ops[2].value
        product = self._made(ops[1], "mul")
        if product is not None and product.modifiers == ("hi", f"u{bits}"):
            return self._high(product, bits, shift, signed=False)
        return self._long(ops[1], bits, shift)

    def _high(self, i: Instruction, bits: int, shift: int, *, signed: bool) -> Division | None:
        if len(i.operands) != 3 or not isinstance(i.operands[2], Int) or shift >= bits:
            return None
        multiplier = i.operands[2].value & ((1 << bits) - 1)
        free = 0 if signed else self._free_bits(i.operands[1], bits)
        divisor = divisor_of(multiplier, bits, shift, signed=signed, free=free)
        return None if divisor is None else Division(i.operands[1], divisor, bits, signed)

    def _free_bits(self, o: Operand, bits: int) -> int:
        """How many upper bits of a number are zero, as it was shifted."""
        home = self.homes.get(o.text) if isinstance(o, Name) else None
        made = self.body[home[0]] if home else None
        if not isinstance(made, Instruction) or made.opcode != "shr" or len(made.operands) != 3:
            return 0
        by = made.operands[2]
        plain = made.modifiers in ((f"u{bits}",), (f"b{bits}",))
        return by.value if plain and isinstance(by, Int) and by.value < bits else 0

    def _upper_half(self, o: Operand, bits: int) -> tuple[Operand, int] | None:
        """The number and the constant of whose product an operand is the upper half."""
        product = self._made(o, "mul")
        wanted: tuple[str, ...] = ("hi", f"u{bits}")
        if product is None and bits == 32:
            cut = self._made(o, "cvt")
            shifted = self._made(cut.operands[1], "shr") if cut else None
            if shifted is None or shifted.operands[2] != Int(32) or shifted.modifiers[-1] == "s64":
                return None
            product, wanted = self._made(shifted.operands[1], "mul"), ("wide", "u32")
        if product is None or product.modifiers != wanted:
            return None
        factor = product.operands[2]
        if not isinstance(factor, Int):
            return None
        return product.operands[1], factor.value & ((1 << bits) - 1)

    def _long(self, o: Operand, bits: int, shift: int) -> Division | None:
        """With a multiplier of one bit more than fits: ``(((x - t) >> 1) + t) >> shift``."""
        total = self._made(o, "add")
        for half, high in ((1, 2), (2, 1)):
            halved = self._made(total.operands[half], "shr") if total else None
            upper = self._upper_half(total.operands[high], bits) if total else None
            if total is None or halved is None or upper is None:
                continue
            rest = self._made(halved.operands[1], "sub")
            if rest is None or halved.operands[2] != Int(1) or halved.modifiers[-1][0] == "s":
                continue
            if rest.operands[1:] != (upper[0], total.operands[high]):
                continue
            divisor = divisor_of((1 << bits) + upper[1], bits, shift + 1, signed=False)
            if divisor is not None:
                return Division(upper[0], divisor, bits, signed=False)
        return None

    def _signed(self, quotient: Operand, sign: Operand, bits: int) -> Division | None:
        """``(t >> s) + (t >>> 31)``, where ``t`` is a high product, or that and ``x``."""
        last = self._made(sign, "shr")
        if last is None or last.modifiers not in ((f"u{bits}",), (f"b{bits}",)):
            return None
        if last.operands[2] != Int(bits - 1):
            return None
        high, shift = quotient, 0
        shifted = self._made(quotient, "shr")
        if shifted is not None and shifted.modifiers == (f"s{bits}",):
            if not isinstance(shifted.operands[2], Int):
                return None
            high, shift = shifted.operands[1], shifted.operands[2].value
        if last.operands[1] != high:
            return None
        product = self._made(high, "mul")
        if product is not None and product.modifiers == ("hi", f"s{bits}"):
            factor = product.operands[2]
            small = isinstance(factor, Int) and 0 < factor.value < 1 << (bits - 1)
            return self._high(product, bits, shift, signed=True) if small else None
        total = self._made(high, "add")
        for part, other in ((1, 2), (2, 1)):
            product = self._made(total.operands[part], "mul") if total else None
            if product is None or total is None or product.modifiers != ("hi", f"s{bits}"):
                continue
            factor = product.operands[2]
            negative = isinstance(factor, Int) and (
                factor.value < 0 or 1 << (bits - 1) <= factor.value < 1 << bits
            )
            if negative and total.operands[other] == product.operands[1]:
                return self._high(product, bits, shift, signed=True)
        return None

    def _wide(self, o: Operand) -> Division | None:
        """``mul.wide.u32``, of which the bits from 32 on are taken."""
        shifted = self._made(o, "shr")
        if shifted is None or shifted.modifiers[-1][:1] == "s":
            return None
        shift, product = shifted.operands[2], self._made(shifted.operands[1], "mul")
        if product is None or product.modifiers != ("wide", "u32") or not isinstance(shift, Int):
            return None
        if not 32 <= shift.value < 64:
            return None
        return self._high(product, 32, shift.value - 32, signed=False)
