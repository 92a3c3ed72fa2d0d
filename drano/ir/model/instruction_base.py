"""What every instruction has."""

from __future__ import annotations

from msgspec import Struct

from drano.ir.model.types import Type
from drano.model.span import Location


class InstructionBase(Struct, frozen=True, kw_only=True):
    """``index``: its number as a value; ``name``: LLVM's name; ``location``: None if generated."""

    index: int
    name: str
    type: Type
    location: Location | None
