"""What must hold of sizes and conditions that nobody knows, for the typical counts to be right."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from drano.lattice.warp.forms import Form, Predicate


class AtLeast(Struct, frozen=True):
    """The absolute value of a uniform ``form`` is ``least`` or more."""

    form: Form
    least: int


class MultipleOf(Struct, frozen=True):
    """A uniform ``form`` is a multiple of ``modulus``."""

    form: Form
    modulus: int


class Holds(Struct, frozen=True):
    """A uniform ``condition``, whose choice is the atom ``number``, is ``value``."""

    number: int
    condition: Predicate
    value: bool


class Inside(Struct, frozen=True):
    """All lanes of a warp go one of these ``ways`` of choices, which are the atoms ``numbers``:
    none is held at a border.
    """

    numbers: tuple[int, ...]
    ways: tuple[tuple[int, ...], ...]


class StartsInside(Struct, frozen=True):
    """Runs of lanes start so far inside a sector that each costs one more than it must. They do not
    if all of ``unless`` is met; (): nothing that has a name decides.
    """

    unless: tuple[MultipleOf, ...]


class Neighbours(Struct, frozen=True):
    """The active lanes of a warp are few runs of neighbours."""


class Several(Struct, frozen=True):
    """More than one lane of a warp is active, where data or sizes choose which."""


class Lanes(Struct, frozen=True):
    """At least so many lanes of a warp are active, where bounds choose which."""

    least: int


Need: TypeAlias = (
    AtLeast | MultipleOf | Holds | Inside | StartsInside | Neighbours | Several | Lanes
)
