"""Insert a counting call before every access: one pass for the CPU and the GPU back end.

Means: in the text of a prepared module, ``call void @__drano_access(i32 site, ptr address, i32
bytes, i32 kind)`` precedes each measured load, store and atomic, with its debug location. A copy of
memory, or an access less aligned than it is wide, is preceded by ``@__drano_access_range(i32 site,
ptr address, i64 length, i32 bytes, i32 kind)``, which stands for ``length / bytes`` accesses; a
copy has one for the side read and one for the side written.
Assumptions: ``prepared`` and ``module`` are the same module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from drano.dynamic.instrument.inline_assembly import assembly_access
from drano.dynamic.instrument.measured_sites import DeviceSite, PlacedSite, measured_sites
from drano.dynamic.instrument.printed_instructions import (
    PrintedInstruction,
    argument_tokens,
    inside_brackets,
    printed_function,
    split_top,
)
from drano.dynamic.instrument.proved_patterns import Patterns
from drano.ir import model as m
from drano.ir.prepare.inlining import FunctionText
from drano.ir.prepare.passes import PreparedModule
from drano.model.access import AccessKind

ACCESS = "__drano_access"
ACCESS_RANGE = "__drano_access_range"
KIND_NUMBERS = {AccessKind.LOAD: 0, AccessKind.STORE: 1, AccessKind.ATOMIC: 2}
_DECLARATIONS = (
    f"declare void @{ACCESS}(i32, ptr, i32, i32) nounwind convergent nomerge",
    f"declare void @{ACCESS_RANGE}(i32, ptr, i64, i32, i32) nounwind convergent nomerge",
)
_TYPED_POINTER = re.compile(
    r"\b(i64|i32|ptr(?: addrspace\(\d+\))?) "
    r"(?:(?:noundef|nonnull|readonly|writeonly|noalias|align \d+|\w+\([\w() ]*\)) )*"
    r"(\S.*?)"
    r'(?: (?:syncscope\("[^"]*"\) )?(?:unordered|monotonic|acquire|release|seq_cst))?$'
)


class Instrumented(Struct, frozen=True):
    """``text``: the module with its counting calls; ``sites``: by number."""

    text: str
    sites: tuple[DeviceSite, ...]


def instrument(
    prepared: PreparedModule,
    module: m.Module,
    patterns: Patterns | None = None,
    replaced: Mapping[str, Mapping[int, tuple[str, ...]]] | None = None,
    declarations: Sequence[str] = (),
) -> Instrumented:
    """The prepared module with a counting call before each measured access.

    ``patterns``: what ``proved_patterns`` found, to be kept with the sites; ``replaced``: other
    lines for rows of some functions, which need ``declarations``.
    """
    known = patterns or {}
    sites: list[DeviceSite] = []
    bodies: dict[str, tuple[str, ...]] = {}
    for function in module.functions.values():
        if not function.blocks:
            continue
        placed = [_with_patterns(p, known) for p in measured_sites(module, function, len(sites))]
        sites += [p.site for p in placed]
        text = prepared.split.functions[function.name]
        bodies[function.name] = _instrumented_body(
            text, placed, (replaced or {}).get(function.name, {})
        )
    return Instrumented(_assemble(prepared, bodies, declarations), tuple(sites))


def _with_patterns(place: PlacedSite, patterns: Patterns) -> PlacedSite:
    site = place.site
    found = () if site.ordinal is None else patterns.get((site.kernel, site.ordinal), ())
    return replace(place, site=replace(site, patterns=found)) if found else place


def _instrumented_body(
    text: FunctionText, placed: list[PlacedSite], replaced: Mapping[int, tuple[str, ...]]
) -> tuple[str, ...]:
    printed = printed_function(text, argument_tokens(text))
    inserted: dict[int, list[str]] = {}
    for place in placed:
        line = printed.instructions[place.instruction.index]
        inserted.setdefault(line.row, []).extend(_call(place, line))
    return tuple(
        new
        for row, line in enumerate(text.body)
        for new in (*inserted.get(row, ()), *replaced.get(row, (line,)))
    )


def _call(place: PlacedSite, line: PrintedInstruction) -> list[str]:
    """The lines that count one access."""
    site = place.site
    type_, pointer = _pointer(place, line)
    at = f", !dbg {line.location}" if line.location else ""
    lines = []
    if type_ != "ptr":
        name = f"%drano.address.{site.number}"
        cast = "addrspacecast" if type_.startswith("ptr") else "inttoptr"
        lines.append(f"  {name} = {cast} {type_} {pointer} to ptr{at}")
        pointer = name
    kind = KIND_NUMBERS[site.kind]
    if isinstance(place.instruction, m.MemoryCopy | m.MemoryFill):
        bits, length = split_top(inside_brackets(line.text))[2].split(" ", 1)
        if bits != "i64":
            name = f"%drano.length.{site.number}"
            lines.append(f"  {name} = zext {bits} {length} to i64{at}")
            length = name
    elif isinstance(place.instruction, m.Load | m.Store) and site.bytes < place.instruction.size:
        length = str(place.instruction.size)
    else:
        length = ""
    if length:
        arguments = f"i32 {site.number}, ptr {pointer}, i64 {length}, i32 {site.bytes}, i32 {kind}"
        return [*lines, f"  call void @{ACCESS_RANGE}({arguments}){at}"]
    arguments = f"i32 {site.number}, ptr {pointer}, i32 {site.bytes}, i32 {kind}"
    return [*lines, f"  call void @{ACCESS}({arguments}){at}"]


def _pointer(place: PlacedSite, line: PrintedInstruction) -> tuple[str, str]:
    """Type and operand, as printed, of the address that the instruction accesses."""
    text = line.text
    site = place.site
    match place.instruction:
        case m.Load() | m.Store():
            part = split_top(text)[1]
        case m.Atomic():
            part = split_top(text)[0]
        case m.MemoryCopy():
            source = site.kind is AccessKind.LOAD
            part = split_top(inside_brackets(text))[1 if source else 0]
        case m.MemoryFill():
            part = split_top(inside_brackets(text))[0]
        case m.Call(callee="asm") as call:
            access = assembly_access(call)
            part = split_top(inside_brackets(text))[access.argument if access else 0]
        case _:
            part = split_top(inside_brackets(text))[0]
    match = _TYPED_POINTER.search(part)
    if match is None:
        raise ValueError(f"no address in {text!r}")
    return match[1], match[2]


def _assemble(
    prepared: PreparedModule, bodies: dict[str, tuple[str, ...]], declarations: Sequence[str]
) -> str:
    split = prepared.split
    lines = [*split.rest, *_DECLARATIONS, *declarations]
    for name, function in split.functions.items():
        lines += [function.header, *bodies.get(name, function.body), "}"]
    return "\n".join(lines)
