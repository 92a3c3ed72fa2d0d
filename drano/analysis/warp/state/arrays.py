"""What a thread's own arrays hold: a flow-insensitive record of every store to each.

An array is an ``alloca``, or a by-value parameter, whose address is known wherever it is used. A
record says where a store puts what: the offset modulo a number, the value, and the lanes that
stored. What a load gives depends on the records that may overlap it:

* one value that stays the same while the kernel runs: that value, exactly;
* values of one lane pattern, stored by the same lanes: a uniform unknown plus that pattern;
* anything else: unknown, different in each lane.

Reading what was never written is undefined, so a lane that reads has stored before. A pointer
that is merged from, or walks through, one array stands for that array; once an address gets where
it is not followed, its array *escapes* and may hold anything.

Limits: no order of stores. A record overlaps another unless their offsets are known to differ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from drano.analysis.warp.state.by_lane import chosen_by_lane
from drano.analysis.warp.state.own_writes import OwnWrites
from drano.ir.model import ArrayType, Block, FloatType, IntType, PointerType, Type, VectorType
from drano.ir.target import POINTER_BITS
from drano.lattice import (
    Aggregate,
    Cause,
    Congruence,
    Form,
    LaneOverflowError,
    Predicate,
    Value,
)
from drano.lattice import congruence as congruences
from drano.lattice.warp import operations as ops

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState

_MAX_RECORDS = 256
_MOST_PLACES = 32
_MOST_IMPROVEMENTS = 8
_FAR = 1 << 62
_OWN = frozenset({"local", "param"})


@dataclass(frozen=True, slots=True)
class Place:
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


@dataclass(frozen=True, slots=True)
class _Record:
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


class Arrays:
    """The arrays of one interpretation; its facts only weaken."""

    def __init__(self, state: WarpState) -> None:
        self._state = state
        self._known: set[int] = set()
        self._constant: set[int] = set()
        self._alias: dict[int, int] = {}
        self._records: dict[int, dict[tuple[int, int], _Record]] = {}
        self._escaped: set[int] = set()
        self._doubts: dict[object, tuple[int, int]] = {}  # see ``_stands``
        self._ordered = OwnWrites(state)
        self.written: set[int] = set()
        self.changed_at = 0

    def note_change(self) -> None:
        """What loads from arrays give may be another thing now."""
        self._state.note_change()
        self.changed_at = self._state.warp.version

    def forget_order(self) -> None:
        """Threads may go other ways than they were known to."""
        self._ordered.forget_order()
        self.note_change()

    # --- addresses ---------------------------------------------------------------------------

    def declare(self, pointer: Value, *, constant: bool = False, size: int = 0) -> None:
        """``pointer`` is the address of an array; ``constant``: one that nothing is stored to, so
        that it does not matter where its address gets; ``size``: of one that nothing is in yet, in
        bytes.
        """
        if isinstance(pointer, Form):
            found = {number for m, _ in pointer.terms for number in m}
            self._known |= found
            if constant:
                self._constant |= found
            for array in found if size else ():
                self._ordered.declare(array, size)

    def may_be_own(self, address: Form) -> bool:
        """Whether an address that is the same in all lanes may still be of memory that each thread
        has for itself: of an array whose address got where it was not followed.
        """
        if self._escaped and self.base(address) is None:
            return True
        return any(len(m) > 1 and array in self._escaped
                   for m, _ in address.terms for array in map(self.array, m))  # fmt: skip

    def base(self, address: Form) -> int | None:
        """The one pointer of an address."""
        atoms = self._state.warp.atoms
        found = [m[0] for m, c in address.terms if len(m) == 1 and c == 1 and atoms[m[0]].space]
        return found[0] if len(found) == 1 else None

    def is_written(self, base: int | None) -> bool:
        """Whether anything may have been stored through a pointer's array."""
        array = None if base is None else self.array(base)
        return array is None or array in self.written

    def array(self, number: int) -> int | None:
        """The array that a pointer points into, None when it is not a known one."""
        return number if number in self._known else self._alias.get(number)

    def place(self, address: Form, size: int) -> Place | None:
        """Where an address points, None when it is not a known array."""
        base = self.base(address)
        array = None if base is None else self.array(base)
        if base is None or array is None:
            return None
        if base != array:
            return Place(array, congruences.TOP, size)
        rest = {m: c for m, c in address.terms if m != (base,)}
        warp = self._state.warp
        offset = warp.congruence([*rest.items(), ((), address.const)])
        try:
            inner = warp.build(address.bits, rest, address.const)
        except LaneOverflowError:
            return Place(array, congruences.TOP, size)
        if not -_FAR < inner.lo <= inner.hi < _FAR:  # may wrap around
            power = offset.modulus & -offset.modulus
            offset = Congruence(power, offset.residue)
        return Place(array, offset, size)

    def _may_hold(self, value: Value) -> bool:
        """Whether an array's address may be part of a value; a quick no for most."""
        if not isinstance(value, Form):
            return isinstance(value, Aggregate)
        atoms = self._state.warp.atoms
        for monomial, _ in value.terms:
            for number in monomial:
                if atoms[number].space in _OWN:
                    return True
        return False

    def _inside(self, value: Value) -> set[int]:
        """Arrays whose address is part of a value."""
        if isinstance(value, Aggregate):
            return {array for element in value.elements for array in self._inside(element)}
        if not isinstance(value, Form):
            return set()
        atoms = self._state.warp.atoms
        found = (self.array(n) for m, _ in value.terms for n in m if atoms[n].space in _OWN)
        return {array for array in found if array is not None}

    @property
    def any_known(self) -> bool:
        """Whether there is an array at all."""
        return bool(self._known)

    def follow(self, operands: list[Value], result: Value | None) -> None:
        """An instruction made ``result`` of ``operands``: no address may get lost."""
        if not self._known or result is None or isinstance(result, Predicate):
            return
        arrays: set[int] = set()
        for value in operands:
            if self._may_hold(value):
                arrays |= self._inside(value)
        if not arrays:
            return
        if isinstance(result, Aggregate) and self._inside(result) == arrays:
            return
        base = self.base(result) if isinstance(result, Form) else None
        if base is not None and isinstance(result, Form):
            target = self.array(base)
            if target is None and self._state.warp.atoms[base].space in _OWN and len(arrays) == 1:
                target = self._alias[base] = min(arrays)
                self.note_change()
            if arrays == {target} == self._inside(result) and self._only_base(result, base):
                return
        for array in arrays:
            self._leave(array)

    def _only_base(self, value: Form, base: int) -> bool:
        """Whether an address has its base in no other term."""
        atoms = self._state.warp.atoms
        return all(m == (base,) or atoms[n].space not in _OWN for m, _ in value.terms for n in m)

    def escape(self, value: Value) -> None:
        """A value goes where it is not followed."""
        for array in self._inside(value):
            self._leave(array)

    def _leave(self, array: int) -> None:
        pending = [array]
        for number in pending:
            if number in self._escaped or number in self._constant:
                continue
            self._escaped.add(number)
            self.written.add(number)
            self.note_change()
            for record in self._records.get(number, {}).values():
                pending += self._inside(record.value)

    def lose(self) -> None:
        """Something is stored, not known where."""
        for array in list(self._known):
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
            if base is not None and self._state.warp.atoms[base].space in _OWN:
                self.lose()  # one of them, not known which
            return
        self._write(place.array)
        if place.array in self._escaped:
            self.escape(value)
        elements = _elements(type_, size)
        if isinstance(type_, IntType):
            self._ordered.note(place.array, key, block.index, size, address=address, value=value)
        else:
            self._ordered.note(place.array, key, block.index, size, address=address)
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
            _Record(
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

    def _put(self, key: tuple[int, int], record: _Record) -> None:
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
        self._ordered.note(place.array, key, block.index, 1)
        anywhere = replace(place, offset=congruences.TOP)
        self._record(key, 0, anywhere, value, IntType(8), address, block, length)

    def copy(
        self, key: int, target: Form, source: Form, length: Value, bytes_: int | None, block: Block
    ) -> None:
        """Bytes of one array become those of another; ``bytes_``: the length where it is known."""
        state, warp = self._state, self._state.warp
        here, there = self.place(target, bytes_ or 1), self.place(source, bytes_ or 1)
        assert there is not None
        records = self._all(there.array)
        if here is None or there.array in self._escaped:
            self.leak(there.array)
            varying = there.array in self._escaped or any(
                not self._plain(r, block) for r in records
            )
            content = warp.atom(
                ("copied", key), 64, "copied value", Cause.MEMORY, varying=varying,
                loops=state.loops_at(block.index),
            )  # fmt: skip
            self.fill(key, target, content, length, block)
            return
        self._write(here.array)
        self._ordered.note(here.array, key, block.index, 1)
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
            steady = record.steady and self._took_part(record, block)
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
            if here.array in self._escaped:
                self.escape(record.value)

    # --- loads -------------------------------------------------------------------------------

    def load(self, key: int, address: Form, type_: Type, size: int, block: Block) -> Value:
        """What a load from a thread's own array gives."""
        place = self.place(address, size)
        if place is None:
            return self._state.unknown_of(
                type_, ("value", key), "value read from an unknown local array", Cause.MEMORY,
                varying=True, loops=self._state.loops_at(block.index),
                data=self._state.warp.is_data(address),
            )  # fmt: skip
        elements = _elements(type_, size)
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
            for record in self._all(place.array)
            for overlaps, torn in (record.place.meets(place),)
            if overlaps
        ]
        uniform = warp.is_uniform(address)
        loops = state.loops_at(block.index)
        if place.array not in self._escaped:
            only = self._only(met, type_)
            if only is None and not uniform:
                only = self._by_lane(place, address, type_, block)
            if only is None:
                only = self._in_order(key, place.array, address, type_, block)
            if only is not None and self._stands(key, 0):
                return only
            for record, _ in met:
                self.escape(record.value)
        forms = None
        if uniform and place.array not in self._escaped:
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

    def _all(self, array: int) -> list[_Record]:
        """The records of an array; a parameter's first content is the same in all lanes."""
        records = list(self._records.get(array, {}).values())
        if self._state.warp.atoms[array].space == "param":
            place = Place(array, congruences.TOP, 1)
            whole = self._state.layout.active
            first = self._state.warp.constant(0, 8)
            records.append(_Record(place, first, False, whole, frozenset(), True, False, ""))
        return records

    def _only(self, met: list[tuple[_Record, bool]], type_: Type) -> Value | None:
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
            met = [(r, here.meets(r.place)) for r in self._all(place.array)]
            value = self._only([(r, torn) for r, (over, torn) in met if over], type_)
            if not isinstance(value, Form) or self._inside(value) or len(values) > _MOST_PLACES:
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
                found = self._ordered.load(array, load, address, bits, block.index)
                return None if found is None or self._inside(found) else found
            case _:
                return None

    def _alike(
        self, met: list[tuple[_Record, bool]], type_: Type, block: Block
    ) -> tuple[Form, ...] | None:
        """What a load may read, of one lane pattern; () when all that is known is that it is
        uniform, None when not even that.
        """
        warp = self._state.warp
        for record, _ in met:
            if not record.steady or not self._took_part(record, block):
                return None
            if not _same_mask(record.mask, met[0][0].mask):
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

    def _plain(self, record: _Record, block: Block) -> bool:
        """Whether all lanes in ``block`` hold the same by a record."""
        return (
            record.steady
            and self._state.warp.is_uniform(record.value)
            and self._took_part(record, block)
        )

    def _took_part(self, record: _Record, block: Block) -> bool:
        """Whether every lane that reads in ``block`` took part in the stores."""
        state = self._state
        at = block.index
        while True:
            if _same_mask(state.masks[at], record.mask):
                return True
            above = state.structure.idom[at]
            if above in {at, -1}:
                return False
            at = above


def scalar_bits(type_: Type) -> int:
    """Width of a scalar's form; floats get their own width, they are never computed with."""
    if isinstance(type_, IntType):
        return type_.bits
    return POINTER_BITS


def _elements(type_: Type, size: int) -> list[tuple[int, Type, int]]:
    """Offset, type and size of each scalar of a type; of what is not a plain vector, the whole."""
    if isinstance(type_, VectorType | ArrayType) and type_.count and size % type_.count == 0:
        each = size // type_.count
        if isinstance(type_.element, IntType | FloatType | PointerType):
            return [(n * each, type_.element, each) for n in range(type_.count)]
    return [(0, type_, size)]


def _same_mask(a: Predicate | None, b: Predicate | None) -> bool:
    """Whether two masks stand for the same lanes."""
    if a is None or b is None or a.lanes != b.lanes:
        return False
    return a.key == b.key or not ops.has_lane(a.lanes, 2)


def _same_range(a: Value | None, b: Value | None) -> bool:
    if not isinstance(a, Form) or not isinstance(b, Form):
        return True
    return a.lo == b.lo and a.hi == b.hi
