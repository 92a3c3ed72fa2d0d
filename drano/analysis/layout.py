"""How the threads of a block lie in its warps: the values of the special registers.

With a known block shape every ``threadIdx`` is a known integer per (warp, lane). Without one the
block is taken to be some multiple of 32 threads wide, which is said in the result: then
``threadIdx.x`` is ``32*w + lane`` and ``threadIdx.y, z`` are uniform.

Assumption, stated in the documentation: a launch has fewer than 2**31 threads along each axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drano.config import MAX_BLOCK, MAX_GRID
from drano.finding import Launch
from drano.lattice import (
    Cause,
    Congruence,
    Form,
    LaneSpace,
    Predicate,
    Shape,
    Warp,
)

AXES = "xyz"
_MOST_THREADS = (1 << 31) - 1
_MAX_THREADS_PER_BLOCK = 1024
_MOST_ROWS = _MAX_THREADS_PER_BLOCK // 32


@dataclass(frozen=True, slots=True)
class Layout:
    """The domain for one block shape, with the values of the special registers in 32 bits."""

    warp: Warp
    launch: Launch
    active: Predicate
    thread: tuple[Form, Form, Form]
    block_dim: tuple[Form, Form, Form]
    block: tuple[Form, Form, Form]
    grid_dim: tuple[Form, Form, Form]
    lane: Form
    warp_id: Form


def known_layout(launch: Launch, grid: tuple[int, int, int] | None = None) -> Layout:
    """The layout of a known block shape, all its warps side by side; ``grid``: where known."""
    shape = launch.block
    threads = shape[0] * shape[1] * shape[2]
    warps = max(1, -(-threads // 32))
    space = LaneSpace(warps)
    warp = Warp(space)
    linear = np.arange(warps * 32, dtype=np.int64).reshape(warps, 32)
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
        warp.lanes(space.intern(linear // 32), 32),
    )


def assumed_layout(launch: Launch, grid: tuple[int, int, int] | None = None) -> Layout:
    """The layout of an unknown block shape: any whole number of warps along x."""
    warp = Warp(LaneSpace(1))
    number = warp.atom(
        "warp", 32, "warp", Cause.INDEX, varying=False, bounds=(0, _MAX_THREADS_PER_BLOCK // 32 - 1)
    )
    lane = _lane(warp)
    thread_x = warp.add(warp.scale(number, 32), lane)
    others = [
        warp.atom(
            f"tid.{axis}", 32, f"threadIdx.{axis}", Cause.INDEX, varying=False,
            bounds=(0, _MOST_ROWS - 1),
        )
        for n, axis in ((1, "y"), (2, "z"))
    ]  # fmt: skip
    widths = (Congruence(32, 0), Congruence(1, 0), Congruence(1, 0))
    lows = (32, 1, 1)
    block_dim = [
        warp.atom(
            f"ntid.{AXES[n]}", 32, f"blockDim.{AXES[n]}", Cause.INDEX, varying=False,
            bounds=(lows[n], MAX_BLOCK[n] if n == 0 else _MOST_ROWS), residue=widths[n],
        )
        for n in range(3)
    ]  # fmt: skip
    blocks, grids = _grid(warp, (1, 1, 1), grid)
    for n in range(3):
        warp.cap_product((blocks[n], block_dim[n]), _MOST_THREADS - MAX_BLOCK[n])
        warp.cap_product((grids[n], block_dim[n]), _MOST_THREADS)
    return Layout(
        warp,
        launch,
        Predicate(1, Shape.EXACT, "entry"),
        (thread_x, others[0], others[1]),
        (block_dim[0], block_dim[1], block_dim[2]),
        blocks,
        grids,
        lane,
        number,
    )


def _lane(warp: Warp) -> Form:
    return warp.lanes(warp.space.intern(np.arange(32, dtype=np.int64)), 32)


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
