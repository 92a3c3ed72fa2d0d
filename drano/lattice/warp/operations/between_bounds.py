"""Conditions that one lane of a warp meets at the most: those between two bounds that are close.

Means: each of two conditions says that a form is negative, and the forms' sum is a known number:
``n - i - 4 < 0`` and ``i - n < 0`` leave three numbers ``n - 3 … n - 1`` for ``i``. Lanes whose
``i`` are at least as far apart do not meet there, as in what is left over from vectors:
``if (i + 3 < n) …; else if (i < n) …`` for ``i = 4 * thread``.
Limits: lanes differ by known numbers only.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Form
from drano.lattice.warp.lanes import LaneOverflowError


def one_lane_between(warp: Warp, some: Iterable[Form], others: Iterable[Form]) -> bool:
    """Whether one lane at the most has a negative number in each of ``some`` and ``others``."""
    return any(_one_lane(warp, a, b) for a in some for b in others)


def _one_lane(warp: Warp, a: Form, b: Form) -> bool:
    bits = max(a.bits, b.bits)
    try:
        total = warp.add(*(Form(bits, f.terms, f.const, f.lo, f.hi) for f in (a, b)))
        lanes = warp.split_warp(b)[1]
    except LaneOverflowError:
        return False
    if total.terms or lanes.terms or not isinstance(total.const, int):
        return False
    # a <= -1 and a + b == total: b is one of total + 1 … -1
    numbers = np.sort(warp.space.array(lanes.const), axis=1)
    return bool((np.diff(numbers, axis=1) >= -1 - total.const).all())
