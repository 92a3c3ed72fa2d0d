"""Access sites: the memory accesses of a function in program order.

One source access has one site. A struct copied by value is one access in the source, which SSA
construction splits into one load or store per field: pieces of one source place that follow each
other in memory are one site again, as wide as its alignment lets the hardware go (16 bytes).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from drano.ir.intrinsics import Meaning, meaning
from drano.ir.model import (
    Atomic,
    Call,
    Cast,
    Function,
    Gep,
    Instruction,
    IntConst,
    Load,
    Local,
    MemoryCopy,
    MemoryFill,
    Operand,
    Select,
    Store,
)
from drano.ir.target import AddressSpace
from drano.ir.type_layout import store_size
from drano.model.access import AccessKind
from drano.model.span import Location

MAX_VECTOR_BYTES = 16
_ASYNC_COPY = re.compile(r"llvm\.nvvm\.cp\.async\.c[ag]\.shared\.global\.(\d+)(\.s)?$")


class Site(Struct, frozen=True):
    """``pointer``: the address's operand; ``bytes``: per lane; ``align``: what the compiler knows.

    ``ordinal`` counts the sites of the function in program order. ``instructions``: the indices of
    the instructions that make it up, the first one first. ``only_where``: a condition that lanes
    must meet besides, None where there is none.
    """

    ordinal: int
    block: int
    instruction: Instruction
    instructions: tuple[int, ...]
    pointer: Operand
    kind: AccessKind
    bytes: int
    align: int
    static_space: int
    location: Location | None
    only_where: Operand | None = None


def memory_sites(function: Function) -> list[Site]:
    """All sites of a function; local (stack) memory included, which rules skip by its space."""
    definitions = {i.index: i for block in function.blocks for i in block.instructions}
    found: list[Site] = []
    for block in function.blocks:
        start = len(found)
        for instruction in block.instructions:
            for site in _sites_of(instruction, block.index, definitions):
                merged = _merge(found[-1], site, definitions) if len(found) > start else None
                if merged is not None:
                    found[-1] = merged
                else:
                    found.append(site)
    return [
        Site(
            n, s.block, s.instruction, s.instructions, s.pointer, s.kind, s.bytes, s.align,
            s.static_space, _place(function, s, definitions), s.only_where,
        )
        for n, s in enumerate(found)
    ]  # fmt: skip


def _place(function: Function, site: Site, definitions: dict[int, Instruction]) -> Location | None:
    """The place of an access; of one that the optimiser has put in the place of several, so that it
    has none of its own, or was in calls that have none: that of the first of these, else where the
    address is computed.
    """
    own = site.location
    if own is not None and all(frame.span.line for frame in own.inlined_at):
        return own
    written = [a for index in site.instructions for a in function.origins.get(index, ())]
    for access in sorted(written, key=lambda each: each.number):
        if access.location is not None:
            return access.location
    if own is not None:
        return own
    pointer = site.pointer
    for _ in range(8):
        step = definitions.get(pointer.index) if isinstance(pointer, Local) else None
        if step is None or step.location is not None:
            return step.location if step else None
        if isinstance(step, Gep):
            pointer = step.base
        elif isinstance(step, Cast):
            pointer = step.value
        else:
            return None
    return None


def copied_where(call: Call, definitions: Mapping[int, Instruction]) -> Operand | None:
    """The condition under which ``cp.async`` copies all that it may, and nothing otherwise: where
    its last operand is ``p ? 16 : 0``.
    """
    copied = _ASYNC_COPY.match(call.callee or "")
    if copied is None or not copied[2] or not isinstance(call.args[2], Local):
        return None
    chosen = definitions.get(call.args[2].index)
    if not isinstance(chosen, Select):
        return None
    sizes = (chosen.if_true, chosen.if_false)
    values = [size.value for size in sizes if isinstance(size, IntConst)]
    return chosen.condition if values == [int(copied[1]), 0] else None


def _sites_of(i: Instruction, block: int, definitions: Mapping[int, Instruction]) -> list[Site]:
    def site(pointer: Operand, kind: AccessKind, size: int, align: int, space: int) -> Site:
        return Site(0, block, i, (i.index,), pointer, kind, size, align, space, i.location)

    match i:
        case Load():
            return [site(i.pointer, AccessKind.LOAD, _piece(i), i.align, i.space)]
        case Store():
            return [site(i.pointer, AccessKind.STORE, _piece(i), i.align, i.space)]
        case Atomic():
            return [site(i.pointer, AccessKind.ATOMIC, i.size, i.align, i.space)]
        case MemoryCopy():
            size = i.length.value if isinstance(i.length, IntConst) else 0
            wide_in = min(size, i.source_align, MAX_VECTOR_BYTES) or 1
            wide_out = min(size, i.pointer_align, MAX_VECTOR_BYTES) or 1
            return [
                site(i.source, AccessKind.LOAD, wide_in, i.source_align, i.source_space),
                site(i.pointer, AccessKind.STORE, wide_out, i.pointer_align, i.pointer_space),
            ]
        case MemoryFill():
            size = i.length.value if isinstance(i.length, IntConst) else 0
            wide = min(size, i.pointer_align, MAX_VECTOR_BYTES) or 1
            return [site(i.pointer, AccessKind.STORE, wide, i.pointer_align, i.pointer_space)]
        case Call() if meaning(i.callee or "") is Meaning.LOAD:
            size = store_size(i.type)
            return [site(i.args[0], AccessKind.LOAD, size, size, AddressSpace.GLOBAL)]
        case Call() if copied := _ASYNC_COPY.match(i.callee or ""):
            size = int(copied[1])
            filled = site(i.args[0], AccessKind.STORE, size, size, AddressSpace.SHARED)
            read = site(i.args[1], AccessKind.LOAD, size, size, AddressSpace.GLOBAL)
            if not copied[2]:
                return [read, filled]
            condition = copied_where(i, definitions)
            if condition is None:  # it may read less, or nothing: see ``unseen_accesses``
                return [filled]
            return [replace(read, only_where=condition), filled]
        case _:
            return []


def _piece(i: Load | Store) -> int:
    """Bytes of one request: PTX has none that is less aligned than it is wide, so that a member of
    a packed structure is accessed piece by piece.
    """
    natural = i.size & -i.size
    return i.align if 0 < i.align < natural else i.size


def _merge(old: Site, new: Site, definitions: dict[int, Instruction]) -> Site | None:
    """``old`` widened by ``new``, when both are pieces of one copy of a struct."""
    if (
        new.kind is not old.kind
        or new.kind is AccessKind.ATOMIC
        or new.location is None
        or new.location != old.location
        or not isinstance(new.instruction, Load | Store)
        or not isinstance(old.instruction, Load | Store)
    ):
        return None
    base_old, offset_old = _base_and_offset(old.pointer, definitions)
    base_new, offset_new = _base_and_offset(new.pointer, definitions)
    if base_old is None or base_old != base_new or offset_new != offset_old + old.bytes:
        return None
    width = old.bytes + new.bytes
    if width > min(old.align, MAX_VECTOR_BYTES):
        return None
    return Site(
        0, old.block, old.instruction, (*old.instructions, *new.instructions), old.pointer,
        old.kind, width, old.align, old.static_space, old.location,
    )  # fmt: skip


def _base_and_offset(
    pointer: Operand, definitions: dict[int, Instruction]
) -> tuple[Operand | None, int]:
    offset = 0
    for _ in range(64):
        if not isinstance(pointer, Local):
            return pointer, offset
        step = definitions.get(pointer.index)
        if not isinstance(step, Gep) or step.steps:
            return pointer, offset
        offset += step.offset
        pointer = step.base
    return None, 0
