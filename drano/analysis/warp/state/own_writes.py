"""What each thread wrote last to its own arrays, where stores have an order: see ``last_writes``.

A store counts with the offset of each lane, its value and its lanes; what copies or fills memory
counts as one that may write anything. Limits: integers; arrays of ``_MOST_BYTES``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from drano.analysis.warp.state.by_lane import chosen_by_lane
from drano.analysis.warp.state.last_writes import LastWrites, Write
from drano.lattice import Form, LaneOverflowError, Predicate, Shape, Value
from drano.lattice.warp import operations as ops
from drano.lattice.warp.lanes import Array

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState

_MOST_BYTES: Final = 256


class _Own(Struct, frozen=True):
    """One store: ``offsets``: None where they are not known, or what it writes is not."""

    block: int
    offsets: Array | None
    size: int
    value: Value | None
    mask: Predicate | None


class OwnWrites:
    """The ordered stores of one interpretation, by array."""

    def __init__(self, state: WarpState) -> None:
        self._state = state
        self._sizes: dict[int, int] = {}
        self._stores: dict[int, dict[int, _Own]] = {}
        self._flows: dict[tuple[int, int], LastWrites] = {}

    def declare(self, array: int, size: int) -> None:
        """An array of so many bytes, in which there is nothing yet."""
        self._sizes[array] = size

    def note(
        self, array: int, key: int, block: int, size: int, *, address: Form | None = None,
        value: Value | None = None,
    ) -> None:  # fmt: skip
        """The instruction ``key`` stores to an array: without an address and a value anything."""
        mask = self._state.masks[block]
        offsets = None
        if isinstance(value, Form) and value.bits == 8 * size and address is not None:
            offsets = self._offsets(array, address)
        new = _Own(block, offsets, size, value, mask)
        stores = self._stores.setdefault(array, {})
        old = stores.get(key)
        if old is not None and _same(old, new):
            return
        stores[key] = new
        for known in [known for known in self._flows if known[0] == array]:
            del self._flows[known]
        self._state.arrays.note_change()

    def _offsets(self, array: int, address: Form) -> Array | None:
        if address.terms != (((array,), 1),):
            return None
        return self._state.warp.space.array(address.const)

    def load(self, array: int, key: int, address: Form, bits: int, block: int) -> Form | None:
        """What each lane reads; None where that is not known."""
        state, size = self._state, bits // 8
        offsets, mask = self._offsets(array, address), state.masks[block]
        stores = self._stores.get(array, {})
        if offsets is None or mask is None or bits % 8 or len(stores) < 2:
            return None
        flow = self._flow(array, size)
        if flow is None:
            return None
        reads = state.warp.space.array(mask.lanes) != 0
        writers = flow.writers(block, key, offsets, reads)
        if writers is None:
            return None
        numbers = np.where(reads, writers, 0) // flow.lanes
        values: list[Form] = []
        chosen = np.zeros_like(numbers)
        for number in np.unique(numbers[reads]).tolist():
            value = stores[flow.order[number]].value
            assert isinstance(value, Form)  # nobody reads what is not known
            chosen[numbers == number] = len(values)
            values.append(value)
        try:
            return chosen_by_lane(state.warp, chosen, values) if values else None
        except LaneOverflowError:
            return None

    def _flow(self, array: int, unit: int) -> LastWrites | None:
        known = self._flows.get((array, unit))
        if known is not None:
            return known
        state = self._state
        length = self._sizes.get(array, 0)
        if not 0 < length <= _MOST_BYTES:
            return None
        events: dict[int, list[tuple[int, int]]] = {}
        for key, own in sorted(self._stores[array].items()):
            events.setdefault(own.block, []).append((key, key))
        writes = {key: self._write(own) for key, own in self._stores[array].items()}
        flow = self._flows[array, unit] = LastWrites(
            state.structure, events, writes, unit, length, own=True,
            lanes=state.warp.space.array(0).size, going=state.going, settled=state.settled,
        )  # fmt: skip
        return flow

    def _write(self, own: _Own) -> Write:
        around = self._state.loops_at(own.block)
        moving = frozenset[int]()
        if isinstance(own.value, Form):
            moving = ops.loops_of(self._state.warp, (own.value,)) & around
        on, together = self._state.warp.space.array(2), False
        if own.mask is not None:
            on = self._state.warp.space.array(own.mask.lanes)
            together = own.mask.shape is Shape.UNIFORM
        return Write(own.offsets, on, together, own.size, moving, lambda _one, _other: False)

    def forget_order(self) -> None:
        """Threads may go other ways than they were known to."""
        self._flows.clear()


def _same(a: _Own, b: _Own) -> bool:
    offsets = a.offsets is b.offsets or (
        a.offsets is not None and b.offsets is not None and np.array_equal(a.offsets, b.offsets)
    )
    return offsets and (a.block, a.size, a.value, a.mask) == (b.block, b.size, b.value, b.mask)
