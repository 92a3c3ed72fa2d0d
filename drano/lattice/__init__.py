"""Abstract values: what is known of integers, truth values, pointers; no program, no IR.

Knows the standard library, msgspec and numpy only.
"""

from __future__ import annotations

from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import (
    Aggregate,
    Atom,
    Cause,
    Form,
    LevelSet,
    Phase,
    Phased,
    Predicate,
    Shape,
    Steps,
    Value,
    same_bound,
    signed_range,
    unsigned_range,
)
from drano.lattice.warp.lanes import (
    Coefficient,
    LaneOverflowError,
    LaneSpace,
    LaneVector,
    high,
    is_warp_uniform,
    low,
)

__all__ = [
    "Aggregate",
    "Atom",
    "Cause",
    "Coefficient",
    "Congruence",
    "Form",
    "LaneOverflowError",
    "LaneSpace",
    "LaneVector",
    "LevelSet",
    "Phase",
    "Phased",
    "Predicate",
    "Shape",
    "Steps",
    "Value",
    "Warp",
    "high",
    "is_warp_uniform",
    "low",
    "same_bound",
    "signed_range",
    "unsigned_range",
]
