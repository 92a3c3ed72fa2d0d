"""What laws of the warp domain's operations are tried with."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import wraps

from hypothesis import HealthCheck, settings

from drano.lattice import LaneOverflowError, signed_range, unsigned_range
from tests.lattice.worlds import Exact, Truth, World

KEY = ("result", 0)
EXAMPLES = int(os.environ.get("DRANO_LAW_EXAMPLES", "25"))


def laws(test: Callable[..., None]) -> Callable[..., None]:
    """Settings; an operation may give up (``LaneOverflowError``), never be wrong."""

    @wraps(test)
    def total(*args: object, **kwargs: object) -> None:
        with suppress(LaneOverflowError):
            test(*args, **kwargs)

    return settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))(
        total
    )


def forbid(world: World, where: Truth) -> None:
    """Undefined behaviour: these warps do not count."""
    world.rows = world.rows & ~where.any(axis=2)


def overflow(world: World, exact: Exact, bits: int, nsw: bool, nuw: bool, read: str) -> None:
    """Drop the warps whose exact result leaves the range that the flags promise."""
    limits = signed_range(bits) if read == "s" else unsigned_range(bits)
    if (nsw and read == "s") or (nuw and read == "u"):
        forbid(world, ((exact < limits[0]) | (exact > limits[1])).astype(bool))
