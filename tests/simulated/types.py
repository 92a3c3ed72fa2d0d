"""Types of the C that the simulator reads: their sizes, layouts and conversions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Int:
    """An integer of so many bits; ``size`` in bytes where a bit-field's bits are fewer."""

    bits: int
    signed: bool

    @property
    def size(self) -> int:
        return max(self.bits // 8, 1)

    align = size


@dataclass(frozen=True)
class Float:
    size: int

    @property
    def align(self) -> int:
        return self.size


@dataclass(frozen=True)
class Pointer:
    to: CType
    size = 8
    align = 8


@dataclass(frozen=True)
class Array:
    of: CType
    count: int

    @property
    def size(self) -> int:
        return self.of.size * self.count

    @property
    def align(self) -> int:
        return self.of.align


@dataclass(frozen=True)
class Member:
    name: str
    type: CType
    offset: int
    shift: int = 0
    width: int = 0  # of a bit-field


@dataclass(frozen=True)
class Struct:
    name: str
    members: tuple[Member, ...]
    size: int
    align: int

    def member(self, name: str) -> Member:
        return next(m for m in self.members if m.name == name)


@dataclass(frozen=True)
class Void:
    size = 1
    align = 1


CType: TypeAlias = Int | Float | Pointer | Array | Struct | Void

INT, UINT = Int(32, True), Int(32, False)
LONG, ULONG = Int(64, True), Int(64, False)
BOOL = Int(1, False)


def struct(name: str, fields: list[tuple[str, CType, int]]) -> Struct:
    """Laid out as C does; (name, type, bits of a bit-field or 0)."""
    members: list[Member] = []
    bit, align = 0, 1  # where the next one may start
    for label, type_, width in fields:
        align = max(align, type_.align)
        if width:
            unit = type_.size * 8
            if bit // unit != (bit + width - 1) // unit:
                bit = -(-bit // unit) * unit
            start = bit // unit * unit
            members.append(Member(label, type_, start // 8, bit - start, width))
            bit += width
        else:
            at = -(-bit // 8)
            at = -(-at // type_.align) * type_.align
            members.append(Member(label, type_, at))
            bit = 8 * (at + type_.size)
    size = -(-bit // 8)
    return Struct(name, tuple(members), -(-size // align) * align, align)


def common(a: CType, b: CType) -> CType:
    """The usual arithmetic conversions."""
    if isinstance(a, Float) or isinstance(b, Float):
        return Float(max(t.size for t in (a, b) if isinstance(t, Float)))
    a, b = promoted(a), promoted(b)
    assert isinstance(a, Int) and isinstance(b, Int)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return Int(a.bits, a.signed and b.signed)


def promoted(a: CType) -> CType:
    """Of fewer than 32 bits: int."""
    return INT if isinstance(a, Int) and a.bits < 32 else a


def wrapped(value: int, bits: int, signed: bool) -> int:
    """The number that so many bits hold."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value
