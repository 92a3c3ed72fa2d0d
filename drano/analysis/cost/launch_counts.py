"""How often the host launches a kernel: from the loops of host code around each launch.

A loop counts as often as its head says, in the names of the host code; of one that says nothing a
default is taken, and said. Launches that share out one grid until it is used up count as one.
Assumption: of the ways by which host code comes to one launch each is taken once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.cost import defaults
from drano.analysis.cost.amounts import (
    Amount,
    Name,
    Number,
    difference,
    product,
    quotient,
    text,
    total,
)
from drano.analysis.cost.grids import blocks_of
from drano.analysis.cost.trip_counts import Counter, trips
from drano.model.access import LoopScope
from drano.model.span import Location, Span
from drano.model.translation_unit import HostAmount, HostLoop, LaunchSite

_NOWHERE: Final = Span("", 0, 0)


class Repeat(Struct, frozen=True):
    """A loop around launches, and how often it runs each time it is come to."""

    loop: HostLoop
    count: Amount
    assumed: bool

    @property
    def what(self) -> str:
        """What it is, for people."""
        counter = f" over `{self.loop.counter}`" if self.loop.counter else ""
        return f"host loop{counter}"


def repeats(loops: Sequence[HostLoop]) -> tuple[Repeat, ...]:
    """Of the loops around a launch, outermost first; those that count once left out."""
    found = (_repeat(loop, depth) for depth, loop in enumerate(loops, 1) if not loop.spent)
    return tuple(each for each in found if each.count != Number(1.0))


def _repeat(loop: HostLoop, depth: int) -> Repeat:
    count: Amount | None = None
    if loop.relation:
        counter = Counter(_amount(loop.first), loop.op, _amount(loop.step))
        count = trips(counter, loop.relation, _amount(loop.end))
    if count is None:
        return Repeat(loop, Number(defaults.trips(depth)), assumed=True)
    return Repeat(loop, count, assumed=False)


def _amount(host: HostAmount) -> Amount:
    match host:
        case int():
            return Number(float(host))
        case str():
            return Name(host, defaults.HOST)
        case (op, left, right):
            one, other = _amount(left), _amount(right)
            if op == "*":
                return product(one, other)
            if op == "/":
                return quotient(one, other)
            return difference(one, other if op == "-" else product(Number(-1.0), other))
        case _:
            assert_never(host)


class Host:
    """The launches of one kernel. ``common``: the loops around all of them, where each has the same
    ones; ``launches``: how many there are, but for these loops; ``assumed``: by a default.

    One counts for each place and for the loops by which host code comes there: a template's launch
    is seen once for each of its instances.
    """

    def __init__(self, sites: Sequence[LaunchSite]) -> None:
        self._ways = {(site.span, site.loops): site for site in sites}
        nests = {loops for _, loops in self._ways}
        self.common = repeats(nests.pop()) if len(nests) == 1 else ()
        self._own = {way: () if self.common else repeats(way[1]) for way in self._ways}
        self.assumed = any(each.assumed for own in self._own.values() for each in own)
        self.launches = _total([_times(own) for own in self._own.values()] or [Number(1.0)])

    def blocks(self) -> Amount | None:
        """Blocks of all launches together, but for the common loops; None: not all are known."""
        counts: list[Amount] = []
        for way, site in self._ways.items():
            found = blocks_of(site)
            if found is None:
                return None
            counts.append(product(Number(float(found)), _times(self._own[way])))
        return _total(counts) if counts else None


def _times(own: Iterable[Repeat]) -> Amount:
    return product(*(each.count for each in own))


def _total(counts: Sequence[Amount]) -> Amount:
    known = sum(count.value for count in counts if isinstance(count, Number))
    return total([count for count in counts if not isinstance(count, Number)], known)


def host_nest(site: LaunchSite) -> tuple[LoopScope, ...]:
    """The host's loops around a launch that count, outermost first, for people."""
    return tuple(
        LoopScope(each.loop.counter, text(each.count), Location(each.loop.span, ""))
        for each in repeats(site.loops)
    )


def without_places(sites: Sequence[LaunchSite]) -> list[tuple[object, ...]]:
    """The loops around launches but for their lines, which edits move: the same loop is the same
    number.
    """
    numbers: dict[Span, int] = {}
    return [
        tuple(
            (numbers.setdefault(loop.span, len(numbers)), replace(loop, span=_NOWHERE))
            for loop in site.loops
        )
        for site in sites
    ]
