"""Where runs of neighbouring lanes start within a sector, where nothing else is open.

Such a run costs one sector more at the most. What is likely decides which verdict that is: for
sizes that are whole numbers of sectors, as row pitches commonly are, runs start on boundaries, and
the access is coalesced, *unless* a size is otherwise. Where runs start inside of sectors even then
(a pointer that a launch moves, rows of 18 bytes, a border), it is uncoalesced *if* they do. Bounds
hold either way, so neither verdict is a proof. What is assumed of names decides, if it can.
"""

from __future__ import annotations

from math import gcd

from drano.analysis.warp.state.warp_state import WarpState
from drano.analysis.warp.verdict.conditions import decided
from drano.lattice import Cause, Coefficient, Form, Warp
from drano.lattice.warp.substitution import substitute
from drano.model.hardware import SECTOR_BYTES
from drano.model.judgement import Verdict
from drano.traffic.needs import MultipleOf, Need, StartsInside


def by_start(
    run: WarpState, address: Form, *, inside: bool
) -> tuple[Verdict, str, tuple[Need, ...]]:
    """Verdict, reason and conditions of runs that start ``inside`` sectors for usual sizes, or on
    their boundaries.
    """
    sizes = _whole_sizes(run.warp, address)
    needs, wrong = decided(run.warp, sizes, dict(run.options.assume))
    if wrong:
        reason = f"runs of consecutive lanes start inside a sector: {wrong}"
        return Verdict.UNCOALESCED, reason, (StartsInside(()),)
    if inside and (needs or not sizes):
        unless = tuple(need for need in needs if isinstance(need, MultipleOf))
        reason = "runs of consecutive lanes are likely to start inside a sector"
        return Verdict.UNCOALESCED, reason, (StartsInside(unless),)
    reason = "coalesced but for where runs of consecutive lanes start within a sector"
    return Verdict.COALESCED, reason, needs


def _whole_sizes(warp: Warp, address: Form) -> tuple[MultipleOf, ...]:
    """What makes all runs start where they do if sizes are whole numbers of sectors; () where the
    address has more than sizes that may move them. For floats ``p[y * w + x]``: ``w % 8 == 0``.
    """
    moduli: dict[int, int] = {}
    for monomial, coefficient in sorted(address.terms, key=lambda term: len(term[0])):
        atoms = [warp.atoms[number] for number in monomial]
        step = _divisor(coefficient)
        for atom in atoms:
            step *= moduli.get(atom.number) or gcd(atom.modulus, atom.residue)
        if step % SECTOR_BYTES == 0:
            continue
        sizes = [a for a in atoms if a.cause is Cause.PARAMETER and a.residue % a.modulus == 0]
        if not sizes or any(atom.varying for atom in atoms):
            return ()
        own = sizes[-1]
        known = moduli.get(own.number) or own.modulus
        moduli[own.number] = SECTOR_BYTES // gcd(SECTOR_BYTES, step) * known
    return tuple(
        MultipleOf(warp.build(address.bits, {(number,): 1}, 0), modulus)
        for number, modulus in moduli.items()
    )


def _divisor(coefficient: Coefficient) -> int:
    """Of what each lane has."""
    if isinstance(coefficient, int):
        return abs(coefficient)
    return gcd(*map(int, set(coefficient.data.flat)))


def moved_pointer(run: WarpState, address: Form) -> str:
    """That a launch has moved the kernel's pointer away from a sector's start, or may have; ""
    where it has not.
    """
    base = run.arrays.base(address)
    if base is None or run.options.pointer_alignment % SECTOR_BYTES:
        return ""
    atom = run.warp.atoms[base]
    launched = run.function.is_kernel and atom.cause is Cause.POINTER and atom.space == "global"
    if not launched or atom.modulus % SECTOR_BYTES == 0:
        return ""
    passes = "passes" if atom.likely.modulus % SECTOR_BYTES else "may pass"
    return f": a launch {passes} a `{atom.name}` that is not the start of an array"


def with_borders(warp: Warp, address: Form) -> Form:
    """``address`` for estimates: a parameter that is only subtracted is the width of a border, and
    no row's pitch or array's offset, which are whole numbers of sectors. 1 is assumed for it.
    What is subtracted from a place that a loop moves may be the step of that loop.
    """
    if any(len(m) == 1 and warp.atoms[m[0]].cause is Cause.LOOP for m, _ in address.terms):
        return address
    named = [number for monomial, _ in address.terms for number in monomial]
    for monomial, coefficient in address.terms:
        if len(monomial) != 1 or not isinstance(coefficient, int) or coefficient >= 0:
            continue
        atom = warp.atoms[monomial[0]]
        if atom.cause is Cause.PARAMETER and atom.modulus == 1 and named.count(atom.number) == 1:
            address = substitute(warp, address, atom.number, 1)
    return address
