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

from drano.lattice.lanes import Coefficient, is_warp_uniform
from drano.lattice.warp import Atom, Form, Monomial, Warp

_MOST_THRESHOLDS = 64


def cases(warp: Warp, address: Form, atom: Atom) -> list[Form] | None:
    """The address without ``atom``, in every case; None when its predicate has no such shape."""
    below = atom.predicate.below if atom.predicate is not None else None
    if below is None or (atom.predicate is not None and atom.predicate.lanes != 2):
        return None
    uniform, lanes = warp.split_warp(below)
    if lanes.terms or not _same_in_each_warp(warp, lanes.const):
        return None
    step = _difference(warp, address, atom, below)
    if step is None:
        return None
    factor, extra = step
    never = warp.substitute(address, atom.number, 0)
    always = warp.substitute(address, atom.number, 1)
    found = [never, always]
    row = warp.space.array(lanes.const)
    thresholds = range(-int(row.max()), -int(row.min()))
    if len(thresholds) > _MOST_THRESHOLDS:
        return None
    base = warp.congruence(uniform.terms)
    shift = uniform.const if isinstance(uniform.const, int) else 0
    exact = isinstance(uniform.const, int) and base.modulus > 1
    for value in thresholds:
        if exact and (value - shift - base.residue) % base.modulus:
            continue
        found.append(_mixture(warp, never, always, row, value, factor, extra))
    return found


def _same_in_each_warp(warp: Warp, lanes: Coefficient) -> bool:
    """Whether all warps have one lane pattern, so that one warp's thresholds stand for all."""
    data = warp.space.array(lanes)
    return bool((data == data[:1]).all())


def _difference(warp: Warp, address: Form, atom: Atom, below: Form) -> tuple[int, int] | None:
    """``(m, e)`` where ``atom`` is worth ``m * below + e`` bytes; None when it is not."""
    worth: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in address.terms:
        if monomial.count(atom.number) == 0:
            continue
        left = tuple(n for n in monomial if n != atom.number)
        worth[left] = warp.space.add(worth.get(left, 0), coefficient)
    wanted = dict(below.terms)
    factor = None
    for monomial, coefficient in wanted.items():
        mine = worth.get(monomial, 0)
        if isinstance(coefficient, int) and isinstance(mine, int) and mine:
            factor, rest = divmod(mine, coefficient)
            if rest:
                return None
            break
    if not factor:
        return None
    for monomial in {*wanted, *worth} - {()}:
        if worth.get(monomial, 0) != warp.space.mul(wanted.get(monomial, 0), factor):
            return None
    extra = warp.space.add(worth.get((), 0), warp.space.mul(below.const, -factor))
    return (factor, extra) if isinstance(extra, int) else None


def _mixture(
    warp: Warp, never: Form, always: Form, row: np.ndarray, value: int, factor: int, extra: int
) -> Form:
    """The address where ``below`` is ``value + lane``, told from the better known alternative."""
    below = row + value
    if _knowledge(warp, always) > _knowledge(warp, never):
        offsets = np.where(below < 0, 0, -(factor * below + extra))
        base = always
    else:
        offsets = np.where(below < 0, factor * below + extra, 0)
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
