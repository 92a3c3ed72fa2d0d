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
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import gcd

from drano.lattice import congruence as congruences
from drano.lattice.congruence import Congruence
from drano.lattice.warp.atom_table import AtomTable
from drano.lattice.warp.divisions import Divisions
from drano.lattice.warp.forms import (
    Aggregate,
    Atom,
    Form,
    Monomial,
    Predicate,
    Shape,
    Term,
    Value,
    product_range,
    signed_range,
    term_text,
    tightened,
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


class Warp(AtomTable):
    """The domain for one block layout: its atoms, its lane vectors, and the arithmetic on forms.

    All methods are functions of their arguments, but for the table of atoms, which only grows
    and whose facts only weaken.
    """

    def __init__(self, space: LaneSpace) -> None:
        super().__init__()
        self.space = space
        # counts of equal patterns, kept by ``traffic.transactions``
        self.traffic_memo: dict[Hashable, object] = {}
        self._vector_texts: dict[Coefficient, str] = {}
        self.divisions = Divisions()

    # --- making values -----------------------------------------------------------------------

    def lanes(self, value: Coefficient, bits: int) -> Form:
        """A known integer per lane."""
        return Form(bits, (), value, low(value), high(value))

    def with_noted_bounds(self, value: Form) -> Form:
        """``value`` with bounds that were noted of its sum."""
        bounds = self.divisions.bounds(value)
        if bounds is None:
            return value
        return self.build(value.bits, dict(value.terms), value.const, bounds)

    # --- asking about values -----------------------------------------------------------------

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
        """Residue of a sum of terms over uniform atoms; ``likely``: by ``Atom.likely``.

        Example: ``n - n % 256`` is 0 mod 256.
        """
        found, rests = self._congruence(terms, likely=likely)
        if not rests or not found.modulus:
            return found
        step, whole = self._with_dividends(terms)
        known, _ = self._congruence(whole, likely=likely)
        known = congruences.add(known, Congruence(step, 0))
        return known if known.modulus > found.modulus else found

    def _with_dividends(self, terms: Iterable[Term]) -> tuple[int, list[Term]]:
        """``(step, others)``: a sum is that of ``others`` but for a multiple of ``step``, where the
        place of remainders is taken by what they are left of.
        """
        step = 0
        total: dict[Monomial, Coefficient] = {}
        for monomial, coefficient in terms:
            rest = self.atoms[monomial[0]].rest_of if len(monomial) == 1 else None
            parts: tuple[Term, ...] = ((monomial, 1),)
            if rest is not None and isinstance(coefficient, int):
                parts, divisor = rest
                step = gcd(step, coefficient * divisor)
            for part, factor in parts:
                product = self.space.mul(factor, coefficient)
                total[part] = self.space.add(total.get(part, 0), product)
        return step, [(monomial, factor) for monomial, factor in total.items() if factor != 0]

    def _congruence(self, terms: Iterable[Term], *, likely: bool) -> tuple[Congruence, bool]:
        """``congruence`` by what is known of each atom; and whether one is a remainder."""
        modulus, residue, rests = 0, 0, False
        for monomial, coefficient in terms:
            if not isinstance(coefficient, int):
                if not is_warp_uniform(coefficient):
                    return congruences.TOP, False
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
                rests = rests or atom.rest_of is not None
                modulo, rest = atom.likely if likely else (atom.modulus, atom.residue)
                m = gcd(gcd(factor_m * modulo, factor_m * rest), factor_r * modulo)
                factor_m, factor_r = m, factor_r * rest
                if m:
                    factor_r %= m
            modulus = gcd(modulus, factor_m)
            residue += factor_r
        return Congruence(modulus, residue % modulus if modulus else residue), rests

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
        ranges = self.product_ranges
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
                least, most = product_range((bottom, top), (coefficient.lo, coefficient.hi))
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
        noted = self.divisions.bounds(value)
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
            return tightened(self.build(a.bits, {}, const, clip), a.lo + b.lo, a.hi + b.hi)
        terms = dict(a.terms)
        for monomial, coefficient in b.terms:
            old = terms.get(monomial)
            terms[monomial] = coefficient if old is None else self.space.add(old, coefficient)
        return tightened(self.build(a.bits, terms, const, clip), a.lo + b.lo, a.hi + b.hi)

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
        return tightened(self.build(a.bits, terms, const, clip), a.lo - b.hi, a.hi - b.lo)

    def scale(self, a: Form, factor: Coefficient) -> Form:
        """Product with a known integer per lane, mod 2**bits."""
        terms = {m: self.space.mul(c, factor) for m, c in a.terms}
        result = self.build(a.bits, terms, self.space.mul(a.const, factor))
        bounds = product_range((a.lo, a.hi), (low(factor), high(factor)))
        return tightened(result, *bounds)

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
        return tightened(result, *product_range((a.lo, a.hi), (b.lo, b.hi)))

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
