"""The IR of one function while it is written: values, registers, blocks, places.

Means: a register is a variable on the stack (``alloca``), which LLVM makes SSA values of; within a
block its last value is used directly. ``let`` names a value, ``do`` has none. All that is written
between two calls of ``at`` has the place of that instruction.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct, field

from drano.ptx.model import (
    Float,
    Function,
    Instruction,
    Int,
    Name,
    Not,
    Operand,
    PtxError,
    Sum,
)
from drano.ptx.pointers import NUMBER, Pointers
from drano.ptx.types import llvm_bits, register_type, type_bits

_SREG: Final = "llvm.nvvm.read.ptx.sreg."
SINK: Final = "_"
CARRY: Final = "carry~"

NamesOf: TypeAlias = Callable[[str, str, int, int], tuple[str, ...] | None]
"""What the parameters of a kernel are called, by a source file ("" where none is known), the
kernel's symbol, its line, and how many parameters it has; ``*`` for one that has no other name.
"""


class UnknownError(Exception):
    """A form of an instruction that is not translated."""


def pointer_type(space: int) -> str:
    """LLVM's type of an address: ``ptr addrspace(1)``."""
    return f"ptr addrspace({space})" if space else "ptr"


def symbol(name: str) -> str:
    """A global name as LLVM reads it.

    >>> symbol("main"), symbol("%x~1")
    ('@main', '@"%x~1"')
    """
    plain = name.replace("$", "_").isidentifier() and name.isascii()
    return f"@{name}" if plain else f'@"{name}"'


class Shared(Struct):
    """What the functions of a module have in common. ``symbols``: variables and their spaces;
    ``renamed``: what other modules define, too; ``declared``: lines for intrinsics, by their name.
    ``foreign``: the module is another one, with groups of attributes and metadata of its own.
    ``volatile``: each access is one request.
    """

    symbols: Mapping[str, int]
    functions: Mapping[str, Function]
    aliases: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)
    names: NamesOf | None = None
    foreign: bool = False
    volatile: bool = False

    @property
    def effects(self) -> str:
        """What a call has that threads of a warp make together."""
        return " convergent nounwind" if self.foreign else " #0"

    @property
    def constant(self) -> str:
        """What a load has of memory that is not written."""
        return "" if self.foreign or self.volatile else ", !invariant.load !0"

    def symbol(self, name: str) -> str:
        """A global name as LLVM reads it."""
        return symbol(self.renamed.get(name, name))


class Writer:
    """Writes one function."""

    def __init__(self, shared: Shared, function: Function, pointers: Pointers) -> None:
        self.shared = shared
        self.function = function
        self.pointers = pointers
        self.lines: list[str] = []
        self.head: list[str] = []
        self.slots: dict[str, tuple[str, str]] = {}
        self.blocks: dict[str, str] = {}
        self.open = True
        self.place = ""
        self.line = function.line
        self.left: list[Instruction] = []  # that stay as they are
        self.prefix = "v"
        self._current: dict[str, str] = {}
        self._count = 0
        self._before: tuple[int, dict[str, str], int] = (0, {}, 0)

    # --- writing -----------------------------------------------------------------------------

    def do(self, text: str) -> None:
        """An instruction without a value."""
        self.lines.append(f"  {text}{self.place}")

    def let(self, expression: str) -> str:
        """A name for the value of an instruction."""
        self._count += 1
        name = f"%{self.prefix}{self._count}"
        self.lines.append(f"  {name} = {expression}{self.place}")
        return name

    def call(self, name: str, result: str, *arguments: str) -> str:
        """A call of an intrinsic, declared; its value, "" for void."""
        if name not in self.shared.declared:
            types = ", ".join(argument.rpartition(" ")[0] for argument in arguments)
            self.shared.declared[name] = f"declare {result} @{name}({types})"
        text = f"call {result} @{name}({', '.join(arguments)})"
        if result == "void":
            self.do(text)
            return ""
        return self.let(text)

    def mark(self) -> None:
        """Remember what has been written, for ``undo``."""
        self._before = (len(self.lines), dict(self._current), len(self.head))

    def undo(self) -> None:
        """Forget what was written since ``mark``."""
        count, current, _ = self._before
        del self.lines[count:]
        self._current = current

    # --- blocks ------------------------------------------------------------------------------

    def block(self) -> str:
        """A new block's name."""
        self._count += 1
        return f"b{self._count}"

    def start(self, name: str) -> None:
        """Go on in the block ``name``, from where the code above falls through."""
        if self.open:
            self.do(f"br label %{name}")
        self.lines.append(f"{name}:")
        self.open = True
        self._current.clear()

    def end(self, terminator: str) -> None:
        """End the block."""
        if not self.open:
            self.start(self.block())
        self.do(terminator)
        self.open = False

    def target(self, label: str) -> str:
        """The block of a label."""
        name = self.blocks.get(label)
        if name is None:
            raise PtxError(self.line, f"no PTX: no label {label[:100]} to branch to")
        return name

    # --- registers ---------------------------------------------------------------------------

    def slot(self, name: str) -> tuple[str, str]:
        """Where a register is kept, and its type. PtxError if there is none of that name."""
        known = self.slots.get(name)
        if known is None:
            type_ = self.kept_as(name)
            known = self.slots[name] = (f"%s{len(self.slots)}", type_)
            self.head.append(f"  {known[0]} = alloca {type_}")
        return known

    def kept_as(self, name: str) -> str:
        """The type of a register. PtxError if there is none of that name."""
        variable = self.function.variables.get(name)
        if variable is None or variable.space not in ("reg", "sreg"):
            raise PtxError(self.line, f"no PTX: {name[:100]} is not declared")
        if variable.vector > 1:
            raise UnknownError
        space = self.pointers.of(name)
        return register_type(variable.type) if space == NUMBER else pointer_type(space)

    def is_register(self, name: str) -> bool:
        """Whether it is a register of the function."""
        variable = self.function.variables.get(name)
        return variable is not None and variable.space == "reg"

    def register(self, name: str) -> tuple[str, str]:
        """The value in a register, and its type."""
        slot, type_ = self.slot(name)
        value = self._current.get(name)
        if value is None:
            value = self._current[name] = self.let(f"load {type_}, ptr {slot}")
        return value, type_

    def set(self, o: Operand, value: str, type_: str, *, signed: bool = False) -> None:
        """Put a value into a register; a wider register's upper bits are ``signed`` or zero."""
        if not isinstance(o, Name):
            raise UnknownError
        if o.text == SINK:
            return
        slot, wanted = self.slot(o.text)
        value = self.cast(value, type_, wanted, signed=signed)
        self.do(f"store {wanted} {value}, ptr {slot}")
        self._current[o.text] = value

    def carry(self) -> str:
        """The carry flag. UnknownError where no instruction of the function sets it."""
        body = self.function.body or ()
        if not any("cc" in i.modifiers for i in instructions(body)):
            raise UnknownError
        self._carry_slot()
        return self.register(CARRY)[0]

    def set_carry(self, value: str) -> None:
        """The carry flag for instructions that follow."""
        self._carry_slot()
        self.set(Name(CARRY), value, "i1")

    def _carry_slot(self) -> None:
        if CARRY not in self.slots:
            self.slots[CARRY] = ("%carry", "i1")
            self.head += ["  %carry = alloca i1", "  %carry.any = freeze i1 poison",
                          "  store i1 %carry.any, ptr %carry"]  # fmt: skip

    # --- values ------------------------------------------------------------------------------

    def value(self, o: Operand, type_: str, *, signed: bool = False) -> str:
        """An operand as a value of one of LLVM's types."""
        match o:
            case Int(number):
                return self._integer(number, type_)
            case Float(pattern, bits):
                return self._float(pattern, bits, type_)
            case Not(name):
                inner = self.value(name, "i1")
                return self.let(f"xor i1 {inner}, true")
            case Name(text) if self.is_register(text):
                found, kind = self.register(text)
                return self.cast(found, kind, type_, signed=signed)
            case Name(text) | Sum(text):
                found, kind = self.named(text, o.offset if isinstance(o, Sum) else 0)
                return self.cast(found, kind, type_, signed=signed)
            case _:
                raise UnknownError

    def _integer(self, number: int, type_: str) -> str:
        if type_ in ("float", "double"):
            return self._float(number, llvm_bits(type_), type_)
        if type_.startswith("ptr"):
            return self.cast(str(_wrapped(number, 64)), "i64", type_)
        if not type_.startswith("i"):
            bits = llvm_bits(type_)
            return self.let(f"bitcast i{bits} {_wrapped(number, bits)} to {type_}")
        if type_ == "i1":
            return "true" if number & 1 else "false"
        return str(_wrapped(number, int(type_[1:])))

    def _float(self, pattern: int, bits: int, type_: str) -> str:
        if bits == 64 and type_ not in {"double", "i64"}:
            value = struct.unpack("<d", pattern.to_bytes(8, "little"))[0]
            try:
                pattern = int.from_bytes(struct.pack("<f", value), "little")
            except OverflowError:
                pattern = 0x7F800000 if value > 0 else 0xFF800000
            bits = 32
        if type_ == "double" and bits == 64:
            return f"0x{pattern:016X}"
        if type_ in ("float", "double") and bits == 32:
            value = struct.unpack("<f", (pattern & 0xFFFFFFFF).to_bytes(4, "little"))[0]
            if not math.isnan(value):
                return f"0x{int.from_bytes(struct.pack('<d', value), 'little'):016X}"
            found = self.let(f"bitcast i32 {_wrapped(pattern, 32)} to float")
            return found if type_ == "float" else self.let(f"fpext float {found} to double")
        return self._integer(pattern, type_)

    def named(self, name: str, offset: int = 0) -> tuple[str, str]:
        """The address of a variable or function, or what a special register holds."""
        if name.startswith("%") or name in ("WARP_SZ",):
            return self.special(name)
        own = self.function.variables.get(name)
        if own is not None and name in self.slots:
            found, type_ = self.slots[name]
        elif name in self.shared.symbols:
            type_ = pointer_type(self.shared.symbols[name])
            found = self.shared.symbol(name)
        elif name in self.shared.functions:
            found, type_ = self.shared.symbol(name), "ptr"
        else:
            raise PtxError(self.line, f"no PTX: {name[:100]} is not declared")
        return self.moved(found, type_, offset), type_

    def moved(self, pointer: str, type_: str, offset: int) -> str:
        """A pointer plus a number of bytes."""
        if not offset:
            return pointer
        return self.let(f"getelementptr i8, {type_} {pointer}, i64 {_wrapped(offset, 64)}")

    def special(self, name: str) -> tuple[str, str]:
        """A special register, each time it is read. UnknownError where LLVM has none for it."""
        if name == "WARP_SZ":
            return "32", "i32"
        bare = name[1:]
        if bare in _SPECIAL or _SPECIAL_XYZ.get(bare.rpartition(".")[0]):
            type_ = "i64" if bare in _WIDE else "i32"
            return self.call(f"{_SREG}{_RENAMED.get(bare, bare)}", type_), type_
        if bare == "is_explicit_cluster":
            return self.call("llvm.nvvm.is_explicit_cluster", "i1"), "i1"
        declared = self.function.variables.get(name)
        if declared is None and not bare.split(".")[0].isidentifier():
            raise PtxError(self.line, f"no PTX: {name[:100]} is not declared")
        if bare.split(".")[0].rstrip("0123456789") not in _OTHER_SPECIAL:
            raise PtxError(self.line, f"no PTX: {name[:100]} is not declared")
        raise UnknownError

    # --- conversions -------------------------------------------------------------------------

    def cast(self, value: str, source: str, target: str, *, signed: bool = False) -> str:
        """The same bits as another type: cut off, or extended."""
        if source == target:
            return value
        if source.startswith("ptr"):
            if target.startswith("ptr"):
                if "(" in source and "(" in target:
                    return self.cast(self.cast(value, source, "i64"), "i64", target)
                return self.let(f"addrspacecast {source} {value} to {target}")
            number = self.let(f"ptrtoint {source} {value} to i64")
            return self.cast(number, "i64", target)
        if target.startswith("ptr"):
            number = self.cast(value, source, "i64")
            return self.let(f"inttoptr i64 {number} to {target}")
        have, want = llvm_bits(source), llvm_bits(target)
        if not source.startswith("i"):
            value = self.let(f"bitcast {source} {value} to i{have}")
        if have != want:
            how = "trunc" if have > want else "sext" if signed else "zext"
            value = self.let(f"{how} i{have} {value} to i{want}")
        if not target.startswith("i"):
            value = self.let(f"bitcast i{want} {value} to {target}")
        return value


def _wrapped(number: int, bits: int) -> int:
    """As LLVM prints it: signed."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) and bits > 1 else number


_WIDE: Final = frozenset({"clock64", "globaltimer"})
_SPECIAL: Final = frozenset({
    "laneid", "warpid", "nwarpid", "smid", "nsmid", "gridid", "clock", "clock64", "globaltimer",
    *(f"envreg{k}" for k in range(32)),
    "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge",
    "cluster_ctarank", "cluster_nctarank", "dynamic_smem_size", "total_smem_size",
})  # fmt: skip
_SPECIAL_XYZ: Final = dict.fromkeys(
    ("tid", "ntid", "ctaid", "nctaid", "cluster_ctaid", "cluster_nctaid", "clusterid",
     "nclusterid"), True,
)  # fmt: skip
_RENAMED: Final[Mapping[str, str]] = {
    **{f"lanemask_{kind}": f"lanemask.{kind}" for kind in ("eq", "lt", "le", "gt", "ge")},
    **{f"cluster_{n}.{axis}": f"cluster.{n}.{axis}" for n in ("ctaid", "nctaid") for axis in "xyz"},
    "cluster_ctarank": "cluster.ctarank", "cluster_nctarank": "cluster.nctarank",
    "dynamic_smem_size": "dynamic_smem_size", "total_smem_size": "total_smem_size",
}  # fmt: skip
_OTHER_SPECIAL: Final = frozenset({
    "clock_hi", "globaltimer_lo", "globaltimer_hi", "pm", "aggr_smem_size",
    "reserved_smem_offset", "reserved_smem_offset_", "current_graph_exec", "tid", "ntid", "ctaid",
    "reserved_smem_offset_begin", "reserved_smem_offset_end", "reserved_smem_offset_cap", "nctaid",
})  # fmt: skip

Handler: TypeAlias = Callable[[Writer, Instruction], None]


def instructions(body: Iterable[object]) -> list[Instruction]:
    """Those among the statements."""
    return [s for s in body if isinstance(s, Instruction)]


__all__ = ["Handler", "Shared", "UnknownError", "Writer", "instructions", "pointer_type", "symbol",
           "type_bits"]  # fmt: skip
