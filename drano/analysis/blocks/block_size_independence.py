"""Block-size independence: does a kernel give the same result in blocks of another size?

After "Block-Size Independence for GPU Programs" (SAS 2018): a kernel is independent of its block
size along an axis if every launch with as many threads in all along that axis, and with the same
arguments, does the same. *Proved* where, along the axis, every address, every stored value and
every branch of a thread is a function of its global number, of the number of all threads, and of
memory read at such addresses; then each thread does in any launch what its namesake does in any
other, step by step.

What ties a thread to its block stands against a proof: barriers, shared memory, votes and
shuffles, lane numbers, fences, the results of atomics, code that is not seen. The proof assumes
that threads which do not wait for each other do not communicate (a kernel with a race gives
different results in one and the same block size), and that a launch has fewer than 2**31 threads
along each axis.

Limits: calls that were not expanded are not looked into. Shared memory that each thread uses for
itself is not told from memory that threads exchange; a larger block would not fit into it anyway.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.blocks import launch_sums as sums
from drano.analysis.blocks.launch_sums import AXES, Moving, Sum, TooLargeError, Value
from drano.ir.intrinsics import Barrier, Meaning, intrinsic, short_name
from drano.ir.model import (
    Alloca,
    Atomic,
    Binary,
    Block,
    Branch,
    Call,
    Cast,
    Compare,
    Freeze,
    Function,
    Gep,
    GlobalAddress,
    Instruction,
    IntConst,
    IntType,
    Load,
    Local,
    MemoryCopy,
    MemoryFill,
    Module,
    NullConst,
    Opaque,
    Operand,
    OtherConst,
    Phi,
    PointerType,
    Select,
    Store,
    Switch,
    ValueInstruction,
    VectorConst,
    VoidType,
)
from drano.ir.target import POINTER_BITS, SHARED
from drano.ir.uses import operands_of
from drano.model.hardware import WARP_SIZE
from drano.model.span import Location
from drano.model.symbols import plain_symbol
from drano.model.system_headers import user_location

_OfOperands: TypeAlias = ValueInstruction | Load
_ALL = frozenset(AXES)
# The model does not tell floating constants apart: of these alone are two that look the same equal.
_SCALARS = (IntType, PointerType)
_MAX_OBSTACLES = 64
_LONGEST_NAME = 60


class Obstacle(Struct, frozen=True):
    """What stands against independence along ``axes``."""

    axes: frozenset[str]
    location: Location | None
    text: str


class BlockSize(Struct, frozen=True):
    """``proved``: the axes along which the block's size does not matter; ``obstacles``: along the
    others, in program order.
    """

    proved: frozenset[str]
    obstacles: tuple[Obstacle, ...]


def block_size_independence(module: Module, function: Function) -> BlockSize:
    """The answer for one kernel."""
    return _Analysis(module, function).run()


class _Analysis:
    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._function = function
        self._values: dict[int, Value] = {a.index: sums.opaque(a.index) for a in function.args}
        self._obstacles: list[Obstacle] = []
        self._lost: frozenset[str] = frozenset()

    def run(self) -> BlockSize:
        """Values to a fixpoint, then what is done with them."""
        changed = True
        while changed:
            changed = False
            for block in self._function.blocks:
                for instruction in block.instructions:
                    changed |= self._update(instruction)
        for block in self._function.blocks:
            self._judge(block)
        return BlockSize(_ALL - self._lost, tuple(self._obstacles))

    def _update(self, i: Instruction) -> bool:
        """Weaken what is known of a value; it only goes from nothing by a sum to "moves"."""
        old = self._values.get(i.index)
        if isinstance(old, Moving) and old.axes == _ALL:
            return False
        try:
            new = self._transfer(i)
        except TooLargeError:
            new = self._function_of(i)
        if new is None or new == old:
            return False
        if isinstance(i, Phi) and isinstance(new, Sum) and old == sums.opaque(i.index):
            return False  # it was found to hold several values; each step weakens
        if isinstance(old, Moving):
            axes = old.axes | _axes(new)
            new = replace(old, axes=axes)
            if new == old:
                return False
        self._values[i.index] = new
        return True

    # --- values ------------------------------------------------------------------------------

    def _value(self, operand: Operand) -> Value | None:
        """None: not computed yet, or the value of code that is never executed."""
        if isinstance(operand, Local):
            return self._values.get(operand.index)
        if isinstance(operand, IntConst):
            return sums.constant(operand.value)
        if isinstance(operand, NullConst):
            return sums.constant(0)
        if isinstance(operand, GlobalAddress):
            variable = self._module.globals.get(operand.name)
            if variable is None or variable.space in SHARED:
                name = variable.display if variable is not None else operand.name
                reason = f"shared memory (`{name}`), which is private to each block"
                return Moving(_ALL, reason, shared=True)
        if isinstance(operand, OtherConst) and "@" in operand.text:
            return Moving(_ALL, "an address computed before the kernel runs")
        if isinstance(operand, VectorConst):
            parts = [part for part in map(self._value, operand.elements) if part is not None]
            moving = _together(parts)
            if moving is not None:
                return moving
        # Any other constant stays.
        return Sum(((((("value", repr(operand)),)), 1),), exact=False)

    def _function_of(self, i: Instruction) -> Value | None:
        """A value that is a function of its operands."""
        values = [self._value(operand) for operand in operands_of(i)]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None
        return _together(known) or sums.opaque(i.index)

    def _transfer(self, i: Instruction) -> Value | None:
        match i:
            case Binary():
                return self._binary(i)
            case Cast():
                return self._cast(i)
            case Compare():
                return self._compare(i)
            case Select():
                return self._select(i)
            case Phi():
                return self._phi(i)
            case Gep():
                return self._address(i)
            case Freeze():
                return self._value(i.value)
            case Call():
                return self._call(i)
            case Atomic():
                return Moving(_ALL, "the result of an atomic")
            case Opaque():
                return Moving(_ALL, f"an unsupported instruction ({i.opcode})")
            case Alloca():
                return sums.opaque(i.index)
            case Load() if i.volatile or i.atomic:
                return Moving(_ALL, "a volatile load")
            case _ if isinstance(i.type, VoidType):
                return None
            case _ if isinstance(i, _OfOperands):
                return self._function_of(i)
            case _:
                return Moving(_ALL, "an unsupported instruction")

    def _binary(self, i: Binary) -> Value | None:
        a, b = self._value(i.lhs), self._value(i.rhs)
        if a is None or b is None:
            return None
        if not isinstance(i.type, IntType) or isinstance(a, Moving) or isinstance(b, Moving):
            return self._function_of(i)
        if i.op == "add":
            return sums.add(a, b, wraps=not i.nsw)
        if i.op == "sub":
            return sums.add(a, b, sign=-1, wraps=not i.nsw)
        if i.op == "mul":
            return sums.multiply(a, b, wraps=not i.nsw)
        if i.op == "shl" and isinstance(i.rhs, IntConst) and 0 <= i.rhs.value < i.type.bits - 1:
            return sums.multiply(a, sums.constant(1 << i.rhs.value), wraps=not i.nsw)
        return self._function_of(i)

    def _cast(self, i: Cast) -> Value | None:
        value = self._value(i.value)
        if value is None or isinstance(value, Moving):
            return value
        match i.op:
            case "bitcast" | "addrspacecast" if isinstance(i.source_type, _SCALARS):
                return value if isinstance(i.type, _SCALARS) else self._function_of(i)
            case "trunc" | "ptrtoint" | "inttoptr":
                kept = Sum(value.terms, names=value.names)
                return kept if value.axes else sums.opaque(i.index)
            case "sext" if value.exact:
                return value
            case "zext" if value.natural or (value.exact and i.nneg):
                return value
            case _:
                return self._function_of(i)

    def _compare(self, i: Compare) -> Value | None:
        a, b = self._value(i.lhs), self._value(i.rhs)
        if a is None or b is None:
            return None
        if isinstance(a, Sum) and isinstance(b, Sum) and not i.floating:
            signed = i.predicate.startswith("s") and a.exact and b.exact
            natural = i.predicate.startswith("u") and a.natural and b.natural
            if i.predicate in {"eq", "ne"} or signed or natural:
                difference = sums.add(a, b, sign=-1)
                if not difference.axes:
                    return sums.opaque(i.index)
        return self._function_of(i)

    def _select(self, i: Select) -> Value | None:
        a, b = self._value(i.if_true), self._value(i.if_false)
        if (
            isinstance(i.type, _SCALARS)
            and isinstance(a, Sum)
            and isinstance(b, Sum)
            and a.terms == b.terms
        ):
            return a if a == b else Sum(a.terms, names=a.names)
        return self._function_of(i)

    def _phi(self, i: Phi) -> Value | None:
        """Which way a thread came stays, or a branch has been found to stand against it."""
        known = [v for v in (self._value(operand) for operand, _ in i.incoming) if v is not None]
        if not known:
            return None
        first = known[0]
        if isinstance(i.type, _SCALARS) and all(value == first for value in known):
            return first
        return _together(known) or sums.opaque(i.index)

    def _address(self, i: Gep) -> Value | None:
        total = self._value(i.base)
        if total is None or isinstance(total, Moving):
            return total
        total = sums.add(total, sums.constant(i.offset))
        for step in i.steps:
            index = self._value(step.index)
            if index is None or isinstance(index, Moving):
                return index
            if step.index_bits < POINTER_BITS and not index.exact:
                return self._function_of(i)
            total = sums.add(total, sums.multiply(index, sums.constant(step.stride)))
        return total

    def _call(self, call: Call) -> Value | None:
        known = intrinsic(call.callee or "")
        if known.register:
            return _special(known.register)
        match known.meaning:
            case Meaning.SAME_POINTER:
                return self._value(call.args[0])
            case Meaning.PURE | Meaning.LOAD | Meaning.TEXTURE:
                return self._function_of(call)
            case _ if known.idle:
                return sums.opaque(call.index)
            case _:
                return Moving(_ALL, f"the result of {_called(self._module, call)}")

    # --- effects -----------------------------------------------------------------------------

    def _judge(self, block: Block) -> None:
        for i in block.instructions:
            match i:
                case Load():
                    self._need(i, "this load", i.pointer, address=True)
                    if i.volatile or i.atomic:
                        self._blame(i, _ALL, "a volatile load may wait for other threads")
                case Store():
                    self._need(i, "this store", i.pointer, address=True)
                    self._need(i, "the value stored here", i.value)
                case Atomic():
                    self._need(i, "this atomic", i.pointer, address=True)
                    for operand in i.operands:
                        self._need(i, "the operand of this atomic", operand)
                case MemoryCopy():
                    for operand in (i.pointer, i.source, i.length):
                        self._need(i, "the memory copied here", operand)
                case MemoryFill():
                    for operand in (i.pointer, i.value, i.length):
                        self._need(i, "the memory filled here", operand)
                case Branch():
                    self._need(i, "this branch", i.condition)
                case Switch():
                    self._need(i, "this branch", i.value)
                case Call():
                    self._judge_call(i)
                case _:
                    pass

    def _judge_call(self, call: Call) -> None:
        name = call.callee or ""
        known = intrinsic(name)
        match known.meaning:
            case Meaning.PURE | Meaning.TEXTURE | Meaning.LOAD:
                if not any(isinstance(type_, PointerType) for type_ in call.arg_types):
                    return
                for argument in call.args:  # sincos and its like write through pointers
                    self._need(call, f"an argument of `{short_name(name)}`", argument)
            case _ if known.idle:
                pass
            case _:
                self._blame(call, _ALL, _why(self._module, call))

    def _need(self, i: Instruction, what: str, operand: Operand, *, address: bool = False) -> None:
        """``what``, or its ``address``, must stay."""
        value = self._value(operand)
        axes = _axes(value)
        if value is None or not axes:
            return
        moving = _moving(value)
        if address and moving.shared:
            text = f"{what} accesses {moving.reason}"
        else:
            text = f"{'the address of ' if address else ''}{what} depends on {moving.reason}"
        self._blame(i, axes, text)

    def _blame(self, i: Instruction, axes: frozenset[str], text: str) -> None:
        self._lost |= axes
        if len(self._obstacles) < _MAX_OBSTACLES:
            location = user_location(i.location) if i.location is not None else None
            self._obstacles.append(Obstacle(axes, location, text))


def _axes(value: Value | None) -> frozenset[str]:
    return frozenset() if value is None else value.axes


def _together(values: list[Value]) -> Moving | None:
    """What a function of these moves with; None: it stays."""
    moving = [value for value in values if value.axes]
    if not moving:
        return None
    axes: frozenset[str] = frozenset().union(*(value.axes for value in moving))
    return replace(_moving(moving[0]), axes=axes)


def _moving(value: Value) -> Moving:
    """A value that does not stay, with what it depends on."""
    return value if isinstance(value, Moving) else Moving(value.axes, _registers(value))


def _registers(value: Sum) -> str:
    """The registers that a value moves with, and why it does."""
    names = sorted(name for name in value.names if name[-1] in value.axes)
    kinds = {name.split(".", 1)[0] for name in names}
    told = " and ".join(names) or "the block"
    if kinds == {"threadIdx"}:
        return f"{told}, the index of a thread within its block"
    if kinds == {"blockIdx"}:
        return f"{told}, the index of the block"
    if {"blockIdx", "threadIdx"} <= kinds:
        return f"{told}, but not through the global thread index"
    return told


def _special(name: str) -> Value:
    kind, _, axis = name.partition(".")
    known = sums.register(kind, axis)
    if known is not None:
        return known
    if kind == "warpsize":
        return sums.constant(WARP_SIZE)
    return Moving(_ALL, f"`%{name}`, which tells where a thread runs")


def _called(module: Module, call: Call) -> str:
    if call.callee == "asm":
        return "inline assembly"
    target = module.functions.get(call.callee) if call.callee else None
    if target is not None:
        name = target.display
        return f"calling `{name[:_LONGEST_NAME]}{'…' if len(name) > _LONGEST_NAME else ''}`"
    if not call.callee:
        return "a call through a pointer"
    if call.callee.startswith("_Z"):
        return f"calling `{plain_symbol(call.callee)}`"
    return f"`{short_name(call.callee)}`"


def _why(module: Module, call: Call) -> str:
    known = intrinsic(call.callee or "")
    if known.barrier is Barrier.FENCE:
        return "a fence: threads communicate through memory"
    if known.barrier is not None:
        return "a barrier: the threads of a block cooperate"
    if known.unit == "exchange":
        return "the lanes of a warp exchange values"
    return f"{_called(module, call)} is not analysed"
