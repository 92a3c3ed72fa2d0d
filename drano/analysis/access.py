"""From judgements of sites to accesses in the user's terms: one per site and call path."""

from __future__ import annotations

from msgspec import Struct

from drano.analysis.access_sites import Site
from drano.analysis.explain.source_expressions import Expression, access_expression
from drano.ir.model import Function, Load, PointerType
from drano.model.access import Access, Cost, Launch, LoopScope
from drano.model.judgement import Judgement
from drano.model.span import Location, Span
from drano.model.system_headers import user_location


class Place(Struct, frozen=True):
    """Where an access is: the compiler's place, in the user's own code, and the expression."""

    location: Location
    expression: Expression


def place_of(function: Function, site: Site) -> Place:
    """The place of one site of ``function``."""
    exact = site.location or function.location or Location(Span("", 0, 0), function.display)
    location = user_location(exact)
    instruction = site.instruction
    expression = access_expression(
        location.span,
        site.kind,
        called=location is not exact,
        pointer=isinstance(instruction, Load) and isinstance(instruction.type, PointerType),
    )
    return Place(location, expression)


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
