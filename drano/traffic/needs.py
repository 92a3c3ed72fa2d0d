"""What must hold of sizes that nobody knows, for the typical counts of a request to be right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from drano.lattice.warp.forms import Form


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


Need: TypeAlias = AtLeast | MultipleOf
