"""Choices that an affine comparison decides: ``max(i - 1, 0)``, ``min(i + 1, n - 1)``, guards.

A choice ``c`` that is 1 exactly where ``d < 0``, for ``d = u + lane`` with an unknown uniform
``u``, does not pick lanes at will: the lanes below some threshold go one way, the others the
other way. When moreover the two alternatives differ by a multiple of ``d`` itself, as those of
``min`` and ``max`` do, the value of ``u`` that puts the threshold inside a warp also fixes how
far apart the two parts are. So every case is a plain pattern: all lanes one way, all lanes the
other way, or one of at most 31 known mixtures.
"""

from __future__ import annotations

import numpy as np

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form, Monomial
from drano.lattice.warp.lanes import Coefficient, is_warp_uniform

_MOST_THRESHOLDS = 64


def cases(warp: Warp, address: Form, atom: Atom) -> tuple[list[Form], list[Form]] | None:
    """The address without ``atom``, in every case: those where all undecided lanes go one way, and
    the mixtures; None when its predicate has no such shape.
    """
    predicate = atom.predicate
    below = predicate.below if predicate is not None else None
    if predicate is None or below is None:
        return None
    uniform, lanes = warp.split_warp(below)
    if lanes.terms or not _same_in_each_warp(warp, lanes.const):
        return None
    open_ = warp.space.array(predicate.lanes) == 2
    step = _difference(warp, address, atom, below, open_)
    if step is None:
        return None
    known = warp.space.array(predicate.lanes)
    whole = [
        warp.substitute(address, atom.number, way)
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
        mixtures.append(_mixture(warp, address, atom, row + value, chosen & open_, open_, step))
    return whole, mixtures


def _same_in_each_warp(warp: Warp, lanes: Coefficient) -> bool:
    """Whether all warps have one lane pattern, so that one warp's thresholds stand for all."""
    data = warp.space.array(lanes)
    return bool((data == data[:1]).all())


def _difference(
    warp: Warp, address: Form, atom: Atom, below: Form, open_: np.ndarray
) -> tuple[int, int] | None:
    """``(m, e)`` where ``atom`` is worth ``m * below + e`` bytes in its undecided lanes, nothing in
    the others; None when it is not.
    """
    worth: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in address.terms:
        if monomial.count(atom.number) == 0:
            continue
        left = tuple(n for n in monomial if n != atom.number)
        worth[left] = warp.space.add(worth.get(left, 0), coefficient)
    if any((warp.space.array(c)[~open_] != 0).any() for c in worth.values()):
        return None
    wanted = dict(below.terms)
    factor = None
    for monomial, coefficient in wanted.items():
        mine = _only_value(warp, worth.get(monomial, 0), open_)
        if isinstance(coefficient, int) and mine:
            factor, rest = divmod(mine, coefficient)
            if rest:
                return None
            break
    if not factor:
        return None
    for monomial in {*wanted, *worth} - {()}:
        scaled = warp.space.array(warp.space.mul(wanted.get(monomial, 0), factor))
        if (warp.space.array(worth.get(monomial, 0)) != scaled)[open_].any():
            return None
    extra = warp.space.add(worth.get((), 0), warp.space.mul(below.const, -factor))
    only = _only_value(warp, extra, open_)
    return None if only is None else (factor, only)


def _only_value(warp: Warp, coefficient: Coefficient, where: np.ndarray) -> int | None:
    """The one value that a coefficient has in some lanes, None when it has several."""
    if isinstance(coefficient, int):
        return coefficient
    found = np.unique(warp.space.array(coefficient)[where])
    return int(found[0]) if len(found) == 1 else None


def _mixture(
    warp: Warp, address: Form, atom: Atom, below: np.ndarray, chosen: np.ndarray,
    open_: np.ndarray, step: tuple[int, int],
) -> Form:  # fmt: skip
    """The address where ``below`` is so per lane, told from the better known alternative."""
    factor, extra = step
    never = warp.substitute(address, atom.number, 0)
    always = warp.substitute(address, atom.number, 1)
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
