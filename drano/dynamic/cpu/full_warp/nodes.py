"""Nodes for full warps: no masks, values in registers, simple loops as loops.

Means: each node is generated a second time for the case that all 32 lanes are at it and none is
pending elsewhere. What this form cannot express raises ``NotFullError``, and the node keeps its
general form only. At its end, values that other nodes need are stored where the general form stores
them, so lanes can diverge at any branch.
Assumptions: ``drano_block.tallies`` is set only where every site with a proof satisfies it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from drano.dynamic.cpu import abi
from drano.dynamic.cpu.full_warp.accesses import FullMemory
from drano.dynamic.cpu.full_warp.values import FullValues, NotFullError, vector_of
from drano.dynamic.cpu.plan import Mark, Node
from drano.dynamic.cpu.recipes import Role
from drano.dynamic.cpu.translated_text import operand_value, scalar_text
from drano.dynamic.cpu.visit_counts import count_lines, full_lines
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.printed_instructions import split_top
from drano.ir import model as m

if TYPE_CHECKING:
    from drano.dynamic.cpu.scheduler.step_function import Driver

MOST_INSTRUCTIONS = 1500
"""Of a kernel: more would take longer to compile than most programs run."""
_MOST_NODES = 8
_INCOMING = re.compile(r'\[ (.*), (%(?:"[^"]*"|[-\w.$]+)) \]$')


class FullWarp:
    """Writes the nodes of one kernel for full warps; used once."""

    def __init__(self, driver: Driver, sites: Mapping[int, DeviceSite]) -> None:
        self.driver = driver
        self.source = driver.source
        self.plan = driver.plan
        self.values = FullValues(driver.context, driver.preamble, driver.emit, driver.name)
        self.memory = FullMemory(driver, self.values, sites, min(sites, default=0))
        self.small = len(self.source.definitions) <= MOST_INSTRUCTIONS

    def prologue(self) -> list[str]:
        """Instructions of the first block, for ``%tallies``, ``%full.ok`` and ``%stop``."""
        return [
            f"%full.block.at = getelementptr inbounds i8, ptr %w, i64 {abi.WARP_BLOCK}",
            "%full.block = load ptr, ptr %full.block.at, align 8",
            f"%tallies.at = getelementptr inbounds i8, ptr %full.block, i64 {abi.BLOCK_TALLIES}",
            "%tallies = load ptr, ptr %tallies.at, align 8",
            "%full.ok = icmp ne ptr %tallies, null",
            f"%stop.at = getelementptr inbounds i8, ptr %full.block, i64 {abi.BLOCK_STOP}",
            "%stop = load ptr, ptr %stop.at, align 8",
        ]

    def write(self, node: Node, mask: str) -> None:
        """The node for a full warp, if there is a form of it, and the choice."""
        if not self.small or not self.driver.context.is_kernel or not node.steps:
            return
        start, number = len(self.driver.lines), node.number
        self.values.prepare(self.prologue())
        every = self.values.set(f"icmp eq i32 {mask}, -1")
        chosen = self.values.set(f"and i1 {every}, %full.ok")
        self.values.emit(f"br i1 {chosen}, label %w.full.{number}, label %w.few.{number}")
        self.values.emit(f"w.full.{number}:")
        self.values.reset()
        self.memory.reset()
        try:
            row = self._row(node)
            if row:
                self._loop(row)
            else:
                self._straight(node)
        except NotFullError:
            del self.driver.lines[start:]
            return
        self.values.emit(f"w.few.{number}:")

    # --- a node ------------------------------------------------------------------------------

    def _steps(self, node: Node) -> None:
        for step in node.steps:
            for item in step.before:
                if isinstance(item, Mark):
                    self.memory.count(item)
                else:
                    self.memory.access(item)
            for index in step.instructions:
                if self.plan.recipes[index].role is Role.PRIVATE:
                    self.memory.private(index)
                else:
                    self.values.arithmetic([index])

    def _made(self, node: Node) -> list[int]:
        """Values of the node that other nodes need."""
        return [
            index
            for step in node.steps
            for index in (*step.accesses(), *step.instructions)
            if index in self.plan.lasting and index in self.plan.slots
        ]

    def _keep(self, node: Node) -> None:
        for index in self._made(node):
            self.values.keep(index, self.values.every(index))

    def _straight(self, node: Node) -> None:
        self._steps(node)
        self._keep(node)
        if node.barrier is not None and self.plan.recipes[node.barrier].role is Role.STOP:
            self.driver.stop(node.barrier, "-1")
        elif node.barrier is not None:
            self.driver.barrier(node, "-1")
        elif node.steps[-1].ends:
            self._terminator(node)
        else:
            self._go(node, node.number + 1)

    def _go(self, node: Node, to: int) -> None:
        if to <= node.number:
            self._check_stop()
            if self.driver.observes(to, node.number):
                self.driver.spin(to, "-1")
        self.values.emit("store i32 -1, ptr %lanes, align 4")
        self.values.emit(f"br label %node.{to}")

    def _check_stop(self) -> None:
        stop = self.values.set("load atomic i32, ptr %stop monotonic, align 4")
        ends = self.values.set(f"icmp ne i32 {stop}, 0")
        on = self.driver.label("on")
        self.values.emit(f"br i1 {ends}, label %fault, label %{on}, !prof !8")
        self.values.emit(f"{on}:")

    # --- where it goes -----------------------------------------------------------------------

    def _terminator(self, node: Node) -> None:
        end = self.source.function.blocks[node.block].terminator
        match end:
            case m.Return() | m.Unreachable():
                self.driver.store("0", "%w", abi.WARP_LIVE)
                self.values.emit("br label %done")
            case m.Jump(target=target):
                self._edge(node, target)
            case m.Branch(if_true=yes, if_false=no) if yes == no:
                self._edge(node, yes)
            case m.Branch():
                self._branch(node, end)
            case m.Switch() if self.values.operand_is_uniform(end.value):
                self._switch(node, end)
            case _:
                raise NotFullError(type(end).__name__)

    def _edge(self, node: Node, target: int) -> None:
        """All lanes go to ``target``."""
        phis = self._phis(target)
        vectors = [(phi, self._incoming(phi, node.block)) for phi in phis]
        for phi, vector in vectors:
            self.values.keep(phi.index, vector)
        self._go(node, self.plan.first_node[target])

    def _condition(self, end: m.Branch) -> str:
        text = self.source.text(end.index).split(",")[0].removeprefix("br i1 ")
        if self.values.operand_is_uniform(end.condition):
            scalar = operand_value(self.values.operand(f"i1 {text}"))
            return self.values.splat("i1", scalar)
        return self.values.operand_vector(text, "i1")

    def _branch(self, node: Node, end: m.Branch) -> None:
        v, here = self.values, node.number
        taken = self._condition(end)
        word = v.set(f"bitcast <32 x i1> {taken} to i32")
        every, some, none, part = (f"w.{way}.{here}" for way in ("all", "some", "none", "part"))
        v.emit(f"br i1 {v.set(f'icmp eq i32 {word}, -1')}, label %{every}, label %{some}")
        state = v.saved()
        v.emit(f"{every}:")
        self._edge(node, end.if_true)
        v.restore(state)
        v.emit(f"{some}:")
        v.emit(f"br i1 {v.set(f'icmp eq i32 {word}, 0')}, label %{none}, label %{part}")
        v.emit(f"{none}:")
        self._edge(node, end.if_false)
        v.restore(state)
        v.emit(f"{part}:")
        self._part(node, [(end.if_true, word, taken), (end.if_false, *self._other(word, taken))])

    def _other(self, word: str, taken: str) -> tuple[str, str]:
        other = self.values.set(f"xor <32 x i1> {taken}, splat (i1 true)")
        return self.values.set(f"xor i32 {word}, -1"), other

    def _part(self, node: Node, ways: list[tuple[int, str, str]]) -> None:
        """Lanes go to two blocks: each phi changes for those that come to it."""
        changed: dict[int, str] = {}
        for target, _, lanes in ways:
            for phi in self._phis(target):
                new = self._incoming(phi, node.block)
                old = changed.get(phi.index) or self.values.every(phi.index)
                changed[phi.index] = self._blend(phi, lanes, new, old)
        for index, vector in changed.items():
            self.values.keep(index, vector)
        self.driver.fork(
            node.number, [(self.plan.first_node[target], word) for target, word, _ in ways]
        )

    def _blend(self, phi: m.Phi, lanes: str, new: str, old: str) -> str:
        vector = vector_of(self.values.type_text(phi.index))
        return self.values.set(f"select <32 x i1> {lanes}, {vector} {new}, {vector} {old}")

    def _switch(self, node: Node, end: m.Switch) -> None:
        text = self.source.text(end.index)
        type_ = text.split(" ")[1]
        value = operand_value(
            self.values.operand(f"{type_} {split_top(text)[0].removeprefix(f'switch {type_} ')}")
        )
        labels = {block: self.driver.label("case") for block in dict.fromkeys(
            [end.default, *(block for _, block in end.cases)]
        )}  # fmt: skip
        cases = " ".join(f"{type_} {case}, label %{labels[block]}" for case, block in end.cases)
        self.values.emit(f"switch {type_} {value}, label %{labels[end.default]} [ {cases} ]")
        state = self.values.saved()
        for block, label in labels.items():
            self.values.emit(f"{label}:")
            self._edge(node, block)
            self.values.restore(state)

    def _phis(self, target: int) -> list[m.Phi]:
        found = []
        for instruction in self.source.function.blocks[target].instructions:
            if not isinstance(instruction, m.Phi):
                break
            found.append(instruction)
        return found

    def _incoming_text(self, phi: m.Phi, block: int) -> str:
        parts = split_top(scalar_text(self.source.text(phi.index)))
        for part, (_, origin) in zip(parts, phi.incoming, strict=True):
            match = _INCOMING.search(part)
            if origin == block and match is not None:
                return match[1]
        raise NotFullError("phi without a value for an edge")

    def _incoming(self, phi: m.Phi, block: int) -> str:
        text = self._incoming_text(phi, block)
        return self.values.operand_vector(text, self.values.type_text(phi.index))

    # --- loops that stay loops ---------------------------------------------------------------

    def _row(self, node: Node) -> list[Node]:
        """The nodes of the loop that begins here when they stand in a row, and the first or the
        last one tests whether it goes on; else none.
        """
        row = [node]
        while node.block not in (targets := self._targets(row[-1])):
            if not targets or (len(targets) > 1 and len(row) > 1) or len(row) == _MOST_NODES:
                return []
            target = min(targets, key=self.plan.first_node.__getitem__)
            following = self.plan.nodes[self.plan.first_node[target]]
            if following.number <= row[-1].number or self._phis(target):
                return []
            row.append(following)
        testers = [n for n in row if len(self._targets(n)) > 1]
        if len(testers) != 1 or testers[0] not in (node, row[-1]):
            return []
        return [] if self.driver.observes(node.number, row[-1].number) else row

    def _targets(self, node: Node) -> tuple[int, ...]:
        """Where a node without barriers goes; nowhere when it has some."""
        end = self.source.function.blocks[node.block].terminator
        simple = (
            node.barrier is None
            and node.together is None
            and node.number not in self.driver.behind
            and self.plan.first_node[node.block] == node.number
            and bool(node.steps)
            and node.steps[-1].ends
        )
        match end:
            case m.Jump(target=target) if simple:
                return (target,)
            case m.Branch(if_true=yes, if_false=no) if simple and yes != no:
                return yes, no
            case _:
                return ()

    def _loop(self, row: list[Node]) -> None:
        """All rounds that a full warp makes, as a loop."""
        v, first, here = self.values, row[0], row[0].number
        phis = self._phis(first.block)
        starts = [(v.load_every(phi.index), v.first(phi.index)) for phi in phis]
        self.memory.loop = {}
        entry = len(self.driver.lines)
        v.emit(f"br label %w.loop.{here}")
        v.emit(f"w.loop.{here}:")
        places = []
        for phi in phis:
            places.append(len(self.driver.lines))
            v.emit("phi")
            v.emit("phi")
            names = f"%w.v.{here}.{phi.index}", f"%w.s.{here}.{phi.index}"
            v.define(phi.index, vector=names[0], scalar=names[1])
        tester = next(n for n in row if len(self._targets(n)) > 1)
        before, after = row[: row.index(tester) + 1], row[row.index(tester) + 1 :]
        for node in before:
            self._steps(node)
        end = self.source.function.blocks[tester.block].terminator
        assert isinstance(end, m.Branch)
        inside = (after or row)[0].block
        taken = self._condition(end)
        if end.if_false == inside:
            taken = v.set(f"xor <32 x i1> {taken}, splat (i1 true)")
        word = v.set(f"bitcast <32 x i1> {taken} to i32")
        every = v.set(f"icmp eq i32 {word}, -1")
        v.emit(f"br i1 {every}, label %w.again.{here}, label %w.leave.{here}")
        state = v.saved()
        v.emit(f"w.again.{here}:")
        self._count_round(here)
        self._check_stop()
        for node in after:
            self._steps(node)
        latch, back = f"w.latch.{here}", row[-1].block
        v.emit(f"br label %{latch}")
        v.emit(f"{latch}:")
        for place, phi, start in zip(places, phis, starts, strict=True):
            type_, text = v.type_text(phi.index), self._incoming_text(phi, back)
            news = v.operand_vector(text, type_), operand_value(v.operand(f"{type_} {text}"))
            for k, kind in enumerate((vector_of(type_), type_)):
                self.driver.lines[place + k] = (
                    f"%w.{'vs'[k]}.{here}.{phi.index} = phi {kind} "
                    f"[ {start[k]}, %w.full.{here} ], [ {news[k]}, %{latch} ]"
                )
        v.emit(f"br label %w.loop.{here}")
        v.restore(state)
        v.emit(f"w.leave.{here}:")
        self.memory.leave_loop()
        for node in row:
            name = f"%w.visits.{here}.{node.number}"
            for line in full_lines(node.block, f"%w.rounds.{here}", name):
                v.emit(line)
        for node in before[1:]:  # the first round's
            for line in count_lines(node.block, "-1", f"%w.visit.{here}.{node.number}"):
                v.emit(line)
        for node in before:
            self._keep(node)
        outside = end.if_true if end.if_false == inside else end.if_false
        self._leave_loop(tester, phis, (inside, outside), word, taken)
        counters = (f"%w.rounds.{here}", *self.memory.loop.values())
        zeros = [f"store i64 0, ptr {name}, align 8" for name in counters]
        self.driver.lines[entry:entry] = zeros

    def _count_round(self, here: int) -> None:
        v, rounds = self.values, f"%w.rounds.{here}"
        v.prepare([f"{rounds} = alloca i64, align 8"])
        more = v.set(f"add i64 {v.set(f'load i64, ptr {rounds}, align 8')}, 1")
        v.emit(f"store i64 {more}, ptr {rounds}, align 8")

    def _leave_loop(
        self, node: Node, phis: list[m.Phi], ways: tuple[int, int], word: str, taken: str
    ) -> None:
        """From the loop's test: all lanes leave, or some do."""
        v, here, (inside, outside) = self.values, node.number, ways
        out, part = f"w.out.{here}", f"w.part.{here}"
        v.emit(f"br i1 {v.set(f'icmp eq i32 {word}, 0')}, label %{out}, label %{part}")
        state = v.saved()
        v.emit(f"{out}:")
        for phi in phis:
            v.keep(phi.index, v.every(phi.index))
        self._edge(node, outside)
        v.restore(state)
        v.emit(f"{part}:")
        for phi in phis:
            v.keep(phi.index, v.every(phi.index))
        self._part(node, [(inside, word, taken), (outside, *self._other(word, taken))])
