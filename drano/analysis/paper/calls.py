"""Calls that remain after inlining, in the paper's domain.

``threadIdx.x`` and the lane's number are 1; ``threadIdx.y`` and ``.z`` are 0, or ``.y`` is ⊤ in
the second-dimension variant; all other special registers are 0. Pure functions are 0 of uniform
arguments and ⊤ of others; functions that are not known are ⊤.
"""

from __future__ import annotations

from collections.abc import Sequence

from drano.analysis.paper import values
from drano.analysis.paper.values import Reference, Value
from drano.ir.intrinsics import Meaning, meaning
from drano.ir.model import Call, IntConst, Operand, VoidType
from drano.ir.target import SPECIAL_REGISTER
from drano.lattice.paper.multiplier import ONE, TOP, ZERO, Multiplier

_FULL_WARP_SEGMENT = 0


def evaluate(call: Call, operands: Sequence[Value], *, tid_y: bool) -> Value | None:
    """Result of a call that is no load; None for a call without one."""
    if isinstance(call.type, VoidType):
        return None
    match meaning(call.callee or ""):
        case Meaning.THREAD_INDEX:
            return _thread_index(call.callee or "", tid_y=tid_y)
        case Meaning.LANE:
            return ONE
        case Meaning.UNIFORM | Meaning.NOTHING:
            return values.of_multiplier(call.type, ZERO)
        case Meaning.SAME_POINTER if operands and isinstance(operands[0], Reference):
            return operands[0]
        case Meaning.PURE | Meaning.TEXTURE:
            return values.of_multiplier(call.type, values.blend(*operands))
        case Meaning.SHUFFLE:
            return values.of_multiplier(call.type, _shuffle(call, operands))
        case _:
            return values.of_multiplier(call.type, TOP)


def _thread_index(callee: str, *, tid_y: bool) -> Multiplier:
    axis = callee.removeprefix(SPECIAL_REGISTER + "tid.")
    if axis == "x":
        return ONE
    return TOP if axis == "y" and tid_y else ZERO


def _shuffle(call: Call, operands: Sequence[Value]) -> Multiplier:
    """Uniform when what the lanes offer is, or when all lanes name one and the same lane."""
    first = 1 if ".sync." in (call.callee or "") else 0
    if len(operands) < first + 3:
        return TOP
    offered, lane = operands[first], operands[first + 1]
    if values.uniform(offered):
        return ZERO
    broadcast = ".idx." in (call.callee or "") and values.uniform(lane)
    return ZERO if broadcast and _whole_warp(call.args[first + 2]) else TOP


def _whole_warp(clamp: Operand) -> bool:
    """Bits 8 to 12 of the last operand split the warp into segments (PTX ISA, ``shfl``)."""
    return isinstance(clamp, IntConst) and (clamp.value >> 8) & 31 == _FULL_WARP_SEGMENT
