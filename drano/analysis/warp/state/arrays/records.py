"""What is recorded of a store to an array: where it puts what, and which lanes take part."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from msgspec import Struct

from drano.ir.model import Block
from drano.lattice import Congruence, Predicate, Value
from drano.lattice.warp import operations as ops

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState


class Place(Struct, frozen=True):
    """Where in an array: the array's number, the offset in bytes, the bytes from there on."""

    array: int
    offset: Congruence
    size: int

    def meets(self, other: Place) -> tuple[bool, bool]:
        """Whether the two may overlap, and whether they may do so without being the same."""
        step = gcd(self.offset.modulus, other.offset.modulus)
        apart = other.offset.residue - self.offset.residue
        # distances that overlap: least to most; those that are possible: apart, modulo step
        least, most = 1 - other.size, self.size - 1
        first = least + (apart - least) % step if step else apart
        if not least <= first <= most:
            return False, False
        same = first == 0 and (not step or step > most) and self.size == other.size
        return True, not same


class Record(Struct, frozen=True):
    """One store's doing. ``moving``: loops around the store in whose iterations the value changes.

    ``steady``: whether the lanes store at one place, and a lane that stores now stored whatever the
    others stored before.
    """

    place: Place
    value: Value
    floating: bool
    mask: Predicate | None
    moving: frozenset[int]
    steady: bool
    data: bool
    reason: str


def is_same_in_lanes(state: WarpState, record: Record, block: Block) -> bool:
    """Whether all lanes in ``block`` hold the same by a record."""
    return record.steady and state.warp.is_uniform(record.value) and took_part(state, record, block)


def took_part(state: WarpState, record: Record, block: Block) -> bool:
    """Whether every lane that reads in ``block`` took part in the stores."""
    at = block.index
    while True:
        if same_mask(state.masks[at], record.mask):
            return True
        above = state.structure.idom[at]
        if above in {at, -1}:
            return False
        at = above


def same_mask(a: Predicate | None, b: Predicate | None) -> bool:
    """Whether two masks stand for the same lanes."""
    if a is None or b is None or a.lanes != b.lanes:
        return False
    return a.key == b.key or not ops.has_lane(a.lanes, 2)
