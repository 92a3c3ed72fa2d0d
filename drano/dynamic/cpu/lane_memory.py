"""The local memory of a lane: its own arrays, and structures that it is given and may change."""

from __future__ import annotations

from collections.abc import Mapping

from drano.dynamic.cpu.device_function import FunctionSource
from drano.dynamic.cpu.recipes import Recipe, Role
from drano.ir import model as m


def _is_changed(source: FunctionSource, recipes: Mapping[int, Recipe], argument: int) -> bool:
    """Whether a structure parameter may be written to, or its address goes somewhere."""
    seen: set[int] = set()
    pending = [argument]
    users: dict[int, list[m.Instruction]] = {}
    for i in source.definitions.values():
        for value in source.locals_of(i.index):
            users.setdefault(value, []).append(i)
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for user in users.get(value, ()):
            match user:
                case m.Gep() | m.Cast() | m.Select() | m.Phi() | m.Freeze():
                    pending.append(user.index)
                case m.Load() | m.Compare():
                    pass
                case m.MemoryCopy() if user.pointer != m.Local(value):
                    pass
                case m.Call() if recipes[user.index].role is Role.DROPPED:
                    pass
                case _:
                    return True
    return False


def lane_memory(
    source: FunctionSource, recipes: Mapping[int, Recipe]
) -> tuple[dict[int, int], int]:
    """Offset of each array and of each structure that is copied, and the bytes of all."""
    offsets: dict[int, int] = {}
    end = 0
    for argument in source.function.args:
        if argument.byval_size and _is_changed(source, recipes, argument.index):
            end = aligned(end, max(argument.align, 1))
            offsets[argument.index] = end
            end += argument.byval_size
    for block in source.function.blocks:
        for instruction in block.instructions:
            if not isinstance(instruction, m.Alloca):
                continue
            if instruction.size <= 0 and " x " not in source.text(instruction.index):
                raise source.unsupported("array of variable length", instruction.index)
            end = aligned(end, max(instruction.align, 1))
            offsets[instruction.index] = end
            end += instruction.size
    return offsets, aligned(end, 64)


def aligned(value: int, align: int) -> int:
    """The next multiple of ``align``."""
    return -(-value // align) * align
