"""What a block keeps in shared memory for its threads to read, where it is known who wrote it.

A variable is *followed* if nothing but direct loads and stores has its address, in a kernel that
calls no function with a body. A store says what is at which offset, if the whole block's shape, the
lanes that store, the offsets and the numbers are all known; numbers are sums over what all threads
of a block share. Of several stores, ``last_writes`` tells which a load reads.

Law: a load of followed memory gives what the last store of the same offset stored. What was never
stored is undefined to read, and so is what two threads store at once.

Limits: integers; numbers of parameters and of the block, none that a loop changes.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from drano.analysis.warp.state.by_lane import chosen_by_lane, joined_by_lane
from drano.analysis.warp.state.last_writes import BARRIER, LastWrites, Write
from drano.ir.intrinsics import Barrier, intrinsic
from drano.ir.model import (
    Block,
    Call,
    Cast,
    Gep,
    GlobalAddress,
    IntType,
    Load,
    Local,
    Store,
)
from drano.lattice import Form, LaneOverflowError, Shape, Value
from drano.lattice.warp.lanes import Array

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState


class _Stored(Struct, frozen=True):
    """What each lane of the block stored: at which offset, where it did at all."""

    offsets: Array
    on: Array
    value: Form
    size: int
    together: bool


class Staged:
    """The followed variables of one interpretation."""

    def __init__(self, state: WarpState) -> None:
        self._state = state
        self._stored: dict[int, _Stored | None] = {}
        self._flows: dict[str, LastWrites] = {}

    @cached_property
    def _followed(self) -> dict[str, tuple[int, ...]]:
        """The stores of each followed variable, by its name."""
        state = self._state
        if not state.function.is_kernel or not _is_whole(state):
            return {}
        names: dict[int, str] = {}
        stores: dict[str, list[int]] = {}
        lost: set[str] = set()
        for block in state.function.blocks:
            for i in block.instructions:
                if isinstance(i, Call) and i.callee in state.module.functions:
                    return {}
                for operand in state.operands[i.index]:
                    name = _name(operand, names)
                    if name is None:
                        continue
                    if (isinstance(i, Gep) and operand == i.base) or (
                        isinstance(i, Cast) and i.op == "addrspacecast"
                    ):
                        names[i.index] = name
                    elif isinstance(i, Store) and operand == i.pointer and operand != i.value:
                        stores.setdefault(name, []).append(i.index)
                    elif not (isinstance(i, Load) and operand == i.pointer):
                        lost.add(name)
        return {
            name: tuple(found)
            for name, found in stores.items()
            if name not in lost and _is_plain_shared(state, name)
        }

    def store(self, i: Store, address: Form, value: Value, block: Block) -> None:
        """Remember what a store wrote, if it is one of a followed variable."""
        name = next((name for name, at in self._followed.items() if i.index in at), None)
        if name is None:
            return
        new = self._of(name, i, address, value, block)
        if i.index not in self._stored or not _same(self._stored[i.index], new):
            self._stored[i.index] = new
            self._flows.pop(name, None)
            self._state.arrays.note_change()

    def _of(self, name: str, i: Store, address: Form, value: Value, block: Block) -> _Stored | None:
        state = self._state
        mask = state.masks[block.index]
        offsets = self._offsets(name, address)
        if offsets is None or mask is None or not isinstance(value, Form):
            return None
        if not _is_of_block(state, value) or i.size * 8 != value.bits or (offsets % i.size).any():
            return None
        on = state.warp.space.array(mask.lanes)
        together = mask.shape is Shape.UNIFORM
        if not together and (mask.shape is not Shape.EXACT or bool((on == 2).any())):
            return None
        return _Stored(offsets, on, value, i.size, together)

    def _offsets(self, name: str, address: Form) -> Array | None:
        """Known offsets in a variable, of all lanes."""
        base = self._state.constants.named(name)
        if base is None or address.terms != base.terms:
            return None
        return self._state.warp.space.array(
            self._state.warp.space.add(address.const, self._state.warp.space.neg(base.const))
        )

    def load(self, i: Load, address: Form, block: Block) -> Form | None:
        """What a load gives; None where that is not known."""
        name = next((n for n in self._followed if self._offsets(n, address) is not None), None)
        if name is None or not isinstance(i.type, IntType):
            return None
        stores = [self._stored.get(store) for store in self._followed[name]]
        if all(stored is None or stored.size != i.size for stored in stores):
            return None
        wanted = self._offsets(name, address)
        mask = self._state.masks[block.index]
        if wanted is None or mask is None:
            return None
        reads = self._state.warp.space.array(mask.lanes) != 0
        if len(stores) == 1:
            return self._by_one(stores[0], wanted, reads)
        return self._by_last(name, i, block, wanted, reads)

    def _by_one(self, stored: _Stored | None, wanted: Array, reads: Array) -> Form | None:
        """Of a variable that one store writes, whenever it does."""
        if stored is None or stored.together:
            return None
        writers: dict[int, tuple[int, int]] = {}
        for warp, lane in np.argwhere(stored.on != 0).tolist():
            at = int(stored.offsets[warp, lane])
            first = writers.setdefault(at, (warp, lane))
            if not _agree(stored.value, first, (warp, lane)):
                return None
        sources = np.zeros((*reads.shape, 2), dtype=np.int64)
        for warp, lane in np.argwhere(reads).tolist():
            source = writers.get(int(wanted[warp, lane]))
            if source is None:
                return None
            sources[warp, lane] = source
        return joined_by_lane(self._state.warp, stored.value, sources)

    def _by_last(
        self, name: str, i: Load, block: Block, wanted: Array, reads: Array
    ) -> Form | None:
        """Of a variable that several stores write, in an order that barriers make."""
        flow = self._flows.get(name)
        if flow is None or flow.unit != i.size:
            flow = self._flows[name] = self._flow(name, i.size)
        writers = flow.writers(block.index, i.index, wanted, reads)
        if writers is None:
            return None
        warp, (_, lanes) = self._state.warp, reads.shape
        numbers, threads = np.divmod(np.where(reads, writers, 0), flow.lanes)
        sources = np.stack(np.divmod(threads, lanes), axis=-1)
        values: list[Form] = []
        chosen = np.zeros_like(numbers)
        for number in np.unique(numbers[reads]).tolist():
            stored = self._stored[flow.order[number]]
            assert stored is not None  # nobody reads what is not known
            chosen[numbers == number] = len(values)
            values.append(joined_by_lane(warp, stored.value, sources))
        try:
            return chosen_by_lane(warp, chosen, values) if values else None
        except LaneOverflowError:
            return None

    def forget_order(self) -> None:
        """Threads may go other ways than they were known to."""
        self._flows.clear()

    def _flow(self, name: str, unit: int) -> LastWrites:
        state = self._state
        stores = self._followed[name]
        events: dict[int, list[tuple[int, int]]] = {}
        for block in state.function.blocks:
            for i in block.instructions:
                if i.index in stores:
                    events.setdefault(block.index, []).append((i.index, i.index))
                elif isinstance(i, Call) and intrinsic(i.callee or "").barrier is Barrier.BLOCK:
                    events.setdefault(block.index, []).append((i.index, BARRIER))
        writes = {
            store: _write(state, self._stored[store]) for store in stores if store in self._stored
        }
        variable = state.module.globals[name]
        return LastWrites(
            state.structure, events, writes, unit, variable.size, own=False,
            lanes=state.warp.space.array(0).size, going=state.going, settled=state.settled,
        )  # fmt: skip


def _write(state: WarpState, stored: _Stored | None) -> Write:
    """What a store does to the memory; of one that is not known, anything."""
    if stored is None:
        everywhere = state.warp.space.array(2)
        return Write(None, everywhere, False, 1, frozenset(), lambda _one, _other: False)
    lanes = stored.on.shape[1]
    return Write(
        stored.offsets, stored.on, stored.together, stored.size, frozenset(),
        lambda one, other: _agree(stored.value, divmod(one, lanes), divmod(other, lanes)),
    )  # fmt: skip


def _name(operand: object, names: dict[int, str]) -> str | None:
    if isinstance(operand, GlobalAddress):
        return operand.name
    return names.get(operand.index) if isinstance(operand, Local) else None


def _is_whole(state: WarpState) -> bool:
    """Whether all warps of the block are side by side."""
    sizes = [size.const for size in state.layout.block_dim if not size.terms]
    threads = 1
    for size in sizes:
        if not isinstance(size, int):
            return False
        threads *= size
    return len(sizes) == 3 and -(-threads // 32) == state.warp.space.warps


def _is_plain_shared(state: WarpState, name: str) -> bool:
    variable = state.module.globals.get(name)
    base = state.constants.named(name)
    if variable is None or base is None or variable.external_size or len(base.terms) != 1:
        return False
    return state.warp.atoms[base.terms[0][0][0]].space == "shared"


def _is_of_block(state: WarpState, value: Form) -> bool:
    """Whether the unknowns of a value are those of the block's number and of parameters."""
    numbers = {n for form in state.layout.block for m, _ in form.terms for n in m}
    arguments = {
        n for a in state.function.args
        for form in (state.env[a.index],) if isinstance(form, Form)
        for m, _ in form.terms for n in m
    }  # fmt: skip
    atoms = state.warp.atoms
    return all(
        n in numbers or (n in arguments and not atoms[n].varying and not atoms[n].space)
        for m, _ in value.terms for n in m
    )  # fmt: skip


def _agree(value: Form, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two lanes store the same number."""
    parts = [value.const, *(c for _, c in value.terms)]
    return all(isinstance(c, int) or c.data[one] == c.data[other] for c in parts)


def _same(a: _Stored | None, b: _Stored | None) -> bool:
    if a is None or b is None:
        return a is b
    return (
        a.value == b.value and a.size == b.size and a.together == b.together
        and np.array_equal(a.on, b.on) and np.array_equal(a.offsets, b.offsets)
    )  # fmt: skip
