"""What is known of an integer modulo a number: alignment, multiples, parity.

A concrete value is a mathematical integer (not a machine word). Concretisation:

    γ(⊥)                  = none
    γ(Congruence(0, r))   = { r }                           the constant r
    γ(Congruence(m, r))   = { r + m·k | k an integer },     m ≥ 1; m = 1 is ⊤

Machine arithmetic is arithmetic here followed by ``wrap``, which keeps what survives modulo 2^w:
the power of two in the modulus. Where an operation depends on how the bits are read (division,
remainder, right shift), the operand is the integer in the reading that the operation uses.

Every ascending chain is finite (moduli divide each other), so no widening is needed.

Limits: no ranges; the quotient by a number that does not divide the modulus is ⊤.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from operator import and_, or_
from operator import xor as xor_
from typing import Final, NamedTuple

from drano.lattice.base import Lattice


class _Fields(NamedTuple):
    modulus: int
    residue: int


class Congruence(_Fields):
    """``value ≡ residue (mod modulus)``; always normal: ``0 ≤ residue < modulus``, or modulus 0.

    ``Congruence(8, 11) = Congruence(8, 3)``. Moduli are natural numbers; ⊥ is ``BOTTOM``.
    Raises ValueError for a negative modulus.
    """

    __slots__ = ()

    def __new__(cls, modulus: int, residue: int) -> Congruence:
        """Normalise."""
        if modulus < 0:
            raise ValueError(f"a modulus is not negative, got {modulus}")
        return tuple.__new__(cls, (modulus, residue % modulus if modulus else residue))

    @classmethod
    def constant(cls, value: int) -> Congruence:
        """Exactly ``value``."""
        return cls(0, value)

    @classmethod
    def multiple(cls, divisor: int) -> Congruence:
        """Some multiple of ``divisor``, such as an address aligned to it."""
        return cls(divisor, 0)

    @classmethod
    def bottom(cls) -> Congruence:
        """⊥."""
        return BOTTOM

    @property
    def is_bottom(self) -> bool:
        """Whether no integer is meant."""
        return self.modulus < 0

    @property
    def is_constant(self) -> bool:
        """Whether exactly one integer is meant: ``residue``."""
        return self.modulus == 0

    @property
    def value(self) -> int | None:
        """The constant, None where it is none."""
        return self.residue if self.modulus == 0 else None

    def contains(self, value: int) -> bool:
        """Whether ``value`` is in γ."""
        if self.modulus < 0:
            return False
        return value == self.residue if self.modulus == 0 else value % self.modulus == self.residue

    def is_multiple_of(self, divisor: int) -> bool | None:
        """Whether ``divisor`` (≥ 1) divides the value: yes, no, or None where it may."""
        if self.modulus < 0:
            return None
        common = gcd(self.modulus, divisor)
        if self.residue % common:
            return False
        return True if common == divisor else None

    def __repr__(self) -> str:
        if self.modulus < 0:
            return "Congruence.bottom()"
        return f"Congruence({self.modulus}, {self.residue})"

    def __str__(self) -> str:
        if self.modulus < 0:
            return "⊥"
        if self.modulus == 0:
            return str(self.residue)
        return "⊤" if self.modulus == 1 else f"{self.residue} mod {self.modulus}"


BOTTOM: Final = tuple.__new__(Congruence, (-1, 0))
"""⊥. The one element with a negative modulus."""

TOP: Final = Congruence(1, 0)
"""⊤."""

_ZERO: Final = Congruence(0, 0)


def _leq(a: Congruence, b: Congruence) -> bool:
    if a.modulus < 0 or b.modulus < 0:
        return a.modulus < 0
    if b.modulus == 0:
        return a == b
    return a.modulus % b.modulus == 0 and a.residue % b.modulus == b.residue


def join(a: Congruence, b: Congruence) -> Congruence:
    """``4 ∨ 12 = 4 mod 8``; ``(1 mod 4) ∨ (3 mod 4) = 1 mod 2``."""
    if a == b or b.modulus < 0:
        return a
    if a.modulus < 0:
        return b
    return Congruence(gcd(a.modulus, b.modulus, a.residue - b.residue), a.residue)


def meet(a: Congruence, b: Congruence) -> Congruence:
    """The Chinese remainder theorem: ``(1 mod 2) ∧ (2 mod 3) = 5 mod 6``; ⊥ where they clash."""
    if a.modulus < 0 or b.modulus < 0:
        return BOTTOM
    if a.modulus == 0 or b.modulus == 0:
        constant, other = (a, b) if a.modulus == 0 else (b, a)
        return constant if other.contains(constant.residue) else BOTTOM
    common = gcd(a.modulus, b.modulus)
    distance = b.residue - a.residue
    if distance % common:
        return BOTTOM
    step = b.modulus // common
    turns = distance // common * pow(a.modulus // common, -1, step)
    return Congruence(a.modulus * step, a.residue + a.modulus * turns)


class Congruences(Lattice[Congruence]):
    """The lattice, ordered by inclusion of γ."""

    __slots__ = ()

    @property
    def bottom(self) -> Congruence:
        """⊥."""
        return BOTTOM

    @property
    def top(self) -> Congruence:
        """⊤, modulus 1."""
        return TOP

    def leq(self, a: Congruence, b: Congruence) -> bool:
        """``(3 mod 8) ≤ (1 mod 2)``; ``5 ≤ (1 mod 4)``."""
        return _leq(a, b)

    def join(self, a: Congruence, b: Congruence) -> Congruence:
        """See ``join``."""
        return join(a, b)

    def meet(self, a: Congruence, b: Congruence) -> Congruence:
        """See ``meet``."""
        return meet(a, b)


CONGRUENCES: Final = Congruences()

# --- ring operations -------------------------------------------------------------------------


def add(a: Congruence, b: Congruence) -> Congruence:
    """``(1 mod 4) + (2 mod 6) = 1 mod 2``."""
    if a.modulus < 0 or b.modulus < 0:
        return BOTTOM
    return Congruence(gcd(a.modulus, b.modulus), a.residue + b.residue)


def neg(a: Congruence) -> Congruence:
    """``−(1 mod 4) = 3 mod 4``."""
    return BOTTOM if a.modulus < 0 else Congruence(a.modulus, -a.residue)


def sub(a: Congruence, b: Congruence) -> Congruence:
    """``a + (−b)``."""
    return add(a, neg(b))


def mul(a: Congruence, b: Congruence) -> Congruence:
    """``(1 mod 4) · 12 = 12 mod 48``; ``(0 mod 4) · (0 mod 6) = 0 mod 24``."""
    if a.modulus < 0 or b.modulus < 0:
        return BOTTOM
    modulus = gcd(a.modulus * b.modulus, a.modulus * b.residue, b.modulus * a.residue)
    return Congruence(modulus, a.residue * b.residue)


def wrap(a: Congruence, bits: int, *, signed: bool = False) -> Congruence:
    """The integer that the low ``bits`` bits read as: trunc, zext, sext, and any overflow.

    ``wrap(257, 8) = 1``; ``wrap(255, 8, signed=True) = −1``; ``wrap(5 mod 12, 32) = 1 mod 4``;
    ``wrap(5 mod 512, 8) = 5``.
    """
    if a.modulus < 0:
        return BOTTOM
    size = 1 << bits
    kept = gcd(a.modulus, size)
    if kept != size:
        return Congruence(kept, a.residue)
    low = a.residue % size  # all of the word's bits are known
    return Congruence(0, low - size if signed and low >= size >> 1 else low)


# --- shifts, quotients, remainders -----------------------------------------------------------

MAX_SHIFT: Final = 128
"""No machine word is wider; a larger amount counts as "at least this"."""


def shl(a: Congruence, amount: Congruence) -> Congruence:
    """``a · 2^amount``: ``(1 mod 4) << 2 = 4 mod 16``; of an unknown amount ``s ≥ 0`` at least its
    residue counts: ``s ≡ 2 (mod 8)`` makes a multiple of 4. A negative amount has no result.
    """
    if a.modulus < 0 or amount.modulus < 0:
        return BOTTOM
    least = amount.residue
    if amount.is_constant and 0 <= least <= MAX_SHIFT:
        return mul(a, Congruence(0, 1 << least))
    # Any answer is right for a negative amount; the largest shift's keeps the function monotone.
    known = least if 0 <= least < MAX_SHIFT else MAX_SHIFT
    return mul(a, Congruence(1 << known, 0))


def lshr(a: Congruence, amount: Congruence) -> Congruence:
    """``⌊a / 2^amount⌋``, also ashr; ⊤ where the amount is not known."""
    if a.modulus < 0 or amount.modulus < 0:
        return BOTTOM
    shift = amount.value
    if shift is None or not 0 <= shift <= MAX_SHIFT:
        return _ZERO if a == _ZERO else TOP
    return floordiv(a, 1 << shift)


def floordiv(a: Congruence, divisor: int) -> Congruence:
    """``⌊a / divisor⌋``, which is udiv for ``a ≥ 0``; ``divisor ≥ 1``, else ⊤.

    ``⌊(5 mod 12) / 4⌋ = 1 mod 3``; ⊤ where the divisor does not divide the modulus.
    """
    if a.modulus < 0:
        return BOTTOM
    if divisor < 1 or a.modulus % divisor:
        return TOP
    return Congruence(a.modulus // divisor, a.residue // divisor)


def sdiv(a: Congruence, divisor: int) -> Congruence:
    """Quotient towards zero. ``(4 mod 12) / −4 = 2 mod 3``; ⊤ by 0.

    A value that the divisor does not divide rounds either way with its sign: ⊤.
    """
    if a.modulus < 0:
        return BOTTOM
    size = abs(divisor)
    if size == 0 or a.modulus % size:
        return TOP
    if a.modulus and a.residue % size:
        return TOP
    quotient = Congruence(a.modulus // size, abs(a.residue) // size)
    negative = (divisor < 0) != (a.residue < 0)
    return neg(quotient) if negative else quotient


def urem(a: Congruence, divisor: int) -> Congruence:
    """``a − divisor·⌊a / divisor⌋``; ⊤ by 0.

    ``(5 mod 12) % 4 = 1``; ``(5 mod 6) % 4 = 1 mod 2``.
    """
    if a.modulus < 0:
        return BOTTOM
    if divisor < 1:
        return TOP
    if a.modulus % divisor == 0:
        return Congruence(0, a.residue % divisor)
    return Congruence(gcd(a.modulus, divisor), a.residue)


def srem(a: Congruence, divisor: int) -> Congruence:
    """Remainder with the dividend's sign: ``(0 mod 12) % 4 = 0``, ``(5 mod 12) % 4 = 1 mod 4``."""
    if a.modulus < 0:
        return BOTTOM
    size = abs(divisor)
    if size == 0:
        return TOP
    if a.modulus == 0:
        rest = abs(a.residue) % size
        return Congruence(0, -rest if a.residue < 0 else rest)
    common = gcd(a.modulus, size)
    # Only a remainder of 0 is the same for both signs.
    known = common == size and a.residue % size == 0
    return _ZERO if known else Congruence(common, a.residue)


# --- bits ------------------------------------------------------------------------------------


def bit_and(a: Congruence, b: Congruence) -> Congruence:
    """``(5 mod 16) & 7 = 5``; ``(0 mod 4) & −32 = 0 mod 32``; ``(5 mod 8) & ⊤`` only a bound: ⊤."""
    return _bitwise(a, b, and_)


def bit_or(a: Congruence, b: Congruence) -> Congruence:
    """``(4 mod 8) | 3 = 7 mod 8``."""
    return _bitwise(a, b, or_)


def bit_xor(a: Congruence, b: Congruence) -> Congruence:
    """``(4 mod 8) ^ 6 = 2 mod 8``."""
    return _bitwise(a, b, xor_)


def _low_bits(modulus: int) -> int:
    """How many low bits the residue fixes: those of the power of two in the modulus."""
    return (modulus & -modulus).bit_length() - 1


def _bitwise(a: Congruence, b: Congruence, op: Callable[[int, int], int]) -> Congruence:
    if a.modulus < 0 or b.modulus < 0:
        return BOTTOM
    if a.modulus == 0 and b.modulus == 0:
        return Congruence(0, op(a.residue, b.residue))
    if a.modulus and b.modulus:
        return _bitwise_unknown(a, b, op)
    return _bitwise_mask(b, a.residue, op) if a.modulus == 0 else _bitwise_mask(a, b.residue, op)


def _bitwise_unknown(a: Congruence, b: Congruence, op: Callable[[int, int], int]) -> Congruence:
    """Low bits known on both sides; beyond them, zeros (of ``and``) or ones absorb."""
    low = min(_low_bits(a.modulus), _low_bits(b.modulus))
    known = a if _low_bits(a.modulus) > low else b
    while low < _low_bits(known.modulus):
        bit = known.residue >> low & 1
        if op(bit, 0) != op(bit, 1):
            break
        low += 1
    # The other operand's residue says nothing of the bits absorbed here, and need not.
    return Congruence(1 << low, op(a.residue, b.residue))


def _bitwise_mask(a: Congruence, mask: int, op: Callable[[int, int], int]) -> Congruence:
    """``op`` with a constant: bit by bit, a mask bit decides, keeps or flips the value's bit."""
    low = _low_bits(a.modulus)
    size = 1 << low
    high = mask >> low
    if op(0, high) == op(-1, high):  # every bit above is decided by the mask
        return Congruence(0, op(a.residue % size, mask))
    if op(0, high) == 0 and op(-1, high) == -1:  # every bit above is kept
        return Congruence(
            a.modulus, a.residue + op(a.residue % size, mask % size) - a.residue % size
        )
    if op(0, high) == -1 and op(-1, high) == 0:  # every bit above is flipped: x ^ m = ~(x ^ ~m)
        flipped = _bitwise_mask(a, ~mask, op)
        return Congruence(flipped.modulus, ~flipped.residue)
    while op(0, high & 1) & 1 == op(1, high & 1) & 1:  # the next bit is decided
        low += 1
        high >>= 1
    return Congruence(1 << low, op(a.residue % size, mask))


def equal(a: Congruence, b: Congruence) -> bool | None:
    """Whether two values are equal: yes, no, or None where they may be (or there are none)."""
    if a.modulus < 0 or b.modulus < 0:
        return None
    if a.modulus == 0 and a == b:
        return True
    return False if meet(a, b).modulus < 0 else None
