"""Comparisons and truth values, decided per lane where ranges and residues allow."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from contextlib import suppress
from math import gcd

import numpy as np
from msgspec.structs import replace

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import (
    Atom,
    Cause,
    Form,
    LevelSet,
    Phased,
    Predicate,
    Shape,
    Value,
)
from drano.lattice.warp.lanes import (
    LIMIT,
    Coefficient,
    LaneOverflowError,
    high,
    is_warp_uniform,
    low,
)
from drano.lattice.warp.operations.between_bounds import one_lane_between
from drano.lattice.warp.operations.implied import settled
from drano.lattice.warp.operations.lane_bounds import lane_bounds
from drano.lattice.warp.operations.level_sets import are_single, paired
from drano.lattice.warp.operations.phases import both, decided_by_phase, in_any_phase, opposite
from drano.lattice.warp.operations.steps import breaks_of, index_of
from drano.lattice.warp.operations.unknowns import loops_of, reason_of
from drano.lattice.warp.operations.widths import extend, reading, without_carry

_MOST_BOUNDS = 4


def constant_predicate(value: bool) -> Predicate:
    """The same truth value everywhere."""
    return Predicate(int(value), Shape.EXACT, value)


def compare(warp: Warp, predicate: str, a: Form, b: Form, key: Hashable) -> Predicate:
    """``icmp``. Decided per lane where ranges and residues allow; another one in iterations of the
    loops in which what is compared is another number.
    """
    found = _compared(warp, predicate, a, b, key)
    loops = loops_of(warp, (a, b))
    return found if loops <= found.loops else replace(found, loops=found.loops | loops)


def _compared(warp: Warp, predicate: str, a: Form, b: Form, key: Hashable) -> Predicate:
    if predicate in {"eq", "ne"}:
        return _compare_equal(warp, predicate == "ne", a, b, key)
    signed = predicate[0] == "s"
    left = _reading(warp, a, signed=signed)
    right = _reading(warp, b, signed=signed)
    if left is None or right is None:
        shape = Shape.AFFINE if _turns_once(warp, a, b) else Shape.OTHER
        return replace(
            _undecided(warp, (a, b), key, shape), below=_bound_that_wraps(warp, predicate, a, b)
        )
    try:
        difference, bound = _difference(warp, predicate, left, right)
    except LaneOverflowError:
        return _undecided(warp, (a, b), key, Shape.OTHER)
    return _below(warp, difference, bound, key, (a, b))


def _difference(warp: Warp, predicate: str, left: Form, right: Form) -> tuple[Form, int]:
    """``(d, bound)`` where a comparison of two integers holds where ``d < bound``."""
    relation = predicate[1:]
    if relation in {"gt", "ge"}:
        left, right = right, left
    return warp.sub(left, right), int(relation in {"le", "ge"})


def _bound_that_wraps(warp: Warp, predicate: str, a: Form, b: Form) -> Form | None:
    """What is negative exactly where a comparison holds, with what wraps around as an unknown of
    its own; None where lanes differ by more than that and by conditions.
    """
    signed, bits = predicate[0] == "s", 2 * a.bits
    try:
        left, right = (extend(warp, side, bits, signed=signed) for side in (a, b))
        difference, bound = _difference(warp, predicate, left, right)
        if not _is_followed(warp, difference):
            return None
        return warp.add(difference, warp.constant(-bound, bits))
    except LaneOverflowError:
        return None


def _is_followed(warp: Warp, value: Form) -> bool:
    """Whether lanes differ by known numbers, conditions, wrap-arounds and what runs of lanes have
    in common only.
    """
    return all(
        atom.predicate is not None or atom.wrapped is not None or atom.steps is not None
        for atom in warp.varying_atoms(value)
    )


def _reading(warp: Warp, a: Form, *, signed: bool) -> Form | None:
    """The integer that the bits of ``a`` mean; where they may wrap, known for uniform ones, where
    the lanes of a warp wrap together, as an unknown of its own, and where runs of lanes have an
    unknown in common.
    """
    exact = warp.as_signed(a) if signed else warp.as_unsigned(a)
    if exact is not None:
        return exact
    if warp.is_uniform(a):
        return extend(warp, a, 2 * a.bits, signed=signed)
    together = without_carry(warp, a, 2 * a.bits, signed=signed)
    if together is None and warp.varying_atoms(a):
        return reading(warp, a, signed=signed)
    return together


def read_signed(warp: Warp, a: Form) -> Form | None:
    """The signed integer that bits mean, of its width or of twice as many; None if not known."""
    return _reading(warp, a, signed=True)


def _turns_once(warp: Warp, a: Form, b: Form) -> bool:
    """Whether the lanes of ``a`` and ``b`` wrap around at one place each at most, and one of them
    is uniform or both have the same distance in all lanes.
    """
    if not (warp.is_uniform(a) or warp.is_uniform(b) or warp.same_lanes(a, b)):
        return False
    spreads = [warp.split_warp(side)[1] for side in (a, b)]
    return all(not s.terms and s.hi - s.lo < 1 << (s.bits - 1) for s in spreads)


def _below(
    warp: Warp, d: Form, bound: int, key: Hashable, operands: tuple[Form, Form]
) -> Predicate:
    """``d < bound`` per lane."""
    with suppress(LaneOverflowError):
        d = settled(warp, d, bound)
    if d.hi < bound:
        return constant_predicate(True)
    if d.lo >= bound:
        return constant_predicate(False)
    if warp.is_uniform(d):
        less = warp.add(d, warp.constant(-bound, d.bits))
        return Predicate(2, Shape.UNIFORM, key, below=less)
    lo, hi = lane_bounds(warp, d)
    lanes = warp.space.intern(np.where(hi < bound, 1, np.where(lo >= bound, 0, 2)))
    if high(lanes) < 2:
        return Predicate(lanes, Shape.EXACT, key)
    shape = Shape.AFFINE
    varying = warp.varying_atoms(d)
    phased = decided_by_phase(warp, d, lambda numbers: numbers < bound) if varying else None
    if phased is not None:
        return _by_phase(warp, phased, key, reason_of(varying))
    if varying:
        shape = Shape.DATA if any(a.data for a in varying) else Shape.OTHER
    elif _by_whole_warps(warp, d, bound):
        return Predicate(2, Shape.UNIFORM, key)
    elif _permuted(warp, d):
        shape = Shape.OTHER
    below = warp.add(d, warp.constant(-bound, d.bits)) if _is_followed(warp, d) else None
    cut = _cut(warp, d, varying) if shape is Shape.OTHER else frozenset[int]()
    reason = reason_of(varying)
    return Predicate(lanes, shape, key, reason, below=below, cut=cut, off_cut=cut)


def _permuted(warp: Warp, d: Form) -> bool:
    """Whether bits of a number that lanes share decide which lanes have less than others, as in
    ``(lane ^ mask) < n``: the lanes below a bound are any then.
    """
    _, lanes = warp.split_warp(d)
    for monomial, coefficient in lanes.terms:
        bits = all(warp.atoms[n].hi - warp.atoms[n].lo <= 1 for n in monomial)
        steps = np.diff(warp.space.array(coefficient), axis=1)
        if bits and not ((steps >= 0).all(axis=1) | (steps <= 0).all(axis=1)).all():
            return True
    return False


def _by_phase(warp: Warp, phased: Phased, key: Hashable, reason: str) -> Predicate:
    lanes = in_any_phase(warp, phased)
    if not has_lane(lanes, 2):
        return Predicate(lanes, Shape.EXACT, key)
    return Predicate(lanes, Shape.OTHER, key, reason, phased=phased)


def _cut(warp: Warp, d: Form, varying: list[Atom]) -> frozenset[int]:
    """The atoms between whose breaks ``d`` rises or falls along the lanes' order; none where it
    does not.
    """
    if any(atom.steps is None for atom in varying) or index_of(warp, d) is None:
        return frozenset()
    own = {atom.number for atom in varying}
    ways = [breaks_of(warp, side) for side in (d, warp.neg(d))]
    return min(ways, key=lambda found: len(found & own))


def joint_cut(parts: Iterable[Predicate]) -> frozenset[int]:
    """The breaks of lanes that several conditions choose; none where one may choose any lanes."""
    found: frozenset[int] = frozenset()
    for part in parts:
        if part.shape >= Shape.OUTSIDE and not part.cut:
            return frozenset()
        found |= part.cut
    return found


def _by_whole_warps(warp: Warp, d: Form, bound: int) -> bool:
    """Whether the lanes of a warp agree on ``d < bound``: ``m * k + t < 0`` where
    ``k + t // m < 0``, so that ``tid < n / 32 * 32`` is uniform.
    """
    uniform, lanes = warp.split_warp(d)
    known = warp.congruence(uniform.terms)
    if lanes.terms or not 1 < known.modulus < LIMIT:
        return False
    beyond = warp.space.add(d.const, (known.residue - bound) % known.modulus)
    return is_warp_uniform(warp.space.floordiv(beyond, known.modulus))


def _compare_equal(warp: Warp, negate: bool, a: Form, b: Form, key: Hashable) -> Predicate:
    choice = _as_choice(warp, a, b)
    if choice is not None:
        return choice if negate else negated(warp, choice)
    try:
        d = warp.sub(a, b)
    except LaneOverflowError:
        return _undecided(warp, (a, b), key, Shape.OTHER)
    size = 1 << a.bits
    # equal bits <=> d == 0 (mod 2**bits); in range (-2**bits, 2**bits) that is d == 0
    left, right = warp.as_signed(a), warp.as_signed(b)
    if left is not None and right is not None:
        d = warp.sub(left, right)
    elif not (-size < d.lo and d.hi < size):
        left = _reading(warp, a, signed=True)
        right = _reading(warp, b, signed=True)
        if warp.is_uniform(d) or left is None or right is None:
            shape = Shape.UNIFORM if warp.is_uniform(d) else Shape.OTHER
            return _undecided(warp, (a, b), key, shape)
        d = warp.sub(left, right)
    equal = replace(_equals_zero(warp, d, key), zero_if=(None, d))
    return negated(warp, equal) if negate else equal


def _equals_zero(warp: Warp, d: Form, key: Hashable) -> Predicate:
    if d.lo > 0 or d.hi < 0:
        return constant_predicate(False)
    if d.lo == 0 == d.hi:
        return constant_predicate(True)
    uniform, lanes = warp.split_warp(d)
    known = warp.congruence(uniform.terms)
    if warp.is_uniform(d):
        if (
            known.modulus
            and isinstance(uniform.const, int)
            and ((known.residue + uniform.const) % known.modulus)
        ):
            return constant_predicate(False)
        return Predicate(2, Shape.UNIFORM, key)
    varying = warp.varying_atoms(d)
    phased = decided_by_phase(warp, d, lambda numbers: numbers == 0) if varying else None
    if phased is not None:
        return _by_phase(warp, phased, key, reason_of(varying))
    if varying or lanes.terms:
        shape = Shape.OTHER
        if any(a.data for a in varying):
            shape = Shape.DATA
        cut = _cut(warp, d, varying) if varying and shape is Shape.OTHER else frozenset[int]()
        lo, hi = lane_bounds(warp, d)
        chosen = warp.space.intern(np.where((lo <= 0) & (hi >= 0), 2, 0))
        if not has_lane(chosen, 2):
            return constant_predicate(False)
        return Predicate(chosen, shape, key, reason_of(varying), cut=cut)
    total = warp.space.array(warp.space.add(uniform.const, lanes.const))
    if not uniform.terms:
        return Predicate(warp.space.intern((total == 0).astype(np.int64)), Shape.EXACT, key)
    # the uniform terms lie in these bounds; a lane is zero where they are minus its constant
    most = min(max(low(uniform.const) - uniform.lo, -LIMIT), LIMIT)
    least = min(max(high(uniform.const) - uniform.hi, -LIMIT), LIMIT)
    possible = (total <= most) & (total >= least)
    if known.modulus > 1:
        modulus = gcd(known.modulus, 1 << 61) if known.modulus >= LIMIT else known.modulus
        possible &= (total + known.residue % modulus) % modulus == 0
    if not possible.any():
        return constant_predicate(False)
    open_lanes = warp.space.intern(np.where(possible, 2, 0))
    level = LevelSet(warp.space.intern(total), constant_predicate(True))
    shape = Shape.ONE if are_single(warp, level, open_lanes) else Shape.AFFINE
    return Predicate(open_lanes, shape, key, levels=(level, None))


def _as_choice(warp: Warp, a: Form, b: Form) -> Predicate | None:
    """The predicate behind ``a != b``, when ``a`` is one of two numbers by a choice and ``b`` is a
    number. Clang writes ``break`` and ``continue`` so: ``switch (left ? 2 : 0)``.
    """
    if b.terms or len(a.terms) > 1:
        return None
    if not a.terms:
        if b.const == 0 and a.lo >= 0 and a.hi <= 1:
            return Predicate(a.const, Shape.EXACT, ("lanes", a.const))
        return None
    ((monomial, coefficient),) = a.terms
    atom = warp.atoms[monomial[0]]
    if len(monomial) != 1 or atom.predicate is None:
        return None
    if b.const == 0 and choice(warp, atom.predicate, a.bits) == a and low(coefficient) >= 0:
        return atom.predicate
    if atom.predicate.lanes != 2:
        return None
    if not (isinstance(coefficient, int) and isinstance(a.const, int) and isinstance(b.const, int)):
        return None
    otherwise = a.const - b.const
    chosen = otherwise + coefficient
    if max(abs(chosen), abs(otherwise)) >= 1 << a.bits or (chosen and otherwise) or not coefficient:
        return None
    return atom.predicate if chosen else negated(warp, atom.predicate)


def _undecided(warp: Warp, operands: tuple[Value, ...], key: Hashable, shape: Shape) -> Predicate:
    if all(warp.is_uniform(o) for o in operands):
        return Predicate(2, Shape.UNIFORM, key)
    if any(warp.is_data(o) for o in operands):
        shape = Shape.DATA
    atoms = [a for o in operands for a in warp.varying_atoms(o)]
    return Predicate(2, shape, key, reason_of(atoms))


def unknown_predicate(warp: Warp, operands: tuple[Value, ...], key: Hashable) -> Predicate:
    """A truth value that is a function of ``operands`` and no more is known (fcmp, say)."""
    return _undecided(warp, operands, key, Shape.OTHER)


def negated(warp: Warp, p: Predicate) -> Predicate:
    """``!p``."""
    lanes: Coefficient = p.lanes
    if isinstance(lanes, int):
        lanes = (1, 0, 2)[lanes]
    else:
        lanes = warp.space.intern(np.array([1, 0, 2])[lanes.data])
    shape = _OPPOSITE.get(p.shape, p.shape)
    if shape is Shape.UNIFORM and has_lane(lanes, 1) and has_lane(lanes, 2):
        shape = Shape.OUTSIDE  # some lanes, or all of them
    key: Hashable = ("not", p.key)
    if isinstance(p.key, tuple) and len(p.key) == 2 and p.key[0] == "not":
        key = p.key[1]
    elif isinstance(p.key, bool):
        key = not p.key
    below = None
    if p.below is not None:  # not (d < 0)  <=>  -d - 1 < 0
        below = warp.sub(warp.constant(-1, p.below.bits), p.below)
    zero_if = (p.zero_if[1], p.zero_if[0])
    phased = None if p.phased is None else opposite(warp, p.phased)
    bounds = (p.bounds[1], p.bounds[0])
    return Predicate(
        lanes, shape, key, p.reason, p.loops, zero_if, below, p.off_cut, p.cut, phased, p.name,
        bounds, (p.levels[1], p.levels[0]),
    )  # fmt: skip


def _is_negation(key: Hashable) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and key[0] == "not"


_OPPOSITE = {
    Shape.ONE: Shape.ALL_BUT_ONE,
    Shape.ALL_BUT_ONE: Shape.ONE,
    Shape.WITHIN: Shape.OUTSIDE,
    Shape.OUTSIDE: Shape.WITHIN,
}
_AND = np.array([[0, 0, 0], [0, 1, 2], [0, 2, 2]])

_XOR = np.array([[0, 1, 2], [1, 0, 2], [2, 2, 2]])


def _joint_shape(warp: Warp, a: Predicate, b: Predicate) -> Shape:
    """Shape of the unknown lanes of a conjunction."""
    if Shape.EXACT in {a.shape, b.shape}:  # of which some lanes are off: a bound like others
        worst = max(a.shape, b.shape)
        return Shape.WITHIN if worst is Shape.AFFINE else worst
    if at_most_one(a) or at_most_one(b) or one_lane_between(warp, _bounds(a), _bounds(b)):
        return Shape.ONE
    if a.shape is b.shape is Shape.UNIFORM and not has_lane(a.lanes, 1) | has_lane(b.lanes, 1):
        return Shape.UNIFORM
    worst = max(a.shape, b.shape)
    if Shape.UNIFORM in {a.shape, b.shape}:
        return max(worst, Shape.AFFINE)
    if a.below is not None and b.below is not None and warp.same_lanes(a.below, b.below):
        return max(worst, Shape.AFFINE)  # whichever bound is less cuts both
    if worst is Shape.OUTSIDE:  # less some lanes of what is outside
        return Shape.OTHER
    return max(worst, Shape.WITHIN)


def at_most_one(p: Predicate) -> bool:
    """Whether it holds in one lane of a warp at the most: of the unknown ones, and in no other."""
    return p.shape is Shape.ONE and not has_lane(p.lanes, 1)


def _bounds(p: Predicate) -> tuple[Form, ...]:
    """Forms that are negative wherever it is true, the last few."""
    own = p.bounds[0] if p.below is None else (*p.bounds[0], p.below)
    return own[-_MOST_BOUNDS:]


def has_lane(lanes: Coefficient, value: int) -> bool:
    """Whether some lane holds ``value``."""
    if isinstance(lanes, int):
        return lanes == value
    return bool((lanes.data == value).any())


def conjunction(warp: Warp, a: Predicate, b: Predicate, key: Hashable) -> Predicate:
    """``a && b``."""
    if a.lanes == 1 or b.lanes == 0 or a.key == b.key:
        return b
    if b.lanes == 1 or a.lanes == 0:
        return a
    lanes = warp.space.intern(_AND[warp.space.array(a.lanes), warp.space.array(b.lanes)])
    shape = Shape.EXACT if high(lanes) < 2 else _joint_shape(warp, a, b)
    level = None if shape is Shape.EXACT else _joint_level(warp, a, b, key)
    if level is not None and are_single(warp, level, lanes):
        shape = Shape.ONE
    cut = joint_cut((a, b)) if shape is Shape.OTHER else frozenset[int]()
    off_cut = frozenset[int]()
    if shape is Shape.OTHER and Shape.UNIFORM in {a.shape, b.shape}:  # the other one's, or all
        off_cut = a.off_cut | b.off_cut
    reason, loops = a.reason or b.reason, a.loops | b.loops
    phased = None if a.phased is b.phased is None else both(warp, a, b)
    return Predicate(
        lanes, shape, key, reason, loops, cut=cut, off_cut=off_cut, phased=phased,
        bounds=((*_bounds(a), *_bounds(b))[-_MOST_BOUNDS:], ()), levels=(level, None),
    )  # fmt: skip


def _joint_level(warp: Warp, a: Predicate, b: Predicate, key: Hashable) -> LevelSet | None:
    """The lanes of ``a && b`` as one set of several, where those of either are."""
    one, other = a.levels[0], b.levels[0]
    if one is None or other is None:
        known, rest = (other, a) if one is None else (one, b)
        if known is None:
            return None
        within = conjunction(warp, known.within, rest, ("within", key))
        return LevelSet(known.values, within)
    within = conjunction(warp, one.within, other.within, ("within", key))
    return LevelSet(paired(warp, one.values, other.values), within)


def disjunction(warp: Warp, a: Predicate, b: Predicate, key: Hashable) -> Predicate:
    """``a || b``, by De Morgan."""
    both = conjunction(warp, negated(warp, a), negated(warp, b), ("not", key))
    return negated(warp, both)


def exclusive(warp: Warp, a: Predicate, b: Predicate, key: Hashable) -> Predicate:
    """``a ^ b``."""
    if a.lanes == 1:
        return negated(warp, b)
    if b.lanes == 1:
        return negated(warp, a)
    lanes = warp.space.intern(_XOR[warp.space.array(a.lanes), warp.space.array(b.lanes)])
    shape = max(a.shape, b.shape)
    if shape in _OPPOSITE or (shape is Shape.AFFINE and min(a.shape, b.shape) > Shape.UNIFORM):
        shape = Shape.OTHER
    if shape is Shape.UNIFORM and not (warp.is_uniform(a) and warp.is_uniform(b)):
        shape = Shape.OTHER
    if high(lanes) < 2:
        shape = Shape.EXACT
    return Predicate(lanes, shape, key, a.reason or b.reason, a.loops | b.loops)


def choice(warp: Warp, p: Predicate, bits: int) -> Form:
    """The predicate as 0 / 1 per lane; unknown lanes are an atom of range [0, 1]."""
    if high(p.lanes) < 2:
        return warp.lanes(p.lanes, bits)
    key = p.key
    flipped = _is_negation(key)
    if flipped:  # the negation is 1 - choice, so that both cancel
        positive = negated(warp, p)
        return warp.sub(warp.constant(1, bits), choice(warp, positive, bits))
    atom = warp.atom(
        ("choice", key), bits, "condition", Cause.CHOICE, varying=p.shape is not Shape.UNIFORM,
        bounds=(0, 1), loops=p.loops, shape=p.shape, predicate=p, data=p.shape is Shape.DATA,
        phased=p.phased,
    )  # fmt: skip
    if isinstance(p.lanes, int):
        return atom
    unknown_lanes = warp.space.intern((p.lanes.data == 2).astype(np.int64))
    known_lanes = warp.space.intern((p.lanes.data == 1).astype(np.int64))
    terms = {atom.terms[0][0]: unknown_lanes}
    return warp.build(bits, terms, known_lanes, (0, 1))
