"""Where the lanes of a warp are, for counting what their requests touch.

An address is taken apart into offsets per lane that are known, and *groups* of lanes that share one
unknown part: two lanes of a group are a known distance apart, two groups an unknown one. What
cannot be taken apart so is named: atoms that differ from lane to lane.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct

from drano.lattice import congruence as congruences
from drano.lattice.congruence import Congruence
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Cause, Form, Monomial, Term
from drano.lattice.warp.lanes import Array, Coefficient, LaneOverflowError, is_warp_uniform
from drano.lattice.warp.substitution import without_void_choices
from drano.model.hardware import LINE_BYTES

Wraps: TypeAlias = tuple[Form, ...]

_MAX_SPAN = 1 << 12


class Cloud(Struct, frozen=True):
    """Addresses per (warp, lane): offsets, the group of each lane, and each group's residue."""

    offsets: Array
    groups: Array
    residues: dict[int, Congruence]


class Address(Struct, frozen=True):
    """An address without void choices. ``plain``: without wrap-around atoms; ``wraps``: what wraps;
    ``unknown``: the hopeless atoms; ``uniform, per_lane``: see ``choices``, of ``plain``;
    ``steps``: atoms of ``plain`` that runs of lanes have in common; ``turns``: see ``_Dropped``.
    """

    whole: Form
    plain: Form
    wraps: Wraps
    unknown: tuple[Atom, ...]
    uniform: tuple[Atom, ...]
    per_lane: tuple[Atom, ...]
    steps: tuple[Atom, ...]
    turns: Mapping[int, int]


def taken_apart(warp: Warp, address: Form) -> Address:
    """What there is to count of an address; remembered, of interpretations that have ended."""
    key = ("address", warp.version, address.bits, address.terms, address.const, address.lo,
           address.hi)  # fmt: skip
    found = warp.traffic_memo.get(key)
    if not isinstance(found, Address):
        whole = without_void_choices(warp, address)
        plain, wraps, unknown, turns = drop_unknown(warp, whole)
        uniform, per_lane = choices(warp, plain)
        steps = stepping(warp, plain)
        found = Address(whole, plain, wraps, unknown, tuple(uniform), tuple(per_lane), steps, turns)
        warp.traffic_memo[key] = found
    return found


class _Dropped(NamedTuple):
    """``address`` without wrap-around atoms, what ``wraps``, the hopeless atoms; ``turns``: the
    wrap-arounds that not all lanes add alike, and the uniform numbers that stand for them.
    """

    address: Form
    wraps: Wraps
    unknown: tuple[Atom, ...]
    turns: Mapping[int, int]


def drop_unknown(warp: Warp, address: Form) -> _Dropped:
    """What there is to count of an address, and what there is not."""
    wrapping = _far_wraps(warp, address)
    turns = {
        number: _turns(warp, number)
        for number in wrapping
        if any(len(m) > 1 or not isinstance(c, int) for m, c in address.terms if number in m)
    }
    terms: dict[Monomial, Coefficient] = {}
    unknown: dict[int, Atom] = {}
    for monomial, coefficient in with_turns(address.terms, turns):
        if any(n in wrapping for n in monomial):
            continue
        terms[monomial] = coefficient
        for atom in (warp.atoms[n] for n in monomial if warp.atoms[n].varying):
            if not _is_choice(atom) and atom.steps is None:
                unknown[atom.number] = atom
    plain = warp.build(address.bits, terms, address.const)
    return _Dropped(plain, tuple(wrapping.values()), tuple(unknown.values()), turns)


def with_turns(terms: Iterable[Term], turns: Mapping[int, int]) -> Iterator[Term]:
    """Terms with the numbers that stand for wrap-arounds in their place."""
    for monomial, coefficient in terms:
        yield tuple(sorted(turns.get(n, n) for n in monomial)), coefficient


def _turns(warp: Warp, number: int) -> int:
    """A number for how often an index has wrapped around, the same for all lanes: they part in two,
    which ``Address.wraps`` accounts for.
    """
    atom = warp.atoms[number]
    alike = warp.atom(
        ("turns", number), 64, atom.name, Cause.WRAP, varying=False, bounds=(atom.lo, atom.hi)
    )
    return alike.terms[0][0][0]


def _is_choice(atom: Atom) -> bool:
    return atom.cause is Cause.CHOICE and (atom.lo, atom.hi) == (0, 1)


def _far_wraps(warp: Warp, address: Form) -> dict[int, Form]:
    """What wraps around, by the wrap-around's atom, where that parts the lanes of a group in two,
    by whole lines and far enough that what did not meet before does not meet then; where only some
    lanes add it, too.
    """
    found: dict[int, Form] = {}
    for monomial, _ in address.terms:
        for number in monomial:
            wrapped = warp.atoms[number].wrapped
            if wrapped is not None and warp.atoms[number].varying and number not in found:
                beside = [(m, c) for m, c in address.terms if number in m]
                if _apart(warp, address, number, wrapped, beside):
                    found[number] = wrapped
    return found


def _apart(
    warp: Warp,
    address: Form,
    number: int,
    wrapped: Form,
    beside: Sequence[tuple[tuple[int, ...], Coefficient]],
) -> bool:
    if warp.varying_atoms(wrapped) or spread(warp, wrapped.const) >= 1 << wrapped.bits:
        return False
    unit = 0
    for monomial, coefficient in beside:
        others = [warp.atoms[n] for n in monomial if n != number]
        if monomial.count(number) != 1 or not all(map(_is_choice, others)):
            return False
        for each in np.unique(warp.space.array(coefficient)).tolist():
            unit = gcd(unit, each)
    reach = spread(warp, address.const) + 2 * LINE_BYTES
    for monomial, coefficient in address.terms:
        if all(_is_choice(warp.atoms[n]) for n in monomial):
            reach += spread(warp, coefficient)
    return unit % LINE_BYTES == 0 and reach <= unit


def spread(warp: Warp, const: Coefficient) -> int:
    """Greatest distance of two lanes of one warp."""
    data = warp.space.array(const)
    return int((data.max(axis=1) - data.min(axis=1)).max())


def choices(warp: Warp, address: Form) -> tuple[list[Atom], list[Atom]]:
    """0/1 unknowns that decide the lanes' pattern: of the whole warp, and of each lane."""
    uniform: dict[int, Atom] = {}
    per_lane: dict[int, Atom] = {}
    for monomial, coefficient in address.terms:
        for number in monomial:
            atom = warp.atoms[number]
            if atom.varying:
                if atom.steps is None:
                    per_lane[number] = atom
            elif atom.lo == 0 and atom.hi == 1 and not is_warp_uniform(coefficient):
                uniform[number] = atom
    return list(uniform.values()), list(per_lane.values())


def stepping(warp: Warp, address: Form) -> tuple[Atom, ...]:
    """The atoms that runs of lanes have in common."""
    numbers = dict.fromkeys(number for monomial, _ in address.terms for number in monomial)
    return tuple(warp.atoms[n] for n in numbers if warp.atoms[n].steps is not None)


def span(warp: Warp, address: Form, size: int) -> int | None:
    """Bytes between the least and the greatest address of a warp, when bounded and small."""
    low, high, address = _without_remainders(warp, address)
    for monomial, coefficient in address.terms:
        if not warp.varying_monomial(monomial):
            if is_warp_uniform(coefficient):
                continue
            return None
        bottom, top = warp.monomial_range(monomial)
        factors = (coefficient,) if isinstance(coefficient, int) else (
            int(coefficient.lo), int(coefficient.hi)
        )  # fmt: skip
        corners = [f * b for f in factors for b in (bottom, top)]
        low, high = low + min(corners), high + max(corners)
        if high - low > _MAX_SPAN:
            return None
    return high - low + spread(warp, address.const) + size


def _without_remainders(warp: Warp, address: Form) -> tuple[int, int, Form]:
    """The bounds of remainders in an address, and what else is in it: in ``4*(i + lane - 8*q)``,
    of the quotient ``q``, -28 to 28 and nothing.
    """
    low = high = 0
    for monomial, coefficient in address.terms:
        rest = warp.divisions.remainder_with(monomial)
        if rest is None or not isinstance(coefficient, int):
            continue
        part = dict(rest.terms).get(monomial)
        if not isinstance(part, int) or coefficient % part:
            continue
        times = coefficient // part
        whole = Form(address.bits, rest.terms, rest.const, rest.lo, rest.hi)
        try:
            left = warp.sub(address, warp.scale(whole, times))
        except LaneOverflowError:
            continue
        if len(left.terms) < len(address.terms):
            low, high = (
                low + min(times * rest.lo, times * rest.hi),
                high + max(times * rest.lo, times * rest.hi),
            )
            address = left
    return low, high, address


def make_cloud(
    warp: Warp,
    address: Form,
    keys: dict[tuple[tuple[tuple[int, ...], int], ...], int],
    residues: dict[int, Congruence],
    likely: bool,
) -> Cloud:
    """Split an address into known offsets per lane and groups of lanes with one unknown part."""
    space = warp.space
    offsets = space.array(address.const)
    plain = [(m, c) for m, c in address.terms if isinstance(c, int)]
    vectors = [(m, c) for m, c in address.terms if not isinstance(c, int)]
    base = warp.congruence(plain, likely=likely)
    base_key = tuple((m, c) for m, c in plain if isinstance(c, int))
    if not vectors:
        number = keys.setdefault(base_key, len(keys))
        residues[number] = base
        return Cloud(offsets, np.full(space.shape, number, dtype=np.int64), residues)
    stacked = np.stack([space.array(c) for _, c in vectors], axis=-1)
    flat = stacked.reshape(-1, len(vectors))
    rows, inverse = np.unique(flat, axis=0, return_inverse=True)
    numbers = []
    for row in rows.tolist():
        part = [(m, int(c)) for (m, _), c in zip(vectors, row, strict=True) if c]
        key = (*base_key, *part)
        key = tuple(sorted(key))
        number = keys.setdefault(key, len(keys))
        residues[number] = congruences.add(base, warp.congruence(part, likely=likely))
        numbers.append(number)
    groups = np.array(numbers, dtype=np.int64)[inverse.reshape(-1)].reshape(space.shape)
    return Cloud(offsets, groups, residues)
