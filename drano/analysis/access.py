"""From judgements of sites to accesses in the user's terms: one per site and call path."""

from __future__ import annotations

from drano.analysis.expressions import access_expression
from drano.analysis.judgement import Judgement
from drano.analysis.sites import Site
from drano.finding import Access, Launch
from drano.ir.model import Function, Load, PointerType
from drano.ir.system import user_location
from drano.span import Location, Span


def make_access(
    function: Function, site: Site, judgement: Judgement, launch: Launch | None
) -> Access:
    """The access of one site of ``function``."""
    place = site.location or function.location or Location(Span("", 0, 0), function.display)
    location = user_location(place)
    instruction = site.instruction
    found = access_expression(
        location.span,
        site.kind,
        called=location is not place,
        pointer=isinstance(instruction, Load) and isinstance(instruction.type, PointerType),
    )
    return Access(
        location=location,
        start_column=found.start,
        end_column=found.end,
        kernel=function.display,
        kernel_symbol=function.name,
        ordinal=site.ordinal,
        kind=site.kind,
        space=judgement.space,
        bytes=site.bytes,
        verdict=judgement.verdict,
        reason=judgement.reason,
        value=judgement.value,
        pattern=judgement.pattern,
        index_text=found.text,
        stride=judgement.stride,
        lines=judgement.lines,
        sectors=judgement.sectors,
        lanes=judgement.lanes,
        launch=launch,
        active=judgement.active,
        fix=judgement.fix,
        array=judgement.array,
        address=judgement.address,
        derivation=judgement.derivation,
    )
