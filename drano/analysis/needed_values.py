"""Values that neither an access, nor a branch, nor an effect depends on: what is computed only to
be stored, as most of a kernel's arithmetic is. Nothing that is judged asks for
them, so that the analysis need not follow them.

Means: backwards from all that instructions do besides computing: addresses, conditions, arguments
of calls. What is stored in global memory does not count, and elsewhere only if anything that is
loaded from there is needed; nor does what a shuffle hands on that nobody needs.
Assumptions: a number of 32 bits holds no address. What may hold one is needed where it goes, as an
address of a thread's own array may be let out by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from drano.ir.intrinsics import Intrinsic, Meaning, intrinsic
from drano.ir.model import (
    Call,
    Cast,
    FloatType,
    Function,
    Instruction,
    IntType,
    Load,
    Local,
    Operand,
    Phi,
    Store,
    Type,
    ValueInstruction,
    VectorType,
)
from drano.ir.target import AddressSpace

_ADDRESS_BITS: Final = 64
_UNWRITTEN: Final = frozenset({AddressSpace.GLOBAL, AddressSpace.CONSTANT, AddressSpace.PARAM})
"""Spaces of which no load is known to give what a store of the kernel has put there."""


def unneeded_values(
    function: Function, operands: Callable[[Instruction], Sequence[Operand]]
) -> frozenset[int]:
    """The instructions of a function that compute such values, by their index."""
    computing: dict[int, Instruction] = {}
    handing: dict[int, Instruction] = {}
    pending: list[int] = []
    stored: list[int] = []
    loads: set[int] = set()
    letting: set[int] = set()
    for block in function.blocks:
        for i in block.instructions:
            if _is_computation(i):
                computing[i.index] = i
            elif isinstance(i, Call) and _known(i).meaning is Meaning.SHUFFLE:
                handing[i.index] = i
            elif isinstance(i, Store):
                pending += _locals([i.pointer])
                if i.space != AddressSpace.GLOBAL:
                    stored += _locals([i.value])
            else:
                pending += _locals(operands(i))
                if isinstance(i, Load) and i.space not in _UNWRITTEN:
                    loads.add(i.index)
            if _may_give_address(i):
                letting.add(i.index)
    needed: set[int] = set()
    for each in (computing, handing):
        pending += (n for n, i in each.items() if _holds_pointers(i.type))
    while pending:
        index = pending.pop()
        if index in needed:
            continue
        needed.add(index)
        if index in loads:
            pending += stored
            stored.clear()
        instruction = computing.get(index) or handing.get(index)
        if instruction is not None:
            pending += _locals(operands(instruction))
    left = {index: i for index, i in computing.items() if index not in needed}
    return frozenset(left) - _led_to(letting, left, operands)


def _led_to(
    start: set[int],
    among: dict[int, Instruction],
    operands: Callable[[Instruction], Sequence[Operand]],
) -> set[int]:
    """Of these instructions those that values lead to."""
    if not start:
        return set()
    users: dict[int, list[int]] = {}
    for index, instruction in among.items():
        for operand in _locals(operands(instruction)):
            users.setdefault(operand, []).append(index)
    reached: set[int] = set()
    pending = [user for index in start for user in (index, *users.get(index, ()))]
    while pending:
        index = pending.pop()
        if index not in reached:
            reached.add(index)
            pending += users.get(index, ())
    return reached


def _locals(operands: Sequence[Operand]) -> Iterator[int]:
    return (operand.index for operand in operands if isinstance(operand, Local))


def _is_computation(i: Instruction) -> bool:
    """Whether it computes a value and does nothing else."""
    if isinstance(i, Call):
        return _known(i).meaning is Meaning.PURE and _known(i).idle
    return isinstance(i, ValueInstruction | Phi)


def _known(call: Call) -> Intrinsic:
    return intrinsic(call.callee or "")


def _may_give_address(i: Instruction) -> bool:
    """Whether a number may be an address that the kernel has kept as one."""
    if isinstance(i, Cast):
        return i.op == "ptrtoint"
    if isinstance(i, Load):
        return i.space not in _UNWRITTEN and not _is_narrow(i.type)
    if isinstance(i, Call):
        known = _known(i)
        return not (_is_narrow(i.type) or (known.meaning is Meaning.PURE and known.idle))
    return False


def _is_narrow(type_: Type) -> bool:
    """Whether no part of a value can be an address."""
    if isinstance(type_, VectorType):
        return _is_narrow(type_.element)
    if isinstance(type_, IntType):
        return type_.bits < _ADDRESS_BITS
    return isinstance(type_, FloatType)


def _holds_pointers(type_: Type) -> bool:
    if isinstance(type_, VectorType):
        return _holds_pointers(type_.element)
    return not isinstance(type_, IntType | FloatType)
