"""From counting calls that stand before accesses to those of the GPU's counting library.

Means: ``instrument`` has put ``@__drano_access`` before each access; here each becomes a call that
knows its site's slot of counters and its memory. A site in a loop of a kernel keeps a sum in a
variable of the thread, which LLVM makes a register, and adds it to the counters where the kernel
returns: so that a loop costs no traffic.
Assumptions: the text is what ``instrument`` wrote; the library is ``runtime/gpu/counting.cu``.
Limits: at most ``MAX_SUMS`` sites of a kernel have sums, as each takes two registers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from drano.dynamic.gpu.costs import KnownCost, known_cost
from drano.dynamic.instrument import KIND_NUMBERS
from drano.dynamic.proved import Block
from drano.dynamic.sites import DeviceSite
from drano.finding import AccessKind
from drano.ir import model as m
from drano.ir.cfg import strongly_connected_components
from drano.ir.inlining import FunctionText, split_module
from drano.ir.text import bare_name

MAX_SUMS = 16
MAX_INLINE = 48
_ACCESS = re.compile(
    r"  call void @__drano_access\(i32 (?P<site>\d+), ptr (?P<pointer>.*), "
    r"i32 (?P<bytes>\d+), i32 \d+\)(?P<place>, !dbg !\d+)?\Z"
)
_RANGE = re.compile(
    r"  call void @__drano_access_range\(i32 (?P<site>\d+), ptr (?P<pointer>.*), "
    r"i64 (?P<length>\S+), i32 (?P<bytes>\d+), i32 \d+\)(?P<place>, !dbg !\d+)?\Z"
)
_LABEL = re.compile(r'("[^"]*"|[-\w.$]+):')
_DECLARED = "declare void @__drano_access"
_COUNT = "convergent nounwind"
_MEASURE = "i32, i64, i32, i32"
_LIBRARY = "\n".join(
    [
        "",
        *(
            f"declare void @drano_{space}{far}({_MEASURE}) {_COUNT}"
            for space in ("global", "shared", "generic")
            for far in ("", "_far")
        ),
        *(
            f"declare i64 @drano_{space}_sum({_MEASURE}, i64) {_COUNT}"
            for space in ("global", "shared", "generic")
        ),
        f"declare void @drano_proved({_MEASURE}, i32, ptr addrspace(4)) {_COUNT}",
        f"declare i64 @drano_proved_sum({_MEASURE}, i32, ptr addrspace(4), i64) {_COUNT}",
        f"declare void @drano_fixed({_MEASURE}, i32, i64, i32) {_COUNT}",
        f"declare i64 @drano_fixed_sum({_MEASURE}, i32, i64, i32, i64) {_COUNT}",
        f"declare i32 @drano_holds(i32, i32, i32) {_COUNT}",
        f"declare void @drano_flush(i32, i64) {_COUNT}",
        f"declare void @drano_conflicts(i32, i64) {_COUNT}",
        f"declare void @drano_generic_conflicts(i32, i64) {_COUNT}",
        f"declare void @drano_range(i32, i64, i64, i32, i32) {_COUNT}",
        "",
    ]
)
_ONLY_SHARED, _MAY_BE_SHARED = 8, 16


@dataclass(frozen=True, slots=True)
class Choices:
    """``sums``: whether sites in loops keep sums; ``inline``: up to how many sites of a function
    are counted in place, the others by a call.
    """

    sums: bool = True
    inline: int = MAX_INLINE


def is_generic(site: DeviceSite) -> bool:
    """Whether only the run can tell which memory the site accesses: it has two slots then."""
    return site.space not in {m.AddressSpace.GLOBAL, m.AddressSpace.SHARED, m.AddressSpace.CONSTANT}


def slots_of(sites: Iterable[DeviceSite]) -> dict[int, int]:
    """Where each site's counters begin. The run-time library reckons likewise."""
    slots: dict[int, int] = {}
    following = 0
    for site in sites:
        slots[site.number] = following
        following += 2 if is_generic(site) else 1
    return slots


def with_gpu_calls(
    text: str, sites: Sequence[DeviceSite], module: m.Module, choices: Choices
) -> str:
    """The instrumented module ``text`` with calls of the GPU's counting library."""
    split = split_module(text)
    slots = slots_of(sites)
    tables = _Tables()
    lines = []
    for name, function in split.functions.items():
        body = list(function.body)
        if any("@__drano_access" in line for line in body):
            loops = _looping(module.functions.get(name)) if choices.sums else frozenset()
            body = _Body(function, sites, slots, loops, choices, tables).rewritten()
        lines += [function.header, *body, "}"]
    rest = [line for line in split.rest if not line.startswith(_DECLARED)]
    return "\n".join([*rest, *tables.lines, *lines]) + _LIBRARY


class _Tables:
    """Constant tables of costs, each once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.known: dict[tuple[int, ...], str] = {}

    def name(self, costs: tuple[int, ...]) -> str:
        """The symbol of a table."""
        name = self.known.get(costs)
        if name is None:
            name = self.known[costs] = f"@drano.costs.{len(self.known)}"
            rows = ", ".join(f"i64 {cost}" for cost in costs)
            type_ = f"[{len(costs)} x i64]"
            self.lines.append(f"{name} = internal addrspace(4) constant {type_} [{rows}]")
        return name


def _looping(function: m.Function | None) -> frozenset[str]:
    """Names of the blocks of a kernel that may run more than once in a thread."""
    if function is None or not function.is_kernel:
        return frozenset()
    graph = [list(block.successors) for block in function.blocks]
    names = [block.name for block in function.blocks]
    found: set[str] = set()
    for component in strongly_connected_components(graph):
        if len(component) > 1 or component[0] in graph[component[0]]:
            found.update(names[node] for node in component)
    return frozenset(found)


class _Body:
    """Rewrites the calls of one function; used once."""

    def __init__(
        self,
        function: FunctionText,
        sites: Sequence[DeviceSite],
        slots: Mapping[int, int],
        loops: Collection[str],
        choices: Choices,
        tables: _Tables,
    ) -> None:
        self.function = function
        self.sites = sites
        self.slots = slots
        self.loops = loops
        self.tables = tables
        self.holds: dict[Block | None, str] = {}
        count = sum("@__drano_access(" in line for line in function.body)
        self.far = "_far" if count > choices.inline else ""
        self.sums: list[int] = []
        self.names = 0
        self.place = ""

    def rewritten(self) -> list[str]:
        """The body's lines."""
        lines: list[str] = []
        block = ""
        for line in self.function.body:
            label = _LABEL.match(line)
            if label is not None:
                block = bare_name(f"%{label[1]}")
            call = _ACCESS.match(line) or _RANGE.match(line)
            lines += [line] if call is None else self._call(call, block)
        flushed: list[str] = []
        for line in lines:
            if line.startswith("  ret void"):
                place = line.partition(", !dbg ")
                flushed += self._flushes(place[1] + place[2])
            flushed.append(line)
        first = 1 if _LABEL.match(flushed[0]) else 0
        opened = [
            part
            for slot in self.sums
            for part in (
                f"  %drano.sum.{slot} = alloca i64",
                f"  store i64 0, ptr %drano.sum.{slot}",
            )
        ]
        for exact, name in self.holds.items():
            shape = ", ".join(f"i32 {n}" for n in exact or (0, 0, 0))
            opened.append(f"  {name} = call i32 @drano_holds({shape}){self.place}")
        return [*flushed[:first], *opened, *flushed[first:]]

    def _name(self) -> str:
        self.names += 1
        return f"%drano.v{self.names}"

    def _flushes(self, place: str) -> list[str]:
        lines = []
        for slot in self.sums:
            value = self._name()
            lines.append(f"  {value} = load i64, ptr %drano.sum.{slot}{place}")
            lines.append(f"  call void @drano_flush(i32 {slot}, i64 {value}){place}")
        return lines

    def _call(self, call: re.Match[str], block: str) -> list[str]:
        pointer, place = call["pointer"], call["place"] or ""
        self.place = self.place or place
        site = self.sites[int(call["site"])]
        slot = self.slots[site.number]
        address = self._name()
        lines = [f"  {address} = ptrtoint ptr {pointer} to i64{place}"]
        kind = KIND_NUMBERS[site.kind]
        if site.space == m.AddressSpace.SHARED:
            kind |= _ONLY_SHARED
        elif is_generic(site):
            kind |= _MAY_BE_SHARED
        size = f"i32 {call['bytes']}, i32 {kind}"
        if call.re is _RANGE:
            arguments = f"i32 {slot}, i64 {address}, i64 {call['length']}, {size}"
            return [*lines, f"  call void @drano_range({arguments}){place}"]
        if site.kind is AccessKind.ATOMIC:
            name = "generic_conflicts" if is_generic(site) else "conflicts"
            lines.append(f"  call void @drano_{name}(i32 {slot}, i64 {address}){place}")
        sums = block in self.loops and (slot in self.sums or len(self.sums) < MAX_SUMS)
        cost = known_cost(site)
        if cost is not None:
            name, more = self._known(cost)
            arguments = f"i32 {slot}, i64 {address}, {size}, {more}"
        else:
            name = "generic" if is_generic(site) else "global"
            if site.space == m.AddressSpace.SHARED:
                name = "shared"
                window, address = self._name(), self._name()
                lines.append(f"  {window} = addrspacecast ptr {pointer} to ptr addrspace(3){place}")
                lines.append(f"  {address} = ptrtoint ptr addrspace(3) {window} to i64{place}")
            name += "" if sums else self.far
            arguments = f"i32 {slot}, i64 {address}, {size}"
        if sums:
            return [*lines, *self._summed(name, slot, arguments, place)]
        return [*lines, f"  call void @drano_{name}({arguments}){place}"]

    def _known(self, cost: KnownCost) -> tuple[str, str]:
        """The function that counts what is known, and its further arguments."""
        holds = self.holds.setdefault(cost.block, f"%drano.holds.{len(self.holds)}")
        if len(cost.table) == 1:
            return "fixed", f"i32 {holds}, i64 {cost.table[0]}, i32 {int(cost.any_lanes)}"
        return "proved", f"i32 {holds}, ptr addrspace(4) {self.tables.name(cost.table)}"

    def _summed(self, name: str, slot: int, arguments: str, place: str) -> list[str]:
        if slot not in self.sums:
            self.sums.append(slot)
        old, new = self._name(), self._name()
        return [
            f"  {old} = load i64, ptr %drano.sum.{slot}{place}",
            f"  {new} = call i64 @drano_{name}_sum({arguments}, i64 {old}){place}",
            f"  store i64 {new}, ptr %drano.sum.{slot}{place}",
        ]
