"""What must hold of sizes and conditions that nobody knows, for the typical counts to be right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from drano.lattice.warp.forms import Form, Predicate


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The absolute value of a uniform ``form`` is ``least`` or more."""

    form: Form
    least: int


@dataclass(frozen=True, slots=True)
class MultipleOf:
    """A uniform ``form`` is a multiple of ``modulus``."""

    form: Form
    modulus: int


@dataclass(frozen=True, slots=True)
class Holds:
    """A uniform ``condition``, whose choice is the atom ``number``, is ``value``."""

    number: int
    condition: Predicate
    value: bool


@dataclass(frozen=True, slots=True)
class Inside:
    """All lanes of a warp go one of these ``ways`` of choices, which are the atoms ``numbers``:
    none is held at a border.
    """

    numbers: tuple[int, ...]
    ways: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class StartsInside:
    """Runs of lanes start so far inside a sector that each costs one more than it must. They do not
    if all of ``unless`` is met; (): nothing that has a name decides.
    """

    unless: tuple[MultipleOf, ...]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The active lanes of a warp are few runs of neighbours."""


@dataclass(frozen=True, slots=True)
class Several:
    """More than one lane of a warp is active, where data or sizes choose which."""


Need: TypeAlias = AtLeast | MultipleOf | Holds | Inside | StartsInside | Neighbours | Several
