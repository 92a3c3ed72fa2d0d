"""The table of instructions that are translated, filled where each is defined.

An instruction that is not in it, or of which a form is not known (``UnknownError``), stays inline
PTX: with an unknown result, and, if it has an address, an unknown access.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from drano.ptx.model import Instruction, Operand
from drano.ptx.types import is_type, llvm_type
from drano.ptx.writer import Handler, UnknownError

HANDLERS: Final[dict[str, Handler]] = {}


def handles(*opcodes: str) -> Callable[[Handler], Handler]:
    """Enter a function into the table."""

    def entered(handler: Handler) -> Handler:
        for opcode in opcodes:
            HANDLERS[opcode] = handler
        return handler

    return entered


def last_type(i: Instruction) -> str:
    """The type at the end of an instruction's name."""
    if not i.modifiers or not is_type(i.modifiers[-1]):
        raise UnknownError
    return i.modifiers[-1]


def whole_type(type_: str) -> str:
    """LLVM's type for integers and bits of a PTX type; UnknownError for any other number."""
    kind = llvm_type(type_)
    if not kind.startswith("i"):
        raise UnknownError
    return kind


def operands(i: Instruction, count: int) -> tuple[Operand, ...]:
    """The operands, if there are that many."""
    if len(i.operands) != count:
        raise UnknownError
    return i.operands


def only(i: Instruction, *allowed: str) -> frozenset[str]:
    """The modifiers but for the type at the end, if none is unknown."""
    rest = frozenset(i.modifiers[:-1])
    if not rest <= set(allowed):
        raise UnknownError
    return rest
