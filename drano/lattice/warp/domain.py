"""The warp domain: what each of the 32 lanes of one warp holds, symbolically.

Concretisation. A ``Form`` of width ``bits`` stands for, in every (warp, lane) of the block::

    sum(coefficient[warp, lane] * product(atoms)) + const[warp, lane]      (mod 2**bits)

where *atoms* are unknown integers. A uniform atom has one value per warp (a parameter, a block
index, a loop counter); a *varying* one may differ in each lane and carries the reason. So the
paper's 0, 1, -1 are ``const = 0, lane, -lane`` plus uniform terms; a known-uniform stride of
unknown size is a lane-varying coefficient of a uniform atom; the top of the lattice is a fresh
varying atom: nothing is known of it, but it still cancels against itself.

``lo``/``hi`` bound the sum read as a mathematical integer. When they fit the width (signed or
unsigned) the stored bits *are* that integer, and division, comparison and extension are exact;
when they do not, these operations say so and fall back. Signed overflow (``nsw``) is undefined in
the source language and bounds the sum.

Facts of atoms (range, residue) only weaken during an analysis; ``Warp.version`` is the clock of
all changes, ``Atom.changed_at`` the time of the last one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import gcd
from typing import TypeAlias

from drano.lattice import congruence as congruences
from drano.lattice.congruence import Congruence
from drano.lattice.warp.forms import (
    Aggregate,
    Atom,
    Cause,
    FirstOf,
    Form,
    Monomial,
    Phased,
    Predicate,
    Shape,
    Steps,
    Term,
    UniformBit,
    Value,
    same_bound,
    signed_range,
    term_text,
    unsigned_range,
    vector_text,
)
from drano.lattice.warp.lanes import (
    Coefficient,
    LaneOverflowError,
    LaneSpace,
    high,
    is_warp_uniform,
    low,
)

MAX_TERMS = 32
MAX_DEGREE = 6
_RANGE_CHANGES_BEFORE_WIDENING = 3
_REBOUNDS = 3  # other bounds of one choice before none is known

_LINE_ELEMENTS = 128

# Characters: a name may be made of others, which would double it with each step of arithmetic.
_LONGEST_NAME = 240

_Sum: TypeAlias = tuple[tuple[Term, ...], Coefficient]

_WHOLE_SECTORS = frozenset({Cause.PARAMETER, Cause.MEMORY})


def _widened(atom: Atom, lo: int, hi: int, limits: tuple[int, int]) -> tuple[int, int]:
    """Bounds that move a growing end to its limit at once, and behind that to the next power of
    two: the widening policy.
    """
    if hi > atom.hi:
        hi = limits[1] if hi <= limits[1] else max(hi, (1 << hi.bit_length()) - 1)
    if lo < atom.lo:
        lo = limits[0] if lo >= limits[0] else min(lo, -(1 << (~lo).bit_length()))
    return lo, hi


def _product_range(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    if a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], a[1] * b[1]
    corners = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(corners), max(corners)


def _fewer(old: Steps, new: Steps | None) -> Steps | None:
    """What both tell of an atom's breaks, when facts of what it is made of have changed."""
    if new is None or (old.order, old.parents, old.run, old.rare) != (
        new.order, new.parents, new.run, new.rare
    ):  # fmt: skip
        return None
    rise = None if old.rise is None or new.rise is None else max(old.rise, new.rise)
    inner = None if old.inner is None or new.inner is None else max(old.inner, new.inner)
    least, slope = min(old.least, new.least), max(old.slope, new.slope)
    anew = old.anew and new.anew
    even = old.even if old.even == new.even else None
    return replace(old, least=least, slope=slope, rise=rise, inner=inner, anew=anew, even=even)


class Warp:
    """The domain for one block layout: its atoms, its lane vectors, and the arithmetic on forms.

    All methods are functions of their arguments, but for the table of atoms, which only grows
    and whose facts only weaken.
    """

    def __init__(self, space: LaneSpace) -> None:
        self.space = space
        self.atoms: list[Atom] = []
        self.version = 0
        self._by_key: dict[Hashable, Atom] = {}
        self._caps: dict[Monomial, tuple[int, int]] = {}
        self._ranges: dict[Monomial, tuple[int, int]] = {}
        # counts of equal patterns, kept by ``traffic.transactions``
        self.traffic_memo: dict[Hashable, object] = {}
        self._vector_texts: dict[Coefficient, str] = {}
        self._noted: dict[_Sum, tuple[tuple[int, int] | None, int]] = {}
        self._noted_by: dict[Hashable, _Sum] = {}
        self._remainders: dict[int, Form] = {}  # by varying atoms of the quotient
        self._divided: dict[Hashable, tuple[int, ...]] = {}

    # --- making values -----------------------------------------------------------------------

    def constant(self, value: int, bits: int) -> Form:
        """The same known integer in every lane."""
        return Form(bits, (), value, value, value)

    def lanes(self, value: Coefficient, bits: int) -> Form:
        """A known integer per lane."""
        return Form(bits, (), value, low(value), high(value))

    def atom(
        self,
        key: Hashable,
        bits: int,
        name: str,
        cause: Cause,
        *,
        varying: bool,
        bounds: tuple[int, int] | None = None,
        residue: Congruence | None = None,
        loops: frozenset[int] = frozenset(),
        space: str = "",
        shape: Shape = Shape.EXACT,
        predicate: Predicate | None = None,
        data: bool = False,
        limits: tuple[int, int] | None = None,
        likely: Congruence | None = None,
        steps: Steps | None = None,
        bit_of: UniformBit | None = None,
        phased: Phased | None = None,
        first_of: FirstOf | None = None,
    ) -> Form:
        """The unknown identified by ``key``; weakens what was known of it to cover these facts.

        ``limits``: where bounds that keep growing are widened to; the width's by default.
        """
        lo, hi = bounds if bounds is not None else signed_range(max(bits, 2))
        modulus, rest = (residue.modulus, residue.residue) if residue is not None else (1, 0)
        if lo == hi and not varying:
            return self.constant(lo, bits)
        if likely is None:
            likely = Congruence(modulus, rest)
            if modulus == 1 and cause in _WHOLE_SECTORS and not varying:
                likely = Congruence(_LINE_ELEMENTS, 0)
        found = self._by_key.get(key)
        if found is not None and found.likely != likely:
            found.likely = congruences.join(found.likely, likely)
        if found is not None and found.loops != loops:
            found.loops |= loops
        if found is None:
            if len(name) > _LONGEST_NAME:
                name = f"{name[:_LONGEST_NAME]}…"
            found = Atom(
                len(self.atoms), name, cause, varying, lo, hi, modulus, rest, loops, space, shape,
                predicate, data,
            )  # fmt: skip
            found.likely = likely
            found.steps, found.bit_of = steps, bit_of
            found.phased, found.first_of = phased, first_of
            self.atoms.append(found)
            self._by_key[key] = found
        else:
            if predicate is not None:
                self._rebind(found, predicate)
            wide = limits or signed_range(max(bits, 2))
            self._weaken(found, wide, varying, lo, hi, modulus, rest, shape, data)
            found.space = found.space if found.space == space else ""
            known = (found.steps, found.phased, found.first_of)
            if found.steps is not None and found.steps != steps:
                found.steps = _fewer(found.steps, steps)
            if (found.phased, found.first_of) != (phased, first_of):
                found.phased = found.first_of = None
            if known != (found.steps, found.phased, found.first_of):
                self.version += 1
                found.changed_at = self.version
        return Form(bits, (((found.number,), 1),), 0, found.lo, found.hi)

    def _rebind(self, atom: Atom, predicate: Predicate) -> None:
        """Another predicate of a choice: what was concluded from its bound is to be found anew."""
        changed = atom.predicate is not None and not same_bound(atom.predicate, predicate)
        if changed and atom.rebounds <= _REBOUNDS:
            atom.rebounds += 1
            self.version += 1
            atom.changed_at = self.version
        if atom.rebounds > _REBOUNDS:
            predicate = replace(predicate, below=None)
        atom.predicate = predicate

    def _weaken(
        self,
        atom: Atom,
        limits: tuple[int, int],
        varying: bool,
        lo: int,
        hi: int,
        modulus: int,
        rest: int,
        shape: Shape,
        data: bool,
    ) -> None:
        before = (atom.varying, atom.lo, atom.hi, atom.modulus, atom.residue, atom.shape, atom.data)
        atom.varying = atom.varying or varying
        atom.shape = max(atom.shape, shape)
        atom.data = atom.data or data
        if lo < atom.lo or hi > atom.hi:
            atom.changes += 1
            if atom.changes > _RANGE_CHANGES_BEFORE_WIDENING:
                lo, hi = _widened(atom, lo, hi, limits)
            atom.lo, atom.hi = min(lo, atom.lo), max(hi, atom.hi)
        joined = congruences.join(Congruence(atom.modulus, atom.residue), Congruence(modulus, rest))
        atom.modulus, atom.residue = joined.modulus, joined.residue
        after = (atom.varying, atom.lo, atom.hi, atom.modulus, atom.residue, atom.shape, atom.data)
        if before != after:
            self.version += 1
            atom.changed_at = self.version
            if before[1:3] != after[1:3]:
                self._ranges.clear()

    def alone(self, number: int) -> Form:
        """One atom as a value."""
        atom = self.atoms[number]
        return Form(64, (((number,), 1),), 0, atom.lo, atom.hi)

    def keys(self) -> dict[int, Hashable]:
        """What identifies each atom, by its number."""
        return {atom.number: key for key, atom in self._by_key.items()}

    def cap_product(self, factors: Iterable[Form], hi: int) -> None:
        """Assume ``0 <= product(factors) <= hi`` (each factor a single atom)."""
        monomial = tuple(sorted(f.terms[0][0][0] for f in factors if f.terms))
        if len(monomial) > 1:
            self._caps[monomial] = (0, hi)
            self._ranges.clear()

    def note_remainder(
        self, key: Hashable, value: Form | None, bounds: tuple[int, int] | None, most: int
    ) -> None:
        """Remember that ``value`` is what a division leaves of a number that is not negative: its
        bits mean ``most`` at the most. ``bounds``: of its sum, where known. Of those noted under
        one ``key`` the last holds.
        """
        old = self._noted_by.pop(key, None)
        before = self._noted.pop(old, None) if old is not None else None
        if value is not None:
            new = (value.terms, value.const)
            self._noted[new] = bounds, most
            self._noted_by[key] = new
        if old is not None and (value is None or before != (bounds, most)):
            self.version += 1
            for monomial, _ in old[0]:
                for number in monomial:
                    self.atoms[number].changed_at = self.version

    def is_remainder(self, value: Form) -> bool:
        """Whether it is known to be what a division leaves of a number that is not negative."""
        return (value.terms, value.const) in self._noted

    def most_of_remainder(self, value: Form) -> int | None:
        """The most that the bits of a remainder mean; None of what is not known to be one."""
        noted = self._noted.get((value.terms, value.const))
        return None if noted is None else noted[1]

    def with_noted_bounds(self, value: Form) -> Form:
        """``value`` with bounds that were noted of its sum."""
        bounds = self._noted_bounds(value)
        if bounds is None:
            return value
        return self.build(value.bits, dict(value.terms), value.const, bounds)

    def note_division(self, key: Hashable, quotient: Form | None, rest: Form | None) -> None:
        """``rest`` is what a division leaves, with its bounds, and ``quotient`` what it gives; None
        where that is not known any more. Of those noted under one ``key`` the last holds.
        """
        for number in self._divided.pop(key, ()):
            self._remainders.pop(number, None)
        if quotient is None or rest is None:
            return
        parts = [m[0] for m, _ in quotient.terms if len(m) == 1 and self.atoms[m[0]].varying]
        self._divided[key] = tuple(parts)
        self._remainders.update(dict.fromkeys(parts, rest))

    def remainder_with(self, monomial: Monomial) -> Form | None:
        """The noted remainder of the division whose quotient varies by an atom."""
        return self._remainders.get(monomial[0]) if len(monomial) == 1 else None

    def _noted_bounds(self, value: Form) -> tuple[int, int] | None:
        noted = self._noted.get((value.terms, value.const))
        return None if noted is None else noted[0]

    # --- asking about values -----------------------------------------------------------------

    def monomial_range(self, monomial: Monomial) -> tuple[int, int]:
        """Bounds of a product of atoms."""
        known = self._ranges.get(monomial)
        if known is None:
            known = self._ranges[monomial] = self._compute_range(monomial)
        return known

    def _compute_range(self, monomial: Monomial) -> tuple[int, int]:
        capped = self._caps.get(monomial)
        if capped is not None:
            return capped
        if len(monomial) == 1:
            atom = self.atoms[monomial[0]]
            return atom.lo, atom.hi
        result = (1, 1)
        for number in monomial:
            atom = self.atoms[number]
            result = _product_range(result, (atom.lo, atom.hi))
        if len(monomial) == 2 and monomial[0] == monomial[1]:
            return max(result[0], 0), result[1]
        return result

    def varying_monomial(self, monomial: Monomial) -> bool:
        """Whether a product of atoms may differ between lanes."""
        atoms = self.atoms
        for number in monomial:  # noqa: SIM110 - a generator costs as much again, at each step
            if atoms[number].varying:
                return True
        return False

    def is_uniform(self, value: Value) -> bool:
        """Whether all lanes of each warp certainly agree."""
        if isinstance(value, Form):
            if not is_warp_uniform(value.const):
                return False
            for monomial, coefficient in value.terms:
                if not is_warp_uniform(coefficient) or self.varying_monomial(monomial):
                    return False
            return True
        if isinstance(value, Predicate):
            if value.shape is Shape.UNIFORM:
                return is_warp_uniform(value.lanes)
            return value.shape is Shape.EXACT and is_warp_uniform(value.lanes)
        return all(self.is_uniform(e) for e in value.elements)

    def varying_atoms(self, value: Value) -> list[Atom]:
        """The varying atoms of a value, in order of appearance, each once."""
        if isinstance(value, Aggregate):
            found = [a for e in value.elements for a in self.varying_atoms(e)]
        elif isinstance(value, Form):
            found = [self.atoms[n] for m, _ in value.terms for n in m if self.atoms[n].varying]
        else:
            return []
        return list(dict.fromkeys(found))

    def is_data(self, value: Value) -> bool:
        """Whether the lanes differ by what memory holds."""
        if isinstance(value, Predicate):
            return value.shape is Shape.DATA
        return any(a.data for a in self.varying_atoms(value))

    def congruence(self, terms: Iterable[Term], *, likely: bool = False) -> Congruence:
        """Residue of a sum of terms over uniform atoms; ``likely``: by ``Atom.likely``."""
        modulus, residue = 0, 0
        for monomial, coefficient in terms:
            if not isinstance(coefficient, int):
                if not is_warp_uniform(coefficient):
                    return congruences.TOP
                # one value per warp: known only up to what divides all differences
                data = coefficient.data
                first = int(data.flat[0])
                step = 0
                for other in set((data - first).ravel().tolist()):
                    step = gcd(step, other)
                factor_m, factor_r = step, first
            else:
                factor_m, factor_r = 0, coefficient
            for number in monomial:
                atom = self.atoms[number]
                modulo, rest = atom.likely if likely else (atom.modulus, atom.residue)
                m = gcd(gcd(factor_m * modulo, factor_m * rest), factor_r * modulo)
                factor_m, factor_r = m, factor_r * rest
                if m:
                    factor_r %= m
            modulus = gcd(modulus, factor_m)
            residue += factor_r
        return Congruence(modulus, residue % modulus if modulus else residue)

    # --- building ----------------------------------------------------------------------------

    def build(
        self,
        bits: int,
        terms: Mapping[Monomial, Coefficient],
        const: Coefficient,
        clip: tuple[int, int] | None = None,
    ) -> Form:
        """The form of these terms; ``clip``: bounds the sum is known to keep.

        Raises ``LaneOverflowError`` when there are too many terms to be useful.
        """
        kept = []
        lo, hi = (const, const) if isinstance(const, int) else (const.lo, const.hi)
        ranges = self._ranges
        for monomial, coefficient in terms.items():
            known = ranges.get(monomial)
            bottom, top = self.monomial_range(monomial) if known is None else known
            if isinstance(coefficient, int):
                if coefficient > 0:
                    lo, hi = lo + coefficient * bottom, hi + coefficient * top
                elif coefficient < 0:
                    lo, hi = lo + coefficient * top, hi + coefficient * bottom
                else:
                    continue
            else:
                least, most = _product_range((bottom, top), (coefficient.lo, coefficient.hi))
                lo, hi = lo + least, hi + most
            kept.append((monomial, coefficient))
        if len(kept) > MAX_TERMS:
            raise LaneOverflowError
        if clip is not None and (lo < clip[0] or hi > clip[1]):
            lo, hi = max(lo, clip[0]), min(hi, clip[1])
            if lo > hi:
                lo, hi = clip
        if len(kept) > 1:
            kept.sort(key=lambda term: term[0])
        return Form(bits, tuple(kept), const, lo, hi)

    def as_signed(self, value: Form) -> Form | None:
        """The same bits as a form whose sum *is* the signed reading; None if that may wrap."""
        return self._exact(value, -(1 << (value.bits - 1)))

    def as_unsigned(self, value: Form) -> Form | None:
        """The same bits as a form whose sum *is* the unsigned reading; None if that may wrap."""
        return self._exact(value, 0)

    def _exact(self, value: Form, floor: int) -> Form | None:
        size = 1 << value.bits
        if floor <= value.lo and value.hi < floor + size:
            return value
        if not value.terms and value.bits < 62:
            const = self.space.add(self.space.mod(self.space.add(value.const, -floor), size), floor)
            return Form(value.bits, (), const, low(const), high(const))
        turns = (value.lo - floor) // size
        if turns == (value.hi - floor) // size:
            shift = turns * size
            const = self.space.add(value.const, -shift)
            return Form(value.bits, value.terms, const, value.lo - shift, value.hi - shift)
        noted = self._noted_bounds(value)
        if noted is not None and floor <= noted[0] and noted[1] < floor + size:
            return Form(value.bits, value.terms, value.const, *noted)
        return None

    # --- arithmetic --------------------------------------------------------------------------

    def _clip(self, bits: int, a: Form, b: Form, nsw: bool, nuw: bool) -> tuple[int, int] | None:
        """Bounds of an operation that may not overflow, provided its operands are exact."""
        if nsw:
            lo, hi = signed_range(bits)
            if a.lo >= lo and a.hi <= hi and b.lo >= lo and b.hi <= hi:
                return lo, hi
        if nuw:
            lo, hi = unsigned_range(bits)
            if a.lo >= lo and a.hi <= hi and b.lo >= lo and b.hi <= hi:
                return lo, hi
        return None

    def add(self, a: Form, b: Form, *, nsw: bool = False, nuw: bool = False) -> Form:
        """Sum, mod 2**bits."""
        clip = self._clip(a.bits, a, b, nsw, nuw)
        const = self.space.add(a.const, b.const)
        if not a.terms and not b.terms:
            return self._tight(self.build(a.bits, {}, const, clip), a.lo + b.lo, a.hi + b.hi)
        terms = dict(a.terms)
        for monomial, coefficient in b.terms:
            old = terms.get(monomial)
            terms[monomial] = coefficient if old is None else self.space.add(old, coefficient)
        return self._tight(self.build(a.bits, terms, const, clip), a.lo + b.lo, a.hi + b.hi)

    @staticmethod
    def _tight(value: Form, lo: int, hi: int) -> Form:
        """``value`` with its bounds cut to bounds computed another way."""
        if value.lo >= lo and value.hi <= hi:
            return value
        new_lo, new_hi = max(value.lo, lo), min(value.hi, hi)
        if new_lo > new_hi:
            return value
        return Form(value.bits, value.terms, value.const, new_lo, new_hi)

    def neg(self, a: Form) -> Form:
        """Negation, mod 2**bits."""
        return self.scale(a, -1)

    def sub(self, a: Form, b: Form, *, nsw: bool = False, nuw: bool = False) -> Form:
        """Difference, mod 2**bits."""
        clip = self._clip(a.bits, a, b, nsw, nuw)
        const = self.space.add(a.const, self.space.neg(b.const))
        terms = dict(a.terms)
        for monomial, coefficient in b.terms:
            minus = self.space.neg(coefficient)
            old = terms.get(monomial)
            terms[monomial] = minus if old is None else self.space.add(old, minus)
        return self._tight(self.build(a.bits, terms, const, clip), a.lo - b.hi, a.hi - b.lo)

    def scale(self, a: Form, factor: Coefficient) -> Form:
        """Product with a known integer per lane, mod 2**bits."""
        terms = {m: self.space.mul(c, factor) for m, c in a.terms}
        result = self.build(a.bits, terms, self.space.mul(a.const, factor))
        bounds = _product_range((a.lo, a.hi), (low(factor), high(factor)))
        return self._tight(result, *bounds)

    def mul(self, a: Form, b: Form, *, nsw: bool = False, nuw: bool = False) -> Form:
        """Product, mod 2**bits. Raises LaneOverflowError when it gets too large to be useful."""
        clip = self._clip(a.bits, a, b, nsw, nuw)
        space = self.space
        terms: dict[Monomial, Coefficient] = {}
        for ma, ca in (*a.terms, ((), a.const)) if a.terms else (((), a.const),):
            for mb, cb in (*b.terms, ((), b.const)) if b.terms else (((), b.const),):
                monomial = tuple(sorted(ma + mb)) if ma and mb else ma or mb
                if len(monomial) > MAX_DEGREE:
                    raise LaneOverflowError
                product = space.mul(ca, cb)
                old = terms.get(monomial)
                terms[monomial] = product if old is None else space.add(old, product)
                if len(terms) > 2 * MAX_TERMS:
                    raise LaneOverflowError
        const = terms.pop((), 0)
        result = self.build(a.bits, terms, const, clip)
        return self._tight(result, *_product_range((a.lo, a.hi), (b.lo, b.hi)))

    def split_warp(self, a: Form) -> tuple[Form, Form]:
        """``(uniform, rest)`` with ``a = uniform + rest``: rest holds what differs in a warp."""
        uniform: dict[Monomial, Coefficient] = {}
        rest: dict[Monomial, Coefficient] = {}
        for monomial, coefficient in a.terms:
            plain = is_warp_uniform(coefficient) and not self.varying_monomial(monomial)
            (uniform if plain else rest)[monomial] = coefficient
        base = self.warp_base(a.const)
        offset = self.space.add(a.const, self.space.neg(base))
        return self.build(a.bits, uniform, base), self.build(a.bits, rest, offset)

    def warp_base(self, const: Coefficient) -> Coefficient:
        """Lane 0's element in every lane of its warp."""
        if isinstance(const, int):
            return const
        return self.space.intern(const.data[:, :1])

    def same_lanes(self, a: Form, b: Form) -> bool:
        """Whether ``a - b`` is warp-uniform."""
        try:
            return self.is_uniform(self.sub(a, b))
        except LaneOverflowError:
            return False

    def hull(self, values: Sequence[Form]) -> Form:
        """One of several equal forms, with the range of all."""
        first = values[0]
        return Form(
            first.bits,
            first.terms,
            first.const,
            min(v.lo for v in values),
            max(v.hi for v in values),
        )

    def substitute(self, a: Form, number: int, value: int) -> Form:
        """``a`` with atom ``number`` fixed to ``value``."""
        terms: dict[Monomial, Coefficient] = {}
        const = a.const
        for monomial, coefficient in a.terms:
            power = monomial.count(number)
            scaled = self.space.mul(coefficient, value**power) if power else coefficient
            left = tuple(n for n in monomial if n != number) if power else monomial
            if not left:
                const = self.space.add(const, scaled)
            else:
                old = terms.get(left)
                terms[left] = scaled if old is None else self.space.add(old, scaled)
        return self._tight(self.build(a.bits, terms, const), a.lo, a.hi)

    def without_void_choices(self, a: Form) -> Form:
        """``a`` less the terms ``c * d`` where the choice ``c`` is 1 only where ``d`` is 0.

        ``row = x % n ? x % n - 1 : n - 1`` leaves such terms in ``row + n * column``.
        """
        numbers = {n for m, _ in a.terms for n in m if self.atoms[n].predicate is not None}
        if not numbers:
            return a
        terms = dict(a.terms)
        changed = False
        for number in sorted(numbers):
            predicate = self.atoms[number].predicate
            zero = predicate.zero_if[1] if predicate is not None else None
            if zero is None:
                continue
            tied = {m: c for m, c in terms.items() if number in m}
            rest: dict[Monomial, Coefficient] = {}
            for monomial, coefficient in tied.items():
                left = tuple(n for n in monomial if n != number)
                rest[left] = self.space.add(rest.get(left, 0), coefficient)
            if _is_multiple(self.space, rest, zero):
                terms = {m: c for m, c in terms.items() if m not in tied}
                changed = True
        return self._tight(self.build(a.bits, terms, a.const), a.lo, a.hi) if changed else a

    # --- printing ----------------------------------------------------------------------------

    def describe(self, value: Value) -> str:
        """A value in words that its user can read, e.g. ``n*ty + 16*blockIdx.x + lane``."""
        if isinstance(value, Aggregate):
            return "{" + ", ".join(self.describe(e) for e in value.elements) + "}"
        if isinstance(value, Predicate):
            return f"predicate({value.shape.name.lower()}, {vector_text(value.lanes)})"
        parts = [term_text(self._monomial_text(m), c) for m, c in value.terms]
        if value.const != 0 or not parts:
            text = self._vector_texts.get(value.const)
            if text is None:
                text = self._vector_texts[value.const] = vector_text(value.const)
            parts.append(text)
        return " + ".join(parts).replace("+ -", "- ")

    def _monomial_text(self, monomial: Monomial) -> str:
        return "*".join(
            f"?{self.atoms[n].name}" if self.atoms[n].varying else self.atoms[n].name
            for n in monomial
        )


def _is_multiple(space: LaneSpace, terms: dict[Monomial, Coefficient], form: Form) -> bool:
    """Whether ``terms`` (() for the constant) are an integer times ``form``."""
    wanted = {**dict(form.terms), (): form.const}
    factor = None
    for monomial, coefficient in wanted.items():
        mine = terms.get(monomial, 0)
        if isinstance(coefficient, int) and isinstance(mine, int) and coefficient:
            if mine % coefficient:
                return False
            factor = mine // coefficient
            break
    if not factor:
        return False
    left = {m: c for m, c in terms.items() if c != 0}
    scaled = {m: space.mul(c, factor) for m, c in wanted.items() if c != 0}
    return left == scaled
