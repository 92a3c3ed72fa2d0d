"""A choice that a warp makes as a whole, between ways in which its lanes lie: ``transposed ?
a[k * m + i] : a[i * k + j]``.

Each way is counted by itself, for the bounds. Where lanes lie well in some and badly in others, the
*typical* counts are those of the bad ones, and hold if the choice falls so, which ``needs`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import product

from drano.lattice.warp.domain import Warp
from drano.lattice.warp.forms import Atom, Form
from drano.lattice.warp.operations.ways import choices_between_ways, chosen
from drano.model.hardware import UNCOALESCED_FROM
from drano.traffic.needs import Holds
from drano.traffic.tallies import Traffic, either, expecting


def in_each_way(warp: Warp, address: Form, count: Callable[[Form], Traffic]) -> Traffic | None:
    """What an access costs in all ways that its conditions may choose; None where none do, or
    the lanes' addresses are not known in some.
    """
    atoms = choices_between_ways(warp, address)
    if not atoms:
        return None
    ways: dict[tuple[int, ...], Traffic] = {}
    for values in product((0, 1), repeat=len(atoms)):
        numbers = (atom.number for atom in atoms)
        ways[values] = count(chosen(warp, address, dict(zip(numbers, values, strict=True))))
    if any(traffic.unknown for traffic in ways.values()):
        return None
    whole = reduce(either, ways.values())
    bad = {values for values, traffic in ways.items() if _is_bad(traffic)}
    if not bad:
        return whole
    if len(bad) == len(ways):  # what is said holds in each, as that of the cheapest does
        return expecting(whole, min(ways.values(), key=lambda way: way.sectors.typical_most), ())
    worst = max(bad, key=lambda values: ways[values].sectors.typical_most)
    return expecting(whole, ways[worst], _needs(atoms, worst, bad))


def _is_bad(traffic: Traffic) -> bool:
    ideal = max(traffic.ideal_total, 1)
    return not traffic.uniform and traffic.sectors.typical_least >= ideal * UNCOALESCED_FROM


def _needs(
    atoms: tuple[Atom, ...], worst: tuple[int, ...], bad: set[tuple[int, ...]]
) -> tuple[Holds, ...]:
    """How conditions must be for the worst way: those without which it would not be bad; all where
    each of them is enough for that.
    """
    found, needed = [], []
    for place, (atom, value) in enumerate(zip(atoms, worst, strict=True)):
        other = (*worst[:place], 1 - value, *worst[place + 1 :])
        assert atom.predicate is not None
        found.append(Holds(atom.number, atom.predicate, bool(value)))
        if other not in bad:
            needed.append(found[-1])
    return tuple(needed or found)
