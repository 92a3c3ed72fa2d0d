"""A reference interpreter: many warps at once, each lane's integers exactly, in plain numpy.

All arrays have the shape ``(copies, warps, 32)``: a *copy* is one thread block with its own
arguments, block index and memory contents. Lanes that part at a branch meet again at its immediate
post-dominator. Running all copies in lock step is the same as running each alone, since what
parts two warps also meets again at the post-dominator.

Memory may change between any two instructions (other blocks write to it), so the contents of
global and shared memory are a function of address and time. Local arrays are exact.

Undefined behaviour in a copy (overflow where ``nsw`` or ``nuw`` deny it, division by zero, shifts
past the width, misaligned addresses, …) discards the whole copy: ``Execution.defined``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from drano.analysis.control_structure import Structure
from drano.ir.model import (
    Alloca,
    ArrayType,
    Atomic,
    Binary,
    Block,
    Branch,
    Call,
    Cast,
    Compare,
    ExtractElement,
    Freeze,
    Function,
    Gep,
    GlobalAddress,
    InsertElement,
    Instruction,
    IntConst,
    IntType,
    Jump,
    Load,
    Local,
    MemoryCopy,
    MemoryFill,
    NullConst,
    Operand,
    Phi,
    PointerType,
    Return,
    Select,
    Store,
    StructType,
    Switch,
    Type,
    UndefConst,
    VectorConst,
    VectorType,
)
from tests.analysis.warp.fuzz.local_memory import MOST_COPIED, LocalMemory
from tests.analysis.warp.fuzz.words import Lanes, Truth, bits_of, mix, signed, unsigned

SREG = "llvm.nvvm.read.ptx.sreg."


class Inputs(Struct, frozen=True):
    """What differs between copies and lanes: arguments by position, special registers by name
    (``tid.x``), lanes that exist, addresses of globals, and how contents of memory are cut.
    """

    arguments: tuple[Lanes, ...]
    registers: dict[str, Lanes]
    valid: Truth
    globals: dict[str, int]
    contents: Lanes
    seed: int


Observer: TypeAlias = Callable[[Instruction, Block, Truth], None]


class Execution:
    """One run of one kernel. ``values``: the latest value of each instruction in each lane (a list
    of them for vectors); ``defined``: copies without undefined behaviour so far.
    """

    def __init__(
        self, function: Function, structure: Structure, inputs: Inputs, observe: Observer
    ) -> None:
        self.function = function
        self.structure = structure
        self.inputs = inputs
        self.observe = observe
        self.shape = inputs.valid.shape
        self.values: list[Lanes | list[Lanes] | None] = [None] * function.value_count
        self.defined = np.ones(self.shape[0], dtype=np.bool_)
        self.address: Lanes = np.zeros(self.shape, dtype=np.int64)
        self.came_from = np.full(self.shape, -1, dtype=np.int64)
        self.alive = inputs.valid.copy()
        self.clock = 0
        self._local = LocalMemory(self.shape, self._forbid)
        for position, argument in enumerate(function.args):
            self.values[argument.index] = inputs.arguments[position]

    def run(self, steps: int) -> None:
        """Execute at most ``steps`` blocks."""
        end = len(self.function.blocks)
        stack: list[tuple[int, Truth, int]] = [(0, self.inputs.valid, end)]
        with np.errstate(all="ignore"):
            while stack and steps:
                index, mask, until = stack.pop()
                mask = mask & self.alive & self.defined[:, None, None]
                if index in {until, end} or not mask.any():
                    continue
                steps -= 1
                targets = self._block(self.function.blocks[index], mask)
                if not targets:
                    self.alive &= ~mask
                    continue
                if len(targets) == 1:
                    stack.append((targets[0][0], mask, until))
                    continue
                meet = self.structure.ipdom[index]
                meet = end if meet < 0 else meet
                if meet != until:
                    stack.append((meet, mask, until))
                stack += [(target, part, meet) for target, part in targets]

    # --- blocks ------------------------------------------------------------------------------

    def _block(self, block: Block, mask: Truth) -> list[tuple[int, Truth]]:
        pending = [(phi, self._phi(phi)) for phi in block.instructions if isinstance(phi, Phi)]
        for phi, value in pending:
            self._set(phi.index, value, mask)
            self.observe(phi, block, mask)
        for instruction in block.instructions[len(pending) : -1]:
            self.clock += 1
            value = self._evaluate(instruction, mask)
            if value is not None:
                self._set(instruction.index, value, mask)
            self.observe(instruction, block, mask)
        targets = self._leave(block, mask)
        for _, part in targets:
            self.came_from[part] = block.index
        return targets

    def _leave(self, block: Block, mask: Truth) -> list[tuple[int, Truth]]:
        match block.terminator:
            case Jump(target=target):
                return [(target, mask)]
            case Branch() as branch:
                truth = self.scalar(branch.condition) != 0
                parts = {branch.if_true: mask & truth}
                parts[branch.if_false] = parts.get(branch.if_false, False) | (mask & ~truth)
            case Switch() as switch:
                value = self.scalar(switch.value)
                parts = {}
                rest = mask
                for constant, target in switch.cases:
                    hit = rest & (value == constant)
                    parts[target] = parts.get(target, False) | hit
                    rest = rest & ~hit
                parts[switch.default] = parts.get(switch.default, False) | rest
            case Return():
                return []
            case other:
                raise NotImplementedError(other)
        return [(target, part) for target, part in parts.items() if part.any()]

    def _phi(self, phi: Phi) -> Lanes | list[Lanes]:
        result = np.zeros(self.shape, dtype=np.int64)
        for operand, source in phi.incoming:
            if isinstance(operand, Local) and self.values[operand.index] is None:
                continue
            result = np.where(self.came_from == source, self.scalar(operand), result)
        return result

    def _set(self, index: int, value: Lanes | list[Lanes], mask: Truth) -> None:
        old = self.values[index]
        if isinstance(value, list):
            if isinstance(old, list):
                value = [np.where(mask, n, o) for n, o in zip(value, old, strict=True)]
        elif old is not None:
            assert not isinstance(old, list)
            value = np.where(mask, value, old)
        self.values[index] = value

    def _forbid(self, where: Truth) -> None:
        """Undefined behaviour in these lanes."""
        self.defined &= ~where.any(axis=(1, 2))

    # --- operands ----------------------------------------------------------------------------

    def scalar(self, operand: Operand) -> Lanes:
        """The integer in each lane."""
        match operand:
            case Local(index=index):
                value = self.values[index]
                assert value is not None
                if isinstance(value, list):
                    raise NotImplementedError(operand)
                return value
            case IntConst(value=number, bits=bits):
                return np.full(self.shape, number & 1 if bits == 1 else number, dtype=np.int64)
            case NullConst() | UndefConst():
                return np.zeros(self.shape, dtype=np.int64)
            case GlobalAddress(name=name, offset=offset):
                base = self.inputs.globals[name] + offset
                return np.full(self.shape, base, dtype=np.int64)
            case other:
                raise NotImplementedError(other)

    def elements(self, operand: Operand, count: int) -> list[Lanes]:
        """The elements of a vector, or the one of a scalar."""
        if isinstance(operand, Local):
            value = self.values[operand.index]
            if isinstance(value, list):
                return value
        if isinstance(operand, VectorConst):
            return [self.scalar(e) for e in operand.elements]
        return [self.scalar(operand)] * count

    # --- instructions ------------------------------------------------------------------------

    def _evaluate(self, i: Instruction, mask: Truth) -> Lanes | list[Lanes] | None:
        match i:
            case Binary():
                return self._binary(i, mask)
            case Compare():
                return self._compare(i)
            case Cast():
                return self._cast(i, mask)
            case Gep():
                total = self.scalar(i.base) + np.int64(i.offset)
                for step in i.steps:
                    total = total + self.scalar(step.index) * np.int64(step.stride)
                return total
            case Select():
                return np.where(
                    self.scalar(i.condition) != 0, self.scalar(i.if_true), self.scalar(i.if_false)
                )
            case Freeze():
                return self.scalar(i.value)
            case Alloca():
                return self._local.allocate(i.index, i.size)
            case Load():
                return self._load(i, mask)
            case Store():
                self._store(i, mask)
                return None
            case MemoryCopy() | MemoryFill():
                self._move(i, mask)
                return None
            case Atomic():
                self.address = self.scalar(i.pointer)
                self._align(self.address, bits_of(i.type) // 8, mask)
                lane = np.broadcast_to(np.arange(32, dtype=np.int64), self.shape)
                old = mix(self.address, mix(self.inputs.seed, self.clock), lane)
                return signed(old & self.inputs.contents, bits_of(i.type))
            case Call():
                return self._call(i, mask)
            case InsertElement(element=IntConst(value=at)) if isinstance(i.type, VectorType):
                parts = list(self.elements(i.vector, i.type.count))
                parts[at] = self.scalar(i.value)
                return parts
            case ExtractElement():
                assert isinstance(i.element, IntConst)
                elements = self.elements(i.vector, i.element.value + 1)
                if i.element.value >= len(elements):
                    raise NotImplementedError(i)
                return elements[i.element.value]
            case other:
                raise NotImplementedError(other)

    def _binary(self, i: Binary, mask: Truth) -> Lanes:
        bits = bits_of(i.type)
        a, b = self.scalar(i.lhs), self.scalar(i.rhs)
        ua, ub = unsigned(a, bits), unsigned(b, bits)
        if i.op in {"add", "sub", "mul"}:
            return self._arithmetic(i, bits, a, b, mask)
        if i.op in {"and", "or", "xor"}:
            return {"and": a & b, "or": a | b, "xor": a ^ b}[i.op]
        if i.op in {"shl", "lshr", "ashr"}:
            self._forbid(mask & (ub >= np.uint64(bits)))
            by = (ub % np.uint64(bits)).view(np.int64)
            if i.op == "ashr":
                return a >> by
            if i.op == "lshr":
                return signed((ua >> by.view(np.uint64)).view(np.int64), bits)
            shifted = signed(a << by, bits)
            if i.nsw:
                self._forbid(mask & (shifted >> by != a))
            if i.nuw:
                self._forbid(mask & (unsigned(shifted, bits) >> by.view(np.uint64) != ua))
            return shifted
        self._forbid(mask & (b == 0))
        b = np.where(b == 0, 1, b)
        if i.op in {"udiv", "urem"}:
            ub = unsigned(b, bits)
            return signed((ua // ub if i.op == "udiv" else ua % ub).view(np.int64), bits)
        lowest = np.int64(-(1 << (bits - 1)))
        self._forbid(mask & (a == lowest) & (b == -1))
        quotient = np.where(b == -1, -a, (a - np.fmod(a, b)) // b)
        return signed(quotient, bits) if i.op == "sdiv" else np.where(b == -1, 0, np.fmod(a, b))

    def _arithmetic(self, i: Binary, bits: int, a: Lanes, b: Lanes, mask: Truth) -> Lanes:
        exact = {"add": np.add, "sub": np.subtract, "mul": np.multiply}[i.op](a, b)
        result = signed(exact, bits)
        ua, ub, ur = unsigned(a, bits), unsigned(b, bits), unsigned(result, bits)
        if i.op == "add":
            over_signed = ((a ^ result) & (b ^ result)) < 0
            over_unsigned = ur < ua
        elif i.op == "sub":
            over_signed = ((a ^ b) & (a ^ result)) < 0
            over_unsigned = ub > ua
        else:
            safe = np.where(a == 0, 1, a)
            over_signed = (a != 0) & (
                (np.fmod(result, safe) != 0) | ((result - np.fmod(result, safe)) // safe != b)
            )
            over_signed |= (a == -1) & (b == np.int64(-(1 << (bits - 1))))
            over_unsigned = (ua != 0) & (ur // np.where(ua == 0, np.uint64(1), ua) != ub)
            if bits < 64:
                over_signed |= exact != result
                over_unsigned |= (ua * ub) != ur
        if bits < 64 and i.op != "mul":
            over_signed = exact != result
        if i.nsw:
            self._forbid(mask & over_signed)
        if i.nuw:
            self._forbid(mask & over_unsigned)
        return result

    def _compare(self, i: Compare) -> Lanes:
        bits = bits_of(i.operand_type)
        a, b = self.scalar(i.lhs), self.scalar(i.rhs)
        if i.floating:
            return mix(a, b) & 1
        if i.predicate == "eq":
            return (a == b).astype(np.int64)
        if i.predicate == "ne":
            return (a != b).astype(np.int64)
        if i.predicate[0] == "u" or bits == 1:
            left, right = unsigned(a, bits), unsigned(b, bits)
            return _order(i.predicate[1:], left < right, left == right)
        return _order(i.predicate[1:], a < b, a == b)

    def _cast(self, i: Cast, mask: Truth) -> Lanes:
        source, target = bits_of(i.source_type), bits_of(i.type)
        value = self.scalar(i.value)
        match i.op:
            case "sext":
                return -value if source == 1 else value
            case "zext":
                if i.nneg:
                    self._forbid(mask & (value < 0))
                return unsigned(value, source).view(np.int64)
            case "trunc":
                result = signed(value, target)
                if i.nsw:
                    self._forbid(mask & (result != value))
                if i.nuw:
                    self._forbid(mask & (unsigned(result, target) != unsigned(value, source)))
                return result
            case "ptrtoint" | "inttoptr" | "addrspacecast" | "bitcast":
                return signed(value, target)
            case other:
                raise NotImplementedError(other)

    def _call(self, i: Call, mask: Truth) -> Lanes | None:
        name = i.callee or ""
        if name.startswith(SREG):
            return self.inputs.registers[name.removeprefix(SREG)]
        if name.startswith("llvm.lifetime"):
            return None
        bits = bits_of(i.type)
        if name.startswith("llvm.abs"):
            return signed(np.abs(self.scalar(i.args[0])), bits)
        if name.startswith("llvm.nvvm.shfl.sync"):
            return self._shuffle(i, name.split(".")[4], mask)
        if name.startswith("llvm.nvvm.vote."):
            return self._vote(i, name.split(".")[3], mask)
        if name[5:9] not in {"smin", "smax", "umin", "umax", "scmp", "ucmp", "usub"}:
            raise NotImplementedError(name)
        a, b = self.scalar(i.args[0]), self.scalar(i.args[1])
        if name[5:9] in {"scmp", "ucmp"}:
            bits = int(name.rpartition(".i")[2])
        less = a < b if name[5] == "s" else unsigned(a, bits) < unsigned(b, bits)
        if name[6:9] == "min":
            return np.where(less, a, b)
        if name[6:9] == "max":
            return np.where(less, b, a)
        if name.startswith("llvm.usub.sat."):
            return np.where(less, 0, signed(a - b, bits))
        if name[6:9] == "cmp":
            return np.where(less, -1, np.where(a == b, 0, 1))
        raise NotImplementedError(name)

    def _shuffle(self, i: Call, mode: str, mask: Truth) -> Lanes:
        """PTX ISA, ``shfl.sync``. Reading a lane that does not take part is undefined."""
        value, at, clamp = (self.scalar(a) for a in i.args[1:4])
        lane = np.broadcast_to(np.arange(32, dtype=np.int64), self.shape)
        at, limit, segment = at & 31, clamp & 31, (clamp >> 8) & 31
        low = lane & segment
        top = low | (limit & ~segment)
        if mode == "idx":
            source = low | (at & ~segment)
        else:
            source = {"up": lane - at, "down": lane + at, "bfly": lane ^ at}[mode]
        inside = source >= top if mode == "up" else source <= top
        source = np.where(inside, source, lane) & 31
        self._forbid(mask & ~np.take_along_axis(mask, source, axis=2))
        return np.take_along_axis(value, source, axis=2)

    def _vote(self, i: Call, mode: str, mask: Truth) -> Lanes:
        """PTX ISA, ``vote.sync``: named lanes that are elsewhere make it undefined."""
        members, truth = self.scalar(i.args[0]), self.scalar(i.args[1]) != 0
        lane = np.arange(32, dtype=np.int64)
        named = ((members[..., None] >> lane) & 1) != 0  # [lane, lane named]
        absent = self.inputs.valid & ~mask
        own = ((members >> lane) & 1) != 0
        self._forbid(mask & (~own | (named & absent[..., None, :]).any(axis=3)))
        yes = named & (mask & truth)[..., None, :]
        if mode == "ballot":
            return signed((yes.astype(np.int64) << lane).sum(axis=3), 32)
        no = named & (mask & ~truth)[..., None, :]
        found = yes.any(axis=3) if mode == "any" else ~no.any(axis=3)
        return found.astype(np.int64)

    # --- memory ------------------------------------------------------------------------------

    def _load(self, i: Load, mask: Truth) -> Lanes | list[Lanes]:
        self.address = address = self.scalar(i.pointer)
        if self._local.holds(address, mask):
            value = np.zeros(self.shape, dtype=np.int64)
            for byte, part in enumerate(self._local.read(address, i.size, mask)):
                value |= part.astype(np.int64) << np.int64(8 * byte)
            return signed(value, bits_of(i.type))
        self._align(address, i.size, mask)
        time = mix(self.inputs.seed, self.clock)
        words = [
            mix(address, time, number) & self.inputs.contents for number in range(_count(i.type))
        ]
        bits = bits_of(i.type.element) if isinstance(i.type, VectorType) else bits_of(i.type)
        scalars = [signed(word, bits) for word in words]
        return scalars if isinstance(i.type, VectorType) else scalars[0]

    def _store(self, i: Store, mask: Truth) -> None:
        self.address = address = self.scalar(i.pointer)
        if not self._local.holds(address, mask):
            self._align(address, i.size, mask)
            return
        value = self.scalar(i.value)
        data = [((value >> np.int64(8 * n)) & 255).astype(np.uint8) for n in range(i.size)]
        self._local.write(address, data, i.size, mask)

    def _move(self, i: MemoryCopy | MemoryFill, mask: Truth) -> None:
        """Between local arrays, or into one."""
        length = self.scalar(i.length)
        if isinstance(i, MemoryCopy):
            data = self._local.read(self.scalar(i.source), length, mask)
        else:
            data = [self.scalar(i.value).astype(np.uint8)] * MOST_COPIED
        self._local.write(self.scalar(i.pointer), data, length, mask)

    def _align(self, address: Lanes, size: int, mask: Truth) -> None:
        natural = size & -size
        self._forbid(mask & (address & np.int64(natural - 1) != 0))


def _order(predicate: str, less: Truth, equal: Truth) -> Lanes:
    found = {
        "lt": less, "le": less | equal, "gt": ~less & ~equal, "ge": ~less,
    }[predicate]  # fmt: skip
    return found.astype(np.int64)


def _count(type_: Type) -> int:
    if isinstance(type_, VectorType):
        return type_.count
    assert not isinstance(type_, ArrayType | StructType)
    assert isinstance(type_, IntType | PointerType)
    return 1
