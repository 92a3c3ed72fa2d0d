# ruff: noqa: E501 - a table
"""What translated instructions compute, against what the PTX ISA says, on this machine."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable

import pytest

from tests.ptx.machine import Program

Function = Callable[..., int]
_WORD = (1 << 32) - 1
_LONG = (1 << 64) - 1
EDGES = (0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 255, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000,
         0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, _LONG, 0x123456789ABCDEF0)  # fmt: skip


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def s32(value: int) -> int:
    return signed(value, 32)


def s64(value: int) -> int:
    return signed(value, 64)


def u32(value: int) -> int:
    return value & _WORD


def shifted(value: int, by: int, bits: int, *, arithmetic: bool = False) -> int:
    by = min(by & _WORD, bits)
    return (signed(value, bits) if arithmetic else value & ((1 << bits) - 1)) >> by


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def field(value: int, at: int, size: int, bits: int, *, sign: bool) -> int:
    """PTX ISA, "bfe", as its pseudo-code has it."""
    found = 0
    top = min(at + size - 1, bits - 1)
    filled = 0 if not sign or not size else value >> top & 1
    for k in range(bits):
        bit = value >> (at + k) & 1 if k < size and at + k < bits else filled
        found |= bit << k
    return found


def inserted(a: int, b: int, at: int, size: int, bits: int) -> int:
    """PTX ISA, "bfi", as its pseudo-code has it."""
    for k in range(size):
        if at + k < bits:
            b = b & ~(1 << at + k) | (a >> k & 1) << at + k
    return b


def table(a: int, b: int, c: int, number: int) -> int:
    found = 0
    for k in range(32):
        row = (a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1)
        found |= (number >> row & 1) << k
    return found


def permuted(a: int, b: int, choice: int) -> int:
    both = (b & _WORD) << 32 | (a & _WORD)
    found = 0
    for k in range(4):
        found |= (both >> 8 * (choice >> 4 * k & 7) & 255) << 8 * k
    return found


def dot(a: int, b: int, c: int, how: tuple[int, int]) -> int:
    left = [signed(a >> 8 * k, 8) if how[0] else a >> 8 * k & 255 for k in range(4)]
    right = [signed(b >> 8 * k, 8) if how[1] else b >> 8 * k & 255 for k in range(4)]
    return c + sum(x * y for x, y in zip(left, right, strict=True))


def clamped(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


def f32(pattern: int) -> float:
    return float(struct.unpack("<f", (pattern & _WORD).to_bytes(4, "little"))[0])


# {0}: result of the row's width, {1} …: operands. 32 bits: %r, 64: %d.
WORDS: list[tuple[str, Function]] = [
    ("add.s32 {0}, {1}, {2}", lambda a, b, c: a + b),
    ("add.sat.s32 {0}, {1}, {2}", lambda a, b, c: clamped(s32(a) + s32(b), -(1 << 31), (1 << 31) - 1)),
    ("sub.u32 {0}, {1}, {2}", lambda a, b, c: a - b),
    ("mul.lo.s32 {0}, {1}, {2}", lambda a, b, c: a * b),
    ("mul.hi.s32 {0}, {1}, {2}", lambda a, b, c: s32(a) * s32(b) >> 32),
    ("mul.hi.u32 {0}, {1}, {2}", lambda a, b, c: u32(a) * u32(b) >> 32),
    ("mad.lo.s32 {0}, {1}, {2}, {3}", lambda a, b, c: a * b + c),
    ("mad.hi.u32 {0}, {1}, {2}, {3}", lambda a, b, c: (u32(a) * u32(b) >> 32) + c),
    ("mul24.lo.s32 {0}, {1}, {2}", lambda a, b, c: signed(a, 24) * signed(b, 24)),
    ("mul24.hi.u32 {0}, {1}, {2}", lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) >> 16),
    ("mad24.lo.u32 {0}, {1}, {2}, {3}", lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c),
    ("sad.s32 {0}, {1}, {2}, {3}", lambda a, b, c: c + abs(s32(a) - s32(b))),
    ("sad.u32 {0}, {1}, {2}, {3}", lambda a, b, c: c + abs(u32(a) - u32(b))),
    ("abs.s32 {0}, {1}", lambda a, b, c: abs(s32(a))),
    ("neg.s32 {0}, {1}", lambda a, b, c: -a),
    ("min.s32 {0}, {1}, {2}", lambda a, b, c: min(s32(a), s32(b))),
    ("max.u32 {0}, {1}, {2}", lambda a, b, c: max(u32(a), u32(b))),
    ("max.relu.s32 {0}, {1}, {2}", lambda a, b, c: max(s32(a), s32(b), 0)),
    ("min.u16x2 {0}, {1}, {2}", lambda a, b, c: min(a >> 16 & 0xFFFF, b >> 16 & 0xFFFF) << 16
     | min(a & 0xFFFF, b & 0xFFFF)),
    ("popc.b32 {0}, {1}", lambda a, b, c: u32(a).bit_count()),
    ("clz.b32 {0}, {1}", lambda a, b, c: 32 - u32(a).bit_length()),
    ("brev.b32 {0}, {1}", lambda a, b, c: int(f"{u32(a):032b}"[::-1], 2)),
    ("bfind.u32 {0}, {1}", lambda a, b, c: u32(a).bit_length() - 1),
    ("bfind.shiftamt.u32 {0}, {1}", lambda a, b, c: 32 - u32(a).bit_length() if u32(a) else -1),
    ("bfe.u32 {0}, {1}, 5, 9", lambda a, b, c: field(u32(a), 5, 9, 32, sign=False)),
    ("bfe.s32 {0}, {1}, 28, 9", lambda a, b, c: field(u32(a), 28, 9, 32, sign=True)),
    ("bfe.s32 {0}, {1}, 3, 0", lambda a, b, c: 0),
    ("bfe.u32 {0}, {1}, 40, 3", lambda a, b, c: field(u32(a), 40, 3, 32, sign=False)),
    ("bfe.s32 {0}, {1}, 40, 3", lambda a, b, c: field(u32(a), 40, 3, 32, sign=True)),
    ("bfi.b32 {0}, {1}, {2}, 7, 6", lambda a, b, c: b & ~(63 << 7) | (a & 63) << 7),
    ("bfi.b32 {0}, {1}, {2}, 30, 6", lambda a, b, c: b & ~(3 << 30) | (a & 3) << 30),
    ("bmsk.clamp.b32 {0}, 28, 9", lambda a, b, c: 0xF0000000),
    ("prmt.b32.f4e {0}, {1}, {2}, 3", lambda a, b, c: permuted(a, b, 0x6543)),
    ("prmt.b32.b4e {0}, {1}, {2}, 1", lambda a, b, c: permuted(a, b, 0x6701)),
    ("prmt.b32.rc8 {0}, {1}, {2}, 2", lambda a, b, c: permuted(a, b, 0x2222)),
    ("prmt.b32.ecl {0}, {1}, {2}, 5", lambda a, b, c: permuted(a, b, 0x3211)),
    ("prmt.b32.ecr {0}, {1}, {2}, 2", lambda a, b, c: permuted(a, b, 0x2210)),
    ("prmt.b32.rc16 {0}, {1}, {2}, 1", lambda a, b, c: permuted(a, b, 0x3232)),
    ("bfe.u32 {0}, {1}, {2}, {3}", lambda a, b, c: field(u32(a), b & 255, c & 255, 32, sign=False)),
    ("bfe.s32 {0}, {1}, {2}, {3}", lambda a, b, c: field(u32(a), b & 255, c & 255, 32, sign=True)),
    ("bfe.u32 {0}, {1}, {2}, 5", lambda a, b, c: field(u32(a), b & 255, 5, 32, sign=False)),
    ("bfi.b32 {0}, {1}, {2}, {3}, 9", lambda a, b, c: inserted(a, b, c & 255, 9, 32)),
    ("bfi.b32 {0}, {1}, {2}, 9, {3}", lambda a, b, c: inserted(a, b, 9, c & 255, 32)),
    ("bmsk.clamp.b32 {0}, {1}, {2}", lambda a, b, c: ((1 << min(u32(b), 32)) - 1) << min(u32(a), 32)),
    ("bmsk.wrap.b32 {0}, {1}, {2}", lambda a, b, c: ((1 << (b & 31)) - 1) << (a & 31)),
    ("bfind.s32 {0}, {1}", lambda a, b, c: (~s32(a) if s32(a) < 0 else s32(a)).bit_length() - 1),
    ("vabsdiff4.u32.u32.u32.add {0}, {1}, {2}, {3}", lambda a, b, c: c + sum(
        abs((a >> k & 255) - (b >> k & 255)) for k in (0, 8, 16, 24))),
    ("{{ .reg .u32 t; add.cc.u32 t, {1}, {2}; addc.u32 {0}, {3}, 0; }}",
     lambda a, b, c: c + (u32(a) + u32(b) >> 32)),
    ("{{ .reg .u32 t; sub.cc.u32 t, {1}, {2}; subc.u32 {0}, {3}, 1; }}",
     lambda a, b, c: c - 1 - (u32(a) < u32(b))),
    ("{{ .reg .u32 t; mad.lo.cc.u32 t, {1}, {2}, {3}; addc.cc.u32 t, -1, 0; madc.hi.u32 {0}, {1}, {2}, {3}; }}",
     lambda a, b, c: c + (u32(a) * u32(b) >> 32)
     + ((u32(a * b) + u32(c) >> 32) + _WORD >> 32)),
    ("and.b32 {0}, {1}, {2}", lambda a, b, c: a & b),
    ("not.b32 {0}, {1}", lambda a, b, c: ~a),
    ("cnot.b32 {0}, {1}", lambda a, b, c: int(u32(a) == 0)),
    ("lop3.b32 {0}, {1}, {2}, {3}, 0x6a", lambda a, b, c: table(a, b, c, 0x6A)),
    ("lop3.b32 {0}, {1}, {2}, {3}, 0x96", lambda a, b, c: table(a, b, c, 0x96)),
    ("lop3.b32 {0}, {1}, {2}, {3}, 0xfe", lambda a, b, c: table(a, b, c, 0xFE)),
    ("lop3.b32 {0}, {1}, {2}, {3}, 0", lambda a, b, c: 0),
    ("shl.b32 {0}, {1}, {2}", lambda a, b, c: a << min(u32(b), 32)),
    ("shl.b32 {0}, {1}, 40", lambda a, b, c: 0),
    ("shr.u32 {0}, {1}, {2}", lambda a, b, c: shifted(a, b, 32)),
    ("shr.s32 {0}, {1}, {2}", lambda a, b, c: shifted(a, b, 32, arithmetic=True)),
    ("shr.s32 {0}, {1}, 33", lambda a, b, c: shifted(a, 33, 32, arithmetic=True)),
    ("shf.l.wrap.b32 {0}, {1}, {2}, {3}", lambda a, b, c: (u32(b) << 32 | u32(a)) << (c & 31) >> 32),
    ("shf.r.wrap.b32 {0}, {1}, {2}, {3}", lambda a, b, c: (u32(b) << 32 | u32(a)) >> (c & 31)),
    ("shf.l.clamp.b32 {0}, {1}, {2}, {3}",
     lambda a, b, c: (u32(b) << 32 | u32(a)) << min(u32(c), 32) >> 32),
    ("shf.r.clamp.b32 {0}, {1}, {2}, {3}", lambda a, b, c: (u32(b) << 32 | u32(a)) >> min(u32(c), 32)),
    ("prmt.b32 {0}, {1}, {2}, 0x5410", lambda a, b, c: permuted(a, b, 0x5410)),
    ("prmt.b32 {0}, {1}, {2}, 0x7362", lambda a, b, c: permuted(a, b, 0x7362)),
    ("dp4a.s32.u32 {0}, {1}, {2}, {3}", lambda a, b, c: dot(a, b, c, (1, 0))),
    ("dp2a.hi.u32.s32 {0}, {1}, {2}, {3}",
     lambda a, b, c: c + (a & 0xFFFF) * signed(b >> 16, 8) + (a >> 16 & 0xFFFF) * signed(b >> 24, 8)),
    ("set.lt.u32.s32 {0}, {1}, {2}", lambda a, b, c: _WORD if s32(a) < s32(b) else 0),
    ("slct.u32.s32 {0}, {1}, {2}, {3}", lambda a, b, c: a if s32(c) >= 0 else b),
    ("cvt.s32.s8 {0}, {1}", lambda a, b, c: signed(a, 8)),
    ("cvt.u32.u16 {0}, {1}", lambda a, b, c: a & 0xFFFF),
    ("cvt.sat.u32.s32 {0}, {1}", lambda a, b, c: max(s32(a), 0)),
    ("cvt.sat.s8.s32 {0}, {1}", lambda a, b, c: clamped(s32(a), -128, 127)),
    ("cvt.u8.u32 {0}, {1}", lambda a, b, c: a & 255),
    ("setp.lt.s32 %p1, {1}, {2}; selp.b32 {0}, 1, 0, %p1", lambda a, b, c: s32(a) < s32(b)),
    ("setp.hs.u32 %p1, {1}, {2}; selp.b32 {0}, 1, 0, %p1", lambda a, b, c: u32(a) >= u32(b)),
    ("setp.eq.s32 %p2, {2}, {3}; setp.lt.or.s32 %p1|%p3, {1}, {2}, !%p2; "
     "selp.b32 {0}, 2, 0, %p1; @%p3 add.s32 {0}, {0}, 1",
     lambda a, b, c: 2 * (s32(a) < s32(b) or u32(b) != u32(c))
     + (s32(a) >= s32(b) or u32(b) != u32(c))),
    ("setp.ge.s32 %p1, {1}, 0; mov.b32 {0}, {2}; @!%p1 mov.b32 {0}, {3}",
     lambda a, b, c: b if s32(a) >= 0 else c),
    ("mov.b32 {{%h1, %h2}}, {1}; mov.b32 {0}, {{%h2, %h1}}",
     lambda a, b, c: (a & 0xFFFF) << 16 | a >> 16 & 0xFFFF),
    ("cvt.u16.u32 %h1, {1}; cvt.u16.u32 %h2, {2}; mul.wide.s16 {0}, %h1, %h2",
     lambda a, b, c: signed(a, 16) * signed(b, 16)),
    ("cvt.u16.u32 %h1, {1}; shr.s16 %h1, %h1, 3; cvt.s32.s16 {0}, %h1",
     lambda a, b, c: signed(a, 16) >> 3),
    ("and.b32 {0}, {2}, 1023; or.b32 {0}, {0}, 1; div.s32 {0}, {1}, {0}",
     lambda a, b, c: quotient(s32(a), b & 1023 | 1)),
    ("and.b32 {0}, {2}, 1023; or.b32 {0}, {0}, 1; rem.u32 {0}, {1}, {0}",
     lambda a, b, c: u32(a) % (b & 1023 | 1)),
    ("cvt.rn.f32.s32 %f1, {1}; cvt.rzi.s32.f32 {0}, %f1",
     lambda a, b, c: clamped(int(f32(int.from_bytes(struct.pack("<f", s32(a)), "little"))),
                             -(1 << 31), (1 << 31) - 1)),
    ("cvt.rn.f32.u32 %f1, {1}; fma.rn.f32 %f1, %f1, 0f3F800000, 0f00000000; mov.b32 {0}, %f1",
     lambda a, b, c: int.from_bytes(struct.pack("<f", u32(a)), "little")),
    ("and.b32 {0}, {1}, 65535; cvt.rn.f32.u32 %f1, {0}; mul.f32 %f1, %f1, 0f3F000000; "
     "cvt.rmi.s32.f32 {0}, %f1", lambda a, b, c: (a & 0xFFFF) // 2),
    ("and.b32 {0}, {1}, 65535; cvt.rn.f32.u32 %f1, {0}; mul.f32 %f1, %f1, 0f3F000000; "
     "cvt.rpi.s32.f32 {0}, %f1", lambda a, b, c: -(-(a & 0xFFFF) // 2)),
    ("and.b32 {0}, {1}, 65535; cvt.rn.f32.u32 %f1, {0}; setp.gtu.f32 %p1, %f1, 0f42FE0000; "
     "selp.b32 {0}, 7, 9, %p1", lambda a, b, c: 7 if (a & 0xFFFF) > 127 else 9),
    ("mov.f32 %f1, 0f7FC00000; setp.neu.f32 %p1, %f1, %f1; setp.num.f32 %p2, %f1, %f1; "
     "selp.b32 {0}, 1, 0, %p1; @%p2 add.s32 {0}, {0}, 2", lambda a, b, c: 1),
    ("mov.b32 {0}, 0; mul.hi.u32 {0}, {1}, 0xAAAAAAAB; shr.u32 {0}, {0}, 1",
     lambda a, b, c: u32(a) // 3),
    ("mul.hi.u32 %r7, {1}, 0xAAAAAAAB; shr.u32 {0}, %r7, 1", lambda a, b, c: u32(a) // 3),
    ("mul.hi.s32 %r7, {1}, 1041204193; shr.u32 %r8, %r7, 31; shr.s32 %r9, %r7, 3; "
     "add.s32 {0}, %r9, %r8", lambda a, b, c: quotient(s32(a), 33)),
    ("mul.hi.s32 %r7, {1}, -1840700269; add.s32 %r8, %r7, {1}; shr.u32 %r9, %r8, 31; "
     "shr.s32 %r10, %r8, 2; add.s32 {0}, %r10, %r9", lambda a, b, c: quotient(s32(a), 7)),
    ("mul.hi.u32 %r7, {1}, 613566757; sub.s32 %r8, {1}, %r7; shr.u32 %r9, %r8, 1; "
     "add.s32 %r10, %r9, %r7; shr.u32 {0}, %r10, 2", lambda a, b, c: u32(a) // 7),
    ("st.shared.b32 [tile+4], {1}; ld.shared.u16 {0}, [tile+6]", lambda a, b, c: u32(a) >> 16),
    ("mov.u64 %d9, tile; cvta.shared.u64 %d8, %d9; st.b32 [%d8], {1}; ld.shared.s8 {0}, [tile]",
     lambda a, b, c: signed(a, 8)),
    ("st.local.v2.b32 [own], {{{1}, {2}}}; ld.local.b32 {0}, [own+4]", lambda a, b, c: b),
    ("st.global.b32 [table], {1}; atom.global.add.u32 {0}, [table], {2}; ld.global.b32 {0}, [table]",
     lambda a, b, c: a + b),
    ("st.global.b32 [table], {1}; red.global.min.s32 [table], {2}; ld.global.b32 {0}, [table]",
     lambda a, b, c: min(s32(a), s32(b))),
    ("st.global.b32 [table], {1}; atom.global.cas.b32 {0}, [table], {1}, {3}; "
     "ld.global.b32 {0}, [table]", lambda a, b, c: c),
    ("st.global.b32 [table], {1}; atom.global.exch.b32 {0}, [table], {2}", lambda a, b, c: a),
    ("call.uni (%r7), twice, ({1}); mov.b32 {0}, %r7", lambda a, b, c: 2 * a),
    ("mov.b32 {0}, 5; and.b32 %r7, {1}, 3; brx.idx %r7, ways; zero: mov.b32 {0}, 10; one: "
     "add.s32 {0}, {0}, 1; bra.uni after; two: mov.b32 {0}, 2; after: add.s32 {0}, {0}, 0",
     lambda a, b, c: (11, 6, 2, 2)[a & 3]),
    ("and.b32 %r7, {1}, 31; mov.b32 {0}, 0; again: setp.eq.s32 %p1, %r7, 0; @%p1 bra end; "
     "add.s32 {0}, {0}, %r7; sub.s32 %r7, %r7, 1; bra again; end: add.s32 {0}, {0}, 0",
     lambda a, b, c: (a & 31) * ((a & 31) + 1) // 2),
    ("{{ .reg .b32 %r1; mov.b32 %r1, 77; add.s32 {0}, %r1, {1}; }} add.s32 {0}, {0}, {1}",
     lambda a, b, c: 154 + a),
]  # fmt: skip
LONGS: list[tuple[str, Function]] = [
    ("add.s64 {0}, {1}, {2}", lambda a, b, c: a + b),
    ("mul.hi.s64 {0}, {1}, {2}", lambda a, b, c: s64(a) * s64(b) >> 64),
    ("mul.hi.u64 {0}, {1}, {2}", lambda a, b, c: a * b >> 64),
    ("mad.lo.s64 {0}, {1}, {2}, {3}", lambda a, b, c: a * b + c),
    ("cvt.u32.u64 %r7, {1}; mul.wide.s32 {0}, %r7, -4", lambda a, b, c: s32(a) * -4),
    ("cvt.u32.u64 %r7, {1}; mul.wide.u32 {0}, %r7, -4", lambda a, b, c: u32(a) * u32(-4)),
    ("cvt.u32.u64 %r7, {1}; mad.wide.s32 {0}, %r7, %r7, {2}", lambda a, b, c: s32(a) ** 2 + b),
    ("cvt.s64.s32 {0}, {1}", lambda a, b, c: s32(a)),
    ("cvt.u64.u16 {0}, {1}", lambda a, b, c: a & 0xFFFF),
    ("shl.b64 {0}, {1}, 7", lambda a, b, c: a << 7),
    ("cvt.u32.u64 %r7, {2}; shr.s64 {0}, {1}, %r7",
     lambda a, b, c: shifted(a, b, 64, arithmetic=True)),
    ("bfe.u64 {0}, {1}, 50, 20", lambda a, b, c: field(a, 50, 20, 64, sign=False)),
    ("bfi.b64 {0}, {1}, {2}, 40, 8", lambda a, b, c: b & ~(255 << 40) | (a & 255) << 40),
    ("mov.b64 {{%r7, %r8}}, {1}; mov.b64 {0}, {{%r8, %r7}}",
     lambda a, b, c: (a & _WORD) << 32 | a >> 32),
    ("setp.lt.s64 %p1, {1}, {2}; selp.b64 {0}, {1}, {2}, %p1", lambda a, b, c: min(s64(a), s64(b))),
    ("min.u64 {0}, {1}, {2}", lambda a, b, c: min(a, b)),
    ("popc.b64 %r7, {1}; cvt.u64.u32 {0}, %r7", lambda a, b, c: a.bit_count()),
    ("and.b64 {0}, {1}, 0xFFFFFFFF; cvt.rn.f64.u64 %e1, {0}; sqrt.rn.f64 %e2, %e1; "
     "cvt.rzi.u64.f64 {0}, %e2", lambda a, b, c: int(math.sqrt(u32(a)))),
    ("or.b64 {0}, {2}, 1; and.b64 {0}, {0}, 0xFFFF; div.u64 {0}, {1}, {0}",
     lambda a, b, c: a // (b & 0xFFFF | 1)),
    ("mul.hi.u64 %d7, {1}, 0xAAAAAAAAAAAAAAAB; shr.u64 {0}, %d7, 1", lambda a, b, c: a // 3),
]  # fmt: skip

HEAD = """.version 9.0
.target sm_90
.address_size 64
.global .align 8 .b8 table[64];
.shared .align 8 .b8 tile[64];
.func (.reg .b32 result) twice (.reg .b32 x) { add.s32 result, x, x; ret; }
"""


def kernel(name: str, template: str, bits: int) -> str:
    """It computes a word from three, each in 64 bits."""
    register = "%r" if bits == 32 else "%d"
    code = template.format(*(f"{register}{k}" for k in range(4))) + ";"
    loads = "".join(f"ld.global.b{bits} {register}{k + 1}, [%d11+{8 * k}];\n" for k in range(3))
    targets = "ways: .branchtargets zero, one, two, two;\n" if "ways" in template else ""
    return (
        f".visible .entry {name}(.param .u64 in, .param .u64 out) {{\n"
        ".reg .b32 %r<16>; .reg .b64 %d<16>; .reg .b16 %h<8>; .reg .f32 %f<8>; .reg .f64 %e<8>;\n"
        f".reg .pred %p<8>; .local .align 8 .b8 own[16];\n{targets}"
        "ld.param.u64 %d11, [in]; ld.param.u64 %d12, [out];\n"
        "cvta.to.global.u64 %d11, %d11; cvta.to.global.u64 %d12, %d12;\n"
        f"{loads}{code}\nst.global.b{bits} [%d12], {register}0;\nret;\n}}\n"
    )


ROWS = [(32, *row) for row in WORDS] + [(64, *row) for row in LONGS]


@pytest.fixture(scope="module")
def program() -> Program:
    kernels = [kernel(f"k{n}", template, bits) for n, (bits, template, _) in enumerate(ROWS)]
    return Program(HEAD + "".join(kernels))


def triples() -> list[tuple[int, int, int]]:
    chance = random.Random(26)
    found = [(a, b, a ^ b) for a in EDGES for b in EDGES]
    return found + [
        (
            chance.getrandbits(64),
            chance.getrandbits(chance.choice((5, 32, 64))),
            chance.getrandbits(64),
        )
        for _ in range(200)
    ]


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[row[1] for row in ROWS])
def test_computes_what_the_isa_says(program: Program, number: int) -> None:
    bits, _, function = ROWS[number]
    whole = (1 << bits) - 1
    for given in triples():
        words = [word & whole for word in given]
        assert program.run(f"k{number}", words)[0] == int(function(*words)) & whole, words
