"""Which values of a loop are the same in each of its iterations.

Such a value survives a loop that threads leave at different iterations; all others are ⊤ after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from drano.analysis.control_structure import Structure
from drano.ir.intrinsics import Meaning, meaning
from drano.ir.model import Alloca, Call, Instruction, Local, ValueInstruction
from drano.ir.target import SPECIAL_REGISTER
from drano.ir.uses import operands_of

_Repeated: TypeAlias = ValueInstruction | Alloca


class Invariance:
    """Answers are remembered. ``definitions``: each value's instruction and block."""

    def __init__(
        self, structure: Structure, definitions: Mapping[int, tuple[Instruction, int]]
    ) -> None:
        self._structure = structure
        self._definitions = definitions
        self._memo: dict[tuple[int, int], bool] = {}

    def varies(self, index: int, header: int) -> bool:
        """Whether a value is computed anew, perhaps differently, in each iteration of a loop."""
        inside = self._structure.loops[header].body
        memo = self._memo
        pending = [index]
        while pending:
            current = pending[-1]
            if (current, header) in memo:
                pending.pop()
                continue
            i, home = self._definitions.get(current, (None, -1))
            if i is None or home not in inside:
                memo[current, header] = False
            elif not repeatable(i):
                memo[current, header] = True
            else:
                operands = [o.index for o in operands_of(i) if isinstance(o, Local)]
                missing = [o for o in operands if (o, header) not in memo]
                if missing:
                    pending += missing
                    continue
                memo[current, header] = any(memo[o, header] for o in operands)
            pending.pop()
        return memo[index, header]


def repeatable(i: Instruction) -> bool:
    """Whether ``i`` gives the same whenever it runs again with the same operands."""
    if isinstance(i, Call):
        callee = i.callee or ""
        if callee.startswith(SPECIAL_REGISTER):
            return "clock" not in callee and "timer" not in callee
        return meaning(callee) in (Meaning.PURE, Meaning.SAME_POINTER)
    return isinstance(i, _Repeated)
