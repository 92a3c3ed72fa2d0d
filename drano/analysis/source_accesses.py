"""Which accesses of the source the requests of compiled code come from, and which have none left.

Means: the marks that each access had before it was optimised (``ir/prepare/source_marks.py``).
Limits: of a request that has lost its marks nothing is said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from drano.analysis.access_sites import Site
from drano.analysis.explain.source_expressions import access_expression
from drano.ir.model import Function
from drano.ir.prepare.widths.used_words import is_of_used_words
from drano.ir.written_access import WrittenAccess
from drano.model.access import AccessKind
from drano.model.source_access import Fate, Origin, RemovedAccess
from drano.model.span import Span
from drano.model.system_headers import user_location


def origins(
    function: Function, sites: Sequence[Site], loops: Callable[[int], int]
) -> dict[int, Origin]:
    """Where sites come from, by their ordinals. ``loops``: how many loops a block is in."""
    written = {site.ordinal: _written(function, site) for site in sites}
    requests: defaultdict[tuple[int, AccessKind], int] = defaultdict(int)
    for site in sites:  # a copy is one access of the source that loads and stores
        for access in written[site.ordinal]:
            requests[access.number, site.kind] += 1
    return {
        site.ordinal: _origin(site, written[site.ordinal], requests, loops(site.block))
        for site in sites
        if written[site.ordinal]
    }


def _written(function: Function, site: Site) -> list[WrittenAccess]:
    """The accesses whose work a site does, in program order."""
    found = {a.number: a for i in site.instructions for a in function.origins.get(i, ())}
    return [found[n] for n in sorted(found) if found[n].kind in (site.kind, AccessKind.OTHER)]


def _origin(
    site: Site,
    written: Sequence[WrittenAccess],
    requests: Mapping[tuple[int, AccessKind], int],
    loops: int,
) -> Origin:
    copies = max(requests[access.number, site.kind] for access in written)
    parts = tuple(dict.fromkeys(a.location.span for a in written if a.location is not None))
    size = max(access.bytes for access in written)
    left = max(0, min(access.loops for access in written) - loops)
    if size and site.bytes > size:
        fate = Fate.MERGED
    elif size and site.bytes < size:
        fate = Fate.PART if is_of_used_words(site.instruction.name) else Fate.SPLIT
    elif copies > 1:
        fate = Fate.COPIED
    elif len(written) > 1:
        fate = Fate.SHARED
    else:
        fate = Fate.MOVED if left else Fate.OWN
    return Origin(fate, copies, parts, size, left)


def removed_accesses(function: Function) -> tuple[RemovedAccess, ...]:
    """Accesses of the function of which nothing is left, one for each place and kind."""
    left = {
        (user_location(access.location).span, access.kind)
        for accesses in function.origins.values()
        for access in accesses
        if access.location is not None
    }
    found: dict[tuple[Span, AccessKind], RemovedAccess] = {}
    for access in function.removed:
        if access.location is None:
            continue
        location = user_location(access.location)
        key = location.span, access.kind
        if key in found or key in left:
            continue
        expression = access_expression(
            location.span, access.kind, called=location is not access.location
        )
        found[key] = RemovedAccess(
            location, expression.start, expression.end, function.display, function.name,
            str(access.kind), access.bytes, expression.text, access.private,
        )  # fmt: skip
    return tuple(found.values())
