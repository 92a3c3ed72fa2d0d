"""From counting calls before accesses to those of the GPU's counting library.

Means: ``instrument`` has put ``@__drano_access`` before each access. Here the accesses of a segment
are counted together at its end (``segments``) and those of some loops on entry (``trips``); copies,
and accesses whose memory only the run can tell, are counted one by one. Sums of segments that
repeat are variables of the thread, added to the counters where the kernel returns. A kernel with
proofs is generated twice: as it is, with everything measured, and as ``K_drano_proved``, which the
run-time library launches where the proofs hold.
Assumptions: the text is what ``instrument`` wrote; the library is ``runtime/gpu/counting.cu``.
Limits: at most ``MAX_SUMS`` entries of a kernel have sums, as all are added up at its end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from drano.dynamic.gpu.counting.loop_forms import Loop, irregular_sites, loops_of
from drano.dynamic.gpu.counting.proved_costs import FixedCost, known_cost
from drano.dynamic.gpu.counting.segment_code import block_word, segment_functions, table_definitions
from drano.dynamic.gpu.counting.segments import (
    COUNTS,
    HISTOGRAM,
    HISTOGRAM_SLOTS,
    MOST_ENTRIES,
    Counted,
    Place,
    Proofs,
    Segment,
    counted,
    is_generic,
    kind_number,
)
from drano.dynamic.gpu.counting.trip_code import (
    TRIP_LIBRARY,
    LoopText,
    TripSegment,
    comes_round_known,
    is_known,
    is_worth_it,
    loop_text,
    trip_function,
)
from drano.dynamic.gpu.counting.trips import trips_of
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.printed_instructions import header_arguments, with_argument
from drano.dynamic.instrument.proved_patterns import Block
from drano.ir import model as m
from drano.ir.llvm_text import bare_name
from drano.ir.prepare.inlining import FunctionText, split_module
from drano.ir.target import AddressSpace
from drano.model.access import AccessKind
from drano.model.hardware import WARP_SIZE

PROVED = "_drano_proved"
MOST_HOT = 24
"""Entries whose state LLVM keeps in registers; the state of further ones is in memory."""
MAX_SUMS = 240
LEAST_ADDITIONS = 3
"""Of a warp to the counters, from which on a block has words of its own for them."""
MOST_WORDS = 640
MOST_SHARED = 40 << 10
_SET = "%drano.set"
_ACCESS = re.compile(
    r"  call void @__drano_access\(i32 (?P<site>\d+), ptr (?P<pointer>.*), "
    r"i32 (?P<bytes>\d+), i32 \d+\)(?P<place>, !dbg !\d+)?\Z"
)
_RANGE = re.compile(
    r"  call void @__drano_access_range\(i32 (?P<site>\d+), ptr (?P<pointer>.*), "
    r"i64 (?P<length>\S+), i32 (?P<bytes>\d+), i32 \d+\)(?P<place>, !dbg !\d+)?\Z"
)
_LABEL = re.compile(r'("[^"]*"|[-\w.$]+):')
_END = re.compile(r"  (?:ret|br|switch|indirectbr|unreachable|resume)\b")
# What other lanes may come to first, or wait at: calls but LLVM's own and of mathematics.
_CALL = re.compile(r"  (?:%\S+ = )?(?:tail |notail |musttail )?(?:call|invoke)\b")
_HARMLESS = re.compile(r"@__nv_|@llvm\.(?!nvvm\.)|@llvm\.nvvm\.read\.ptx\.sreg\.")
_PLACE = re.compile(r", !dbg !\d+| !dbg !\d+")
_COMDAT = re.compile(r" comdat(?:\([^)]*\))?")
NAME = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
_CALLED = "@__drano_access"
_DECLARED = f"declare void {_CALLED}"
_MEASURE = "i32, i64, i32, i32"
_SIX = ", ".join(["i64"] * MOST_ENTRIES)
_LIBRARY = "\n".join(
    f"declare {signature} convergent nounwind"
    for signature in (
        "i32 @drano_mask()",
        "i1 @drano_leads(i32)",
        "i1 @drano_any(i32, i32)",
        "i32 @drano_unlike(i32, i32)",
        "i64 @drano_one_request(i32)",
        "i64 @drano_prefix(i32, ptr addrspace(4))",
        "i64 @drano_runs(i32, i64, i32, i32, ptr addrspace(4))",
        f"i64 @drano_quick_global({_MEASURE})",
        f"i64 @drano_quick_shared({_MEASURE})",
        f"i64 @drano_settle_global({_MEASURE}, i64)",
        f"i64 @drano_settle_shared({_MEASURE}, i64)",
        "i32 @drano_elsewhere(i64)",
        "i64 @drano_if_global(i32, i64, i64)",
        f"i64 @drano_settle_generic(i32, {_MEASURE}, i64)",
        f"void @drano_add_up(i32, i32, i32, {_SIX})",
        f"void @drano_flush_up(i32, i32, {_SIX})",
        "void @drano_flush_full(i32, i64)",
        f"void @drano_block_up(ptr addrspace(3), i32, i32, {_SIX})",
        f"void @drano_block_flush(ptr addrspace(3), i32, {_SIX})",
        "void @drano_block_start(ptr addrspace(3), i32)",
        "void @drano_block_end(ptr addrspace(3), i32, i32)",
        f"void @drano_generic({_MEASURE})",
        "void @drano_conflicts(i32, i64)",
        "void @drano_generic_conflicts(i32, i32, i64)",
        "void @drano_range(i32, i64, i64, i32, i32)",
        *TRIP_LIBRARY,
    )
)


@dataclass(frozen=True, slots=True)
class Choices:
    """``sums``: whether segments that repeat keep sums; ``words``: whether blocks add up in shared
    memory what their warps add; ``sets``: whether kernels are told which counters to use;
    ``histogram``: how many requests had how many lines, for which each access is counted alone;
    ``repeats``: whether launches like one that was counted are not; ``replays``: whether the
    host counts launches, where it can; ``trips``: whether accesses of loops are counted where these
    are entered, if that is possible.
    """

    sums: bool = True
    words: bool = True
    sets: bool = True
    histogram: bool = False
    repeats: bool = True
    replays: bool = True
    trips: bool = True


@dataclass(frozen=True, slots=True)
class SlotRange:
    """Slots of a kernel, from ``first`` on; and how many ``parameters`` of its own it has: another
    one follows, a number that its launch adds to its slots. -1: there is none.
    """

    parameters: int
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class CountedModule:
    """``text``: with calls of the library; ``places``: where each site's counts are, in kernels as
    they are and in their second forms; ``proofs``: of the kernels that have one; ``slots``: how
    many there are; ``ranges``: of each kernel.
    """

    text: str
    places: tuple[list[Place], list[Place]]
    proofs: Mapping[str, Proofs]
    slots: int
    ranges: Mapping[str, SlotRange]


@dataclass(slots=True)
class _Unit:
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


def with_gpu_calls(
    text: str, sites: Sequence[DeviceSite], module: m.Module, choices: Choices
) -> CountedModule:
    """The instrumented module ``text`` with calls of the GPU's counting library."""
    split = split_module(text)
    irregular: set[tuple[str, int | None]] = set()
    for kernel in module.kernels:
        irregular |= {(kernel.name, number) for number in irregular_sites(kernel, module.globals)}
    places = [{site.number: Place() for site in sites} for _ in range(2)]
    unit = _Unit(sites, places[0], places[1], irregular, choices.histogram)
    shared = sum(v.size for v in module.globals.values() if v.space == AddressSpace.SHARED)
    words = choices.words and shared <= MOST_SHARED
    proofs = _proofs(sites)
    ranges: dict[str, SlotRange] = {}
    lines: list[str] = []
    for name, function in split.functions.items():
        body = list(function.body)
        header = function.header
        if any("@__drano_access" in line for line in body):
            loops = loops_of(module.functions.get(name)) if choices.sums else {}
            own = function
            first = unit.following
            of_block = words and function.is_kernel
            if choices.sets and function.is_kernel:
                own = with_argument(function, f"i32 {_SET}")
            trips: list[LoopText] = []
            if choices.trips and not choices.histogram and name in module.functions:
                model = module.functions[name]
                found = trips_of(model, module.globals)
                trips = [loop_text(trip, function, model) for trip in found]
            body = _Body(own, unit, loops, None, trips, words=of_block).rewritten()
            header = own.header
            if name in proofs:
                second = renamed(own, name + PROVED)
                proved = _Body(second, unit, loops, proofs[name], trips, words=of_block).rewritten()
                lines += [second.header, *proved, "}"]
            if function.is_kernel:
                parameters = -1 if own is function else len(header_arguments(function))
                ranges[name] = SlotRange(parameters, first, unit.following - first)
        lines += [header, *body, "}"]
    rest = [line for line in split.rest if not line.startswith(_DECLARED)]
    rest += table_definitions(unit.tables)
    whole = "\n".join([*rest, *lines, *unit.functions, _LIBRARY, ""])
    of_sites = [
        [places[site.number] for site in sites] for places in (unit.places, unit.proved_places)
    ]
    return CountedModule(whole, (of_sites[0], of_sites[1]), proofs, unit.following, ranges)


def _proofs(sites: Sequence[DeviceSite]) -> dict[str, Proofs]:
    """What is relied on in the second form of each kernel: the shape of block of most proofs."""
    shapes: dict[str, Counter[Block | None]] = {}
    for site in sites:
        useful = {
            p.block for p in site.patterns if not is_generic(site) and known_cost(site, p.block)
        }
        if useful:
            shapes.setdefault(site.kernel, Counter()).update(useful)
    return {kernel: Proofs(found.most_common(1)[0][0]) for kernel, found in shapes.items()}


def renamed(function: FunctionText, name: str) -> FunctionText:
    """A copy, without what says where it is in the source: that belongs to one function alone."""
    header = NAME.sub(lambda _: f'@"{name}"', _PLACE.sub("", function.header), count=1)
    header = _COMDAT.sub("", header)
    body = (line for line in function.body if not line.lstrip().startswith("#dbg_"))
    return FunctionText(name, header, tuple(_PLACE.sub("", line) for line in body))


class _Body:
    """Rewrites the calls of one function; used once."""

    def __init__(
        self,
        function: FunctionText,
        unit: _Unit,
        loops: Mapping[str, Loop],
        proofs: Proofs | None,
        trips: Sequence[LoopText],
        *,
        words: bool,
    ) -> None:
        self.words = words
        self.proofs = proofs
        block = proofs.block if proofs is not None else None
        self.whole = block is None or block[0] * block[1] * block[2] >= WARP_SIZE
        self.places = unit.places if proofs is None else unit.proved_places
        self.block_words = 0
        self.looping: set[int] = set()
        self.function = function
        self.set = _SET if _SET in function.header else "0"
        self.unit = unit
        self.loops = loops
        self.trips = trips
        self.known: dict[str, list[TripSegment]] = {}
        self.inside: set[str] = set()
        self.segments: dict[bool, Segment] = {}
        self.pending: list[Segment] = []
        self.sums = 0
        self.names = 0
        self.place = ""

    def rewritten(self) -> list[str]:
        """The body's lines."""
        lines: list[str] = []
        block = ""
        self._find_known()
        for line in self.function.body:
            call = _ACCESS.match(line) or _RANGE.match(line)
            if call is not None:
                self.place = self.place or call["place"] or ""
                if block not in self.inside:
                    lines += self._access(call, block, lines)
                continue
            label = _LABEL.match(line)
            if label is not None:
                block = bare_name(f"%{label[1]}")
            elif _END.match(line) or (_CALL.match(line) and not _HARMLESS.search(line)):
                self._close(lines)
                if _END.match(line):
                    lines += [f"SEGMENT {self._number(s)}" for s in self.known.get(block, ())]
            lines.append(line)
        self._settle_slots()
        lines = self._with_segments(lines)
        first = 1 if _LABEL.match(lines[0]) else 0
        return [*lines[:first], *self._opening(), *lines[first:]]

    def _find_known(self) -> None:
        """The loops whose accesses are counted where they are entered, with these accesses."""
        calls: dict[str, list[re.Match[str] | None]] = {}
        block = ""
        for line in self.function.body:
            label = _LABEL.match(line)
            block = bare_name(f"%{label[1]}") if label is not None else block
            if _CALLED in line:
                calls.setdefault(block, []).append(_ACCESS.match(line))
        for loop in self.trips:
            segments = []
            for early, blocks in ((True, loop.trip.early), (False, loop.trip.late)):
                made = [call for name in sorted(blocks) for call in calls.get(name, ())]
                if made:
                    segments.append(self._known_segment(loop, made, early=early))
            complete = [segment for segment in segments if segment is not None]
            accesses = [access for segment in complete for access in segment.accesses]
            if len(complete) < len(segments) or not is_worth_it(accesses, loop):
                continue
            if comes_round_known(loop):
                self.known.setdefault(loop.trip.entry, []).extend(complete)
                self.inside |= loop.trip.early | loop.trip.late

    def _known_segment(
        self, loop: LoopText, calls: Sequence[re.Match[str] | None], *, early: bool
    ) -> TripSegment | None:
        """None: an access is not like that."""
        segment = TripSegment(self.unit.segments, repeats=False, loop=loop, early=early)
        self.unit.segments += 1
        for call in calls:
            if call is None:
                return None
            site = self.unit.sites[int(call["site"])]
            access = counted(site, call["pointer"], self.proofs)
            if not is_known(access, loop):
                return None
            segment.accesses.append(access)
            segment.location = segment.location or call["place"] or ""
        return segment

    def _number(self, segment: Segment) -> int:
        """Of a segment that ends here, among those that do."""
        if segment.repeats or isinstance(segment, TripSegment):
            self.looping.add(segment.number)
        self.pending.append(segment)
        return len(self.pending) - 1

    def _name(self) -> str:
        self.names += 1
        return f"%drano.v{self.names}"

    def _slot(self, number: int, lines: list[str]) -> str:
        """A slot of this launch; ``lines`` grow by what finds it."""
        name = self._name()
        lines.append(f"  {name} = add i32 {self.set}, {number}")
        return f"i32 {name}"

    def _access(self, call: re.Match[str], block: str, lines: list[str]) -> list[str]:
        place = call["place"] or ""
        site = self.unit.sites[int(call["site"])]
        alone = is_generic(site) and site.kind is AccessKind.ATOMIC
        if call.re is _ACCESS and not alone and not self.unit.histogram:
            access = counted(site, call["pointer"], self.proofs)
            segment = self._segment_for(access, self.loops.get(block, Loop(0, plain=False)), place)
            segment.accesses.append(access)
            if segment.full:
                self._close(lines)
            if site.kind is AccessKind.ATOMIC:
                address = self._name()
                return [
                    f"  {address} = ptrtoint ptr {call['pointer']} to i64{place}",
                    f"  call void @drano_conflicts(i32 SLOT.{site.number}, i64 {address}){place}",
                ]
            return []
        return self._alone(call, site, place)

    def _segment_for(self, access: Counted, loop: Loop, place: str) -> Segment:
        """The one that is open for accesses that mostly cost what they did the last time, or the
        one for others.
        """
        site = access.site
        runs = loop.plain
        if not isinstance(access.known, FixedCost):
            runs = runs and (site.kernel, site.ordinal) not in self.unit.irregular
        if runs not in self.segments:
            self.segments[runs] = Segment(
                self.unit.segments, loop.depth > 0, runs, loop.depth, whole=self.whole,
                location=place,
            )  # fmt: skip
            self.unit.segments += 1
        return self.segments[runs]

    def _alone(self, call: re.Match[str], site: DeviceSite, place: str) -> list[str]:
        """An access that is counted for itself, where it stands."""
        where = self.places[site.number]
        where.slot = self.unit.following
        where.shared = where.slot + 1
        self.unit.following += 2
        flags = kind_number(site) | (0 if is_generic(site) else 16)
        if self.unit.histogram:
            flags |= HISTOGRAM
            where.histogram = self.unit.following
            self.unit.following += HISTOGRAM_SLOTS
        address = self._name()
        lines = [f"  {address} = ptrtoint ptr {call['pointer']} to i64{place}"]
        size = f"i32 {call['bytes']}, i32 {flags}"
        own = self._slot(where.slot, lines)
        if call.re is _RANGE:
            arguments = f"{own}, i64 {address}, i64 {call['length']}, {size}"
            return [*lines, f"  call void @drano_range({arguments}){place}"]
        lines.append(f"  call void @drano_generic({own}, i64 {address}, {size}){place}")
        if site.kind is AccessKind.ATOMIC:
            arguments = f"{own}, {self._slot(where.shared, lines)}, i64 {address}"
            lines.append(f"  call void @drano_generic_conflicts({arguments}){place}")
        return lines

    def _close(self, lines: list[str]) -> None:
        """End the segments: lines that will become the calls of their functions."""
        lines += [f"SEGMENT {self._number(segment)}" for segment in self.segments.values()]
        self.segments.clear()

    def _choose_sums(self) -> None:
        """Inner loops first: what has no sum is added to the counters each time."""
        for segment in sorted(self.pending, key=lambda s: -s.depth):
            if segment.repeats and self.sums + segment.entries() > MAX_SUMS:
                segment.repeats = False
            self.sums += segment.entries() if segment.repeats else 0
            segment.hot = self.sums <= MOST_HOT

    def _settle_slots(self) -> None:
        """Sums first, one behind the other, so that they are added to the counters together."""
        self._choose_sums()
        self.first_sum = self.unit.following
        self.firsts: dict[int, int] = {}
        following = self.first_sum
        order = sorted(self.pending, key=lambda s: (not s.repeats, s.number in self.looping))
        for segment in order:
            self.firsts[segment.number] = following
            following += segment.entries()
        self._choose_words()
        for segment in self.pending:
            first = segment.first = self.firsts[segment.number]
            following = segment.place_all(first, following, self.places)
            if isinstance(segment, TripSegment):
                self.unit.functions.append(trip_function(segment, first, self.unit.tables))
            else:
                self.unit.functions.append(segment_functions(segment, first, self.unit.tables))
        self.unit.following = following

    def _choose_words(self) -> None:
        """Sums, and entries that a thread adds to once, in words of the block: a word for each
        count, if there are enough of them to repay the words' beginning and end.
        """
        once = [s for s in self.pending if not s.repeats and s.number not in self.looping]
        entries = self.sums + sum(segment.entries() for segment in once)
        additions = len(once) + -(-self.sums // MOST_ENTRIES)
        if not self.words or additions < LEAST_ADDITIONS or COUNTS * entries > MOST_WORDS:
            return
        self.block_words = COUNTS * entries
        name = f"@drano.block.{self.first_sum}"
        self.unit.functions.append(
            f"{name} = internal addrspace(3) global [{self.block_words + 1} x i32] undef, align 4"
        )
        for segment in once:
            segment.block = name
            segment.word = self.firsts[segment.number] - self.first_sum

    def _word(self, slot: int) -> str:
        """The block's first word of the slot."""
        return block_word(f"@drano.block.{self.first_sum}", slot - self.first_sum)

    def _with_segments(self, lines: list[str]) -> list[str]:
        out: list[str] = []
        for line in lines:
            if line.startswith("SEGMENT "):
                out.append(self._segment_call(self.pending[int(line[8:])]))
                continue
            if " SLOT." in line:
                number = int(line.partition(" SLOT.")[2].partition(",")[0])
                slot = self._slot(self.places[number].slot, out)
                out.append(line.replace(f"i32 SLOT.{number},", f"{slot},"))
                continue
            if line.startswith("  ret void"):
                place = line.partition(", !dbg ")
                out += self._flushes(place[1] + place[2])
            out.append(line)
        return out

    def _segment_call(self, segment: Segment) -> str:
        arguments = [f"i32 {self.set}"]
        number = segment.number
        arguments += [f"ptr %drano.{name}.{number}" for name, _ in segment.state()]
        if isinstance(segment, TripSegment):
            types = segment.loop.types
            arguments += [f"{types[leaf]} {leaf}" for leaf in segment.leaves]
        else:
            arguments += [f"ptr {access.pointer}" for access in segment.accesses]
        name = f"@drano.segment.{segment.number}"
        return f"  call void {name}({', '.join(arguments)}){segment.location}"

    def _opening(self) -> list[str]:
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
        if self.block_words:
            start = f"{self._word(self.first_sum)}, i32 {self.block_words}"
            lines.append(f"  call void @drano_block_start({start}){self.place}")
        return lines

    def _sum(self, segment: Segment, k: int, lines: list[str], offset: int = 0) -> str:
        """The address of an entry's sum, or of its cost."""
        name = self._name()
        base = f"ptr %drano.sums.{segment.number}"
        lines.append(f"  {name} = getelementptr i64, {base}, i64 {2 * k + offset}")
        return name

    def _total(self, segment: Segment, k: int, lines: list[str], place: str) -> str:
        """What the sum of an entry has come to."""
        total = self._name()
        if not segment.runs:
            variable = f"%drano.sum{k}.{segment.number}"
            lines.append(f"  {total} = load {segment.kept}i64, ptr {variable}{place}")
            return total
        count, times, old, cost, product = (self._name() for _ in range(5))
        lines += [
            f"  {count} = load {segment.kept}i32, ptr %drano.count.{segment.number}{place}",
            f"  {times} = zext i32 {count} to i64{place}",
            f"  {old} = load i64, ptr {self._sum(segment, k, lines)}{place}",
            f"  {cost} = load i64, ptr {self._sum(segment, k, lines, 1)}{place}",
            f"  {product} = mul i64 {cost}, {times}{place}",
            f"  {total} = add i64 {old}, {product}{place}",
        ]
        return total

    def _flushes(self, place: str) -> list[str]:
        lines: list[str] = []
        summed = sorted((s for s in self.pending if s.repeats), key=lambda s: s.first)
        entries = [(segment, k) for segment in summed for k in range(segment.entries())]
        for at in range(0, self.sums, MOST_ENTRIES):
            first = self.first_sum + at
            part = entries[at : at + MOST_ENTRIES]
            values = [self._total(segment, k, lines, place) for segment, k in part]
            count = len(values)
            padded = ", ".join(f"i64 {value}" for value in values + ["0"] * (MOST_ENTRIES - count))
            where = f"drano_flush_up({self._slot(first, lines)}"
            if self.block_words:
                where = f"drano_block_flush({self._word(first)}"
            lines.append(f"  call void @{where}, i32 {count}, {padded}){place}")
        if self.block_words:
            slot = self._slot(self.first_sum, lines)
            end = f"{self._word(self.first_sum)}, i32 {self.block_words}, {slot}"
            lines.append(f"  call void @drano_block_end({end}){place}")
        return lines
