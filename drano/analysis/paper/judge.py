"""The paper's criterion, site by site: what is flagged, and why.

An access is uncoalesced when several threads may make it (active set ⊤) and its index is ⊤, or ±1
with elements wider than 4 bytes. Everything else is coalesced: this domain has no third answer.
Spaces other than global are judged alike; rules look at global memory only.
"""

from __future__ import annotations

from drano.analysis.access_sites import Site
from drano.analysis.paper import values
from drano.analysis.paper.interpreter import PaperInterpreter
from drano.analysis.paper.reasons import Cause, array_name, cause_of
from drano.analysis.paper.values import Reference
from drano.analysis.spaces import pointed_space, reported_space
from drano.lattice.memory_space import MemSpace
from drano.lattice.paper import values as paper
from drano.lattice.paper.multiplier import TOP, ZERO
from drano.lattice.paper.predicate import ActiveSet
from drano.model.judgement import Active, Judgement, Pattern, Space, Verdict


def judge(run: PaperInterpreter, site: Site) -> Judgement | None:
    """The answer for one site; None when no thread reaches it."""
    active = run.masks[site.block]
    address = run.value(site.pointer, site.block)
    if active is None or address is None:
        return None
    if not isinstance(address, Reference):
        address = values.UNKNOWN_REFERENCE
    bad = active is ActiveSet.TOP and paper.is_wide_stride(address.address, address.element)
    cause = _explain(run, site, address, active)
    return Judgement(
        space=_space(site, address),
        verdict=Verdict.UNCOALESCED if bad else Verdict.COALESCED,
        pattern=cause.pattern,
        reason=cause.text,
        says_stride=cause.says_stride,
        value=_text(address),
        active=Active.ANY if active is ActiveSet.TOP else Active.SINGLE_THREAD,
        stride=_bytes(address.element) if address.element else "",
        array=array_name(run, site.pointer),
    )


def _space(site: Site, address: Reference) -> Space:
    static = pointed_space(site.static_space)
    known = address.space if static is MemSpace.GENERIC else static
    return reported_space(str(known))


def _text(address: Reference) -> str:
    """The paper's index, with what an element is: ``1 (elements of 8 bytes)``."""
    if not address.element:
        return str(address.address)
    return f"{address.address} (elements of {_bytes(address.element)})"


def _bytes(count: int) -> str:
    return f"{count} byte" if count == 1 else f"{count} bytes"


def _explain(run: PaperInterpreter, site: Site, address: Reference, active: ActiveSet) -> Cause:
    if active is ActiveSet.FF_MINUS:
        return Cause(Pattern.SINGLE_THREAD, "at most one thread of a warp makes this access")
    if address.address is ZERO:
        return Cause(Pattern.UNIFORM, "the index is the same in all threads")
    if address.address is TOP:
        return cause_of(run, site.pointer, site.block)
    if not paper.is_wide_stride(address.address, address.element):
        return Cause(Pattern.CONTIGUOUS, "consecutive threads access consecutive elements")
    size = _bytes(address.element)
    if address.element == site.bytes:
        reason = f"consecutive threads access elements of {size}"
        return Cause(Pattern.WIDE, reason, says_stride=True)
    reason = f"consecutive threads access places {size} apart"
    return Cause(Pattern.STRIDED, reason, says_stride=True)
