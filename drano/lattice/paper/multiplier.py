"""The paper's integers: ⊥, 0, 1, −1, ⊤ (GPUDrano, CAV'17), the coefficient of ``threadIdx.x``.

A concrete value is a *warp*: one ``w``-bit word per thread ``t`` of a warp, the threads taken in
the order of ``threadIdx.x``. Concretisation, all arithmetic modulo 2^w:

    γ(⊥)  = no warp at all
    γ(c)  = { warp | there is a u with warp[t] = c·t + u for every t },  c one of 0, 1, −1
    γ(⊤)  = every warp

So 0 is "the same in all threads", 1 is "thread t holds t more than thread 0".

Assumptions
* Threads that differ in ``threadIdx.y`` or ``.z`` are not told apart (the paper's choice): both
  are 0 here, and an analysis that wants the second dimension starts them at ⊤.
* ``zext`` and ``sext`` keep ±1. That holds where ``c·t + u`` does not wrap inside one warp (in the
  unsigned reading for zext, in the signed one for sext), as it does for indices into an array; a
  value that wraps there is outside of this domain's guarantee. Every other function is exact
  modulo 2^w and assumes nothing.
* Division by zero and shifts by ``w`` or more have no concrete result (poison in LLVM IR).

Limits: constants have no value here, only coefficient 0. Where the other operand is a literal, a
function takes it beside the abstract value (``left``, ``right``: the signed reading), and uses it
for exact identities only (``x * 1``, ``x << 0``, ``x & -1``). Stride 2 and more is ⊤. In
particular ``%`` and ``>>`` of a thread-dependent value are ⊤.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, TypeAlias

from drano.lattice.base import Flat


class Multiplier(Enum):
    """An element; the value is the paper's symbol."""

    BOTTOM = "⊥"
    ZERO = "0"
    ONE = "1"
    MINUS_ONE = "−1"
    TOP = "⊤"

    # Members are single objects; Enum's own hash is a Python function, ten times slower.
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Multiplier.{self.name}"

    def __str__(self) -> str:
        return self.value


BOTTOM: Final = Multiplier.BOTTOM
ZERO: Final = Multiplier.ZERO
ONE: Final = Multiplier.ONE
MINUS_ONE: Final = Multiplier.MINUS_ONE
TOP: Final = Multiplier.TOP

MULTIPLIERS: Final = Flat(BOTTOM, TOP)
"""The lattice: 0, 1, −1 unordered between ⊥ and ⊤."""

BinaryTransfer: TypeAlias = Callable[
    [Multiplier, Multiplier, "int | None", "int | None"], Multiplier
]
CastTransfer: TypeAlias = Callable[[Multiplier], Multiplier]

BINARY: Final[dict[str, BinaryTransfer]] = {}
"""LLVM's name of a two-operand opcode to its function ``(a, b, left literal, right literal)``."""

CASTS: Final[dict[str, CastTransfer]] = {}
"""LLVM's name of a cast to its function."""


def binary(
    op: str, a: Multiplier, b: Multiplier, left: int | None = None, right: int | None = None
) -> Multiplier:
    """``a op b``; an opcode that ``BINARY`` does not list gives ⊤. Strict: ⊥ operands give ⊥.

    ``left`` and ``right`` are the operands' literals where they are literals:
    ``binary("mul", ONE, ZERO) = ⊤`` but ``binary("mul", ONE, ZERO, right=-1) = −1``.
    """
    if a is BOTTOM or b is BOTTOM:
        return BOTTOM
    transfer = BINARY.get(op)
    return TOP if transfer is None else transfer(a, b, left, right)


def cast(op: str, a: Multiplier) -> Multiplier:
    """``op a`` for a cast between integers, pointers or floats; an unlisted cast gives ⊤."""
    if a is BOTTOM:
        return BOTTOM
    transfer = CASTS.get(op)
    return TOP if transfer is None else transfer(a)


def opaque(*operands: Multiplier) -> Multiplier:
    """Any function without side effects: 0 from uniform operands, ⊤ from others, ⊥ from any ⊥.

    The allow-list of such functions (``min``, ``sqrt``, ``fmul``, …) is the caller's.
    """
    if BOTTOM in operands:
        return BOTTOM
    return ZERO if all(operand is ZERO for operand in operands) else TOP


_SUMS: Final = {
    (ZERO, ZERO): ZERO,
    (ZERO, ONE): ONE,
    (ZERO, MINUS_ONE): MINUS_ONE,
    (ONE, ZERO): ONE,
    (ONE, MINUS_ONE): ZERO,
    (MINUS_ONE, ZERO): MINUS_ONE,
    (MINUS_ONE, ONE): ZERO,
}


def add(a: Multiplier, b: Multiplier) -> Multiplier:
    """Coefficients add: ``1 + 0 = 1``, ``1 + −1 = 0``, ``1 + 1 = ⊤`` (stride 2 does not fit)."""
    if a is BOTTOM or b is BOTTOM:
        return BOTTOM
    return _SUMS.get((a, b), TOP)


def neg(a: Multiplier) -> Multiplier:
    """``−1 ↔ 1``; 0, ⊥ and ⊤ stay."""
    if a is ONE:
        return MINUS_ONE
    return ONE if a is MINUS_ONE else a


def sub(a: Multiplier, b: Multiplier) -> Multiplier:
    """``a + (−b)``: ``0 − 1 = −1``, ``1 − 1 = 0``."""
    return add(a, neg(b))


def _register(*ops: str) -> Callable[[BinaryTransfer], BinaryTransfer]:
    def enter(transfer: BinaryTransfer) -> BinaryTransfer:
        for op in ops:
            BINARY[op] = transfer
        return transfer

    return enter


# The functions below see no ⊥: ``binary`` is strict.


@_register("add")
def _add(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    del left, right
    return add(a, b)


@_register("sub")
def _sub(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    del left, right
    return sub(a, b)


@_register("mul")
def _mul(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """A uniform factor of unknown size makes a stride of unknown size: ⊤."""
    if left == 0 or right == 0:
        return ZERO
    if right is not None and abs(right) == 1:
        return a if right == 1 else neg(a)
    if left is not None and abs(left) == 1:
        return b if left == 1 else neg(b)
    return opaque(a, b)


@_register("shl", "lshr")
def _shift(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """``x << 0 = x``; ``0 << x = 0``."""
    if left == 0:
        return ZERO
    return a if right == 0 else opaque(a, b)


@_register("ashr")
def _ashr(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """As the other shifts; −1 stays −1 however far it is shifted."""
    return ZERO if left == -1 else _shift(a, b, left, right)


@_register("udiv")
def _udiv(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """``x / 1 = x``; ``0 / x = 0``."""
    if left == 0:
        return ZERO
    return a if right == 1 else opaque(a, b)


@_register("sdiv")
def _sdiv(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """As udiv, and ``x / −1 = −x``."""
    return neg(a) if right == -1 else _udiv(a, b, left, right)


@_register("urem")
def _urem(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """``x % 1 = 0``; ``0 % x = 0``."""
    return ZERO if left == 0 or right == 1 else opaque(a, b)


@_register("srem")
def _srem(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """As urem, and ``x % −1 = 0``."""
    return ZERO if right == -1 else _urem(a, b, left, right)


@_register("and")
def _and(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """``x & 0 = 0``; ``x & −1 = x``."""
    if left == 0 or right == 0:
        return ZERO
    if right == -1:
        return a
    return b if left == -1 else opaque(a, b)


@_register("or")
def _or(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """``x | 0 = x``; ``x | −1 = −1``, a constant."""
    if left == -1 or right == -1:
        return ZERO
    if right == 0:
        return a
    return b if left == 0 else opaque(a, b)


@_register("xor")
def _xor(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """``x ^ 0 = x``; ``x ^ −1 = −x − 1``."""
    if right in (0, -1):
        return a if right == 0 else neg(a)
    if left in (0, -1):
        return b if left == 0 else neg(b)
    return opaque(a, b)


@_register("fadd", "fsub", "fmul", "fdiv", "frem")
def _floating(a: Multiplier, b: Multiplier, left: int | None, right: int | None) -> Multiplier:
    """Floats round, so they have no coefficient: uniform or unknown."""
    del left, right
    return opaque(a, b)


def _same(a: Multiplier) -> Multiplier:
    return a


CASTS.update(
    dict.fromkeys(
        ("trunc", "zext", "sext", "ptrtoint", "inttoptr", "bitcast", "addrspacecast"), _same
    )
)
CASTS.update(
    dict.fromkeys(("fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "fneg"), opaque)
)
