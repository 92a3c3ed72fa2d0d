"""The scheduler of a kernel: its step function, which runs one warp until it waits or is done.

Means: each node has a word of pending lanes. The lowest node with pending lanes runs next, with all
of them. Lanes that diverge become pending at two nodes; those ahead wait until the others reach the
same node. A successor node, or a loop's head, is entered directly. Lanes at a barrier are pending
at the node behind it, which cannot run until the run-time library calls again. Lanes that must meet
others are set aside while any other node can run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from drano.dynamic.cpu import abi
from drano.dynamic.cpu.context import FunctionContext
from drano.dynamic.cpu.full_warp.nodes import FullWarp
from drano.dynamic.cpu.plan import Node, state_layout
from drano.dynamic.cpu.recipes import Role
from drano.dynamic.cpu.scheduler.all_lanes import MemoryDriver
from drano.dynamic.cpu.scheduler.vocabulary import FORCED, STARTED, WAIT_ID, WAIT_LANES, WAIT_TRUE
from drano.dynamic.cpu.scheduler.waiting import GRID_ID, WaitingDriver
from drano.dynamic.cpu.translated_text import quoted
from drano.dynamic.cpu.visit_counts import count_lines, table_lines
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.ir import model as m

YIELDED = 2
"""Value of ``STARTED`` in the frame of a warp that goes on where it spun."""
_BLIND = ("llvm.", "__nv_", "__drano_access")
_ORDERING = ("llvm.nvvm.membar", "llvm.nvvm.fence", "llvm.nvvm.nanosleep", "llvm.nvvm.bar")
SPINS = 1 << 12
"""Rounds of loops after which lanes that wait further ahead get a turn; a power of two."""


class Driver(MemoryDriver, WaitingDriver):
    """Writes the step function of one kernel, or a function that is called; used once."""

    def __init__(
        self,
        context: FunctionContext,
        present: Collection[tuple[int, int]],
        sites: Mapping[int, DeviceSite],
    ) -> None:
        super().__init__(context)
        self.present = present
        self.full = FullWarp(self, sites)
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
            shown = f"@{quoted(name)}" in self.context.unit.renamed.values()
            linkage = "" if shown else "internal "
        constants = "".join(f"{line}\n" for line in self.definitions)
        return f"{constants}define {linkage}i32 @{quoted(name)}({parameters}) #1 {{\n{body}\n}}\n"

    # --- entry and dispatch ------------------------------------------------------------------

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
        state = state_layout(len(self.plan.nodes))[-1]
        self.emit(f"call void @llvm.memset.p0.i64(ptr %frame, i8 0, i64 {state}, i1 false)")
        self.store("1", "%frame", STARTED)
        live = self._load("%w", abi.WARP_LIVE)
        self.emit(f"store i32 {live}, ptr %lanes, align 4")
        self._copy_parameters()
        self.emit("br label %node.0")
        self.emit("resume:")
        yielded = self._set(f"icmp eq i32 {started}, {YIELDED}")
        self.emit(f"br i1 {yielded}, label %back, label %released")
        self.emit("back:")
        self.store("1", "%frame", STARTED)
        self.emit("br label %ahead")
        self.emit("released:")
        self.store("0", "%frame", WAIT_LANES)
        self.store("0", "%frame", WAIT_TRUE)
        for word in range(self.words):
            ready = self._load("%frame", self.runnable + 8 * word, "i64")
            behind = self._load("%frame", self.waiting + 8 * word, "i64")
            both = self._set(f"or i64 {ready}, {behind}")
            self.store(both, "%frame", self.runnable + 8 * word, "i64")
            self.store("0", "%frame", self.waiting + 8 * word, "i64")
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
            self.store(rest, "%frame", self.runnable + 8 * word, "i64")
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
        self.store(wait, "%w", abi.BARRIER_LANES)
        self.store(ident, "%w", abi.BARRIER_ID)
        self.store(true, "%w", abi.BARRIER_TRUE)
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
            self.store(rest, "%frame", self.aside + 8 * word, "i64")
            self.store(first, "%frame", self.runnable + 8 * word, "i64")
            self.store("1", "%frame", FORCED)
            self.emit("br label %dispatch")
            self.emit(f"kept.{word}:")

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
            self.store(rest, "%frame", self.runnable + 8 * word, "i64")
            self.emit(f"br label %run.{word}")
            self.emit(f"below.{word}:")
        self.emit("br label %dispatch")

    # --- nodes and where lanes go ------------------------------------------------------------

    def _node(self, node: Node) -> None:
        self.emit(f"node.{node.number}:")
        mask = self._set("load i32, ptr %lanes, align 4")
        self._count_visit(node, mask)
        if node.number in self.behind:
            self._barrier_result(self.behind[node.number], mask)
        if node.together is not None:
            self._meet(node, mask)
        self.full.write(node, mask)
        for level, step in enumerate(node.steps):
            self._before(step, mask)
            if (node.number, level) in self.present:
                name = f"{self.context.symbol}.n{node.number}.s{level}"
                table = "null" if self.context.is_kernel else "%table"
                self.emit(f"call void @{name}(ptr %frame, ptr %w, i32 {mask}, ptr {table})")
        if node.barrier is not None and self.plan.recipes[node.barrier].role is Role.STOP:
            self.stop(node.barrier, mask)
        elif node.barrier is not None:
            self.barrier(node, mask)
        elif node.steps and node.steps[-1].ends:
            self._terminator(node, mask)
        else:
            self._go(node.number, node.number + 1, mask)

    def _count_visit(self, node: Node, mask: str) -> None:
        """Of a block, where it begins."""
        if node.number == self.plan.first_node[node.block]:
            self.prepare(table_lines(self.context.first_block))
            for line in count_lines(node.block, mask, f"%visit.{node.number}"):
                self.emit(line)

    def _go(self, here: int, to: int, mask: str) -> None:
        """All of ``mask`` goes to node ``to``: at once where no lower node can be runnable."""
        if to > here + 1:
            self._pend(to, mask)
            self.emit("br label %dispatch")
            return
        if to <= here and self.observes(to, here):
            self.spin(to, mask)
        self._unmark(self.runnable, to)
        lanes = self._load("%frame", self.pending + 4 * to)
        self.store("0", "%frame", self.pending + 4 * to)
        both = self._set(f"or i32 {lanes}, {mask}")
        self.emit(f"store i32 {both}, ptr %lanes, align 4")
        self.emit(f"br label %node.{to}")

    def observes(self, first: int, last: int) -> bool:
        """Whether a loop of these nodes may see what other threads do meanwhile: by an atomic or
        volatile access, or a call that orders accesses or has effects.
        """
        blocks = {node.block for node in self.plan.nodes[first : last + 1]}
        instructions = (i for b in blocks for i in self.source.function.blocks[b].instructions)
        return any(_observes(i) for i in instructions)

    def spin(self, to: int, mask: str) -> None:
        """A loop that goes round very often may wait for other warps, or for lanes that are ahead:
        these get a turn.
        """
        count = self._set("load i32, ptr %spins, align 4")
        more = self._set(f"add i32 {count}, 1")
        self.emit(f"store i32 {more}, ptr %spins, align 4")
        low = self._set(f"and i32 {more}, {SPINS - 1}")
        often = self._set(f"icmp eq i32 {low}, 0")
        turn, on = self.label("turn"), self.label("round")
        self.emit(f"br i1 {often}, label %{turn}, label %{on}, !prof !8")
        self.emit(f"{turn}:")
        self._pend(to, mask)
        if self.context.is_kernel:
            self.store(str(YIELDED), "%frame", STARTED)
            self.emit(f"ret i32 {abi.YIELD}")
        else:
            self.emit("br label %ahead")
        self.emit(f"{on}:")

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
            self.fork(node.number, masks)
            return
        for to, lanes in masks:
            none = self._set(f"icmp eq i32 {lanes}, 0")
            put, on = self.label("put"), self.label("on")
            self.emit(f"br i1 {none}, label %{on}, label %{put}")
            self.emit(f"{put}:")
            self._pend(to, lanes)
            self.emit(f"br label %{on}")
            self.emit(f"{on}:")
        self.emit("br label %dispatch")

    def fork(self, here: int, masks: list[tuple[int, str]]) -> None:
        """Two ways: the nearer node runs first; the other's lanes wait."""
        (near, near_lanes), (far, far_lanes) = sorted(masks)
        no_near = self._set(f"icmp eq i32 {near_lanes}, 0")
        all_far, some = self.label("all"), self.label("some")
        self.emit(f"br i1 {no_near}, label %{all_far}, label %{some}")
        self.emit(f"{all_far}:")
        self._go(here, far, far_lanes)
        self.emit(f"{some}:")
        no_far = self._set(f"icmp eq i32 {far_lanes}, 0")
        only, both = self.label("only"), self.label("both")
        self.emit(f"br i1 {no_far}, label %{only}, label %{both}")
        self.emit(f"{both}:")
        self._pend(far, far_lanes)
        self.emit(f"br label %{only}")
        self.emit(f"{only}:")
        self._go(here, near, near_lanes)


def _observes(i: m.Instruction) -> bool:
    match i:
        case m.Load():
            return i.volatile or i.atomic
        case m.Atomic():
            return True
        case m.Call():
            name = i.callee or ""
            return name.startswith(_ORDERING) or not name.startswith(_BLIND)
        case m.Opaque():
            return True
        case _:
            return False


def _targets(end: m.Branch | m.Switch) -> list[int]:
    """Blocks in the order of their predicates; the last one has none."""
    if isinstance(end, m.Branch):
        return [end.if_true] if end.if_true == end.if_false else [end.if_true, end.if_false]
    cases = dict.fromkeys(block for _, block in end.cases if block != end.default)
    return [*cases, end.default]
