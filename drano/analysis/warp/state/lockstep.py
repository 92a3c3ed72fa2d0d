"""Blocks executed for all lanes of a block's warps, each lane by its own way.

Numbers are kept as they are stored, without a sign, in 64 bits. Of the blocks that lanes are at,
one goes on, for those that are at it; lanes do not meet, so that the order does not matter.

Limits: integers, no memory, no calls but of minima, maxima and absolute values; ``MOST_STEPS``
blocks. What a program must not do, as a shift by its width, gives anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from drano.ir.model import (
    Binary,
    Block,
    Branch,
    Call,
    Cast,
    Compare,
    Freeze,
    Instruction,
    IntConst,
    IntType,
    Jump,
    Local,
    Operand,
    Phi,
    Select,
    Switch,
    Type,
)
from drano.ir.uses import operands_of

MOST_STEPS: Final = 2048
Lanes: TypeAlias = npt.NDArray[np.uint64]
_Operation: TypeAlias = Callable[[Lanes, Lanes, int], npt.NDArray[np.generic]]


class UnknownError(Exception):
    """Something is not known lane by lane, or takes too long."""


class Executed(Struct, frozen=True):
    """A loop: ``entry``: the block before it; ``steps``: what is executed of each of its blocks,
    and how these end.
    """

    header: int
    entry: int
    steps: Mapping[int, Iterable[Instruction]]
    terminators: Mapping[int, Instruction]


def is_executed(i: Instruction) -> bool:
    """Whether an instruction is one of those that are executed here."""
    match i:
        case Binary():
            return i.op in _BINARY and _is_integer(i.type)
        case Compare():
            return not i.floating and _is_integer(i.operand_type)
        case Cast():
            return i.op in {"trunc", "zext", "sext"} and _is_integer(i.source_type)
        case Call():
            return _stem(i) in _CALLS and _is_integer(i.type)
        case Phi() | Select() | Freeze():
            return _is_integer(i.type)
        case _:
            return False


def read_by(i: Instruction) -> tuple[Operand, ...]:
    """What an instruction reads that is executed: no flags that a call takes besides."""
    if isinstance(i, Call):
        return i.args[: _CALLS[_stem(i)][0]]
    return operands_of(i)


def decides(block: Block) -> tuple[Operand, ...]:
    """What decides where lanes go from a block."""
    match block.terminator:
        case Branch(condition=condition):
            return (condition,)
        case Switch(value=value):
            return (value,)
        case _:
            return ()


def wrapped(value: Lanes, bits: int) -> Lanes:
    """The lowest bits."""
    return value if bits >= 64 else value & np.uint64((1 << bits) - 1)


def signed(value: Lanes, bits: int) -> npt.NDArray[np.int64]:
    """Numbers read with a sign."""
    shift = np.uint64(64 - bits)
    return (value << shift).astype(np.int64) >> np.int64(64 - bits)


class Outcome(Struct, frozen=True):
    """``last``: what each lane computed last, by instruction, as far as it is made of what is
    known; ``left``: the lanes that left by each edge.
    """

    last: dict[int, Lanes]
    left: dict[tuple[int, int], npt.NDArray[np.bool_]]


def run(loop: Executed, known: Mapping[Operand, Lanes], on: npt.NDArray[np.bool_]) -> Outcome:
    """The loop, executed. ``known``: what is not computed here; ``on``: lanes that enter. Raises
    UnknownError where it takes too long, or where lanes go depends on what is not known.
    """
    return _Run(loop, known, on).result()


class _Run:
    def __init__(
        self, loop: Executed, known: Mapping[Operand, Lanes], on: npt.NDArray[np.bool_]
    ) -> None:
        self._loop = loop
        self._known = known
        self._shape = on.shape
        self._at = np.where(on, loop.header, -1)
        self._came = np.full(on.shape, loop.entry)
        self._last: dict[int, Lanes] = {}
        self._lost: set[int] = set()

    def result(self) -> Outcome:
        body = sorted(self._loop.steps)
        left: dict[tuple[int, int], npt.NDArray[np.bool_]] = {}
        for _ in range(MOST_STEPS):
            block = next((index for index in body if bool((self._at == index).any())), None)
            if block is None:
                return Outcome(self._last, left)
            here = self._at == block
            self._execute(self._loop.steps[block], here)
            target = self._target(self._loop.terminators[block])
            inside = np.isin(target, body)
            for outside in np.unique(target[here & ~inside]).tolist():
                gone = here & (target == outside)
                left[block, outside] = gone | left.get((block, outside), False)
            self._came = np.where(here, block, self._came)
            self._at = np.where(here, np.where(inside, target, -1), self._at)
        raise UnknownError

    def _execute(self, steps: Iterable[Instruction], here: npt.NDArray[np.bool_]) -> None:
        phis = {i.index: self._try(i, here) for i in steps if isinstance(i, Phi)}
        for index, value in phis.items():  # all of them are read before any is written
            self._keep(index, value, here)
        for i in steps:
            if not isinstance(i, Phi):
                self._keep(i.index, self._try(i, here), here)

    def _try(self, i: Instruction, here: npt.NDArray[np.bool_]) -> Lanes | None:
        """None where it is not known."""
        try:
            return self._chosen(i, here) if isinstance(i, Phi) else self._value(i)
        except UnknownError:
            return None

    def _keep(self, index: int, value: Lanes | None, here: npt.NDArray[np.bool_]) -> None:
        if value is None or index in self._lost:
            self._lost.add(index)
            self._last.pop(index, None)
            return
        old = self._last.get(index)
        self._last[index] = value if old is None else np.where(here, value, old)

    def _chosen(self, phi: Phi, here: npt.NDArray[np.bool_]) -> Lanes:
        value = np.zeros(self._shape, dtype=np.uint64)
        for operand, source in phi.incoming:
            come = here & (self._came == source)
            if bool(come.any()):
                value = np.where(come, self._of(operand, _bits(phi.type)), value)
        return value

    def _of(self, operand: Operand, bits: int) -> Lanes:
        if isinstance(operand, IntConst):
            return np.full(self._shape, operand.value % (1 << bits), dtype=np.uint64)
        if isinstance(operand, Local) and operand.index in self._last:
            return self._last[operand.index]
        value = self._known.get(operand)
        if value is None:
            raise UnknownError
        return value

    def _value(self, i: Instruction) -> Lanes:
        match i:
            case Binary():
                bits = _bits(i.type)
                return self._made(_BINARY[i.op], i.lhs, i.rhs, bits, bits)
            case Compare():
                bits = _bits(i.operand_type)
                return self._made(_COMPARE[i.predicate], i.lhs, i.rhs, bits, 1)
            case Cast():
                before, after = _bits(i.source_type), _bits(i.type)
                value = self._of(i.value, before)
                if i.op == "sext":
                    value = signed(value, before).astype(np.uint64)
                return wrapped(value, after)
            case Select():
                bits = _bits(i.type)
                chosen = self._of(i.condition, 1) != 0
                return np.where(chosen, self._of(i.if_true, bits), self._of(i.if_false, bits))
            case Freeze():
                return self._of(i.value, _bits(i.type))
            case Call():
                bits = _bits(i.type)
                count, operation = _CALLS[_stem(i)]
                return self._made(operation, i.args[0], i.args[count - 1], bits, bits)
            case _:
                raise UnknownError

    def _made(
        self, operation: _Operation, lhs: Operand, rhs: Operand, bits: int, result: int
    ) -> Lanes:
        value = operation(self._of(lhs, bits), self._of(rhs, bits), bits)
        return wrapped(value.astype(np.uint64), result)

    def _target(self, terminator: Instruction) -> npt.NDArray[np.int64]:
        match terminator:
            case Jump():
                return np.full(self._shape, terminator.target)
            case Branch():
                chosen = self._of(terminator.condition, 1) != 0
                return np.where(chosen, terminator.if_true, terminator.if_false)
            case Switch():
                value = self._of(terminator.value, terminator.bits)
                target = np.full(self._shape, terminator.default)
                for constant, block in terminator.cases:
                    same = value == np.uint64(constant % (1 << terminator.bits))
                    target = np.where(same, block, target)
                return target
            case _:
                raise UnknownError


def _is_integer(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.bits <= 64


def _bits(type_: Type) -> int:
    assert isinstance(type_, IntType)  # others are not executed
    return type_.bits


def _stem(call: Call) -> str:
    return (call.callee or "").rpartition(".")[0]


def _shift(operation: Callable[[Lanes, Lanes], Lanes]) -> _Operation:
    return lambda a, b, bits: operation(a, np.minimum(b, np.uint64(bits - 1)))


def _divisor(b: Lanes) -> Lanes:
    return np.where(b == 0, np.uint64(1), b)


def _signed_divided(a: Lanes, b: Lanes, bits: int) -> Lanes:
    """Toward zero, as C does; of magnitudes, as numpy rounds down."""
    left, right = signed(a, bits), signed(_divisor(b), bits)
    size = abs(left).astype(np.uint64) // abs(right).astype(np.uint64)
    return np.where((left < 0) != (right < 0), np.uint64(0) - size, size)


def _signed_rest(a: Lanes, b: Lanes, bits: int) -> Lanes:
    return a - _signed_divided(a, b, bits) * _divisor(b)


def _of_signed(
    operation: Callable[[npt.NDArray[np.int64], npt.NDArray[np.int64]], npt.NDArray[np.generic]],
) -> _Operation:
    return lambda a, b, bits: operation(signed(a, bits), signed(b, bits))


_BINARY: Final[dict[str, _Operation]] = {
    "add": lambda a, b, _: a + b, "sub": lambda a, b, _: a - b, "mul": lambda a, b, _: a * b,
    "and": lambda a, b, _: a & b, "or": lambda a, b, _: a | b, "xor": lambda a, b, _: a ^ b,
    "shl": _shift(np.left_shift), "lshr": _shift(np.right_shift),
    "ashr": lambda a, b, bits: signed(a, bits) >> np.minimum(b, bits - 1).astype(np.int64),
    "udiv": lambda a, b, _: a // _divisor(b), "urem": lambda a, b, _: a % _divisor(b),
    "sdiv": _signed_divided, "srem": _signed_rest,
}  # fmt: skip
_COMPARE: Final[dict[str, _Operation]] = {
    "eq": lambda a, b, _: a == b, "ne": lambda a, b, _: a != b,
    "ult": lambda a, b, _: a < b, "ule": lambda a, b, _: a <= b,
    "ugt": lambda a, b, _: a > b, "uge": lambda a, b, _: a >= b,
    "slt": _of_signed(np.less), "sle": _of_signed(np.less_equal),
    "sgt": _of_signed(np.greater), "sge": _of_signed(np.greater_equal),
}  # fmt: skip
# With the number of arguments that are numbers.
_CALLS: Final[dict[str, tuple[int, _Operation]]] = {
    "llvm.umin": (2, lambda a, b, _: np.minimum(a, b)),
    "llvm.umax": (2, lambda a, b, _: np.maximum(a, b)),
    "llvm.smin": (2, _of_signed(np.minimum)),
    "llvm.smax": (2, _of_signed(np.maximum)),
    "llvm.abs": (1, lambda a, _, bits: abs(signed(a, bits))),
}
