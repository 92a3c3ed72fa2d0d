"""Loads from constant tables of integers, whose numbers the module holds.

Example: from ``{0, 8, 16, 24}`` at ``lane % 4`` each lane's number is known; at an unknown place it
is one of these, a multiple of 8 from 0 to 24.
"""

from __future__ import annotations

from math import gcd
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Block, GlobalVariable, IntType, Load
from drano.lattice import Cause, Coefficient, Congruence, Form, LaneSpace, Phased
from drano.lattice.warp import operations as ops
from drano.lattice.warp.operations.phases import MOST_PHASES, in_phase, phases_in

Truth: TypeAlias = npt.NDArray[np.bool_]


def from_table(state: WarpState, i: Load, address: Form, block: Block) -> Form | None:
    """What a load gives from a table; None where it does not load from one."""
    if not isinstance(i.type, IntType) or i.type.bits == 1 or i.volatile:
        return None
    for monomial, coefficient in address.terms:
        name = (
            state.constants.variable_of(monomial[0])
            if len(monomial) == 1 and coefficient == 1
            else None
        )
        variable = None if name is None else state.module.globals.get(name)
        if variable is None or not variable.constant or not variable.initializer:
            continue
        numbers = variable.initializer
        if variable.size != len(numbers) * i.size or i.size * 8 != i.type.bits:
            return None
        if len(address.terms) == 1:
            return _known(state, i, address, numbers, block)
        phased = _by_phase(state, i, address, numbers)
        return _one_of(state, i, address, variable, numbers, phased)
    return None


def _known(
    state: WarpState, i: Load, address: Form, numbers: tuple[int, ...], block: Block
) -> Form | None:
    space = state.warp.space
    mask = state.masks[block.index]
    if mask is None:
        return None
    found = _at(space, i, address.const, numbers, space.array(mask.lanes) != 0)
    return None if found is None else state.warp.lanes(found, i.size * 8)


def _at(
    space: LaneSpace, i: Load, place: Coefficient, numbers: tuple[int, ...], on: Truth
) -> Coefficient | None:
    """The numbers at places that are known; None where a lane that is ``on`` is beside them."""
    places = space.array(place)
    inside = (places % i.size == 0) & (places >= 0) & (places < len(numbers) * i.size)
    if (on & ~inside).any():
        return None
    found = np.array(numbers, dtype=object)[np.where(inside, places // i.size, 0)]
    return space.intern(found.astype(np.int64))


def _by_phase(state: WarpState, i: Load, address: Form, numbers: tuple[int, ...]) -> Phased | None:
    """What the lanes load in each phase of their place, where that settles it for all lanes."""
    phases = phases_in(state.warp, address)
    if phases is None or len(phases) != 1 or phases[0].modulus > MOST_PHASES:
        return None
    space, (phase,) = state.warp.space, phases
    all_on = np.ones(space.shape, dtype=np.bool_)
    found = []
    for number in range(phase.modulus):
        place = in_phase(state.warp, address, phase, number)
        lanes = _at(space, i, place.const, numbers, all_on) if len(place.terms) == 1 else None
        if lanes is None:
            return None
        found.append(lanes)
    return Phased(phase, tuple(found))


def _one_of(
    state: WarpState, i: Load, address: Form, variable: GlobalVariable, numbers: tuple[int, ...],
    phased: Phased | None,
) -> Form:  # fmt: skip
    """Any of the numbers, the same in all lanes that have the same address."""
    warp = state.warp
    step = gcd(*(n - numbers[0] for n in numbers))
    varying = not warp.is_uniform(address)
    return warp.atom(
        ("table", address, i.type), i.size * 8, f"{variable.display}[…]", Cause.MEMORY,
        varying=varying, bounds=(min(numbers), max(numbers)), data=varying and phased is None,
        phased=phased,
        residue=Congruence(step, numbers[0] % step if step else numbers[0]),
        loops=ops.loops_of(warp, (address,)),
    )  # fmt: skip
