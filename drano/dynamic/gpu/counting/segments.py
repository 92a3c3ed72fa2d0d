"""Stretches of code whose accesses are counted together.

Means: all accesses of a *segment* (a basic block, or its part up to a barrier) are made by the same
lanes. So one function at its end, which LLVM inlines, counts them all: the lanes are found once,
all accesses of proved and fixed cost share one counter, and loads are under way meanwhile. What is
counted are *entries*: one for all accesses that always cost the same, because they have one address
or because their lanes are proved to be spaced alike. An entry is 64 bits of packed counts
(``proved_costs``) in a slot. Accesses of fixed cost need no entry: any other tells how often they
ran. Where a thread may run the segment again, entries are summed in the thread's memory by a
function that is called when requests differ from those before, so the kernel keeps its registers.
``segment_code`` generates the functions.
"""

from __future__ import annotations

from msgspec import Struct, field

from drano.dynamic.gpu.counting.proved_costs import (
    FixedCost,
    KnownCost,
    PrefixCost,
    known_cost,
    runs_cost,
)
from drano.dynamic.instrument.counting_calls import KIND_NUMBERS
from drano.dynamic.instrument.measured_sites import DeviceSite
from drano.dynamic.instrument.proved_patterns import Block
from drano.ir.target import AddressSpace
from drano.model.access import AccessKind

MOST_ENTRIES = 6
"""That ``drano_add_up`` takes: a warp has lanes for the five counts of each."""
MOST_REPEATING = 8
COUNTS = 5
MOST_SITES = 48
_ONLY_SHARED, _MAY_BE_SHARED = 8, 16
HISTOGRAM = 32
HISTOGRAM_SLOTS = 5
"""Of eight counters each: requests of 0 to 31 lines (in shared memory: wavefronts), or more."""


def is_generic(site: DeviceSite) -> bool:
    """Whether only the run can tell which memory the site accesses."""
    return site.space not in {AddressSpace.GLOBAL, AddressSpace.SHARED, AddressSpace.CONSTANT}


def kind_number(site: DeviceSite) -> int:
    """The kind, and what is known of the memory, as the counting library takes them."""
    number = KIND_NUMBERS[site.kind]
    if site.space == AddressSpace.SHARED:
        return number | _ONLY_SHARED
    return number | _MAY_BE_SHARED if is_generic(site) else number


class Place(Struct):
    """Where the counts of a site are: ``slot`` its own; ``shared`` what of a generic one goes to
    shared memory; each request counted in ``group`` costs ``cost``, 0: what is counted there;
    ``histogram``: the first slot of how many requests were of how many lines.
    """

    slot: int = -1
    shared: int = -1
    group: int = -1
    cost: int = 0
    histogram: int = -1


class Proofs(Struct, frozen=True):
    """For which launches something is proved: ``block``: their shape, None: whole warps wide."""

    block: Block | None


class Counted(Struct, frozen=True):
    """A site of a segment and the pointer that it accesses, as printed."""

    site: DeviceSite
    pointer: str
    known: KnownCost | None


def counted(site: DeviceSite, pointer: str, proofs: Proofs | None) -> Counted:
    """The site with what is proved of it: of a generic address, as long as it is a global one."""
    known = None if proofs is None else known_cost(site, proofs.block)
    if is_generic(site) and isinstance(known, FixedCost):
        known = runs_cost(0, site.bytes)
    return Counted(site, pointer, known)


class Segment(Struct):
    """``repeats``: whether there are sums, as a thread may come here again; ``runs``: whether its
    requests are likely to be like those before; ``depth``: how many loops it is in; ``hot``:
    whether its state may take registers; ``whole``: whether whole warps may come here; ``first``:
    the slot of the first entry; ``block``: the variable of the block's words that what is counted
    goes to, if any, from entry ``word`` on; ``location``: a debug location; ``elsewhere``: of
    accesses of generic addresses, by their number, the slot of what does not go to global memory.
    """

    number: int
    repeats: bool
    runs: bool = True
    depth: int = 0
    hot: bool = True
    whole: bool = True
    block: str = ""
    word: int = 0
    first: int = 0
    accesses: list[Counted] = field(default_factory=list)
    location: str = ""
    elsewhere: dict[int, int] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        """Whether no further access has room."""
        single = len(self.classes())
        most = MOST_REPEATING if self.repeats else MOST_ENTRIES - 2
        return single >= most or len(self.accesses) >= MOST_SITES

    @property
    def kept(self) -> str:
        """How variables of the state are accessed: volatile ones stay in memory."""
        return "" if self.hot else "volatile "

    def classes(self) -> list[list[int]]:
        """Accesses, by their numbers, that share an entry; the first of each stands for them."""
        found: dict[object, list[int]] = {}
        for number, access in enumerate(self.accesses):
            if not isinstance(access.known, FixedCost):
                found.setdefault(_class_of(access), []).append(number)
        return list(found.values())

    def base(self) -> int:
        """The entry that is added to in every request, which tells how often: one of its own where
        there is none among the classes.
        """
        firsts = [self.accesses[group[0]] for group in self.classes()]
        sure = (at for at, access in enumerate(firsts) if not is_generic(access.site))
        return next(sure, len(firsts))

    def entries(self) -> int:
        """How many slots are added to."""
        fixed = any(isinstance(access.known, FixedCost) for access in self.accesses)
        return max(len(self.classes()), self.base() + 1 if fixed else 1)

    def state(self) -> list[tuple[str, str]]:
        """Variables of the thread, by name and type: the sums of every entry and, where requests
        run alike, what a request costs now; how many have cost it, by which lanes; addresses.
        """
        if not self.repeats:
            return []
        entries = self.entries()
        if not self.runs:
            return [(f"sum{k}", "i64") for k in range(entries)]
        moving = [group[0] for group in self.classes() if moves(self.accesses[group[0]])]
        return [
            ("sums", f"[{2 * entries} x i64]"),
            ("count", "i32"),
            ("lanes", "i32"),
            *((f"old{n}", "i32") for n in moving),
        ]

    def place_all(self, first: int, spare: int, places: dict[int, Place]) -> int:
        """Choose slots: entries from ``first`` on, what is seldom needed from ``spare`` on.
        Returns the next spare one.
        """
        for at, group in enumerate(self.classes(), first):
            for number in group:
                places[self.accesses[number].site.number].group = at
        for number, access in enumerate(self.accesses):
            place = places[access.site.number]
            if isinstance(access.known, FixedCost):
                place.group, place.cost = first + self.base(), access.known.counts
            if access.site.kind is AccessKind.ATOMIC:  # conflicts are of each alone
                place.slot = spare
                spare += 1
            if is_generic(access.site):
                place.slot, place.shared = spare, spare + 1
                self.elsewhere[number] = spare
                spare += 2
        return spare


def _class_of(access: Counted) -> object:
    """Equal for accesses of one segment that cost the same."""
    site = access.site
    if isinstance(access.known, PrefixCost):
        return access.known, site.bytes, site.kind
    if is_generic(site):  # what goes elsewhere is counted by each
        return site.number
    shared = site.space == AddressSpace.SHARED
    return access.pointer, site.bytes, site.kind if shared else None


def moves(access: Counted) -> bool:
    """Whether the cost depends on where the lanes' addresses are, not only on which lanes."""
    return not isinstance(access.known, FixedCost | PrefixCost)
