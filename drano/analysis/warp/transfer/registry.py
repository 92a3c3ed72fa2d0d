"""Which function says what an instruction does: one for each class of instructions.

A transfer function reads the values of its operands from the state and returns the instruction's
own value, or None for an instruction that has none (a store, a branch); what it changes besides,
it changes in the state. It raises ``NotReadyError`` while an operand was not computed, and
``LaneOverflowError`` where the value gets too large. What it does not understand is an unknown,
never None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import Struct

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Block, Instruction
from drano.lattice import Value

Kind = TypeVar("Kind")
Function: TypeAlias = Callable[[WarpState, Kind, Block], Value | None]


class Transfer(Struct, frozen=True):
    """``always``: it depends on more than its operands, such as masks, and runs in every round.
    ``keeps_addresses``: it sees itself to where the addresses of a thread's own arrays go.
    """

    function: Function[Any]
    always: bool = False
    keeps_addresses: bool = False


TRANSFERS: Final[dict[type, Transfer]] = {}


def transfer(
    kind: type[Kind], *, always: bool = False, keeps_addresses: bool = False
) -> Callable[[Function[Kind]], Function[Kind]]:
    """Make a function the one for ``kind``: ``@transfer(Select)``."""

    def register(function: Function[Kind]) -> Function[Kind]:
        TRANSFERS[kind] = Transfer(function, always, keeps_addresses)
        return function

    return register


def transfer_of(instruction: Instruction) -> Transfer:
    """The one of the instruction's class."""
    return TRANSFERS[type(instruction)]
