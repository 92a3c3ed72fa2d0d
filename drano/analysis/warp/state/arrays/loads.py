"""What a load from a thread's own array gives, by the records of stores that may overlap it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from drano.analysis.warp.state.arrays.records import Place, Record, same_mask, took_part
from drano.analysis.warp.state.by_lane import chosen_by_lane
from drano.analysis.warp.state.scalars import scalar_bits, scalars
from drano.ir.model import Block, FloatType, IntType, Type
from drano.lattice import Aggregate, Cause, Congruence, Form, LaneOverflowError, Predicate, Value
from drano.lattice import congruence as congruences
from drano.lattice.warp import operations as ops

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState

_MOST_PLACES = 32
_MOST_IMPROVEMENTS = 8


class ArrayLoads:
    """The loads of one interpretation; what they give only gets less known."""

    def __init__(self, state: WarpState) -> None:
        self._state = state
        self._arrays = state.arrays
        self._doubts: dict[object, tuple[int, int]] = {}  # see ``_stands``

    def load(self, key: int, address: Form, type_: Type, size: int, block: Block) -> Value:
        """What a load from a thread's own array gives."""
        place = self._arrays.place(address, size)
        if place is None:
            return self._state.unknown_of(
                type_, ("value", key), "value read from an unknown local array", Cause.MEMORY,
                varying=True, loops=self._state.loops_at(block.index),
                data=self._state.warp.is_data(address),
            )  # fmt: skip
        elements = scalars(type_, size)
        if len(elements) == 1:
            return self._load(("value", key), place, address, type_, block)
        parts = []
        for number, (at, part_type, part_size) in enumerate(elements):
            shifted = replace(
                place, offset=congruences.add(place.offset, Congruence(0, at)), size=part_size
            )
            parts.append(self._load((("value", key), number), shifted, address, part_type, block))
        return Aggregate(tuple(parts))

    def _load(self, key: object, place: Place, address: Form, type_: Type, block: Block) -> Value:
        state, warp = self._state, self._state.warp
        name = warp.atoms[place.array].name
        met = [
            (record, torn)
            for record in self._arrays.records(place.array)
            for overlaps, torn in (record.place.meets(place),)
            if overlaps
        ]
        uniform = warp.is_uniform(address)
        loops = state.loops_at(block.index)
        if place.array not in self._arrays.escaped:
            only = self._only(met, type_)
            if only is None and not uniform:
                only = self._by_lane(place, address, type_, block)
            if only is None:
                only = self._in_order(key, place.array, address, type_, block)
            if only is not None and self._stands(key, 0):
                return only
            for record, _ in met:
                self._arrays.escape(record.value)
        forms = None
        if uniform and place.array not in self._arrays.escaped:
            forms = self._alike(met, type_, block)
        if forms is None or not self._stands(key, 1):
            self._stands(key, 2)
            data = any(record.data for record, _ in met) or (not uniform and warp.is_data(address))
            reason = next((record.reason for record, _ in met if record.reason), "")
            return state.unknown_of(
                type_, key, reason or f"value read from local array {name}", Cause.MEMORY,
                varying=True, loops=loops, data=data,
            )  # fmt: skip
        if not forms:
            return state.unknown_of(
                type_, key, f"{name}[…]", Cause.MEMORY, varying=False, loops=loops
            )
        try:
            return ops.merge_uniform(warp, key, forms, loops, f"{name}[…]", Cause.MEMORY)
        except LaneOverflowError:
            return state.unknown_of(
                type_, key, "expression too large to follow", Cause.NONLINEAR, varying=True,
                loops=loops,
            )  # fmt: skip

    def _stands(self, key: object, doubt: int) -> bool:
        """Whether a load may get an answer this good: one that gets better and worse by turns, as
        where it decides what the next round stores, stays at its worst.
        """
        before, improved = self._doubts.get(key, (0, 0))
        improved += doubt < before
        if improved > _MOST_IMPROVEMENTS and doubt < before:
            return False
        self._doubts[key] = (doubt, improved)
        return True

    def _only(self, met: list[tuple[Record, bool]], type_: Type) -> Value | None:
        """The one value that all overlapping stores stored, where it never changes."""
        if not met:
            return None
        first = met[0][0]
        for record, torn in met:
            if torn or record.moving or record.value != first.value:
                return None
            if record.floating != isinstance(type_, FloatType):
                return None
        value = first.value
        if isinstance(value, Predicate):
            return value if isinstance(type_, IntType) and type_.bits == 1 else None
        if isinstance(value, Form):
            wanted = scalar_bits(type_)
            if value.bits != wanted or (isinstance(type_, IntType) and type_.bits == 1):
                return None
            return self._state.warp.hull([r.value for r, _ in met if isinstance(r.value, Form)])
        return None

    def _by_lane(self, place: Place, address: Form, type_: Type, block: Block) -> Value | None:
        """What lanes read at places that are known, each of which holds one value for good."""
        warp, mask = self._state.warp, self._state.masks[block.index]
        if not isinstance(type_, IntType) or mask is None or isinstance(address.const, int):
            return None
        if address.terms != ((((place.array,)), 1),):
            return None
        on = warp.space.array(mask.lanes) != 0
        at = address.const.data
        numbers = np.full(at.shape, -1, dtype=np.int64)
        values: list[Form] = []
        for offset in np.unique(at[on]).tolist():
            here = Place(place.array, Congruence(0, offset), place.size)
            met = [(r, here.meets(r.place)) for r in self._arrays.records(place.array)]
            value = self._only([(r, torn) for r, (over, torn) in met if over], type_)
            if (
                not isinstance(value, Form)
                or self._arrays.inside(value)
                or len(values) > _MOST_PLACES
            ):
                return None
            numbers[at == offset] = len(values)
            values.append(value)
        try:
            return chosen_by_lane(warp, numbers, values) if values else None
        except LaneOverflowError:
            return None

    def _in_order(
        self, key: object, array: int, address: Form, type_: Type, block: Block
    ) -> Form | None:
        """What lanes read by the order of stores."""
        match key, type_:
            case ("value", int(load)), IntType(bits=bits):
                found = self._arrays.ordered.load(array, load, address, bits, block.index)
                return None if found is None or self._arrays.inside(found) else found
            case _:
                return None

    def _alike(
        self, met: list[tuple[Record, bool]], type_: Type, block: Block
    ) -> tuple[Form, ...] | None:
        """What a load may read, of one lane pattern; () when all that is known is that it is
        uniform, None when not even that.
        """
        warp = self._state.warp
        for record, _ in met:
            if not record.steady or not took_part(self._state, record, block):
                return None
            if not same_mask(record.mask, met[0][0].mask):
                return None
        uniform = all(warp.is_uniform(record.value) for record, _ in met)
        forms = tuple(
            record.value
            for record, torn in met
            if isinstance(record.value, Form)
            and record.value.bits == scalar_bits(type_)
            and not (torn or record.floating or isinstance(type_, FloatType))
        )
        if not forms or len(forms) != len(met):
            return () if uniform else None
        try:
            if not uniform and not all(warp.same_lanes(forms[0], form) for form in forms[1:]):
                return None
        except LaneOverflowError:
            return None
        _, lanes = warp.split_warp(forms[0])
        moving = frozenset[int]().union(*(record.moving for record, _ in met))
        return forms if moving.isdisjoint(ops.loops_of(warp, (lanes,))) else None
