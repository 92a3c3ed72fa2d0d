"""Runs a small kernel as the hardware does: one warp in lock step, reconverging at post-dominators.

Calls ``see(instruction, active lanes, value of each lane)`` for each instruction executed. Memory
that the program only reads is a function of the address; local arrays are each lane's own. An
undefined value is None, and so is what is computed from it; lanes may not branch on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from drano.analysis.control_structure import Structure
from drano.ir import model as m
from drano.ir.uses import operands_of

LANES = 8
FUEL = 2_000

Word = int | None
See = Callable[[m.Instruction, list[int], Mapping[int, Word]], None]


class OutOfFuelError(Exception):
    """The program runs for too long."""


class UndefinedError(Exception):
    """The program branches on an undefined value: it has no meaning."""


def wrap(value: int, bits: int) -> int:
    """The signed reading of the low bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class Warp:
    def __init__(self, function: m.Function, arguments: list[int], see: See) -> None:
        self.function = function
        self.structure = Structure(function)
        self.see = see
        self.env: dict[tuple[int, int], Word] = {}
        self.private: dict[tuple[Word, int], Word] = {}
        self.came_from = [-1] * LANES
        self.alive = set(range(LANES))
        self.fuel = FUEL
        for argument, value in zip(function.args, arguments, strict=True):
            for lane in range(LANES):
                self.env[argument.index, lane] = value

    def run(self) -> None:
        stack: list[tuple[int, list[int], int]] = [(0, list(range(LANES)), -1)]
        while stack:
            block, lanes, stop = stack.pop()
            lanes = [lane for lane in lanes if lane in self.alive]
            if block == stop or not lanes or block == len(self.function.blocks):
                continue
            targets = self.block(block, lanes)
            for lane in lanes:
                self.came_from[lane] = block
            ways: dict[int, list[int]] = {}
            for lane, target in targets.items():
                ways.setdefault(target, []).append(lane)
            if len(ways) > 1:
                meet = self.structure.ipdom[block]
                stack.append((meet, lanes, stop))
                stop = meet
            stack += [(target, there, stop) for target, there in ways.items()]

    def block(self, number: int, lanes: list[int]) -> dict[int, int]:
        """Execute a block; each lane's next one. Returning lanes die."""
        block = self.function.blocks[number]
        phis = [i for i in block.instructions if isinstance(i, m.Phi)]
        chosen = {
            (phi.index, lane): self.value(
                next(v for v, source in phi.incoming if source == self.came_from[lane]), lane
            )
            for phi in phis
            for lane in lanes
        }
        self.env.update(chosen)
        for i in block.instructions:
            self.fuel -= 1
            if self.fuel < 0:
                raise OutOfFuelError
            match i:
                case m.Jump():
                    return dict.fromkeys(lanes, i.target)
                case m.Branch():
                    return {
                        lane: i.if_true if self.decided(i.condition, lane) else i.if_false
                        for lane in lanes
                    }
                case m.Switch():
                    cases = dict(i.cases)
                    return {lane: cases.get(self.value(i.value, lane), i.default) for lane in lanes}
                case m.Return():
                    self.alive -= set(lanes)
                    return {}
                case m.Phi():
                    pass
                case _:
                    for lane in lanes:
                        self.env[i.index, lane] = self.step(i, lane)
            self.see(i, lanes, {lane: self.env[i.index, lane] for lane in lanes})
        raise AssertionError("a block without a terminator")

    def decided(self, operand: m.Operand, lane: int) -> int:
        found = self.value(operand, lane)
        if found is None:
            raise UndefinedError
        return found

    def value(self, operand: m.Operand, lane: int) -> Word:
        match operand:
            case m.Local():
                return self.env[operand.index, lane]
            case m.IntConst():
                return operand.value
            case m.UndefConst():
                return None
            case _:
                raise AssertionError(operand)

    def step(self, i: m.Instruction, lane: int) -> Word:
        if isinstance(i, m.Store):
            self.private[self.value(i.pointer, lane), lane] = self.value(i.value, lane)
            return 0
        if isinstance(i, m.Select):
            picked = i.if_true if self.decided(i.condition, lane) else i.if_false
            return self.value(picked, lane)
        words = {operand: self.value(operand, lane) for operand in operands_of(i)}
        if None in words.values():
            return None

        def value(operand: m.Operand) -> int:
            return self.decided(operand, lane)

        match i:
            case m.Binary(type=m.IntType(bits)):
                return wrap(binary(i.op, value(i.lhs), value(i.rhs), bits), bits)
            case m.Compare():
                return -int(compare(i.predicate, value(i.lhs), value(i.rhs)))
            case m.Cast(source_type=m.IntType(bits), type=m.IntType(to)):
                operand = value(i.value)
                return wrap(operand & ((1 << bits) - 1) if i.op == "zext" else operand, to)
            case m.Gep():
                return value(i.base) + i.offset + sum(value(s.index) * s.stride for s in i.steps)
            case m.Alloca():
                return (i.index + 1) << 40
            case m.Load():
                address = value(i.pointer)
                if address >> 40:
                    return self.private.get((address, lane))
                return (address * 2654435761 >> 7) % 5
            case m.Call() if (i.callee or "").endswith("tid.x"):
                return lane
            case m.Freeze():
                return value(i.value)
            case _:
                raise AssertionError(i)


def binary(op: str, a: int, b: int, bits: int) -> int:
    if op in ("shl", "lshr", "ashr"):
        assert 0 <= b < bits
        return {"shl": a << b, "lshr": (a & ((1 << bits) - 1)) >> b, "ashr": a >> b}[op]
    return {"add": a + b, "sub": a - b, "mul": a * b, "and": a & b, "or": a | b, "xor": a ^ b}[op]


def compare(predicate: str, a: int, b: int) -> bool:
    return {
        "eq": a == b, "ne": a != b, "slt": a < b, "sle": a <= b, "sgt": a > b, "sge": a >= b,
    }[predicate]  # fmt: skip
