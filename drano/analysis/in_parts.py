"""A large unit, some kernels at a time.

All instances of a library's kernels may be millions of lines once what they call is expanded, of
which LLVM and what is read of them take a gigabyte for each million. Kernels that depend on no
other function are expanded, read and analysed in parts, one part after the other.

Assumptions: the text is the compiler's own. Pointers that a kernel leaves in memory for kernels of
other parts are to global memory, as no other outlives it.
Limits: device functions that stay calls, and those that variables hold, need the whole module, of
which less is expanded then (``inlining.MODULE_BUDGET``).
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from drano.analysis.access import Hidden, nothing_hidden
from drano.analysis.incremental.remembered import KernelResult
from drano.analysis.kernels import (
    NO_TIME,
    AnalysisResult,
    analyse_function,
    analyse_module,
    by_turns,
)
from drano.analysis.points_to import Spaces
from drano.ir.llvm_text import bare_name
from drano.ir.model import Function, Module
from drano.ir.prepare.inlining import MODULE_BUDGET, REFERENCE
from drano.ir.prepare.passes import FormedModule, expanded, formed, parts
from drano.ir.read.debug_info import DebugInfo
from drano.ir.read.reader import read_module, unread_function
from drano.model.report import Timings
from drano.model.settings import AnalysisOptions
from drano.model.translation_unit import LaunchSite

MOST_LINES = 150_000
"""Of what is expanded together."""


def analyse_ir(
    ir: str,
    path: str,
    launches: Sequence[LaunchSite],
    options: AnalysisOptions,
    until: float = math.inf,
    *,
    hidden: Hidden = nothing_hidden,
) -> tuple[AnalysisResult, Timings]:
    """What ``analyse_module`` says of a unit, in parts if it is large; and the time it took."""
    started = time.perf_counter()
    module = formed(ir, path, view=options.judged_view, parted=True)
    spent = Timings(prepare=time.perf_counter() - started)
    if sum(module.sizes.values()) > MOST_LINES:
        found = _in_parts(module, launches, options, until, hidden)
        if found is not None:
            return found[0], spent + found[1]
    started = time.perf_counter()
    if sum(module.sizes.values()) > MODULE_BUDGET:
        module = formed(ir, path, view=options.judged_view)
    prepared = expanded(module)
    spent += Timings(prepare=time.perf_counter() - started)
    started = time.perf_counter()
    read = read_module(prepared)
    spent += Timings(read=time.perf_counter() - started)
    started = time.perf_counter()
    result = analyse_module(read, launches, options, until=until, hidden=hidden)
    return result, spent + Timings(analyse=time.perf_counter() - started)


def _in_parts(
    module: FormedModule,
    launches: Sequence[LaunchSite],
    options: AnalysisOptions,
    until: float,
    hidden: Hidden,
) -> tuple[AnalysisResult, Timings] | None:
    """None where kernels cannot be analysed without each other."""
    order = [name for name in module.split.functions if name in module.sizes]
    groups = _groups({name: module.sizes[name] for name in by_turns(order)})
    alone = len(groups) > 1 and all(module.split.functions[name].is_kernel for name in order)
    if not alone or _holds_functions(module):
        return None
    functions: dict[str, Function] = {}
    results: dict[str, KernelResult] = {}
    spent, slowest = Timings(), 0.0
    described: DebugInfo | None = None
    prepared = parts(module, groups)
    for group in groups:
        if time.monotonic() + slowest >= until:
            described = described or DebugInfo(module.split.rest)
            for name in group:
                functions[name] = unread_function(module.split.functions[name], described)
                results[name] = KernelResult((), failure=NO_TIME)
            continue
        began = time.perf_counter()
        part = next(prepared)
        if set(part.roots) != set(group):
            return None
        took = Timings(prepare=time.perf_counter() - began)
        started = time.perf_counter()
        read = read_module(part)
        took += Timings(read=time.perf_counter() - started)
        del part
        started = time.perf_counter()
        spaces = Spaces(read)
        for name, function in read.functions.items():
            results[name] = analyse_function(
                read, function, launches, options, spaces, hidden=hidden
            )
            functions[name] = replace(function, blocks=())
        spent += took + Timings(analyse=time.perf_counter() - started)
        slowest = max(slowest, time.perf_counter() - began)
    stubs = Module(module.loaded.path, {name: functions[name] for name in order}, {}, {})
    return analyse_module(stubs, launches, options, results), spent


def _groups(sizes: Mapping[str, int]) -> list[list[str]]:
    """Kernels that are expanded together, as few parts as hold them in their order."""
    groups: list[list[str]] = []
    room = 0
    for name, size in sizes.items():
        if size > room:
            groups.append([])
            room = MOST_LINES
        groups[-1].append(name)
        room -= size
    return groups


def _holds_functions(module: FormedModule) -> bool:
    """Whether variables hold device functions, which no kernel need call then."""
    functions = {name for name, each in module.split.functions.items() if not each.is_kernel}
    return any(
        bare_name(name) in functions
        for line in module.split.rest
        if line.startswith("@")
        for name in REFERENCE.findall(line)[1:]
    )
