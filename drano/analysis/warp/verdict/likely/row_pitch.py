"""Whether an unknown number between lanes is a row's length, or a stride that may well be 1.

``a[i * n]`` leaves lanes ``n`` elements apart. A row's length keeps neighbours in different
sectors; the stride of a tensor or of a vector, passed or read from a descriptor, is 1 as often as
not, and then they are side by side. A block's number or a loop's counter is 0, too. Only how the
kernel uses the number tells the two apart. It is taken for a length where the kernel

* adds an index to a multiple of it, in this address or any other: ``a[i * n + k]``;
* compares an index with it: ``k < n``;
* multiplies it with other numbers before it is the distance of lanes.

In blocks narrower than a warp, rows of just that length lie side by side: then the verdict has the
condition that they are longer.

Lengths are passed, read, or computed of such numbers (``C / heads``), and may reach a warp's 32.

Otherwise, where the access would not be uncoalesced if the number were 1 (or 0), that is *possible*
only: the verdict has the condition that the number parts lanes by a sector, and the reason names
it. Assumed: an index that is added stays below the number. Products of an
index and another such number (``j * strides[1]``) are other strides, no index within a row, and so
are different multiples of one number, which unrolled loops over ``j`` leave. In more
bits (``size_t(n)``) a number is the same number.
What is assumed of a name (``--assume``) decides its accesses.
Limits: numbers that are read in several places count as several, unless they have one name.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

import numpy as np
from msgspec.structs import replace

from drano.analysis.access_sites import Site
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.conditions import condition_text
from drano.analysis.warp.verdict.judge import active_at, address_of, judge_where, traffic_at
from drano.analysis.warp.verdict.value_text import moving_terms
from drano.ir.model import Compare, IntType
from drano.lattice import (
    Atom,
    Cause,
    Coefficient,
    Form,
    LaneOverflowError,
    Warp,
    is_warp_uniform,
)
from drano.lattice.warp.substitution import substitute
from drano.model.hardware import SECTOR_BYTES, UNCOALESCED_FROM, WARP_SIZE
from drano.model.judgement import UNKNOWN, Judgement, Pattern, Space, Verdict
from drano.traffic.needs import AtLeast, Need
from drano.traffic.typical_way import typically

_GIVEN = frozenset({Cause.PARAMETER, Cause.MEMORY})
_BORDERS = frozenset({Cause.CHOICE, Cause.WRAP})


class Pitches:
    """The numbers that stand between lanes in one run of a function."""

    def __init__(self, run: WarpState, sites: list[Site]) -> None:
        self._run = run
        self._sites = sites

    def weigh(self, site: Site, judgement: Judgement) -> Judgement:
        """The judgement; merely possible where it rests on a number that may be 1, or 0."""
        if not judgement.flagged or judgement.space is Space.SHARED:
            return judgement
        found = self._deciding(site)
        if found is None:
            return self._for_longer_rows(site, judgement)
        atoms, value = found
        assumed = self._assumed(atoms)
        if assumed:
            return judge_where(self._run, site, judgement, assumed)
        needs = self._apart(site, atoms)
        sectors = judgement.sectors
        worst = (sectors.expected or sectors.maximum) / sectors.ideal if sectors else 1.0
        stride = judgement.stride
        longer = condition_text(self._run.warp, needs)
        apart = f"neighbouring lanes are {stride} apart" if stride else "lanes are spread"
        return replace(
            judgement, verdict=Verdict.UNCOALESCED if needs else Verdict.UNKNOWN,
            weight=UNKNOWN + worst,
            condition=" and ".join(filter(None, (judgement.condition, longer))),
            pattern=Pattern.COLUMN_MAJOR, says_stride=False,
            reason=f"{apart}, and `{atoms[0].name}` may be {value}",
        )  # fmt: skip

    def _assumed(self, atoms: list[Atom]) -> dict[int, int]:
        """What the user says that numbers are."""
        said = dict(self._run.options.assume)
        return {atom.number: int(said[atom.name]) for atom in atoms if atom.name in said}

    def _apart(self, site: Site, atoms: list[Atom]) -> tuple[Need, ...]:
        """From which size on the numbers part all lanes by a sector; () where that is not known."""
        warp = self._run.warp
        address = typically(warp, address_of(self._run, site))
        found = []
        for atom in atoms:
            between = [c for m, c in address.terms if self._uniform_part(m) == (atom.number,)]
            steps = [_least_step(warp, c) for c in between if not is_warp_uniform(c)]
            if not steps:
                return ()
            least = -(-SECTOR_BYTES // min(steps))
            if max(abs(atom.lo), abs(atom.hi)) < least or self._together(
                site, address, [atom], least
            ):
                return ()
            found.append(AtLeast(warp.alone(atom.number), least))
        return tuple(found)

    def _for_longer_rows(self, site: Site, judgement: Judgement) -> Judgement:
        """The judgement of rows of some length; in narrow blocks short ones may lie side by side,
        and then it is the condition that they are longer.
        """
        width = self._run.layout.block_dim[0]
        narrow = width.lo
        if width.terms or narrow >= WARP_SIZE:
            return judgement
        address = typically(self._run.warp, address_of(self._run, site))
        between = {m[0] for m, _ in moving_terms(self._run.warp, address) if len(m) == 1}
        for atom in (self._run.warp.atoms[n] for n in sorted(between)):
            for value in range(WARP_SIZE, narrow - 1, -1):
                given = self._is_given(atom) and not atom.varying
                if (
                    given
                    and self._may_be(atom, value)
                    and self._together(site, address, [atom], value)
                ):
                    longer = f"{atom.name} > {value}"
                    both = f"{judgement.condition} and {longer}"
                    return replace(judgement, condition=both if judgement.condition else longer)
        return judgement

    def _deciding(self, site: Site) -> tuple[list[Atom], int] | None:
        """Numbers between lanes, and what they may be so that these lie together; None: there are
        none, or the kernel uses them as lengths.
        """
        address = typically(self._run.warp, address_of(self._run, site))
        moving = moving_terms(self._run.warp, address)
        between = [self._uniform_part(monomial) for monomial, _ in moving]
        numbers = dict.fromkeys(m[0] for m in between if len(m) == 1)
        atoms = [self._run.warp.atoms[number] for number in numbers]
        atoms = [atom for atom in atoms if self._name(atom) not in self._lengths]
        in_bytes = any(step in (1, -1) for _, step in moving)
        for value in dict.fromkeys((site.bytes, 1, 0) if in_bytes else (1, 0, site.bytes)):
            free = [atom for atom in atoms if self._may_be(atom, value)]
            for chosen in (*([atom] for atom in free), free):
                if chosen and self._together(site, address, chosen, value):
                    return chosen, value
        return None

    def _uniform_part(self, monomial: tuple[int, ...]) -> tuple[int, ...]:
        """What stands between lanes: that a border holds some of them is no number of its own."""
        atoms = self._run.warp.atoms
        return tuple(n for n in monomial if not (atoms[n].varying and atoms[n].cause in _BORDERS))

    def _together(self, site: Site, address: Form, chosen: list[Atom], value: int) -> bool:
        """Whether the access is not proved uncoalesced where all of ``chosen`` are ``value``."""
        warp = self._run.warp
        for number in {n for monomial, _ in address.terms for n in monomial}:
            if warp.atoms[number].cause is Cause.WRAP:
                address = substitute(warp, address, number, 0)
        for atom in chosen:
            address = substitute(warp, address, atom.number, value)
        mask = active_at(self._run, site)
        assert mask is not None  # the site was judged
        try:
            traffic = traffic_at(self._run, site, address, mask)
        except LaneOverflowError:
            return False
        ideal, least = max(traffic.ideal_total, 1), traffic.sectors.typical_least
        # A run that starts anywhere in a sector takes one more in each warp.
        return least < UNCOALESCED_FROM * ideal or least <= ideal + traffic.warps

    @cached_property
    def _lengths(self) -> frozenset[object]:
        """Names of the numbers that the kernel uses as lengths."""
        found: set[object] = set()
        for address, size in self._addresses:
            found |= self._of_address(address, size)
        for block in self._run.function.blocks:
            for i in block.instructions:
                if isinstance(i, Compare) and isinstance(i.operand_type, IntType):
                    found |= self._of_comparison(i, block.index, i.operand_type.bits)
        return frozenset(found)

    @cached_property
    def _addresses(self) -> list[tuple[Form, int]]:
        """What the kernel accesses, as far as it is known, and the bytes of each."""
        found = []
        for site in self._sites:
            try:
                found.append((address_of(self._run, site), site.bytes))
            except (NotReadyError, LaneOverflowError):
                continue
        return found

    @cached_property
    def _steps(self) -> frozenset[object]:
        """Names of given numbers of which addresses add different multiples."""
        multiples: dict[object, set[int]] = {}
        for address, _ in self._addresses:
            for monomial, coefficient in address.terms:
                atom = self._run.warp.atoms[monomial[0]]
                if len(monomial) == 1 and isinstance(coefficient, int) and self._is_given(atom):
                    multiples.setdefault(self._name(atom), set()).add(coefficient)
        return frozenset(name for name, several in multiples.items() if len(several) > 1)

    def _of_address(self, address: Form, size: int) -> set[object]:
        """Factors of an address to whose multiples an index is added."""
        terms = [t for t in address.terms if not self._is_wrap(t[0])]
        found = set()
        for monomial, coefficient in terms:
            for number in monomial:
                atom = self._run.warp.atoms[number]
                alone = len(monomial) == 1 and isinstance(coefficient, int)
                if not _may_be_length(atom) or atom.varying or atom.space or alone:
                    continue
                rest = [t for t in terms if number not in t[0]]
                beyond = not isinstance(address.const, int) or abs(address.const) >= size
                beyond = beyond and self._is_given(atom)
                if beyond or any(self._is_index(m, c, size) for m, c in rest):
                    found.add(self._name(atom))
        return found

    def _is_index(self, monomial: tuple[int, ...], coefficient: Coefficient, size: int) -> bool:
        """Whether a term is an index within a row: neither where the array is, nor a stride's."""
        if not isinstance(coefficient, int):
            return not any(self._is_given(self._run.warp.atoms[n]) for n in monomial)
        atoms = [self._run.warp.atoms[n] for n in monomial]
        if any(atom.cause is Cause.CHOICE for atom in atoms):
            return False  # what is chosen may be where a part of the array starts
        if len(atoms) == 1 and (narrow := self._narrow(atoms[0])) is not None:
            parts = ((m, self._run.warp.space.mul(c, coefficient)) for m, c in narrow.terms)
            return any(self._is_index(m, c, size) for m, c in parts)
        if len(atoms) > 1:
            return not any(map(self._is_given, atoms))
        if self._is_given(atoms[0]) and (coefficient < 0 or self._name(atoms[0]) in self._steps):
            return False  # where rows start, as a padding; or another stride, a constant times
        pointer = atoms[0].cause is Cause.POINTER or bool(atoms[0].space)
        return not pointer and (abs(coefficient) >= max(size, 2) or atoms[0].cause is Cause.LOOP)

    def _narrow(self, atom: Atom) -> Form | None:
        """The sum of fewer bits that a number is in more bits; None where it is a single number."""
        match self._keys.get(atom.number):
            case "sext" | "zext", Form(terms=terms) as form if (
                len(terms) > 1 or len(terms[0][0]) > 1
            ):
                return form
            case _:
                return None

    @cached_property
    def _keys(self) -> dict[int, Hashable]:
        return self._run.warp.keys()

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
                found.add(self._name(atom))
        return found

    def _lone(self, form: Form) -> Atom | None:
        """The number that a form is, but for a constant."""
        if len(form.terms) != 1 or not isinstance(form.const, int):
            return None
        monomial, coefficient = form.terms[0]
        atom = self._run.warp.atoms[monomial[0]]
        plain = len(monomial) == 1 and coefficient == 1 and not atom.varying
        plain = plain and _may_be_length(atom)
        return atom if plain else None

    def _indexes(self, form: Form) -> bool:
        """Whether a form has a thread's or a block's number in it, or a loop's counter."""
        if not isinstance(form.const, int):
            return True
        atoms = [self._run.warp.atoms[n] for monomial, _ in form.terms for n in monomial]
        return any(atom.cause in {Cause.INDEX, Cause.LOOP} for atom in atoms)

    def _is_wrap(self, monomial: tuple[int, ...]) -> bool:
        return any(self._run.warp.atoms[n].cause is Cause.WRAP for n in monomial)

    @cached_property
    def _given_names(self) -> frozenset[str]:
        atoms = self._run.warp.atoms
        return frozenset(atom.name for atom in atoms if atom.cause in _GIVEN and _is_one(atom))

    def _is_given(self, atom: Atom) -> bool:
        """Whether a number is passed or read, or is such a one in more bits (``size_t(n)``), which
        has its name.
        """
        if atom.cause is Cause.NONLINEAR:
            return not atom.varying and atom.name in self._given_names
        return atom.cause in _GIVEN

    def _may_be(self, atom: Atom, value: int) -> bool:
        """Whether a number may well have a value: those that a program is given are not 0."""
        if value == 0 and self._is_given(atom):
            return False
        within = atom.lo <= value <= atom.hi
        return within and (value - atom.residue) % (atom.modulus or 2) == 0

    def _name(self, atom: Atom) -> object:
        """What tells a number from others: its number, where its name stands for many."""
        return atom.name if self._is_given(atom) and _is_one(atom) else atom.number


def _least_step(warp: Warp, coefficient: Coefficient) -> int:
    """The least distance of two lanes of a warp that differ, in bytes for each 1 of a number."""
    steps = abs(np.diff(np.sort(warp.space.array(coefficient), axis=1), axis=1))
    return int(steps[steps > 0].min())


def _may_be_length(atom: Atom) -> bool:
    """Whether an index may stay below a number: one that is given, or computed of given ones, as
    ``C / heads``. What is less than a warp anyway, as ``n % 16`` or one bit of ``n``, is none.
    """
    if atom.cause is Cause.NONLINEAR:
        return atom.bit_of is None and atom.hi >= WARP_SIZE
    return atom.cause in _GIVEN


def _is_one(atom: Atom) -> bool:
    """Whether a name stands for one number."""
    return bool(atom.name) and "…" not in atom.name
