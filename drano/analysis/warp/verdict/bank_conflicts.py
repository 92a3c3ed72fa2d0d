"""Bank conflicts of an access to shared memory, and the padding of rows that removes them.

The counts are ``traffic.banks``'s. A conflict is *proved* where the number of wavefronts is known
for blocks whose lanes are all active. Padding is advised only after counting again with the rows
longer: of the access itself, and of all others to the same array that go by the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.access_sites import Site
from drano.analysis.definitions import Definitions
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.value_text import lane_stride
from drano.ir.model import ArrayType, GepStep, MemoryCopy, MemoryFill
from drano.ir.target import POINTER_BITS
from drano.ir.type_layout import alloc_size
from drano.lattice import Form, LaneOverflowError, Predicate, Warp
from drano.lattice.warp import operations as ops
from drano.model.access import AccessKind
from drano.model.hardware import BANKS, WORD_BYTES
from drano.model.judgement import PROVED, UNKNOWN, CountRange, Judgement, Space, Verdict
from drano.traffic.banks import Request, Wavefronts, count_wavefronts

_MAX_PADS = 4
REQUESTS = {
    AccessKind.LOAD: Request.LOAD, AccessKind.STORE: Request.STORE,
    AccessKind.ATOMIC: Request.ATOMIC,
}  # fmt: skip


def with_banks(
    run: WarpState, site: Site, address: Form, mask: Predicate, judgement: Judgement
) -> Judgement:
    """The judgement of an access to shared memory by its wavefronts, and what makes them."""
    whole = site.align >= site.bytes and not _in_small_parts(site)
    found = (
        count_wavefronts(run.warp, address, site.bytes, mask, REQUESTS[site.kind])
        if whole
        else None
    )
    if found is None:
        reason = f"the compiler chooses how to split an access of {site.bytes} bytes"
        return replace(
            judgement, verdict=Verdict.UNKNOWN, reason=reason, says_stride=False, condition=""
        )
    expected = round(found.typical_most, 2) if found.exact else None
    counts = CountRange(found.least, found.most, found.ideal, expected)
    lanes = found.offsets if found.warps and not found.unknown else judgement.lanes
    verdict, weight = Verdict.COALESCED, found.typical_most / max(found.ideal_mean, 1)
    if not found.exact:
        verdict, weight = Verdict.UNKNOWN, weight + UNKNOWN
    elif found.typical_most > found.ideal_mean:
        verdict, weight = Verdict.UNCOALESCED, weight + PROVED
    changes = {
        "verdict": verdict,
        "condition": "",
        "wavefronts": counts,
        "lanes": lanes,
        "reason": _reason(found, site.kind),
        "says_stride": False,
        "weight": weight,
    }
    return replace(judgement, **changes)


def _in_small_parts(site: Site) -> bool:
    """Copies of memory whose requests lie at different places in a word."""
    return isinstance(site.instruction, MemoryCopy | MemoryFill) and site.bytes < WORD_BYTES


def _reason(found: Wavefronts, kind: AccessKind) -> str:
    if found.unknown:
        atom = next((a for a in found.unknown if a.data), found.unknown[0])
        return f"the address depends on {atom.name}" if atom.data else atom.name
    if not found.exact:
        if kind is AccessKind.ATOMIC and found.groups == 1:
            return "lanes that update the same word may be serialised"
        return "the distance between lanes, in words, is unknown"
    if found.typical_most <= found.ideal_mean:
        return "no two lanes access different words of the same bank at once"
    lanes = conflicting_lanes(found.offsets)
    if len(lanes) < 2:
        return "lanes access different words of the same bank"
    shown = ", ".join(map(str, lanes[:3])) + ("…" if len(lanes) > 3 else "")
    return f"lanes {shown} access different words of the same bank"


def conflicting_lanes(offsets: tuple[int | None, ...]) -> list[int]:
    """The first lanes of the different words of the bank that has most of them."""
    words: dict[int, int] = {}
    for lane, offset in enumerate(offsets):
        if offset is not None:
            words.setdefault(offset // WORD_BYTES, lane)
    banks: dict[int, list[int]] = {}
    for word, lane in words.items():
        banks.setdefault(word % BANKS, []).append(lane)
    return max(banks.values(), key=len, default=[])


class Padding(Struct, frozen=True):
    """Rows of ``row`` elements made ``padded``; ``before`` and ``after``: wavefronts."""

    row: int
    padded: int
    before: float
    after: float


class PaddingFinder:
    """Row pitches of the shared arrays of one function that avoid conflicts."""

    def __init__(
        self, definitions: Definitions, reported: dict[int, tuple[Judgement, WarpState]],
        sites: list[Site],
    ) -> None:  # fmt: skip
        self._definitions = definitions
        self._reported = reported
        self._sites = sites

    def find(self, site: Site) -> Padding | None:
        """The shortest padding after which the access has no conflict; None where none is known.

        Raises ``NotReadyError`` and ``LaneOverflowError`` as the interpreter does.
        """
        judgement, run = self._reported[site.ordinal]
        counts = judgement.wavefronts
        if counts is None or counts.expected is None:
            return None
        unit = max(WORD_BYTES, site.bytes)
        for row, element in self._rows(site, run):
            for extra in range(unit, _MAX_PADS * unit + 1, unit):
                found = self._count(site, run, row, extra)
                if found is None or not found.exact or found.typical_most > found.ideal_mean:
                    continue
                if self._others_stand(site, judgement.array, row, extra):
                    after = round(found.typical_most, 2)
                    padded = (row + extra) // element
                    return Padding(row // element, padded, counts.expected, after)
        return None

    def _rows(self, site: Site, run: WarpState) -> Iterator[tuple[int, int]]:
        """Lengths of rows that an address counts in, with the size of what they count: of an
        array of arrays, or of a flat one as the lanes step over it. Bytes.
        """
        strides = sorted({step.stride for step in self._steps(site)})
        element = max(self._element(site), site.bytes)
        for stride in strides:
            if stride > element and stride % element == 0 and stride % WORD_BYTES == 0:
                yield stride, element
        stride = abs(lane_stride(run.form(site.pointer, site.block, POINTER_BITS)))
        if strides == [element] and stride > element and stride % element == 0:
            yield stride, element

    def _element(self, site: Site) -> int:
        """Size of what an array, or an array's arrays, are made of; 1 where it is not known."""
        for part in self._definitions.address_parts(site.pointer):
            if part.steps:
                type_ = part.source_type
                while isinstance(type_, ArrayType):
                    type_ = type_.element
                return alloc_size(type_)
        return 1

    def _steps(self, site: Site) -> list[GepStep]:
        parts = self._definitions.address_parts(site.pointer)
        return [step for part in parts for step in part.steps]

    def _count(self, site: Site, run: WarpState, row: int, extra: int) -> Wavefronts | None:
        """The access with rows ``extra`` bytes longer."""
        mask = run.masks[site.block]
        if mask is None:
            return None
        address = run.form(site.pointer, site.block, POINTER_BITS)
        steps = self._steps(site)
        longer = [step for step in steps if step.stride % row == 0]
        if longer:
            for step in longer:
                index = run.form(step.index, site.block, step.index_bits)
                if step.index_bits < POINTER_BITS:
                    index = ops.extend(run.warp, index, POINTER_BITS, signed=True)
                more = step.stride // row * extra
                address = run.warp.add(address, run.warp.scale(index, more))
        else:
            address = _longer_rows(run.warp, address, row, extra)
        return count_wavefronts(run.warp, address, site.bytes, mask, REQUESTS[site.kind])

    def _others_stand(self, site: Site, array: str, row: int, extra: int) -> bool:
        """Whether no other access to the array becomes worse."""
        for other in self._sites:
            judgement, run = self._reported.get(other.ordinal, (None, None))
            if judgement is None or run is None or other.ordinal == site.ordinal:
                continue
            if judgement.space is not Space.SHARED or judgement.array != array:
                continue
            counts = judgement.wavefronts
            if counts is None or counts.expected is None:
                continue
            found = self._count(other, run, row, extra)
            if found is None or not found.exact or found.typical_most > counts.expected + 0.01:
                return False
        return True


def _longer_rows(warp: Warp, address: Form, row: int, extra: int) -> Form:
    """A flat index's lanes with each row of the lanes' known offsets made longer."""
    data = warp.space.array(address.const)
    rows = (data - data.min(axis=1, keepdims=True)) // row
    return warp.add(address, warp.lanes(warp.space.intern(rows * extra), POINTER_BITS))


def padding_text(found: Padding, array: str) -> str:
    """Advice, as in "pad the rows of `tile` from 32 to 33 elements: 1 wavefront instead of 32"."""
    of = f" of `{array}`" if array else ""
    wavefronts = "1 wavefront" if found.after == 1 else f"{found.after:.3g} wavefronts"
    return (
        f"pad the rows{of} from {found.row} to {found.padded} elements: "
        f"{wavefronts} instead of {found.before:.3g}"
    )


def advise_padding(finder: PaddingFinder, site: Site, judgement: Judgement) -> str:
    """Padding that was found to remove the conflict; "" where there is none."""
    try:
        found = finder.find(site)
    except (NotReadyError, LaneOverflowError):
        return ""
    return padding_text(found, judgement.array) if found is not None else ""
