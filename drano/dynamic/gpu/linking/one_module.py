"""Separately compiled units of device code as one module: what a device linker does.

Means: LLVM's linker joins their IR before anything is counted, so that functions of other units are
inlined and analysed like a unit's own. Symbols local to two units get the names by which the host's
code tells them apart. All errors are found beforehand, from the units' symbols.
Assumptions: one version of clang compiled all units, for one kind of GPU.
Limits: CUDA's device run-time library (kernels that launch kernels) is not available.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import llvmlite.binding as llvm
from msgspec import Struct
from msgspec.structs import replace

from drano.dynamic.cpu.translated_text import quoted
from drano.dynamic.gpu.linking.embedded import EmbeddedUnit
from drano.dynamic.gpu.linking.gathered_objects import Gathered
from drano.dynamic.instrument.unit_identity import clang_suffix
from drano.dynamic.profiles.display_names import kernel_name
from drano.ir.llvm_text import bare_name
from drano.model.translation_unit import LaunchSite
from drano.support.errors import IRError

_PROVIDED = ("llvm.", "__nv", "__assertfail", "vprintf", "malloc", "free")
_DEVICE_RUNTIME = ("cuda", "__cuda")
_SHARED = "ptr addrspace(3)"
_KNOWN = frozenset({"ptr addrspace(1)", "ptr addrspace(4)"})
_KERNEL = re.compile(r"^define [^@]*\bptx_kernel ", re.MULTILINE)
# Copies of what several units have, such as templates' kernels: linked once.
_COPIED = re.compile(r'^(?:define [^\n@]*|)@("[^"\n]*"|[-\w.$]+)[( ][^\n]*\bcomdat\b', re.MULTILINE)
_INTERNAL = re.compile(
    r'^(?:define internal [^\n@]*)?@("[^"\n]*"|[-\w.$]+)(?:\(| = internal )', re.MULTILINE
)
_OWN = frozenset({llvm.Linkage.internal, llvm.Linkage.private, llvm.Linkage.appending})
# Declared by several units, for elements of several sizes: memory of the block that a launch adds.
_DYNAMIC = re.compile(
    r"^(@\S+ = external (?:[\w()]+ )*?addrspace\(3\) global .*, align )(\d+)", re.MULTILINE
)
_DYNAMIC_ALIGN = 16


class LinkedUnits(Struct, frozen=True):
    """``ir``: of all ``units``; ``launches``: of their sources, None: no proofs are wanted."""

    ir: str
    units: tuple[EmbeddedUnit, ...]
    launches: tuple[LaunchSite, ...] | None


class _Symbols(Struct, frozen=True):
    """Names in one unit: what others may refer to, what only one unit may have, what it lacks, and
    what the host knows of.
    """

    defined: frozenset[str]
    strong: frozenset[str]
    needed: frozenset[str]
    host: bool


def linked_units(gathered: Gathered) -> LinkedUnits:
    """One module of all that is needed. IRError, of one line, where units do not fit together."""
    context = llvm.create_context()
    everything = _apart([*gathered.units, *gathered.members])
    modules = [_parsed(unit, context) for unit in everything]
    symbols = [_symbols(m, unit) for m, unit in zip(modules, everything, strict=True)]
    chosen = _chosen(symbols, len(gathered.units))
    if not chosen:
        return LinkedUnits("", (), None)
    units = [everything[k] for k in chosen]
    _check(units, [symbols[k] for k in chosen])
    first = modules[chosen[0]]
    for k in chosen[1:]:
        try:
            first.link_in(modules[k])
        except RuntimeError as error:
            reason = " ".join(str(error).split())[:300]
            raise IRError(everything[k].path, f"device code cannot be linked: {reason}") from None
    launches = [unit.launches for unit in units]
    known = None if None in launches else tuple(s for sites in launches for s in sites or ())
    return LinkedUnits(str(first), tuple(units), known)


def _apart(units: list[EmbeddedUnit]) -> list[EmbeddedUnit]:
    """The units, in which symbols of the same name that are static have the host's names, or such
    as the host would give them.
    """
    static = []
    for unit in units:
        own = {bare_name(f"@{token}") for token in _INTERNAL.findall(unit.ir)}
        suffix = f"__static__{clang_suffix(unit.identity)}"
        static.append({name: name + suffix for name in sorted(own)} | unit.statics)
    shared = Counter(name for names in static for name in names)
    renamed = []
    for unit, own_names in zip(units, static, strict=True):
        names = {name: new for name, new in own_names.items() if shared[name] > 1}
        text = _DYNAMIC.sub(lambda m: f"{m[1]}{max(int(m[2]), _DYNAMIC_ALIGN)}", unit.ir)
        renamed.append(replace(unit, ir=_with_names(text, names)))
    return renamed


def _with_names(text: str, names: dict[str, str]) -> str:
    if not names:
        return text
    tokens = {quoted(name): quoted(new) for name, new in names.items()}
    either = "|".join(re.escape(token) for token in tokens)
    return re.sub(rf"(?<=[@$])(?:{either})(?![-\w.$])", lambda found: tokens[found[0]], text)


def _parsed(unit: EmbeddedUnit, context: Any) -> Any:
    try:
        return llvm.parse_assembly(unit.ir, context)
    except RuntimeError as error:
        reason = " ".join(str(error).split())[:300]
        raise IRError(unit.path, f"device code cannot be read: {reason}") from None


def _symbols(module: Any, unit: EmbeddedUnit) -> _Symbols:
    functions, variables = list(module.functions), list(module.global_variables)
    here = [v for v in (*functions, *variables) if not v.is_declaration and v.linkage not in _OWN]
    lacking = [f.name for f in functions if f.is_declaration]
    lacking += [v.name for v in variables if v.is_declaration and str(v.type) != _SHARED]
    optional = {v.name for v in variables if v.linkage == llvm.Linkage.external_weak}  # threadIdx
    copied = {bare_name(f"@{token}") for token in _COPIED.findall(unit.ir)}
    known = any(str(v.type) in _KNOWN for v in variables if v in here)
    return _Symbols(
        frozenset(v.name for v in here),
        frozenset(v.name for v in here if v.linkage == llvm.Linkage.external) - copied,
        frozenset(name for name in lacking if not name.startswith(_PROVIDED)) - optional,
        known or _KERNEL.search(unit.ir) is not None,
    )


def _chosen(symbols: Sequence[_Symbols], always: int) -> list[int]:
    """Which units are linked: the first ``always``, and of the others those that hold what the host
    may ask for, unless another has it, or what is lacking.
    """
    chosen = list(range(always))
    for k in range(always, len(symbols)):
        taken = frozenset().union(*(symbols[n].strong for n in chosen))
        if symbols[k].host and not symbols[k].strong & taken:
            chosen.append(k)
    while True:
        defined = frozenset().union(*(symbols[k].defined for k in chosen))
        needed = frozenset().union(*(symbols[k].needed for k in chosen)) - defined
        further = [
            k
            for k in range(always, len(symbols))
            if k not in chosen and symbols[k].defined & needed
        ]
        if not further:
            return chosen
        chosen.append(further[0])


def _check(units: Sequence[EmbeddedUnit], symbols: Sequence[_Symbols]) -> None:
    homes: dict[str, str] = {}
    for unit, own in zip(units, symbols, strict=True):
        for name in sorted(own.strong):
            if name in homes:
                raise IRError(
                    unit.path, f"device symbol {_shown(name)} is defined in {homes[name]}, too"
                )
            homes[name] = unit.path
    defined = frozenset().union(*(own.defined for own in symbols))
    for unit, own in zip(units, symbols, strict=True):
        for name in sorted(own.needed - defined):
            if name.startswith(_DEVICE_RUNTIME):
                raise IRError(unit.path, f"kernels that launch kernels ({name}) are not supported")
            raise IRError(unit.path, f"device symbol {_shown(name)} is defined in no unit")
    wanted = {unit.wanted for unit in units}
    if len(wanted) > 1:
        raise IRError(units[0].path, "not all units were compiled with the same counting flags")


def _shown(name: str) -> str:
    plain = kernel_name(name)
    return plain if plain == name else f"{plain} ({name})"


def newest(architectures: Iterable[str]) -> str:
    """The architecture to make code for.

    >>> newest(["sm_80", "sm_90", "sm_70"])
    'sm_90'
    """
    return max(architectures, key=lambda arch: (len(arch), arch))
