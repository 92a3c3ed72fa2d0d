"""The functions that count segments, as IR.

Means: LLVM inlines one of them for each segment (``segments``). What is seldom needed is a function
of its own, which takes none of the kernel's registers: requests that cost something else than the
last one, and requests of partial warps. In whole warps the lanes that a vote waits for are a
constant, of which ``ptxas`` makes one instruction; otherwise each vote takes several, which wait
for the lanes.
Assumptions: the names of functions are those of ``runtime/gpu/counting.cu``.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from drano.dynamic.gpu.counting.proved_costs import WIDTH, PrefixCost, RunsCost
from drano.dynamic.gpu.counting.segments import (
    COUNTS,
    MOST_ENTRIES,
    Segment,
    is_generic,
    kind_number,
    moves,
)
from drano.ir.target import AddressSpace
from drano.model.hardware import LINE_BYTES

_OVERFLOW = 64 << 4 * WIDTH
_RUN_BITS = 6  # requests that are counted before they are added up: with _OVERFLOW, 128 at most
_WHOLE = "-1"
"""The mask of a whole warp."""


class Code(Struct):
    """Lines of a function that is being written; ``block``: the label of those that follow."""

    block: str = "entry"
    lines: list[str] = field(default_factory=list)
    names: int = 0

    def add(self, line: str) -> None:
        """An instruction without a value."""
        self.lines.append(f"  {line}")

    def value(self, text: str) -> str:
        """A new value: its name."""
        self.names += 1
        self.add(f"%v{self.names} = {text}")
        return f"%v{self.names}"

    def branch(self, condition: str, then: str, other: str) -> None:
        """The end of a block."""
        self.add(f"br i1 {condition}, label %{then}, label %{other}")

    def label(self, name: str) -> None:
        """The beginning of one."""
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
    text = Code()
    if segment.repeats and segment.runs:
        return _run_functions(segment, text, tables)
    mask = text.value("call i32 @drano_mask()")
    if not _compares(segment):
        entries = _entries(segment, text, mask, tables)
        if segment.repeats:
            _add_to_sums(segment, text, mask, entries)
        else:
            _add_up(segment, text, mask, entries, first)
        return _inlined(segment, text)
    pointers = "".join(f", ptr %p{group[0]}" for group in segment.classes())
    rest = f"@drano.rest.{segment.number}"
    _branch_if_whole(text, mask)
    other = Code()
    entries = _entries(segment, other, "%mask", tables)
    if segment.repeats:
        out = text.value(f"alloca [{len(entries)} x i64]")
        text.lines.insert(0, text.lines.pop())  # where LLVM looks for it
        text.label("part")
        text.add(f"call void {rest}(i32 %set, ptr {out}, i32 {mask}{pointers})")
        parts = []
        for k, entry in enumerate(entries):
            at = other.value(f"getelementptr i64, ptr %out, i64 {k}")
            other.add(f"store i64 {entry}, ptr {at}")
            at = text.value(f"getelementptr i64, ptr {out}, i64 {k}")
            parts.append(text.value(f"load i64, ptr {at}"))
        text.add("br label %sum")
        text.label("whole")
        wholes = _entries(segment, text, _WHOLE, tables)
        before = text.block
        text.add("br label %sum")
        text.label("sum")
        entries = [
            text.value(f"phi i64 [ {one}, %{before} ], [ {part}, %part ]")
            for one, part in zip(wholes, parts, strict=True)
        ]
        _add_to_sums(segment, text, mask, entries)
    else:
        _add_up(segment, other, "%mask", entries, first)
        text.label("part")
        text.add(f"call void {rest}(i32 %set, ptr null, i32 {mask}{pointers})")
        text.add("br label %done")
        text.label("whole")
        _add_up(segment, text, _WHOLE, _entries(segment, text, _WHOLE, tables), first)
        text.add("br label %done")
        text.label("done")
    head = f"define internal void {rest}(i32 %set, ptr %out, i32 %mask{pointers})"
    other.add("ret void")
    body = [f"{head} noinline convergent nounwind {{", "entry:", *other.lines, "}"]
    return "\n".join([_inlined(segment, text), *body])


def _compares(segment: Segment) -> bool:
    """Whether whole warps come here whose lanes have to be compared: they are told apart."""
    firsts = (segment.accesses[group[0]] for group in segment.classes())
    return segment.whole and any(access.known is None for access in firsts)


def _branch_if_whole(text: Code, mask: str) -> None:
    """Where all lanes are there, ``ptxas`` knows it: nothing has to wait for lanes to come."""
    text.branch(text.value(f"icmp eq i32 {mask}, {_WHOLE}"), "whole", "part")


def _add_up(segment: Segment, text: Code, mask: str, entries: Sequence[str], first: int) -> None:
    """To the counters, or to the block's words."""
    for at in range(0, len(entries), MOST_ENTRIES):
        part = list(entries[at : at + MOST_ENTRIES])
        padded = part + ["0"] * (MOST_ENTRIES - len(part))
        values = f"i32 {len(part)}, " + ", ".join(f"i64 {entry}" for entry in padded)
        if segment.block:
            word = block_word(segment.block, segment.word + at)
            text.add(f"call void @drano_block_up({word}, i32 {mask}, {values})")
        else:
            slot = text.value(f"add i32 %set, {first + at}")
            text.add(f"call void @drano_add_up(i32 {mask}, i32 {slot}, {values})")


def _inlined(segment: Segment, text: Code) -> str:
    text.add("ret void")
    parameters = ["i32 %set", *(f"ptr %{name}" for name, _ in segment.state())]
    parameters += [f"ptr %p{k}" for k in range(len(segment.accesses))]
    name = f"@drano.segment.{segment.number}"
    head = f"define internal void {name}({', '.join(parameters)}) alwaysinline convergent nounwind"
    return "\n".join([f"{head} {{", "entry:", *text.lines, "}"])


def _entries(
    segment: Segment, text: Code, mask: str, tables: dict[tuple[int, ...], str]
) -> list[str]:
    """What a request costs, by classes. First all of them as if their lanes' addresses rose; where
    they do not, the flags say so, and they are counted otherwise.
    """
    entries: list[str] = []
    measured: dict[int, tuple[str, str]] = {}
    for number, *_ in segment.classes():
        access = segment.accesses[number]
        known, site = access.known, access.site
        space, pointer = "global", f"ptr %p{number}"
        if site.space == AddressSpace.SHARED:
            space = "shared"
            cast = text.value(f"addrspacecast ptr %p{number} to ptr addrspace(3)")
            pointer = f"ptr addrspace(3) {cast}"
        address = text.value(f"ptrtoint {pointer} to i64")
        arguments = f"i32 {mask}, i64 {address}, i32 {site.bytes}, i32 {kind_number(site)}"
        if isinstance(known, PrefixCost | RunsCost):
            table = cost_table(known, tables)
            call = f"drano_prefix(i32 {mask}"
            if isinstance(known, RunsCost):
                call = f"drano_runs(i32 {mask}, i64 {address}, i32 {site.bytes}, i32 {known.stride}"
            quick = text.value(f"call i64 @{call}, ptr addrspace(4) {table})")
        else:
            quick = text.value(f"call i64 @drano_quick_{space}({arguments})")
        settle = f"drano_settle_{space}({arguments}"
        if is_generic(site):
            quick = text.value(f"call i64 @drano_if_global(i32 {mask}, i64 {address}, i64 {quick})")
            slot = text.value(f"add i32 %set, {segment.elsewhere[number]}")
            settle = f"drano_settle_generic(i32 {slot}, {arguments}"
        if is_generic(site) or not isinstance(known, RunsCost):
            measured[len(entries)] = (settle, quick)
        entries.append(quick)
    if len(entries) < segment.entries():
        entries.append(text.value(f"call i64 @drano_one_request(i32 {mask})"))
    return _settled(text, entries, measured)


def _settled(text: Code, entries: list[str], measured: dict[int, tuple[str, str]]) -> list[str]:
    """The entries, of which those that are ``measured`` and flagged are found by their function."""
    if not measured:
        return entries
    before = text.block
    flags = "0"
    for _, quick in measured.values():
        flags = text.value(f"or i64 {flags}, {quick}")
    is_odd = text.value(f"icmp slt i64 {flags}, 0")
    odd, even = f"odd.{before}", f"even.{before}"
    text.branch(is_odd, odd, even)
    text.label(odd)
    settled = {
        at: text.value(f"call i64 @{settle}, i64 {quick})")
        for at, (settle, quick) in measured.items()
    }
    text.add(f"br label %{even}")
    text.label(even)
    for at, (_, quick) in measured.items():
        entries[at] = text.value(f"phi i64 [ {quick}, %{before} ], [ {settled[at]}, %{odd} ]")
    return entries


def _run_functions(segment: Segment, text: Code, tables: dict[tuple[int, ...], str]) -> str:
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
    other = Code()
    _begin_run(segment, other, _entries_of_any(segment, other, tables))
    head = f"define internal void {change}(i32 %set, ptr %sums, i32 %mask, i32 %count{pointers})"
    body = [f"{head} noinline convergent nounwind {{", "entry:", *other.lines, "}"]
    return "\n".join([_inlined(segment, text), *body])


def _entries_of_any(segment: Segment, text: Code, tables: dict[tuple[int, ...], str]) -> list[str]:
    """For whole warps apart where that pays: where lanes have to be compared."""
    if not _compares(segment):
        return _entries(segment, text, "%mask", tables)
    _branch_if_whole(text, "%mask")
    found = []
    for label, mask in (("whole", _WHOLE), ("part", "%mask")):
        text.label(label)
        found.append((_entries(segment, text, mask, tables), text.block))
        text.add("br label %either")
    text.label("either")
    (wholes, one), (parts, other) = found
    return [
        text.value(f"phi i64 [ {a}, %{one} ], [ {b}, %{other} ]")
        for a, b in zip(wholes, parts, strict=True)
    ]


def _look_for_change(segment: Segment, text: Code, mask: str) -> str:
    """A request costs what the last one did when its lanes are the same, and all of their addresses
    have moved alike, by whole lines (in shared memory: by whole elements). Then it is only counted.
    Lanes may have last been here with others, and remember other requests: so each is asked, even
    where they are proved to move alike. Returns how many were counted.
    """
    lanes = text.value(f"load {segment.kept}i32, ptr %lanes")
    count = text.value(f"load {segment.kept}i32, ptr %count")
    different = text.value(f"xor i32 {lanes}, {mask}")
    many = text.value(f"and i32 {count}, {1 << _RUN_BITS}")
    different = text.value(f"or i32 {different}, {many}")
    moved: dict[bool, str] = {}
    for number, *_ in segment.classes():
        access = segment.accesses[number]
        if not moves(access):
            continue
        shared = access.site.space == AddressSpace.SHARED
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
        if is_generic(access.site):
            elsewhere = text.value(f"call i32 @drano_elsewhere(i64 {address})")
            different = text.value(f"or i32 {different}, {elsewhere}")
    for by in moved.values():
        unlike = text.value(f"call i32 @drano_unlike(i32 {mask}, i32 {by})")
        different = text.value(f"or i32 {different}, {unlike}")
    changed = text.value(f"call i1 @drano_any(i32 {mask}, i32 {different})")
    text.branch(changed, "changed", "tally")
    text.label("changed")
    return count


def _begin_run(segment: Segment, text: Code, entries: Sequence[str]) -> None:
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


def _add_to_sums(segment: Segment, text: Code, mask: str, entries: Sequence[str]) -> None:
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


def _spill(segment: Segment, text: Code, sums: Sequence[tuple[str, str]], over: str) -> None:
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


def cost_table(known: PrefixCost | RunsCost, tables: dict[tuple[int, ...], str]) -> str:
    """The name of its table, one of ``tables``, which it may be new in."""
    return tables.setdefault(known.table, f"@drano.costs.{len(tables)}")


def table_definitions(tables: dict[tuple[int, ...], str]) -> list[str]:
    """IR of the tables of costs."""
    return [
        f"{name} = internal addrspace(4) constant [{len(costs)} x i64] "
        f"[{', '.join(f'i64 {cost}' for cost in costs)}]"
        for costs, name in tables.items()
    ]
