"""Stretches of code whose accesses are counted together, and the function that counts each.

Means: all accesses of a *segment* (a basic block, or its part up to a barrier) are made by the same
lanes. So they are counted at its end by one function, which LLVM inlines: the lanes are found once;
all accesses of proved and fixed cost share one counter; loads are on their way meanwhile. What is
counted are *entries*: one for all accesses that cost the same whatever their addresses are: because
they have one address, or because their lanes are proved to lie alike. An entry is 64 bits of packed
counts (``costs``) in a slot. Accesses of fixed cost need none of their own: any tells how often.
Where the segment may run again in a thread, entries are summed up in memory of the thread, by a
function that is called when requests differ from those before: registers stay the kernel's own.
Assumptions: the names of functions are those of ``runtime/gpu/counting.cu``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from drano.dynamic.gpu.costs import (
    WIDTH,
    FixedCost,
    KnownCost,
    PrefixCost,
    RunsCost,
    known_cost,
)
from drano.dynamic.instrument import KIND_NUMBERS
from drano.dynamic.proved import Block
from drano.dynamic.sites import DeviceSite
from drano.finding import LINE_BYTES, AccessKind
from drano.ir import model as m

MOST_ENTRIES = 6
"""That ``drano_add_up`` takes: a warp has lanes for the five counts of each."""
MOST_REPEATING = 8
COUNTS = 5
MOST_SITES = 48
_OVERFLOW = 64 << 4 * WIDTH
_RUN_BITS = 6  # requests that are counted before they are added up: with _OVERFLOW, 128 at most
_ONLY_SHARED, _MAY_BE_SHARED = 8, 16
HISTOGRAM = 32
HISTOGRAM_SLOTS = 5
"""Of eight counters each: requests of 0 to 31 lines (in shared memory: wavefronts), or more."""


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
    shared memory; each request counted in ``group`` costs ``cost``, 0: what is counted there;
    ``histogram``: the first slot of how many requests were of how many lines.
    """

    slot: int = -1
    shared: int = -1
    group: int = -1
    cost: int = 0
    histogram: int = -1


@dataclass(frozen=True, slots=True)
class Proofs:
    """For which launches something is proved: ``block``: their shape, None: whole warps wide."""

    block: Block | None


@dataclass(frozen=True, slots=True)
class Counted:
    """A site of a segment and the pointer that it accesses, as printed."""

    site: DeviceSite
    pointer: str
    known: KnownCost | None


def counted(site: DeviceSite, pointer: str, proofs: Proofs | None) -> Counted:
    """The site with what is proved of it; of a generic address nothing is used."""
    known = None if proofs is None or is_generic(site) else known_cost(site, proofs.block)
    return Counted(site, pointer, known)


@dataclass(slots=True)
class Segment:
    """``repeats``: whether there are sums, as a thread may come here again; ``runs``: whether its
    requests are likely to be like those before; ``depth``: how many loops it is in; ``hot``:
    whether its state may take registers; ``first``: the slot of the first entry; ``block``: the
    variable of the block's words that what is counted goes to, if any, from entry ``word`` on;
    ``location``: a debug location.
    """

    number: int
    repeats: bool
    runs: bool = True
    depth: int = 0
    hot: bool = True
    block: str = ""
    word: int = 0
    first: int = 0
    accesses: list[Counted] = field(default_factory=list)
    location: str = ""

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

    def entries(self) -> int:
        """How many slots are added to."""
        return max(len(self.classes()), 1)

    def state(self) -> list[tuple[str, str]]:
        """Variables of the thread, by name and type: the sums of every entry and, where requests
        run alike, what a request costs now; how many have cost it, by which lanes; addresses.
        """
        if not self.repeats:
            return []
        entries = self.entries()
        if not self.runs:
            return [(f"sum{k}", "i64") for k in range(entries)]
        moving = [group[0] for group in self.classes() if _moves(self.accesses[group[0]])]
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
        for access in self.accesses:
            place = places[access.site.number]
            if isinstance(access.known, FixedCost):
                place.group, place.cost = first, access.known.counts
            if access.site.kind is AccessKind.ATOMIC:  # conflicts are of each alone
                place.slot = spare
                spare += 1
        return spare


def _class_of(access: Counted) -> object:
    """Equal for accesses of one segment that cost the same."""
    site = access.site
    if isinstance(access.known, PrefixCost):
        return access.known, site.bytes, site.kind
    shared = site.space == m.AddressSpace.SHARED
    return access.pointer, site.bytes, site.kind if shared else None


def _moves(access: Counted) -> bool:
    """Whether the cost depends on where the lanes' addresses are, not only on which lanes."""
    return not isinstance(access.known, FixedCost | PrefixCost)


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


def segment_functions(segment: Segment, first: int, tables: dict[tuple[int, ...], str]) -> str:
    """IR of the function that counts the segment: arguments are the number that all slots are
    counted from, the state (if it repeats) and the pointers of all accesses.
    """
    text = _Text()
    if segment.repeats and segment.runs:
        return _run_functions(segment, text, tables)
    mask = text.value("call i32 @drano_mask()")
    entries = _entries(segment, text, mask, tables)
    if segment.repeats:
        _add_to_sums(segment, text, mask, entries)
    else:
        for at in range(0, len(entries), MOST_ENTRIES):
            part = entries[at : at + MOST_ENTRIES]
            padded = part + ["0"] * (MOST_ENTRIES - len(part))
            values = f"i32 {len(part)}, " + ", ".join(f"i64 {entry}" for entry in padded)
            if segment.block:
                word = block_word(segment.block, segment.word + at)
                text.add(f"call void @drano_block_up({word}, i32 {mask}, {values})")
            else:
                slot = text.value(f"add i32 %set, {first + at}")
                text.add(f"call void @drano_add_up(i32 {mask}, i32 {slot}, {values})")
    return _inlined(segment, text)


def _inlined(segment: Segment, text: _Text) -> str:
    text.add("ret void")
    parameters = ["i32 %set", *(f"ptr %{name}" for name, _ in segment.state())]
    parameters += [f"ptr %p{k}" for k in range(len(segment.accesses))]
    name = f"@drano.segment.{segment.number}"
    head = f"define internal void {name}({', '.join(parameters)}) alwaysinline convergent nounwind"
    return "\n".join([f"{head} {{", "entry:", *text.lines, "}"])


def _entries(
    segment: Segment, text: _Text, mask: str, tables: dict[tuple[int, ...], str]
) -> list[str]:
    """What a request costs, by classes. First all of them as if their lanes' addresses rose; where
    they do not, the flags say so, and they are counted otherwise.
    """
    entries: list[str] = []
    measured: dict[int, tuple[str, str, str]] = {}
    for number, *_ in segment.classes():
        access = segment.accesses[number]
        known, site = access.known, access.site
        space, pointer = "global", f"ptr %p{number}"
        if site.space == m.AddressSpace.SHARED:
            space = "shared"
            cast = text.value(f"addrspacecast ptr %p{number} to ptr addrspace(3)")
            pointer = f"ptr addrspace(3) {cast}"
        address = text.value(f"ptrtoint {pointer} to i64")
        arguments = f"i32 {mask}, i64 {address}, i32 {site.bytes}, i32 {kind_number(site)}"
        if isinstance(known, PrefixCost | RunsCost):
            table = tables.setdefault(known.table, f"@drano.costs.{len(tables)}")
            call = f"drano_prefix(i32 {mask}"
            if isinstance(known, RunsCost):
                call = f"drano_runs(i32 {mask}, i64 {address}, i32 {site.bytes}, i32 {known.stride}"
            quick = text.value(f"call i64 @{call}, ptr addrspace(4) {table})")
        else:
            quick = text.value(f"call i64 @drano_quick_{space}({arguments})")
        if not isinstance(known, RunsCost):
            measured[len(entries)] = (space, arguments, quick)
        entries.append(quick)
    if not entries:
        return [text.value(f"call i64 @drano_one_request(i32 {mask})")]
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


def _run_functions(segment: Segment, text: _Text, tables: dict[tuple[int, ...], str]) -> str:
    """In each request it is looked whether it costs what the last one did; if not, a function that
    is not inlined works out what it costs.
    """
    firsts = [group[0] for group in segment.classes()]
    pointers = "".join(f", ptr %p{number}" for number in firsts)
    mask = text.value("call i32 @drano_mask()")
    count = _look_for_change(segment, text, mask)
    change = f"@drano.change.{segment.number}"
    text.add(f"call void {change}(i32 %set, ptr %sums, i32 {mask}, i32 {count}{pointers})")
    text.add(f"store {segment.kept}i32 0, ptr %count")
    text.add(f"store {segment.kept}i32 {mask}, ptr %lanes")
    text.add("br label %tally")
    text.label("tally")
    now = text.value(f"load {segment.kept}i32, ptr %count")
    more = text.value(f"add i32 {now}, 1")
    text.add(f"store {segment.kept}i32 {more}, ptr %count")
    other = _Text()
    _begin_run(segment, other, _entries(segment, other, "%mask", tables))
    head = f"define internal void {change}(i32 %set, ptr %sums, i32 %mask, i32 %count{pointers})"
    body = [f"{head} noinline convergent nounwind {{", "entry:", *other.lines, "}"]
    return "\n".join([_inlined(segment, text), *body])


def _look_for_change(segment: Segment, text: _Text, mask: str) -> str:
    """A request costs what the last one did when its lanes are the same, and all of their addresses
    have moved alike, by whole lines (in shared memory: by whole elements). Then it is only counted.
    Where lanes are proved to move alike, each knows by itself what the others will find: lanes that
    have the same lanes in mind were together the last time. Returns how many were counted.
    """
    lanes = text.value(f"load {segment.kept}i32, ptr %lanes")
    count = text.value(f"load {segment.kept}i32, ptr %count")
    different = text.value(f"xor i32 {lanes}, {mask}")
    many = text.value(f"and i32 {count}, {1 << _RUN_BITS}")
    different = text.value(f"or i32 {different}, {many}")
    moved: dict[bool, str] = {}
    for number, *_ in segment.classes():
        access = segment.accesses[number]
        if not _moves(access):
            continue
        shared = access.site.space == m.AddressSpace.SHARED
        address = text.value(f"ptrtoint ptr %p{number} to i64")
        low = text.value(f"trunc i64 {address} to i32")
        old = text.value(f"load {segment.kept}i32, ptr %old{number}")
        text.add(f"store {segment.kept}i32 {low}, ptr %old{number}")
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
    if moved:
        changed = text.value(f"call i1 @drano_any(i32 {mask}, i32 {different})")
    else:
        changed = text.value(f"icmp ne i32 {different}, 0")
    text.branch(changed, "changed", "tally")
    text.label("changed")
    return count


def _begin_run(segment: Segment, text: _Text, entries: Sequence[str]) -> None:
    """Add what was counted at the cost before, remember the cost now. Only the first lane has a
    cost.
    """
    times = text.value("zext i32 %count to i64")
    leads = text.value("call i1 @drano_leads(i32 %mask)")
    over = "0"
    sums = []
    for k, entry in enumerate(entries):
        at = text.value(f"getelementptr i64, ptr %sums, i64 {2 * k}")
        cost_at = text.value(f"getelementptr i64, ptr %sums, i64 {2 * k + 1}")
        cost = text.value(f"load i64, ptr {cost_at}")
        old = text.value(f"load i64, ptr {at}")
        product = text.value(f"mul i64 {cost}, {times}")
        sums.append((at, text.value(f"add i64 {old}, {product}")))
        text.add(f"store i64 {sums[-1][1]}, ptr {at}")
        mine = text.value(f"select i1 {leads}, i64 {entry}, i64 0")
        text.add(f"store i64 {mine}, ptr {cost_at}")
        over = text.value(f"or i64 {over}, {sums[-1][1]}")
    _spill(segment, text, sums, over)
    text.add("ret void")


def _add_to_sums(segment: Segment, text: _Text, mask: str, entries: Sequence[str]) -> None:
    leads = text.value(f"call i1 @drano_leads(i32 {mask})")
    sums = []
    over = "0"
    for k, entry in enumerate(entries):
        old = text.value(f"load {segment.kept}i64, ptr %sum{k}")
        mine = text.value(f"select i1 {leads}, i64 {entry}, i64 0")
        sums.append((f"%sum{k}", text.value(f"add i64 {old}, {mine}")))
        text.add(f"store {segment.kept}i64 {sums[-1][1]}, ptr %sum{k}")
        over = text.value(f"or i64 {over}, {sums[-1][1]}")
    _spill(segment, text, sums, over)


def _spill(segment: Segment, text: _Text, sums: Sequence[tuple[str, str]], over: str) -> None:
    """Sums, and where they are: those that might overflow go to the counters."""
    much = text.value(f"icmp uge i64 {over}, {_OVERFLOW}")
    text.branch(much, "spill", "spilled")
    text.label("spill")
    for k, (at, total) in enumerate(sums):
        slot = text.value(f"add i32 %set, {segment.first + k}")
        text.add(f"call void @drano_flush_full(i32 {slot}, i64 {total})")
        text.add(f"store {segment.kept}i64 0, ptr {at}")
    text.add("br label %spilled")
    text.label("spilled")


def table_definitions(tables: dict[tuple[int, ...], str]) -> list[str]:
    """IR of the tables of costs."""
    return [
        f"{name} = internal addrspace(4) constant [{len(costs)} x i64] "
        f"[{', '.join(f'i64 {cost}' for cost in costs)}]"
        for costs, name in tables.items()
    ]
