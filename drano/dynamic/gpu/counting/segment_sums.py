"""Sums that a thread keeps of segments that repeat: where they are, and when they are added up."""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec import Struct, field

from drano.dynamic.gpu.counting.segment_code import block_word, segment_functions
from drano.dynamic.gpu.counting.segments import COUNTS, MOST_ENTRIES, Place, Segment
from drano.dynamic.gpu.counting.trip_code import TripSegment, trip_function
from drano.dynamic.instrument.measured_sites import DeviceSite

MAX_SUMS = 240
MOST_HOT = 24
"""Entries whose state LLVM keeps in registers; the state of further ones is in memory."""
LEAST_ADDITIONS = 3
"""Of a warp to the counters, from which on a block has words of its own for them."""
MOST_WORDS = 640


class CountedUnit(Struct):
    """What the functions of a unit share."""

    sites: Sequence[DeviceSite]
    places: dict[int, Place]
    proved_places: dict[int, Place]
    irregular: Set[tuple[str, int | None]]
    histogram: bool = False
    following: int = 0
    segments: int = 0
    tables: dict[tuple[int, ...], str] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)


class SegmentSums:
    """The segments that end in one function, in the order of their ends; used once.

    ``pending``: those so far. ``set_``: the number that the launch adds to slots.
    """

    def __init__(
        self, unit: CountedUnit, places: dict[int, Place], set_: str, *, words: bool
    ) -> None:
        self.pending: list[Segment] = []
        self._unit = unit
        self._places = places
        self._set = set_
        self._words = words
        self._block_words = 0
        self._looping: set[int] = set()
        self._sums = 0
        self._names = 0
        self._first_sum = 0
        self._firsts: dict[int, int] = {}

    def end(self, segment: Segment) -> int:
        """The place of a segment that ends here among those that do."""
        if segment.repeats or isinstance(segment, TripSegment):
            self._looping.add(segment.number)
        self.pending.append(segment)
        return len(self.pending) - 1

    def name(self) -> str:
        """A name for another value."""
        self._names += 1
        return f"%drano.v{self._names}"

    def slot(self, number: int, lines: list[str]) -> str:
        """A slot of this launch; ``lines`` grow by what finds it."""
        name = self.name()
        lines.append(f"  {name} = add i32 {self._set}, {number}")
        return f"i32 {name}"

    def _choose_sums(self) -> None:
        """Inner loops first: what has no sum is added to the counters each time."""
        for segment in sorted(self.pending, key=lambda s: -s.depth):
            if segment.repeats and self._sums + segment.entries() > MAX_SUMS:
                segment.repeats = False
            self._sums += segment.entries() if segment.repeats else 0
            segment.hot = self._sums <= MOST_HOT

    def settle(self) -> None:
        """Give slots to all entries of the segments, and write the segments' functions: sums
        first, one behind the other, so that they are added to the counters together.
        """
        self._choose_sums()
        self._first_sum = self._unit.following
        self._firsts = {}
        following = self._first_sum
        order = sorted(self.pending, key=lambda s: (not s.repeats, s.number in self._looping))
        for segment in order:
            self._firsts[segment.number] = following
            following += segment.entries()
        self._choose_words()
        for segment in self.pending:
            first = segment.first = self._firsts[segment.number]
            following = segment.place_all(first, following, self._places)
            if isinstance(segment, TripSegment):
                self._unit.functions.append(trip_function(segment, first, self._unit.tables))
            else:
                self._unit.functions.append(segment_functions(segment, first, self._unit.tables))
        self._unit.following = following

    def _choose_words(self) -> None:
        """Sums, and entries that a thread adds to once, in words of the block: a word for each
        count, if there are enough of them to repay the words' beginning and end.
        """
        once = [s for s in self.pending if not s.repeats and s.number not in self._looping]
        entries = self._sums + sum(segment.entries() for segment in once)
        additions = len(once) + -(-self._sums // MOST_ENTRIES)
        if not self._words or additions < LEAST_ADDITIONS or COUNTS * entries > MOST_WORDS:
            return
        self._block_words = COUNTS * entries
        name = f"@drano.block.{self._first_sum}"
        self._unit.functions.append(
            f"{name} = internal addrspace(3) global [{self._block_words + 1} x i32] undef, align 4"
        )
        for segment in once:
            segment.block = name
            segment.word = self._firsts[segment.number] - self._first_sum

    def _word(self, slot: int) -> str:
        """The block's first word of the slot."""
        return block_word(f"@drano.block.{self._first_sum}", slot - self._first_sum)

    def opening(self, place: str) -> list[str]:
        """What begins the function; ``place``: of its accesses, for debuggers."""
        lines = []
        for segment in self.pending:
            for name, type_ in segment.state():
                variable = f"%drano.{name}.{segment.number}"
                lines.append(f"  {variable} = alloca {type_}")
                if name != "sums":
                    lines.append(f"  store {segment.kept}{type_} 0, ptr {variable}")
                    continue
                # Nothing has a cost yet: there is nothing to multiply it with.
                for k in range(segment.entries()):
                    lines.append(f"  store i64 0, ptr {self._sum(segment, k, lines)}")
        if self._block_words:
            start = f"{self._word(self._first_sum)}, i32 {self._block_words}"
            lines.append(f"  call void @drano_block_start({start}){place}")
        return lines

    def _sum(self, segment: Segment, k: int, lines: list[str], offset: int = 0) -> str:
        """The address of an entry's sum, or of its cost."""
        name = self.name()
        base = f"ptr %drano.sums.{segment.number}"
        lines.append(f"  {name} = getelementptr i64, {base}, i64 {2 * k + offset}")
        return name

    def _total(self, segment: Segment, k: int, lines: list[str], place: str) -> str:
        """What the sum of an entry has come to."""
        total = self.name()
        if not segment.runs:
            variable = f"%drano.sum{k}.{segment.number}"
            lines.append(f"  {total} = load {segment.kept}i64, ptr {variable}{place}")
            return total
        count, times, old, cost, product = (self.name() for _ in range(5))
        lines += [
            f"  {count} = load {segment.kept}i32, ptr %drano.count.{segment.number}{place}",
            f"  {times} = zext i32 {count} to i64{place}",
            f"  {old} = load i64, ptr {self._sum(segment, k, lines)}{place}",
            f"  {cost} = load i64, ptr {self._sum(segment, k, lines, 1)}{place}",
            f"  {product} = mul i64 {cost}, {times}{place}",
            f"  {total} = add i64 {old}, {product}{place}",
        ]
        return total

    def flushes(self, place: str) -> list[str]:
        """What adds the sums to the counters, where the function returns."""
        lines: list[str] = []
        summed = sorted((s for s in self.pending if s.repeats), key=lambda s: s.first)
        entries = [(segment, k) for segment in summed for k in range(segment.entries())]
        for at in range(0, self._sums, MOST_ENTRIES):
            first = self._first_sum + at
            part = entries[at : at + MOST_ENTRIES]
            values = [self._total(segment, k, lines, place) for segment, k in part]
            count = len(values)
            padded = ", ".join(f"i64 {value}" for value in values + ["0"] * (MOST_ENTRIES - count))
            where = f"drano_flush_up({self.slot(first, lines)}"
            if self._block_words:
                where = f"drano_block_flush({self._word(first)}"
            lines.append(f"  call void @{where}, i32 {count}, {padded}){place}")
        if self._block_words:
            slot = self.slot(self._first_sum, lines)
            end = f"{self._word(self._first_sum)}, i32 {self._block_words}, {slot}"
            lines.append(f"  call void @drano_block_end({end}){place}")
        return lines
