"""What the decoders of all opcodes share: the header of an instruction, the fallback.

Means: ``opaque`` keeps the locals that a line mentions, and the type that LLVM tells.
Assumptions: as in ``instructions.py``: LLVM's own printing, cut before its metadata.
Limits: none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from drano.ir import model as m
from drano.ir.llvm_text import TextError
from drano.ir.read.operands import OperandTokens
from drano.model.span import Location

VOID = m.VoidType()
FLAGS = frozenset(
    {"nsw", "nuw", "exact", "disjoint", "nneg", "samesign"}
    | {"fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}
)


class Header(Struct):
    """What every instruction has. ``blocks``: block numbers by label; ``result``: the type of an
    opcode that is not in the table, as LLVM tells it.
    """

    index: int
    name: str
    location: Location | None
    blocks: Mapping[str, int]
    invariant: bool
    result: Callable[[], m.Type]


Decoder: TypeAlias = Callable[[OperandTokens, str, Header], m.Instruction]
DECODERS: Final[dict[str, Decoder]] = {}


def decodes(*opcodes: str) -> Callable[[Decoder], Decoder]:
    """Make a function the decoder of these opcodes: ``@decodes("icmp", "fcmp")``."""

    def register(decoder: Decoder) -> Decoder:
        DECODERS.update(dict.fromkeys(opcodes, decoder))
        return decoder

    return register


def block(t: OperandTokens, h: Header) -> int:
    """Take a block's name; its number."""
    token = t.take()
    if token not in h.blocks:
        raise TextError(f"unknown block {token[:40]!r}")
    return h.blocks[token]


def opaque(t: OperandTokens, op: str, h: Header) -> m.Instruction:
    """Any instruction: the locals that it mentions, and the type that LLVM tells."""
    operands = tuple(t.locals[token] for token in t.items if token in t.locals)
    return m.Opaque(
        index=h.index,
        name=h.name,
        type=h.result(),
        location=h.location,
        opcode=op,
        operands=operands,
    )
