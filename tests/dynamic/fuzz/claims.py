"""What both domains prove of a kernel's accesses, held against the requests of a run.

Of every request: the lanes that are on are lanes that may be, and those that are surely on are; its
lines, sectors and wavefronts are within the analysis's range; it goes to the space that the
analysis names. Of each block whose warps all did what they may do: the verdict. Of each access with
a proved pattern: its lanes' distances. In the paper's domain: a known stride, and "at most one
thread".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from drano.analysis.access_sites import Site, memory_sites
from drano.analysis.control_structure import Structure
from drano.analysis.paper import PaperInterpreter
from drano.analysis.paper.values import Reference
from drano.analysis.points_to import Spaces
from drano.analysis.thread_layout import Layout, assumed_layout, known_layout
from drano.analysis.warp import WarpState, control_facts, interpret, judge
from drano.dynamic.instrument.proved_patterns import Pattern
from drano.ir import model as m
from drano.lattice import Predicate, Shape
from drano.lattice.paper.predicate import ActiveSet
from drano.lattice.warp.lanes import LaneVector
from drano.model.access import AccessKind, Launch
from drano.model.finding import ControlKind
from drano.model.hardware import UNCOALESCED_FROM
from drano.model.judgement import CountRange, Judgement, Space, Verdict
from drano.model.judgement import Pattern as Lying
from drano.model.settings import AnalysisOptions, Domain
from drano.traffic import banks
from tests.analysis.warp.fuzz.requests import runs

Rows: TypeAlias = np.ndarray[Any, np.dtype[np.void]]
Lanes: TypeAlias = npt.NDArray[np.int64]
Truth: TypeAlias = npt.NDArray[np.bool_]
_LANES = np.arange(32, dtype=np.uint32)
_REQUESTS = {
    AccessKind.LOAD: banks.Request.LOAD, AccessKind.STORE: banks.Request.STORE,
    AccessKind.ATOMIC: banks.Request.STORE,  # the least that hardware may need
}  # fmt: skip


class Requests(Struct, frozen=True):
    """All requests of one access, one to a row. ``on``: active lanes; addresses of others are an
    active one's.
    """

    warp: Lanes
    block: Lanes
    on: Truth
    address: Lanes
    shared: Truth

    @property
    def far(self) -> Truth:
        """Requests that stay out of shared memory."""
        return ~(self.shared & self.on).any(axis=1)

    @property
    def near(self) -> Truth:
        """Requests to shared memory only."""
        return (self.shared | ~self.on).all(axis=1)


def requests_of(rows: Rows) -> Requests:
    """Rows of ``harness.RECORD`` of one site."""
    on = (rows["mask"][:, None] >> _LANES & 1).astype(np.bool_)
    shared = (rows["shared"][:, None] >> _LANES & 1).astype(np.bool_)
    address = rows["address"].astype(np.int64)
    first = np.take_along_axis(address, on.argmax(axis=1)[:, None], axis=1)
    return Requests(
        rows["warp"].astype(np.int64), rows["block"].astype(np.int64), on,
        np.where(on, address, first), shared,
    )  # fmt: skip


def units(requests: Requests, size: int, unit: int, mask: Truth | None = None) -> Lanes:
    """Different lines or sectors of each request, of the lanes of ``mask`` only."""
    on = requests.on if mask is None else requests.on & mask
    parts = sorted({0, size - 1, *range(0, size, unit)})
    places = np.concatenate([(requests.address + part) // unit for part in parts], axis=1)
    active = np.tile(on, (1, len(parts)))
    low = np.where(active, places, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
    ordered = np.sort(np.where(active, places, low), axis=1)
    found: Lanes = (np.diff(ordered, axis=1) != 0).sum(axis=1) + on.any(axis=1)
    return found


class Tally(Struct):
    """How much was compared: requests, and those whose sectors the analysis knows exactly;
    accesses that were executed, by what is claimed of them.
    """

    requests: int = 0
    exact: int = 0
    decided: int = 0
    accesses: int = 0
    patterns: int = 0
    masks: int = 0

    def add(self, other: Tally) -> None:
        """Count another's, too."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Checker:
    """One kernel that ran with one block shape. ``problems``: what the run refutes."""

    def __init__(
        self,
        module: m.Module,
        function: m.Function,
        block: tuple[int, int, int],
        arguments: tuple[int | None, ...],
        patterns: dict[int, Pattern],
    ) -> None:
        self.problems: list[str] = []
        self.tally = Tally()
        self.patterns = patterns
        self.spaces = Spaces(module)
        structure = Structure(function)
        self.sites = {site.ordinal: site for site in memory_sites(function)}
        options = AnalysisOptions()
        known = known_layout(Launch(block, assumed=False))
        layouts: list[tuple[str, Layout, tuple[int | None, ...]]] = [
            ("known block", known, ()),
            ("known block and arguments", known_layout(Launch(block, assumed=False)), arguments),
        ]
        if block[0] % 32 == 0:
            layouts.append(("whole warps", assumed_layout(Launch((32, 1, 1), assumed=True)), ()))
        self.runs: list[tuple[str, WarpState]] = []
        for name, layout, given in layouts:
            run = interpret(WarpState(module, function, structure, layout, options, given))
            self.runs.append((name, run))
            for fact in control_facts(run):
                if fact.kind is ControlKind.BARRIER and fact.proved:
                    line = fact.location.span.line
                    self._wrong(name, f"line {line}: a barrier that all came to, proved divergent")
        self.paper: PaperInterpreter | None = None
        if block[1] == block[2] == 1:
            paper = AnalysisOptions(domain=Domain.GPUDRANO)
            self.paper = PaperInterpreter(module, function, structure, paper)
            self.paper.run()

    def _wrong(self, where: str, what: str) -> None:
        self.problems.append(f"{where}: {what}")

    def check(self, rows: Rows, ordinals: Callable[[int], int | None]) -> None:
        """Hold one launch's requests against all claims. ``ordinals``: of a site's number."""
        for number in np.unique(rows["site"]):
            ordinal = ordinals(int(number))
            if ordinal is None:
                continue
            site, found = self.sites[ordinal], requests_of(rows[rows["site"] == number])
            self.tally.accesses += 1
            for name, run in self.runs:
                where = f"{name}, {_place(site)}"
                for problem in self._warp(run, site, found):
                    self._wrong(where, problem)
            if self.paper is not None:
                for problem in _paper(self.paper, site, found):
                    self._wrong(f"paper's domain, {_place(site)}", problem)
            pattern = self.patterns.get(ordinal)
            if pattern is not None:
                self.tally.patterns += 1
                offsets = np.array(pattern.offsets, dtype=np.int64)
                away = np.where(found.on, found.address - offsets, 0)
                first = np.take_along_axis(away, found.on.argmax(axis=1)[:, None], axis=1)
                if (found.on & (away != first)).any():
                    self._wrong(_place(site), f"pattern {pattern}")

    def _warp(self, run: WarpState, site: Site, found: Requests) -> Iterator[str]:
        judgement, mask = judge(run, site, self.spaces), run.masks[site.block]
        if judgement is None or mask is None:
            yield "reached, but not reported"
            return
        rows = found.warp if run.layout.warp.space.warps > 1 else np.zeros_like(found.warp)
        possible = run.warp.space.array(mask.lanes)[rows]
        self.tally.masks += len(rows)
        yield from _mask(mask, possible, found.on)
        yield from _space(judgement, found)
        if judgement.space is Space.LOCAL:
            return
        yield from self._counts(site, judgement, found)
        if judgement.verdict is not Verdict.UNKNOWN and found.far.all():
            self.tally.decided += 1
            yield from _verdict(run, site, judgement, found, possible != 0)

    def _counts(self, site: Site, judgement: Judgement, found: Requests) -> Iterator[str]:
        far = found.far
        if far.any():
            self.tally.requests += int(far.sum())
            for name, claim, unit in (
                ("lines", judgement.lines, 128), ("sectors", judgement.sectors, 32),
            ):  # fmt: skip
                if claim is None:
                    continue
                yield from _within(claim, units(found, site.bytes, unit)[far], name)
                if unit == 32 and claim.minimum == claim.maximum:
                    self.tally.exact += int(far.sum())
        claim = judgement.wavefronts
        if claim is None or not found.near.any():
            return
        near = np.flatnonzero(found.near)
        low = found.address[near].min(axis=1, keepdims=True) // 128 * 128
        keys = np.where(found.on[near], found.address[near] - low, -1)
        counts = [
            banks.wavefronts(
                [int(a) if a >= 0 else None for a in row], site.bytes, _REQUESTS[site.kind]
            )
            for row in np.unique(keys, axis=0)
        ]
        self.tally.requests += len(near)
        self.tally.exact += len(near) * (claim.minimum == claim.maximum)
        yield from _within(claim, np.array(counts), "wavefronts")


def _place(site: Site) -> str:
    line = site.location.span.line if site.location else 0
    return f"line {line}, {site.kind} {site.ordinal} of {site.bytes} bytes"


def _within(claim: CountRange, actual: Lanes, what: str) -> Iterator[str]:
    low, high = int(actual.min()), int(actual.max())
    if low < claim.minimum or high > claim.maximum:
        yield f"{low}..{high} {what}, proved {claim.minimum}..{claim.maximum}"


def _mask(mask: Predicate, possible: Lanes, on: Truth) -> Iterator[str]:
    wrong = ((possible == 0) & on) | ((possible == 1) & ~on)
    if wrong.any():
        row = int(wrong.any(axis=1).argmax())
        lanes = np.flatnonzero(on[row]).tolist()
        yield f"lanes {lanes} are on, lanes {np.flatnonzero(wrong[row]).tolist()} proved otherwise"
    open_ = possible == 2
    yes, no = (open_ & on).sum(axis=1), (open_ & ~on).sum(axis=1)
    bad = {
        Shape.UNIFORM: (yes > 0) & (no > 0), Shape.ONE: yes > 1, Shape.ALL_BUT_ONE: no > 1,
        Shape.EXACT: yes + no > 0,
    }.get(mask.shape)  # fmt: skip
    if bad is not None and bad.any():
        row = int(bad.argmax())
        yield f"mask of shape {mask.shape.name}: lanes {np.flatnonzero(on[row]).tolist()} are on"


def _space(judgement: Judgement, found: Requests) -> Iterator[str]:
    near, far = found.near.any(), found.far.any()
    if (judgement.space is Space.SHARED and far) or (
        near and judgement.space not in {Space.SHARED, Space.GENERIC}
    ):
        yield f"proved to go to {judgement.space} memory"


def _verdict(
    run: WarpState, site: Site, judgement: Judgement, found: Requests, possible: Truth
) -> Iterator[str]:
    """Verdicts speak of blocks whose warps all do what they may do."""
    mask = run.masks[site.block]
    assert mask is not None
    if (found.on != possible).any() or judgement.condition:
        return
    warps = np.flatnonzero((run.warp.space.array(mask.lanes) != 0).any(axis=1))
    times = np.bincount(found.warp, minlength=int(warps.max()) + 1)
    if len(warps) > 1 and len(set(times[warps].tolist())) > 1:
        return
    sectors = units(found, site.bytes, 32)
    ideal = -(-found.on.sum(axis=1) * site.bytes // 32)
    total, wanted = int(sectors.sum()), int(ideal.sum())
    starts = len(sectors)
    if judgement.pattern is Lying.UNKNOWN_START:
        starts = int((2 * runs(found.address, found.on) - 1).sum())
    if judgement.verdict is Verdict.COALESCED and total > max(
        UNCOALESCED_FROM * wanted, wanted + starts
    ):
        yield f"coalesced, but {total} sectors where {wanted} would do ({judgement.reason})"
    if judgement.verdict is Verdict.UNCOALESCED and total < UNCOALESCED_FROM * wanted:
        alone = _one_by_one(run, site, found)
        if (alone == sectors).all():  # parts of the warp that meet by chance are not claimed apart
            yield f"uncoalesced, but {total} sectors where {wanted} would do ({judgement.reason})"


def _one_by_one(run: WarpState, site: Site, found: Requests) -> Lanes:
    """Sectors when each group of lanes (at unknown distance) is counted alone."""
    space = run.warp.space
    address = run.form(site.pointer, site.block, 64)
    vectors = [space.array(c).reshape(-1) for _, c in address.terms if isinstance(c, LaneVector)]
    if not vectors:
        return units(found, site.bytes, 32)
    _, numbers = np.unique(np.stack(vectors), axis=1, return_inverse=True)
    rows = found.warp if space.warps > 1 else np.zeros_like(found.warp)
    groups = numbers.reshape(space.shape)[rows]
    parts = [units(found, site.bytes, 32, groups == group) for group in np.unique(groups)]
    total: Lanes = np.stack(parts).sum(axis=0)
    return total


def _paper(run: PaperInterpreter, site: Site, found: Requests) -> Iterator[str]:
    active = run.masks[site.block]
    if active is None:
        yield "reached, but proved not to be"
    if active is ActiveSet.FF_MINUS and int(found.on.sum(axis=1).max()) > 1:
        yield "more than one thread where at most one is proved"
    address = run.value(site.pointer, site.block)
    if isinstance(address, Reference) and address.stride is not None:
        away = np.where(found.on, found.address - address.stride * np.arange(32), 0)
        first = np.take_along_axis(away, found.on.argmax(axis=1)[:, None], axis=1)
        if (found.on & (away != first)).any():
            yield f"threads are not {address.stride} bytes apart"
