"""Stretches of code whose accesses are counted together, and the function that counts each.

Means: all accesses of a *segment* (a basic block, or its part up to a barrier) are made by the same
lanes. So they are counted at its end by one function, which LLVM inlines: the lanes are found once;
all accesses of proved and fixed cost share one counter; loads are on their way meanwhile. What is
counted are *entries*: a group of such accesses, an access whose proved cost depends on its place in
a line, or one that is measured. An entry is 64 bits of packed counts (``costs``) in a slot.
Where the segment may run again in a thread, entries are summed up in variables of the thread.
Assumptions: the names of functions are those of ``runtime/gpu/counting.cu``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from drano.dynamic.gpu.costs import WIDTH, FixedCost, RunsCost, known_cost
from drano.dynamic.instrument import KIND_NUMBERS
from drano.dynamic.proved import Block
from drano.dynamic.sites import DeviceSite
from drano.ir import model as m

MOST_ENTRIES = 6
"""That ``drano_add_up`` takes: a warp has lanes for the five counts of each."""
MOST_SITES = 24
_ONE_REQUEST = 1 << 4 * WIDTH
_OVERFLOW = 128 << 4 * WIDTH
_ONLY_SHARED, _MAY_BE_SHARED = 8, 16


def is_generic(site: DeviceSite) -> bool:
    """Whether only the run can tell which memory the site accesses."""
    return site.space not in {m.AddressSpace.GLOBAL, m.AddressSpace.SHARED, m.AddressSpace.CONSTANT}


def kind_number(site: DeviceSite) -> int:
    """The kind, and what is known of the memory, as the counting library takes them."""
    number = KIND_NUMBERS[site.kind]
    if site.space == m.AddressSpace.SHARED:
        return number | _ONLY_SHARED
    return number | _MAY_BE_SHARED if is_generic(site) else number


@dataclass(slots=True)
class Place:
    """Where the counts of a site are: ``slot`` its own; ``shared`` what of a generic one goes to
    shared memory; each request counted in ``group`` costs ``cost``, and has all lanes unless
    ``any_lanes``.
    """

    slot: int = -1
    shared: int = -1
    group: int = -1
    cost: int = 0
    any_lanes: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """A site of a segment and the pointer that it accesses, as printed."""

    site: DeviceSite
    pointer: str
    known: FixedCost | RunsCost | None


def counted(site: DeviceSite, pointer: str) -> Counted:
    """The site with what is proved of it; of a generic address nothing is used."""
    return Counted(site, pointer, None if is_generic(site) else known_cost(site))


@dataclass(slots=True)
class Segment:
    """``repeats``: whether there are sums, as a thread may come here again; ``block``: what is
    added first goes to the words of the block, by this expression; ``location``: a debug location.
    """

    number: int
    repeats: bool
    block: str = ""
    accesses: list[Counted] = field(default_factory=list)
    location: str = ""

    @property
    def full(self) -> bool:
        """Whether no further access has room."""
        single = sum(not isinstance(a.known, FixedCost) for a in self.accesses)
        return single >= MOST_ENTRIES - 2 or len(self.accesses) >= MOST_SITES

    def groups(self) -> list[tuple[Block | None, bool]]:
        """The counters that accesses of fixed cost share: launches they hold for, any lanes."""
        return list(
            dict.fromkeys(
                (a.known.block, a.known.any_lanes)
                for a in self.accesses
                if isinstance(a.known, FixedCost)
            )
        )

    def blocks(self) -> list[Block | None]:
        """The launches that proofs of the segment are of."""
        return list(dict.fromkeys(a.known.block for a in self.accesses if a.known is not None))

    def entries(self) -> int:
        """How many slots are added to."""
        single = sum(not isinstance(a.known, FixedCost) for a in self.accesses)
        return len(self.groups()) + single

    def place_all(self, first: int, spare: int, places: dict[int, Place]) -> int:
        """Choose slots: entries from ``first`` on, what is seldom needed from ``spare`` on.
        Returns the next spare one.
        """
        following = first
        group_slots: dict[tuple[Block | None, bool], int] = {}
        for group in self.groups():
            group_slots[group] = following
            following += 1
        for access in self.accesses:
            place = places[access.site.number]
            known = access.known
            if isinstance(known, FixedCost):
                place.group = group_slots[known.block, known.any_lanes]
                place.cost, place.any_lanes = known.counts, known.any_lanes
                place.slot = spare
                spare += 1
            else:
                place.slot = following
                following += 1
        return spare


@dataclass(slots=True)
class _Text:
    lines: list[str] = field(default_factory=list)
    names: int = 0

    def add(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def value(self, text: str) -> str:
        self.names += 1
        self.add(f"%v{self.names} = {text}")
        return f"%v{self.names}"

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")


def segment_function(
    segment: Segment, first: int, places: dict[int, Place], tables: dict[tuple[int, ...], str]
) -> str:
    """IR of the function that counts the segment: arguments are the sums (if it repeats), whether
    proofs hold (by ``blocks``), and the pointers.
    """
    text = _Text()
    count = segment.entries()
    holds = {block: f"%h{k}" for k, block in enumerate(segment.blocks())}
    parameters = [f"ptr %s{k}" for k in range(count)] if segment.repeats else []
    parameters += [f"i32 {name}" for name in holds.values()]
    parameters += [f"ptr %p{k}" for k in range(len(segment.accesses))]
    mask = text.value("call i32 @drano_mask()")
    full = text.value(f"icmp eq i32 {mask}, -1")
    proof = {block: text.value(f"icmp ne i32 {name}, 0") for block, name in holds.items()}
    whole = {block: text.value(f"and i1 {name}, {full}") for block, name in proof.items()}
    entries = []
    for block, any_lanes in segment.groups():
        if any_lanes:
            lanes = text.value(f"call i64 @drano_one_request(i32 {mask})")
            entries.append(text.value(f"select i1 {proof[block]}, i64 {lanes}, i64 0"))
        else:
            entries.append(text.value(f"select i1 {whole[block]}, i64 {_ONE_REQUEST}, i64 0"))
    entries += _single_entries(segment, text, mask, proof, tables)
    _measure_unproved(segment, text, places, proof, whole)
    if segment.repeats:
        _add_to_sums(text, mask, entries, first)
    else:
        padded = entries + ["0"] * (MOST_ENTRIES - count)
        values = ", ".join(f"i64 {entry}" for entry in padded)
        if segment.block:
            text.add(
                f"call void @drano_block_up({segment.block}, i32 {mask}, i32 {count}, {values})"
            )
        else:
            text.add(f"call void @drano_add_up(i32 {mask}, i32 {first}, i32 {count}, {values})")
    text.add("ret void")
    name = f"@drano.segment.{segment.number}"
    head = f"define internal void {name}({', '.join(parameters)}) alwaysinline convergent nounwind"
    return "\n".join([f"{head} {{", "entry:", *text.lines, "}"])


def _single_entries(
    segment: Segment,
    text: _Text,
    mask: str,
    proof: dict[Block | None, str],
    tables: dict[tuple[int, ...], str],
) -> list[str]:
    """Entries of accesses that are looked up or measured. First all of them as if their lanes'
    addresses rose; where they do not, the flags say so, and they are counted otherwise.
    """
    entries: list[str] = []
    measured: dict[int, tuple[str, str, str]] = {}
    for number, access in enumerate(segment.accesses):
        known, site = access.known, access.site
        if isinstance(known, FixedCost):
            continue
        if known is not None:
            address = text.value(f"ptrtoint ptr %p{number} to i64")
            table = tables.setdefault(known.table, f"@drano.costs.{len(tables)}")
            cost = text.value(
                f"call i64 @drano_runs(i32 {mask}, i64 {address}, i32 {site.bytes}, "
                f"i32 {known.stride}, ptr addrspace(4) {table})"
            )
            entries.append(text.value(f"select i1 {proof[known.block]}, i64 {cost}, i64 0"))
            continue
        space = "global"
        pointer = f"ptr %p{number}"
        if site.space == m.AddressSpace.SHARED:
            space = "shared"
            cast = text.value(f"addrspacecast ptr %p{number} to ptr addrspace(3)")
            pointer = f"ptr addrspace(3) {cast}"
        address = text.value(f"ptrtoint {pointer} to i64")
        arguments = f"i32 {mask}, i64 {address}, i32 {site.bytes}, i32 {kind_number(site)}"
        quick = text.value(f"call i64 @drano_quick_{space}({arguments})")
        measured[len(entries)] = (space, arguments, quick)
        entries.append(quick)
    if not measured:
        return entries
    flags = "0"
    for _, _, quick in measured.values():
        flags = text.value(f"or i64 {flags}, {quick}")
    odd = text.value(f"icmp slt i64 {flags}, 0")
    text.add(f"br i1 {odd}, label %odd, label %even")
    text.label("odd")
    settled = {
        at: text.value(f"call i64 @drano_settle_{space}({arguments}, i64 {quick})")
        for at, (space, arguments, quick) in measured.items()
    }
    text.add("br label %even")
    text.label("even")
    for at, (_, _, quick) in measured.items():
        entries[at] = text.value(f"phi i64 [ {quick}, %entry ], [ {settled[at]}, %odd ]")
    return entries


def _measure_unproved(
    segment: Segment,
    text: _Text,
    places: dict[int, Place],
    proof: dict[Block | None, str],
    whole: dict[Block | None, str],
) -> None:
    """Where a proof is of another launch, or not all lanes are there, its accesses are measured."""
    known = [
        (number, access.site, _condition(access.known, proof, whole))
        for number, access in enumerate(segment.accesses)
        if access.known is not None
    ]
    if not known:
        return
    good = "true"
    for condition in dict.fromkeys(condition for _, _, condition in known):
        good = text.value(f"and i1 {good}, {condition}")
    text.add(f"br i1 {good}, label %proved, label %unproved")
    text.label("unproved")
    for number, site, condition in known:
        address = text.value(f"ptrtoint ptr %p{number} to i64")
        counted_already = text.value(f"zext i1 {condition} to i32")
        text.add(
            f"call void @drano_unless(i32 {counted_already}, i32 {places[site.number].slot}, "
            f"i64 {address}, i32 {site.bytes}, i32 {kind_number(site)})"
        )
    text.add("br label %proved")
    text.label("proved")


def _condition(
    known: FixedCost | RunsCost, proof: dict[Block | None, str], whole: dict[Block | None, str]
) -> str:
    """When the access was counted by what is known."""
    if isinstance(known, FixedCost) and not known.any_lanes:
        return whole[known.block]
    return proof[known.block]


def _add_to_sums(text: _Text, mask: str, entries: Sequence[str], first: int) -> None:
    leads = text.value(f"call i1 @drano_leads(i32 {mask})")
    sums = []
    over = "0"
    for k, entry in enumerate(entries):
        old = text.value(f"load i64, ptr %s{k}")
        mine = text.value(f"select i1 {leads}, i64 {entry}, i64 0")
        sums.append(text.value(f"add i64 {old}, {mine}"))
        text.add(f"store i64 {sums[-1]}, ptr %s{k}")
        over = text.value(f"or i64 {over}, {sums[-1]}")
    much = text.value(f"icmp uge i64 {over}, {_OVERFLOW}")
    text.add(f"br i1 {much}, label %spill, label %done")
    text.label("spill")
    for k, total in enumerate(sums):
        text.add(f"call void @drano_flush_full(i32 {first + k}, i64 {total})")
        text.add(f"store i64 0, ptr %s{k}")
    text.add("br label %done")
    text.label("done")


def table_definitions(tables: dict[tuple[int, ...], str]) -> list[str]:
    """IR of the tables of costs."""
    return [
        f"{name} = internal addrspace(4) constant [{len(costs)} x i64] "
        f"[{', '.join(f'i64 {cost}' for cost in costs)}]"
        for costs, name in tables.items()
    ]
