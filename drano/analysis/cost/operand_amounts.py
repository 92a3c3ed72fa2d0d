"""Operands as amounts: the arithmetic behind a number, in the names of the source.

``known`` may give constants (of the domain, of the launch); what is left is followed through
arithmetic to parameters, special registers and loaded values. Thread numbers are taken as 0: a
warp goes on as long as its first thread does. The number of a block is half of the grid's size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from drano.analysis.cost import defaults
from drano.analysis.cost.amounts import (
    Amount,
    Name,
    Number,
    Product,
    Sum,
    difference,
    evaluate,
    names,
    product,
    quotient,
    total,
)
from drano.analysis.cost.grids import UNKNOWN_SHAPE, along
from drano.analysis.definitions import Definitions, register_name
from drano.ir.intrinsics import IntegerFunction, intrinsic
from drano.ir.model import Binary, Call, Cast, Freeze, IntConst, Load, Local, Operand, Phi, Select

_MAX_DEPTH: Final = 12
_LEAST: Final = frozenset({IntegerFunction.SMIN, IntegerFunction.UMIN})
_EXTREMA: Final = _LEAST | {IntegerFunction.SMAX, IntegerFunction.UMAX}

Known = Callable[[Operand], int | None]
Counter = Callable[[Phi], Amount | None]


class Amounts:
    """The amounts of one function's operands. ``grid``: blocks along each axis, where known."""

    def __init__(
        self,
        definitions: Definitions,
        known: Known,
        block: tuple[int, int, int] | None,
        grid: tuple[int | None, int | None, int | None],
    ) -> None:
        self._definitions = definitions
        self._known = known
        self._block = block
        self._grid = grid
        self.counter: Counter = lambda _phi: None

    def spans_grid(self, step: Amount) -> bool:
        """Whether a loop with this step is shared out to all blocks."""
        if isinstance(step, Number) and self._block is not None and self._grid[0] is not None:
            return step.value >= self._grid[0] * self._block[0] > self._block[0]
        return any(name.text.startswith("gridDim.") for name in names(step))

    def of(self, operand: Operand, depth: int = 0) -> Amount | None:
        """What an operand counts; None where it cannot be told."""
        if isinstance(operand, IntConst):
            return Number(float(operand.value))
        constant = self._known(operand)
        if constant is not None:
            return Number(float(constant))
        if not isinstance(operand, Local) or depth > _MAX_DEPTH:
            return None
        i = self._definitions.of(operand)
        match i:
            case Cast() | Freeze():
                return self.of(i.value, depth + 1)
            case Binary():
                return self._binary(i, depth + 1) or self._named(operand)
            case Call():
                return self._call(i, depth + 1)
            case Phi():
                return self.counter(i) or self._named(operand)
            case Select():
                return self._either(i.if_true, i.if_false, depth + 1) or self._named(operand)
            case Load():
                return self._named(operand)
            case None:
                name = self._definitions.name(operand)
                return Name(name, defaults.SIZE) if name else None
            case _:
                return None

    def _named(self, operand: Operand) -> Amount | None:
        """What only its variable's name is known of."""
        name = self._definitions.name(operand)
        return Name(name, defaults.DATA, loaded=True) if name else None

    def _binary(self, i: Binary, depth: int) -> Amount | None:
        left, right = self.of(i.lhs, depth), self.of(i.rhs, depth)
        if left is None or right is None:
            return None
        shift = 2.0**right.value if isinstance(right, Number) and 0 <= right.value < 63 else None
        match i.op:
            case "add" | "or":
                return difference(left, product(Number(-1.0), right))
            case "sub":
                return difference(left, right)
            case "mul":
                return product(left, right)
            case "sdiv" | "udiv":
                return quotient(left, right)
            case "and" if isinstance(right, Number):
                return _masked(left, int(right.value))
            case "shl" if shift is not None:
                return product(left, Number(shift))
            case "lshr" | "ashr" if shift is not None:
                return quotient(left, Number(shift))
            case _:
                return None

    def _call(self, i: Call, depth: int) -> Amount | None:
        callee = i.callee or ""
        function = intrinsic(callee).integer
        if function in _EXTREMA:
            return self._either(i.args[0], i.args[1], depth, smaller=function in _LEAST)
        register = register_name(callee)
        return self.register(register) if register else None

    def _either(
        self, first: Operand, second: Operand, depth: int, *, smaller: bool = True
    ) -> Amount | None:
        """One of two: the known one of ``min(n, 32)``, else the first that can be told."""
        both = [a for a in (self.of(first, depth), self.of(second, depth)) if a is not None]
        if not both:
            return None
        return next((a for a in both if isinstance(a, Number) and smaller and a.value), both[0])

    def register(self, name: str) -> Amount | None:
        """``blockDim.x``, ``gridDim.y``, ``blockIdx.z``; None for other registers."""
        kind, _, axis = name.partition(".")
        place = "xyz".find(axis) if axis else -1
        if place < 0:
            return None
        if kind == "threadIdx":
            return Number(0.0)
        if kind == "blockDim":
            if self._block is not None:
                return Number(float(self._block[place]))
            return Name(name, UNKNOWN_SHAPE[place])
        if kind not in {"gridDim", "blockIdx"}:
            return None
        size = along(self._grid, self._block, place)
        if kind == "gridDim":
            return size
        return Name(name, (evaluate(size, {}) - 1) / 2, size=False)


def without_blocks(amount: Amount) -> Amount:
    """``amount`` as block 0 sees it: where a loop's stride is the grid's, all blocks do alike."""
    match amount:
        case Name(text) if text.startswith("blockIdx."):
            return Number(0.0)
        case _ if not any(n.text.startswith("blockIdx.") for n in names(amount)):
            return amount
        case _:
            return _rebuilt(amount)


def _rebuilt(amount: Amount) -> Amount:
    match amount:
        case Sum(terms):
            return total([t for t in map(without_blocks, terms) if t != Number(0.0)])
        case Product(factor, of):
            return product(Number(factor), *map(without_blocks, of))
        case _:
            return amount


def _masked(amount: Amount, mask: int) -> Amount | None:
    """Of ``n & ~3`` about all of n; of ``n & 3`` the mean. Unrolled loops count so."""
    if mask > 0 and mask & (mask + 1) == 0:
        return Number(mask / 2)
    low = (mask & -mask) - 1
    whole = any(mask == (1 << bits) - 1 - low for bits in (31, 32, 63, 64))
    return amount if low > 0 and (whole or -mask == low + 1) else None
