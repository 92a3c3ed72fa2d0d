"""Stores to a thread's own arrays: a record of each, and the arrays that escape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from drano.analysis.warp.state.arrays.addresses import OWN, ArrayAddresses
from drano.analysis.warp.state.arrays.records import Place, Record, is_same_in_lanes, took_part
from drano.analysis.warp.state.own_writes import OwnWrites
from drano.analysis.warp.state.scalars import scalars
from drano.ir.model import Block, FloatType, IntType, Type
from drano.lattice import (
    Aggregate,
    Cause,
    Congruence,
    Form,
    Predicate,
    Value,
)
from drano.lattice import congruence as congruences
from drano.lattice.warp import operations as ops

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState

_MAX_RECORDS = 256


class Arrays(ArrayAddresses):
    """The arrays of one interpretation; its facts only weaken."""

    def __init__(self, state: WarpState) -> None:
        super().__init__(state)
        self._constant: set[int] = set()
        self._records: dict[int, dict[tuple[int, int], Record]] = {}
        self.ordered = OwnWrites(state)
        self.written: set[int] = set()
        self.changed_at = 0

    def note_change(self) -> None:
        """What loads from arrays give may be another thing now."""
        self._state.note_change()
        self.changed_at = self._state.warp.version

    def forget_order(self) -> None:
        """Threads may go other ways than they were known to."""
        self.ordered.forget_order()
        self.note_change()

    # --- pointers ----------------------------------------------------------------------------

    def declare(self, pointer: Value, *, constant: bool = False, size: int = 0) -> None:
        """``pointer`` is the address of an array; ``constant``: one that nothing is stored to, so
        that it does not matter where its address gets; ``size``: of one that nothing is in yet, in
        bytes.
        """
        if isinstance(pointer, Form):
            found = {number for m, _ in pointer.terms for number in m}
            self.known |= found
            if constant:
                self._constant |= found
            for array in found if size else ():
                self.ordered.declare(array, size)

    def is_written(self, base: int | None) -> bool:
        """Whether anything may have been stored through a pointer's array."""
        array = None if base is None else self.array(base)
        return array is None or array in self.written

    def follow(self, operands: list[Value], result: Value | None) -> None:
        """An instruction made ``result`` of ``operands``: no address may get lost."""
        if not self.known or result is None or isinstance(result, Predicate):
            return
        arrays: set[int] = set()
        for value in operands:
            if self.may_hold(value):
                arrays |= self.inside(value)
        if not arrays:
            return
        if isinstance(result, Aggregate) and self.inside(result) == arrays:
            return
        base = self.base(result) if isinstance(result, Form) else None
        if base is not None and isinstance(result, Form):
            target = self.array(base)
            if target is None and self._state.warp.atoms[base].space in OWN and len(arrays) == 1:
                target = self.alias[base] = min(arrays)
                self.note_change()
            if arrays == {target} == self.inside(result) and self.only_base(result, base):
                return
        for array in arrays:
            self._leave(array)

    def escape(self, value: Value) -> None:
        """A value goes where it is not followed."""
        for array in self.inside(value):
            self._leave(array)

    def _leave(self, array: int) -> None:
        pending = [array]
        for number in pending:
            if number in self.escaped or number in self._constant:
                continue
            self.escaped.add(number)
            self.written.add(number)
            self.note_change()
            for record in self._records.get(number, {}).values():
                pending += self.inside(record.value)

    def lose(self) -> None:
        """Something is stored, not known where."""
        for array in list(self.known):
            self._leave(array)

    def leak(self, array: int) -> None:
        """What an array holds is copied to where it is not followed."""
        for record in self._records.get(array, {}).values():
            self.escape(record.value)

    # --- stores ------------------------------------------------------------------------------

    def store(
        self, key: int, address: Form, value: Value, type_: Type, size: int, block: Block
    ) -> None:
        """Record a store of ``value``; ``key`` names the instruction."""
        place = self.place(address, size)
        if place is None:
            self.escape(value)
            base = self.base(address)
            if base is not None and self._state.warp.atoms[base].space in OWN:
                self.lose()  # one of them, not known which
            return
        self._write(place.array)
        if place.array in self.escaped:
            self.escape(value)
        elements = scalars(type_, size)
        if isinstance(type_, IntType):
            self.ordered.note(place.array, key, block.index, size, address=address, value=value)
        else:
            self.ordered.note(place.array, key, block.index, size, address=address)
        if len(elements) > 1 and isinstance(value, Aggregate):
            parts = zip(elements, value.elements, strict=False)
            for number, ((at, part_type, part_size), part) in enumerate(parts):
                shifted = replace(
                    place, offset=congruences.add(place.offset, Congruence(0, at)), size=part_size
                )
                self._record(key, number, shifted, part, part_type, address, block)
            return
        self._record(key, 0, place, value, type_, address, block)

    def _record(
        self, key: int, part: int, place: Place, value: Value, type_: Type, address: Form,
        block: Block, length: Value | None = None,
    ) -> None:  # fmt: skip
        state, warp = self._state, self._state.warp
        mask = state.masks[block.index]
        around = state.loops_at(block.index)
        changing = mask is not None and ops.has_lane(mask.lanes, 2) and bool(mask.loops & around)
        where: tuple[Value, ...] = (address,) if length is None else (address, length)
        known = all(map(warp.is_uniform, where))
        data = warp.is_data(value) or (not known and any(map(warp.is_data, where)))
        moving = ops.loops_of(warp, (value, *where)) & around
        self._put(
            (key, part),
            Record(
                place,
                value,
                isinstance(type_, FloatType),
                mask,
                ops.loops_of(warp, (value,)) & around,
                # lanes that leave a loop earlier keep what an earlier iteration stored
                known
                and not changing
                and moving.isdisjoint(state.divergent_loops),
                data,
                ops.reason_of(
                    warp.varying_atoms(value)
                    or [atom for each in where for atom in warp.varying_atoms(each)]
                ),
            ),
        )  # fmt: skip

    def _put(self, key: tuple[int, int], record: Record) -> None:
        records = self._records.setdefault(record.place.array, {})
        old = records.get(key)
        if old == record and _same_range(old.value, record.value):
            facts = max((atom.changed_at for atom in self._state.atoms_in(record.value)), default=0)
            self.changed_at = max(self.changed_at, facts)
            return
        records[key] = record
        self.note_change()
        if len(records) > _MAX_RECORDS:
            self._leave(record.place.array)

    def _write(self, array: int) -> None:
        if array not in self.written:
            self.written.add(array)
            self.note_change()

    def fill(self, key: int, address: Form, value: Value, length: Value, block: Block) -> None:
        """``length`` bytes are set to ``value``: where lanes differ in it, to what they have."""
        place = self.place(address, 1)
        if place is None:
            self.store(key, address, value, IntType(8), 1, block)
            return
        self._write(place.array)
        self.ordered.note(place.array, key, block.index, 1)
        anywhere = replace(place, offset=congruences.TOP)
        self._record(key, 0, anywhere, value, IntType(8), address, block, length)

    def copy(
        self, key: int, target: Form, source: Form, length: Value, bytes_: int | None, block: Block
    ) -> None:
        """Bytes of one array become those of another; ``bytes_``: the length where it is known."""
        state, warp = self._state, self._state.warp
        here, there = self.place(target, bytes_ or 1), self.place(source, bytes_ or 1)
        assert there is not None
        records = self.records(there.array)
        if here is None or there.array in self.escaped:
            self.leak(there.array)
            varying = there.array in self.escaped or any(
                not is_same_in_lanes(state, r, block) for r in records
            )
            content = warp.atom(
                ("copied", key), 64, "copied value", Cause.MEMORY, varying=varying,
                loops=state.loops_at(block.index),
            )  # fmt: skip
            self.fill(key, target, content, length, block)
            return
        self._write(here.array)
        self.ordered.note(here.array, key, block.index, 1)
        exact = bytes_ is not None and here.offset.modulus == there.offset.modulus == 0
        shift = here.offset.residue - there.offset.residue
        around = state.loops_at(block.index)
        moving = ops.loops_of(warp, (target, source, length)) & around
        together = all(map(warp.is_uniform, (target, source, length)))
        together = together and moving.isdisjoint(state.divergent_loops)
        uneven = [] if warp.is_uniform(length) else warp.varying_atoms(length)
        chosen = any(atom.data for atom in uneven)
        for number, record in enumerate(records):
            if exact and not there.meets(record.place)[0]:
                continue
            offset = congruences.TOP
            if exact:
                offset = congruences.add(record.place.offset, Congruence(0, shift))
            steady = record.steady and took_part(state, record, block)
            self._put(
                (key, number),
                replace(
                    record, place=Place(here.array, offset, record.place.size),
                    mask=state.masks[block.index],
                    steady=steady and together and not (record.moving & around),
                    data=record.data or chosen,
                    reason=record.reason or ops.reason_of(uneven),
                ),
            )  # fmt: skip
            if here.array in self.escaped:
                self.escape(record.value)

    def records(self, array: int) -> list[Record]:
        """The records of an array; a parameter's first content is the same in all lanes."""
        records = list(self._records.get(array, {}).values())
        if self._state.warp.atoms[array].space == "param":
            place = Place(array, congruences.TOP, 1)
            whole = self._state.layout.active
            first = self._state.warp.constant(0, 8)
            records.append(Record(place, first, False, whole, frozenset(), True, False, ""))
        return records


def _same_range(a: Value | None, b: Value | None) -> bool:
    if not isinstance(a, Form) or not isinstance(b, Form):
        return True
    return a.lo == b.lo and a.hi == b.hi
