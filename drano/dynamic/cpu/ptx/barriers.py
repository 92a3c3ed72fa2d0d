"""Barriers in shared memory (``mbarrier``) in inline PTX.

Means: the 64 bits of one are ours to fill: who is expected in bits 0 to 19, who is still missing in
bits 20 to 39, the number of the phase above. A token is what the bits were. Lanes arrive one by
one, so that no step can come between reading and writing; who waits asks again and again.
Source: PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
Limits: barriers that count bytes (``expect_tx``) and those of other blocks raise ``PtxError``.
"""

from __future__ import annotations

import re

from drano.dynamic.cpu.ptx.registers import PtxError, PtxWriter

_COUNT = (1 << 20) - 1
_HINTS = frozenset({"shared", "shared::cta", "b64", "acquire", "release", "relaxed", "cta",
                    "cluster", "noComplete", "parity"})  # fmt: skip
_ADDRESS = re.compile(r"\[\s*([$\w%]+)\s*(?:\+\s*(\d+))?\s*\]")


class PtxBarriers(PtxWriter):
    """Translates ``mbarrier``."""

    def _barrier(self, mods: list[str], ops: list[str]) -> None:
        """Raises PtxError for forms that are not known."""
        what, rest = mods[0], set(mods[1:])
        if self.guard or not rest <= _HINTS:
            raise PtxError(f"mbarrier.{'.'.join(mods)}")
        match what, len(ops):
            case "init", 2:
                count = self._wide(ops[1])
                missing = self._set(f"shl i64 {count}, 20")
                self._put(self._place(ops[0]), self._set(f"or i64 {count}, {missing}"))
            case "inval", 1:
                self._place(ops[0])
            case (("arrive" | "arrive_drop"), (2 | 3)):
                count = self._wide(ops[2]) if len(ops) == 3 else "1"
                self._arrive(ops[0], self._place(ops[1]), count, dropped=what == "arrive_drop")
            case (("test_wait" | "try_wait"), (3 | 4)):
                self._test(ops[0], self._place(ops[1]), ops[2], parity="parity" in rest)
            case "pending_count", 2:
                missing = self._set(f"lshr i64 {self._read(ops[1], 'b64')}, 20")
                low = self._set(f"and i64 {missing}, {_COUNT}")
                self._write(ops[0], self._set(f"trunc i64 {low} to i32"), 32)
            case _:
                raise PtxError(f"mbarrier.{'.'.join(mods)}")

    def _arrive_behind_copies(self, mods: list[str], ops: list[str]) -> None:
        """``cp.async.mbarrier.arrive``: the copies are done; without ``noinc`` one more is waited
        for, which has arrived.
        """
        if mods[:3] != ["async", "mbarrier", "arrive"] or len(ops) != 1 or self.guard:
            raise PtxError(f"cp.{'.'.join(mods)}")
        if "noinc" in mods:
            self._arrive("_", self._place(ops[0]), "1", dropped=False)

    def _wide(self, operand: str) -> str:
        return self._set(f"zext i32 {self._read(operand, 'u32')} to i64")

    def _place(self, operand: str) -> str:
        match = _ADDRESS.fullmatch(operand.strip())
        if match is None:
            raise PtxError(f"address {operand}")
        bits = self.widths.get(match[1], 64)
        number = self._read(match[1], f"u{bits}")
        if bits == 32:
            number = self._set(f"zext i32 {number} to i64")
        call = "call ptr @drano.call.__drano_shared_pointer(ptr %w, i64 %lane, i32 %mask, i64"
        place = self._set(f"{call} {number})")
        return self._set(f"getelementptr i8, ptr {place}, i64 {match[2] or 0}")

    def _put(self, place: str, value: str) -> None:
        self.lines.append(f"store i64 {value}, ptr {place}, align 1")

    def _arrive(self, to: str, place: str, count: str, *, dropped: bool) -> None:
        old = self._set(f"load i64, ptr {place}, align 1")
        expected = self._set(f"and i64 {old}, {_COUNT}")
        if dropped:
            expected = self._set(f"sub i64 {expected}, {count}")
        missing = self._set(f"and i64 {self._set(f'lshr i64 {old}, 20')}, {_COUNT}")
        left = self._set(f"sub i64 {missing}, {count}")
        full = self._set(f"icmp eq i64 {left}, 0")
        next_ = self._set(f"select i1 {full}, i64 {expected}, i64 {left}")
        phase = self._set(f"lshr i64 {old}, 40")
        phase = self._set(f"add i64 {phase}, {self._set(f'zext i1 {full} to i64')}")
        high = self._set(f"shl i64 {phase}, 40")
        middle = self._set(f"shl i64 {self._set(f'and i64 {next_}, {_COUNT}')}, 20")
        low = self._set(f"or i64 {expected}, {middle}")
        self._put(place, self._set(f"or i64 {low}, {high}"))
        self._write(to, old, 64)

    def _test(self, to: str, place: str, given: str, *, parity: bool) -> None:
        now = self._set(f"load volatile i64, ptr {place}, align 1")
        phase = self._set(f"lshr i64 {now}, 40")
        if parity:
            phase = self._set(f"and i64 {phase}, 1")
            other = self._wide(given)
        else:
            other = self._set(f"lshr i64 {self._read(given, 'b64')}, 40")
        self._write(to, self._set(f"icmp ne i64 {phase}, {other}"), 1)
