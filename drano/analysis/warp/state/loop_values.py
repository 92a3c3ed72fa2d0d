"""How values move from one iteration of a loop to the next."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from drano.ir.loops import Loop
from drano.ir.model import Binary, Block, Gep, IntConst, Local, Operand, Phi
from drano.ir.target import POINTER_BITS

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState

OPPOSITE: Final = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
"""The relation that holds where another one does not."""


class Mode(IntEnum):
    """How a loop-carried value moves; only ever increases."""

    CONSTANT = 0
    UNIFORM_STEP = 1
    LANE_STEPS = 2
    VARYING = 3


class Advance(Struct, frozen=True):
    """One back edge of a counter: ``value = phi + step`` (minus, if ``negated``); ``nsw``, ``nuw``:
    what is said of wrapping around.
    """

    value: Local
    block: int
    step: Operand
    negated: bool
    nsw: bool = False
    nuw: bool = False


def advances(state: WarpState, phi: Phi, block: Block) -> tuple[Advance, ...]:
    """The back edges of a counter, one each; none where ``phi`` is no counter."""
    known = state.counters.get(phi.index)
    if known is None:
        known = state.counters[phi.index] = _advances(
            state, phi, state.structure.loops[block.index]
        )
    return () if block.index in state.tangled_loops else known


def _advances(state: WarpState, phi: Phi, loop: Loop) -> tuple[Advance, ...]:
    found = []
    if loop.irreducible:
        return ()
    for operand, source in dict.fromkeys(phi.incoming):
        if source not in loop.body:
            continue
        if not isinstance(operand, Local) or operand.index not in state.block_of:
            return ()
        home = state.block_of[operand.index]
        around = state.structure.loops_of[home]
        if not around or around[0] != loop.header:
            return ()
        match state.definition(operand.index):
            case Binary(op="add", lhs=Local(index), rhs=step, nsw=nsw, nuw=nuw) if (
                index == phi.index
            ):
                found.append(Advance(operand, home, step, negated=False, nsw=nsw, nuw=nuw))
            case Binary(op="add", lhs=step, rhs=Local(index), nsw=nsw, nuw=nuw) if (
                index == phi.index
            ):
                found.append(Advance(operand, home, step, negated=False, nsw=nsw, nuw=nuw))
            case Binary(op="sub", lhs=Local(index), rhs=step, nsw=nsw, nuw=nuw) if (
                index == phi.index
            ):
                found.append(Advance(operand, home, step, negated=True, nsw=nsw, nuw=nuw))
            case Gep(base=Local(index), steps=(), offset=offset) if index == phi.index:
                step = IntConst(offset, POINTER_BITS)
                found.append(Advance(operand, home, step, negated=False))
            case _:
                return ()
    return tuple(found)
