"""The values of the warp domain (see ``domain.py``): forms over unknown integers, predicates, and
aggregates of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum, IntEnum
from typing import TypeAlias

from msgspec import Struct

from drano.lattice import congruence as congruences
from drano.lattice.congruence import Congruence
from drano.lattice.warp.lanes import Coefficient

Monomial: TypeAlias = tuple[int, ...]
Term: TypeAlias = tuple[Monomial, Coefficient]


class Cause(Enum):
    """Why an atom is unknown; decides the words of the message and the rule."""

    PARAMETER = "parameter"
    INDEX = "index"
    LOOP = "loop"
    MEMORY = "memory"
    CHOICE = "choice"
    WRAP = "wrap"
    NONLINEAR = "nonlinear"
    CALL = "call"
    POINTER = "pointer"


class Shape(IntEnum):
    """How the unknown lanes of a predicate or mask may look, from best to worst.

    EXACT: no lane unknown. UNIFORM: the unknown lanes agree. ONE: at most one is true.
    ALL_BUT_ONE: at most one is false. AFFINE: cut by an affine bound (a contiguous run of the
    lanes in index order, or two where the index wraps around), and so are those that are false.
    WITHIN: by several, so that those that are true are such a run. OUTSIDE: all others are one.
    OTHER: any lanes, by arithmetic. DATA: any lanes, by memory contents.
    """

    EXACT = 0
    UNIFORM = 1
    ONE = 2
    ALL_BUT_ONE = 3
    AFFINE = 4
    WITHIN = 5
    OUTSIDE = 6
    OTHER = 7
    DATA = 8


class Even(Struct, frozen=True):
    """Numbers that change after each ``run`` of something: ``floor((lanes + c) / run)`` with an
    unknown ``c``, which is the same between two breaks.
    """

    lanes: Coefficient
    run: int


class Steps(Struct, frozen=True):
    """How a varying atom goes over the lanes of a warp, taken in ``order``: it keeps its value but
    at *breaks*, which are those of its ``parents`` and its own. Lanes between two of a parent's
    which have two own ones between them are more than ``|run| / slope`` apart (as numbers of
    ``order``), with a uniform ``|run| >= least``; ``run`` None: there are none.

    ``rare``: its own are where an index wraps around. ``rise``: where not None, the atom rises
    along ``order``, by this for each 1 at the most; ``inner``: so it does where no parent changes.
    ``anew``: what is divided is a remainder, that begins at 0 again where a parent changes.
    ``even``: what the atom is where no parent changes, up to a number that is then the same.
    """

    order: Coefficient
    parents: frozenset[int]
    run: Form | None
    least: int
    slope: int
    rare: bool
    rise: int | None
    inner: int | None
    anew: bool = False
    even: Even | None = None


class UniformBit(Struct, frozen=True):
    """Bit ``place`` of the uniform ``form``, counted from the lowest, which is 0."""

    form: Form
    place: int


class Phase(Struct, frozen=True):
    """What a uniform sum of ``terms`` leaves by ``modulus``: one number for the lanes of a warp."""

    terms: tuple[Term, ...]
    modulus: int


class Phased(Struct, frozen=True):
    """Known lanes for each number that ``phase`` may be."""

    phase: Phase
    lanes: tuple[Coefficient, ...]


class LevelSet(Struct, frozen=True):
    """Lanes that share a number: those of a warp where a condition holds have one number in
    ``values``, and of the lanes with that number they are those where ``within`` holds.

    Example: of ``x == n - 1`` in a block of 16 columns, ``values`` is ``lane % 16`` and ``within``
    is true: one of the pairs of lanes {0, 16}, {1, 17}, ….
    """

    values: Coefficient
    within: Predicate


class FirstOf(Struct, frozen=True):
    """``floor((terms + offset) / modulus)`` of a phase, with an ``offset`` for each warp."""

    phase: Phase
    offset: Coefficient


class Atom(Struct, eq=False):
    """An unknown integer. Mutable: ``lo, hi, modulus, residue`` weaken, ``varying`` is sticky.

    ``likely``: the residue if every parameter and loaded value is a whole number of sectors, as
    row pitches and array offsets commonly are: for estimates, never for proofs.
    ``wrapped``: of a wrap-around, the form whose sum leaves its width that many times.
    ``steps``: of a varying atom that runs of lanes have in common, where known.
    ``rest_of``: of the remainder of a uniform sum, of which, with its constant, and by what number.
    ``bit_of``: where it is a bit of a uniform number, of which. ``phased``: of a varying atom, its
    lanes in each phase, where known; ``first_of``: of a uniform one, of which phase it is made.
    ``loops``: header blocks of the loops in whose iterations it changes. ``space``:
    for pointers, the memory space they point to. ``shape``: for choices, of their ``predicate``,
    whose ``below`` is only kept while it is found to be another one a few times (``rebounds``).
    """

    number: int
    name: str
    cause: Cause
    varying: bool
    lo: int
    hi: int
    modulus: int
    residue: int
    loops: frozenset[int]
    space: str
    shape: Shape
    predicate: Predicate | None = None
    data: bool = False
    changes: int = 0
    changed_at: int = 0
    likely: Congruence = congruences.TOP
    wrapped: Form | None = None
    rest_of: tuple[tuple[Term, ...], int] | None = None
    steps: Steps | None = None
    bit_of: UniformBit | None = None
    phased: Phased | None = None
    first_of: FirstOf | None = None
    rebounds: int = 0


class Form(Struct, frozen=True):
    """See the module's text. ``terms`` are sorted by monomial and never zero.

    Two forms are equal when they stand for the same bits; what is known of their range may differ.
    """

    bits: int
    terms: tuple[Term, ...]
    const: Coefficient
    lo: int
    hi: int

    def __eq__(self, other: object) -> bool:
        if type(other) is not Form:
            return NotImplemented
        return self.const == other.const and self.bits == other.bits and self.terms == other.terms

    def __hash__(self) -> int:
        return hash((self.bits, self.terms, self.const))


class Predicate(Struct, frozen=True):
    """A truth value per lane: ``lanes`` holds 0 false, 1 true, 2 unknown, ``shape`` the rest.

    ``key`` identifies the condition (equal keys, equal values); ``loops`` as for atoms;
    ``zero_if``: forms that are zero where it is false, and where it is true, when known;
    ``below``: a form that is negative exactly where it is true, when known. ``cut``, ``off_cut``:
    of shape OTHER, where not empty: between two breaks of these atoms the lanes where it is true,
    false are one run, as those beyond a bound. ``phased``: its lanes in each phase, when known.
    ``name``: of a parameter, or of its opposite; "" of what is computed. ``bounds``: more forms
    that are negative wherever it is true, and wherever it is false, of conditions that it joins.
    ``levels``: the lanes where it is true, and where it is false, as one set of several.
    """

    lanes: Coefficient
    shape: Shape
    key: Hashable
    reason: str = ""
    loops: frozenset[int] = frozenset()
    zero_if: tuple[Form | None, Form | None] = (None, None)
    below: Form | None = None
    cut: frozenset[int] = frozenset()
    off_cut: frozenset[int] = frozenset()
    phased: Phased | None = None
    name: str = ""
    bounds: tuple[tuple[Form, ...], tuple[Form, ...]] = ((), ())
    levels: tuple[LevelSet | None, LevelSet | None] = (None, None)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Predicate:
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[Hashable, ...]:
        """What makes it the condition that it is; the rest is what is known of that."""
        return (
            self.lanes,
            self.shape,
            self.key,
            self.reason,
            self.loops,
            self.cut,
            self.off_cut,
            self.bounds,
            self.levels,
        )


def same_bound(a: Predicate, b: Predicate) -> bool:
    """Whether two predicates are true where the same number, with the same range, is negative."""
    if a.below is None or b.below is None:
        return a.below is b.below
    return a.below == b.below and (a.below.lo, a.below.hi) == (b.below.lo, b.below.hi)


class Aggregate(Struct, frozen=True):
    """A vector, array or struct value, element by element."""

    elements: tuple[Value, ...]


Value: TypeAlias = Form | Predicate | Aggregate


def signed_range(bits: int) -> tuple[int, int]:
    """``signed_range(8) == (-128, 127)``."""
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def unsigned_range(bits: int) -> tuple[int, int]:
    """``unsigned_range(8) == (0, 255)``."""
    return 0, (1 << bits) - 1


def term_text(name: str, coefficient: Coefficient) -> str:
    """``4*n``, ``-n``: a term as messages print it."""
    if isinstance(coefficient, int):
        if coefficient in {1, -1}:
            return name if coefficient == 1 else f"-{name}"
        return f"{coefficient}*{name}"
    text = vector_text(coefficient)
    return f"({text})*{name}" if " " in text else f"{text}*{name}"


def vector_text(value: Coefficient) -> str:
    """A number, or what the lanes hold: ``4*lane``."""
    if isinstance(value, int):
        return str(value)
    row = value.data[0]
    base, step = int(row[0]), int(row[1] - row[0])
    if value.warp_uniform:
        return f"warp{{{base}..}}"
    if (row[1:] - row[:-1] == step).all():
        text = "lane" if step == 1 else f"{step}*lane"
        rows = value.data[:, 0]
        if (rows == base).all():
            return text if base == 0 else f"{text} + {base}"
        return f"{text} + warp{{{base}..}}"
    runs = row.tolist()
    return "lanes[" + ",".join(map(str, runs[:6])) + ",…" + str(runs[-1]) + "]"


def product_range(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """Bounds of a product, from bounds of the factors."""
    if a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], a[1] * b[1]
    corners = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return min(corners), max(corners)


def tightened(value: Form, lo: int, hi: int) -> Form:
    """``value`` with its bounds cut to bounds computed another way."""
    if value.lo >= lo and value.hi <= hi:
        return value
    new_lo, new_hi = max(value.lo, lo), min(value.hi, hi)
    if new_lo > new_hi:
        return value
    return Form(value.bits, value.terms, value.const, new_lo, new_hi)
