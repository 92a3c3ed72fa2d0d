"""Inline PTX that only a machine can be asked for, as LLVM IR for this one: a function for each.

Means: what PTX's own table has is LLVM's instructions by now (``ir.prepare.inline_ptx``). Here are
instructions with state of their own, each in an ``asm`` of its own: barriers in shared memory,
textures and surfaces, clocks.
Limits: all others raise ``PtxError``: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from drano.dynamic.cpu.helpers.definition import CONTEXT
from drano.dynamic.cpu.ptx.barriers import BARRIERS
from drano.dynamic.cpu.ptx.images import IMAGES
from drano.ir.prepare.inline_assembly.asm_calls import AsmCall
from drano.ir.prepare.inline_assembly.asm_pieces import AsmPiece, StaysError
from drano.ptx.fragments import BranchesError, InPlace
from drano.ptx.instructions.table import HANDLERS
from drano.ptx.model import Instruction, Name, PtxError
from drano.ptx.writer import Handler, Shared, UnknownError, Writer

_MEMORY: Final = re.compile(r"\b(ld|st|atom|red|tex|suld|sust|mbarrier|cp)\.")
_CLOCKS: Final = {"%clock_hi": "clock.hi", "%globaltimer_lo": "globaltimer.lo"}


def _move(w: Writer, i: Instruction) -> None:
    """A register, or a clock."""
    to, source = i.operands
    name = _CLOCKS.get(source.text if isinstance(source, Name) else "")
    if name is None:
        HANDLERS["mov"](w, i)
        return
    w.set(to, w.let(f"call i32 @drano.sreg.{name}(ptr %w, i64 %lane, i32 %mask)"), "i32")


def _wait(w: Writer, i: Instruction) -> None:
    """What orders memory, or takes time."""
    del i
    w.do("fence seq_cst")


_OWN: Final[Mapping[str, Handler]] = {
    **BARRIERS, **IMAGES, "mov": _move,
    **dict.fromkeys(("fence", "membar", "nanosleep", "griddepcontrol"), _wait),
}  # fmt: skip


def is_effect(template: str, *, sideeffect: bool) -> bool:
    """Whether the asm does more than compute: memory, fences, what the program calls volatile."""
    return sideeffect or _MEMORY.search(template) is not None


def translate(name: str, template: str, constraints: str, result: str, arguments: list[str]) -> str:
    """The definition of ``@name`` for an ``asm`` with operands of these LLVM types. PtxError."""
    parts = [part for part in constraints.split(",") if part and part[0] != "~"]
    outputs = tuple(part for part in parts if part[0] == "=")
    if len(parts) - len(outputs) != len(arguments):
        raise PtxError(1, "operands that are not understood")
    inputs = tuple(
        (constraint, type_, f"%a{k}")
        for k, (type_, constraint) in enumerate(zip(arguments, parts[len(outputs) :], strict=True))
    )
    call = AsmCall("" if result == "void" else "%r", result, template, outputs, inputs, True, "")
    lines = _lines(call)
    parameters = ", ".join([CONTEXT, *(f"{t} %a{k}" for k, t in enumerate(arguments))])
    returned = "ret void" if result == "void" else f"ret {result} %r"
    return (
        f"define internal {result} @{name}({parameters}) alwaysinline nounwind {{\n"
        + "\n".join([*lines, f"  {returned}"])
        + "\n}\n"
    )


def _lines(call: AsmCall) -> list[str]:
    try:
        piece = AsmPiece(call)
        found = piece.fragment()
        site = InPlace(Shared({}, {}, foreign=True), found, "t", "", executed=True)
        piece.enter(site)
        site.write(found.body, _OWN)
        if site.left:
            raise PtxError(1, site.left[0].name)
        piece.leave(site)
    except (StaysError, BranchesError, UnknownError):
        raise PtxError(1, "operands that are not understood") from None
    return site.lines
