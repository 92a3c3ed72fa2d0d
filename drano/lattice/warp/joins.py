"""Values of several ways where the ways meet: the join of the warp domain.

How far the values agree is an element of ``Agreements``, a lattice of four floors::

    ⊥                 no way leads here (yet)
    Same(f)           the form f
    Alike(L)          p + L: the lane pattern L, plus any number that all lanes of a warp share
    ⊤                 patterns that differ

    γ(Same(f)) = {f}      γ(Alike(L)) = {p + L, p uniform in each warp}      γ(⊤) = all

``Same(4*lane + 8) ∨ Same(4*lane + n) = Alike(4*lane)``; ``Same(lane) ∨ Same(0) = ⊤``. What the
analysis makes of an agreement is a *form* (``join``): the same one, a fresh uniform unknown plus
the pattern, or, where no pattern is common, the few alternatives tied to who came which way:
exact where the masks tell, else by unknowns that all values of the meeting share.

Limits: forms are compared by their terms; forms over different unknowns never agree, though the
numbers may. More than four alternatives become one unknown.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import Enum
from typing import Protocol, TypeAlias

import numpy as np
from msgspec import Struct

from drano.lattice.base import Lattice
from drano.lattice.warp import operations as ops
from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Aggregate, Cause, Form, Predicate, Shape, Value
from drano.lattice.warp.lanes import LaneOverflowError

_MAX_ALTERNATIVES = 4


# --- how far values agree --------------------------------------------------------------------


class Extreme(Enum):
    """The least and the greatest agreement."""

    BOTTOM = "⊥"
    TOP = "⊤"

    def __repr__(self) -> str:
        return f"Extreme.{self.name}"


class Same(Struct, frozen=True):
    """One form."""

    form: Form


class Alike(Struct, frozen=True):
    """Any form of one lane pattern: what the lanes add to what lane 0 of their warp has. What
    unknowns add that vary themselves belongs to the pattern.
    """

    lanes: Form


Agreement: TypeAlias = Extreme | Same | Alike


class Agreements(Lattice[Agreement]):
    """A tree: each ``Same`` lies below the ``Alike`` of its pattern, all patterns below ⊤."""

    __slots__ = ("_warp",)

    def __init__(self, warp: Warp) -> None:
        self._warp = warp

    @property
    def bottom(self) -> Agreement:
        """⊥: of no form."""
        return Extreme.BOTTOM

    @property
    def top(self) -> Agreement:
        """⊤: of forms with different patterns."""
        return Extreme.TOP

    def pattern(self, element: Agreement) -> Agreement:
        """The least element above ``element`` that knows nothing of what the lanes share."""
        if not isinstance(element, Same):
            return element
        form, space = element.form, self._warp.space
        try:
            terms = {
                monomial: c
                if self._warp.varying_monomial(monomial)
                else space.add(c, space.neg(self._warp.warp_base(c)))
                for monomial, c in (*form.terms, ((), form.const))
            }
            return Alike(self._warp.build(form.bits, terms, terms.pop(())))
        except LaneOverflowError:
            return Extreme.TOP

    def leq(self, a: Agreement, b: Agreement) -> bool:
        """Equal, from ⊥, to ⊤, or a form below its own pattern."""
        if a == b or a is Extreme.BOTTOM or b is Extreme.TOP:
            return True
        return isinstance(a, Same) and isinstance(b, Alike) and self.pattern(a) == b

    def join(self, a: Agreement, b: Agreement) -> Agreement:
        """The first common element on the ways up from both."""
        if self.leq(a, b):
            return b
        if self.leq(b, a):
            return a
        a, b = self.pattern(a), self.pattern(b)
        return a if a == b else Extreme.TOP

    def meet(self, a: Agreement, b: Agreement) -> Agreement:
        """The lower of two that are ordered; ⊥ of any others."""
        if self.leq(a, b):
            return a
        return b if self.leq(b, a) else Extreme.BOTTOM


# --- the value at a meeting ------------------------------------------------------------------


class Unknowns(Protocol):
    """Makes unknowns of the type of the values that meet."""

    def __call__(
        self,
        key: Hashable,
        name: str,
        cause: Cause,
        *,
        varying: bool,
        loops: frozenset[int],
        data: bool = ...,
        space: str = ...,
    ) -> Value:
        """One of this key."""


class Meeting(Struct, frozen=True):
    """Where ``values`` meet, one of each way. ``key``: of the value that is made; ``place``: of
    all values that are made here, with ``ways``, a name each. ``masks``: the lanes of each way.
    ``divergent``: lanes of one warp may come by different ways; ``irregular``: in any manner.
    ``condition``: true of the lanes of the first way and false of those of the second, if these are
    all. ``loops``: those around.
    """

    key: tuple[Hashable, ...]
    place: int
    ways: tuple[Hashable, ...]
    masks: tuple[Predicate, ...]
    divergent: bool
    irregular: bool
    condition: Predicate | None
    loops: frozenset[int]
    name: str
    unknown: Unknowns


def is_exact(warp: Warp, at: Meeting) -> bool:
    """Whether it is known of each lane which way it comes."""
    lanes = np.stack([warp.space.array(mask.lanes) for mask in at.masks])
    return bool(((lanes != 0).sum(axis=0) <= 1).all())


def equal(warp: Warp, values: Sequence[Value]) -> Value | None:
    """The one value that all are, with the range of all; None where they differ."""
    first = values[0]
    if any(value != first for value in values):
        return None
    forms = [value for value in values if isinstance(value, Form)]
    return warp.hull(forms) if forms else first


def join(warp: Warp, at: Meeting, values: Sequence[Value]) -> Value:
    """What holds of the value, whichever way a lane comes."""
    same = equal(warp, values)
    if same is not None:
        return same
    if all(isinstance(value, Aggregate) for value in values):
        return _aggregates(warp, at, values)
    if any(isinstance(value, Predicate) for value in values):
        return _predicates(warp, at, values)
    forms = [value for value in values if isinstance(value, Form)]
    if len(forms) != len(values):
        return unlike(warp, at, values, "values of different kinds meet")
    try:
        return _forms(warp, at, forms)
    except LaneOverflowError:
        return unlike(warp, at, values, "too many different indices meet here")


def unlike(warp: Warp, at: Meeting, values: Sequence[Value], reason: str) -> Value:
    """One of values that have nothing in common."""
    key = (*at.key, "any")
    varying = at.divergent or not all(warp.is_uniform(v) for v in values)
    if not varying and not at.irregular:
        name = at.name or "merged value"
        return at.unknown(key, name, Cause.CHOICE, varying=False, loops=at.loops)
    for value in values:
        for atom in warp.varying_atoms(value):
            if atom.data:
                reason = atom.name
    spaces = {ops.space_of(warp, v) for v in values if isinstance(v, Form)}
    return at.unknown(
        key, reason, Cause.CHOICE, varying=True, loops=at.loops,
        data=any(map(warp.is_data, values)), space=spaces.pop() if len(spaces) == 1 else "",
    )  # fmt: skip


def _aggregates(warp: Warp, at: Meeting, values: Sequence[Value]) -> Value:
    if len({len(value.elements) for value in values if isinstance(value, Aggregate)}) != 1:
        return unlike(warp, at, values, "aggregates of different size")
    varying = at.divergent or not all(warp.is_uniform(v) for v in values)
    return at.unknown(
        at.key, "values merged from different paths", Cause.CHOICE, varying=varying,
        loops=at.loops, data=any(map(warp.is_data, values)),
    )  # fmt: skip


def _predicates(warp: Warp, at: Meeting, values: Sequence[Value]) -> Value:
    """Short-circuit conditions: ``a && b`` is a phi of false and b."""
    predicates = [value for value in values if isinstance(value, Predicate)]
    if len(predicates) != len(values):
        return unlike(warp, at, values, "values of different kinds meet")
    if at.condition is not None:
        return _chosen(warp, at.condition, predicates[0], predicates[1], at.key)
    loops = frozenset[int]().union(*(p.loops for p in predicates)) | at.loops
    if not at.divergent and all(warp.is_uniform(p) for p in predicates):
        return Predicate(2, Shape.UNIFORM, at.key, "", loops)
    shape = max(Shape.OTHER, *(p.shape for p in (*predicates, *at.masks)))
    reason = next((p.reason for p in predicates if p.reason), "")
    return Predicate(2, shape, at.key, reason, loops)


def _chosen(
    warp: Warp, condition: Predicate, yes: Predicate, no: Predicate, key: Hashable
) -> Predicate:
    """``condition ? yes : no`` as ``(c && yes) || (!c && no)``."""
    one = ops.conjunction(warp, condition, yes, (key, 1))
    other = ops.conjunction(warp, ops.negated(warp, condition), no, (key, 2))
    return ops.disjunction(warp, one, other, key)


def _forms(warp: Warp, at: Meeting, forms: Sequence[Form]) -> Value:
    if at.condition is not None:
        return ops.select(warp, at.condition, forms[0], forms[1])
    if not at.divergent:
        return _one_for_all(warp, at, forms)
    return _lane_by_lane(warp, at, forms)


def _one_for_all(warp: Warp, at: Meeting, forms: Sequence[Form]) -> Value:
    """The whole warp comes one way."""
    agreements = Agreements(warp)
    if isinstance(agreements.join_all(map(Same, forms)), Alike):
        return ops.merge_uniform(warp, at.key, tuple(forms), at.loops)
    if len(forms) > _MAX_ALTERNATIVES:
        return unlike(warp, at, forms, "too many different indices meet here")
    return _mixture(warp, at, forms, Shape.UNIFORM, "")


def _lane_by_lane(warp: Warp, at: Meeting, forms: Sequence[Form]) -> Value:
    """Per lane the value of the way that the lane may come by."""
    if is_exact(warp, at):
        result = forms[0]
        for mask, form in zip(at.masks[1:], forms[1:], strict=True):
            chosen = warp.space.intern((warp.space.array(mask.lanes) != 0).astype(np.int64))
            result = ops.select_lanes(warp, chosen, form, result)
        return result
    if len(forms) > _MAX_ALTERNATIVES:
        return unlike(warp, at, forms, "too many different indices meet here")
    shape = max(Shape.AFFINE, *(mask.shape for mask in at.masks))
    if shape is not Shape.DATA and (len(forms) > 2 or shape is not Shape.AFFINE):
        shape = Shape.OTHER
    reason = next((mask.reason for mask in at.masks if mask.reason), "")
    return _mixture(warp, at, forms, shape, reason)


def _mixture(warp: Warp, at: Meeting, forms: Sequence[Form], shape: Shape, reason: str) -> Form:
    """``last + sum(c_i * (form_i - last))``; the 0/1 unknowns ("came by this way") are shared by
    all values that meet here.
    """
    result = last = forms[-1]
    for way, form in zip(at.ways[:-1], forms[:-1], strict=True):
        picked = warp.atom(
            ("join", at.place, way), form.bits, reason or "path taken", Cause.CHOICE,
            varying=shape is not Shape.UNIFORM, bounds=(0, 1), loops=at.loops, shape=shape,
            data=shape is Shape.DATA,
        )  # fmt: skip
        result = warp.add(result, warp.mul(picked, warp.sub(form, last)))
    lo, hi = min(f.lo for f in forms), max(f.hi for f in forms)
    return warp.build(result.bits, dict(result.terms), result.const, (lo, hi))
