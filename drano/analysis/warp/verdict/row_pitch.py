"""Whether an unknown number between lanes is a row's length, or a stride that may well be 1.

``a[i * n]`` leaves lanes ``n`` elements apart. A row's length keeps neighbours in different
sectors; the stride of a tensor or of a vector, passed or read from a descriptor, is 1 as often as
not, and then they are side by side. Only how the kernel uses the number tells the two apart. It is
taken for a length where the kernel

* adds an index to a multiple of it, in this address or any other: ``a[i * n + k]``;
* compares an index with it: ``k < n``;
* multiplies it with other numbers, or more than an element, before it is the distance of lanes.

Otherwise the access is *unknown*, and the reason names the number. Assumed: an index that is added
stays below the number. Products of an index and another such number (``j * strides[1]``) are other
strides, no index within a row.
Limits: numbers that are read in several places count as several, unless they have one name.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from drano.analysis.access_sites import Site
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.value_text import moving_terms
from drano.ir.model import Compare, IntType
from drano.ir.target import POINTER_BITS
from drano.lattice import Atom, Cause, Coefficient, Form, LaneOverflowError
from drano.model.judgement import UNKNOWN, Judgement, Pattern, Verdict

_GIVEN = frozenset({Cause.PARAMETER, Cause.MEMORY})


class Pitches:
    """The numbers that stand between lanes in one run of a function."""

    def __init__(self, run: WarpState, sites: list[Site]) -> None:
        self._run = run
        self._sites = sites

    def weigh(self, site: Site, judgement: Judgement) -> Judgement:
        """The judgement; unknown where it rests on a number that may be 1."""
        proved = judgement.verdict is Verdict.UNCOALESCED
        if not proved or judgement.pattern is not Pattern.COLUMN_MAJOR:
            return judgement
        factor = self._factor(site)
        if factor is None or _name(factor[0]) in self._lengths:
            return judgement
        atom, value = factor
        sectors = judgement.sectors
        worst = (sectors.expected or sectors.maximum) / sectors.ideal if sectors else 1.0
        return replace(
            judgement, verdict=Verdict.UNKNOWN, weight=UNKNOWN + worst,
            condition="", reason=f"neighbouring lanes are {judgement.stride} apart, "
            f"and `{atom.name}` may be {value}",
        )  # fmt: skip

    def _factor(self, site: Site) -> tuple[Atom, int] | None:
        """What alone stands between lanes, and of which value they would be side by side: 1, or the
        bytes of an element; None where there is more to it.
        """
        address = self._run.form(site.pointer, site.block, POINTER_BITS)
        moving = moving_terms(self._run.warp, address)
        if len(moving) != 1 or not isinstance(address.const, int):
            return None
        ((monomial, step),) = moving
        atoms = [self._run.warp.atoms[n] for n in monomial]
        if len(atoms) != 1 or not step or site.bytes % step:
            return None
        atom, value = atoms[0], site.bytes // abs(step)
        possible = atom.lo <= value <= atom.hi and not (value - atom.residue) % (atom.modulus or 2)
        return (atom, value) if possible and atom.cause in _GIVEN else None

    @cached_property
    def _lengths(self) -> frozenset[object]:
        """Names of the numbers that the kernel uses as lengths."""
        found: set[object] = set()
        for site in self._sites:
            try:
                address = self._run.form(site.pointer, site.block, POINTER_BITS)
            except (NotReadyError, LaneOverflowError):
                continue
            found |= self._of_address(address, site.bytes)
        for block in self._run.function.blocks:
            for i in block.instructions:
                if isinstance(i, Compare) and isinstance(i.operand_type, IntType):
                    found |= self._of_comparison(i, block.index, i.operand_type.bits)
        return frozenset(found)

    def _of_address(self, address: Form, size: int) -> set[object]:
        """Factors of an address to whose multiples an index is added."""
        terms = [t for t in address.terms if not self._is_wrap(t[0])]
        found = set()
        for monomial, coefficient in terms:
            for number in monomial:
                atom = self._run.warp.atoms[number]
                alone = len(monomial) == 1 and isinstance(coefficient, int)
                if atom.cause not in _GIVEN or atom.space or alone:
                    continue
                rest = [t for t in terms if number not in t[0]]
                beyond = not isinstance(address.const, int) or abs(address.const) >= size
                if beyond or any(self._is_index(m, c, size) for m, c in rest):
                    found.add(_name(atom))
        return found

    def _is_index(self, monomial: tuple[int, ...], coefficient: Coefficient, size: int) -> bool:
        """Whether a term is an index within a row: neither where the array is, nor a stride's."""
        if not isinstance(coefficient, int):
            return all(self._run.warp.atoms[n].cause not in _GIVEN for n in monomial)
        atoms = [self._run.warp.atoms[n] for n in monomial]
        if len(atoms) > 1:
            return not any(atom.cause in _GIVEN for atom in atoms)
        pointer = atoms[0].cause is Cause.POINTER or bool(atoms[0].space)
        return not pointer and (abs(coefficient) >= max(size, 2) or atoms[0].cause is Cause.LOOP)

    def _of_comparison(self, i: Compare, block: int, bits: int) -> set[object]:
        """A number that an index is compared with."""
        try:
            sides = [self._run.form(side, block, bits) for side in (i.lhs, i.rhs)]
        except (NotReadyError, LaneOverflowError):
            return set()
        found = set()
        for one, other in (sides, sides[::-1]):
            atom = self._lone(one)
            if atom is not None and self._indexes(other):
                found.add(_name(atom))
        return found

    def _lone(self, form: Form) -> Atom | None:
        """The given number that a form is, but for a constant."""
        if len(form.terms) != 1 or not isinstance(form.const, int):
            return None
        monomial, coefficient = form.terms[0]
        atom = self._run.warp.atoms[monomial[0]]
        plain = len(monomial) == 1 and coefficient == 1 and atom.cause in _GIVEN
        return atom if plain else None

    def _indexes(self, form: Form) -> bool:
        """Whether a form has a thread's or a block's number in it, or a loop's counter."""
        if not isinstance(form.const, int):
            return True
        atoms = [self._run.warp.atoms[n] for monomial, _ in form.terms for n in monomial]
        return any(atom.cause in {Cause.INDEX, Cause.LOOP} for atom in atoms)

    def _is_wrap(self, monomial: tuple[int, ...]) -> bool:
        return all(self._run.warp.atoms[n].cause is Cause.WRAP for n in monomial)


def _name(atom: Atom) -> object:
    """What tells a number from others: its number, where its name stands for many."""
    return atom.name if atom.name and "…" not in atom.name else atom.number
