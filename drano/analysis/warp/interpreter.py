"""Abstract execution of one kernel by one block's warps, to a fixpoint.

``fixpoint`` decides the order, ``transfer`` what instructions do, and the state holds what is
known. They meet here: which blocks are reached, and which instructions have to run again.

Assumption, stated in the documentation: lanes that a branch separates run together again from its
post-dominator on, as the hardware's convergence barriers make them.
"""

from __future__ import annotations

from functools import partial

from drano.analysis import fixpoint
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.transfer import transfer_of
from drano.analysis.warp.transfer.control import mask_of
from drano.analysis.warp.transfer.registry import Transfer
from drano.ir.intrinsics import intrinsic
from drano.ir.model import Block, Call, Instruction, VoidType
from drano.lattice import Cause, LaneOverflowError, Value


def interpret(state: WarpState) -> WarpState:
    """Iterate until nothing changes; the state that was given."""
    fixpoint.solve(state.structure.schedule, partial(_update, state))
    return state


def _update(state: WarpState, index: int) -> bool:
    """Execute one block; whether anything that others see changed."""
    version = state.warp.version
    mask = mask_of(state, index)
    if mask is None:
        return False
    state.set_mask(index, mask)
    block = state.function.blocks[index]
    for instruction in block.instructions:
        if instruction.index in state.unneeded:
            continue
        transfer = transfer_of(instruction)
        if transfer.always or not state.is_current(instruction.index):
            _execute(state, transfer, instruction, block)
    return version != state.warp.version


def _execute(state: WarpState, transfer: Transfer, instruction: Instruction, block: Block) -> None:
    index = instruction.index
    state.computed_at[index] = state.warp.version
    try:
        value = _evaluate(state, transfer, instruction, block)
    except NotReadyError:
        state.computed_at[index] = -1
        return
    apart = isinstance(instruction, Call) and intrinsic(instruction.callee or "").apart
    if not (transfer.keeps_addresses or apart):
        state.keep_addresses(index, value)
    if value is not None:
        state.set_value(index, value)


def _evaluate(
    state: WarpState, transfer: Transfer, instruction: Instruction, block: Block
) -> Value | None:
    """The value; where it gets too large, with one unknown for all that is uniform in each
    operand; else only whether it is uniform.
    """
    try:
        return transfer.function(state, instruction, block)
    except LaneOverflowError:
        state.shortening = True
    try:
        return transfer.function(state, instruction, block)
    except LaneOverflowError:
        return _give_up(state, instruction, block)
    finally:
        state.shortening = False


def _give_up(state: WarpState, instruction: Instruction, block: Block) -> Value | None:
    """A value about which only the uniformity of its operands is known."""
    if isinstance(instruction.type, VoidType):
        return None
    operands = tuple(
        value
        for operand in state.operands[instruction.index]
        if (value := state.value_so_far(operand, block.index)) is not None
    )
    varying = not all(state.warp.is_uniform(value) for value in operands)
    data = varying and any(state.warp.is_data(value) for value in operands)
    return state.unknown_of(
        instruction.type, ("value", instruction.index), "expression too large to follow",
        Cause.NONLINEAR, varying=varying, loops=state.loops_at(block.index), data=data,
    )  # fmt: skip
