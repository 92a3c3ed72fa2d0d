"""What a finished interpretation tells the cost model: constants, conditions, active warps."""

from __future__ import annotations

from drano.analysis.access_sites import Site
from drano.analysis.cost.branch_chances import Kind
from drano.analysis.cost.hoisting import Reach
from drano.analysis.cost.model import Facts
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Local, Operand
from drano.ir.target import POINTER_BITS, SHARED
from drano.lattice import Form, LaneOverflowError, Shape
from drano.lattice.warp import operations as ops

_KINDS = {
    Shape.EXACT: Kind.LANES,
    Shape.UNIFORM: Kind.UNIFORM,
    Shape.ONE: Kind.LANES,
    Shape.ALL_BUT_ONE: Kind.LANES,
    Shape.AFFINE: Kind.BOUNDS,
    Shape.WITHIN: Kind.BOUNDS,
    Shape.OUTSIDE: Kind.BOUNDS,
    Shape.OTHER: Kind.OTHER,
    Shape.DATA: Kind.DATA,
}


def counting_facts(run: WarpState) -> Facts:
    """The facts of one run."""

    def known(operand: Operand) -> int | None:
        if not isinstance(operand, Local):
            return None
        value = run.env[operand.index]
        if not isinstance(value, Form) or value.terms or not isinstance(value.const, int):
            return None
        return value.const

    def kind(block: int) -> Kind:
        condition = run.conditions.get(block)
        return Kind.DATA if condition is None else _KINDS[condition.shape]

    def warps(block: int) -> float | None:
        mask = run.masks[block]
        if mask is None:
            return 0.0
        if not run.layout.launch.exact:
            return 1.0 if ops.at_most_one(mask) else None
        try:
            active = run.warp.space.array(mask.lanes) != 0
        except LaneOverflowError:
            return float(run.warp.space.warps)
        return 1.0 if ops.at_most_one(mask) else float(active.any(axis=1).sum())

    places = _places(run)

    def axis(operand: Operand) -> int | None:
        value = run.env[operand.index] if isinstance(operand, Local) else None
        if not isinstance(value, Form):
            return None
        return next((n for n, place in enumerate(places) if _same(value, place)), None)

    def reach(site: Site) -> Reach | None:
        try:
            address = run.form(site.pointer, site.block, POINTER_BITS)
        except (NotReadyError, LaneOverflowError):
            return None
        space = ops.space_of(run.warp, address)
        shared = site.static_space in SHARED or space == "shared"
        base = run.arrays.base(address)
        return Reach(base, shared, space in {"local", "param"}, ops.loops_of(run.warp, (address,)))

    ended = (h for h, (shape, _) in run.divergent_loops.items() if shape is Shape.DATA)
    return Facts(known, kind, warps, axis, reach, frozenset(ended))


def _places(run: WarpState) -> list[Form | None]:
    """The thread's number in the grid, along each axis; None where its block is the only one."""
    layout, warp = run.layout, run.warp
    found: list[Form | None] = []
    for block, size, thread in zip(layout.block, layout.block_dim, layout.thread, strict=True):
        place = warp.add(warp.mul(block, size), thread)
        found.append(place if block.terms else None)
    return found


def _same(value: Form, place: Form | None) -> bool:
    return place is not None and (value.terms, value.const) == (place.terms, place.const)
