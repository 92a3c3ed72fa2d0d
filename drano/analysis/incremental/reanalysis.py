"""A unit analysed again after an edit: only the kernels that it changed.

Means: the module is brought into SSA form and compared with its last state (``remembered.py``).
Kernels that differ are expanded, read and analysed without the others, large ones on several
processors.
Assumptions: the text is the compiler's own. The answer is that of ``analyse_module``.
Limits: if a kernel depends on other functions of the module (device functions that stay calls,
pointers kept in memory), everything is expanded and read again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.incremental.function_fingerprint import ModulePrint, module_print
from drano.analysis.incremental.remembered import (
    AnalysedUnit,
    Comparison,
    KernelMemory,
    Known,
    lines_of,
)
from drano.analysis.kernels import AnalysisResult, analyse_function, analyse_module, context_of
from drano.analysis.points_to import Spaces
from drano.ir.model import Module
from drano.ir.prepare.passes import FormedModule, expanded, formed
from drano.ir.read.reader import read_module
from drano.model.settings import AnalysisOptions
from drano.model.translation_unit import LaunchSite
from drano.support.fork_pool import ForkError, in_copies, processors

MOST_COPIES = 4
WORTH_A_COPY = 1000
"""Lines of a kernel, unexpanded, from which it is worth while to analyse it beside another one."""


class _TogetherError(Exception):
    """A kernel cannot be analysed without the others."""


class Edited(Struct, frozen=True):
    """A unit as it is now. ``ir``: the compiler's; ``path``: the unit's; ``preamble``: whether what
    it includes came from a precompiled header.
    """

    ir: str
    path: str
    launches: Sequence[LaunchSite]
    options: AnalysisOptions
    preamble: bool = False


def analyse_again(unit: Edited, memory: KernelMemory, spent: list[object]) -> AnalysisResult:
    """What ``analyse_module`` says of the unit. ``spent``: takes what is needed no more and takes a
    while to free.
    """
    module = formed(unit.ir, unit.path, view=unit.options.judged_view)
    spent.append(module)
    prints = module_print(module.printed(), module.split.rest)
    lines = lines_of(unit.path, prints)
    old = memory.of(unit.path, unit.options)
    known = {} if old is None else _recalled(unit, old, prints, lines)
    wanted = [name for name in prints.kernels if name not in known]
    together = prints.held or (old is not None and old.together)
    if not together:
        try:
            known |= _alone(unit, module, prints, wanted)
        except (_TogetherError, ForkError):
            module = formed(unit.ir, unit.path, view=unit.options.judged_view)
            spent.append(module)
            together, wanted = True, list(prints.kernels)
    if together and (wanted or prints.held or not _only_kernels(old)):
        result, known = _all(unit, module, known)
    else:
        functions = {name: known[name].function for name in prints.kernels}
        results = {name: known[name].result for name in prints.kernels}
        stubs = Module(unit.path, functions, {}, {})
        result = analyse_module(stubs, unit.launches, unit.options, results)
    together = any(each.result.whole or not each.function.is_kernel for each in known.values())
    memory.keep(
        unit.path, unit.options, AnalysedUnit(prints, lines, known, together, unit.preamble)
    )
    return result


def _recalled(
    unit: Edited,
    old: AnalysedUnit,
    prints: ModulePrint,
    lines: Mapping[str, tuple[str, ...]],
) -> dict[str, Known]:
    """What is known of functions that are the same."""
    other_order = unit.path if unit.preamble != old.preamble else ""
    comparison = Comparison(old, prints, lines, other_order)
    context = partial(context_of, launches=unit.launches, options=unit.options)
    found = {name: comparison.recall(name, context) for name in old.known}
    return {name: known for name, known in found.items() if known is not None}


def _only_kernels(old: AnalysedUnit | None) -> bool:
    return old is not None and all(known.function.is_kernel for known in old.known.values())


def _alone(
    unit: Edited, module: FormedModule, prints: ModulePrint, names: Sequence[str]
) -> dict[str, Known]:
    """What there is to know of some kernels, each analysed without others."""
    if not names:
        return {}
    groups = _groups({name: prints.weight(name) for name in names})
    tasks = [partial(_group, unit, module, group, len(prints.kernels)) for group in groups]
    found: dict[str, Known] = {}
    for part in in_copies(tasks):
        if part is None:
            raise _TogetherError
        found |= part
    return found


def _groups(weights: Mapping[str, int]) -> list[list[str]]:
    """Kernels by the process that analyses them.

    As few processes as end soonest: three alike are sooner done by three that take turns on two
    processors than by one that does two of them while the other one waits.
    """
    at_once = min(MOST_COPIES, processors())
    if at_once == 1:
        return _shared_out(weights, 1)
    share = sum(weights.values()) / at_once

    def ends(groups: list[list[str]]) -> float:
        return max(share, *(sum(weights[name] for name in group) for group in groups))

    return min((_shared_out(weights, most) for most in range(at_once, MOST_COPIES + 1)), key=ends)


def _shared_out(weights: Mapping[str, int], most: int) -> list[list[str]]:
    """At most so many groups, about equally heavy."""
    groups: list[list[str]] = [[]]
    totals = [0]
    for name in sorted(weights, key=lambda each: -weights[each]):
        least = totals.index(min(totals))
        if totals[least] >= WORTH_A_COPY <= weights[name] and len(groups) < most:
            groups.append([])
            totals.append(0)
            least = -1
        groups[least].append(name)
        totals[least] += weights[name]
    return groups


def _group(
    unit: Edited, module: FormedModule, names: Collection[str], count: int
) -> dict[str, Known] | None:
    """None where they cannot be analysed without others; ``count``: of all kernels."""
    everything = len(names) == count
    prepared = expanded(module, None if everything else frozenset(names))
    if set(prepared.roots) != set(names):
        return None
    read = read_module(prepared, walked=False)
    spaces = Spaces(read)
    found = {name: _known(unit, read, name, spaces) for name in read.functions}
    if not everything and any(each.result.whole for each in found.values()):
        return None
    return found


def _known(unit: Edited, module: Module, name: str, spaces: Spaces) -> Known:
    function = module.functions[name]
    result = analyse_function(module, function, unit.launches, unit.options, spaces)
    context = context_of(function, unit.launches, unit.options)
    return Known(replace(function, blocks=()), context, result)


def _all(
    unit: Edited, module: FormedModule, before: Mapping[str, Known]
) -> tuple[AnalysisResult, dict[str, Known]]:
    """The whole module, with what is known ``before``."""
    read = read_module(expanded(module), walked=False)
    spaces = Spaces(read)
    known = {name: before.get(name) or _known(unit, read, name, spaces) for name in read.functions}
    results = {name: each.result for name, each in known.items()}
    return analyse_module(read, unit.launches, unit.options, results), known
