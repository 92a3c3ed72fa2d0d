"""Floating-point arithmetic: of numbers of one, and of packed ones.

Sources: PTX ISA, "Floating-Point Instructions". Directed rounding is LLVM's intrinsic for it;
``.ftz`` and ``.approx`` are as LLVM's default: what is computed decides no address.
"""

from __future__ import annotations

from typing import Final

from drano.ptx.instructions.registry import handles, last_type, operands
from drano.ptx.model import Instruction
from drano.ptx.types import is_float, llvm_type
from drano.ptx.writer import UnknownError, Writer

_KNOWN: Final = frozenset({
    "rn", "rz", "rm", "rp", "ftz", "sat", "approx", "full", "NaN", "xorsign", "abs", "relu", "oob",
    "rna",
})  # fmt: skip
_OVERLOADS: Final = {
    "half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "<2 x half>": "v2f16",
    "<2 x bfloat>": "v2bf16", "<2 x float>": "v2f32",
}  # fmt: skip
_FUNCTIONS: Final = {
    "sqrt": "sqrt", "sin": "sin", "cos": "cos", "ex2": "exp2", "lg2": "log2", "tanh": "tanh",
}  # fmt: skip


_ROUNDED: Final = frozenset({"rz", "rm", "rp"})
_DIRECTED: Final = {"fadd": "add", "fsub": "add", "fmul": "mul", "fma": "fma", "fdiv": "div",
                    "sqrt": "sqrt", "rcp": "rcp"}  # fmt: skip


def _directed(w: Writer, i: Instruction, operation: str, kind: str, values: list[str]) -> str:
    """The result of an operation that does not round to the nearest."""
    if kind not in ("float", "double") or operation not in _DIRECTED:
        raise UnknownError
    if operation == "fsub":
        values = [values[0], w.let(f"fneg {kind} {values[1]}")]
    mode = next(m for m in i.modifiers if m in _ROUNDED)
    name = f"{_DIRECTED[operation]}.{mode}{'.ftz' if 'ftz' in i.modifiers else ''}"
    return w.call(f"llvm.nvvm.{name}.{kind[0]}", kind, *(f"{kind} {value}" for value in values))


def _nearest(w: Writer, i: Instruction, operation: str, kind: str, values: list[str]) -> str:
    """The result of an operation that does."""
    overload = _OVERLOADS[kind]
    given = [f"{kind} {value}" for value in values]
    match operation, len(values):
        case (("fadd" | "fsub" | "fmul" | "fdiv"), 2):
            return w.let(f"{operation} {kind} {values[0]}, {values[1]}")
        case "fma", 3:
            return w.call(f"llvm.fma.{overload}", kind, *given)
        case (("min" | "max"), (2 | 3)):
            name = f"llvm.{operation}{'imum' if 'NaN' in i.modifiers else 'num'}.{overload}"
            found = w.call(name, kind, *given[:2])
            if len(values) == 3:
                found = w.call(name, kind, f"{kind} {found}", given[2])
            return found
        case "abs", 1:
            return w.call(f"llvm.fabs.{overload}", kind, *given)
        case "neg", 1:
            return w.let(f"fneg {given[0]}")
        case _:
            raise UnknownError


def arithmetic(w: Writer, i: Instruction, operation: str) -> None:
    """One operation on operands of one type; ``.sat`` clamps to 0 … 1."""
    kind = llvm_type(last_type(i))
    overload = _OVERLOADS.get(kind)
    modifiers = set(i.modifiers[:-1])
    if overload is None or not modifiers <= _KNOWN or modifiers & {"xorsign", "oob"}:
        raise UnknownError
    to, *sources = i.operands
    values = [w.value(o, kind) for o in sources]
    compute = _directed if modifiers & _ROUNDED else _nearest
    found = compute(w, i, operation, kind, values)
    if modifiers & {"sat", "relu"}:
        zero = "zeroinitializer"
        if kind[0] != "<":
            zero = "0xH0000" if kind == "half" else "0xR0000" if kind == "bfloat" else "0.0"
        found = w.call(f"llvm.maxnum.{overload}", kind, f"{kind} {found}", f"{kind} {zero}")
    if "sat" in modifiers:
        found = w.call(f"llvm.minnum.{overload}", kind, f"{kind} {found}", f"{kind} {_one(kind)}")
    w.set(to, found, kind)


def _one(kind: str) -> str:
    ones = {"half": "0xH3C00", "bfloat": "0xR3F80", "float": "1.0", "double": "1.0"}
    if kind in ones:
        return ones[kind]
    element = kind[5:-1]
    return f"<{element} {ones[element]}, {element} {ones[element]}>"


@handles("fma")
def _fma(w: Writer, i: Instruction) -> None:
    arithmetic(w, i, "fma")


@handles("sqrt", "sin", "cos", "ex2", "lg2", "tanh", "rsqrt", "rcp")
def _function(w: Writer, i: Instruction) -> None:
    to, a = operands(i, 2)
    type_ = last_type(i)
    packed = type_ in ("f16x2", "bf16x2") and i.opcode in ("ex2", "tanh")
    if not is_float(type_) and not packed:
        raise UnknownError
    kind = llvm_type(type_)
    value = w.value(a, kind)
    if _ROUNDED & set(i.modifiers):
        w.set(to, _directed(w, i, i.opcode, kind, [value]), kind)
        return
    name = _FUNCTIONS.get(i.opcode)
    if name is not None:
        w.set(to, w.call(f"llvm.{name}.{_OVERLOADS[kind]}", kind, f"{kind} {value}"), kind)
        return
    if i.opcode == "rsqrt":
        value = w.call(f"llvm.sqrt.{_OVERLOADS[kind]}", kind, f"{kind} {value}")
    w.set(to, w.let(f"fdiv {kind} {_one(kind)}, {value}"), kind)


@handles("copysign")
def _copysign(w: Writer, i: Instruction) -> None:
    """The sign is the first operand's."""
    to, a, b = operands(i, 3)
    kind = llvm_type(last_type(i))
    given = f"{kind} {w.value(b, kind)}", f"{kind} {w.value(a, kind)}"
    w.set(to, w.call(f"llvm.copysign.{_OVERLOADS[kind]}", kind, *given), kind)


@handles("testp")
def _test(w: Writer, i: Instruction) -> None:
    """Which class a number is of, by LLVM's mask of classes."""
    to, a = operands(i, 2)
    kind = llvm_type(last_type(i))
    classes = {"finite": 0x1F8, "infinite": 0x204, "number": 0x3FC, "notanumber": 0x003,
               "normal": 0x108, "subnormal": 0x090}  # fmt: skip
    mask = classes.get(i.modifiers[0])
    if mask is None:
        raise UnknownError
    given = f"{kind} {w.value(a, kind)}", f"i32 {mask}"
    w.set(to, w.call(f"llvm.is.fpclass.{_OVERLOADS[kind]}", "i1", *given), "i1")
