"""Indices that an atomic gives out: ``out[atomicAdd(&count, 1)] = x``.

Where all threads of a block add the same number to one counter, nvcc makes one atomic for the warp
and gives each lane its number by its rank among the active ones (ptxas' ``VOTE``, ``POPC``,
``SHFL``), so that lanes in order get numbers in order, a *step* apart. The verdict is of such a
warp, with all lanes that may be active, and has that condition. Bounds hold for any numbers, and
nothing is proved.

Measured on an H200: ``out[atomicAdd(&count, 1)]`` of a half of the lanes takes 1.18 times the
sectors that they need, and of all lanes 4; records of 32 bytes 32. ``atomicInc``, which nvcc does
not join, 5.5 times: lanes of several warps take turns. So only additions and subtractions count.
"""

from __future__ import annotations

import numpy as np

from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.block_uniform import BlockShared, is_same_in_all
from drano.lattice import Cause, Form, LaneOverflowError, Predicate, Shape, Warp
from drano.lattice.warp.forms import Monomial
from drano.lattice.warp.lanes import Coefficient
from drano.lattice.warp.substitution import substitute
from drano.model.hardware import WARP_SIZE


def with_tickets_in_turn(run: WarpState, address: Form) -> Form | None:
    """An address with the numbers of atomics in it given out in turn; None where there are none.
    Raises LaneOverflowError.
    """
    numbers = {n for monomial, _ in address.terms for n in monomial if n in run.tickets}
    if not numbers or not all(_is_joined(run, number) for number in numbers):
        return None
    warp = run.warp
    for atom in [warp.atoms[n] for monomial, _ in address.terms for n in monomial]:
        wrapped = atom.wrapped
        if wrapped is not None and any(n in numbers for m, _ in wrapped.terms for n in m):
            address = substitute(warp, address, atom.number, 0)
    for number in sorted(numbers):
        rest = substitute(warp, address, number, 0)
        times = _factor(warp, address, number)
        address = warp.add(rest, warp.mul(times, _in_turn(run, number, address.bits)))
    return address


def _is_joined(run: WarpState, number: int) -> bool:
    """Whether nvcc makes one atomic for a warp: where counter and number are, as far as code tells,
    the same for the whole block.
    """
    if number not in run.joined_tickets:
        shared = BlockShared(run)
        parts = run.tickets[number]
        run.joined_tickets[number] = all(shared.knows(p) and is_same_in_all(p) for p in parts)
    return run.joined_tickets[number]


def _factor(warp: Warp, address: Form, number: int) -> Form:
    """What an atom is multiplied by. Raises LaneOverflowError where that is itself."""
    terms: dict[Monomial, Coefficient] = {}
    const = warp.constant(0, address.bits)
    for monomial, coefficient in address.terms:
        if number not in monomial:
            continue
        if monomial.count(number) > 1:
            raise LaneOverflowError
        rest = tuple(n for n in monomial if n != number)
        if rest:
            terms[rest] = coefficient
        else:
            const = warp.lanes(coefficient, address.bits)
    return warp.add(warp.build(address.bits, terms, 0), const)


def _in_turn(run: WarpState, number: int, bits: int) -> Form:
    warp, atom, (_, step) = run.warp, run.warp.atoms[number], run.tickets[number]
    first = warp.atom(
        ("first ticket", number), bits, atom.name, atom.cause, varying=False, loops=atom.loops
    )
    rank = warp.lanes(warp.space.intern(np.arange(WARP_SIZE)), bits)
    if step.terms:
        name = warp.describe(step)
        apart = warp.atom(("between tickets", number), bits, name, Cause.PARAMETER, varying=False)
    else:
        apart = warp.constant(step.lo, bits)
    return warp.add(first, warp.mul(rank, apart))


def by_rank(warp: Warp, mask: Predicate) -> Predicate:
    """As many lanes as may be active, from the first."""
    active = (warp.space.array(mask.lanes) != 0).sum(axis=1, keepdims=True)
    lanes = warp.space.intern((np.arange(WARP_SIZE) < active).astype(np.int64))
    return Predicate(lanes, Shape.EXACT, ("by rank", mask.key))
