"""The accesses of one function, gathered into segments whose ends call the counting library."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from drano.dynamic.gpu.counting.loop_forms import Loop
from drano.dynamic.gpu.counting.proved_costs import FixedCost
from drano.dynamic.gpu.counting.segment_sums import CountedUnit, SegmentSums
from drano.dynamic.gpu.counting.segments import (
    HISTOGRAM,
    HISTOGRAM_SLOTS,
    Counted,
    Proofs,
    Segment,
    counted,
    is_generic,
    kind_number,
)
from drano.dynamic.gpu.counting.trip_code import (
    LoopText,
    TripSegment,
    comes_round_known,
    is_known,
    is_worth_it,
)
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.ir.llvm_text import bare_name
from drano.ir.prepare.inlining import FunctionText
from drano.model.access import AccessKind
from drano.model.hardware import WARP_SIZE

COUNTER_SET = "%drano.set"
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
CALLED = "@__drano_access"


class CountedBody:
    """Rewrites the calls of one function; used once."""

    def __init__(
        self,
        function: FunctionText,
        unit: CountedUnit,
        loops: Mapping[str, Loop],
        proofs: Proofs | None,
        trips: Sequence[LoopText],
        *,
        words: bool,
    ) -> None:
        self.proofs = proofs
        block = proofs.block if proofs is not None else None
        self.whole = block is None or block[0] * block[1] * block[2] >= WARP_SIZE
        self.places = unit.places if proofs is None else unit.proved_places
        self.function = function
        self.set = COUNTER_SET if COUNTER_SET in function.header else "0"
        self.unit = unit
        self.loops = loops
        self.trips = trips
        self.known: dict[str, list[TripSegment]] = {}
        self.inside: set[str] = set()
        self.segments: dict[bool, Segment] = {}
        self.sums = SegmentSums(unit, self.places, self.set, words=words)
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
                    lines += [f"SEGMENT {self.sums.end(s)}" for s in self.known.get(block, ())]
            lines.append(line)
        self.sums.settle()
        lines = self._with_segments(lines)
        first = 1 if _LABEL.match(lines[0]) else 0
        return [*lines[:first], *self.sums.opening(self.place), *lines[first:]]

    def _find_known(self) -> None:
        """The loops whose accesses are counted where they are entered, with these accesses."""
        calls: dict[str, list[re.Match[str] | None]] = {}
        block = ""
        for line in self.function.body:
            label = _LABEL.match(line)
            block = bare_name(f"%{label[1]}") if label is not None else block
            if CALLED in line:
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
                address = self.sums.name()
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
        address = self.sums.name()
        lines = [f"  {address} = ptrtoint ptr {call['pointer']} to i64{place}"]
        size = f"i32 {call['bytes']}, i32 {flags}"
        own = self.sums.slot(where.slot, lines)
        if call.re is _RANGE:
            arguments = f"{own}, i64 {address}, i64 {call['length']}, {size}"
            return [*lines, f"  call void @drano_range({arguments}){place}"]
        lines.append(f"  call void @drano_generic({own}, i64 {address}, {size}){place}")
        if site.kind is AccessKind.ATOMIC:
            arguments = f"{own}, {self.sums.slot(where.shared, lines)}, i64 {address}"
            lines.append(f"  call void @drano_generic_conflicts({arguments}){place}")
        return lines

    def _close(self, lines: list[str]) -> None:
        """End the segments: lines that will become the calls of their functions."""
        lines += [f"SEGMENT {self.sums.end(segment)}" for segment in self.segments.values()]
        self.segments.clear()

    def _with_segments(self, lines: list[str]) -> list[str]:
        out: list[str] = []
        for line in lines:
            if line.startswith("SEGMENT "):
                out.append(self._segment_call(self.sums.pending[int(line[8:])]))
                continue
            if " SLOT." in line:
                number = int(line.partition(" SLOT.")[2].partition(",")[0])
                slot = self.sums.slot(self.places[number].slot, out)
                out.append(line.replace(f"i32 SLOT.{number},", f"{slot},"))
                continue
            if line.startswith("  ret void"):
                place = line.partition(", !dbg ")
                out += self.sums.flushes(place[1] + place[2])
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
