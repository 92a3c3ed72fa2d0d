"""Which store wrote last what a load reads: by control flow, and between threads by barriers.

Memory is cut into cells as wide as the load. Each cell holds the *writer* of its content, a store
and the lane that executed it, or nobody, or it is lost. Along the control flow stores move writers
into cells; where ways meet, cells that differ are lost, and where one side has nobody, it has the
other's, as no program may read what was never written.

* *Own* memory: each lane has its cells, and its stores take effect at once.
* *Shared* memory: what a block's threads store takes effect at the next barrier for all of them.
  Before it, a lane sees what it has stored itself; what others store then is a race.

Once a loop goes on, or is left, what it stored of values that change in it is lost: these mean
another thing then. A store that lanes are not known to execute or to omit loses the cells that it
may touch. A mask tells which lanes store *if* any come to the store's block. Where ways meet of
which one has the store, it is sure only if all branches to it part lanes in a known way.

Limits: sizes and rounds, see the constants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.control_structure import Structure
from drano.lattice.warp.lanes import Array

BARRIER: Final = -1  # among the events of a block, where others are stores
NOBODY: Final = -1
LOST: Final = -2
MOST_CELLS: Final = 1 << 16
_MOST_EVENTS: Final = 256
_MOST_ROUNDS: Final = 16


class Write(Struct, frozen=True):
    """What one store does. ``offsets``: in bytes, of each lane, None: anywhere; ``on``: the lanes
    that store, 2 where that is not known; ``together``: all of them do or none; ``size``: in bytes;
    ``moving``: loops in whose iterations the value changes; ``agree``: whether two lanes, by their
    numbers in the block, store the same.
    """

    offsets: Array | None
    on: Array
    together: bool
    size: int
    moving: frozenset[int]
    agree: Callable[[int, int], bool]


class _Memory(Struct, frozen=True):
    """``cells``: writers; of own memory a row for each lane. ``pending``: stores that no barrier
    has followed yet, in order, with whether they may not have happened, or mean another thing.
    """

    cells: Array
    pending: tuple[tuple[int, bool], ...] = ()

    def same(self, other: _Memory) -> bool:
        return self.pending == other.pending and bool((self.cells == other.cells).all())


class LastWrites(Struct, frozen=True, dict=True):
    """One variable's memory in one function. ``events``: of each block, in order: the numbers of
    instructions that are stores, twice, or barriers, with ``BARRIER``; ``writes``: what stores do,
    of those that are executed at all; ``unit``: bytes of a cell; ``length``: of the variable, in
    bytes; ``going``: the lanes that go from one block to another, 0 where they surely do not, None
    if none do; ``settled``: whether it is known which lanes go where at the end of a block, if any
    come there.
    """

    structure: Structure
    events: Mapping[int, Sequence[tuple[int, int]]]
    writes: Mapping[int, Write]
    unit: int
    length: int
    own: bool
    lanes: int
    going: Callable[[int, int], Array | None]
    settled: Callable[[int], bool]

    def writers(self, block: int, load: int, offsets: Array, on: Array) -> Array | None:
        """The writer that each lane reads from: its store's number in order times ``lanes``, plus
        its lane; None where that is not known of a lane that reads.
        """
        count = sum(map(len, self.events.values()))
        lanes = self.lanes
        if not 0 < self.length <= MOST_CELLS * self.unit or count > _MOST_EVENTS:
            return None
        if self.own and self.length * lanes > MOST_CELLS * self.unit:
            return None
        reads = on.ravel() != 0
        cells, rest = np.divmod(offsets.ravel(), self.unit)
        if bool((rest[reads] != 0).any()) or bool((cells[reads] < 0).any()):
            return None
        if bool((cells[reads] >= self._cells).any()):
            return None
        memory = self._before(block, load)
        if memory is None:
            return None
        found = np.full(lanes, LOST, dtype=np.int64)
        lane = np.arange(lanes)[reads]
        if self.own:
            found[reads] = memory.cells[lane, cells[reads]]
        else:
            stored = memory.cells[cells[reads]]
            fresh = self._epoch(memory)[cells[reads]]
            mine = (fresh >= 0) & (fresh % lanes == lane)
            found[reads] = np.where(fresh == NOBODY, stored, np.where(mine, fresh, LOST))
        return None if bool((found[reads] < 0).any()) else found.reshape(on.shape)

    @cached_property
    def order(self) -> list[int]:
        """The stores, by their number in order."""
        return sorted(self.writes)

    @property
    def _cells(self) -> int:
        return -(-self.length // self.unit)

    def _before(self, block: int, load: int) -> _Memory | None:
        """The memory at an instruction; None where it takes too many rounds to know."""
        memory = self._entries.get(block)
        if memory is not None:
            for at, event in self.events.get(block, ()):
                if at < load:
                    memory = self._step(memory, event)
        return memory

    @cached_property
    def _entries(self) -> dict[int, _Memory]:
        """The memory at the start of each block; none where it takes too many rounds."""
        shape = (self.lanes, self._cells) if self.own else (self._cells,)
        before = {0: _Memory(np.full(shape, NOBODY, dtype=np.int64))}
        for _ in range(_MOST_ROUNDS):
            changed = False
            for index in self.structure.order:
                memory = before.get(index)
                if memory is None:
                    continue
                for _at, event in self.events.get(index, ()):
                    memory = self._step(memory, event)
                for target in dict.fromkeys(self.structure.successors[index]):
                    lanes = self.going(index, target)
                    if lanes is None:
                        continue
                    moved = self._along(memory, index, target, lanes)
                    old = before.get(target)
                    new = moved if old is None else self._joined(old, moved, target)
                    if old is None or not new.same(old):
                        before[target], changed = new, True
            if not changed:
                return before
        return {}

    # --- steps -------------------------------------------------------------------------------

    def _step(self, memory: _Memory, event: int) -> _Memory:
        if event == BARRIER:
            fresh = self._epoch(memory)
            return _Memory(np.where(fresh == NOBODY, memory.cells, fresh))
        write = self.writes.get(event)
        if write is None:  # of a block that no thread reaches
            return memory
        if not self.own:
            pending = tuple(one for one in memory.pending if one[0] != event)
            return replace(memory, pending=(*pending, (event, False)))
        cells = memory.cells.copy()
        on = write.on.ravel()
        sure = (on == 1) | ((on != 0) & write.together)
        if self._fits(write):
            lane = np.flatnonzero(on != 0)
            at = self._cells_of(write)[lane]
            inside = (at >= 0) & (at < self._cells)
            lane, at = lane[inside], at[inside]
            number = self.order.index(event) * self.lanes
            cells[lane, at] = np.where(sure[lane], number + lane, LOST)
            return _Memory(cells)
        for one in np.flatnonzero(on != 0).tolist():
            cells[one, self._touched(write, one)] = LOST
        return _Memory(cells)

    def _fits(self, write: Write) -> bool:
        """Whether each lane's store is of one cell, as wide as it is."""
        if write.offsets is None or write.size != self.unit:
            return False
        offsets = write.offsets.ravel()[write.on.ravel() != 0]
        return not bool((offsets % self.unit).any())

    def _cells_of(self, write: Write) -> Array:
        """The cell of each lane's store, of one that fits."""
        assert write.offsets is not None
        cells: Array = write.offsets.ravel() // self.unit
        return cells

    def _touched(self, write: Write, lane: int) -> slice:
        """The cells that a lane's store may touch, of one that does not fit."""
        if write.offsets is None:
            return slice(0, self._cells)
        offset = int(write.offsets.ravel()[lane])
        first, last = offset // self.unit, (offset + write.size - 1) // self.unit
        return slice(max(first, 0), max(last + 1, 0))

    def _epoch(self, memory: _Memory) -> Array:
        """The writers that a barrier would put into the cells."""
        fresh = np.full(self._cells, NOBODY, dtype=np.int64)
        for event, doubtful in memory.pending:
            write, number = self.writes[event], self.order.index(event) * self.lanes
            on = write.on.ravel()
            sure = (on == 1) | ((on != 0) & write.together)
            if not self._fits(write):
                for lane in np.flatnonzero(on != 0).tolist():
                    fresh[self._touched(write, lane)] = LOST
                continue
            at = self._cells_of(write)
            for lane in np.flatnonzero(on != 0).tolist():
                cell = int(at[lane])
                if not 0 <= cell < self._cells:
                    continue  # of another variable: undefined
                old = int(fresh[cell])
                mine = old == NOBODY or (old >= 0 and old % self.lanes == lane)
                if doubtful or not sure[lane]:
                    fresh[cell] = LOST
                elif mine:  # what the lane stored itself before is gone
                    fresh[cell] = number + lane
                elif not (
                    number <= old < number + self.lanes and write.agree(old - number, lane)
                ):  # else two lanes store one number at one place
                    fresh[cell] = LOST
        return fresh

    def _along(self, memory: _Memory, source: int, target: int, going: Array) -> _Memory:
        """From one block to the next: what a loop changes from now on is lost, and lanes that go
        another way have nothing here.
        """
        if self.own:
            cells = memory.cells.copy()
            cells[going.ravel() == 0] = NOBODY
            memory = replace(memory, cells=cells)
        loops = self.structure.loops_of
        over = set(loops[source]) - set(loops[target])
        if target in loops[source]:
            over.add(target)
        lost = [number for number, store in enumerate(self.order)
                if not over.isdisjoint(self.writes[store].moving)]  # fmt: skip
        if not lost:
            return memory
        stores = {self.order[number] for number in lost}
        gone = np.isin(memory.cells // self.lanes, lost) & (memory.cells >= 0)
        pending = tuple((store, doubt or store in stores) for store, doubt in memory.pending)
        return _Memory(np.where(gone, LOST, memory.cells), pending)

    def _joined(self, a: _Memory, b: _Memory, at: int) -> _Memory:
        cells = np.where(
            (a.cells == b.cells) | (b.cells == NOBODY),
            a.cells,
            np.where(a.cells == NOBODY, b.cells, LOST),
        )
        left, right = dict(a.pending), dict(b.pending)
        pending: dict[int, bool] = {}
        unlike = [s for s in left if s in right] != [s for s in right if s in left]
        for store in {**left, **right}:
            doubt = unlike or left.get(store, False) or right.get(store, False)
            one_way = store not in left or store not in right
            pending[store] = doubt or (one_way and self._may_be_passed(store, at))
        return _Memory(cells, tuple(pending.items()))

    @cached_property
    def _homes(self) -> dict[int, int]:
        return {event: block for block, events in self.events.items() for _, event in events}

    def _may_be_passed(self, store: int, at: int) -> bool:
        """Whether threads that are known to store may come to a meeting by ways without the store.

        They do not, if it stands between the block above the meeting and this, and each branch on
        the way to it is known to send there just the lanes that store.
        """
        structure, home = self.structure, self._homes[store]
        above, rank = structure.idom[at], structure.rank
        if not (structure.dominates(above, home) and rank[above] < rank[home] < rank[at]):
            return True  # of an iteration before, or of before a barrier on one way
        return any(
            len(structure.successors[block]) > 1
            and rank[block] < rank[home]
            and structure.dominates(above, block)
            and not structure.post_dominates(home, block)
            and not self.settled(block)
            for block in structure.order
        )
