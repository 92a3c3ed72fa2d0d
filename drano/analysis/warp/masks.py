"""Active masks: which lanes of a warp execute a block.

A mask is a ``Predicate`` of the lanes that are on, given that some lane is. So a branch on a
value that the whole warp shares does not narrow it: whoever executes, all do.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from drano.lattice import Predicate, Shape, Warp
from drano.lattice import warp_ops as ops


def refine(warp: Warp, mask: Predicate, condition: Predicate) -> Predicate | None:
    """The lanes of ``mask`` for which ``condition`` holds; None when there are none."""
    if condition.shape is Shape.UNIFORM:
        # someone executes, so the unknown truth value that all share is true
        lanes = condition.lanes
        lanes = 1 if isinstance(lanes, int) else warp.space.intern(np.minimum(lanes.data, 1))
        condition = replace(condition, lanes=lanes, shape=Shape.EXACT)
    result = ops.conjunction(warp, mask, condition, ("mask", mask.key, condition.key))
    if result.lanes == 0:
        return None
    return result


def union(warp: Warp, masks: list[Predicate], key: int) -> Predicate:
    """The lanes that come by any of several edges."""
    first = masks[0]
    if all(m == first for m in masks):
        return first
    lanes = warp.space.array(first.lanes)
    for other in masks[1:]:
        more = warp.space.array(other.lanes)
        lanes = np.where((lanes == 1) | (more == 1), 1, np.maximum(lanes, more))
    shape = max(m.shape for m in masks)
    if (lanes < 2).all():
        shape = Shape.EXACT
    elif shape in {Shape.ONE, Shape.ALL_BUT_ONE, Shape.UNIFORM, Shape.EXACT}:
        shape = Shape.AFFINE
    reason = next((m.reason for m in masks if m.reason), "")
    return Predicate(warp.space.intern(lanes), shape, ("union", key), reason)


def weaken(warp: Warp, mask: Predicate, shape: Shape, reason: str, key: int) -> Predicate:
    """``mask`` less some of its lanes: those that left a loop earlier."""
    lanes = warp.space.array(mask.lanes)
    weaker = warp.space.intern(np.where(lanes == 0, 0, 2))
    if mask.shape is Shape.ONE and not ops.has_lane(mask.lanes, 1):
        shape = Shape.ONE
    else:
        shape = max(mask.shape, shape, Shape.AFFINE)
    return Predicate(weaker, shape, ("weaken", key), mask.reason or reason)
