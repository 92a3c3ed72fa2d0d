"""Choices that a comparison with a number decides: ``max(i - 1, 0)``, ``i + 1 < n ? i + 1 : 0``.

A choice ``c`` that is 1 exactly where ``d < 0``, for ``d = u + lane`` with an unknown uniform
``u``, does not pick lanes at will: the lanes below some threshold go one way, the others the
other way. So every case is a plain pattern: all lanes one way, all lanes the other way, or one of
at most 31 known mixtures. Where it is 1 in one lane at most (``i == n``), so is it one of 32.

When moreover the two alternatives differ by a multiple of ``d`` itself, as those of ``min`` and
``max`` do, they *meet*: the value of ``u`` that puts the threshold inside a warp also fixes how far
apart the two parts are. Else they are at an unknown distance.

Choices are *rare* where ``u`` is another one in each warp, block or iteration: few of them see
a threshold.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Cause, Form, Monomial, Predicate, Shape
from drano.lattice.warp.lanes import Coefficient, is_warp_uniform
from drano.lattice.warp.substitution import substitute
from drano.traffic.choice_worth import multiple_of, worth_of

_MOST_THRESHOLDS = 64


class Cases(Struct, frozen=True):
    """An address without a choice: where all lanes that it leaves open go one way, and the
    mixtures.
    """

    whole: list[Form]
    mixtures: list[Form]
    meet: bool


def cases(warp: Warp, address: Form, atom: Atom) -> Cases | None:
    """The address without ``atom``, in every case; None when its predicate has no such shape."""
    predicate = atom.predicate
    if predicate is None or not _is_open(warp, address, atom, predicate):
        return None
    if predicate.below is None:
        return _one_lane(warp, address, atom, predicate)
    below = predicate.below
    uniform, lanes = warp.split_warp(below)
    if lanes.terms or not _same_in_each_warp(warp, lanes.const):
        return None
    known = warp.space.array(predicate.lanes)
    open_ = known == 2
    wanted = {**dict(below.terms), (): below.const}
    worth = worth_of(warp, address, atom)
    step = multiple_of(warp, open_, worth, wanted, ()) if open_.any() else None
    whole = [
        substitute(warp, address, atom.number, way)
        for way in (0, 1)
        if (open_.any(axis=1) & ~(known == 1 - way).any(axis=1)).any()
    ]
    row = warp.space.array(lanes.const)
    thresholds = range(-int(row.max()), -int(row.min()))
    if len(thresholds) > _MOST_THRESHOLDS:
        return None
    base = warp.congruence(uniform.terms)
    shift = uniform.const if isinstance(uniform.const, int) else 0
    exact = isinstance(uniform.const, int) and base.modulus > 1
    mixtures = []
    for value in thresholds:
        if exact and (value - shift - base.residue) % base.modulus:
            continue
        chosen = row + value < 0
        if ((known == 1) & ~chosen | (known == 0) & chosen).any(axis=1).all():
            continue  # no warp can be parted there
        if step is None:
            mixtures.append(_chosen(warp, address, atom, chosen))
        else:
            mixtures.append(_mixture(warp, address, atom, row + value, chosen & open_, open_, step))
    return Cases(whole, mixtures, step is not None)


def _is_open(warp: Warp, address: Form, atom: Atom, predicate: Predicate) -> bool:
    """Whether a choice decides nothing in the lanes where it is known."""
    known = warp.space.array(predicate.lanes) != 2
    worth = worth_of(warp, address, atom).values()
    return not any((warp.space.array(c)[known] != 0).any() for c in worth)


def _one_lane(warp: Warp, address: Form, atom: Atom, predicate: Predicate) -> Cases | None:
    """The cases of a choice that one lane at most makes otherwise than the others."""
    if atom.shape is not predicate.shape or atom.shape not in {Shape.ONE, Shape.ALL_BUT_ONE}:
        return None
    alone = int(predicate.shape is Shape.ONE)
    known = warp.space.array(predicate.lanes)
    zero = predicate.zero_if[alone]
    if (known == alone).any() or zero is None:
        return None
    mixtures = [
        _chosen(warp, address, atom, (np.arange(known.shape[1]) == lane) == bool(alone))
        for lane in np.flatnonzero((known == 2).any(axis=0)).tolist()
    ]
    whole = [substitute(warp, address, atom.number, 1 - alone)]
    return Cases(whole, mixtures, False)


def is_rare(warp: Warp, atom: Atom) -> bool:
    """Whether few warps see lanes go both ways of a choice."""
    predicate = atom.predicate
    if predicate is None:
        return False
    alone = {Shape.ONE: 1, Shape.ALL_BUT_ONE: 0}.get(predicate.shape)
    bound = predicate.below
    if bound is None and alone is not None and atom.shape is predicate.shape:
        bound = predicate.zero_if[alone]
    if bound is None:
        return False
    in_rows = any(atom.steps is not None for atom in warp.varying_atoms(bound))
    return in_rows or _moves(warp, warp.split_warp(bound)[0])


def _moves(warp: Warp, uniform: Form) -> bool:
    """Whether a number is another one in each warp, block or iteration."""
    if not isinstance(uniform.const, int):
        return True
    atoms = (warp.atoms[number] for monomial, _ in uniform.terms for number in monomial)
    return any(atom.cause in {Cause.INDEX, Cause.LOOP} for atom in atoms)


def _chosen(warp: Warp, address: Form, atom: Atom, lanes: np.ndarray) -> Form:
    """The address where a choice is 1 in these lanes and 0 in the others."""
    space = warp.space
    truth = space.intern(lanes)
    terms: dict[Monomial, Coefficient] = {(): address.const}
    for monomial, coefficient in address.terms:
        left = tuple(n for n in monomial if n != atom.number)
        part = space.mul(coefficient, truth) if len(left) < len(monomial) else coefficient
        terms[left] = space.add(terms.get(left, 0), part)
    const = terms.pop(())
    kept = {monomial: coefficient for monomial, coefficient in terms.items() if coefficient != 0}
    return warp.build(address.bits, kept, const)


def _same_in_each_warp(warp: Warp, lanes: Coefficient) -> bool:
    """Whether all warps have one lane pattern, so that one warp's thresholds stand for all."""
    data = warp.space.array(lanes)
    return bool((data == data[:1]).all())


def _mixture(
    warp: Warp, address: Form, atom: Atom, below: np.ndarray, chosen: np.ndarray,
    open_: np.ndarray, step: tuple[int, int],
) -> Form:  # fmt: skip
    """The address where ``below`` is so per lane, told from the better known alternative."""
    factor, extra = step
    never = substitute(warp, address, atom.number, 0)
    always = substitute(warp, address, atom.number, 1)
    if _knowledge(warp, always) > _knowledge(warp, never):
        offsets = np.where(open_ & ~chosen, -(factor * below + extra), 0)
        base = always
    else:
        offsets = np.where(chosen, factor * below + extra, 0)
        base = never
    const = warp.space.add(base.const, warp.space.intern(offsets))
    return warp.build(base.bits, dict(base.terms), const)


def _knowledge(warp: Warp, address: Form) -> int:
    """How much of an address's alignment is known: the modulus of its uniform part's residue."""
    plain = [(m, c) for m, c in address.terms if is_warp_uniform(c)]
    if len(plain) != len(address.terms):
        return 0
    known = warp.congruence([(m, c) for m, c in plain if isinstance(c, int)])
    return known.modulus & -known.modulus if known.modulus else 1 << 62
