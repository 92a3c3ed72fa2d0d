"""Operations of the warp domain that need the *integer* behind the bits.

Division, remainder, shifts, masks, extension and comparison are exact wherever ranges and
residues decide them; elsewhere they give a fresh atom, uniform when their operands are, varying
with a reason when not. Keys of atoms are the operation and its operands, so that equal
expressions stay equal.

Each function is total, but for ``LaneOverflowError`` from below, which callers turn into an
unknown.
"""

from __future__ import annotations

from drano.lattice.warp.operations.bits import bitwise, shift_left, shift_right
from drano.lattice.warp.operations.division import divide, floordiv, low_bits, remainder
from drano.lattice.warp.operations.implied import choices_in, decided
from drano.lattice.warp.operations.predicates import (
    at_most_one,
    choice,
    compare,
    conjunction,
    constant_predicate,
    disjunction,
    exclusive,
    has_lane,
    joint_cut,
    negated,
    read_signed,
    unknown_predicate,
)
from drano.lattice.warp.operations.selection import merge_uniform, select, select_lanes, warp_wide
from drano.lattice.warp.operations.unknowns import loops_of, reason_of, shorten, space_of, unknown
from drano.lattice.warp.operations.widths import extend, truncate

__all__ = [
    "bitwise",
    "choice",
    "choices_in",
    "compare",
    "conjunction",
    "constant_predicate",
    "decided",
    "disjunction",
    "divide",
    "exclusive",
    "extend",
    "floordiv",
    "at_most_one",
    "has_lane",
    "joint_cut",
    "loops_of",
    "low_bits",
    "merge_uniform",
    "negated",
    "read_signed",
    "reason_of",
    "remainder",
    "select",
    "select_lanes",
    "shift_left",
    "shift_right",
    "shorten",
    "space_of",
    "truncate",
    "unknown",
    "unknown_predicate",
    "warp_wide",
]
