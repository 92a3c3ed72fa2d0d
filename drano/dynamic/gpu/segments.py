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

from drano.dynamic.gpu.costs import (
    WIDTH,
    FixedCost,
    KnownCost,
    RunsCost,
    known_cost,
)
from drano.dynamic.instrument import KIND_NUMBERS
from drano.dynamic.proved import Block
from drano.dynamic.sites import DeviceSite
from drano.finding import LINE_BYTES
from drano.ir import model as m

MOST_ENTRIES = 6
"""That ``drano_add_up`` takes: a warp has lanes for the five counts of each."""
MOST_REPEATING = 8
COUNTS = 5
MOST_SITES = 24
_FLAG = -(1 << 63)
_OVERFLOW = 64 << 4 * WIDTH
_RUN_BITS = 6  # requests that are counted before they are added up: with _OVERFLOW, 128 at most
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
    shared memory; each request counted in ``group`` costs ``cost``.
    """

    slot: int = -1
    shared: int = -1
    group: int = -1
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """A site of a segment and the pointer that it accesses, as printed."""

    site: DeviceSite
    pointer: str
    known: KnownCost | None


def counted(site: DeviceSite, pointer: str) -> Counted:
    """The site with what is proved of it; of a generic address nothing is used."""
    return Counted(site, pointer, None if is_generic(site) else known_cost(site))


@dataclass(slots=True)
class Segment:
    """``repeats``: whether there are sums, as a thread may come here again; ``runs``: whether its
    requests are likely to be like those before; ``first``: the slot of the first entry; ``block``:
    the variable of the block's words that what is counted goes to, if any, from entry ``word`` on;
    ``location``: a debug location.
    """

    number: int
    repeats: bool
    runs: bool = True
    block: str = ""
    word: int = 0
    first: int = 0
    accesses: list[Counted] = field(default_factory=list)
    location: str = ""

    @property
    def full(self) -> bool:
        """Whether no further access has room."""
        single = sum(not isinstance(a.known, FixedCost) for a in self.accesses)
        most = MOST_REPEATING if self.repeats else MOST_ENTRIES - 2
        return single >= most or len(self.accesses) >= MOST_SITES

    def groups(self) -> list[Block | None]:
        """The counters that accesses of fixed cost share, by the launches that their proofs hold
        for.
        """
        fixed = (a.known.block for a in self.accesses if isinstance(a.known, FixedCost))
        return list(dict.fromkeys(fixed))

    def blocks(self) -> list[Block | None]:
        """The launches that proofs of the segment are of."""
        return list(dict.fromkeys(a.known.block for a in self.accesses if a.known is not None))

    def entries(self) -> int:
        """How many slots are added to."""
        single = sum(not isinstance(a.known, FixedCost) for a in self.accesses)
        return len(self.groups()) + single

    def state(self) -> list[tuple[str, str]]:
        """Variables of the thread, by name and type: of every entry the cost of a request now and
        the sum of those before; how many have that cost, by which lanes; each access's address.
        """
        if not self.repeats:
            return []
        entries = range(self.entries())
        if not self.runs:
            return [(f"sum{k}", "i64") for k in entries]
        alone = [n for n, a in enumerate(self.accesses) if not isinstance(a.known, FixedCost)]
        return [
            *((f"sum{k}", "i64") for k in entries),
            *((f"cost{k}", "i64") for k in entries),
            ("count", "i32"),
            ("lanes", "i32"),
            *((f"old{n}", "i32") for n in alone),
        ]

    def place_all(self, first: int, spare: int, places: dict[int, Place]) -> int:
        """Choose slots: entries from ``first`` on, what is seldom needed from ``spare`` on.
        Returns the next spare one.
        """
        following = first
        group_slots: dict[Block | None, int] = {}
        for group in self.groups():
            group_slots[group] = following
            following += 1
        for access in self.accesses:
            place = places[access.site.number]
            known = access.known
            if isinstance(known, FixedCost):
                place.group, place.cost = group_slots[known.block], known.counts
                place.slot = spare
                spare += 1
            else:
                place.slot = following
                following += 1
        return spare


@dataclass(slots=True)
class _Text:
    block: str = "entry"
    lines: list[str] = field(default_factory=list)
    names: int = 0

    def add(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def value(self, text: str) -> str:
        self.names += 1
        self.add(f"%v{self.names} = {text}")
        return f"%v{self.names}"

    def branch(self, condition: str, then: str, other: str) -> None:
        self.add(f"br i1 {condition}, label %{then}, label %{other}")

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name


def block_word(block: str, entry: int) -> str:
    """The first word of an entry among those of the block."""
    offset = 4 * COUNTS * entry
    return f"ptr addrspace(3) getelementptr (i8, ptr addrspace(3) {block}, i64 {offset})"


def segment_function(
    segment: Segment, first: int, places: dict[int, Place], tables: dict[tuple[int, ...], str]
) -> str:
    """IR of the function that counts the segment: arguments are the state (if it repeats), whether
    proofs hold (by ``blocks``), and the pointers.
    """
    text = _Text()
    count = segment.entries()
    holds = {block: f"%h{k}" for k, block in enumerate(segment.blocks())}
    parameters = [f"ptr %{name}" for name, _ in segment.state()]
    parameters += [f"i32 {name}" for name in holds.values()]
    parameters += [f"ptr %p{k}" for k in range(len(segment.accesses))]
    mask = text.value("call i32 @drano_mask()")
    if segment.repeats and segment.runs:
        _look_for_change(segment, text, mask)
    proof = {block: text.value(f"icmp ne i32 {name}, 0") for block, name in holds.items()}
    entries = []
    for block in segment.groups():
        one = text.value(f"call i64 @drano_one_request(i32 {mask})")
        entries.append(text.value(f"select i1 {proof[block]}, i64 {one}, i64 0"))
    entries += _single_entries(segment, text, mask, proof, tables)
    proved = _measure_unproved(segment, text, places, proof)
    if segment.repeats and segment.runs:
        _begin_run(segment, text, mask, entries, proved)
    elif segment.repeats:
        _add_to_sums(segment, text, mask, entries)
    else:
        for at in range(0, count, MOST_ENTRIES):
            part = entries[at : at + MOST_ENTRIES]
            padded = part + ["0"] * (MOST_ENTRIES - len(part))
            values = f"i32 {len(part)}, " + ", ".join(f"i64 {entry}" for entry in padded)
            if segment.block:
                word = block_word(segment.block, segment.word + at)
                text.add(f"call void @drano_block_up({word}, i32 {mask}, {values})")
            else:
                text.add(f"call void @drano_add_up(i32 {mask}, i32 {first + at}, {values})")
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
        space, pointer = "global", f"ptr %p{number}"
        if site.space == m.AddressSpace.SHARED:
            space = "shared"
            cast = text.value(f"addrspacecast ptr %p{number} to ptr addrspace(3)")
            pointer = f"ptr addrspace(3) {cast}"
        address = text.value(f"ptrtoint {pointer} to i64")
        arguments = f"i32 {mask}, i64 {address}, i32 {site.bytes}, i32 {kind_number(site)}"
        if known is None:
            quick = text.value(f"call i64 @drano_quick_{space}({arguments})")
        else:
            table = tables.setdefault(known.table, f"@drano.costs.{len(tables)}")
            call = f"drano_prefix(i32 {mask}"
            if isinstance(known, RunsCost):
                call = f"drano_runs(i32 {mask}, i64 {address}, i32 {site.bytes}, i32 {known.stride}"
            cost = text.value(f"call i64 @{call}, ptr addrspace(4) {table})")
            quick = text.value(f"select i1 {proof[known.block]}, i64 {cost}, i64 {_FLAG}")
        measured[len(entries)] = (space, arguments, quick)
        entries.append(quick)
    if not measured:
        return entries
    before = text.block
    flags = "0"
    for _, _, quick in measured.values():
        flags = text.value(f"or i64 {flags}, {quick}")
    odd = text.value(f"icmp slt i64 {flags}, 0")
    text.branch(odd, "odd", "even")
    text.label("odd")
    settled = {
        at: text.value(f"call i64 @drano_settle_{space}({arguments}, i64 {quick})")
        for at, (space, arguments, quick) in measured.items()
    }
    text.add("br label %even")
    text.label("even")
    for at, (_, _, quick) in measured.items():
        entries[at] = text.value(f"phi i64 [ {quick}, %{before} ], [ {settled[at]}, %odd ]")
    return entries


def _measure_unproved(
    segment: Segment,
    text: _Text,
    places: dict[int, Place],
    proof: dict[Block | None, str],
) -> str:
    """Where a proof is of another launch, accesses of fixed cost are measured, each for itself.
    Returns whether none was.
    """
    known = [
        (number, access.site, proof[access.known.block])
        for number, access in enumerate(segment.accesses)
        if isinstance(access.known, FixedCost)
    ]
    if not known:
        return "true"
    good = "true"
    for condition in dict.fromkeys(condition for _, _, condition in known):
        good = text.value(f"and i1 {good}, {condition}")
    text.branch(good, "proved", "unproved")
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
    return good


def _look_for_change(segment: Segment, text: _Text, mask: str) -> None:
    """A request costs what the last one did when its lanes are the same, and all of their addresses
    have moved alike, by whole lines (in shared memory: by whole elements). Then it is only counted.
    """
    lanes = text.value("load i32, ptr %lanes")
    count = text.value("load i32, ptr %count")
    different = text.value(f"xor i32 {lanes}, {mask}")
    many = text.value(f"lshr i32 {count}, {_RUN_BITS}")
    different = text.value(f"or i32 {different}, {many}")
    moved: dict[bool, str] = {}
    for number, access in enumerate(segment.accesses):
        if isinstance(access.known, FixedCost):
            continue
        shared = access.site.space == m.AddressSpace.SHARED
        address = text.value(f"ptrtoint ptr %p{number} to i64")
        low = text.value(f"trunc i64 {address} to i32")
        old = text.value(f"load i32, ptr %old{number}")
        text.add(f"store i32 {low}, ptr %old{number}")
        by = text.value(f"sub i32 {low}, {old}")
        unit = max(access.site.bytes, 4) if shared else LINE_BYTES
        place = text.value(f"and i32 {by}, {unit - 1 if unit & (unit - 1) == 0 else -1}")
        different = text.value(f"or i32 {different}, {place}")
        if access.known is None and shared in moved:
            unlike = text.value(f"xor i32 {by}, {moved[shared]}")
            different = text.value(f"or i32 {different}, {unlike}")
        elif access.known is None:
            moved[shared] = by
    for by in moved.values():
        unlike = text.value(f"call i32 @drano_unlike(i32 {mask}, i32 {by})")
        different = text.value(f"or i32 {different}, {unlike}")
    changed = text.value(f"call i1 @drano_any(i32 {mask}, i32 {different})")
    text.branch(changed, "changed", "tally")
    text.label("changed")


def _begin_run(
    segment: Segment, text: _Text, mask: str, entries: Sequence[str], proved: str
) -> None:
    """Add what was counted at the cost before, remember the cost now; count. A request that had to
    be measured otherwise is not like any other.
    """
    count = text.value("load i32, ptr %count")
    times = text.value(f"zext i32 {count} to i64")
    over = "0"
    sums = []
    for k, entry in enumerate(entries):
        cost = text.value(f"load i64, ptr %cost{k}")
        old = text.value(f"load i64, ptr %sum{k}")
        product = text.value(f"mul i64 {cost}, {times}")
        sums.append(text.value(f"add i64 {old}, {product}"))
        text.add(f"store i64 {sums[-1]}, ptr %sum{k}")
        text.add(f"store i64 {entry}, ptr %cost{k}")
        over = text.value(f"or i64 {over}, {sums[-1]}")
    text.add("store i32 0, ptr %count")
    like = text.value(f"select i1 {proved}, i32 {mask}, i32 0")
    text.add(f"store i32 {like}, ptr %lanes")
    _spill(segment, text, sums, over)
    leads = text.value(f"call i1 @drano_leads(i32 {mask})")
    one = text.value(f"zext i1 {leads} to i32")
    now = text.value("load i32, ptr %count")
    more = text.value(f"add i32 {now}, {one}")
    text.add(f"store i32 {more}, ptr %count")


def _add_to_sums(segment: Segment, text: _Text, mask: str, entries: Sequence[str]) -> None:
    leads = text.value(f"call i1 @drano_leads(i32 {mask})")
    sums = []
    over = "0"
    for k, entry in enumerate(entries):
        old = text.value(f"load i64, ptr %sum{k}")
        mine = text.value(f"select i1 {leads}, i64 {entry}, i64 0")
        sums.append(text.value(f"add i64 {old}, {mine}"))
        text.add(f"store i64 {sums[-1]}, ptr %sum{k}")
        over = text.value(f"or i64 {over}, {sums[-1]}")
    _spill(segment, text, sums, over)


def _spill(segment: Segment, text: _Text, sums: Sequence[str], over: str) -> None:
    """Sums that might overflow go to the counters."""
    much = text.value(f"icmp uge i64 {over}, {_OVERFLOW}")
    text.branch(much, "spill", "tally")
    text.label("spill")
    for k, total in enumerate(sums):
        text.add(f"call void @drano_flush_full(i32 {segment.first + k}, i64 {total})")
        text.add(f"store i64 0, ptr %sum{k}")
    text.add("br label %tally")
    text.label("tally")


def table_definitions(tables: dict[tuple[int, ...], str]) -> list[str]:
    """IR of the tables of costs."""
    return [
        f"{name} = internal addrspace(4) constant [{len(costs)} x i64] "
        f"[{', '.join(f'i64 {cost}' for cost in costs)}]"
        for costs, name in tables.items()
    ]
