"""Active masks: which lanes of a warp execute a block.

A mask is a ``Predicate`` of the lanes that are on, given that some lane is. So a branch on a
value that the whole warp shares does not narrow it: whoever executes, all do.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from drano.lattice import Predicate, Shape, Warp
from drano.lattice.warp import operations as ops

_MOST_EDGES = 3


def refine(warp: Warp, mask: Predicate, condition: Predicate) -> Predicate | None:
    """The lanes of ``mask`` for which ``condition`` holds; None when there are none."""
    if condition.shape is Shape.UNIFORM:
        condition = _taken(warp, condition)
    result = ops.conjunction(warp, mask, condition, ("mask", mask.key, condition.key))
    if result.lanes == 0:
        return None
    return result


def _taken(warp: Warp, condition: Predicate) -> Predicate:
    """``condition`` given that some lane meets it: the unknown truth value its lanes share is true
    in the warps that no lane with a known true value brings here.
    """
    lanes = condition.lanes
    if not isinstance(lanes, int):
        alone = ~(lanes.data == 1).any(axis=1, keepdims=True)
        lanes = warp.space.intern(np.where(alone & (lanes.data == 2), 1, lanes.data))
    elif lanes == 2:
        lanes = 1
    shape = Shape.UNIFORM if ops.has_lane(lanes, 2) else Shape.EXACT
    return replace(condition, lanes=lanes, shape=shape)


def union(warp: Warp, masks: list[Predicate], key: int) -> Predicate:
    """The lanes that come by any of several edges, at one time or one after the other (before its
    post-dominator lanes that a branch parted need not meet): a lane is sure to be on only when it
    is on whichever edge is taken.
    """
    first = masks[0]
    if all(m == first for m in masks):
        return first
    lanes = warp.space.array(first.lanes)
    for other in masks[1:]:
        more = warp.space.array(other.lanes)
        lanes = np.where(lanes == more, lanes, 2)
    shape = max(m.shape for m in masks)
    if (lanes < 2).all():
        shape = Shape.EXACT
    elif shape <= Shape.OUTSIDE:
        shape = Shape.AFFINE if _is_one_run(warp, masks) else Shape.OTHER
    reason = next((m.reason for m in masks if m.reason), "")
    loops = frozenset[int]().union(*(m.loops for m in masks))
    return Predicate(warp.space.intern(lanes), shape, ("union", key), reason, loops)


def is_union(mask: Predicate) -> bool:
    """Whether lanes come by several edges: to an ``else`` of several conditions, say."""
    return isinstance(mask.key, tuple) and mask.key[0] == "union"


def _is_one_run(warp: Warp, masks: list[Predicate]) -> bool:
    """Whether the lanes that come by some of the edges are one run in each warp, by whichever, none
    of them cut by a bound. A mask does not tell whether a warp comes by its edge at all.

    Lanes beyond one bound and lanes beyond another are two: ``if (i < n && i > 0) …; else …``.
    """
    if len(masks) > _MOST_EDGES or any(m.shape > Shape.UNIFORM for m in masks):
        return False
    together = [np.zeros(warp.space.shape, dtype=np.bool_)]
    for mask in masks:
        lanes = warp.space.array(mask.lanes)
        together += [on | may for on in together for may in (lanes == 1, lanes != 0)]
    return all(map(_is_run, together))


def weaken(
    warp: Warp,
    mask: Predicate,
    shape: Shape,
    reason: str,
    key: int,
    loops: frozenset[int],
    gone: frozenset[int] = frozenset(),
) -> Predicate:
    """``mask`` less some of its lanes: those that left a loop earlier.

    ``loops``: those in whose iterations lanes may come back that were gone before; ``gone``: where
    not empty, those that are left are one run between two breaks of these atoms.
    """
    lanes = warp.space.array(mask.lanes)
    weaker = warp.space.intern(np.where(lanes == 0, 0, 2))
    cut = mask.cut if shape <= Shape.AFFINE else frozenset[int]()
    if gone and (mask.cut or mask.shape < Shape.OUTSIDE):
        cut = mask.cut | gone
    shape = Shape.ONE if ops.at_most_one(mask) else max(mask.shape, shape, Shape.AFFINE)
    loops |= mask.loops
    found = Predicate(weaker, shape, ("weaken", key), mask.reason or reason, loops, cut=cut)
    level = mask.levels[0]
    if level is None:
        return found
    return replace(found, levels=(replace(level, within=found), None))


def is_contiguous(warp: Warp, mask: Predicate) -> bool:
    """Whether the lanes that are on are one run in every warp, as those below a bound are."""
    return _is_run(warp.space.array(mask.lanes) != 0)


def _is_run(on: np.ndarray) -> bool:
    rises = (np.diff(on.astype(np.int8), axis=1) == 1).sum(axis=1) + on[:, 0]
    return bool((rises <= 1).all())
