"""Ways by which the same value comes to a join, and whether a warp as a whole takes some of them.

After ``if (first) { limit = x; if (tid == 0) *out = x; }`` the lanes that ``tid == 0`` parts bring
the same ``x``: only ``first``, which they have in common, decides about ``limit``.

Means: lanes of one warp bring different values only if a branch that parts them leads to edges with
different values, by any path to the join. Limits: joins where lanes meet that have left a loop at
different iterations are not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from drano.analysis.warp.state.warp_state import WarpState
from drano.lattice import Value

# The sources of edges by which the same value comes, and the value.
Way: TypeAlias = tuple[tuple[int, ...], Value]


def together(entering: Sequence[tuple[int, Value]]) -> list[Way]:
    """Ways with equal values as one, in the order of their first ones."""
    found: list[Way] = []
    for source, value in entering:
        for place, (sources, known) in enumerate(found):
            if known == value:
                found[place] = (*sources, source), known
                break
        else:
            found.append(((source,), value))
    return found


def taken_as_one(state: WarpState, join: int, ways: Sequence[Way]) -> bool:
    """Whether all lanes of a warp that meet at ``join`` bring the value of the same way."""
    if join not in state.divergent_joins:
        return True
    if join in state.joins_of_loops:
        return False
    number = {source: n for n, (sources, _) in enumerate(ways) for source in sources}
    for branch in state.divergent_branches:
        if join in state.structure.branch_joins(branch):
            found = {number.get(s) for s in state.structure.edges_from(branch, join)}
            if len(found - {None}) > 1:
                return False
    return True
