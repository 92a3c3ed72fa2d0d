"""The cost of an access: excess sectors of one request, times how often warps execute it.

Executions are launches x blocks x warps x loops around it x chances of the branches above it. A
factor is *exact*, *symbolic* in the names of the source (with what these are taken to be), or
*assumed*. Shared memory counts wavefronts, each as dear as a sector.

Launches are counted as often as the loops of the host around them say: see ``launch_counts``.
Limits: what caches keep, and what nvcc hoists out of loops, is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.access_sites import Site
from drano.analysis.control_structure import Structure
from drano.analysis.cost import defaults
from drano.analysis.cost.amounts import (
    Amount,
    Number,
    Steps,
    evaluate,
    names,
    number_text,
    product,
    quotient,
    text,
)
from drano.analysis.cost.branch_chances import Axis, Bound, Branches, Chance, Conditions, Kind
from drano.analysis.cost.excess_sectors import excess_sectors
from drano.analysis.cost.grids import (
    Dim,
    axes_read,
    blocks,
    common_grid,
    threads,
    warps_of_unknown_block,
)
from drano.analysis.cost.hoisting import Hoisting, Reach
from drano.analysis.cost.kernel_work import moved_bytes, operations
from drano.analysis.cost.launch_counts import Host
from drano.analysis.cost.operand_amounts import Amounts, Known
from drano.analysis.cost.trip_counts import TripCounter
from drano.analysis.definitions import Definitions
from drano.ir.loops import Loop
from drano.ir.model import Function, IntConst, MemoryCopy, MemoryFill
from drano.model.access import Basis, Cost, Factor, Launch, LoopScope
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import Judgement
from drano.model.span import Location
from drano.model.translation_unit import LaunchSite

_SUMMED = "blocks of all launches"


class Facts(Struct, frozen=True):
    """What a domain knows of one run: constants; conditions; how many of a block's warps come to
    a block of code (None: the block's shape is not known); see ``Branches`` for ``axis``, and
    ``Hoisting`` for ``reach``; ``data_loops``: headers of loops whose lanes data lets go.
    """

    known: Known
    kinds: Conditions
    warps: Callable[[int], float | None]
    axis: Axis
    reach: Callable[[Site], Reach | None]
    data_loops: frozenset[int] = frozenset()


class CostModel:
    """Costs of the accesses of one function, for one shape of its thread blocks."""

    def __init__(
        self,
        function: Function,
        structure: Structure,
        definitions: Definitions,
        sites: Sequence[Site],
        facts: Facts,
        launch: Launch | None,
        launches: Sequence[LaunchSite],
        hint_grid: Dim | None,
        assumed: Mapping[str, float],
    ) -> None:
        self._structure = structure
        self._facts = facts
        self._assumed = assumed
        shape = launch.block if launch is not None and launch.exact else None
        same = [s for s in launches if s.block == shape] or list(launches)
        self._grid = common_grid(same, axes_read(function), hint_grid)
        self._host = Host(same)
        # Different grids that are all known: their blocks add up, instead of "launches x gridDim".
        unequal = None in self._grid and len({s.grid for s in same}) > 1
        self._all_blocks = self._host.blocks() if unequal else None
        amounts = Amounts(definitions, facts.known, shape, self._grid)
        self._trips = TripCounter(function, structure, definitions, amounts)
        busy = frozenset(site.block for site in sites)
        self._branches = Branches(
            function, structure, definitions, busy, facts.kinds, facts.axis, amounts
        )
        self._shape = shape
        self._function = function
        self._nests: dict[int, tuple[LoopScope, ...]] = {}
        self._counts: dict[int, float] = {}
        self._shares: dict[int, float] = {}
        self._loops: dict[int, Factor] = {}
        self._of_blocks: dict[tuple[int, frozenset[int]], tuple[Factor, ...]] = {}
        self._of_warps: dict[tuple[float | None, tuple[Bound, ...]], list[Factor]] = {}
        self._hoisting = Hoisting(function, structure, sites, facts.reach)

    def cost(self, site: Site, judgement: Judgement) -> Cost | None:
        """What one access costs; None where it is nothing."""
        sectors, gathered = excess_sectors(judgement, site.bytes, self._lane_share(site.block))
        if sectors <= 0:
            return None
        factors = self.factors(site.block, self._hoisting.outside(site))
        parts = requests(site)
        if parts > 1:
            text = number_text(float(parts))
            factors = (*factors, Factor(text, float(parts), Basis.EXACT, "requests of a copy"))
        return Cost(round(sectors, 3), factors, gathered)

    def _lane_share(self, block: int) -> float:
        """Of the lanes that data leaves on: by branches, and by loops that it ends."""
        found = self._shares.get(block)
        if found is None:
            found = self._shares[block] = self._find_share(block)
        return found

    def _find_share(self, block: int) -> float:
        above = self._branches.above(block)
        share = math.prod(c.share for c in above if isinstance(c, Chance) and c.lanes)
        ended = self._facts.data_loops.intersection(self._structure.loops_of[block])
        return share * defaults.EVEN ** len(ended)

    def factors(self, block: int, without: frozenset[int] = frozenset()) -> tuple[Factor, ...]:
        """How often a block is executed by a warp; loops with the headers ``without`` left out."""
        key = (block, without)
        found = self._of_blocks.get(key)
        if found is None:
            found = self._of_blocks[key] = self._count(block, without)
        return found

    def _count(self, block: int, without: frozenset[int]) -> tuple[Factor, ...]:
        found: list[Factor] = []
        above = self._branches.above(block)
        warps = self._warps(block, tuple(each for each in above if isinstance(each, Bound)))
        summed = any(factor.what == _SUMMED for factor in warps)
        found += self._launched(summed=summed)
        found += warps
        chances = [each for each in above if isinstance(each, Chance)]
        once = {chance.once for chance in chances}.intersection(self._structure.loops_of[block])
        for header in reversed(self._structure.loops_of[block]):
            if header not in without and header not in once:
                found.append(self.loop(header))
        for chance in chances:
            if chance.lanes or chance.once in once:
                continue
            span = chance.branch.location.span if chance.branch.location else None
            share = round(chance.share, 3)
            found.append(Factor(number_text(share), share, Basis.ASSUMED, "branch", span=span))
        return tuple(factor for factor in found if factor.text != "1")

    def _launched(self, *, summed: bool) -> list[Factor]:
        """How often the host launches the kernel; ``summed``: but for what the blocks say."""
        found: list[Factor] = []
        for each in self._host.common:
            factor = self._factor(each.count, each.what)
            basis = Basis.ASSUMED if each.assumed else factor.basis
            found.append(replace(factor, basis=basis))
        if not summed:
            factor = self._factor(self._host.launches, "launches")
            assumed = self._host.assumed
            found.append(replace(factor, basis=Basis.ASSUMED) if assumed else factor)
        return found

    def work(self, judged: Sequence[tuple[Site, Judgement]]) -> tuple[float, float, int]:
        """Floating-point operations of the kernel, bytes of global memory that it moves, and the
        width in bits of most of the operations.
        """
        totals: dict[int, float] = {}
        for block in self._function.blocks:
            counts = operations(block)
            if not counts or self._facts.warps(block.index) == 0.0:
                continue
            times = WARP_SIZE * self._lane_share(block.index) * self._executions(block.index)
            for bits, count in counts.items():
                totals[bits] = totals.get(bits, 0.0) + count * times
        moved = sum(
            moved_bytes(j) * requests(site) * self._executions(site.block) for site, j in judged
        )
        width = max(totals, key=lambda bits: (totals[bits], bits == 32), default=32)
        return float(sum(totals.values())), float(moved), width

    def _executions(self, block: int) -> float:
        found = self._counts.get(block)
        if found is None:
            found = math.prod(factor.value for factor in self.factors(block))
            self._counts[block] = found
        return found

    def nest(self, block: int) -> tuple[LoopScope, ...]:
        """The loops around a block, outermost first, as far as they have a place."""
        found = self._nests.get(block)
        if found is None:
            headers = reversed(self._structure.loops_of[block])
            scopes = (self._scope(header) for header in headers)
            found = self._nests[block] = tuple(scope for scope in scopes if scope)
        return found

    def _scope(self, header: int) -> LoopScope | None:
        place = _place(self._function, self._structure.loops[header])
        if place is None:
            return None
        trips = self.loop(header)
        whole = trips.basis is not Basis.SYMBOLIC and trips.value.is_integer()
        count = int(trips.value) if whole else None
        return LoopScope(self._trips.of(header).counter, trips.text, place, count)

    def _warps(self, block: int, bounds: tuple[Bound, ...]) -> list[Factor]:
        """Warps of the grid that come to a block: all, or those of threads within bounds."""
        warps = self._facts.warps(block)
        found = self._of_warps.get((warps, bounds))
        if found is None:
            found = self._of_warps[warps, bounds] = self._count_warps(warps, bounds)
        return found

    def _count_warps(self, warps: float | None, bounds: tuple[Bound, ...]) -> list[Factor]:
        ends = {b.axis: b.end for b in bounds if self._limits(b)}
        if not ends:
            of_block = warps_of_unknown_block() if warps is None else Number(warps)
            if self._all_blocks is not None:
                total = self._factor(self._all_blocks, _SUMMED)
                return [total, self._factor(of_block, "warps of a block")]
            return [
                self._factor(blocks(self._grid, self._shape), "blocks"),
                self._factor(of_block, "warps of a block"),
            ]
        sizes = [ends.get(axis) or threads(self._grid, self._shape, axis) for axis in range(3)]
        lanes = Number(float(WARP_SIZE))
        if self._shape is not None and warps:
            lanes = Number(math.prod(self._shape) / warps)
        return [self._factor(quotient(product(*sizes), lanes), "warps")]

    def _limits(self, bound: Bound) -> bool:
        """Whether a bound says more than the grid."""
        size = self._grid[bound.axis]
        if size is None or self._shape is None:
            return True
        return isinstance(bound.end, Number) and bound.end.value < size * self._shape[bound.axis]

    def loop(self, header: int) -> Factor:
        """How often a loop runs each time it is come to."""
        found = self._loops.get(header)
        if found is None:
            found = self._loops[header] = self._count_trips(header)
        return found

    def _count_trips(self, header: int) -> Factor:
        trips = self._trips.of(header)
        what = f"loop over `{trips.counter}`" if trips.counter else "loop"
        found = None if trips.count is None else self._factor(trips.count, what)
        data = trips.count is not None and any(name.loaded for name in names(trips.count))
        if found is None or (data and found.value <= 1.0):
            number = defaults.trips(self._structure.loops[header].depth)
            return Factor(number_text(number), number, Basis.ASSUMED, what)
        return found

    def _factor(self, amount: Amount, what: str) -> Factor:
        value = evaluate(amount, self._assumed)
        taken = {n.text: n.default for n in names(amount) if n.text not in self._assumed}
        basis = Basis.SYMBOLIC if any(True for _ in names(amount)) else Basis.EXACT
        value = amount.value if isinstance(amount, Number) else max(value, 1.0)
        said = text(amount)
        plain = said.replace("_", "").replace(".", "").isalnum() or isinstance(amount, Steps)
        said = said if plain or basis is Basis.EXACT else f"({said})"
        return Factor(said, round(value, 3), basis, what, tuple(taken.items()))


def requests(site: Site) -> int:
    """Requests that an access takes each time: a copy of memory of known length has several."""
    i = site.instruction
    if not isinstance(i, MemoryCopy | MemoryFill) or not isinstance(i.length, IntConst):
        return 1
    return max(1, -(-i.length.value // max(1, site.bytes)))


def _place(function: Function, loop: Loop) -> Location | None:
    """Of a loop's test, else of what is first in it."""
    leaving = sorted({source for source, _ in loop.exits}, key=lambda b: b != loop.header)
    tests = (function.blocks[block].terminator.location for block in leaving)
    first = (i.location for i in function.blocks[loop.header].instructions)
    return next((place for place in (*tests, *first) if place is not None), None)


def structural_cost(
    function: Function,
    structure: Structure,
    definitions: Definitions,
    sites: Sequence[Site],
    launches: Sequence[LaunchSite],
    assumed: Mapping[str, float],
) -> CostModel:
    """The model for a domain that knows no lanes: loops and branches by the code alone."""
    facts = Facts(
        known=lambda _operand: None,
        kinds=lambda _block: Kind.BOUNDS,
        warps=lambda _block: None,
        axis=lambda _operand: None,
        reach=lambda _site: None,
    )
    return CostModel(function, structure, definitions, sites, facts, None, launches, None, assumed)
