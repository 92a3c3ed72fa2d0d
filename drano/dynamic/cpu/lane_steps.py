"""One step of a node as a native function: a loop over the lanes around the scalar instructions.

Means: a step of pure arithmetic computes all 32 lanes and keeps the results of the active ones,
which LLVM's vectoriser turns into SIMD (lock step makes the iterations independent, and the loop
says so). Any other step visits the active lanes one by one. Values of earlier steps are read from
the frame's arrays; values that later steps need are written back there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from drano.dynamic.cpu.context import FunctionContext
from drano.dynamic.cpu.device_function import memory_align
from drano.dynamic.cpu.instructions import InstructionWriter
from drano.dynamic.cpu.plan import Node, Slot, Step
from drano.dynamic.cpu.translated_text import operand_type, operand_value, scalar_text
from drano.dynamic.instrument.printed_instructions import split_top
from drano.ir import model as m

_MEMORY = re.compile(r"(?:%\S+ = )?(?:tail )?(load|store|call|atomicrmw|cmpxchg|fence) ")
_INCOMING = re.compile(r'\[ (.*), (%(?:"[^"]*"|[-\w.$]+)) \]$')


class LaneFunction(InstructionWriter):
    """Writes the function of one step; used once."""

    def __init__(self, context: FunctionContext, node: Node, level: int) -> None:
        super().__init__(context)
        self.node = node
        self.step: Step = node.steps[level]
        self.name = f"{context.symbol}.n{node.number}.s{level}"
        self.body: list[str] = []
        self.ready: set[int] = set()

    def is_empty(self) -> bool:
        """Whether nothing is to be done for the lanes."""
        return not self.step.instructions and not (self.step.ends and self._end_has_work())

    def _end_has_work(self) -> bool:
        block = self.source.function.blocks[self.node.block]
        if len(block.successors) > 1:
            return True
        if isinstance(block.terminator, m.Return) and block.terminator.value is not None:
            return True
        return any(
            isinstance(self.source.function.blocks[s].instructions[0], m.Phi)
            for s in block.successors
        )

    def text(self) -> str:
        """The function's definition."""
        made = list(self.step.instructions)
        for index in made:
            self._instruction(index)
        ending = self._ending() if self.step.ends else []
        for index in made:
            slot = self.plan.slots.get(index)
            if slot is not None:
                self._store(index, f"%v.{index}", slot)
        self.body += ending
        body = "\n".join(f"  {line}" for line in self.body)
        preamble = "\n".join(f"  {line}" for line in self.preamble.values())
        frame = _CONDITIONAL if self.step.conditional else _PURE
        return frame.format(
            name=self.name, preamble=preamble, body=body.replace("%v.mask", "%mask")
        )

    # --- values ------------------------------------------------------------------------------

    def value(self, value: int) -> str:
        """The name of ``value`` in the body, made available."""
        if value < len(self.source.function.args):
            if value not in self.plan.allocas and self.context.is_kernel:
                return self.argument(value)
            if value not in self.ready:
                self.ready.add(value)
                if value in self.plan.allocas:
                    self._alloca(value)
                else:
                    self._load(value)
            return f"%v.{value}"
        if value not in self.ready:
            self.ready.add(value)
            if value in self.plan.repeated:
                self._instruction(value)
            else:
                self._load(value)
        return f"%v.{value}"

    def _array(self, value: int) -> str:
        """The name of the base address of a value's array."""
        if value < len(self.source.function.args):
            return self.argument(value)
        name = f"%s.{value}"
        offset = self.plan.slots[value].offset
        self.preamble[name] = f"{name} = getelementptr inbounds i8, ptr %frame, i64 {offset}"
        return name

    def _load(self, value: int) -> None:
        align = memory_align(self.source.type_of(value))
        type_ = self.source.type_text(value)
        memory = "i8" if type_ == "i1" else type_
        base = self._array(value)
        at = f"%v.{value}.p"
        self.emit(f"{at} = getelementptr inbounds {memory}, ptr {base}, i64 %v.lane")
        if type_ == "i1":
            self.emit(f"%v.{value}.b = load i8, ptr {at}, align 1")
            self.emit(f"%v.{value} = trunc i8 %v.{value}.b to i1")
        else:
            self.emit(f"%v.{value} = load {memory}, ptr {at}, align {align}")

    def _store(self, value: int, name: str, slot: Slot) -> None:
        type_ = self.source.type_text(value)
        memory = "i8" if type_ == "i1" else type_
        base = self._array(value)
        at = f"%v.{value}.q"
        self.emit(f"{at} = getelementptr inbounds {memory}, ptr {base}, i64 %v.lane")
        if type_ == "i1":
            self.emit(f"%v.{value}.c = zext i1 {name} to i8")
            name = f"%v.{value}.c"
        if not self.step.conditional:
            # Other lanes keep what they have. No branch: that is what vectorises best.
            self.emit(f"%v.{value}.k = load {memory}, ptr {at}, align {slot.align}")
            self.emit(f"%v.{value}.s = select i1 %v.on, {memory} {name}, {memory} %v.{value}.k")
            name = f"%v.{value}.s"
        self.emit(f"store {memory} {name}, ptr {at}, align {slot.align}")

    def emit(self, line: str) -> None:
        """Add an instruction to the loop's body; what touches memory belongs to its group."""
        if _MEMORY.match(line):
            line += ", !llvm.access.group !0"
        self.body.append(line)

    # --- instructions ------------------------------------------------------------------------

    def _instruction(self, index: int) -> None:
        self.ready.add(index)
        instruction = self.source.definitions[index]
        if isinstance(instruction, m.Alloca):
            self._alloca(index)
            return
        result = "" if isinstance(instruction.type, m.VoidType) else f"%v.{index} = "
        self.emit(result + self.scalar(instruction))

    def array_argument(self, i: m.Call, number: int, argument: str) -> str:
        """The array of an operand; one that all lanes share is spread first."""
        operand = i.args[number]
        if isinstance(operand, m.Local) and not self._is_uniform(operand.index):
            return self._array(operand.index)
        type_, value = operand_type(argument), operand_value(argument)
        name = f"%u.{i.index}.{number}"
        value = self.operand(value)
        computed_here = value.startswith("%ce.")
        lines = []
        if type_ == "i1":
            lines = [f"{name}.z = zext i1 {value} to i8"]
            type_, value = "i8", f"{name}.z"
        vector = f"<32 x {type_}>"
        lines += [
            f"{name}.i = insertelement {vector} poison, {type_} {value}, i64 0",
            f"{name}.v = shufflevector {vector} {name}.i, {vector} poison, "
            "<32 x i32> zeroinitializer",
            f"store {vector} {name}.v, ptr {name}, align 64",
        ]
        self.preamble[name] = f"{name} = alloca {vector}, align 64"
        if computed_here:
            for line in lines:
                self.emit(line)
        else:
            self.preamble |= {f"{name}.{n}": line for n, line in enumerate(lines)}
        return name

    def _is_uniform(self, value: int) -> bool:
        return value < len(self.source.function.args) and self.context.is_kernel

    def _alloca(self, index: int) -> None:
        self.prepare(self.context.local_lines())
        offset = self.plan.allocas[index]
        self.emit(f"%v.{index}.o = mul nuw nsw i64 %v.lane, %local.bytes")
        self.emit(f"%v.{index}.r = getelementptr inbounds i8, ptr %local, i64 %v.{index}.o")
        self.emit(f"%v.{index} = getelementptr inbounds i8, ptr %v.{index}.r, i64 {offset}")

    # --- the end of a block ------------------------------------------------------------------

    def _ending(self) -> list[str]:
        """Lines, to come after all others, that note where each lane goes and set the phis."""
        block = self.source.function.blocks[self.node.block]
        kept, self.body = self.body, []
        targets = self._targets(block.terminator)
        stores: list[tuple[int, str]] = []
        for target, predicate in targets:
            for instruction in self.source.function.blocks[target].instructions:
                if not isinstance(instruction, m.Phi):
                    break
                stores.append((instruction.index, self._incoming(instruction, predicate)))
        reads, self.body = self.body, []
        for index, name in stores:
            self._store(index, name, self.plan.slots[index])
        for number, (_, predicate) in enumerate(targets[:-1]):
            self._predicate(number, predicate)
        if isinstance(block.terminator, m.Return) and block.terminator.value is not None:
            self._return(block.terminator)
        writes, self.body = self.body, [*kept, *reads]
        return writes

    def _targets(self, end: m.Instruction) -> list[tuple[int, str]]:
        """Blocks that the lanes may go to, and the predicate that says whether one does."""
        text = self.source.text(end.index)
        match end:
            case m.Jump(target=target):
                return [(target, "")]
            case m.Branch(if_true=if_true, if_false=if_false) if if_true == if_false:
                return [(if_true, "")]
            case m.Branch(if_true=if_true, if_false=if_false):
                condition = self.operand(text.split(",")[0].removeprefix("br i1 "))
                self.emit(f"%v.not = xor i1 {condition}, true")
                return [(if_true, condition), (if_false, "%v.not")]
            case m.Switch():
                return self._switch(end, text)
            case _:
                return []

    def _switch(self, end: m.Switch, text: str) -> list[tuple[int, str]]:
        type_ = text.split(" ")[1]
        value = self.operand(split_top(text)[0].removeprefix(f"switch {type_} "))
        by_target: dict[int, list[int]] = {}
        for case, block in end.cases:
            if block != end.default:
                by_target.setdefault(block, []).append(case)
        targets: list[tuple[int, str]] = []
        none = "true"
        for number, (block, cases) in enumerate(by_target.items()):
            any_ = "false"
            for k, case in enumerate(cases):
                self.emit(f"%v.case.{number}.{k} = icmp eq {type_} {value}, {case}")
                self.emit(f"%v.any.{number}.{k} = or i1 {any_}, %v.case.{number}.{k}")
                any_ = f"%v.any.{number}.{k}"
            self.emit(f"%v.no.{number} = xor i1 {any_}, true")
            self.emit(f"%v.none.{number} = and i1 {none}, %v.no.{number}")
            none = f"%v.none.{number}"
            targets.append((block, any_))
        return [*targets, (end.default, none if targets else "")]

    def _incoming(self, phi: m.Phi, predicate: str) -> str:
        """The value that ``phi`` gets from this block, or its old one where lanes go elsewhere."""
        type_ = self.source.type_text(phi.index)
        parts = split_top(scalar_text(self.source.text(phi.index)))
        for part, (_, origin) in zip(parts, phi.incoming, strict=True):
            if origin != self.node.block:
                continue
            match = _INCOMING.search(part)
            assert match is not None
            value = self.operand(match[1])
            if not predicate:
                return value
            old = self.value(phi.index)
            name = f"%v.{phi.index}.new"
            self.emit(f"{name} = select i1 {predicate}, {type_} {value}, {type_} {old}")
            return name
        raise self.source.unsupported("phi without a value for an edge", phi.index)

    def _predicate(self, number: int, predicate: str) -> None:
        name = f"%p.{number}"
        offset = self.plan.predicates + 32 * number
        self.preamble[name] = f"{name} = getelementptr inbounds i8, ptr %frame, i64 {offset}"
        self.emit(f"%v.goes.{number} = zext i1 {predicate} to i8")
        self.emit(f"%v.at.{number} = getelementptr inbounds i8, ptr {name}, i64 %v.lane")
        self.emit(f"store i8 %v.goes.{number}, ptr %v.at.{number}, align 1")

    def _return(self, end: m.Return) -> None:
        type_ = operand_type(self.source.text(end.index).removeprefix("ret "))
        value = self.operand(self.source.text(end.index).removeprefix(f"ret {type_} "))
        type_ = scalar_text(type_)
        self.prepare(self.context.table_lines(len(self.source.function.args), "%result"))
        memory = "i8" if type_ == "i1" else type_
        if type_ == "i1":
            self.emit(f"%v.ret.c = zext i1 {value} to i8")
            value = "%v.ret.c"
        self.emit(f"%v.ret.q = getelementptr inbounds {memory}, ptr %result, i64 %v.lane")
        if not self.step.conditional:
            self.emit(f"%v.ret.k = load {memory}, ptr %v.ret.q, align 1")
            self.emit(f"%v.ret.s = select i1 %v.on, {memory} {value}, {memory} %v.ret.k")
            value = "%v.ret.s"
        self.emit(f"store {memory} {value}, ptr %v.ret.q, align 1")


def lane_functions(context: FunctionContext) -> Iterator[tuple[int, int, str]]:
    """Node, level and text of every step that has work for the lanes."""
    for node in context.plan.nodes:
        for level in range(len(node.steps)):
            function = LaneFunction(context, node, level)
            if not function.is_empty():
                yield node.number, level, function.text()


_HEADER = "define internal void @{name}(ptr noalias %frame, ptr %w, i32 %mask, ptr %table) #0 {{"
_PURE = (
    _HEADER
    + """
entry:
{preamble}
  br label %loop

loop:
  %v.lane = phi i64 [ 0, %entry ], [ %v.next, %loop ]
  %v.lane32 = trunc i64 %v.lane to i32
  %v.bit = lshr i32 %mask, %v.lane32
  %v.on = trunc i32 %v.bit to i1
{body}
  %v.next = add nuw nsw i64 %v.lane, 1
  %v.more = icmp ult i64 %v.next, 32
  br i1 %v.more, label %loop, label %exit, !llvm.loop !1

exit:
  ret void
}}
"""
)
_CONDITIONAL = (
    _HEADER
    + """
entry:
{preamble}
  %none = icmp eq i32 %mask, 0
  br i1 %none, label %exit, label %loop

loop:
  %rest = phi i32 [ %mask, %entry ], [ %rest.next, %loop ]
  %lane32 = call i32 @llvm.cttz.i32(i32 %rest, i1 true)
  %v.lane = zext i32 %lane32 to i64
{body}
  %rest.less = sub i32 %rest, 1
  %rest.next = and i32 %rest, %rest.less
  %rest.more = icmp ne i32 %rest.next, 0
  br i1 %rest.more, label %loop, label %exit, !llvm.loop !5

exit:
  ret void
}}
"""
)
