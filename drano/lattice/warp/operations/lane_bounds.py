"""The least and the most that each lane may hold."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Form
from drano.lattice.warp.lanes import Coefficient

_MOST: Final = 1 << 50  # where bounds as floating-point numbers are still those of integers


def lane_bounds(warp: Warp, value: Form) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Bounds of the sum per lane (exact enough below 2**53, outward beyond)."""
    lo = warp.space.array(value.const).astype(np.float64)
    hi = lo.copy()
    most = np.abs(lo)
    for monomial, coefficient in value.terms:
        bottom, top = warp.monomial_range(monomial)
        data = warp.space.array(coefficient).astype(np.float64)
        one, two = data * float(bottom), data * float(top)
        lo += np.minimum(one, two)
        hi += np.maximum(one, two)
        most += np.maximum(np.abs(one), np.abs(two))
    slack = most * 2.0**-46  # of everything added: sums may cancel
    slack[slack < 2.0**-8] = 0.0
    return np.maximum(lo - slack, float(value.lo)), np.minimum(hi + slack, float(value.hi))


def whole_lane_bounds(warp: Warp, value: Form) -> tuple[Coefficient, Coefficient] | None:
    """The same as integers; None where they are too large to tell."""
    lo, hi = lane_bounds(warp, value)
    if max(np.abs(lo).max(), np.abs(hi).max()) >= _MOST:
        return None
    space = warp.space
    least, most = (space.intern(ends.astype(np.int64)) for ends in (np.floor(lo), np.ceil(hi)))
    return least, most
