"""What an instruction is to a processor: its class, and the operations that it does.

For instruction mixes and for a kernel's place under a GPU's roofs. An addition is one
floating-point operation, a fused multiply-add two, a function of the mathematics library or a
division one; a vector's instruction does one for each element. A *class* says which unit of a
multiprocessor is asked: see
``CLASSES``. What becomes no machine instruction has none: phis, stack slots, casts that only rename
bits, constant offsets of addresses, jumps without a condition, notes to the compiler.
Limits: this is LLVM's code, not machine code: what a backend merges (a comparison into a select, an
address's sum into the access) or splits (divisions, calls of the mathematics library) is one here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from drano.ir import model as m
from drano.ir.intrinsics import intrinsic
from drano.ptx.opcodes import COMPUTING, FREE

CLASSES: Final = (
    "f16", "f32", "f64", "special", "integer", "address", "compare", "convert", "memory",
    "exchange", "barrier", "control", "other",
)  # fmt: skip
"""Floating-point arithmetic by width; functions such as sine and square root; integer arithmetic
and logic; addresses; comparisons and selects; conversions; loads, stores and atomics of any space;
shuffles and votes; barriers and fences; branches, returns and calls; the rest."""

FLOAT_BITS: Final = (16, 32, 64)
_FLOATING: Final = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem"})
_RENAMING: Final = frozenset({"bitcast", "addrspacecast", "ptrtoint", "inttoptr"})


class Operation(Struct, frozen=True):
    """``kind``: one of ``CLASSES``, "" for what is no machine instruction; ``flops``: operations
    of one thread, of numbers of ``bits``; ``integers``: integer operations of one thread.
    """

    kind: str
    flops: int = 0
    bits: int = 32
    integers: int = 0


NOTHING: Final = Operation("")


def operation(i: m.Instruction) -> Operation:
    """What executing ``i`` once means."""
    match i:
        case m.Binary():
            return _arithmetic(i.type, floating=i.op in _FLOATING)
        case m.Negate():
            return Operation(_floating_class(i.type), 0, _bits(i.type))
        case m.Compare() | m.Select():
            return Operation("compare")
        case m.Cast():
            return NOTHING if i.op in _RENAMING else Operation("convert")
        case m.Gep():
            return Operation("address") if i.steps else NOTHING
        case m.Load() | m.Store() | m.Atomic() | m.MemoryCopy() | m.MemoryFill():
            return Operation("memory")
        case m.Call():
            return _call(i)
        case m.Branch() | m.Switch() | m.Return():
            return Operation("control")
        case m.Opaque(opcode="fence"):
            return Operation("barrier")
        case m.Phi() | m.Alloca() | m.Freeze() | m.Jump() | m.Unreachable():
            return NOTHING
        case m.ExtractValue() | m.InsertValue() | m.ExtractElement() | m.InsertElement():
            return NOTHING
        case _:
            return Operation("other")


def _arithmetic(type_: m.Type, *, floating: bool, each: int = 1) -> Operation:
    count = type_.count if isinstance(type_, m.VectorType) else 1
    if not floating:
        return Operation("integer", integers=count)
    return Operation(_floating_class(type_), each * count, _bits(type_))


def _bits(type_: m.Type) -> int:
    """Of the floating-point type nearest to ``type_``; 32 for what is none."""
    element = type_.element if isinstance(type_, m.VectorType) else type_
    return element.bits if isinstance(element, m.FloatType) and element.bits in FLOAT_BITS else 32


def _is_floating(type_: m.Type) -> bool:
    return isinstance(type_.element if isinstance(type_, m.VectorType) else type_, m.FloatType)


def _floating_class(type_: m.Type) -> str:
    return f"f{_bits(type_)}"


def _call(i: m.Call) -> Operation:
    name = i.callee
    if name is None:
        return Operation("control")
    if name == "asm":
        return _assembly(i.text)
    known = intrinsic(name)
    if known.unit in {"float", "integer"}:
        return _arithmetic(i.type, floating=known.unit == "float", each=known.flops)
    if known.unit == "special":
        computed = _arithmetic(i.type, floating=_is_floating(i.type))
        return replace(computed, kind="special") if computed.flops else computed
    return Operation(known.unit)


_PTX: Final = re.compile(r"(?:^|[;{\s])([a-z]\w*)((?:\.\w+)*)")
_PTX_CLASSES: Final = {
    "ld": "memory", "st": "memory", "atom": "memory", "red": "memory", "tex": "memory",
    "shfl": "exchange", "vote": "exchange", "match": "exchange", "activemask": "exchange",
    "bar": "barrier", "barrier": "barrier", "membar": "barrier", "fence": "barrier",
    "bra": "control", "ret": "control", "exit": "control",
    **dict.fromkeys(("reg", "prefetch", "prefetchu"), FREE),
    **COMPUTING,
}  # fmt: skip


@lru_cache(maxsize=1024)
def _assembly(text: str) -> Operation:
    """Of all instructions in the PTX together; the class of the first that has one."""
    kind, flops, bits, integers = "", 0, 32, 0
    for match in _PTX.finditer(text):
        opcode, suffix = match[1], match[2].split(".")
        found = _PTX_CLASSES.get(opcode, "")
        if found == FREE or (not match[2] and not found):
            continue
        width = next((s for s in reversed(suffix) if s.lstrip("b").startswith("f")), "")
        if width and found in {"", "special"}:
            bits = next((n for n in FLOAT_BITS if str(n) in width), 32)
            each = 2 if opcode in {"fma", "mad"} else 1
            flops += each * (2 if width.endswith("x2") else 1)
            found = found or f"f{bits}"
        elif not found and any(s[:1] in "sub" and s[1:].isdigit() for s in suffix if s):
            integers += 1
            found = "integer"
        kind = kind or found
    return Operation(kind or "other", flops, bits, integers)
