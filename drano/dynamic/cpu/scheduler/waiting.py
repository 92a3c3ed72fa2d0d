"""How lanes wait, at barriers of the block and the grid and for each other, and how they end."""

from __future__ import annotations

import re

from drano.dynamic.cpu import abi
from drano.dynamic.cpu.plan import Node
from drano.dynamic.cpu.scheduler.cooperative_groups import GRID_BARRIER
from drano.dynamic.cpu.scheduler.vocabulary import FORCED, WAIT_ID, WAIT_LANES, WAIT_TRUE, Scheduler
from drano.dynamic.cpu.translated_text import constant_text, operand_value, quoted
from drano.dynamic.instrument.printed_instructions import inside_brackets, split_top
from drano.ir import model as m
from drano.model.system_headers import user_location

_BARRIER = re.compile(
    r"(?:sync|(?P<arrive>arrive)|red\.(?P<red>popc|and|or))(?:\.aligned)?\.(?:all|(?P<count>count))"
)
GRID_ID = "-1"
"""Number of the barrier of all blocks, among the named barriers of one."""


class WaitingDriver(Scheduler):
    """Writes barriers, meetings and ends."""

    def barrier(self, node: Node, mask: str) -> None:
        """The lanes wait; they are pending at the node behind the barrier."""
        assert node.barrier is not None
        if not self.context.is_kernel:
            raise self.source.unsupported("barrier in a function that is called", node.barrier)
        call = self.source.definitions[node.barrier]
        assert isinstance(call, m.Call)
        ident, threads, arrive, red = self._barrier_kind(call)
        others = self._load("%frame", WAIT_LANES)
        known = self._load("%frame", WAIT_ID)
        some = self._set(f"icmp ne i32 {others}, 0")
        differs = self._set(f"icmp ne i32 {known}, {ident}")
        clash = self._set(f"and i1 {some}, {differs}")
        on = self.label("arrive")
        self.emit(f"br i1 {clash}, label %clash, label %{on}")
        self.emit(f"{on}:")
        all_ = self._set(f"or i32 {others}, {mask}")
        self.store(all_, "%frame", WAIT_LANES)
        self.store(ident, "%frame", WAIT_ID)
        self.store(threads, "%w", abi.BARRIER_THREADS)
        self.store(str(int(arrive)), "%w", abi.BARRIER_ARRIVE)
        self.store(self._place(call), "%w", abi.BARRIER_PLACE, "ptr")
        if red:
            true = self._predicate_word(
                call, split_top(inside_brackets(self.source.text(node.barrier)))[-1]
            )
            inside = self._set(f"and i32 {true}, {mask}")
            before = self._load("%frame", WAIT_TRUE)
            self.store(self._set(f"or i32 {before}, {inside}"), "%frame", WAIT_TRUE)
        self._pend(node.number + 1, mask, self.waiting)
        self.emit("br label %dispatch")

    def _place(self, call: m.Call) -> str:
        """A constant that says where in the user's source the call is."""
        location = call.location or self.source.function.location
        if location is None:
            return "null"
        span = user_location(location).span
        base = f"drano.place.{self.context.symbol}.{len(self.definitions)}"
        name, path = f"@{quoted(base)}", f"@{quoted(base + '.path')}"
        self.definitions += [
            constant_text(path, span.path.encode("utf-8", "surrogateescape")),
            f"{name} = private unnamed_addr constant {abi.PLACE} "
            f"{{ ptr {path}, i32 {span.line}, i32 {span.column} }}",
        ]
        return name

    def _barrier_kind(self, call: m.Call) -> tuple[str, str, bool, bool]:
        """Number and threads of a barrier, whether the lanes only arrive, whether it reduces."""
        if call.callee == GRID_BARRIER:
            return GRID_ID, "0", False, False
        name = (call.callee or "").removeprefix("llvm.nvvm.barrier.cta.")
        match = _BARRIER.fullmatch(name)
        if match is None:
            raise self.source.unsupported(f"barrier {call.callee}", call.index)
        arguments = split_top(inside_brackets(self.source.text(call.index)))
        ident = operand_value(self.operand(arguments[0]))
        threads = operand_value(self.operand(arguments[1])) if match["count"] else "0"
        return ident, threads, bool(match["arrive"]), bool(match["red"])

    def stop(self, index: int, mask: str) -> None:
        """A trap or a failed assertion ends the kernel, ``exit`` the lanes."""
        call = self.source.definitions[index]
        assert isinstance(call, m.Call)
        if call.callee == "llvm.nvvm.exit":
            if not self.context.is_kernel:
                raise self.source.unsupported("exit in a function that is called", index)
            self._leave(mask)
            return
        if call.callee == "__assertfail":
            arguments = split_top(inside_brackets(self.source.text(index)))
            given = ", ".join(self.operand(argument) for argument in arguments[:4])
            self.emit(f"call void @drano_assert(ptr %w, ptr @drano.unit, i32 {mask}, {given})")
        else:
            self.emit(
                f"call void @drano_fault(ptr %w, ptr @drano.unit, i32 {abi.NO_SITE}, i32 {mask}, "
                "ptr @drano.text.trap)"
            )
        self.emit("br label %fault")

    def _predicate_word(self, call: m.Call, argument: str) -> str:
        operand = call.args[-1]
        if self._has_array(operand):
            base = self._base(operand.index)
            return self._set(f"call i32 @drano.ballot(ptr {base})")
        return self._set(f"sext {self.operand(argument)} to i32")

    def _barrier_result(self, barrier: int, mask: str) -> None:
        """What a reducing barrier gives: from the count of threads whose predicate was true."""
        slot = self.plan.slots.get(barrier)
        if slot is None:
            return
        call = self.source.definitions[barrier]
        assert isinstance(call, m.Call)
        match = _BARRIER.fullmatch((call.callee or "").removeprefix("llvm.nvvm.barrier.cta."))
        result = self._load("%w", abi.BARRIER_COUNT)
        type_ = "i32"
        if match is not None and match["red"] != "popc":
            total = self._load("%w", abi.BARRIER_TOTAL) if match["red"] == "and" else "0"
            relation = "eq" if match["red"] == "and" else "ne"
            word = self._set(f"icmp {relation} i32 {result}, {total}")
            result = self._set(f"zext i1 {word} to i8")
            type_ = "i8"
        base = self._at("%frame", slot.offset)
        self.emit(f"call void @drano.spread.{type_}(ptr {base}, i32 {mask}, {type_} {result})")

    def _meet(self, node: Node, mask: str) -> None:
        """Put the lanes aside while some that they must meet can still come."""
        assert node.together is not None
        call = self.source.definitions[node.together]
        assert isinstance(call, m.Call)
        number = self.plan.recipes[node.together].mask
        assert number is not None
        operand = call.args[number]
        self._unmark(self.aside, node.number)
        if self._has_array(operand):
            base = self._base(operand.index)
            wanted = self._set(f"call i32 @drano.unite(ptr {base}, i32 {mask})")
        else:
            argument = split_top(inside_brackets(self.source.text(node.together)))[number]
            wanted = operand_value(self.operand(argument))
        live = self._load("%w", abi.WARP_LIVE) if self.context.is_kernel else "%called"
        alive = self._set(f"and i32 {wanted}, {live}")
        here = self._set(f"xor i32 {mask}, -1")
        missing = self._set(f"and i32 {alive}, {here}")
        lacks = self._set(f"icmp ne i32 {missing}, 0")
        look, put, on = self.label("look"), self.label("aside"), self.label("met")
        self.emit(f"br i1 {lacks}, label %{look}, label %{on}")
        self.emit(f"{look}:")
        any_ = "0"
        for word in range(self.words):
            for nodes in (self.runnable, self.aside):
                bits = self._load("%frame", nodes + 8 * word, "i64")
                any_ = self._set(f"or i64 {any_}, {bits}")
        some = self._set(f"icmp ne i64 {any_}, 0")
        forced = self._load("%frame", FORCED)
        self.store("0", "%frame", FORCED)
        free = self._set(f"icmp eq i32 {forced}, 0")
        others = self._set(f"and i1 {some}, {free}")
        self.emit(f"br i1 {others}, label %{put}, label %{on}")
        self.emit(f"{put}:")
        self._pend(node.number, mask, self.aside)
        self.emit("br label %dispatch")
        self.emit(f"{on}:")
