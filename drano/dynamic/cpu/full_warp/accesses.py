"""Accesses of a full warp: counted from proofs where there are any, copied where lanes form rows.

Means: where the distances between lanes are proved (``instrument/proved_patterns.py``), only lane
0's address is examined. A request inside the bounds of the site's tally adds one to the count for
its offset in a line; any other goes to the run-time library (``drano_row``), which checks and
counts it and moves the bounds. In a loop of one node, a site that costs the same at every offset is
counted in a register and added once, after the loop. Other accesses are as in
``scheduler/all_lanes.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct, field

from drano.dynamic.cpu import abi
from drano.dynamic.cpu.full_warp.values import FullValues, NotFullError, vector_of
from drano.dynamic.cpu.plan import Mark
from drano.dynamic.cpu.scheduler.vocabulary import stored
from drano.dynamic.cpu.translated_text import operand_type, operand_value, scalar_text
from drano.dynamic.instrument.counting_calls import ACCESS_RANGE
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.printed_instructions import inside_brackets, split_top
from drano.dynamic.instrument.proved_patterns import Pattern
from drano.ir import model as m
from drano.ir.target import AddressSpace
from drano.model.access import AccessKind
from drano.model.hardware import LINE_BYTES

if TYPE_CHECKING:
    from drano.dynamic.cpu.scheduler.all_lanes import MemoryDriver

_CHUNKS = (32, 16, 8)
_GATHERED = frozenset({"i8", "i16", "i32", "i64", "float", "double", "ptr"})
_SUFFIXES = {"float": "f32", "double": "f64", "ptr": "p0"}
Key = tuple[object, ...]


@cache
def is_flat(patterns: tuple[Pattern, ...], size: int, kind: AccessKind, space: int) -> bool:
    """Whether a full warp's request costs the same wherever lane 0's address lies in a line."""
    costs = {
        (cost.wavefronts,)
        if space == AddressSpace.SHARED
        else (cost.wavefronts, cost.lines, cost.sectors)
        for cost in (
            patterns[0].cost(size, kind, 0xFFFFFFFF, at) for at in range(0, LINE_BYTES, size)
        )
    }
    return len(costs) == 1


class FullMemory(Struct):
    """Writes the accesses of full warps of one kernel. ``loop``: counters of the loop that is being
    written, by site; None outside of one.
    """

    driver: MemoryDriver
    values: FullValues
    sites: Mapping[int, DeviceSite]
    first_site: int
    known: dict[Key, tuple[int, ...]] = field(default_factory=dict)
    loop: dict[int, str] | None = None
    stored: Key | None = None

    def reset(self) -> None:
        """A new node begins."""
        self.known = {}
        self.loop = None
        self.stored = None

    # --- counting ----------------------------------------------------------------------------

    def count(self, mark: Mark) -> None:
        """A counting call."""
        call = self.driver.source.definitions[mark.instruction]
        assert isinstance(call, m.Call)
        if call.callee == ACCESS_RANGE:
            raise NotFullError(ACCESS_RANGE)
        text = split_top(inside_brackets(self.driver.source.text(mark.instruction)))[1]
        site = self.sites[mark.site]
        key = _key(mark.pointer, text)
        offsets = {pattern.offsets for pattern in site.patterns}
        if len(offsets) != 1 or site.bytes not in (1, 2, 4, 8, 16):
            self._count_each(mark.site, mark.pointer, text)
            return
        self.known[key] = next(iter(offsets))
        self._count_row(site, self._first(mark.pointer, text))

    def _count_each(self, site: int, pointer: m.Operand, text: str) -> None:
        self.driver.count(site, "-1", self._addresses(pointer, text))

    def _count_row(self, site: DeviceSite, pointer: str) -> None:
        v, d = self.values, self.driver
        at = self._tally(site.number)
        address = v.set(f"ptrtoint ptr {pointer} to i64")
        base = v.set(f"load i64, ptr {at}, align 8")
        away = v.set(f"sub i64 {address}, {base}")
        room_at = v.set(f"getelementptr inbounds i8, ptr {at}, i64 8")
        room = v.set(f"load i64, ptr {room_at}, align 8")
        good = v.set(f"icmp ule i64 {away}, {room}")
        if site.bytes > 1:
            low = v.set(f"and i64 {address}, {site.bytes - 1}")
            aligned = v.set(f"icmp eq i64 {low}, 0")
            good = v.set(f"and i1 {good}, {aligned}")
        flat = self.loop is not None and is_flat(site.patterns, site.bytes, site.kind, site.space)
        quick, slow, on = d.label("quick"), d.label("slow"), d.label("counted")
        v.emit(f"br i1 {good}, label %{quick}, label %{slow}, !prof !12")
        v.emit(f"{slow}:")
        if flat:
            self._add(site.number)
        bad = v.set(
            f"call i32 @drano_row(ptr %w, ptr @drano.unit, i32 {site.number}, i64 {address})"
        )
        fails = v.set(f"icmp ne i32 {bad}, 0")
        v.emit(f"br i1 {fails}, label %fault, label %{on}, !prof !8")
        v.emit(f"{quick}:")
        if flat:
            counter = self._counter(site.number)
        else:
            shift = min(site.bytes.bit_length() - 1, 2)
            place = v.set(f"and i64 {address}, {LINE_BYTES - 1}")
            number = v.set(f"lshr i64 {place}, {shift}")
            times = v.set(f"getelementptr inbounds i8, ptr {at}, i64 {abi.TALLY_TIMES}")
            counter = v.set(f"getelementptr inbounds i64, ptr {times}, i64 {number}")
        old = v.set(f"load i64, ptr {counter}, align 8")
        new = v.set(f"add i64 {old}, 1")
        v.emit(f"store i64 {new}, ptr {counter}, align 8")
        v.emit(f"br label %{on}")
        v.emit(f"{on}:")

    def _tally(self, site: int) -> str:
        offset = (site - self.first_site) * abi.TALLY_BYTES
        return self.values.set(f"getelementptr inbounds i8, ptr %tallies, i64 {offset}")

    def _counter(self, site: int) -> str:
        """A register: an ``alloca`` that nothing else knows."""
        assert self.loop is not None
        name = self.loop.setdefault(site, f"%times.{site}")
        self.values.prepare([f"{name} = alloca i64, align 8"])
        return name

    def _add(self, site: int) -> None:
        """What the register has counted goes to the tally."""
        v, counter = self.values, self._counter(site)
        some = v.set(f"load i64, ptr {counter}, align 8")
        at = v.set(f"getelementptr inbounds i8, ptr {self._tally(site)}, i64 {abi.TALLY_TIMES}")
        old = v.set(f"load i64, ptr {at}, align 8")
        v.emit(f"store i64 {v.set(f'add i64 {old}, {some}')}, ptr {at}, align 8")
        v.emit(f"store i64 0, ptr {counter}, align 8")

    def leave_loop(self) -> None:
        """The loop is left: add up its registers."""
        for site in self.loop or ():
            self._add(site)

    # --- addresses and arrays ----------------------------------------------------------------

    def _first(self, pointer: m.Operand, text: str) -> str:
        if isinstance(pointer, m.Local):
            return self.values.first(pointer.index)
        return operand_value(self.values.operand(scalar_text(text)))

    def _every(self, operand: m.Operand, text: str) -> tuple[str, str]:
        """Type and name of all lanes' values of an operand printed with its type."""
        if isinstance(operand, m.Local):
            return self.values.type_text(operand.index), self.values.every(operand.index)
        typed = self.values.operand(scalar_text(text))
        type_ = operand_type(typed)
        return type_, self.values.splat(type_, operand_value(typed))

    def _addresses(self, pointer: m.Operand, text: str) -> str:
        key = _key(pointer, text)
        place = self._scratch(0)
        if self.stored != key:
            _, vector = self._every(pointer, text)
            self.values.emit(f"store <32 x ptr> {vector}, ptr {place}, align 64")
            self.stored = key
        return place

    def _scratch(self, number: int) -> str:
        offset = self.driver.plan.splat + 512 * number
        return self.values.set(f"getelementptr inbounds i8, ptr %frame, i64 {offset}")

    # --- accesses ----------------------------------------------------------------------------

    def access(self, index: int) -> None:
        """A load, store or atomic that is done for all lanes."""
        i = self.driver.source.definitions[index]
        if not isinstance(i, m.Load | m.Store | m.Atomic):
            raise NotFullError(type(i).__name__)
        texts = self.driver.access_texts(i)
        offsets = self.known.get(_key(i.pointer, texts[0]))
        if offsets is not None and isinstance(i, m.Load):
            self._load_row(i, self._first(i.pointer, texts[0]), offsets)
        elif offsets is not None and isinstance(i, m.Store):
            self._store_row(i, texts, offsets)
        else:
            self._by_helper(i, texts)

    def _by_helper(self, i: m.Load | m.Store | m.Atomic, texts: Sequence[str]) -> None:
        helper = self.driver.plan.recipes[i.index].helper
        if not helper:
            raise NotFullError("access without a helper")
        arrays = [self._addresses(i.pointer, texts[0])]
        for number, (operand, text) in enumerate(zip(stored(i), texts[1:], strict=True), 1):
            type_, vector = self._every(operand, text)
            if type_ == "i1":
                raise NotFullError("store of i1")
            place = self._scratch(number)
            self.values.emit(f"store {vector_of(type_)} {vector}, ptr {place}, align 64")
            arrays.append(place)
        type_ = ""
        if not isinstance(i, m.Store):
            type_ = self.values.type_text(i.index)
            arrays.append(self._scratch(3))
        listed = ", ".join(f"ptr {array}" for array in arrays)
        self.values.emit(f"call void @{helper}({listed}, i32 -1)")
        if type_:
            vector = self.values.set(f"load {vector_of(type_)}, ptr {arrays[-1]}, align 64")
            self.values.define(i.index, vector=vector)

    def _load_row(self, i: m.Load, pointer: str, offsets: tuple[int, ...]) -> None:
        v, type_ = self.values, self.values.type_text(i.index)
        if not any(offsets):
            v.define(i.index, scalar=v.set(f"load {type_}, ptr {pointer}, align 1"))
            return
        chunk = _chunk(offsets, i.size)
        if not chunk:
            v.define(i.index, vector=self.gather(type_, _spread(v, pointer, offsets)))
            return
        parts = []
        for lane in range(0, 32, chunk):
            at = v.set(f"getelementptr i8, ptr {pointer}, i64 {offsets[lane]}")
            wide = f"<{chunk} x {type_}>"
            if offsets[lane + 1] != offsets[lane]:
                parts.append(v.set(f"load {wide}, ptr {at}, align 1"))
                continue
            one = v.set(f"load {type_}, ptr {at}, align 1")
            put = v.set(f"insertelement {wide} poison, {type_} {one}, i64 0")
            parts.append(
                v.set(f"shufflevector {wide} {put}, {wide} poison, <{chunk} x i32> zeroinitializer")
            )
        while len(parts) > 1:
            size = 32 // len(parts)
            order = ", ".join(f"i32 {k}" for k in range(2 * size))
            parts = [
                v.set(
                    f"shufflevector <{size} x {type_}> {a}, <{size} x {type_}> {b}, "
                    f"<{2 * size} x i32> <{order}>"
                )
                for a, b in zip(parts[::2], parts[1::2], strict=True)
            ]
        v.define(i.index, vector=parts[0])

    def _store_row(self, i: m.Store, texts: Sequence[str], offsets: tuple[int, ...]) -> None:
        v = self.values
        pointer = self._first(i.pointer, texts[0])
        type_, vector = self._every(i.value, texts[1])
        if type_ == "i1":
            raise NotFullError("store of i1")
        chunk = _chunk(offsets, i.size)
        if not chunk:
            self.scatter(type_, vector, _spread(v, pointer, offsets))
            return
        for lane in range(0, 32, chunk):
            at = v.set(f"getelementptr i8, ptr {pointer}, i64 {offsets[lane]}")
            if offsets[lane + 1] == offsets[lane]:  # the last lane's remains
                last = v.set(f"extractelement {vector_of(type_)} {vector}, i64 {lane + chunk - 1}")
                v.emit(f"store {type_} {last}, ptr {at}, align 1")
                continue
            order = ", ".join(f"i32 {lane + k}" for k in range(chunk))
            part = v.set(
                f"shufflevector {vector_of(type_)} {vector}, {vector_of(type_)} poison, "
                f"<{chunk} x i32> <{order}>"
            )
            v.emit(f"store <{chunk} x {type_}> {part}, ptr {at}, align 1")

    def private(self, index: int) -> None:
        """A load or store of the threads' own memory, or of parameters."""
        i = self.driver.source.definitions[index]
        if not isinstance(i, m.Load | m.Store) or i.atomic:
            raise NotFullError(type(i).__name__)
        texts = self.driver.access_texts(i)
        if isinstance(i, m.Load):
            type_ = self.values.type_text(index)
            if self.values.operand_is_uniform(i.pointer):
                pointer = self._first(i.pointer, texts[0])
                loaded = self.values.set(f"load {type_}, ptr {pointer}, align 1")
                self.values.define(index, scalar=loaded)
                return
            vector = self.gather(type_, self._every(i.pointer, texts[0])[1])
            self.values.define(index, vector=vector)
            return
        type_, vector = self._every(i.value, texts[1])
        self.scatter(type_, vector, self._every(i.pointer, texts[0])[1])

    def gather(self, type_: str, pointers: str) -> str:
        """All lanes' elements from anywhere."""
        if type_ not in _GATHERED:
            raise NotFullError(type_)
        name = f"@llvm.masked.gather.v32{_SUFFIXES.get(type_, type_)}.v32p0"
        vector = vector_of(type_)
        return self.values.set(
            f"call {vector} {name}(<32 x ptr> align 1 {pointers}, <32 x i1> splat (i1 true), "
            f"{vector} poison)"
        )

    def scatter(self, type_: str, vector: str, pointers: str) -> None:
        """All lanes' elements to anywhere, the last lane's last."""
        if type_ not in _GATHERED:
            raise NotFullError(type_)
        name = f"@llvm.masked.scatter.v32{_SUFFIXES.get(type_, type_)}.v32p0"
        self.values.emit(
            f"call void {name}({vector_of(type_)} {vector}, <32 x ptr> align 1 {pointers}, "
            "<32 x i1> splat (i1 true))"
        )


def _key(pointer: m.Operand, text: str) -> Key:
    if isinstance(pointer, m.Local):
        return (pointer.index,)
    return (operand_value(scalar_text(text)),)


def _spread(values: FullValues, pointer: str, offsets: tuple[int, ...]) -> str:
    listed = ", ".join(f"i64 {offset}" for offset in offsets)
    return values.set(f"getelementptr i8, ptr {pointer}, <32 x i64> <{listed}>")


def _chunk(offsets: tuple[int, ...], size: int) -> int:
    """The most lanes that lie in a row, or at one address, in each part of the warp; 0: too few."""
    for chunk in _CHUNKS:
        parts = [offsets[lane : lane + chunk] for lane in range(0, 32, chunk)]
        if all(
            all(b - a == size for a, b in pairwise(part)) or part.count(part[0]) == chunk
            for part in parts
        ):
            return chunk
    return 0
