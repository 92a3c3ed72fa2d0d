"""Values of a function's arguments, by what launches give for them and how pointers are aligned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from drano.analysis.member_names import member_name
from drano.analysis.warp.state.scalars import scalar_bits
from drano.ir.model import Argument as KernelArgument
from drano.ir.model import IntType, PointerType
from drano.lattice import Cause, Congruence, Form, Value
from drano.model.hardware import LINE_BYTES
from drano.model.translation_unit import Argument, Shifted

if TYPE_CHECKING:
    from drano.analysis.warp.state.warp_state import WarpState


class KernelArguments:
    """The arguments of one function, and what is in the objects that it is given by value."""

    def __init__(self, state: WarpState) -> None:
        self._state = state
        self._given: dict[int, Argument] = {}
        self._objects: dict[int, KernelArgument] = {}

    def bind(self, known: tuple[Argument, ...]) -> None:
        """Give each argument its value; ``known``: of launches, by position."""
        state = self._state
        kernel = state.function.is_kernel
        for position, argument in enumerate(state.function.args):
            bits = scalar_bits(argument.type)
            name = argument.name or f"argument {position + 1}"
            key = ("argument", position)
            constant = known[position] if position < len(known) else None
            value: Value
            if argument.byval_size:
                align = Congruence(max(argument.align, 1), 0)
                value = state.warp.atom(
                    key, bits, name, Cause.POINTER, varying=False, bounds=(1, 1 << 62),
                    residue=align, space="param",
                )  # fmt: skip
                state.arrays.declare(value, constant=kernel and argument.constant)
                base = state.arrays.base(value)
                if base is not None:
                    self._given[base] = constant
                    self._objects[base] = argument
            elif isinstance(argument.type, PointerType):
                align = Congruence(self._alignment(constant, argument) if kernel else 1, 0)
                value = state.warp.atom(
                    key, bits, name, Cause.POINTER, varying=not kernel, bounds=(1, 1 << 62),
                    residue=align, space="global" if kernel else "",
                    likely=self._likely_alignment(constant) if kernel else None,
                )  # fmt: skip
            elif isinstance(constant, int) and isinstance(argument.type, IntType):
                value = state.warp.constant(constant, bits)
            else:
                value = state.unknown_of(
                    argument.type, key, name, Cause.PARAMETER, varying=not kernel,
                    residue=Congruence(argument.multiple, 0) if argument.multiple > 1 else None,
                )  # fmt: skip
            state.env[argument.index] = value

    def _alignment(self, given: Argument, argument: KernelArgument | None = None) -> int:
        """Of a pointer that a launch gives the kernel, in bytes."""
        aligned = self._state.options.pointer_alignment
        if argument is not None and argument.multiple > 1:
            aligned = math.gcd(aligned, argument.multiple)
        return math.gcd(aligned, given.unit) if isinstance(given, Shifted) else aligned

    def pointer_in(self, base: int | None) -> tuple[Congruence, Congruence | None]:
        """How pointers are aligned that are in an object given by value, and likely are."""
        given = None if base is None else self._given.get(base)
        return Congruence(self._alignment(given), 0), self._likely_alignment(given)

    def _likely_alignment(self, given: Argument) -> Congruence | None:
        """Of a pointer that a launch has moved by sizes only; None where no more is likely."""
        moved = isinstance(given, Shifted) and given.likely_start
        return Congruence(math.lcm(self._alignment(given), LINE_BYTES), 0) if moved else None

    def member_at(self, address: Form, size: int) -> str:
        """Name of the member of a by-value parameter that ``size`` bytes at an address are, ""
        elsewhere.
        """
        base = self._state.arrays.base(address)
        of = None if base is None else self._objects.get(base)
        offset = address.const
        if of is None or of.byval_type is None or len(address.terms) != 1:
            return ""
        if not isinstance(offset, int):
            return ""
        member = member_name(self._state.module.structs, of.byval_type, offset, size)
        return f"{of.name}{member}" if member and of.name else ""
