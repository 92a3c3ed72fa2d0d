"""Values of constants, and the addresses of module-level variables."""

from __future__ import annotations

from drano.analysis.spaces import variable_space
from drano.analysis.warp.state.scalars import MAX_AGGREGATE
from drano.ir.model import (
    FunctionAddress,
    GlobalAddress,
    IntConst,
    Module,
    NullConst,
    Operand,
    VectorConst,
)
from drano.ir.target import POINTER_BITS
from drano.lattice import Aggregate, Cause, Congruence, Form, Value, Warp
from drano.lattice.warp import operations as ops

_SHARED_END = 1 << 24  # the window of shared memory: its addresses are often kept in 32 bits


class Constants:
    """The constants of one module in the warp domain of one block layout."""

    def __init__(self, module: Module, warp: Warp) -> None:
        self._module = module
        self._warp = warp
        self._variables: dict[int, str] = {}

    def value(self, operand: Operand) -> Value:
        """Value of an operand that is no argument or instruction."""
        if isinstance(operand, IntConst):
            if operand.bits == 1:
                return ops.constant_predicate(operand.value != 0)
            return self._warp.constant(operand.value, operand.bits)
        if isinstance(operand, NullConst):
            return self._warp.constant(0, POINTER_BITS)
        if isinstance(operand, GlobalAddress):
            return self._global(operand)
        if isinstance(operand, VectorConst):
            return Aggregate(tuple(self.value(e) for e in operand.elements[:MAX_AGGREGATE]))
        name = operand.name if isinstance(operand, FunctionAddress) else "constant"
        return self._warp.atom(
            ("constant", operand), POINTER_BITS, name, Cause.PARAMETER, varying=False,
        )  # fmt: skip

    def named(self, name: str) -> Form | None:
        """The address of a module-level variable, where it has a known space."""
        return self._global(GlobalAddress(name)) if name in self._module.globals else None

    def variable_of(self, number: int) -> str | None:
        """Of which module-level variable an atom is the address."""
        return self._variables.get(number)

    def _global(self, operand: GlobalAddress) -> Form:
        variable = self._module.globals.get(operand.name)
        align = variable.align if variable is not None else 1
        space = variable_space(variable.space) if variable is not None else ""
        name = variable.display if variable is not None else operand.name
        base = self._warp.atom(
            ("global", operand.name), POINTER_BITS, name, Cause.POINTER, varying=False,
            bounds=(0, _SHARED_END if space == "shared" else 1 << 62),
            residue=Congruence(max(align, 1), 0), space=space,
        )  # fmt: skip
        self._variables[base.terms[0][0][0]] = operand.name
        return self._warp.add(base, self._warp.constant(operand.offset, POINTER_BITS))
