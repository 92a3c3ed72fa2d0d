"""The scheduler of a kernel: its step function, which runs one warp until it waits or is done.

Means: each node has a word of pending lanes; the lowest node with lanes runs next, with all of
them. Lanes that branch apart become pending at two nodes; those that are ahead wait until the
others have come to the same node. A node that follows, or a loop's head, is entered directly.
Lanes at a barrier are pending at the node behind it, but that node is not runnable until the
run-time library calls again; lanes that must meet others are put aside as long as any other node
can run.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TypeGuard

from drano.dynamic.instrument import ACCESS_RANGE
from drano.dynamic.printed import inside_brackets, split_top
from drano.dynamic.simt import abi
from drano.dynamic.simt.context import FunctionContext
from drano.dynamic.simt.groups import GRID_BARRIER
from drano.dynamic.simt.plan import Mark, Node, Step, state_layout
from drano.dynamic.simt.recipes import Role
from drano.dynamic.simt.texts import operand_type, operand_value, quoted, scalar_text
from drano.dynamic.simt.writer import Writer
from drano.ir import model as m

_ALL = (1 << 64) - 1
_BARRIER = re.compile(
    r"(?:sync|(?P<arrive>arrive)|red\.(?P<red>popc|and|or))(?:\.aligned)?\.(?:all|(?P<count>count))"
)
NATIVE_STACK = 48 << 20
MOST_ARGUMENTS = 60
SPINS = 1 << 14
"""Rounds of loops after which lanes that wait further ahead get a turn; a power of two."""
GRID_ID = "-1"
"""Number of the barrier of all blocks, among the named barriers of one."""
STARTED, WAIT_LANES, WAIT_ID, WAIT_TRUE, FORCED = 0, 4, 8, 12, 16


class Driver(Writer):
    """Writes the step function of one kernel; used once."""

    def __init__(self, context: FunctionContext, present: Collection[tuple[int, int]]) -> None:
        super().__init__(context)
        self.present = present
        self.runnable, self.waiting, self.aside, self.pending, _ = state_layout(
            len(self.plan.nodes)
        )
        self.words = -(-len(self.plan.nodes) // 64)
        self.lines: list[str] = []
        self.fresh = 0
        self.behind = {
            node.number + 1: node.barrier
            for node in self.plan.nodes
            if node.barrier is not None and self.plan.recipes[node.barrier].role is Role.BARRIER
        }

    def text(self) -> str:
        """The definition of the step function."""
        self._prologue()
        for node in self.plan.nodes:
            self._node(node)
        self._dispatch()
        self._ahead()
        lines = ["entry:", *self.preamble.values(), *self.lines]
        body = "\n".join(line if line.endswith(":") else f"  {line}" for line in lines)
        name, parameters = f"{self.context.symbol}.step", "ptr %w"
        linkage = "internal "
        if not self.context.is_kernel:
            name, parameters = self.context.symbol, "ptr %w, i32 %called, ptr %table, i64 %stack"
            linkage = "" if self.source.relocatable else "internal "
        return f"define {linkage}i32 @{quoted(name)}({parameters}) #1 {{\n{body}\n}}\n"

    # --- writing -----------------------------------------------------------------------------

    def _name(self) -> str:
        self.fresh += 1
        return f"%t.{self.fresh}"

    def _label(self, what: str) -> str:
        self.fresh += 1
        return f"{what}.{self.fresh}"

    def _set(self, expression: str) -> str:
        name = self._name()
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

    def _store(self, value: str, base: str, offset: int, type_: str = "i32") -> None:
        self.emit(f"store {type_} {value}, ptr {self._at(base, offset)}, align 4")

    # --- entry and dispatch ------------------------------------------------------------------

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

    def _prologue(self) -> None:
        if not self.context.is_kernel:
            self._enter()
            return
        self.prepare(["%spins = alloca i32, align 4"])
        self.emit("store i32 0, ptr %spins, align 4")
        self.emit("%lanes = alloca i32, align 4")
        self.emit(f"%frame.at = getelementptr inbounds i8, ptr %w, i64 {abi.WARP_FRAME}")
        self.emit("%frame = load ptr, ptr %frame.at, align 8")
        started = self._load("%frame", STARTED)
        fresh = self._set(f"icmp eq i32 {started}, 0")
        self.emit(f"br i1 {fresh}, label %start, label %resume")
        self.emit("start:")
        self._store("1", "%frame", STARTED)
        live = self._load("%w", abi.WARP_LIVE)
        self.emit(f"store i32 {live}, ptr %lanes, align 4")
        self._copy_parameters()
        self.emit("br label %node.0")
        self.emit("resume:")
        self._store("0", "%frame", WAIT_LANES)
        self._store("0", "%frame", WAIT_TRUE)
        for word in range(self.words):
            ready = self._load("%frame", self.runnable + 8 * word, "i64")
            behind = self._load("%frame", self.waiting + 8 * word, "i64")
            both = self._set(f"or i64 {ready}, {behind}")
            self._store(both, "%frame", self.runnable + 8 * word, "i64")
            self._store("0", "%frame", self.waiting + 8 * word, "i64")
        self.emit("br label %dispatch")

    def _enter(self) -> None:
        """The beginning of a called function: a frame of its own on the native stack."""
        state = state_layout(len(self.plan.nodes))[-1]
        self.prepare(["%spins = alloca i32, align 4"])
        self.emit("store i32 0, ptr %spins, align 4")
        self.emit("%lanes = alloca i32, align 4")
        self.emit(f"%frame = alloca [{self.plan.frame_bytes} x i8], align 64")
        left = self._set(f"sub i64 %stack, {self.plan.frame_bytes + 1024}")
        deep = self._set(f"icmp slt i64 {left}, 0")
        if self.plan.local_bytes:
            self.prepare(self.context.local_lines())
            end = self._set(f"add i64 %local.offset, {self.plan.local_bytes}")
            full = self._set(f"icmp ugt i64 {end}, %local.bytes")
            deep = self._set(f"or i1 {deep}, {full}")
        self.emit(f"br i1 {deep}, label %deep, label %start")
        self.emit("deep:")
        self._fault("@drano.text.deep", "%called")
        self.emit("start:")
        self.emit(f"call void @llvm.memset.p0.i64(ptr %frame, i8 0, i64 {state}, i1 false)")
        self.emit("store i32 %called, ptr %lanes, align 4")
        for argument in self.source.function.args:
            if argument.index in self.plan.allocas:
                self.prepare(self.context.local_lines())
                own = self._at("%local", self.plan.allocas[argument.index])
                self.emit(
                    f"call void @drano.copy.each(ptr {own}, ptr {self.argument(argument.index)}, "
                    f"i64 {argument.byval_size}, i64 %local.bytes, i32 %called)"
                )
        self.emit("br label %node.0")

    def _fault(self, text: str, mask: str) -> None:
        self.emit(
            f"call void @drano_fault(ptr %w, ptr @drano.unit, i32 {abi.NO_SITE}, i32 {mask}, "
            f"ptr {text})"
        )
        self.emit("br label %fault")

    def _copy_parameters(self) -> None:
        """Structure parameters that the kernel changes: each lane has its own."""
        for argument in self.source.function.args:
            if argument.index in self.plan.allocas:
                self.prepare(self.context.local_lines())
                given = self.argument(argument.index)
                own = self._at("%local", self.plan.allocas[argument.index])
                self.emit(
                    f"call void @drano.copies(ptr {own}, ptr {given}, i64 "
                    f"{argument.byval_size}, i64 {self.context.local_bytes})"
                )

    def _dispatch(self) -> None:
        """Find the lowest runnable node; none: report what the lanes wait for."""
        self.emit("dispatch:")
        for word in range(self.words):
            bits = self._load("%frame", self.runnable + 8 * word, "i64")
            some = self._set(f"icmp ne i64 {bits}, 0")
            self.emit(f"br i1 {some}, label %found.{word}, label %empty.{word}")
            self.emit(f"found.{word}:")
            low = self._set(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)")
            less = self._set(f"sub i64 {bits}, 1")
            rest = self._set(f"and i64 {bits}, {less}")
            self._store(rest, "%frame", self.runnable + 8 * word, "i64")
            self.emit(f"br label %run.{word}")
            self.emit(f"run.{word}:")
            chosen = f"[ {low}, %found.{word} ], [ %place.{word}, %high.{word} ]"
            low = self._set(f"phi i64 {chosen}")
            index = self._set(f"add i64 {low}, {64 * word}")
            at = self._set(f"getelementptr inbounds i8, ptr %frame, i64 {self.pending}")
            place = self._set(f"getelementptr inbounds i32, ptr {at}, i64 {index}")
            mask = self._set(f"load i32, ptr {place}, align 4")
            self.emit(f"store i32 0, ptr {place}, align 4")
            self.emit(f"store i32 {mask}, ptr %lanes, align 4")
            first, last = 64 * word, min(64 * word + 64, len(self.plan.nodes))
            cases = " ".join(f"i64 {n}, label %node.{n}" for n in range(first, last))
            self.emit(f"switch i64 {index}, label %stuck [ {cases} ]")
            self.emit(f"empty.{word}:")
        self._dispatch_aside()
        if not self.context.is_kernel:
            self.emit(f"ret i32 {abi.EXITED}")
            self.emit("stuck:")
            self.emit("unreachable")
            self.emit("fault:")
            self.emit(f"ret i32 {abi.FAULT}")
            return
        wait = self._load("%frame", WAIT_LANES)
        waits = self._set(f"icmp ne i32 {wait}, 0")
        self.emit(f"br i1 {waits}, label %barrier, label %done")
        self.emit("done:")
        self.emit(f"ret i32 {abi.EXITED}")
        self.emit("stuck:")
        self.emit("unreachable")
        self.emit("fault:")
        self.emit(f"ret i32 {abi.FAULT}")
        self.emit("clash:")
        self.emit(
            f"call void @drano_fault(ptr %w, ptr @drano.unit, i32 {abi.NO_SITE}, i32 -1, "
            "ptr @drano.text.clash)"
        )
        self.emit("br label %fault")
        self.emit("barrier:")
        ident = self._load("%frame", WAIT_ID)
        true = self._load("%frame", WAIT_TRUE)
        self._store(wait, "%w", abi.BARRIER_LANES)
        self._store(ident, "%w", abi.BARRIER_ID)
        self._store(true, "%w", abi.BARRIER_TRUE)
        grid = self._set(f"icmp eq i32 {ident}, {GRID_ID}")
        status = self._set(f"select i1 {grid}, i32 {abi.AT_GRID_BARRIER}, i32 {abi.AT_BARRIER}")
        self.emit(f"ret i32 {status}")

    def _dispatch_aside(self) -> None:
        """Nothing else can run: the lowest node of lanes put aside goes on without the others."""
        for word in range(self.words):
            bits = self._load("%frame", self.aside + 8 * word, "i64")
            some = self._set(f"icmp ne i64 {bits}, 0")
            self.emit(f"br i1 {some}, label %release.{word}, label %kept.{word}")
            self.emit(f"release.{word}:")
            less = self._set(f"sub i64 {bits}, 1")
            rest = self._set(f"and i64 {bits}, {less}")
            first = self._set(f"xor i64 {bits}, {rest}")
            self._store(rest, "%frame", self.aside + 8 * word, "i64")
            self._store(first, "%frame", self.runnable + 8 * word, "i64")
            self._store("1", "%frame", FORCED)
            self.emit("br label %dispatch")
            self.emit(f"kept.{word}:")

    # --- nodes -------------------------------------------------------------------------------

    def _node(self, node: Node) -> None:
        self.emit(f"node.{node.number}:")
        mask = self._set("load i32, ptr %lanes, align 4")
        if node.number in self.behind:
            self._barrier_result(self.behind[node.number], mask)
        if node.together is not None:
            self._meet(node, mask)
        for level, step in enumerate(node.steps):
            self._before(step, mask)
            if (node.number, level) in self.present:
                name = f"{self.context.symbol}.n{node.number}.s{level}"
                table = "null" if self.context.is_kernel else "%table"
                self.emit(f"call void @{name}(ptr %frame, ptr %w, i32 {mask}, ptr {table})")
        if node.barrier is not None and self.plan.recipes[node.barrier].role is Role.STOP:
            self._stop(node.barrier, mask)
        elif node.barrier is not None:
            self._barrier(node, mask)
        elif node.steps and node.steps[-1].ends:
            self._terminator(node, mask)
        else:
            self._go(node.number, node.number + 1, mask)

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
                self._count(item.site, mask, self._addresses(item))

    def _access(self, index: int, mask: str) -> None:
        """One load, store or atomic by its helper: arrays of addresses, operands, results."""
        i = self.source.definitions[index]
        if isinstance(i, m.Call):
            self._call(i, mask)
            return
        printed = split_top(scalar_text(self.source.text(index)))
        match i:
            case m.Load():
                texts = [printed[1]]
            case m.Store():
                texts = [printed[1], printed[0].removeprefix("store ")]
            case m.Atomic(op="cmpxchg"):
                pointer = re.sub(r"^cmpxchg (weak )?", "", printed[0])
                texts = [pointer, printed[1], printed[2].rsplit(" ", 2)[0]]
            case m.Atomic():
                pointer = printed[0].split(" ", 2)[2]
                texts = [pointer, printed[1].rsplit(" ", 1)[0]]
            case _:
                raise self.source.unsupported("access of memory", index)
        operands = [i.pointer, *_values(i)]
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
            self._unless_bad(f"call i32 @{quoted(call.callee)}(ptr %w, i32 {mask}, {rest})")
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

    def _count(self, site: int, mask: str, addresses: str) -> None:
        self._unless_bad(
            f"call i32 @drano_access(ptr %w, ptr @drano.unit, i32 {site}, i32 {mask}, "
            f"ptr {addresses})"
        )

    def _unless_bad(self, call: str) -> None:
        """Go on unless ``call`` says that the kernel must end."""
        bad = self._set(call)
        fails = self._set(f"icmp ne i32 {bad}, 0")
        on = self._label("counted")
        self.emit(f"br i1 {fails}, label %fault, label %{on}, !prof !8")
        self.emit(f"{on}:")

    def _addresses(self, mark: Mark) -> str:
        """The array of the lanes' addresses: a value's own, or one address for all."""
        return self._operand_array(mark, 1, self.plan.splat)

    def _operand_array(self, mark: Mark, number: int, scratch: int) -> str:
        """The array of an operand of a counting call."""
        call = self.source.definitions[mark.instruction]
        assert isinstance(call, m.Call)
        argument = split_top(inside_brackets(self.source.text(mark.instruction)))[number]
        return self._array(call.args[number], argument, scratch)

    def _array(self, operand: m.Operand, text: str, scratch: int) -> str:
        """The array of ``operand``, printed as ``text``; a uniform one is put at ``scratch``."""
        if self._has_array(operand):
            return self._base(operand.index)
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

    def _spread(self, typed: str, scratch: int) -> str:
        """A uniform aggregate or vector, once for each lane."""
        base = self._at("%frame", scratch)
        type_ = operand_type(typed)
        for lane in range(32):
            at = self._set(f"getelementptr inbounds {type_}, ptr {base}, i64 {lane}")
            self.emit(f"store {typed}, ptr {at}, align 1")
        return base

    def _count_range(self, mark: Mark, call: m.Call, mask: str) -> None:
        addresses = self._addresses(mark)
        lengths = self._operand_array(mark, 2, self.plan.splat + 512)
        chunk = call.args[3]
        assert isinstance(chunk, m.IntConst)
        self._unless_bad(
            f"call i32 @drano.range(ptr %w, i32 {mark.site}, i32 {mask}, ptr {addresses}, "
            f"ptr {lengths}, i64 {chunk.value})"
        )

    # --- where lanes go ----------------------------------------------------------------------

    def _go(self, here: int, to: int, mask: str) -> None:
        """All of ``mask`` goes to node ``to``: at once where no lower node can be runnable."""
        if to > here + 1:
            self._pend(to, mask)
            self.emit("br label %dispatch")
            return
        if to <= here:
            self._spin(to, mask)
        self._unmark(self.runnable, to)
        lanes = self._load("%frame", self.pending + 4 * to)
        self._store("0", "%frame", self.pending + 4 * to)
        both = self._set(f"or i32 {lanes}, {mask}")
        self.emit(f"store i32 {both}, ptr %lanes, align 4")
        self.emit(f"br label %node.{to}")

    def _spin(self, to: int, mask: str) -> None:
        """A loop that goes round very often may wait for lanes that are ahead: they get a turn."""
        count = self._set("load i32, ptr %spins, align 4")
        more = self._set(f"add i32 {count}, 1")
        self.emit(f"store i32 {more}, ptr %spins, align 4")
        low = self._set(f"and i32 {more}, {SPINS - 1}")
        often = self._set(f"icmp eq i32 {low}, 0")
        turn, on = self._label("turn"), self._label("round")
        self.emit(f"br i1 {often}, label %{turn}, label %{on}, !prof !8")
        self.emit(f"{turn}:")
        self._pend(to, mask)
        self.emit("br label %ahead")
        self.emit(f"{on}:")

    def _ahead(self) -> None:
        """The highest runnable node goes first, once."""
        self.emit("ahead:")
        for word in reversed(range(self.words)):
            bits = self._load("%frame", self.runnable + 8 * word, "i64")
            some = self._set(f"icmp ne i64 {bits}, 0")
            self.emit(f"br i1 {some}, label %high.{word}, label %below.{word}")
            self.emit(f"high.{word}:")
            zeros = self._set(f"call i64 @llvm.ctlz.i64(i64 {bits}, i1 true)")
            place = f"%place.{word}"
            self.emit(f"{place} = sub i64 63, {zeros}")
            bit = self._set(f"shl i64 1, {place}")
            rest = self._set(f"xor i64 {bits}, {bit}")
            self._store(rest, "%frame", self.runnable + 8 * word, "i64")
            self.emit(f"br label %run.{word}")
            self.emit(f"below.{word}:")
        self.emit("br label %dispatch")

    def _unmark(self, words: int, node: int) -> None:
        """Take ``node`` out of a set of nodes."""
        word, bit = divmod(node, 64)
        bits = self._load("%frame", words + 8 * word, "i64")
        rest = self._set(f"and i64 {bits}, {_signed(~(1 << bit) & _ALL)}")
        self._store(rest, "%frame", words + 8 * word, "i64")

    def _mark_node(self, words: int, node: int) -> None:
        """Put ``node`` into a set of nodes."""
        word, bit = divmod(node, 64)
        bits = self._load("%frame", words + 8 * word, "i64")
        more = self._set(f"or i64 {bits}, {_signed(1 << bit)}")
        self._store(more, "%frame", words + 8 * word, "i64")

    def _pend(self, to: int, mask: str, words: int | None = None) -> None:
        """``mask`` is pending at ``to``, which is in the set at ``words``: runnable if not said."""
        lanes = self._load("%frame", self.pending + 4 * to)
        both = self._set(f"or i32 {lanes}, {mask}")
        self._store(both, "%frame", self.pending + 4 * to)
        self._mark_node(self.runnable if words is None else words, to)

    def _terminator(self, node: Node, mask: str) -> None:
        end = self.source.function.blocks[node.block].terminator
        match end:
            case m.Return() | m.Unreachable():
                self._leave(mask)
            case m.Jump(target=target):
                self._go(node.number, self.plan.first_node[target], mask)
            case m.Branch() | m.Switch():
                self._branch(node, end, mask)
            case _:
                raise self.source.unsupported("terminator", end.index)

    def _branch(self, node: Node, end: m.Branch | m.Switch, mask: str) -> None:
        blocks = _targets(end)
        if len(blocks) == 1:
            self._go(node.number, self.plan.first_node[blocks[0]], mask)
            return
        rest = mask
        masks: list[tuple[int, str]] = []
        for number, block in enumerate(blocks[:-1]):
            base = self._at("%frame", self.plan.predicates + 32 * number)
            word = self._set(f"call i32 @drano.ballot(ptr {base})")
            taken = self._set(f"and i32 {word}, {rest}")
            rest = self._set(f"xor i32 {rest}, {taken}")
            masks.append((self.plan.first_node[block], taken))
        masks.append((self.plan.first_node[blocks[-1]], rest))
        if len(masks) == 2:
            self._fork(node.number, masks)
            return
        for to, lanes in masks:
            none = self._set(f"icmp eq i32 {lanes}, 0")
            put, on = self._label("put"), self._label("on")
            self.emit(f"br i1 {none}, label %{on}, label %{put}")
            self.emit(f"{put}:")
            self._pend(to, lanes)
            self.emit(f"br label %{on}")
            self.emit(f"{on}:")
        self.emit("br label %dispatch")

    def _fork(self, here: int, masks: list[tuple[int, str]]) -> None:
        """Two ways: the nearer node runs first; the other's lanes wait."""
        (near, near_lanes), (far, far_lanes) = sorted(masks)
        no_near = self._set(f"icmp eq i32 {near_lanes}, 0")
        all_far, some = self._label("all"), self._label("some")
        self.emit(f"br i1 {no_near}, label %{all_far}, label %{some}")
        self.emit(f"{all_far}:")
        self._go(here, far, far_lanes)
        self.emit(f"{some}:")
        no_far = self._set(f"icmp eq i32 {far_lanes}, 0")
        only, both = self._label("only"), self._label("both")
        self.emit(f"br i1 {no_far}, label %{only}, label %{both}")
        self.emit(f"{both}:")
        self._pend(far, far_lanes)
        self.emit(f"br label %{only}")
        self.emit(f"{only}:")
        self._go(here, near, near_lanes)

    # --- waiting -----------------------------------------------------------------------------

    def _barrier(self, node: Node, mask: str) -> None:
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
        on = self._label("arrive")
        self.emit(f"br i1 {clash}, label %clash, label %{on}")
        self.emit(f"{on}:")
        all_ = self._set(f"or i32 {others}, {mask}")
        self._store(all_, "%frame", WAIT_LANES)
        self._store(ident, "%frame", WAIT_ID)
        self._store(threads, "%w", abi.BARRIER_THREADS)
        self._store(str(int(arrive)), "%w", abi.BARRIER_ARRIVE)
        if red:
            true = self._predicate_word(
                call, split_top(inside_brackets(self.source.text(node.barrier)))[-1]
            )
            inside = self._set(f"and i32 {true}, {mask}")
            before = self._load("%frame", WAIT_TRUE)
            self._store(self._set(f"or i32 {before}, {inside}"), "%frame", WAIT_TRUE)
        self._pend(node.number + 1, mask, self.waiting)
        self.emit("br label %dispatch")

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

    def _stop(self, index: int, mask: str) -> None:
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

    def _leave(self, mask: str) -> None:
        """The lanes have ended."""
        if not self.context.is_kernel:
            self.emit("br label %dispatch")
            return
        live = self._load("%w", abi.WARP_LIVE)
        gone = self._set(f"xor i32 {mask}, -1")
        self._store(self._set(f"and i32 {live}, {gone}"), "%w", abi.WARP_LIVE)
        self.emit("br label %dispatch")

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
            wanted = self.operand(argument).rpartition(" ")[2]
        live = self._load("%w", abi.WARP_LIVE) if self.context.is_kernel else "%called"
        alive = self._set(f"and i32 {wanted}, {live}")
        here = self._set(f"xor i32 {mask}, -1")
        missing = self._set(f"and i32 {alive}, {here}")
        lacks = self._set(f"icmp ne i32 {missing}, 0")
        look, put, on = self._label("look"), self._label("aside"), self._label("met")
        self.emit(f"br i1 {lacks}, label %{look}, label %{on}")
        self.emit(f"{look}:")
        any_ = "0"
        for word in range(self.words):
            for nodes in (self.runnable, self.aside):
                bits = self._load("%frame", nodes + 8 * word, "i64")
                any_ = self._set(f"or i64 {any_}, {bits}")
        some = self._set(f"icmp ne i64 {any_}, 0")
        forced = self._load("%frame", FORCED)
        self._store("0", "%frame", FORCED)
        free = self._set(f"icmp eq i32 {forced}, 0")
        others = self._set(f"and i1 {some}, {free}")
        self.emit(f"br i1 {others}, label %{put}, label %{on}")
        self.emit(f"{put}:")
        self._pend(node.number, mask, self.aside)
        self.emit("br label %dispatch")
        self.emit(f"{on}:")


def _targets(end: m.Branch | m.Switch) -> list[int]:
    """Blocks in the order of their predicates; the last one has none."""
    if isinstance(end, m.Branch):
        return [end.if_true] if end.if_true == end.if_false else [end.if_true, end.if_false]
    cases = dict.fromkeys(block for _, block in end.cases if block != end.default)
    return [*cases, end.default]


def _values(i: m.Load | m.Store | m.Atomic) -> tuple[m.Operand, ...]:
    match i:
        case m.Load():
            return ()
        case m.Store():
            return (i.value,)
        case m.Atomic():
            return i.operands


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word
