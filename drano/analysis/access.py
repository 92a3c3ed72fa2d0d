"""From judgements of sites to accesses in the user's terms: one per site and call path."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from drano.analysis.access_sites import Site
from drano.analysis.explain.source_expressions import Expression, access_expression
from drano.analysis.spaces import reported_space
from drano.ir.model import Function, Load, PointerType
from drano.ir.target import SPACES
from drano.model.access import Access, Cost, Launch, LoopScope
from drano.model.hardware import LINE_BYTES, SECTOR_BYTES, WARP_SIZE
from drano.model.judgement import Active, CountRange, Judgement, Pattern, Verdict
from drano.model.span import Location, Span
from drano.model.system_headers import user_location

Hidden: TypeAlias = Callable[[Location], bool]
"""Whether nobody is told of what is somewhere."""


def nothing_hidden(_: Location) -> bool:
    """Somebody is told of everything."""
    return False


class Place(Struct, frozen=True):
    """Where an access is: the compiler's place, in the user's own code, and the expression."""

    location: Location
    expression: Expression


def place_of(function: Function, site: Site) -> Place:
    """The place of one site of ``function``."""
    exact = _exact(function, site)
    location = user_location(exact)
    instruction = site.instruction
    expression = access_expression(
        location.span,
        site.kind,
        called=location is not exact,
        pointer=isinstance(instruction, Load) and isinstance(instruction.type, PointerType),
    )
    return Place(location, expression)


def location_of(function: Function, site: Site) -> Location:
    """Where one site of ``function`` is: of its place, what takes no reading of the source."""
    return user_location(_exact(function, site))


def _exact(function: Function, site: Site) -> Location:
    return site.location or function.location or Location(Span("", 0, 0), function.display)


def unjudged_access(function: Function, site: Site) -> Access:
    """The access of a site of which nobody is told: as if it were coalesced."""
    location = location_of(function, site)
    column = location.span.column
    place = Place(location, Expression("", column, column))
    return make_access(function, site, place, as_if_coalesced(site), None)


def as_if_coalesced(site: Site) -> Judgement:
    """What is counted for a site that nobody is told of."""
    bytes_ = max(site.bytes, 1) * WARP_SIZE
    space = reported_space(SPACES.get(site.static_space) or "generic")
    return Judgement(
        space, Verdict.COALESCED, Pattern.CONTIGUOUS, "not judged", "not computed", Active.UNKNOWN,
        lines=_always(-(-bytes_ // LINE_BYTES)), sectors=_always(-(-bytes_ // SECTOR_BYTES)),
    )  # fmt: skip


def _always(count: int) -> CountRange:
    return CountRange(count, count, count, count)


def make_access(
    function: Function,
    site: Site,
    place: Place,
    judgement: Judgement,
    launch: Launch | None,
    cost: Cost | None = None,
    nest: tuple[LoopScope, ...] = (),
) -> Access:
    """The access of one site of ``function``."""
    return Access(
        location=place.location,
        start_column=place.expression.start,
        end_column=place.expression.end,
        kernel=function.display,
        kernel_symbol=function.name,
        ordinal=site.ordinal,
        kind=site.kind,
        bytes=site.bytes,
        judgement=judgement,
        index_text=place.expression.text,
        launch=launch,
        cost=cost,
        nest=nest,
    )
