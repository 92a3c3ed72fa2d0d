"""How values move from one iteration of a loop to the next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from drano.ir.model import Local, Operand


class Mode(IntEnum):
    """How a loop-carried value moves; only ever increases."""

    CONSTANT = 0
    UNIFORM_STEP = 1
    VARYING = 2


@dataclass(frozen=True, slots=True)
class Advance:
    """One back edge of a counter: ``value = phi + step`` (minus, if ``negated``)."""

    value: Local
    block: int
    step: Operand
    negated: bool
