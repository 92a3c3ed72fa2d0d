"""What a verdict holds for: unknown sizes by which indices are divided.

``a[i / n * pitch + i % n]`` is coalesced if a row is at least as long as a warp is wide; if rows
have one element, each lane has a row of its own. So the verdict says ``n >= 32``, and the bounds
hold for any ``n``. Where short runs of lanes start at multiples of a row's pitch, each may cost a
sector more than it needs: ``n % 8 == 0``. Where a whole warp chooses between ways in which its
lanes lie, it is the choice: ``transposed``. Where bounds leave a few lanes, a sector more than they
need is much: ``at least 25 lanes are active``. What the user assumes of a name decides its
condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import assert_never

from msgspec.structs import replace

from drano.lattice import Form, Predicate, Shape, Warp
from drano.lattice.warp import operations as ops
from drano.lattice.warp.operations.ways import choices_between_ways, chosen
from drano.model.hardware import SECTOR_BYTES, UNCOALESCED_FROM
from drano.model.judgement import (
    AWAY_FROM_BORDERS,
    UNKNOWN,
    CountRange,
    Judgement,
    Pattern,
    Verdict,
)
from drano.traffic.needs import (
    AtLeast,
    Holds,
    Inside,
    Lanes,
    MultipleOf,
    Need,
    Neighbours,
    Several,
    StartsInside,
)
from drano.traffic.segments import MOST_BREAKS, cuts_of
from drano.traffic.tallies import Traffic

_QUOTIENTS = ("quotient by ", "remainder by ")


def open_needs(verdict: Verdict, mask: Predicate, traffic: Traffic) -> tuple[Need, ...]:
    """What the verdict rests on, beyond what holds for all sizes and data."""
    ideal = max(traffic.ideal_sectors, 1)
    if verdict is Verdict.COALESCED and traffic.sectors.most < ideal * UNCOALESCED_FROM:
        return ()
    if verdict is Verdict.UNCOALESCED and traffic.sectors.least >= ideal * UNCOALESCED_FROM:
        return ()
    if verdict is Verdict.UNCOALESCED and mask.shape in {Shape.DATA, Shape.OTHER}:
        return (*traffic.needs, Several())
    return () if verdict is Verdict.UNKNOWN else traffic.needs


def enough_lanes(mask: Predicate, traffic: Traffic, size: int) -> tuple[Need, ...]:
    """How many lanes a coalesced access of ``size`` bytes takes where bounds choose which: fewer
    may touch as many sectors as all, but for the first or last of lanes side by side that fill
    their sectors.
    """
    if mask.shape not in {Shape.AFFINE, Shape.WITHIN} or not ops.has_lane(mask.lanes, 2):
        return ()
    most, ideal = traffic.sectors.most, max(traffic.ideal_sectors, 1)
    filled = most == ideal and traffic.active * size == ideal * SECTOR_BYTES
    if mask.shape is Shape.AFFINE and filled and _side_by_side(traffic, size):
        return ()
    enough = (n for n in range(1, ideal) if most < n * UNCOALESCED_FROM)
    sectors = next(enough, ideal) - 1  # are too few
    by_size = sectors * SECTOR_BYTES // size
    by_share = sectors * traffic.active // ideal  # some may have one address
    least = min(max(by_size, by_share) + 1, traffic.active)
    return (Lanes(least),) if least > 1 else ()


def _side_by_side(traffic: Traffic, size: int) -> bool:
    places = [offset for offset in traffic.offsets if offset is not None]
    steps = {after - before for before, after in pairwise(places)}
    return len(places) == traffic.active and steps in ({size}, {-size})


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
    left: list[Need] = []
    for need in needs:
        # what is assumed has been put in its place, or was asked for where runs start
        if isinstance(need, Holds | Inside | StartsInside | Neighbours | Several | Lanes):
            left.append(need)
            continue
        value = _value(warp, need.form, assumed)
        if value is None:
            left.append(need)
            continue
        wrong = _shortcoming(need, value)
        if wrong:
            return (), f"`{warp.describe(need.form)}` is assumed to be {value:g}, {wrong}"
    return tuple(left), ""


def _shortcoming(need: AtLeast | MultipleOf, value: float) -> str:
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
    return " and ".join(dict.fromkeys(_text(warp, need) for need in needs))


def _text(warp: Warp, need: Need) -> str:
    match need:
        case Holds():
            return holding(warp, need.condition, need.value)
        case Inside():
            return AWAY_FROM_BORDERS
        case AtLeast() if not _is_named(warp, need.form):
            return f"rows have {need.least} elements or more"
        case AtLeast():
            return f"{warp.describe(need.form)} >= {need.least}"
        case MultipleOf() if not _is_named(warp, need.form):
            return f"a pitch is a multiple of {need.modulus}"
        case MultipleOf():
            size = warp.describe(need.form)
            whole = f"({size})" if " " in size else size
            return f"{whole} % {need.modulus} == 0"
        case StartsInside():
            return _starting(warp, need)
        case Neighbours():
            return "the active lanes are neighbours"
        case Several():
            return "several lanes are active"
        case Lanes():
            return f"at least {need.least} lanes are active"
        case other:
            assert_never(other)


def _starting(warp: Warp, need: StartsInside) -> str:
    if not need.unless or not all(_is_named(warp, each.form) for each in need.unless):
        return "runs start inside a sector"
    pitches = [_text(warp, each).replace(" == 0", " != 0") for each in need.unless]
    return pitches[0] if len(pitches) == 1 else f"({' or '.join(pitches)})"


def _is_named(warp: Warp, form: Form) -> bool:
    """Whether a sum is one of names, not of reasons, "converted from a floating-point value"."""
    names = (warp.atoms[number].name for monomial, _ in form.terms for number in monomial)
    return all(" " not in name or name.startswith(_QUOTIENTS) for name in names)


def holding(warp: Warp, condition: Predicate, value: bool) -> str:
    """A uniform condition as the program may have it, ``n > 4``, or its opposite."""
    if condition.below is not None:
        side = condition if value else ops.negated(warp, condition)
        assert side.below is not None
        return _compared(warp, side.below)
    false, true = condition.zero_if
    if false is not None or true is not None:
        equal = (true is not None) == value
        return _equal(warp, true if true is not None else false, "==" if equal else "!=")
    if condition.name:
        return condition.name if value else f"!{condition.name}"
    return "a condition holds" if value else "a condition does not hold"


def _compared(warp: Warp, below: Form) -> str:
    """``below < 0``."""
    less, more = _sides(warp, below)
    const = below.const if isinstance(below.const, int) else 0
    if not less:
        return f"{more} > {const}"
    if not more:
        return f"{less} < {-const}"
    if const in {0, -1}:
        return f"{less} {'<=' if const else '<'} {more}"
    return f"{less} < {more} {'-' if const > 0 else '+'} {abs(const)}"


def _equal(warp: Warp, zero: Form | None, relation: str) -> str:
    assert zero is not None
    left, right = _sides(warp, zero)
    const = zero.const if isinstance(zero.const, int) else 0
    if not left or not right:
        return f"{left or right} {relation} {-const if left else const}"
    if const:
        right += f" {'-' if const > 0 else '+'} {abs(const)}"
    return f"{left} {relation} {right}"


def _sides(warp: Warp, value: Form) -> tuple[str, str]:
    """The sums of what is added and of what is subtracted, without the number."""
    terms = [(m, c) for m, c in value.terms if isinstance(c, int)]
    sums = ({m: c for m, c in terms if c > 0}, {m: -c for m, c in terms if c < 0})
    left, right = (warp.describe(warp.build(value.bits, s, 0)) if s else "" for s in sums)
    return left, right


def assumed_choices(warp: Warp, address: Form, assumed: Mapping[str, float]) -> Form:
    """An address whose conditions are as what is assumed of names has them."""
    if not assumed:
        return address
    found = {}
    for atom in choices_between_ways(warp, address):
        truth = _truth(warp, atom.predicate, assumed)
        if truth is not None:
            found[atom.number] = int(truth)
    return chosen(warp, address, found)


def _truth(warp: Warp, condition: Predicate | None, assumed: Mapping[str, float]) -> bool | None:
    if condition is None:
        return None
    if condition.below is not None:
        value = _value(warp, condition.below, assumed)
        return None if value is None else value < 0
    false, true = condition.zero_if
    for zero, said in ((true, True), (false, False)):
        if zero is not None:
            value = _value(warp, zero, assumed)
            return None if value is None else (value == 0) == said
    given = assumed.get(condition.name)
    return None if given is None else given != 0


def may_rest_on_borders(said: Judgement) -> bool:
    """Whether an access of which nothing is known may be known in warps that meet no border."""
    return said.verdict is Verdict.UNKNOWN and said.pattern is not Pattern.DATA_DEPENDENT


def if_inside(said: Judgement, inside: Judgement) -> Judgement:
    """The answer of warps that meet no border where there is none for all."""
    return on_condition(said, inside, AWAY_FROM_BORDERS)


def on_condition(said: Judgement, other: Judgement, condition: str) -> Judgement:
    """The answer of certain warps where there is none for all, whose bounds are kept. It is not
    proved.
    """
    if other.verdict is Verdict.UNKNOWN:
        return said
    weight = UNKNOWN + 1 if other.flagged else other.weight
    return replace(
        other,
        value=said.value,
        active=said.active,
        lines=_with_expected(said.lines, other.lines),
        sectors=_with_expected(said.sectors, other.sectors),
        wavefronts=_with_expected(said.wavefronts, other.wavefronts),
        weight=weight,
        condition=other.condition if condition in other.condition else both(other, condition),
    )


def both(said: Judgement, condition: str) -> str:
    """The condition of a judgement and another."""
    return " and ".join(filter(None, (said.condition, condition)))


def _with_expected(said: CountRange | None, other: CountRange | None) -> CountRange | None:
    """Bounds with the ideal and what is expected inside them."""
    if said is None or other is None:
        return said
    expected = other.expected
    if expected is not None:
        expected = max(said.minimum, min(expected, said.maximum))
    return replace(said, ideal=min(other.ideal, said.maximum), expected=expected)
