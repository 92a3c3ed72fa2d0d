"""The vocabulary of step functions: words of the frame, sets of nodes, pending lanes, arrays.

Means: ``step_function.py`` and its parts generate code with it; nothing here decides what runs.
"""

from __future__ import annotations

from typing import TypeGuard

from drano.dynamic.cpu import abi
from drano.dynamic.cpu.context import FunctionContext
from drano.dynamic.cpu.operand_writer import Writer
from drano.dynamic.cpu.plan import state_layout
from drano.dynamic.cpu.translated_text import operand_type, operand_value
from drano.ir import model as m

_ALL = (1 << 64) - 1
STARTED, WAIT_LANES, WAIT_ID, WAIT_TRUE, FORCED = 0, 4, 8, 12, 16


class Scheduler(Writer):
    """Writes the parts of a step function."""

    def __init__(self, context: FunctionContext) -> None:
        super().__init__(context)
        self.runnable, self.waiting, self.aside, self.pending, _ = state_layout(
            len(self.plan.nodes)
        )
        self.words = -(-len(self.plan.nodes) // 64)
        self.lines: list[str] = []
        self.definitions: list[str] = []
        self.fresh = 0

    # --- writing -----------------------------------------------------------------------------

    def name(self) -> str:
        """A new name of a value."""
        self.fresh += 1
        return f"%t.{self.fresh}"

    def label(self, what: str) -> str:
        """A new label."""
        self.fresh += 1
        return f"{what}.{self.fresh}"

    def _set(self, expression: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {expression}")
        return name

    def emit(self, line: str) -> None:
        """Add an instruction, or a label."""
        self.lines.append(line)

    def value(self, value: int) -> str:
        """A value outside of the lanes' loops: arguments, and what all active lanes agree on."""
        if value < len(self.source.function.args) and self.context.is_kernel:
            return self.argument(value)
        type_ = self.source.type_text(value)
        memory = "i8" if type_ == "i1" else type_
        lanes = self._set("load i32, ptr %lanes, align 4")
        first = self._set(f"call i32 @llvm.cttz.i32(i32 {lanes}, i1 true)")
        base = self._base(value)
        at = self._set(f"getelementptr inbounds {memory}, ptr {base}, i32 {first}")
        loaded = self._set(f"load {memory}, ptr {at}, align 1")
        return self._set(f"trunc i8 {loaded} to i1") if type_ == "i1" else loaded

    def _at(self, base: str, offset: int) -> str:
        return self._set(f"getelementptr inbounds i8, ptr {base}, i64 {offset}")

    def _load(self, base: str, offset: int, type_: str = "i32") -> str:
        return self._set(f"load {type_}, ptr {self._at(base, offset)}, align 4")

    def store(self, value: str, base: str, offset: int, type_: str = "i32") -> None:
        """Write a word of the warp or the frame."""
        self.emit(f"store {type_} {value}, ptr {self._at(base, offset)}, align 4")

    def _fault(self, text: str, mask: str) -> None:
        self.emit(
            f"call void @drano_fault(ptr %w, ptr @drano.unit, i32 {abi.NO_SITE}, i32 {mask}, "
            f"ptr {text})"
        )
        self.emit("br label %fault")

    def _unless_bad(self, call: str) -> None:
        """Go on unless ``call`` says that the kernel must end."""
        bad = self._set(call)
        fails = self._set(f"icmp ne i32 {bad}, 0")
        on = self.label("counted")
        self.emit(f"br i1 {fails}, label %fault, label %{on}, !prof !8")
        self.emit(f"{on}:")

    # --- arrays ------------------------------------------------------------------------------

    def _base(self, value: int) -> str:
        """The array of a value."""
        if value < len(self.source.function.args):
            return self.argument(value)
        return self._at("%frame", self.plan.slots[value].offset)

    def _has_array(self, operand: m.Operand) -> TypeGuard[m.Local]:
        if not isinstance(operand, m.Local):
            return False
        if operand.index < len(self.source.function.args):
            return not self.context.is_kernel and operand.index not in self.plan.allocas
        return operand.index in self.plan.slots

    def _array(self, operand: m.Operand, text: str, scratch: int) -> str:
        """The array of ``operand``, printed as ``text``; a uniform one is put at ``scratch``."""
        if self._has_array(operand):
            return self._base(operand.index)
        if isinstance(operand, m.Local) and operand.index in self.plan.allocas:
            return self._own_places(operand.index, scratch)
        typed = self.operand(text)
        type_, value = operand_type(typed), operand_value(typed)
        typed = f"{type_} {value}"
        if type_ in ("<", "[", "{") or type_[0] in "<[{%":
            return self._spread(typed, scratch)
        vector = f"<32 x {type_}>"
        base = self._at("%frame", scratch)
        first = self._set(f"insertelement {vector} poison, {type_} {value}, i64 0")
        all_ = self._set(
            f"shufflevector {vector} {first}, {vector} poison, <32 x i32> zeroinitializer"
        )
        self.emit(f"store {vector} {all_}, ptr {base}, align 64")
        return base

    def _own_places(self, value: int, scratch: int) -> str:
        """Where the lanes' own arrays, or copies of a structure parameter, are."""
        self.prepare(self.context.local_lines())
        own = self._at("%local", self.plan.allocas[value])
        first = self._set("insertelement <32 x i64> poison, i64 %local.bytes, i64 0")
        strides = self._set(
            f"shufflevector <32 x i64> {first}, <32 x i64> poison, <32 x i32> zeroinitializer"
        )
        lanes = ", ".join(f"i64 {lane}" for lane in range(32))
        offsets = self._set(f"mul <32 x i64> {strides}, <{lanes}>")
        places = self._set(f"getelementptr inbounds i8, ptr {own}, <32 x i64> {offsets}")
        base = self._at("%frame", scratch)
        self.emit(f"store <32 x ptr> {places}, ptr {base}, align 64")
        return base

    def _spread(self, typed: str, scratch: int) -> str:
        """A uniform aggregate or vector, once for each lane."""
        base = self._at("%frame", scratch)
        type_ = operand_type(typed)
        for lane in range(32):
            at = self._set(f"getelementptr inbounds {type_}, ptr {base}, i64 {lane}")
            self.emit(f"store {typed}, ptr {at}, align 1")
        return base

    # --- nodes and lanes ---------------------------------------------------------------------

    def _unmark(self, words: int, node: int) -> None:
        """Take ``node`` out of a set of nodes."""
        word, bit = divmod(node, 64)
        bits = self._load("%frame", words + 8 * word, "i64")
        rest = self._set(f"and i64 {bits}, {_signed(~(1 << bit) & _ALL)}")
        self.store(rest, "%frame", words + 8 * word, "i64")

    def _mark_node(self, words: int, node: int) -> None:
        """Put ``node`` into a set of nodes."""
        word, bit = divmod(node, 64)
        bits = self._load("%frame", words + 8 * word, "i64")
        more = self._set(f"or i64 {bits}, {_signed(1 << bit)}")
        self.store(more, "%frame", words + 8 * word, "i64")

    def _pend(self, to: int, mask: str, words: int | None = None) -> None:
        """``mask`` is pending at ``to``, which is in the set at ``words``: runnable if not said."""
        lanes = self._load("%frame", self.pending + 4 * to)
        both = self._set(f"or i32 {lanes}, {mask}")
        self.store(both, "%frame", self.pending + 4 * to)
        self._mark_node(self.runnable if words is None else words, to)

    def _leave(self, mask: str) -> None:
        """The lanes have ended."""
        if not self.context.is_kernel:
            self.emit("br label %dispatch")
            return
        live = self._load("%w", abi.WARP_LIVE)
        gone = self._set(f"xor i32 {mask}, -1")
        self.store(self._set(f"and i32 {live}, {gone}"), "%w", abi.WARP_LIVE)
        self.emit("br label %dispatch")


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def stored(i: m.Load | m.Store | m.Atomic) -> tuple[m.Operand, ...]:
    """Operands of an access beside its address."""
    match i:
        case m.Load():
            return ()
        case m.Store():
            return (i.value,)
        case m.Atomic():
            return i.operands
