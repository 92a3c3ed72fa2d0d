"""Loops that an optimiser has unrolled: each copy of an access has a share of the iterations."""

from __future__ import annotations

from msgspec.structs import replace

from drano.model.access import Basis, Cost
from drano.model.source_access import Origin


def shared_among_copies(cost: Cost | None, origin: Origin) -> Cost | None:
    """The cost of one of several copies of an access in a loop, whose iterations nobody knows: what
    is assumed of them is so of all copies together. The copies of a loop that is gone take place
    once each.
    """
    if cost is None or origin.copies < 2 or origin.loops_left:
        return cost
    for position, factor in enumerate(cost.factors):
        if factor.basis is Basis.ASSUMED and factor.what.startswith("loop"):
            share = replace(
                factor,
                text=f"({factor.text}/{origin.copies})",
                value=factor.value / origin.copies,
            )
            factors = (*cost.factors[:position], share, *cost.factors[position + 1 :])
            return replace(cost, factors=factors)
    return cost
