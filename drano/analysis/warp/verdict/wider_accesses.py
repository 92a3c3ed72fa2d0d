"""Adjacent, aligned accesses of one thread that one wider access could replace.

Means: the addresses of the sites of one basic block that differ only by a constant. An address is
aligned if its residue says so in every lane, under the analysis's usual assumptions on pointers.
Accesses that the compiler knows to be aligned are left out, as it joins them itself. Limits: loads
are not joined across stores, atomics and calls, nor stores across atomics and calls.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from math import gcd

import numpy as np
from msgspec import Struct

from drano.analysis.access_sites import MAX_VECTOR_BYTES, Site
from drano.analysis.warp.state.not_ready import NotReadyError
from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.model import Atomic, Call, Function, Load, MemoryCopy, MemoryFill, Store
from drano.ir.target import POINTER_BITS
from drano.lattice import Cause, Form, LaneOverflowError, Warp, is_warp_uniform
from drano.model.access import AccessKind
from drano.model.judgement import Judgement, Space

_SPACES = frozenset({Space.GLOBAL, Space.SHARED, Space.GENERIC})
_COUNTS = (4, 2)
# Of unknowns that a programmer may know more about.
_GIVEN = frozenset({Cause.PARAMETER, Cause.POINTER, Cause.MEMORY})

Reported = Mapping[int, tuple[Judgement, WarpState]]


class Wide(Struct, frozen=True):
    """``count``: elements that one access could take; ``needs``: what must hold for it to be
    aligned, in words, "" where it is proved.
    """

    count: int
    needs: str = ""


def vectors(reported: Reported, sites: list[Site]) -> dict[int, Wide]:
    """For the first site of each run, by ordinal: how many elements one access could take."""
    rows: dict[tuple[object, ...], dict[int, tuple[Site, Form]]] = {}
    for site in sites:
        known = reported.get(site.ordinal)
        if known is None or not _fits(site, known[0]):
            continue
        run = known[1]
        try:
            address = run.form(site.pointer, site.block, POINTER_BITS)
            const, space = address.const, run.warp.space
            place = const if isinstance(const, int) else int(const.data[0, 0])
            lanes = space.add(const, -place)
        except (NotReadyError, LaneOverflowError):
            continue
        key = (site.kind, site.bytes, site.block, id(run), address.terms, lanes)
        rows.setdefault(key, {}).setdefault(place, (site, address))
    found: dict[int, Wide] = {}
    barred = _Barred()
    for row in rows.values():
        if len(row) > 1:
            found |= _runs(reported, row, barred)
    return found


def _fits(site: Site, judgement: Judgement) -> bool:
    i = site.instruction
    if not isinstance(i, Load | Store) or i.volatile or i.atomic:
        return False
    power = site.bytes & (site.bytes - 1) == 0
    return power and 2 * site.bytes <= MAX_VECTOR_BYTES and judgement.space in _SPACES


def _runs(
    reported: Reported, row: Mapping[int, tuple[Site, Form]], barred: _Barred
) -> dict[int, Wide]:
    found: dict[int, Wide] = {}
    taken: set[int] = set()
    for place in sorted(row):
        site, address = row[place]
        run = reported[site.ordinal][1]
        known = alignment(run.warp, address)
        fitting = [
            (count, together)
            for count in _COUNTS
            if (together := _together(run, row, place, count, barred))
            and not taken.intersection(together)
        ]
        for count, together in [
            *((c, t) for c, t in fitting if known % (c * site.bytes) == 0),
            *((c, t) for c, t in fitting if known % (c * site.bytes)),
        ]:
            width = count * site.bytes
            needs = missing(run.warp, address, width) if known % width else ""
            if needs is None:
                continue
            taken.update(together)
            first = min(other.ordinal for other in together.values())
            found[first] = Wide(count, needs)
            break
    return found


def _together(
    run: WarpState,
    row: Mapping[int, tuple[Site, Form]],
    place: int,
    count: int,
    barred: _Barred,
) -> dict[int, Site]:
    """The ``count`` neighbours from ``place`` on, by their places; none where they are not all
    there, or could not be one access.
    """
    site = row[place][0]
    width = count * site.bytes
    places = [place + n * site.bytes for n in range(count)]
    if width > MAX_VECTOR_BYTES or site.align >= width or any(p not in row for p in places):
        return {}
    found = {p: row[p][0] for p in places}
    return {} if barred.between(run.function, list(found.values())) else found


def alignment(warp: Warp, address: Form) -> int:
    """A power of two up to 256 that divides the address in every lane."""
    result = 256
    uniform = [(m, c) for m, c in address.terms if is_warp_uniform(c)]
    known = warp.congruence(uniform)
    const = warp.space.modulo(address.const, 256) + known.residue % 256
    result = gcd(result, known.modulus, int(np.gcd.reduce(const, axis=None)))
    for monomial, coefficient in address.terms:
        if is_warp_uniform(coefficient):
            continue
        atom = warp.congruence([(monomial, 1)])
        factor = warp.space.divisor(coefficient)
        result = gcd(result, factor * gcd(atom.modulus, atom.residue))
    return result & -result


def missing(warp: Warp, address: Form, width: int) -> str | None:
    """What would have to hold of parameters for the address to be a multiple of ``width`` in every
    lane, in words; None where nothing of that kind would do.

    As in "`n` is a multiple of 4".
    """
    rest = warp.space.modulo(address.const, width)
    needs: list[str] = []
    for monomial, coefficient in address.terms:
        factor = warp.space.divisor(coefficient)
        known = warp.congruence([(monomial, 1)])
        if factor * gcd(known.modulus, known.residue) % width == 0:
            continue
        if known.modulus * factor % width == 0:
            rest = rest + warp.space.modulo(coefficient, width) * (known.residue % width)
            continue
        atoms = [warp.atoms[number] for number in monomial]
        if any(a.varying or a.loops or a.cause not in _GIVEN or not a.name for a in atoms):
            return None
        name = "*".join(atom.name for atom in atoms)
        if atoms[0].cause is Cause.POINTER:
            needs.append(f"`{name}` is aligned to {width} bytes")
        else:
            needs.append(f"`{name}` is a multiple of {width // gcd(factor, width)}")
    if not needs or (rest % width).any():
        return None
    return " and ".join(dict.fromkeys(needs))


class _Barred:
    """Where in each block of a function something keeps accesses from being one."""

    def __init__(self) -> None:
        self._indices: dict[tuple[int, AccessKind], list[int]] = {}

    def between(self, function: Function, together: list[Site]) -> bool:
        """Whether something stands between the accesses, all of one block and kind."""
        indices = [site.instruction.index for site in together]
        first = together[0]
        key = (first.block, first.kind)
        if key not in self._indices:
            barred: tuple[type, ...] = (Atomic, MemoryCopy, MemoryFill, Call)
            if first.kind is AccessKind.LOAD:
                barred = (*barred, Store)
            block = function.blocks[first.block]
            self._indices[key] = [i.index for i in block.instructions if isinstance(i, barred)]
        found = self._indices[key]
        return bisect_right(found, min(indices)) < bisect_left(found, max(indices))
