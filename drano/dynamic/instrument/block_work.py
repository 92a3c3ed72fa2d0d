"""What a block of code executes, by source line: instructions by class, operations by type.

Means: the run counts how often warps execute each block, and with how many lanes. Multiplied by the
numbers here, this gives the instruction mix and the operations of each line. Each block has one
counter of two numbers; instructions have none.
Limits: code is counted as it is lowered here (LLVM's instructions, see
``analysis.instruction_classes``); a block left in the middle (by a trap) is counted whole; a
library function counts as one operation, where it is called.
"""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct, field

from drano.analysis.instruction_classes import CLASSES, FLOAT_BITS, operation
from drano.dynamic.instrument.loop_nesting import LoopPlace, Nesting
from drano.ir import model as m
from drano.model.span import Location, Span
from drano.model.system_headers import user_location

_OWN = "__drano_"


class Amounts(Struct):
    """Of one execution of a block by one lane; grows while the block is read. ``classes``: as
    ``instruction_classes.CLASSES``; ``flops``: of 16, 32 and 64 bits.
    """

    classes: list[int] = field(default_factory=lambda: [0] * len(CLASSES))
    flops: list[int] = field(default_factory=lambda: [0] * len(FLOAT_BITS))
    integers: int = 0


class WorkPlace(Struct, frozen=True):
    """A source line as one function executes it, through calls and loops."""

    function: str
    location: Location
    loops: tuple[LoopPlace, ...]


class BlockWork(Struct, frozen=True):
    """What block number ``block`` of a function has of one line."""

    block: int
    place: WorkPlace
    amounts: Amounts


def function_work(module: m.Module, function: m.Function) -> list[BlockWork]:
    """The blocks of ``function``, line by line; what belongs to one line stands together."""
    nesting = Nesting(module, function)
    found: dict[WorkPlace, dict[int, Amounts]] = defaultdict(dict)
    for block in function.blocks:
        loops = nesting.around(block.index)
        for i in block.instructions:
            if isinstance(i, m.Call) and (i.callee or "").startswith(_OWN):
                continue
            done = operation(i)
            if not done.kind:
                continue
            place = WorkPlace(function.name, _line(function, i), loops)
            amounts = found[place].setdefault(block.index, Amounts())
            amounts.classes[CLASSES.index(done.kind)] += 1
            amounts.flops[FLOAT_BITS.index(done.bits)] += done.flops
            amounts.integers += done.integers
    return [
        BlockWork(block, place, amounts)
        for place, blocks in found.items()
        for block, amounts in blocks.items()
    ]


def _line(function: m.Function, i: m.Instruction) -> Location:
    """Without the columns: a line's instructions are counted together."""
    exact = i.location or function.location
    if exact is None:
        return Location(Span("", 0, 0), function.display)
    place = user_location(exact)
    return Location(Span(place.span.path, place.span.line, 0), place.function, place.inlined_at)
