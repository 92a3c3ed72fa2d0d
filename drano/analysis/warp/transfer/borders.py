"""Where lanes are held within bounds, or go on at the other side: what they have where none is.

Few warps meet a border. A state that is ``inside`` is of those that do not; each of these functions
notes that there is a border to meet, so that it pays to make one.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Binary, Block, Select
from drano.lattice import Cause, Form, Predicate, Shape
from drano.lattice.warp import operations as ops
from drano.lattice.warp.operations.unknowns import clipped, is_vector_term

_MOST_APART: Final = 1 << 16  # elements between lanes of a warp that go around together


def held_at_borders(state: WarpState, condition: Predicate, a: Form, b: Form) -> Form:
    """``condition ? a : b`` of what differs between lanes and a bound that a warp has in common:
    inside, the former wherever it is open.
    """
    warp = state.warp
    uniform = warp.is_uniform(a)
    if uniform != warp.is_uniform(b) and ops.has_lane(condition.lanes, 2):
        state.meets_borders = True
        if state.inside:
            lanes = warp.space.array(condition.lanes)
            own = warp.space.intern(np.where(lanes == 2, int(not uniform), lanes))
            return ops.select_lanes(warp, own, a, b)
    return ops.select(warp, condition, a, b)


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
    if not size.terms or (i.op == "and" and size.const != 0) or apart.terms:
        return None
    if ops.loops_of(warp, (size,)):  # powers of two in turn, of which the first are small
        return None
    if any(is_vector_term(coefficient) for _, coefficient in together.terms):
        return None
    const = warp.space.array(apart.const)
    if const.max() - const.min() > _MOST_APART:
        return None
    state.meets_borders = True
    if not state.inside:
        return None
    turns = warp.atom(
        ("around", i.index), a.bits, "turns", Cause.NONLINEAR, varying=False, loops=loops
    )
    left = warp.sub(a, warp.mul(turns, size))
    return clipped(warp, left, (0, max(size.hi - 1, 0)))


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
        return held_at_borders(state, condition, a, b)
    apart = warp.sub(a, b)
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
