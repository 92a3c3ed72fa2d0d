"""What a verdict holds for: unknown sizes by which indices are divided.

``a[i / n * pitch + i % n]`` is coalesced if a row is at least as long as a warp is wide; if rows
have one element, each lane has a row of its own. So the verdict says ``n >= 32``, and the bounds
hold for any ``n``. Where short runs of lanes start at multiples of a row's pitch, each may cost a
sector more than it needs: ``n % 8 == 0``. What the user assumes of a name decides its condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import gcd
from typing import assert_never

from drano.lattice import Cause, Coefficient, Form, Predicate, Shape, Warp
from drano.model.hardware import SECTOR_BYTES, UNCOALESCED_FROM
from drano.model.judgement import Verdict
from drano.traffic.needs import AtLeast, MultipleOf, Need
from drano.traffic.segments import MOST_BREAKS, cuts_of
from drano.traffic.tallies import Traffic


def open_needs(verdict: Verdict, traffic: Traffic) -> tuple[Need, ...]:
    """What the verdict rests on, beyond what holds for all sizes."""
    ideal = max(traffic.ideal_sectors, 1)
    if verdict is Verdict.COALESCED and traffic.sectors.most < ideal * UNCOALESCED_FROM:
        return ()
    if verdict is Verdict.UNCOALESCED and traffic.sectors.least >= ideal * UNCOALESCED_FROM:
        return ()
    return () if verdict is Verdict.UNKNOWN else traffic.needs


def start_needs(warp: Warp, address: Form) -> tuple[MultipleOf, ...]:
    """What makes all runs start where they do if sizes are whole numbers of sectors; () where the
    address has more than sizes that may move them. For floats ``p[y * w + x]``: ``w % 8 == 0``.
    """
    moduli: dict[int, int] = {}
    for monomial, coefficient in sorted(address.terms, key=lambda term: len(term[0])):
        atoms = [warp.atoms[number] for number in monomial]
        step = _divisor(coefficient)
        for atom in atoms:
            step *= moduli.get(atom.number) or gcd(atom.modulus, atom.residue)
        if step % SECTOR_BYTES == 0:
            continue
        sizes = [a for a in atoms if a.cause is Cause.PARAMETER and a.residue % a.modulus == 0]
        if not sizes or any(atom.varying for atom in atoms):
            return ()
        own = sizes[-1]
        known = moduli.get(own.number) or own.modulus
        moduli[own.number] = SECTOR_BYTES // gcd(SECTOR_BYTES, step) * known
    return tuple(
        MultipleOf(warp.build(address.bits, {(number,): 1}, 0), modulus)
        for number, modulus in moduli.items()
    )


def _divisor(coefficient: Coefficient) -> int:
    """Of what each lane has."""
    if isinstance(coefficient, int):
        return abs(coefficient)
    return gcd(*map(int, set(coefficient.data.flat)))


def in_few_runs(warp: Warp, mask: Predicate) -> tuple[Predicate, tuple[Need, ...]]:
    """A mask whose lanes are cut at quotients, as one that bounds choose, and the sizes that make
    it a few runs of lanes; the mask itself where there are none.
    """
    if mask.shape is not Shape.OTHER or not mask.cut:
        return mask, ()
    cuts = cuts_of(warp, [warp.atoms[number] for number in sorted(mask.cut)])
    if cuts is None or cuts.typical > MOST_BREAKS:
        return mask, ()
    return replace(mask, shape=Shape.AFFINE), cuts.needs


def decided(
    warp: Warp, needs: tuple[Need, ...], assumed: Mapping[str, float]
) -> tuple[tuple[Need, ...], str]:
    """The needs that are left, given what names are assumed to be; and where one is not met, what
    is wrong with it, or "".
    """
    left = []
    for need in needs:
        value = _value(warp, need.form, assumed)
        if value is None:
            left.append(need)
            continue
        wrong = _shortcoming(need, value)
        if wrong:
            return (), f"`{warp.describe(need.form)}` is assumed to be {value:g}, {wrong}"
    return tuple(left), ""


def _shortcoming(need: Need, value: float) -> str:
    """What is wrong with a number, or ""."""
    match need:
        case AtLeast():
            return f"less than {need.least}" if abs(value) < need.least else ""
        case MultipleOf():
            return f"no multiple of {need.modulus}" if value % need.modulus else ""
        case other:
            assert_never(other)


def _value(warp: Warp, form: Form, assumed: Mapping[str, float]) -> float | None:
    """What a sum of names is, where all of them are assumed."""
    total = 0.0
    for monomial, coefficient in (*form.terms, ((), form.const)):
        if not isinstance(coefficient, int):
            return None
        product = float(coefficient)
        for number in monomial:
            factor = assumed.get(warp.atoms[number].name)
            if factor is None:
                return None
            product *= factor
        total += product
    return total


def condition_text(warp: Warp, needs: tuple[Need, ...]) -> str:
    """As in ``w >= 32 and stride % 32 == 0``; "" where there is none."""
    return " and ".join(_text(warp, need) for need in needs)


def _text(warp: Warp, need: Need) -> str:
    size = warp.describe(need.form)
    match need:
        case AtLeast():
            return f"{size} >= {need.least}"
        case MultipleOf():
            whole = f"({size})" if " " in size else size
            return f"{whole} % {need.modulus} == 0"
        case other:
            assert_never(other)
