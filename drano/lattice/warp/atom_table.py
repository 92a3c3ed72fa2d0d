"""The atoms of one block layout: the unknowns that forms are made of, and what is known of each.

An atom is found by its key: whoever asks for it again adds what else it may be. Its facts (range,
residue, whether lanes differ in it) only weaken; ``AtomTable.version`` is the clock of all changes,
``Atom.changed_at`` the time of the last one. Ranges of products are kept until a range changes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import gcd

from msgspec.structs import replace

from drano.lattice import congruence as congruences
from drano.lattice.congruence import Congruence
from drano.lattice.warp.forms import (
    Atom,
    Cause,
    FirstOf,
    Form,
    Monomial,
    Phased,
    Predicate,
    Shape,
    Steps,
    UniformBit,
    product_range,
    same_bound,
    signed_range,
)

_RANGE_CHANGES_BEFORE_WIDENING = 3
_REBOUNDS = 6  # other bounds of one choice before none is known

_LINE_ELEMENTS = 128

# Characters: a name may be made of others, which would double it with each step of arithmetic.
_LONGEST_NAME = 240

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


class AtomTable:
    """The atoms by number and by key; it only grows, and its facts only weaken."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.version = 0
        self.product_ranges: dict[Monomial, tuple[int, int]] = {}  # those asked for so far
        self._by_key: dict[Hashable, Atom] = {}
        self._caps: dict[Monomial, tuple[int, int]] = {}

    def constant(self, value: int, bits: int) -> Form:
        """The same known integer in every lane."""
        return Form(bits, (), value, value, value)

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
                self.touch(found)
        return Form(bits, (((found.number,), 1),), 0, found.lo, found.hi)

    def _rebind(self, atom: Atom, predicate: Predicate) -> None:
        """Another predicate of a choice: what was concluded from its bound is to be found anew."""
        changed = atom.predicate is not None and not same_bound(atom.predicate, predicate)
        if changed and atom.rebounds <= _REBOUNDS:
            atom.rebounds += 1
            self.touch(atom)
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
            self.touch(atom)
            if before[1:3] != after[1:3]:
                self.product_ranges.clear()

    def note_rest(self, rest: Form, whole: Form, divisor: int) -> None:
        """Remember of ``rest``, an atom or a constant, that ``whole - rest`` is a multiple of
        ``divisor``, whatever becomes of both; of several divisors, of what divides them all.
        """
        if not rest.terms or not isinstance(whole.const, int):
            return
        atom = self.atoms[rest.terms[0][0][0]]
        shared = divisor if atom.rest_of is None else gcd(atom.rest_of[1], divisor)
        found = (*whole.terms, ((), whole.const)), shared
        if atom.rest_of not in {None, found}:
            self.touch(atom)
        atom.rest_of = found

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
            self.product_ranges.clear()

    def monomial_range(self, monomial: Monomial) -> tuple[int, int]:
        """Bounds of a product of atoms."""
        known = self.product_ranges.get(monomial)
        if known is None:
            known = self.product_ranges[monomial] = self._compute_range(monomial)
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
            result = product_range(result, (atom.lo, atom.hi))
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

    def touch(self, atom: Atom) -> None:
        """A fact of an atom has changed."""
        self.version += 1
        atom.changed_at = self.version
