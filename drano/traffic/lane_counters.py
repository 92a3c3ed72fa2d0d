"""Lanes that each have a counter of their own: ``queue[count * threads + thread]``.

Where each step of a counter moves its lane by whole lines, and further than the lanes lie apart,
lanes whose counters differ touch nothing in common. Then a request costs as much as if all counters
were the same, at the least: what one count's lanes touch is a part of that, and the parts of
different counts never meet.

Assumption: none, of counters that wrap around either. Limits: one pattern of lanes around the
counters, at known distances.
"""

from __future__ import annotations

from math import gcd

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Form, Monomial, Term
from drano.lattice.warp.lanes import Coefficient, is_warp_uniform
from drano.model.hardware import LINE_BYTES


def in_step(warp: Warp, address: Form, size: int) -> Form | None:
    """``address`` if all lanes' counters were the same; None where that need not be the cheapest.
    ``size``: bytes of one lane's access.
    """
    kept: dict[Monomial, Coefficient] = {}
    counted: dict[Monomial, Coefficient] = {}
    const, step = address.const, 0
    for term in address.terms:
        monomial, coefficient = term
        if not is_warp_uniform(coefficient):
            return None
        if not warp.varying_monomial(monomial):
            kept[monomial] = coefficient
            continue
        part = _steps(warp, term)
        if part is None:
            return None
        counted[monomial] = coefficient
        step = gcd(step, part[0])
        const = warp.space.add(const, part[1])
    counters = warp.build(address.bits, counted, 0)
    if counters.hi - counters.lo >= 1 << (address.bits - 1):
        step &= -step  # what wraps around moves by a power of two
    lanes = warp.space.array(const)
    apart = int((lanes.max(axis=1) - lanes.min(axis=1)).max()) + size
    if step % LINE_BYTES != 0 or step < apart + LINE_BYTES:
        return None
    return warp.build(address.bits, kept, const)


def _steps(warp: Warp, term: Term) -> tuple[int, int] | None:
    """A number of which a term is a multiple in each lane, but for so much."""
    monomial, coefficient = term
    if not isinstance(coefficient, int):
        return None
    if len(monomial) > 1:
        return coefficient, 0
    atom = warp.atoms[monomial[0]]
    return coefficient * atom.modulus, coefficient * atom.residue
