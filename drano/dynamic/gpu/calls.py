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

from drano.dynamic.sites import DeviceSite
from drano.finding import AccessKind
from drano.ir import model as m
from drano.ir.cfg import strongly_connected_components
from drano.ir.inlining import FunctionText, split_module
from drano.ir.text import bare_name

MAX_SUMS = 16
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
_LIBRARY = """
declare void @drano_global(i32, i64, i32) convergent nounwind
declare void @drano_shared(i32, i64, i32) convergent nounwind
declare void @drano_generic(i32, i64, i32) convergent nounwind
declare void @drano_executed(i32, i64, i32) convergent nounwind
declare i64 @drano_global_sum(i32, i64, i32, i64) convergent nounwind
declare i64 @drano_shared_sum(i32, i64, i32, i64) convergent nounwind
declare i64 @drano_generic_sum(i32, i64, i32, i64) convergent nounwind
declare i64 @drano_executed_sum(i32, i64, i32, i64) convergent nounwind
declare void @drano_flush(i32, i64) convergent nounwind
declare void @drano_conflicts(i32, i64, i32) convergent nounwind
declare void @drano_generic_conflicts(i32, i64, i32) convergent nounwind
declare void @drano_range(i32, i64, i64, i32) convergent nounwind
"""


@dataclass(frozen=True, slots=True)
class Choices:
    """``proved``: sites whose requests are counted without a look at addresses; ``sums``: whether
    sites in loops keep sums.
    """

    proved: frozenset[int] = frozenset()
    sums: bool = True


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
    lines = [line for line in split.rest if not line.startswith(_DECLARED)]
    for name, function in split.functions.items():
        body = list(function.body)
        if any("@__drano_access" in line for line in body):
            loops = _looping(module.functions.get(name)) if choices.sums else frozenset()
            body = _Body(function, sites, slots, loops, choices.proved).rewritten()
        lines += [function.header, *body, "}"]
    return "\n".join(lines) + _LIBRARY


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
        proved: Collection[int],
    ) -> None:
        self.function = function
        self.sites = sites
        self.slots = slots
        self.loops = loops
        self.proved = proved
        self.sums: list[int] = []
        self.names = 0

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
        if not self.sums:
            return lines
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
        site = self.sites[int(call["site"])]
        slot = self.slots[site.number]
        address = self._name()
        lines = [f"  {address} = ptrtoint ptr {pointer} to i64{place}"]
        arguments = f"i32 {slot}, i64 {address}, i32 {call['bytes']}"
        if call.re is _RANGE:
            arguments = f"i32 {slot}, i64 {address}, i64 {call['length']}, i32 {call['bytes']}"
            return [*lines, f"  call void @drano_range({arguments}){place}"]
        name = "generic" if is_generic(site) else "global"
        if site.kind is AccessKind.ATOMIC:
            conflicts = "generic_conflicts" if is_generic(site) else "conflicts"
            lines.append(f"  call void @drano_{conflicts}({arguments}){place}")
        if site.space == m.AddressSpace.SHARED:
            name = "shared"
            window, offset = self._name(), self._name()
            lines.append(f"  {window} = addrspacecast ptr {pointer} to ptr addrspace(3){place}")
            lines.append(f"  {offset} = ptrtoint ptr addrspace(3) {window} to i64{place}")
            arguments = f"i32 {slot}, i64 {offset}, i32 {call['bytes']}"
        if site.number in self.proved:
            name = "executed"
        if block in self.loops and (slot in self.sums or len(self.sums) < MAX_SUMS):
            return [*lines, *self._summed(name, slot, arguments, place)]
        return [*lines, f"  call void @drano_{name}({arguments}){place}"]

    def _summed(self, name: str, slot: int, arguments: str, place: str) -> list[str]:
        if slot not in self.sums:
            self.sums.append(slot)
        old, new = self._name(), self._name()
        return [
            f"  {old} = load i64, ptr %drano.sum.{slot}{place}",
            f"  {new} = call i64 @drano_{name}_sum({arguments}, i64 {old}){place}",
            f"  store i64 {new}, ptr %drano.sum.{slot}{place}",
        ]
