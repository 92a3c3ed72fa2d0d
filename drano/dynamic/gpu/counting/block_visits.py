"""Counting how often blocks of code are executed on a GPU: by warps, and by their lanes.

Means: the module is simplified as for the CPU, so that its blocks hold the same instructions, and
each block begins with a call. Its counters are slots behind those of the accesses, to which the
active lanes and one request are added.
Limits: lanes that the hardware lets enter a block one after the other are counted as several warps.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from drano.dynamic.gpu.counting.counting_calls import CountedModule
from drano.dynamic.instrument.block_work import BlockWork, function_work
from drano.dynamic.instrument.unit_identity import own_name
from drano.ir import model as m
from drano.ir.prepare.passes import simplified
from drano.ir.read.reader import read_module

_VISIT = "__drano_visit"
_CALL = re.compile(rf"(?<=@){_VISIT}\(i32 (\d+)\)")
_DECLARED = re.compile(rf"^declare void @{_VISIT}\(i32\).*$", re.MULTILINE)
_LABEL = re.compile(r'(?:"[^"]*"|[-\w.$]+):')
_PHI = re.compile(r"  %\S+ = phi |\s*#dbg_")
_LOCATION = re.compile(r", !dbg !\d+")
# What the optimiser has learned of an address stands in counting calls as well.
_LEARNED = re.compile(
    r"(@__drano_access(?:_range)?\(i32 \d+, ptr )"
    r"(?:(?:nonnull|noundef|align \d+|dereferenceable\(\d+\)) )+"
)


class VisitedModule(Struct, frozen=True):
    """``text``: with a call in each block; ``module``: the same without; ``work``: of what block,
    by its number, as ``unit_tables`` takes it; ``blocks``: how many there are.
    """

    text: str
    module: m.Module
    work: list[tuple[int, BlockWork]]
    blocks: int


def with_visits(instrumented: str, path: str) -> VisitedModule:
    """The instrumented module, in which blocks are counted as well."""
    prepared = simplified(instrumented, path)
    module = read_module(prepared)
    work: list[tuple[int, BlockWork]] = []
    lines = [*prepared.split.rest, f"declare void @{_VISIT}(i32) convergent nomerge nounwind"]
    first = 0
    for name, text in prepared.split.functions.items():
        function = module.functions.get(name)
        body = list(text.body)
        if function is not None and function.blocks:
            body = _visited(body, first)
            work += [(first + item.block, item) for item in function_work(module, function)]
            first += len(function.blocks)
        lines += [text.header, *body, "}"]
    changed = _LEARNED.sub(r"\1", "\n".join(lines))
    return VisitedModule(changed, module, work, first)


def _visited(body: list[str], first: int) -> list[str]:
    """A function's lines with a call at the beginning of each block, of which ``first`` is one."""
    anywhere = next((found[0] for found in map(_LOCATION.search, body) if found), "")
    out: list[str] = []
    number, waiting = first, True
    for line in body:
        if _LABEL.match(line):
            waiting = True
        elif waiting and line.strip() and not _PHI.match(line):
            place = _LOCATION.search(line)
            out.append(f"  call void @{_VISIT}(i32 {number}){place[0] if place else anywhere}")
            number, waiting = number + 1, False
        out.append(line)
    return out


def with_visit_slots(made: CountedModule, blocks: int) -> CountedModule:
    """The counted module, in which the visits of ``blocks`` blocks have slots behind all others."""
    text = _CALL.sub(lambda call: f"drano_visit(i32 {made.slots + int(call[1])})", made.text)
    text = _DECLARED.sub("declare void @drano_visit(i32) convergent nounwind", text)
    return replace(made, text=text, slots=made.slots + blocks)


def with_own_names(visited: VisitedModule) -> VisitedModule:
    """Of linked device code, where what is static may have a further name."""
    work = []
    for number, item in visited.work:
        place = replace(item.place, function=own_name(item.place.function))
        work.append((number, replace(item, place=place)))
    return replace(visited, work=work)


def visit_table(slots: int, blocks: int) -> tuple[str, str]:
    """IR of where the visits are, of a module with so many ``slots``; of its registration."""
    return (
        "declare void @drano_register_visits(ptr, i32)\n",
        f"  call void @drano_register_visits(ptr @drano.unit, i32 {slots - blocks})\n",
    )
