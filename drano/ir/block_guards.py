"""What a kernel itself tells about the shape of its blocks: ``assert(blockDim.x == 32)``,
``if (blockDim.x != 64) return;``.

A size is told when each access of memory, barrier and call of the function is reached only where
the size has been compared with one constant, and was equal. A block of another size accesses
nothing, so that an answer for blocks of this size is one for all.

Means: a forward analysis over blocks; its facts are pairs of an axis and a size that hold on every
way to a block, so a join is the intersection. Sizes of a block never change, so a fact stays true.
Limits: comparisons for order, and sizes that only a product is compared with, tell nothing. Of
``__builtin_assume`` and ``[[assume]]`` clang keeps what calls nothing: not ``blockDim`` itself, but
a variable that holds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from drano.ir import model as m
from drano.ir.intrinsics import ASSUME, intrinsic, is_idle
from drano.ir.target import SPECIAL_REGISTER

BLOCK_SIZE: Final = SPECIAL_REGISTER + "ntid."
Told: TypeAlias = tuple[int | None, int | None, int | None]
Facts: TypeAlias = "frozenset[tuple[str, int]] | None"
"""None: of what is never reached, all facts at once."""

NOTHING: Final[Told] = (None, None, None)
_MOST: Final = 1024
_MAX_DEPTH: Final = 12
_COMPUTING: Final = (
    m.Binary, m.Negate, m.Compare, m.Cast, m.Gep, m.Phi, m.Select, m.Alloca, m.ExtractValue,
    m.InsertValue, m.ExtractElement, m.InsertElement, m.ShuffleVector, m.Freeze, m.Jump, m.Branch,
    m.Switch, m.Return, m.Unreachable,
)  # fmt: skip


def told_threads(blocks: Sequence[m.Block]) -> Told:
    """The sizes of a block that the function's own code requires, None where it does not."""
    if not blocks:
        return NOTHING
    guards = _Guards(blocks)
    if not guards.any:
        return NOTHING
    facts = guards.at_accesses()
    sizes = {axis: {size for name, size in facts or () if name == axis} for axis in "xyz"}
    x, y, z = (next(iter(found)) if len(found) == 1 else None for found in sizes.values())
    return x, y, z


class _Guards:
    def __init__(self, blocks: Sequence[m.Block]) -> None:
        self._blocks = blocks
        self._found: Mapping[int, m.Instruction] = {
            i.index: i for block in blocks for i in block.instructions
        }
        self._home = {
            i.index: block.index
            for block in blocks
            for i in block.instructions
            if isinstance(i, m.Phi)
        }
        self._telling = [
            [i for i in block.instructions if isinstance(i, m.Call) and _tells(i)]
            for block in blocks
        ]
        self._before: dict[int, Facts] = {block.index: None for block in blocks}
        self._before[blocks[0].index] = frozenset()

    @property
    def any(self) -> bool:
        """Whether a size is compared with anything."""
        compares = (i for i in self._found.values() if isinstance(i, m.Compare))
        return any(self._axis(side) for i in compares for side in (i.lhs, i.rhs))

    def at_accesses(self) -> Facts:
        """What holds wherever something is done."""
        if self._inside(self._blocks[0]) == frozenset():
            return frozenset()
        changing = True
        while changing:  # ends: facts only get fewer
            changing = False
            for block in self._blocks[1:]:
                now = _common(self._along(p, block.index) for p in block.predecessors)
                if now != self._before[block.index]:
                    self._before[block.index] = now
                    changing = True
        return _common(map(self._inside, self._blocks))

    def _inside(self, block: m.Block) -> Facts:
        """What holds at all accesses of a block."""
        now, found = self._before[block.index], None
        for instruction in block.instructions:
            if isinstance(instruction, m.Call):
                now = self._after(instruction, now)
            if not self._is_idle(instruction):
                found = _common((found, now))
        return found

    def _after(self, call: m.Call, now: Facts) -> Facts:
        """What holds behind a call."""
        callee = call.callee or ""
        if intrinsic(callee).ends:
            return None
        if callee == ASSUME and call.args:
            return _both(now, self._of(call.args[0], True, 0))
        return now

    def _along(self, start: int, end: int) -> Facts:
        """What holds where control goes from one block to another."""
        behind = self._before[start]
        for call in self._telling[start]:
            behind = self._after(call, behind)
        last = self._blocks[start].instructions[-1]
        if isinstance(last, m.Branch) and last.if_true != last.if_false:
            return _both(behind, self._of(last.condition, last.if_true == end, 0))
        return behind

    def _is_idle(self, instruction: m.Instruction) -> bool:
        """Whether an instruction accesses nothing, or only a fixed place of the thread's own."""
        if isinstance(instruction, m.Call):
            return is_idle(instruction)
        if isinstance(instruction, m.Load | m.Store):
            return self._is_own(instruction.pointer)
        return isinstance(instruction, _COMPUTING)

    def _is_own(self, pointer: m.Operand) -> bool:
        for _ in range(_MAX_DEPTH):
            instruction = self._define(pointer)
            if isinstance(instruction, m.Alloca):
                return True
            if not isinstance(instruction, m.Gep) or instruction.steps:
                return False
            pointer = instruction.base
        return False

    def _define(self, operand: m.Operand) -> m.Instruction | None:
        return self._found.get(operand.index) if isinstance(operand, m.Local) else None

    # --- conditions

    def _of(self, condition: m.Operand, truth: bool, depth: int) -> Facts:
        """What follows from a condition's being true, or false."""
        if isinstance(condition, m.IntConst):
            return frozenset() if bool(condition.value) == truth else None
        instruction = self._define(condition)
        if depth > _MAX_DEPTH or instruction is None:
            return frozenset()
        match instruction:
            case m.Compare():
                return self._of_comparison(instruction, truth, depth)
            case m.Binary(op="and" | "or") if instruction.type == m.IntType(1):
                sides = [self._of(s, truth, depth + 1) for s in (instruction.lhs, instruction.rhs)]
                return _both(*sides) if truth == (instruction.op == "and") else _common(sides)
            case m.Binary(op="xor", rhs=m.IntConst(value=flips, bits=1)):
                return self._of(instruction.lhs, truth != bool(flips), depth + 1)
            case m.Select():
                chosen, other = instruction.if_true, instruction.if_false
                return _common(
                    _both(
                        self._of(instruction.condition, taken, depth + 1),
                        self._of(value, truth, depth + 1),
                    )
                    for taken, value in ((True, chosen), (False, other))
                )
            case m.Phi():
                home = self._home[instruction.index]
                return _common(
                    _both(self._along_to_phi(block, home), self._of(value, truth, depth + 1))
                    for value, block in instruction.incoming
                )
            case m.Freeze():
                return self._of(instruction.value, truth, depth + 1)
            case m.Call() if (instruction.callee or "").startswith("llvm.expect"):
                return self._of(instruction.args[0], truth, depth + 1)
        return frozenset()

    def _along_to_phi(self, start: int, home: int) -> Facts:
        """What is known where control comes to a phi, its block's own branch left out."""
        block = self._blocks[start]
        last = block.instructions[-1]
        behind = self._before[start]
        if isinstance(last, m.Branch) and last.if_true != last.if_false:
            condition = self._define(last.condition)
            if isinstance(condition, m.Compare):
                return _both(behind, self._of(last.condition, last.if_true == home, _MAX_DEPTH))
        return behind

    def _of_comparison(self, compare: m.Compare, truth: bool, depth: int) -> Facts:
        if compare.floating or compare.predicate not in {"eq", "ne"}:
            return frozenset()
        same = truth == (compare.predicate == "eq")
        for side, other in ((compare.lhs, compare.rhs), (compare.rhs, compare.lhs)):
            if not isinstance(other, m.IntConst):
                continue
            axis = self._axis(side)
            if axis and same and 0 < other.value <= _MOST:
                return frozenset({(axis, other.value)})
            widened = self._define(side)
            if isinstance(widened, m.Cast) and _is_flag(widened) and not other.value:
                return self._of(widened.value, not same, depth + 1)
        return frozenset()

    def _axis(self, operand: m.Operand) -> str:
        """The axis along which a value is the size of a block, or ""."""
        for _ in range(_MAX_DEPTH):
            instruction = self._define(operand)
            if isinstance(instruction, m.Call):
                callee = instruction.callee or ""
                return callee.removeprefix(BLOCK_SIZE) if callee.startswith(BLOCK_SIZE) else ""
            if isinstance(instruction, m.Cast) and instruction.op not in {"zext", "sext"}:
                return ""
            if not isinstance(instruction, m.Cast | m.Freeze):
                return ""
            operand = instruction.value
        return ""


def _is_flag(cast: m.Cast) -> bool:
    return cast.op == "zext" and cast.source_type == m.IntType(1)


def _tells(call: m.Call) -> bool:
    return call.callee == ASSUME or intrinsic(call.callee or "").ends


def _both(one: Facts, other: Facts) -> Facts:
    return None if one is None or other is None else one | other


def _common(several: Iterable[Facts]) -> Facts:
    known = [facts for facts in several if facts is not None]
    return frozenset.intersection(*known) if known else None
