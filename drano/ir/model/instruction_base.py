"""What every instruction has."""

from __future__ import annotations

from dataclasses import dataclass

from drano.ir.model.types import Type
from drano.model.span import Location
from drano.support.fast_init import fast_init


@fast_init
@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionBase:
    """``index``: its number as a value; ``name``: LLVM's name; ``location``: None if generated."""

    index: int
    name: str
    type: Type
    location: Location | None
