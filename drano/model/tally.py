"""How many accesses there are, by verdict, where the accesses themselves need not be kept.

Accesses of one kernel, place and kind count once, with the worst of their verdicts: copies in
unrolled loops, and a header's in each unit that includes it. Of each only a hash is kept, which is
good within this process.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from drano.model.access import Access
from drano.model.judgement import Space, Verdict

_ORDER = [Verdict.COALESCED, Verdict.UNKNOWN, Verdict.UNCOALESCED]
GLOBAL = frozenset({Space.GLOBAL, Space.GENERIC})


class Tally(Struct, frozen=True):
    """``accesses``: all of them, in any memory; ``worst``: of each access of global memory, its
    verdict, and whether it holds for the assumed block shape only.
    """

    accesses: int = 0
    worst: dict[int, tuple[Verdict, bool]] = field(default_factory=dict)


def tally_of(accesses: Iterable[Access]) -> Tally:
    """What there is to count of them."""
    worst: dict[int, tuple[Verdict, bool]] = {}
    number = 0
    for access in accesses:
        number += 1
        if access.judgement.space in GLOBAL:
            key = hash((access.kernel_symbol, access.location, access.kind))
            _count(worst, key, (access.judgement.verdict, access.otherwise is not None))
    return Tally(number, worst)


def merged(tallies: Iterable[Tally]) -> Tally:
    """The tally of all that they were made of, in their order."""
    worst: dict[int, tuple[Verdict, bool]] = {}
    number = 0
    for tally in tallies:
        number += tally.accesses
        for key, found in tally.worst.items():
            _count(worst, key, found)
    return Tally(number, worst)


def _count(worst: dict[int, tuple[Verdict, bool]], key: int, found: tuple[Verdict, bool]) -> None:
    old = worst.setdefault(key, found)
    if _ORDER.index(found[0]) > _ORDER.index(old[0]):
        worst[key] = found
