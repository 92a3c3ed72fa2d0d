"""A piece of PTX among code of LLVM's, as ``asm`` has it: its operands are registers.

Means: instructions that follow each other are written where the piece stands, a register being the
value that it was last set to; what jumps, or accesses memory under a predicate, becomes a function,
to be expanded in that place. A register that is not set holds any one number in a run; in an
analysis, where it is not known which, the piece is not written.
Limits: a piece that returns, calls, or declares more than registers is a ``PtxError``.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from drano.model.nvptx import AddressSpace
from drano.ptx.debug_lines import NoLines
from drano.ptx.functions import FunctionText, write_instruction
from drano.ptx.instructions.fallback import only_computes
from drano.ptx.instructions.matrices import MATRIX_MOVES
from drano.ptx.instructions.table import HANDLERS
from drano.ptx.model import Function, Instruction, Name, Not, Operand, PtxError
from drano.ptx.opcodes import COMPUTING
from drano.ptx.operands import carries, reads_carry
from drano.ptx.parser import parse
from drano.ptx.pointers import Pointers
from drano.ptx.signatures import Signature, value_type
from drano.ptx.types import llvm_bits
from drano.ptx.writer import (
    CARRY,
    Handler,
    Shared,
    UnknownError,
    Writer,
    instructions,
    pointer_type,
)

_HEAD: Final = ".version 9.0\n.target sm_90\n.address_size 64\n"
_JUMPS: Final = frozenset({"bra", "brx", "exit", "trap"})
_LEAVES: Final = frozenset({"ret", "call", "brkpt"})
_ORDERS: Final = frozenset({"acquire", "release", "acq_rel"})
_ACCESSES: Final = frozenset({"ld", "ldu", "st", "atom", "red", "cp", *MATRIX_MOVES})
# What must not be computed where its predicate does not hold.
_MAY_FAIL: Final = frozenset({"div", "rem"})


class BranchesError(Exception):
    """A piece that is more than instructions one after the other."""


class Fragment(Struct, frozen=True, dict=True):
    """``function``: the piece as one, whose operands are its parameters and results; ``spaces``:
    of those that hold addresses.
    """

    function: Function
    spaces: Mapping[str, int]

    @cached_property
    def body(self) -> list[Instruction]:
        """Its instructions."""
        return instructions(self.function.body or ())

    @cached_property
    def carries(self) -> bool:
        """Whether it sets or reads the carry, which other pieces may have set, or read."""
        return any(map(carries, self.body))

    @cached_property
    def orders(self) -> bool:
        """Whether LLVM's instructions for it say less than it of other accesses' order, or are
        loops on a GPU.
        """
        ordered = len(self.body) > 1 and any(_ORDERS & set(i.modifiers) for i in self.body)
        return ordered or any(
            i.opcode in ("atom", "red") and i.modifiers[-1].endswith("x2") for i in self.body
        )

    @cached_property
    def takes_carry(self) -> bool:
        """Whether it reads a carry that another piece has set."""
        first = next(filter(carries, self.body), None)
        return first is not None and reads_carry(first)

    @cached_property
    def pointers(self) -> Pointers:
        """Which of its registers hold addresses."""
        pointers = Pointers(self.function.variables, {}, given=self.spaces)
        pointers.find(self.body, lambda _: None)
        return pointers

    def is_gain(self, left: Sequence[Instruction], *, executed: bool) -> bool:
        """Whether more is known now that the instructions ``left`` stand alone; ``executed``: it is
        enough that each one can be.
        """
        if not self.body:
            return False
        moves = sum(i.opcode == "mov" for i in self.body if i not in left)
        if len(self.body) - moves <= len(left):
            return not left
        known = any(i.opcode in _ACCESSES for i in self.body if i not in left)
        return executed or known or all(map(only_computes, left))


def fragment(
    body: str, results: Sequence[tuple[str, str]], operands: Sequence[tuple[str, str]],
    spaces: Mapping[str, int], timeout: float = 10.0,
) -> Fragment:  # fmt: skip
    """The piece ``body``. ``results`` and ``operands``: names and PTX types of the registers that
    it gives and takes. Raises PtxError where it is no PTX that is read.
    """
    given, taken = (
        ", ".join(f".reg .{type_} {name}" for name, type_ in registers)
        for registers in (results, operands)
    )
    closing = "" if body.rstrip().endswith((";", "}")) else ";"
    head = f".func {f'({given}) ' if given else ''}piece({taken})"
    module = parse(f"{_HEAD}{head}\n{{\n{body}{closing}\n}}\n", time.monotonic() + timeout)
    function = module.functions[0]
    alone = len(module.functions) == 1 and not module.variables
    if not alone or any(v.space != "reg" for v in function.variables.values()):
        raise PtxError(1, "a piece of PTX declares registers only")
    found = Fragment(function, spaces)
    if any(i.opcode in _LEAVES for i in found.body):
        raise PtxError(1, "a piece of PTX does not leave the code around it")
    return found


class InPlace(Writer):
    """Writes instructions that follow each other: registers are values."""

    def __init__(
        self, shared: Shared, found: Fragment, prefix: str, place: str, *, executed: bool
    ) -> None:
        """``prefix``: of the names of values; ``place``: what is attached to each instruction;
        ``executed``: it is for a run.
        """
        super().__init__(shared, found.function, found.pointers)
        self.executed = executed
        self.held: tuple[str, bool] | None = None  # a predicate's value, and whether it is negated
        self._partly: dict[str, tuple[str, bool] | None] = {}  # set where that holds only
        self.prefix = prefix
        self.place = place
        self.guard = ""

    def write(
        self, body: Sequence[Instruction], handlers: Mapping[str, Handler] = HANDLERS
    ) -> None:
        """The instructions. BranchesError where they are not written in one block."""
        for i in body:
            self.guard, self.held = "", None
            if i.opcode in _JUMPS or (i.guard is not None and not _may_be_done_before(i)):
                raise BranchesError
            if i.guard is not None:
                self.guard = self.value(i.guard, "i1")
                negated = isinstance(i.guard, Not)
                name = i.guard.operand if isinstance(i.guard, Not) else i.guard
                self.held = self.value(name, "i1"), negated
            write_instruction(self, i, handlers)
        self.guard, self.held = "", None

    def given(self, name: str, value: str, type_: str) -> None:
        """What a register holds at first."""
        wanted = self.kept_as(name)
        self._current[name] = self.cast(value, type_, wanted)

    def as_type(self, value: str, type_: str, wanted: str) -> str:
        """A value as one of LLVM's types of its size, or an address of shared memory as a number.
        UnknownError for another size.
        """
        number = {type_, wanted} == {"i32", pointer_type(AddressSpace.SHARED)}
        if type_ != wanted and llvm_bits(type_) != llvm_bits(wanted) and not number:
            raise UnknownError
        return self.cast(value, type_, wanted)

    def kept_as(self, name: str) -> str:
        """The type of a register."""
        return "i1" if name == CARRY else super().kept_as(name)

    def slot(self, name: str) -> tuple[str, str]:
        """Nowhere, and the type of a register."""
        return "", self.kept_as(name)

    def register(self, name: str) -> tuple[str, str]:
        """The value in a register, and its type."""
        if not self.executed and self._partly.get(name, self.held) != self.held:
            raise UnknownError
        return self._held_by(name, known=self.executed)

    def _held_by(self, name: str, *, known: bool) -> tuple[str, str]:
        """The same, whatever predicate it was set under; ``known``: any number will do."""
        type_ = self.kept_as(name)
        if name not in self._current:
            if not known:
                raise UnknownError
            self._current[name] = self.let(f"freeze {type_} poison")
        return self._current[name], type_

    def set(self, o: Operand, value: str, type_: str, *, signed: bool = False) -> None:
        """Put a value into a register, where the predicate holds."""
        if not isinstance(o, Name):
            raise UnknownError
        if o.text == "_":
            return
        wanted = self.kept_as(o.text)
        value = self.cast(value, type_, wanted, signed=signed)
        if self.guard:
            self._set_partly(o.text)
            old = self._held_by(o.text, known=True)[0]
            value = self.let(f"select i1 {self.guard}, {wanted} {value}, {wanted} {old}")
        else:
            self._partly.pop(o.text, None)
        self._current[o.text] = value

    def _set_partly(self, name: str) -> None:
        """Note that a register is set under a predicate: by both it is set anyway."""
        if name not in self._current:
            self._partly[name] = self.held
        elif self.held is not None and self._partly.get(name) == (self.held[0], not self.held[1]):
            del self._partly[name]

    def block(self) -> str:
        """There is one only."""
        raise BranchesError

    def end(self, terminator: str) -> None:
        """It does not end here."""
        raise BranchesError


def _may_be_done_before(i: Instruction) -> bool:
    """Whether a lane may compute it whose predicate does not hold."""
    computes = i.opcode == "mov" or i.opcode in COMPUTING
    return computes and not carries(i) and i.opcode not in _MAY_FAIL


def as_function(found: Fragment, shared: Shared, name: str) -> tuple[list[str], FunctionText]:
    """The lines of a function called ``name`` that does what the piece does, and who wrote them."""
    function = found.function
    signatures = {function.name: Signature(function, found.pointers)}
    shared.renamed = {function.name: name}
    text = FunctionText(shared, signatures, function, found.pointers, NoLines(), lambda _: None)
    return text.lines(), text


def signature(found: Fragment) -> tuple[str, list[str], list[str]]:
    """Of that function: what it gives, as a whole and each, and what it takes, in LLVM's types."""
    own = Signature(found.function, found.pointers)
    return own.result, [value_type(v) for v in found.function.results], own.arguments
