"""How many warps execute a kernel, over all launches that the source shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from drano.analysis.cost import defaults
from drano.analysis.cost.amounts import Amount, Name, Number, product, quotient
from drano.analysis.definitions import register_name
from drano.ir.model import Call, Function
from drano.model.translation_unit import LaunchSite

UNKNOWN_SHAPE: Final = (defaults.BLOCK_THREADS, 1.0, 1.0)

Dim: TypeAlias = tuple[int | None, int | None, int | None]


def axes_read(function: Function) -> frozenset[str]:
    """Axes of the grid that a kernel asks for: "x" always."""
    found = {"x"}
    for block in function.blocks:
        for i in block.instructions:
            if isinstance(i, Call) and i.callee:
                kind, _, axis = register_name(i.callee).partition(".")
                if kind in {"blockIdx", "gridDim"}:
                    found.add(axis)
    return frozenset(found)


def common_grid(sites: Sequence[LaunchSite], axes: frozenset[str], hint: Dim | None) -> Dim:
    """The grid as far as all launches agree; 1 along an axis that neither they nor the kernel
    speak of.
    """
    grids = [site.grid for site in sites] or [hint or (None, None, None)]
    sizes: list[int | None] = []
    for n, axis in enumerate("xyz"):
        column = {grid[n] for grid in grids}
        size = column.pop() if len(column) == 1 else None
        sizes.append(1 if size is None and axis not in axes else size)
    return sizes[0], sizes[1], sizes[2]


def blocks_of(site: LaunchSite) -> int | None:
    """Blocks of one launch with a known grid."""
    x, y, z = site.grid
    return None if x is None or y is None or z is None else x * y * z


def along(grid: Dim, shape: tuple[int, int, int] | None, axis: int) -> Amount:
    """Blocks of one launch along one axis."""
    size = grid[axis]
    if size is not None:
        return Number(float(size))
    of_block = float(shape[axis]) if shape is not None else UNKNOWN_SHAPE[axis]
    return Name(f"gridDim.{'xyz'[axis]}", defaults.blocks(of_block))


def blocks(grid: Dim, shape: tuple[int, int, int] | None) -> Amount:
    """Blocks of one launch."""
    return product(*(along(grid, shape, axis) for axis in range(3)))


def threads(grid: Dim, shape: tuple[int, int, int] | None, axis: int) -> Amount:
    """Threads of a launch along one axis."""
    of_block: Amount = Name(f"blockDim.{'xyz'[axis]}", UNKNOWN_SHAPE[axis])
    if shape is not None:
        of_block = Number(float(shape[axis]))
    elif axis and grid[axis] == 1:
        of_block = Number(1.0)
    return product(along(grid, shape, axis), of_block)


def warps_of_unknown_block() -> Amount:
    """Warps of a block whose shape is not known."""
    return quotient(Name("blockDim.x", defaults.BLOCK_THREADS), Number(32.0))
