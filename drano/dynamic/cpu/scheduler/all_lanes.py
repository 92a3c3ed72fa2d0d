"""What a step function does for all lanes at once: counting, memory accesses, calls."""

from __future__ import annotations

import re

from drano.dynamic.cpu.plan import Mark, Step
from drano.dynamic.cpu.scheduler.vocabulary import Scheduler, stored
from drano.dynamic.cpu.translated_text import quoted, scalar_text
from drano.dynamic.instrument.counting_calls import ACCESS_RANGE
from drano.dynamic.instrument.printed_instructions import inside_brackets, split_top
from drano.ir import model as m

NATIVE_STACK = 48 << 20
"""Bytes of the worker's stack that called functions may use."""
MOST_ARGUMENTS = 60


class MemoryDriver(Scheduler):
    """Writes counting calls, accesses and calls."""

    def _before(self, step: Step, mask: str) -> None:
        """Counting calls and accesses of memory, each for all lanes."""
        for item in step.before:
            if not isinstance(item, Mark):
                self._access(item, mask)
                continue
            call = self.source.definitions[item.instruction]
            assert isinstance(call, m.Call)
            if call.callee == ACCESS_RANGE:
                self._count_range(item, call, mask)
            else:
                self.count(item.site, mask, self._addresses(item))

    def _access(self, index: int, mask: str) -> None:
        """One load, store or atomic by its helper: arrays of addresses, operands, results."""
        i = self.source.definitions[index]
        if isinstance(i, m.Call):
            self._call(i, mask)
            return
        if not isinstance(i, m.Load | m.Store | m.Atomic):
            raise self.source.unsupported("access of memory", index)
        texts = self.access_texts(i)
        operands = [i.pointer, *stored(i)]
        arrays = [
            self._array(operand, text, self.plan.splat + 512 * n)
            for n, (operand, text) in enumerate(zip(operands, texts, strict=True))
        ]
        if not isinstance(i, m.Store):
            slot = self.plan.slots.get(index)
            offset = self.plan.splat + 512 * 3 if slot is None else slot.offset
            arrays.append(self._at("%frame", offset))
        listed = ", ".join(f"ptr {array}" for array in arrays)
        self.emit(f"call void @{self.plan.recipes[index].helper}({listed}, i32 {mask})")

    def access_texts(self, i: m.Load | m.Store | m.Atomic) -> list[str]:
        """Address and operands of an access, as printed with their types."""
        printed = split_top(scalar_text(self.source.text(i.index)))
        match i:
            case m.Load():
                return [printed[1]]
            case m.Store():
                return [printed[1], printed[0].removeprefix("store ")]
            case m.Atomic(op="cmpxchg"):
                pointer = re.sub(r"^cmpxchg (weak )?", "", printed[0])
                return [pointer, printed[1], printed[2].rsplit(" ", 2)[0]]
            case m.Atomic():
                return [printed[0].split(" ", 2)[2], printed[1].rsplit(" ", 1)[0]]

    def _call(self, call: m.Call, mask: str) -> None:
        """A call that was not inlined: the lanes' arguments in arrays, a table of their places."""
        text = scalar_text(self.source.text(call.index))
        inside = inside_brackets(text)
        texts = split_top(inside)
        if len(texts) > MOST_ARGUMENTS:
            raise self.source.unsupported("call with that many arguments", call.index)
        self.prepare([f"%calls = alloca [{MOST_ARGUMENTS + 3} x ptr], align 8"])
        entries = [
            self._array(operand, given, self.plan.splat + 512 * n)
            for n, (operand, given) in enumerate(zip(call.args, texts, strict=True))
        ]
        slot = self.plan.slots.get(call.index)
        spare = self.plan.splat + 512 * len(entries)
        entries.append(self._at("%frame", spare if slot is None else slot.offset))
        self.prepare(self.context.local_lines())
        base = "0" if self.context.is_kernel else "%local.offset"
        place = self._set(f"add i64 {base}, {self.plan.local_bytes}")
        entries.append(self._set(f"inttoptr i64 {place} to ptr"))
        entries.append(self._set("inttoptr i64 %local.bytes to ptr"))
        for n, entry in enumerate(entries):
            at = self._set(f"getelementptr inbounds ptr, ptr %calls, i64 {n}")
            self.emit(f"store ptr {entry}, ptr {at}, align 8")
        rest = f"ptr %calls, i64 {self._stack_room()}"
        if call.callee is not None:
            name = self.context.unit.symbol(f"@{quoted(call.callee)}")
            self._unless_bad(f"call i32 {name}(ptr %w, i32 {mask}, {rest})")
            return
        assert call.target is not None
        target = text[: text.rindex(f"({inside}")].rsplit(" ", 1)[1]
        targets = self._array(call.target, f"ptr {target}", spare + 512)
        self._unless_bad(f"call i32 @drano.indirect(ptr %w, i32 {mask}, ptr {targets}, {rest})")

    def _stack_room(self) -> str:
        """Bytes of native stack that a called function may use."""
        if self.context.is_kernel:
            return str(NATIVE_STACK)
        return self._set(f"sub i64 %stack, {self.plan.frame_bytes + 1024}")

    def count(self, site: int, mask: str, addresses: str) -> None:
        """Have the run-time library count an access from all lanes' addresses."""
        self._unless_bad(
            f"call i32 @drano_access(ptr %w, ptr @drano.unit, i32 {site}, i32 {mask}, "
            f"ptr {addresses})"
        )

    def _addresses(self, mark: Mark) -> str:
        """The array of the lanes' addresses: a value's own, or one address for all."""
        return self._operand_array(mark, 1, self.plan.splat)

    def _operand_array(self, mark: Mark, number: int, scratch: int) -> str:
        """The array of an operand of a counting call."""
        call = self.source.definitions[mark.instruction]
        assert isinstance(call, m.Call)
        argument = split_top(inside_brackets(self.source.text(mark.instruction)))[number]
        return self._array(call.args[number], argument, scratch)

    def _count_range(self, mark: Mark, call: m.Call, mask: str) -> None:
        addresses = self._addresses(mark)
        lengths = self._operand_array(mark, 2, self.plan.splat + 512)
        chunk = call.args[3]
        assert isinstance(chunk, m.IntConst)
        self._unless_bad(
            f"call i32 @drano.range(ptr %w, i32 {mark.site}, i32 {mask}, ptr {addresses}, "
            f"ptr {lengths}, i64 {chunk.value})"
        )
