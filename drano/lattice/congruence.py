"""What is known of an integer modulo a number: alignment, multiples, parity.

A concrete value is a mathematical integer (not a machine word). Concretisation:

    γ(⊥)                  = none
    γ(Congruence(0, r))   = { r }                           the constant r
    γ(Congruence(m, r))   = { r + m·k | k an integer },     m ≥ 1; m = 1 is ⊤

Every ascending chain is finite (moduli divide each other), so no widening is needed.

Limits: no ranges.
"""

from __future__ import annotations

from math import gcd
from typing import Final, NamedTuple


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
    def bottom(cls) -> Congruence:
        """⊥."""
        return BOTTOM

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


def add(a: Congruence, b: Congruence) -> Congruence:
    """``(1 mod 4) + (2 mod 6) = 1 mod 2``."""
    if a.modulus < 0 or b.modulus < 0:
        return BOTTOM
    return Congruence(gcd(a.modulus, b.modulus), a.residue + b.residue)
