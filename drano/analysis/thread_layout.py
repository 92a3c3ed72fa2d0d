"""How the threads of a block lie in its warps: the values of the special registers.

With a known block shape every ``threadIdx`` is a known integer per (warp, lane). Without one the
block is assumed to be a multiple of 32 threads wide, and the result says so: then
``threadIdx.x`` is ``32*w + lane`` and ``threadIdx.y, z`` are uniform.

Of a block that is known along its first axes only, the known ones make up *rows* of threads: of 4x8
threads by an unknown depth each warp is one row, of 4x2 by an unknown depth a warp is four rows,
whatever the depth is. After a whole number of rows, and of warps, all repeats.

Assumptions, stated in the documentation: a launch has fewer than 2**31 threads along each axis; of
a block of unknown size every warp is full; where two sizes are unknown behind one that is no
multiple of 32, a warp does not reach from one layer of threads into the next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from drano.lattice import (
    Cause,
    Congruence,
    Form,
    LaneSpace,
    Predicate,
    Shape,
    Warp,
)
from drano.model.access import Launch
from drano.model.hardware import WARP_SIZE
from drano.model.settings import MAX_BLOCK, MAX_GRID

AXES = "xyz"
WARP_ATOM = "warp"
ROWS_ATOM = "rows"
"""Names of unknowns: which warp of a block this is, and which group of its rows."""
Sizes: TypeAlias = tuple[Form, Form, Form]
_MOST_THREADS = (1 << 31) - 1
_MAX_THREADS_PER_BLOCK = 1024


class Layout(Struct, frozen=True):
    """The domain for one block shape, with the values of the special registers in 32 bits.

    ``groups``: of a block that is not wholly known, which warp, or which group of rows this is.
    """

    warp: Warp
    launch: Launch
    active: Predicate
    thread: tuple[Form, Form, Form]
    block_dim: tuple[Form, Form, Form]
    block: tuple[Form, Form, Form]
    grid_dim: tuple[Form, Form, Form]
    lane: Form
    groups: Form


def known_layout(launch: Launch, grid: tuple[int, int, int] | None = None) -> Layout:
    """The layout of a known block shape, all its warps side by side; ``grid``: where known."""
    shape = launch.block
    threads = shape[0] * shape[1] * shape[2]
    warps = max(1, -(-threads // WARP_SIZE))
    space = LaneSpace(warps)
    warp = Warp(space)
    linear = np.arange(warps * WARP_SIZE, dtype=np.int64).reshape(warps, WARP_SIZE)
    parts = (
        linear % shape[0],
        linear // shape[0] % shape[1],
        np.minimum(linear // (shape[0] * shape[1]), shape[2] - 1),
    )
    x, y, z = (warp.lanes(space.intern(part), 32) for part in parts)
    valid = space.intern((linear < threads).astype(np.int64))
    block_dim = tuple(warp.constant(n, 32) for n in shape)
    blocks, grids = _grid(warp, shape, grid)
    return Layout(
        warp,
        launch,
        Predicate(valid, Shape.EXACT, "entry"),
        (x, y, z),
        (block_dim[0], block_dim[1], block_dim[2]),
        blocks,
        grids,
        _lane(warp),
        warp.constant(0, 32),
    )


def assumed_layout(
    launch: Launch, grid: tuple[int, int, int] | None = None, most: int = _MAX_THREADS_PER_BLOCK
) -> Layout:
    """The layout of a block of unknown width: any whole number of warps along x; ``most``: threads
    that the block may have.
    """
    warp = Warp(LaneSpace(1))
    sizes = launch.partly or (None, None, None)
    rows = math.prod(size for size in sizes[1:] if size is not None)
    widest = max(1, most // (WARP_SIZE * rows))
    number = (
        warp.constant(0, 32)
        if widest == 1
        else warp.atom(WARP_ATOM, 32, WARP_ATOM, Cause.INDEX, varying=False, bounds=(0, widest - 1))
    )
    lane = _lane(warp)
    thread_x = warp.add(warp.scale(number, WARP_SIZE), lane)
    width = warp.atom(
        "ntid.x", 32, "blockDim.x", Cause.INDEX, varying=False,
        bounds=(WARP_SIZE, WARP_SIZE * widest), residue=Congruence(WARP_SIZE, 0),
    )  # fmt: skip
    others = [_unknown_axis(warp, axis, sizes[axis], widest) for axis in (1, 2)]
    block_dim = (width, others[0][1], others[1][1])
    blocks, grids = _grid(warp, (1, 1, 1), grid)
    _cap(warp, block_dim, blocks, grids, sizes)
    return Layout(
        warp,
        launch,
        Predicate(1, Shape.EXACT, "entry"),
        (thread_x, others[0][0], others[1][0]),
        block_dim,
        blocks,
        grids,
        lane,
        number,
    )


def rows_of(partly: tuple[int | None, int | None, int | None]) -> tuple[int, int, int]:
    """The first axis of unknown size, how many threads a row has that the axes before make up, and
    how many rows there are until all repeats, or there can be no more. Of a block known along x.

    >>> rows_of((4, 8, None)), rows_of((16, None, 1)), rows_of((24, None, 1))
    ((2, 32, 1), (1, 16, 2), (1, 24, 4))
    """
    wide, high, deep = partly
    axis = 1 if high is None else 2
    row = (wide or 1) * (high or 1)
    rows = min(MAX_BLOCK[axis], _MAX_THREADS_PER_BLOCK // (row * (deep or 1)))
    return axis, row, max(1, min(math.lcm(row, WARP_SIZE) // row, rows))


def open_layout(
    launch: Launch, grid: tuple[int, int, int] | None = None, most: int = _MAX_THREADS_PER_BLOCK
) -> Layout:
    """The layout of a block that is known along x, or x and y, and open behind: the warps of as
    many rows as it takes until all repeats; ``most``: threads that the block may have.
    """
    sizes = launch.partly or launch.block
    wide, high, deep = sizes[0] or 1, sizes[1], sizes[2]
    axis, row, period = rows_of(sizes)
    rows = max(period, min(MAX_BLOCK[axis], most // (row * (deep or 1))))
    warps = -(-row * period // WARP_SIZE)
    space = LaneSpace(warps)
    warp = Warp(space)
    linear = np.arange(warps * WARP_SIZE, dtype=np.int64).reshape(warps, WARP_SIZE)
    outer = np.minimum(linear // row, period - 1)
    turns = warp.constant(0, 32)
    if rows > period:
        key = f"tid.{AXES[axis]}" if period == 1 else ROWS_ATOM
        name = f"threadIdx.{AXES[axis]}" if period == 1 else ROWS_ATOM
        bounds = (0, (rows - 1) // period)
        turns = warp.atom(key, 32, name, Cause.INDEX, varying=False, bounds=bounds)
    along = warp.add(warp.scale(turns, period), warp.lanes(space.intern(outer), 32))
    thread_x = warp.lanes(space.intern(linear % row % wide), 32)
    width = warp.constant(wide, 32)
    size = warp.atom(
        f"ntid.{AXES[axis]}", 32, f"blockDim.{AXES[axis]}", Cause.INDEX, varying=False,
        bounds=(1, rows),
    )  # fmt: skip
    if axis == 1:
        last = _unknown_axis(warp, 2, deep, rows)
        thread, block_dim = (thread_x, along, last[0]), (width, size, last[1])
    else:
        thread_y = warp.lanes(space.intern(linear % row // wide), 32)
        thread, block_dim = (thread_x, thread_y, along), (width, warp.constant(high or 1, 32), size)
    blocks, grids = _grid(warp, launch.block, grid)
    _cap(warp, block_dim, blocks, grids, sizes)
    return Layout(
        warp,
        launch,
        Predicate(space.intern((linear < row * period).astype(np.int64)), Shape.EXACT, "entry"),
        thread,
        block_dim,
        blocks,
        grids,
        _lane(warp),
        turns,
    )


def layout_of(
    launch: Launch, grid: tuple[int, int, int] | None = None, most: int = _MAX_THREADS_PER_BLOCK
) -> Layout:
    """The layout that fits what is known of a block's shape."""
    if launch.width_assumed:
        return assumed_layout(launch, grid, most)
    return known_layout(launch, grid) if launch.exact else open_layout(launch, grid, most)


def _unknown_axis(warp: Warp, axis: int, size: int | None, most: int) -> tuple[Form, Form]:
    """``threadIdx`` and ``blockDim`` along an axis on which the threads of a warp are alike."""
    if size == 1:
        return warp.constant(0, 32), warp.constant(1, 32)
    name, limit = AXES[axis], min(most, MAX_BLOCK[axis]) if size is None else size
    place = warp.atom(
        f"tid.{name}", 32, f"threadIdx.{name}", Cause.INDEX, varying=False, bounds=(0, limit - 1)
    )
    if size is not None:
        return place, warp.constant(size, 32)
    return place, warp.atom(
        f"ntid.{name}", 32, f"blockDim.{name}", Cause.INDEX, varying=False, bounds=(1, limit)
    )


def _cap(
    warp: Warp, block_dim: Sizes, blocks: Sizes, grids: Sizes, known: Sequence[int | None]
) -> None:
    """No axis of a launch has too many threads."""
    for n in range(3):
        if known[n] is None:
            warp.cap_product((blocks[n], block_dim[n]), _MOST_THREADS - MAX_BLOCK[n])
            warp.cap_product((grids[n], block_dim[n]), _MOST_THREADS)


def _lane(warp: Warp) -> Form:
    return warp.lanes(warp.space.intern(np.arange(WARP_SIZE, dtype=np.int64)), 32)


def _grid(
    warp: Warp, shape: tuple[int, int, int], known: tuple[int, int, int] | None
) -> tuple[tuple[Form, Form, Form], tuple[Form, Form, Form]]:
    blocks, grids = [], []
    for n, axis in enumerate(AXES):
        if known is not None and known[n] == 1:
            grids.append(warp.constant(1, 32))
            blocks.append(warp.constant(0, 32))
            continue
        most = min(MAX_GRID[n], _MOST_THREADS // shape[n]) if known is None else known[n]
        unknown = warp.atom(
            f"nctaid.{axis}",
            32,
            f"gridDim.{axis}",
            Cause.INDEX,
            varying=False,
            bounds=(1, most),
        )
        grids.append(unknown if known is None else warp.constant(most, 32))
        blocks.append(
            warp.atom(
                f"ctaid.{axis}",
                32,
                f"blockIdx.{axis}",
                Cause.INDEX,
                varying=False,
                bounds=(0, most - 1),
            )
        )
    return (blocks[0], blocks[1], blocks[2]), (grids[0], grids[1], grids[2])
