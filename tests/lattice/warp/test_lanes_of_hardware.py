"""The lattices' warps are as wide as the hardware's, which they do not import."""

from __future__ import annotations

from drano.lattice.warp import lanes
from drano.model import hardware


def test_warps_are_equally_wide() -> None:
    assert lanes.WARP_SIZE == hardware.WARP_SIZE
