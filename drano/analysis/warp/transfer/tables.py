"""Loads from constant tables of integers, whose numbers the module holds.

Example: from ``{0, 8, 16, 24}`` at ``lane % 4`` each lane's number is known; at an unknown place it
is one of these, a multiple of 8 from 0 to 24.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Block, GlobalVariable, IntType, Load
from drano.lattice import Cause, Congruence, Form
from drano.lattice.warp import operations as ops


def from_table(state: WarpState, i: Load, address: Form, block: Block) -> Form | None:
    """What a load gives from a table; None where it does not load from one."""
    if not isinstance(i.type, IntType) or i.type.bits == 1 or i.volatile:
        return None
    for monomial, coefficient in address.terms:
        name = state.variable_of(monomial[0]) if len(monomial) == 1 and coefficient == 1 else None
        variable = None if name is None else state.module.globals.get(name)
        if variable is None or not variable.constant or not variable.initializer:
            continue
        numbers = variable.initializer
        if variable.size != len(numbers) * i.size or i.size * 8 != i.type.bits:
            return None
        if len(address.terms) == 1:
            return _known(state, i, address, numbers, block)
        return _one_of(state, i, address, variable, numbers)
    return None


def _known(
    state: WarpState, i: Load, address: Form, numbers: tuple[int, ...], block: Block
) -> Form | None:
    space = state.warp.space
    mask = state.masks[block.index]
    if mask is None:
        return None
    on = space.array(mask.lanes) != 0
    places = space.array(address.const)
    inside = (places % i.size == 0) & (places >= 0) & (places < len(numbers) * i.size)
    if (on & ~inside).any():
        return None
    found = np.array(numbers, dtype=object)[np.where(inside, places // i.size, 0)]
    return state.warp.lanes(space.intern(found.astype(np.int64)), i.size * 8)


def _one_of(
    state: WarpState, i: Load, address: Form, variable: GlobalVariable, numbers: tuple[int, ...]
) -> Form:
    """Any of the numbers, the same in all lanes that have the same address."""
    warp = state.warp
    step = gcd(*(n - numbers[0] for n in numbers))
    varying = not warp.is_uniform(address)
    return warp.atom(
        ("table", address, i.type), i.size * 8, f"{variable.display}[…]", Cause.MEMORY,
        varying=varying, bounds=(min(numbers), max(numbers)), data=varying,
        residue=Congruence(step, numbers[0] % step if step else numbers[0]),
        loops=ops.loops_of(warp, (address,)),
    )  # fmt: skip
