"""Accesses of one thread that lie side by side and aligned, so that one wider access would do.

Means: the addresses of the sites of one basic block, which differ by a constant only; an address is
aligned where its residue says so in every lane, under the assumptions on pointers that all of the
analysis makes. What the compiler knows to be aligned it joins itself, and is left out. Limits:
loads are not joined across stores, atomics and calls, nor stores across atomics and calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

import numpy as np

from drano.analysis.judgement import Judgement
from drano.analysis.sites import MAX_VECTOR_BYTES, Site
from drano.analysis.warp.interpreter import WarpInterpreter
from drano.analysis.warp.ready import NotReadyError
from drano.finding import AccessKind, Space
from drano.ir.model import Atomic, Call, Load, MemoryCopy, MemoryFill, Store
from drano.lattice import Form, LaneOverflowError, Warp, is_warp_uniform

_SPACES = frozenset({Space.GLOBAL, Space.SHARED, Space.GENERIC})
_COUNTS = (4, 2)

Reported = Mapping[int, tuple[Judgement, WarpInterpreter]]


def vectors(reported: Reported, sites: list[Site]) -> dict[int, int]:
    """For the first site of each run, by ordinal: how many elements one access could take."""
    rows: dict[tuple[object, ...], dict[int, tuple[Site, Form]]] = {}
    for site in sites:
        known = reported.get(site.ordinal)
        if known is None or not _fits(site, known[0]):
            continue
        run = known[1]
        try:
            address = run.form(site.pointer, site.block, 64)
            const, space = address.const, run.warp.space
            place = const if isinstance(const, int) else int(const.data[0, 0])
            lanes = space.add(const, -place)
        except (NotReadyError, LaneOverflowError):
            continue
        key = (site.kind, site.bytes, site.block, id(run), address.terms, lanes)
        rows.setdefault(key, {}).setdefault(place, (site, address))
    found: dict[int, int] = {}
    for row in rows.values():
        found |= _runs(reported, row)
    return found


def _fits(site: Site, judgement: Judgement) -> bool:
    i = site.instruction
    if not isinstance(i, Load | Store) or i.volatile or i.atomic:
        return False
    power = site.bytes & (site.bytes - 1) == 0
    return power and 2 * site.bytes <= MAX_VECTOR_BYTES and judgement.space in _SPACES


def _runs(reported: Reported, row: Mapping[int, tuple[Site, Form]]) -> dict[int, int]:
    found: dict[int, int] = {}
    taken: set[int] = set()
    for place in sorted(row):
        site, address = row[place]
        run = reported[site.ordinal][1]
        for count in _COUNTS:
            width = count * site.bytes
            places = [place + n * site.bytes for n in range(count)]
            if width > MAX_VECTOR_BYTES or taken.intersection(places):
                continue
            if site.align >= width or any(p not in row for p in places):
                continue
            together = [row[p][0] for p in places]
            if alignment(run.warp, address) % width or not _undisturbed(run, together):
                continue
            taken.update(places)
            found[min(s.ordinal for s in together)] = count
            break
    return found


def alignment(warp: Warp, address: Form) -> int:
    """A power of two up to 256 that divides the address in every lane."""
    result = 256
    uniform = [(m, c) for m, c in address.terms if is_warp_uniform(c)]
    known = warp.congruence(uniform)
    const = warp.space.array(address.const) + known.residue % 256
    result = gcd(result, known.modulus, int(np.gcd.reduce(const, axis=None)))
    for monomial, coefficient in address.terms:
        if is_warp_uniform(coefficient):
            continue
        atom = warp.congruence([(monomial, 1)])
        factor = int(np.gcd.reduce(warp.space.array(coefficient), axis=None))
        result = gcd(result, factor * gcd(atom.modulus, atom.residue))
    return result & -result


def _undisturbed(run: WarpInterpreter, together: list[Site]) -> bool:
    """Whether nothing between the accesses keeps them from being one."""
    indices = [site.instruction.index for site in together]
    block = run.function.blocks[together[0].block]
    between = (i for i in block.instructions if min(indices) < i.index < max(indices))
    barred: tuple[type, ...] = (Atomic, MemoryCopy, MemoryFill, Call)
    if together[0].kind is AccessKind.LOAD:
        barred = (*barred, Store)
    return not any(isinstance(i, barred) for i in between)
