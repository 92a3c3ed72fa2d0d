"""Barriers in shared memory (``mbarrier``) in inline PTX.

Means: the 64 bits of one are ours to fill: who is expected in bits 0 to 19, who is still missing in
bits 20 to 39, the number of the phase above. A token is what the bits were. Lanes arrive one by
one, so that no step can come between reading and writing; who waits asks again and again.
Source: PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
Limits: barriers that count bytes (``expect_tx``) and those of other blocks are not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drano.ptx.model import Address, Instruction, Name, Operand
from drano.ptx.writer import SINK, Handler, UnknownError, Writer

_COUNT: Final = (1 << 20) - 1
_HINTS: Final = frozenset({"shared", "shared::cta", "b64", "acquire", "release", "relaxed", "cta",
                           "cluster", "noComplete", "parity"})  # fmt: skip
_POINTER: Final = "call ptr @drano.call.__drano_shared_pointer(ptr %w, i64 %lane, i32 %mask, i64"


def _barrier(w: Writer, i: Instruction) -> None:
    what, rest, ops = i.modifiers[0], set(i.modifiers[1:]), i.operands
    if not rest <= _HINTS:
        raise UnknownError
    match what, len(ops):
        case "init", 2:
            count = _wide(w, ops[1])
            _put(w, _place(w, ops[0]), w.let(f"or i64 {count}, {w.let(f'shl i64 {count}, 20')}"))
        case "inval", 1:
            _place(w, ops[0])
        case (("arrive" | "arrive_drop"), (2 | 3)):
            count = _wide(w, ops[2]) if len(ops) == 3 else "1"
            _arrive(w, ops[0], _place(w, ops[1]), count, dropped=what == "arrive_drop")
        case (("test_wait" | "try_wait"), (3 | 4)):
            _test(w, ops, parity="parity" in rest)
        case "pending_count", 2:
            missing = w.let(f"lshr i64 {w.value(ops[1], 'i64')}, 20")
            low = w.let(f"and i64 {missing}, {_COUNT}")
            w.set(ops[0], w.cast(low, "i64", "i32"), "i32")
        case _:
            raise UnknownError


def _arrive_behind_copies(w: Writer, i: Instruction) -> None:
    """``cp.async.mbarrier.arrive``: the copies are done; without ``noinc`` one more is waited for,
    which has arrived.
    """
    if i.modifiers[:3] != ("async", "mbarrier", "arrive") or len(i.operands) != 1:
        raise UnknownError
    if "noinc" in i.modifiers:
        _arrive(w, Name(SINK), _place(w, i.operands[0]), "1", dropped=False)


def _wide(w: Writer, o: Operand) -> str:
    return w.cast(w.value(o, "i32"), "i32", "i64")


def _place(w: Writer, o: Operand) -> str:
    if not isinstance(o, Address) or o.more:
        raise UnknownError
    place = w.let(f"{_POINTER} {w.value(o.base, 'i64')})")
    return w.moved(place, "ptr", o.offset)


def _put(w: Writer, place: str, value: str) -> None:
    w.do(f"store i64 {value}, ptr {place}, align 1")


def _arrive(w: Writer, to: Operand, place: str, count: str, *, dropped: bool) -> None:
    old = w.let(f"load i64, ptr {place}, align 1")
    expected = w.let(f"and i64 {old}, {_COUNT}")
    if dropped:
        expected = w.let(f"sub i64 {expected}, {count}")
    missing = w.let(f"and i64 {w.let(f'lshr i64 {old}, 20')}, {_COUNT}")
    left = w.let(f"sub i64 {missing}, {count}")
    full = w.let(f"icmp eq i64 {left}, 0")
    next_ = w.let(f"select i1 {full}, i64 {expected}, i64 {left}")
    phase = w.let(f"add i64 {w.let(f'lshr i64 {old}, 40')}, {w.cast(full, 'i1', 'i64')}")
    high = w.let(f"shl i64 {phase}, 40")
    middle = w.let(f"shl i64 {w.let(f'and i64 {next_}, {_COUNT}')}, 20")
    low = w.let(f"or i64 {expected}, {middle}")
    _put(w, place, w.let(f"or i64 {low}, {high}"))
    w.set(to, old, "i64")


def _test(w: Writer, ops: tuple[Operand, ...], *, parity: bool) -> None:
    to, place, given = ops[:3]
    now = w.let(f"load volatile i64, ptr {_place(w, place)}, align 1")
    phase = w.let(f"lshr i64 {now}, 40")
    if parity:
        phase = w.let(f"and i64 {phase}, 1")
        other = _wide(w, given)
    else:
        other = w.let(f"lshr i64 {w.value(given, 'i64')}, 40")
    w.set(to, w.let(f"icmp ne i64 {phase}, {other}"), "i1")


BARRIERS: Final[Mapping[str, Handler]] = {"mbarrier": _barrier, "cp": _arrive_behind_copies}
