"""Where lanes are held within bounds, or go on at the other side: what they have where none is.

Few warps meet a border. A state that is ``inside`` is of those that do not; each of these functions
notes that there is a border to meet, so that it pays to make one. What they say is likely, and for
no proof.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Binary, Block, Select
from drano.lattice import (
    Cause,
    Coefficient,
    Form,
    LaneOverflowError,
    Predicate,
    Shape,
    Warp,
)
from drano.lattice.warp import operations as ops
from drano.lattice.warp.operations.unknowns import clipped, is_vector_term
from drano.model.hardware import WARP_SIZE

_MOST_APART: Final = 1 << 16  # elements between lanes of a warp that go around together


def held_at_borders(
    state: WarpState, condition: Predicate, a: Form, b: Form, *, smaller: bool
) -> Form:
    """``condition ? a : b``, the ``smaller`` or greater one, of what differs between lanes and a
    bound that a warp has in common: inside, where it is open, the former if it rises from lane to
    lane, as positions do, and else the latter, as of the taps of a window, ``max(pad - x, 0)``.
    """
    warp = state.warp
    if warp.is_uniform(a) == warp.is_uniform(b):
        return ops.select(warp, condition, a, b)
    value, bound = (b, a) if warp.is_uniform(a) else (a, b)
    way = _direction(warp, value)
    if way == 0:
        return ops.select(warp, condition, a, b)
    few = smaller and not bound.terms and bound.hi < WARP_SIZE
    return _held(state, condition, a, b, own=way > 0 and not few)


def _held(state: WarpState, condition: Predicate, a: Form, b: Form, *, own: bool) -> Form:
    """``condition ? a : b`` where only one of them differs between lanes; inside, that one or,
    where it is not its ``own`` that a lane has, the other one.
    """
    warp = state.warp
    if ops.has_lane(condition.lanes, 2):
        state.meets_borders = True
        if state.inside:
            lanes = warp.space.array(condition.lanes)
            first = int(own != warp.is_uniform(a))
            return ops.select_lanes(
                warp, warp.space.intern(np.where(lanes == 2, first, lanes)), a, b
            )
    return ops.select(warp, condition, a, b)


def _direction(warp: Warp, value: Form) -> int:
    """1 of what rises from a warp's first lane to its last, -1 of what falls, 0 where neither is
    known; sizes are positive.
    """
    known = [
        _rise(warp, c) for m, c in (((), value.const), *value.terms) if not warp.varying_monomial(m)
    ]
    signs = {sign for sign in known if sign}
    if not signs:
        for monomial, coefficient in value.terms:
            varying = [warp.atoms[n] for n in monomial if warp.atoms[n].varying]
            if varying:
                steps = varying[0].steps if len(varying) == 1 else None
                order = 0 if steps is None else _rise(warp, steps.order)
                signs.add(order * int(np.sign(warp.space.array(coefficient).max())))
    return signs.pop() if len(signs) == 1 else 0


def _rise(warp: Warp, coefficient: Coefficient) -> int:
    lanes = warp.space.array(coefficient)
    return int(np.sign(lanes[:, -1] - lanes[:, 0]).sum().clip(-1, 1))


def around_borders(state: WarpState, i: Binary, block: Block, a: Form, b: Form) -> Form | None:
    """``a % n``, or ``a & (n - 1)`` as of an ``n`` that is a power of two, in a loop or behind it:
    inside, lanes go around together, and stay as far apart as they are. None where it is something
    else.
    """
    warp = state.warp
    if i.op not in _AROUND or warp.is_uniform(a) or not warp.is_uniform(b):
        return None
    loops = state.loops_at(block.index) | ops.loops_of(warp, (a,))
    if not loops:
        return None
    size = warp.add(b, warp.constant(1, b.bits)) if i.op == "and" else b
    together, apart = warp.split_warp(a)
    if apart.terms or not _is_size(size, wrapped=i.op == "and"):
        return None
    if ops.loops_of(warp, (size,)):  # powers of two in turn, of which the first are small
        return None
    if any(is_vector_term(coefficient) for _, coefficient in together.terms):
        return None
    const = warp.space.array(apart.const)
    between = int(const.max() - const.min())
    if between > _MOST_APART or (not size.terms and size.hi <= between):
        return None
    state.meets_borders = True
    if not state.inside:
        return None
    turns = warp.atom(
        ("around", i.index), a.bits, "turns", Cause.NONLINEAR, varying=False, loops=loops
    )
    left = warp.sub(a, warp.mul(turns, size))
    return clipped(warp, left, (0, max(size.hi - 1, 0)))


def _is_size(size: Form, *, wrapped: bool) -> bool:
    """Whether lanes may go around what is ``size`` large: of a mask that is ``wrapped`` around from
    a size, where it is a power of two, or a number without anything else.
    """
    if not size.terms:
        return size.lo > 1 and (not wrapped or size.lo & (size.lo - 1) == 0)
    return not wrapped or size.const == 0


def back_at_borders(
    state: WarpState, i: Select, block: Block, condition: Predicate, a: Form, b: Form
) -> Form | None:
    """``s >= n ? s - n : s`` and ``s == n ? 0 : s`` in a loop, as of what goes around: inside,
    lanes do so together, or not at all. None where it is something else.
    """
    warp = state.warp
    loops = state.loops_at(block.index)
    if not loops or condition.shape not in _FEW or not ops.has_lane(condition.lanes, 2):
        return None
    if warp.is_uniform(a) != warp.is_uniform(b):
        return _held(state, condition, a, b, own=True)
    try:
        apart = warp.sub(a, b)
    except LaneOverflowError:
        return None
    if not warp.is_uniform(apart):
        return None
    state.meets_borders = True
    if not state.inside:
        return None
    turned = warp.atom(
        ("around", i.index), a.bits, "condition", Cause.CHOICE, varying=False, bounds=(0, 1),
        loops=loops,
    )  # fmt: skip
    result = warp.add(b, warp.mul(turned, apart))
    return clipped(warp, result, (min(a.lo, b.lo), max(a.hi, b.hi)))


_FEW: Final = frozenset({Shape.ONE, Shape.ALL_BUT_ONE, Shape.AFFINE})
_AROUND: Final = frozenset({"srem", "urem", "and"})
