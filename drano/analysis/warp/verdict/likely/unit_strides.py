"""Strides that are likely 1: the last one of a tensor that PyTorch hands to a kernel.

A kernel gets a tensor as an object that holds the strides of all dimensions, so that an index costs
a multiplication with an unknown number in the last one, too. Programs hand over contiguous tensors
as a rule, whose last stride is 1 (``torch.Tensor.stride``): the verdict is that of such a tensor,
on the condition that it is one. The bounds hold for any tensor.

Means: the members of by-value parameters by debug information, ``x.strides_[2]``. Only where such a
number stands between lanes is it taken for 1; what is assumed of its name (``--assume``) counts
before.
Assumptions: offsets do not overflow; they are computed in signed numbers, where that is undefined.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from drano.analysis.access_sites import Site
from drano.analysis.member_names import member_name
from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import ArrayType, StructType, Type
from drano.ir.type_layout import alloc_size
from drano.lattice import Atom, Form, Warp, is_warp_uniform
from drano.lattice.warp.substitution import substitute
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import CountRange, Judgement, Verdict
from drano.traffic.warp_counts import Width, most_of_lane

_ACCESSOR = "TensorAccessor"
_STRIDES = "strides_"
_MOST_DEPTH = 8
_MOST_MEMBERS = 256


def side_by_side(run: WarpState, address: Form) -> tuple[Form, tuple[str, ...]]:
    """An address with strides between lanes that are likely 1 as such, and their names."""
    strides = _between_lanes(run, address)
    said = dict(run.options.assume)
    for atom in strides:
        address = substitute(run.warp, address, atom.number, int(said.get(atom.name, 1)))
    for number in {n for monomial, _ in address.terms for n in monomial}:
        wrapped = run.warp.atoms[number].wrapped
        if wrapped is not None and any(_holds(wrapped, atom) for atom in strides):
            address = substitute(run.warp, address, number, 0)
    return address, tuple(atom.name for atom in strides if atom.name not in said)


def for_any_stride(run: WarpState, site: Site, judgement: Judgement) -> Judgement:
    """The judgement with what it takes for 1 as its condition, and with bounds for any stride."""
    names = run.unit_strides.get(site.ordinal, ())
    if not names:
        return judgement
    decided = judgement.verdict is not Verdict.UNKNOWN
    needed = [f"{name} == 1" for name in dict.fromkeys(names) if decided]
    return replace(
        judgement,
        condition=" and ".join(filter(None, (judgement.condition, *needed))),
        sectors=_any_number(judgement.sectors, site),
        lines=_any_number(judgement.lines, site),
    )


def _any_number(counted: CountRange | None, site: Site) -> CountRange | None:
    if counted is None:
        return None
    natural = site.bytes & -site.bytes
    width = Width(site.bytes, min(natural, site.align or natural))
    return replace(counted, minimum=1, maximum=WARP_SIZE * most_of_lane(width))


def _between_lanes(run: WarpState, address: Form) -> list[Atom]:
    warp = run.warp
    found: dict[int, Atom] = {}
    for monomial, coefficient in address.terms:
        if is_warp_uniform(coefficient) and not _differs(warp, monomial):
            continue
        found |= {
            number: warp.atoms[number]
            for number in monomial
            if not warp.atoms[number].varying and warp.atoms[number].name in _unit_strides(run)
        }
    return list(found.values())


def _differs(warp: Warp, monomial: tuple[int, ...]) -> bool:
    return any(warp.atoms[number].varying for number in monomial)


def _holds(value: Form, atom: Atom) -> bool:
    return any(atom.number in monomial for monomial, _ in value.terms)


def _unit_strides(run: WarpState) -> frozenset[str]:
    """Names of the last strides of all tensors that the function is given."""
    if run.last_strides is None:
        structs = run.module.structs
        run.last_strides = frozenset(
            f"{argument.name}{member}"
            for argument in run.function.args
            if argument.byval_type is not None and argument.name
            for offset, size in _last_strides(run, argument.byval_type, 0, 0)
            if (member := member_name(structs, argument.byval_type, offset, size))
        )
    return run.last_strides


def _last_strides(
    run: WarpState, type_: Type, offset: int, depth: int
) -> Iterator[tuple[int, int]]:
    """Where they are in an object of a type, and of how many bytes."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(type_, ArrayType):
        size = alloc_size(type_.element)
        for number in range(min(type_.count, _MOST_MEMBERS)):
            yield from _last_strides(run, type_.element, offset + number * size, depth + 1)
    if not isinstance(type_, StructType):
        return
    info = run.module.structs.get(type_.name)
    names = info.fields if info is not None else ()
    for number, (start, element) in enumerate(zip(type_.offsets, type_.elements, strict=True)):
        own = _ACCESSOR in type_.name and names[number : number + 1] == (_STRIDES,)
        if own and isinstance(element, ArrayType) and element.count:
            size = alloc_size(element.element)
            yield offset + start + (element.count - 1) * size, size
        else:
            yield from _last_strides(run, element, offset + start, depth + 1)
