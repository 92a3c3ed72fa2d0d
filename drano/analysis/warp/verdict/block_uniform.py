"""What all warps of a block agree on, not only the lanes of one.

The warp domain's unknowns have one value in each warp. To speak of a whole block, one must know
that two warps mean the same by them: sizes and block indices are shared; a counter or a loaded
value is, if neither its inputs nor the branches that lead to it depend on the thread.

Means: forward dependence over SSA from ``threadIdx`` and lane numbers, by data and control. Limits:
a value of a thread's own memory counts as dependent; warps are assumed to read memory at one time.
"""

from __future__ import annotations

from drano.analysis.warp.state.warp_state import WarpState
from drano.ir.intrinsics import Meaning, meaning
from drano.ir.model import (
    Alloca,
    Atomic,
    Block,
    Branch,
    Call,
    Gep,
    Instruction,
    Load,
    Local,
    Opaque,
    Operand,
    Phi,
    Switch,
)
from drano.ir.target import SPECIAL_REGISTER
from drano.lattice import Coefficient, Form
from drano.lattice.warp.lanes import LaneVector

_OF_BLOCK = ("ctaid.", "ntid.", "nctaid.", "warpsize", "gridid")
_SHARED_ATOMS = ("argument", "global")
_BY_VALUE = ("value", "loop")


class BlockShared:
    """The answers for one interpretation."""

    def __init__(self, run: WarpState) -> None:
        self._run = run
        self._structure = run.structure
        self._dependent: set[int] = set()
        self._joins: set[int] = set()
        self._parted: set[int] = set()  # loops that warps leave at different iterations
        self._keys = run.warp.keys()
        changed = True
        while changed:
            before = len(self._dependent), len(self._joins), len(self._parted)
            for block in run.function.blocks:
                for instruction in block.instructions:
                    if instruction.index not in self._dependent:
                        self._visit(instruction, block)
            changed = before != (len(self._dependent), len(self._joins), len(self._parted))

    def knows(self, address: Form) -> bool:
        """Whether the unknowns in an address mean the same in all warps."""
        return all(self._is_shared(number) for monomial, _ in address.terms for number in monomial)

    def _is_shared(self, number: int) -> bool:
        key = self._keys.get(number)
        if isinstance(key, str):
            return key.startswith(_OF_BLOCK)
        if not isinstance(key, tuple) or len(key) < 2:
            return False
        kind, of = key[0], key[1]
        if kind == "constant" and isinstance(of, Form):
            return self.knows(of) and is_same_in_all(of)
        if kind in _BY_VALUE:
            return isinstance(of, int) and of not in self._dependent
        return kind in _SHARED_ATOMS

    # --- dependence --------------------------------------------------------------------------

    def _visit(self, i: Instruction, block: Block) -> None:
        if self._depends(i, block.index):
            self._dependent.add(i.index)
            if isinstance(i, Branch | Switch):
                self._part(block.index)

    def _part(self, index: int) -> None:
        """Threads go different ways at the end of a block."""
        structure = self._structure
        self._joins |= structure.branch_joins(index) | structure.header_joins(index)
        for header in structure.loops_of[index]:
            loop = structure.loops[header]
            if structure.ipdom[index] not in loop.body:
                self._parted.add(header)
                self._joins |= structure.exit_joins(loop)

    def _depends(self, i: Instruction, block: int) -> bool:
        match i:
            case Atomic() | Opaque():
                return True
            case Call():
                return self._call_depends(i, block)
            case Load():
                return self._operand(i.pointer, block) or self._is_own(i.pointer)
            case Phi() if block in self._joins:
                return True
            case _:
                operands = self._structure.operands(i)
                return any(self._operand(operand, block) for operand in operands)

    def _call_depends(self, call: Call, block: int) -> bool:
        name = call.callee or ""
        if name.startswith(SPECIAL_REGISTER):
            return not name.removeprefix(SPECIAL_REGISTER).startswith(_OF_BLOCK)
        if meaning(name) in {Meaning.PURE, Meaning.LOAD, Meaning.SAME_POINTER}:
            return any(self._operand(argument, block) for argument in call.args)
        return True

    def _operand(self, operand: Operand, block: int) -> bool:
        if not isinstance(operand, Local):
            return False
        if operand.index in self._dependent:
            return True
        home = self._run.block_of.get(operand.index)
        if home is None or not self._parted:
            return False
        here = self._structure.loops_of[block]
        return any(h in self._parted and h not in here for h in self._structure.loops_of[home])

    def _is_own(self, pointer: Operand) -> bool:
        """Whether a pointer is to an array of the thread."""
        while isinstance(pointer, Local) and pointer.index in self._run.block_of:
            i = self._run.definition(pointer.index)
            if not isinstance(i, Gep):
                return isinstance(i, Alloca | Phi | Load)
            pointer = i.base
        return False


def is_same_in_all(value: Form) -> bool:
    """Whether all numbers in a value are the same in every lane of every warp."""
    return all(map(_same_in_all, (value.const, *(c for _, c in value.terms))))


def _same_in_all(coefficient: Coefficient) -> bool:
    """Whether a number is the same in every lane of every warp."""
    if not isinstance(coefficient, LaneVector):
        return True
    return bool((coefficient.data == coefficient.data[0, 0]).all())
