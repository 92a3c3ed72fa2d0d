"""Concrete worlds for the warp domain: values for atoms, and what a form is in each of them.

A world gives every atom a value in each lane of each warp, in several *valuations*, within the
atom's facts: one value per warp for uniform atoms. Atoms that an operation makes are given the
value that their key says (``("floordiv", f, 4)`` is ``f // 4``), which is checked against the facts
claimed of them; those of unnamed functions may have any value that explains the result.

Arrays have the shape ``(valuations, warps, 32)`` and hold Python integers, so nothing overflows.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from drano.lattice import (
    Atom,
    Cause,
    Coefficient,
    Congruence,
    Form,
    LaneSpace,
    LaneVector,
    LevelSet,
    Phase,
    Phased,
    Predicate,
    Shape,
    Steps,
    Warp,
    signed_range,
)

Exact: TypeAlias = npt.NDArray[np.object_]
Truth: TypeAlias = npt.NDArray[np.bool_]
VALUATIONS, WARPS = 4, 2
SHAPE = (VALUATIONS, WARPS, 32)
WIDTHS = (8, 16, 32, 64)


def signed(value: Exact, bits: int) -> Exact:
    """The bits as a signed number."""
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half


def unsigned(value: Exact, bits: int) -> Exact:
    """The bits as an unsigned number."""
    return value % (1 << bits)


def is_of_one_set(warp: Warp, level: LevelSet, holds: Truth, on: Truth) -> bool:
    """Whether the lanes of each warp where a condition holds have one number, and of all ``on``
    with that number they are those within.
    """
    numbers = np.broadcast_to(warp.space.array(level.values), on.shape)
    within = np.broadcast_to(warp.space.array(level.within.lanes), on.shape)
    first = np.take_along_axis(numbers, holds.argmax(axis=2)[:, :, None], axis=2)
    same = on & holds.any(axis=2)[:, :, None] & (numbers == first)
    left_out = same & ~holds & (within == 1)
    return not ((holds & (~same | (within == 0))) | left_out).any()


class World:
    """A warp domain with values for its atoms. ``rows``: (valuation, warp) pairs that count."""

    def __init__(self, random: np.random.Generator, valuations: int = VALUATIONS) -> None:
        self.random = random
        self.shape = (valuations, WARPS, 32)
        self.warp = Warp(LaneSpace(WARPS))
        self.rows: Truth = np.ones(self.shape[:2], dtype=np.bool_)
        self._values: dict[int, Exact] = {}
        self._truths: dict[Hashable, Truth] = {}

    # --- atoms and predicates that are given ---------------------------------------------------

    def fresh(
        self, name: str, bits: int, bounds: tuple[int, int], residue: Congruence, *, varying: bool
    ) -> Form:
        """A new atom with these facts, and values within them."""
        form = self.warp.atom(
            name, bits, name, Cause.PARAMETER, varying=varying, bounds=bounds, residue=residue
        )
        if form.terms:
            self._values[form.terms[0][0][0]] = self._draw(bounds, residue, varying)
        return form

    def _draw(self, bounds: tuple[int, int], residue: Congruence, varying: bool) -> Exact:
        modulus = max(residue.modulus, 1)
        first = bounds[0] + (residue.residue - bounds[0]) % modulus
        count = (bounds[1] - first) // modulus + 1
        shape = self.shape if varying else (*self.shape[:2], 1)
        picks = np.empty(shape, dtype=object)
        for at in np.ndindex(shape):
            kind = self.random.integers(0, 4)
            near = int(self.random.integers(0, 4))
            anywhere = int(self.random.integers(0, 1 << 62)) * 5 % count
            step = (min(near, count - 1), max(count - 1 - near, 0), anywhere, anywhere)[kind]
            picks[at] = first + step * modulus
        return np.broadcast_to(picks, self.shape).copy()

    def condition(self, name: str, lanes: Coefficient, shape: Shape) -> Predicate:
        """A predicate whose unknown lanes look as ``shape`` says, and its truth."""
        known = np.broadcast_to(self.warp.space.array(lanes), self.shape)
        truth = self.random.integers(0, 2, self.shape) == 1
        if shape is Shape.UNIFORM:
            truth = np.broadcast_to(truth[:, :, :1], self.shape)
        elif shape in {Shape.ONE, Shape.ALL_BUT_ONE}:
            picked = self.random.integers(0, 40, (*self.shape[:2], 1))
            truth = (np.arange(32) == picked) ^ (shape is Shape.ALL_BUT_ONE)
        truth = np.where(known == 2, truth, known == 1)
        found = Predicate(lanes, shape, name)
        self._truths[name] = truth
        return found

    def learn(self, predicate: Predicate, truth: Truth) -> None:
        """The truth of a predicate, for the atoms made from it."""
        key, value = predicate.key, truth
        while isinstance(key, tuple) and len(key) == 2 and key[0] == "not":
            key, value = key[1], ~value
        self._truths[key] = value

    # --- meaning -------------------------------------------------------------------------------

    def array(self, value: Coefficient) -> Exact:
        """A coefficient in all lanes."""
        if isinstance(value, LaneVector):
            return np.broadcast_to(value.data.astype(object), self.shape)
        return np.full(self.shape, value, dtype=object)

    def sum(self, form: Form) -> Exact:
        """The sum of a form as a mathematical integer."""
        total = self.array(form.const)
        for monomial, coefficient in form.terms:
            product = self.array(coefficient)
            for number in monomial:
                product = product * self.atom(number)
            total = total + product
        return total

    def bits(self, form: Form) -> Exact:
        """The stored bits, unsigned."""
        return unsigned(self.sum(form), form.bits)

    def atom(self, number: int) -> Exact:
        """The value of an atom; worked out from its key, and checked, when met first."""
        found = self._values.get(number)
        if found is None:
            key = next(k for k, a in self.warp._by_key.items() if a.number == number)
            found = self._by_key(key)
            self._values[number] = found
            self.check_facts(self.warp.atoms[number], found)
        return found

    def explain(self, key: Hashable, result: Exact, bits: int) -> None:
        """Give the atom of an unnamed function the value that its result shows."""
        atom = self.warp._by_key.get(key)
        if atom is None or atom.number in self._values:
            return
        self._values[atom.number] = self._representative(atom, result, bits)
        self.check_facts(atom, self._values[atom.number])

    @staticmethod
    def _representative(atom: Atom, value: Exact, bits: int) -> Exact:
        """The integer with these bits that lies in the atom's range."""
        return atom.lo + (value - atom.lo) % (1 << bits)

    def check_facts(self, atom: Atom, value: Exact) -> None:
        """What the domain claims of an atom."""
        on = np.broadcast_to(self.rows[..., None], self.shape)
        assert ((value >= atom.lo) & (value <= atom.hi) | ~on).all(), (atom, value[on])
        if atom.modulus:
            assert ((value - atom.residue) % atom.modulus == 0)[on].all(), (atom, value[on])
        if atom.rest_of is not None:
            terms, divisor = atom.rest_of
            whole = self.sum(Form(64, terms, 0, 0, 0))
            assert ((whole - value) % divisor == 0)[on].all(), (atom, value[on])
        if not atom.varying:
            assert (value == value[:, :, :1])[on].all(), atom
        if atom.steps is not None:
            self.check_steps(atom.steps, value)
            if atom.steps.even is not None:
                self.check_even(atom.steps, value)
        if atom.phased is not None:
            assert (value == self.in_its_phase(atom.phased))[on].all(), atom
        if atom.first_of is not None:
            phase, offset = atom.first_of.phase, self.array(atom.first_of.offset)
            assert (value == (self._whole(phase) + offset) // phase.modulus)[on].all(), atom

    def in_its_phase(self, phased: Phased) -> Exact:
        """What the lanes are said to hold in the phase that is."""
        number = self._whole(phased.phase) % phased.phase.modulus
        lanes = np.stack([self.array(lanes) for lanes in phased.lanes])
        return np.take_along_axis(lanes, number.astype(np.int64)[None], axis=0)[0]

    def _whole(self, phase: Phase) -> Exact:
        return self.sum(Form(64, phase.terms, 0, 0, 0))

    def check_even(self, steps: Steps, value: Exact) -> None:
        """Where no parent changes, a number goes on as it is said to, from one of its phases: what
        it does only changes where a lane comes to the next number.
        """
        assert steps.even is not None
        lanes, run = np.broadcast_to(self.array(steps.even.lanes), self.shape), steps.even.run
        parents = [self.atom(number) for number in sorted(steps.parents)]
        for at in np.argwhere(self.rows):
            where = tuple(at)
            same: dict[tuple[Any, ...], list[int]] = {}
            for lane in range(self.shape[2]):
                same.setdefault(tuple(p[where][lane] for p in parents), []).append(lane)
            for group in same.values():
                found, known = value[where][group], lanes[where][group]
                phases = {0, *(int(number) for number in -known % run)}
                fits = (found - (known + phase) // run for phase in phases)
                assert any((rest == rest[0]).all() for rest in fits), steps

    def check_steps(self, steps: Steps, value: Exact) -> None:
        """Breaks are where they may be, and as far apart as they must be."""
        order = np.broadcast_to(self.warp.space.array(steps.order), self.shape)
        parents = [self.atom(number) for number in sorted(steps.parents)]
        run = None if steps.run is None else self._length(steps.run)
        for at in np.argwhere(self.rows):
            where = tuple(at)
            lanes = np.argsort(order[where], kind="stable").tolist()
            before: int | None = None  # a break of its own lies behind this place
            for a, b in pairwise(lanes):
                near, far = int(order[where][a]), int(order[where][b])
                rise = value[where][b] - value[where][a]
                if steps.rise is not None:
                    assert 0 <= rise <= steps.rise * (far - near), steps
                if any(parent[where][a] != parent[where][b] for parent in parents):
                    before = near if steps.anew else None
                elif rise:
                    assert run is not None and far > near, steps
                    least = max(steps.least, run[where][0])
                    assert before is None or (far - before) * steps.slope > least, steps
                    before = near

    def _length(self, run: Form) -> Exact:
        """At most the absolute value of a divisor, however it is read."""
        total = self.sum(run)
        return np.minimum(unsigned(total, run.bits), abs(signed(total, run.bits)))

    def _by_key(self, key: Any) -> Exact:
        match key:
            case ("first", whole):
                return np.broadcast_to(self._by_key(whole)[:, :, :1], self.shape)
            case ("more", whole):
                found = self._by_key(whole)
                return found - found[:, :, :1]
            case (("sdiv" | "udiv") as name, Form() as a, Form() as b, int()):
                return divided(name, self.sum(a), self.sum(b), a.bits)
            case (("lshr" | "ashr") as name, Form() as a, Form() as b, int()):
                value = (signed if name == "ashr" else unsigned)(self.sum(a), a.bits)
                return value // 2 ** (self.bits(b) % a.bits)
            case ("floordiv", Form() as form, int(divisor), int()):
                return self.sum(form) // divisor
            case ("floordiv", Form() as form, int(divisor)):
                return self.sum(form) // divisor
            case ("mod", Form() as form, int(divisor)):
                return self.sum(form) % divisor
            case ("sext", Form() as form):
                return signed(self.sum(form), form.bits)
            case ("zext", Form() as form):
                return unsigned(self.sum(form), form.bits)
            case ("wrap", str(name), Form() as form):
                total = self.sum(form)
                reading = (signed if name == "sext" else unsigned)(total, form.bits)
                return (reading - total) >> form.bits
            case (("and" | "or" | "xor") as name, Form() as a, Form() as b):
                x, y = self.bits(a), self.bits(b)
                bits = {"and": x & y, "or": x | y, "xor": x ^ y}[name]
                return self._representative(self.warp._by_key[key], bits, a.bits)
            case (("sdiv" | "udiv" | "srem" | "urem") as name, Form() as a, Form() as b):
                result = divided(name, self.sum(a), self.sum(b), a.bits)
                return self._representative(self.warp._by_key[key], result, a.bits)
            case ("bit", Form() as form, int(place)):
                return self.bits(form) // 2**place % 2
            case ("high", name, Form() as a, Form() as b, int(size)):
                x, y = self.bits(a), self.bits(b)
                bits = {"and": x & y, "or": x | y, "xor": x ^ y}[name] // size * size
                return self._representative(self.warp._by_key[key], bits, a.bits)
            case ("pow2", Form() as form):
                return 2 ** (self.bits(form) % form.bits)
            case ("choice", predicate):
                return self._choice(self._truth(predicate), self.warp._by_key[key])
            case ("select", predicate, Form() as a, Form() as b):
                _, lanes = self.warp.split_warp(a)
                chosen = np.where(self._truth(predicate), self.sum(a), self.sum(b))
                atom = self.warp._by_key[key]
                exact = chosen if atom.varying else chosen - self.sum(lanes)
                if ((exact < atom.lo) | (exact > atom.hi)).any():  # then it is what the bits say
                    exact = self._representative(atom, exact, a.bits)
                return exact
        raise AssertionError(f"no meaning for {key}")

    def _truth(self, key: Any) -> Truth:
        match key:
            case ("towards zero", Form() as form, int(divisor)):
                return self._truth((key, "negative")) & self._truth((key, "rest"))
            case (("towards zero", Form() as form, int(divisor)), side):
                value = signed(self.sum(form), form.bits)
                return (value < 0 if side == "negative" else value % divisor != 0).astype(bool)
            case ("not", inner) if key not in self._truths:
                return ~self._truth(inner)
        return self._truths[key]

    def give(self, form: Form, values: Exact) -> None:
        """Set the value of a form that is one atom."""
        self._values[form.terms[0][0][0]] = np.broadcast_to(values, self.shape)

    def _choice(self, truth: Truth, atom: Atom) -> Exact:
        """A truth value as a number; only the lanes that are not known matter."""
        if atom.varying or atom.predicate is None:
            return truth.astype(object)
        open_ = np.broadcast_to(self.warp.space.array(atom.predicate.lanes) == 2, self.shape)
        return np.broadcast_to((truth & open_).any(axis=2, keepdims=True), self.shape).astype(
            object
        )

    # --- claims --------------------------------------------------------------------------------

    def check_form(self, form: Form, expected: Exact, bits: int) -> None:
        """The form stands for these bits, its range and uniformity hold."""
        assert form.bits == bits
        on = np.broadcast_to(self.rows[..., None], self.shape)
        total = self.sum(form)
        right = unsigned(total - expected, bits) == 0
        assert right[on].all(), (
            self.warp.describe(form), total[on & ~right][0], expected[on & ~right][0]
        )  # fmt: skip
        assert ((total >= form.lo) & (total <= form.hi))[on].all(), (form, total[on])
        if self.warp.is_uniform(form):
            assert (total == total[:, :, :1])[on].all(), form

    def check_truth(self, claim: Predicate, truth: Truth) -> None:
        """Known lanes are right, unknown ones look as the shape says."""
        lanes = np.broadcast_to(self.warp.space.array(claim.lanes), self.shape)
        on = np.broadcast_to(self.rows[..., None], self.shape)
        assert not (on & (lanes == 1) & ~truth).any(), claim
        assert not (on & (lanes == 0) & truth).any(), claim
        if claim.phased is not None:
            assert ((self.in_its_phase(claim.phased) == 1) == truth)[on].all(), claim
        if claim.below is not None:
            assert ((self.sum(claim.below) < 0) == truth)[on].all(), claim
        if claim.shape is Shape.OTHER:
            self._check_runs(claim.cut, truth)
            self._check_runs(claim.off_cut, ~truth)
        open_ = on & (lanes == 2)
        yes, no = (open_ & truth).sum(axis=2), (open_ & ~truth).sum(axis=2)
        match claim.shape:
            case Shape.EXACT:
                assert not open_.any(), claim
            case Shape.UNIFORM:
                assert not ((yes > 0) & (no > 0)).any(), claim
            case Shape.ONE:
                assert yes.max() <= 1, claim
            case Shape.ALL_BUT_ONE:
                assert no.max() <= 1, claim
        for level, holds in zip(claim.levels, (truth, ~truth), strict=True):
            if level is not None:
                assert is_of_one_set(self.warp, level, on & holds, on), claim
        if self.warp.is_uniform(claim):
            assert not (((on & truth).any(axis=2)) & ((on & ~truth).any(axis=2))).any(), claim

    def _check_runs(self, cut: frozenset[int], truth: Truth) -> None:
        """Between two breaks of these atoms the lanes are one run, in the order that they go."""
        steps = [self.warp.atoms[number].steps for number in sorted(cut)]
        if not steps:
            return
        assert steps[0] is not None
        order = np.broadcast_to(self.warp.space.array(steps[0].order), self.shape).astype(int)
        along = np.argsort(order, axis=2, kind="stable")
        values = np.stack([self.atom(number).astype(object) for number in sorted(cut)])
        for place in zip(*np.nonzero(self.rows), strict=True):
            lanes = along[place]
            on = truth[place][lanes]
            parts = values[(slice(None), *place)][:, lanes]
            breaks = (parts[:, 1:] != parts[:, :-1]).any(axis=0)
            for part in np.split(on, np.nonzero(breaks)[0] + 1):
                rises = int(part[0]) + int((~part[:-1] & part[1:]).sum())
                assert rises <= 1, (cut, on)


def divided(name: str, a: Exact, b: Exact, bits: int) -> Exact:
    """LLVM's division; 0 where it is undefined."""
    read = signed if name[0] == "s" else unsigned
    x, y = read(a, bits), read(b, bits)
    safe = np.where(y == 0, 1, y)
    quotient = abs(x) // abs(safe) * np.where((x < 0) ^ (safe < 0), -1, 1)
    return quotient if name.endswith("div") else x - quotient * safe


# --- drawing -----------------------------------------------------------------------------------

worlds = st.builds(lambda seed: World(np.random.default_rng(seed)), st.integers(0, 1 << 30))


@st.composite
def vectors(draw: st.DrawFn, world: World) -> Coefficient:
    """Patterns that programs make of lanes and warps."""
    lane = np.broadcast_to(np.arange(32, dtype=np.int64), (WARPS, 32))
    row = np.broadcast_to(np.arange(WARPS, dtype=np.int64)[:, None], (WARPS, 32))
    amount = draw(st.sampled_from((1, 2, 3, 4, 5, 8, 16, 31, 64, -1, -4)))
    kind = draw(st.integers(0, 7))
    positive = abs(amount)
    data = (
        lane, lane + 32 * row, lane // positive, lane % positive, lane ^ positive,
        row, (lane < positive).astype(np.int64), (lane + 20 * row) % 24,
    )[kind]  # fmt: skip
    scale = draw(st.sampled_from((1, 1, amount, 7)))
    return world.warp.space.intern(data * scale + draw(st.sampled_from((0, 0, 1, -3, 100))))


@st.composite
def coefficients(draw: st.DrawFn, world: World) -> Coefficient:
    """Mostly plain integers."""
    if draw(st.integers(0, 3)) == 0:
        return draw(vectors(world))
    return draw(st.sampled_from((1, 1, 2, 3, 4, 8, 12, 32, 64, 256, -1, -2, -8)))


@st.composite
def bounds_in(draw: st.DrawFn, bits: int) -> tuple[int, int]:
    """Ranges inside the signed or unsigned readings, often at their ends."""
    low, high = signed_range(bits)
    ends = st.sampled_from((low, -1, 0, 1, 5, high, 2 * high + 1, high - 3, low + 9))
    one, other = draw(ends), draw(ends | st.integers(low, 2 * high + 1))
    return min(one, other), max(one, other)


@st.composite
def atoms(draw: st.DrawFn, world: World, bits: int, number: int) -> Form:
    """One unknown with facts of its own."""
    low, high = draw(bounds_in(bits))
    modulus = draw(st.sampled_from((1, 1, 1, 2, 4, 32, 64, 12)))
    residue = draw(st.integers(0, modulus - 1)) if modulus > 1 else 0
    if low + (residue - low) % modulus > high:
        modulus, residue = 1, 0
    return world.fresh(
        f"x{number}", bits, (low, high), Congruence(modulus, residue), varying=draw(st.booleans())
    )


@st.composite
def forms(draw: st.DrawFn, world: World, bits: int, shared: list[Form]) -> Form:
    """Sums of a few unknowns, some of them common to several forms, and a known pattern."""
    total = world.warp.constant(0, bits)
    for _ in range(draw(st.integers(0, 2))):
        part = draw(st.sampled_from(shared))
        total = world.warp.add(total, world.warp.scale(part, draw(coefficients(world))))
    const = draw(vectors(world) | st.sampled_from((0, 0, 1, 3, 5, -1, 8, 31, 100, (1 << bits) - 1)))
    return world.warp.add(total, world.warp.lanes(const, bits))


@st.composite
def predicates(draw: st.DrawFn, world: World, name: str) -> Predicate:
    """Truth values with some lanes known."""
    shape = draw(
        st.sampled_from(
            (Shape.EXACT, Shape.UNIFORM, Shape.ONE, Shape.ALL_BUT_ONE, Shape.OTHER, Shape.DATA)
        )
    )
    split = draw(st.integers(0, 32))
    sides = (0, 1) if shape is Shape.EXACT else (0, 1, 2)
    left, right = draw(st.sampled_from(sides)), draw(st.sampled_from(sides))
    if shape is not Shape.EXACT and 2 not in {left, right}:
        left = right = 2
    lanes = np.where(np.arange(32) < split, left, right)
    if shape is not Shape.EXACT and not (lanes == 2).any():
        lanes = np.full(32, 2)
    return world.condition(name, world.warp.space.intern(lanes), shape)


def operands(draw: st.DrawFn, world: World, bits: int, count: int) -> list[Form]:
    """Forms over the same few unknowns."""
    shared = [draw(atoms(world, bits, number)) for number in range(3)]
    return [draw(forms(world, bits, shared)) for _ in range(count)]


__all__ = [
    "SHAPE", "WARPS", "WIDTHS", "Exact", "Truth", "World", "divided", "forms", "is_of_one_set",
    "operands", "predicates", "signed", "unsigned", "vectors", "worlds",
]  # fmt: skip
