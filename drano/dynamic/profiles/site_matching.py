"""Which measured site an access of the analysis is.

It has the same kernel, ordinal, line and column. Ordinals count all accesses of a kernel, and a run
may see others than the analysis (it has cooperative groups of its own). An access whose ordinal
belongs to another is the site of its kind, size and place, calls included, if both sides have as
many there; these are then taken in order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TypeAlias

from drano.dynamic.profiles.profile import Site
from drano.model.access import Access

_Place: TypeAlias = tuple[str, str, int, tuple[tuple[int, int], ...]]


def sites_of(accesses: Iterable[Access], sites: Iterable[Site]) -> Callable[[Access], Site | None]:
    """The site of each of the accesses; None where there is none, or no telling which."""
    exact: dict[tuple[str, int | None, int, int], Site] = {}
    measured: dict[_Place, dict[int, Site]] = defaultdict(dict)
    for site in sites:
        exact[site.kernel, site.ordinal, site.line, site.column] = site
        if site.ordinal is not None:
            calls = tuple((call.line, call.column) for call in site.inlined_at)
            places = ((site.line, site.column), *calls)
            measured[site.kernel, site.kind, site.bytes, places][site.ordinal] = site
    ours: dict[_Place, set[int]] = defaultdict(set)
    for access in accesses:
        ours[_place(access)].add(access.ordinal)

    def found(access: Access) -> Site | None:
        span = access.location.span
        site = exact.get((access.kernel_symbol, access.ordinal, span.line, span.column))
        if site is not None:
            return site
        place = _place(access)
        theirs, numbers = measured.get(place, {}), sorted(ours.get(place, ()))
        if len(theirs) != len(numbers):
            return None
        return theirs[sorted(theirs)[numbers.index(access.ordinal)]]

    return found


def _place(access: Access) -> _Place:
    location = access.location
    spans = (location.span, *(frame.span for frame in location.inlined_at))
    places = tuple((span.line, span.column) for span in spans)
    return access.kernel_symbol, str(access.kind), access.bytes, places
