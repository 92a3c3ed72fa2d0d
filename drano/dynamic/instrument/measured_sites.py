"""The accesses that a run measures: the same ones that ``drano check`` names.

Means: ``memory_sites`` numbers the accesses of each function. A measured site keeps that number
(``ordinal``), its place in the user's code and its function, so that a count and a static fact can
be joined. Accesses of stack memory and kernel parameters never leave the thread, and are not
measured.
Limits: a pointer that may be either (a select of a local array and an argument) is measured, and
the run tells by its value where it went. What only those lanes read that meet a condition beside
their branch's is not measured.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from drano.analysis.access_sites import Site, memory_sites
from drano.dynamic.instrument.inline_assembly import assembly_access
from drano.dynamic.instrument.loop_nesting import LoopPlace, Nesting
from drano.dynamic.instrument.proved_patterns import Pattern
from drano.ir import model as m
from drano.ir.target import AddressSpace
from drano.model.access import AccessKind
from drano.model.span import Location, Span
from drano.model.system_headers import user_location

_PRIVATE_SPACES = frozenset({AddressSpace.LOCAL, AddressSpace.PARAM})
_MAX_ROOTS = 256
LOCAL_PLACE = "__drano_local_place"
"""The function that gives an address in an array of a thread's own, its first argument."""


class DeviceSite(Struct, frozen=True):
    """One measured access. ``number``: of the site in its unit; ``kernel``: symbol of the function
    that holds it; ``ordinal``: as in ``access.Access``, None when the static side has no such
    access; ``space``: NVPTX address space, 0 when only the run can tell; ``bytes``: per lane;
    ``align``: what its address is a multiple of, 0 for its natural one; ``patterns``: what is
    proved of it, for one block shape each; ``loops``: around it, outermost first.
    """

    number: int
    kernel: str
    ordinal: int | None
    location: Location
    kind: AccessKind
    space: int
    bytes: int
    align: int = 0
    patterns: tuple[Pattern, ...] = ()
    loops: tuple[LoopPlace, ...] = ()


class PlacedSite(Struct, frozen=True):
    """A site and the instruction, by its index, in front of which it is counted."""

    site: DeviceSite
    pointer: m.Operand
    instruction: m.Instruction


def measured_sites(module: m.Module, function: m.Function, first: int) -> list[PlacedSite]:
    """The sites of ``function`` to be measured, numbered from ``first``, in program order."""
    definitions = {i.index: i for block in function.blocks for i in block.instructions}
    found: list[PlacedSite] = []
    nesting = Nesting(module, function)
    for site in memory_sites(function):
        space = pointer_space(site.pointer, definitions, function, module.globals)
        if space in _PRIVATE_SPACES or site.only_where is not None:
            continue
        placed = _device_site(first + len(found), function, site, space)
        placed = replace(placed, loops=nesting.around(site.block))
        found.append(PlacedSite(placed, site.pointer, site.instruction))
    for instruction in definitions.values():
        if not isinstance(instruction, m.Call) or instruction.callee != "asm":
            continue
        access = assembly_access(instruction)
        if access is not None:
            number = first + len(found)
            exact = instruction.location or function.location or _nowhere(function)
            device = DeviceSite(
                number, function.name, None, user_location(exact), access.kind, access.space,
                access.bytes,
            )  # fmt: skip
            found.append(PlacedSite(device, instruction.args[access.argument], instruction))
    return found


def _nowhere(function: m.Function) -> Location:
    return Location(Span("", 0, 0), function.display)


def _device_site(number: int, function: m.Function, site: Site, space: int) -> DeviceSite:
    exact = site.location or function.location or _nowhere(function)
    return DeviceSite(
        number, function.name, site.ordinal, user_location(exact), site.kind, space, site.bytes,
        site.align,
    )  # fmt: skip


def pointer_space(
    pointer: m.Operand,
    definitions: Mapping[int, m.Instruction],
    function: m.Function,
    variables: Mapping[str, m.GlobalVariable],
) -> int:
    """The one space that ``pointer`` can only point to, followed back through casts, offsets and
    joins to where it comes from; generic where there are several, or none is known.
    """
    spaces: set[int] = set()
    seen: set[int] = set()
    pending = [pointer]
    while pending:
        operand = pending.pop()
        if isinstance(operand, m.Local):
            if operand.index in seen:
                continue
            seen.add(operand.index)
        space = _step(operand, definitions, function, variables, pending)
        if space is not None:
            spaces.add(space)
        if len(spaces) > 1 or len(seen) > _MAX_ROOTS:
            return AddressSpace.GENERIC
    return spaces.pop() if spaces else AddressSpace.GENERIC


def _of_parameter(
    pointer: m.Operand, definitions: Mapping[int, m.Instruction], function: m.Function
) -> bool:
    """Whether ``pointer`` is a part of a structure that a kernel was given by value."""
    while isinstance(pointer, m.Local):
        found = definitions.get(pointer.index)
        if found is None:
            return bool(function.args[pointer.index].byval_size)
        if not isinstance(found, m.Gep):
            return False
        pointer = found.base
    return False


def _step(
    operand: m.Operand,
    definitions: Mapping[int, m.Instruction],
    function: m.Function,
    variables: Mapping[str, m.GlobalVariable],
    pending: list[m.Operand],
) -> int | None:
    """The space that ``operand`` tells by itself; or None, and ``pending`` grows by its sources."""
    if isinstance(operand, m.UndefConst):
        return None
    if isinstance(operand, m.GlobalAddress):
        variable = variables.get(operand.name)
        space = variable.space if variable else 0
        return space or AddressSpace.GLOBAL
    if not isinstance(operand, m.Local):
        return AddressSpace.GENERIC
    found = definitions.get(operand.index)
    if found is None:
        if function.args[operand.index].byval_size:
            return AddressSpace.PARAM
        # The host has no address of a block's or a thread's own memory to give to a kernel.
        return AddressSpace.GLOBAL if function.is_kernel else AddressSpace.GENERIC
    if isinstance(found.type, m.PointerType) and found.type.space:
        return found.type.space
    match found:
        case m.Alloca():
            return AddressSpace.LOCAL
        case m.Gep():
            pending.append(found.base)
        case m.Cast(op="addrspacecast", source_type=m.PointerType(space)) if space:
            return space
        case m.Cast(op="addrspacecast" | "bitcast"):
            pending.append(found.value)
        case m.Freeze():
            pending.append(found.value)
        case m.Select():
            pending += [found.if_true, found.if_false]
        case m.Phi():
            pending += [value for value, _ in found.incoming]
        case m.Call(callee="__drano_local_place"):
            pending.append(found.args[0])
        case m.Load() if function.is_kernel and _of_parameter(found.pointer, definitions, function):
            return AddressSpace.GLOBAL
        case _:
            return AddressSpace.GENERIC
    return None
