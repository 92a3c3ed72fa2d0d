"""Registers and operands of inline PTX: what all groups of instructions are translated with.

Means: a register is an integer of its width; arithmetic on floats casts it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TYPE_BITS = {"f16x2": 32, "bf16x2": 32, "pred": 1, "bf16": 16}
FLOATS = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double",
           "f16x2": "<2 x half>", "bf16x2": "<2 x bfloat>"}  # fmt: skip
SUFFIXES = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64",
             "<2 x half>": "v2f16", "<2 x bfloat>": "v2bf16"}  # fmt: skip
_SPECIAL = {
    "laneid": "laneid", "warpid": "warpid", "smid": "smid", "nsmid": "nsmid", "clock": "clock",
    "clock64": "clock64", "globaltimer": "globaltimer", "gridid": "gridid", "nwarpid": "nwarpid",
    "envreg1": "envreg1", "envreg2": "envreg2", "clock_hi": "clock.hi", "WARP_SZ": "warpsize",
    "dynamic_smem_size": "dynamic.smem.size", "total_smem_size": "total.smem.size",
    **{f"lanemask_{kind}": f"lanemask.{kind}" for kind in ("eq", "lt", "le", "gt", "ge")},
    **{f"{name}.{axis}": f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid")
       for axis in "xyz"},
}  # fmt: skip


class PtxError(Exception):
    """What this translator does not know."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A value: ``name`` in IR, an integer of ``bits``."""

    name: str
    bits: int


def type_bits(type_: str) -> int:
    """Width of a PTX type: ``u32`` is 32."""
    if type_ in _TYPE_BITS:
        return _TYPE_BITS[type_]
    match = re.fullmatch(r"[subf](\d+)", type_)
    if match is None:
        raise PtxError(f"type .{type_}")
    return int(match[1])


class PtxWriter:
    """The IR of one asm as it grows; ``registers`` hold what each was last set to."""

    guard = ""

    def __init__(self, constraints: str, result: str, arguments: list[str]) -> None:
        self.lines: list[str] = []
        self.fresh = 0
        self.registers: dict[str, Operand | None] = {}
        self.widths: dict[str, int] = {}
        self.carry = "false"
        self.result = result
        parts = [part for part in constraints.split(",") if part and part[0] != "~"]
        self.outputs = [part for part in parts if part.startswith("=")]
        self.arguments = arguments
        inputs = parts[len(self.outputs) :]
        if len(inputs) != len(arguments):
            raise PtxError("operands that are not understood")
        self.results = _result_types(result, len(self.outputs))
        for k, type_ in enumerate(self.results):
            self.widths[f"${k}"] = _llvm_bits(type_)
        for k, (type_, constraint) in enumerate(zip(arguments, inputs, strict=True)):
            value = self._to_int(f"%a{k}", type_)
            self.registers[f"${k + len(self.outputs)}"] = value
            self.widths[f"${k + len(self.outputs)}"] = value.bits
            if constraint.isdigit():
                self.registers[f"${constraint}"] = value

    # --- writing -----------------------------------------------------------------------------

    def _set(self, expression: str) -> str:
        self.fresh += 1
        self.lines.append(f"%t{self.fresh} = {expression}")
        return f"%t{self.fresh}"

    def _to_int(self, name: str, type_: str) -> Operand:
        bits = _llvm_bits(type_)
        if type_ == "ptr":
            return Operand(self._set(f"ptrtoint ptr {name} to i64"), 64)
        if type_.startswith("i"):
            return Operand(name, bits)
        return Operand(self._set(f"bitcast {type_} {name} to i{bits}"), bits)

    def _return(self) -> None:
        if self.result == "void":
            self.lines.append("ret void")
            return
        values = []
        for k, type_ in enumerate(self.results):
            found = self.registers.get(f"${k}")
            if found is None:
                raise PtxError("a result that is never set")
            values.append(self._from_int(found, type_))
        if len(values) == 1 and not self.result.startswith(("{", "%")):
            self.lines.append(f"ret {self.result} {values[0]}")
            return
        total = "poison"
        for k, value in enumerate(values):
            total = self._set(f"insertvalue {self.result} {total}, {self.results[k]} {value}, {k}")
        self.lines.append(f"ret {self.result} {total}")

    def _from_int(self, value: Operand, type_: str) -> str:
        bits = _llvm_bits(type_)
        name = self._resize(value, bits, signed=False)
        if type_ == "ptr":
            return self._set(f"inttoptr i64 {name} to ptr")
        return name if type_.startswith("i") else self._set(f"bitcast i{bits} {name} to {type_}")

    def _resize(self, value: Operand, bits: int, *, signed: bool) -> str:
        if value.bits == bits:
            return value.name
        if value.bits > bits:
            return self._set(f"trunc i{value.bits} {value.name} to i{bits}")
        return self._set(f"{'sext' if signed else 'zext'} i{value.bits} {value.name} to i{bits}")

    # --- operands ----------------------------------------------------------------------------

    def _read(self, text: str, type_: str) -> str:
        """An operand as an integer of the type's width."""
        bits = type_bits(type_)
        text = text.strip()
        if text.startswith("{"):
            parts = [part.strip() for part in text.strip("{} ").split(",")]
            width = bits // len(parts)
            total = "0"
            for k, part in enumerate(parts):
                piece = self._set(f"zext i{width} {self._read(part, f'b{width}')} to i{bits}")
                moved = self._set(f"shl i{bits} {piece}, {width * k}")
                total = self._set(f"or i{bits} {total}, {moved}")
            return total
        if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)U?", text):
            return str(_wrap(int(text.rstrip("U"), 0), bits))
        if match := re.fullmatch(r"0[fF]([0-9a-fA-F]{8})|0[dD]([0-9a-fA-F]{16})", text):
            return str(_wrap(int(match[1] or match[2], 16), bits))
        if re.fullmatch(r"-?\d+\.\d*(e[-+]?\d+)?", text) and type_ in ("f32", "f64"):
            value = self._set(f"fadd {FLOATS[type_]} {float(text):e}, 0.0")
            return self._set(f"bitcast {FLOATS[type_]} {value} to i{bits}")
        if text.startswith("%") and text.lstrip("%") in _SPECIAL:
            name = _SPECIAL[text.lstrip("%")]
            wide = 64 if name in ("clock64", "globaltimer") else 32
            call = f"call i{wide} @drano.sreg.{name}(ptr %w, i64 %lane, i32 %mask)"
            return self._resize(Operand(self._set(call), wide), bits, signed=False)
        known = self.registers.get(text)
        if known is None:
            raise PtxError(f"operand {text}")
        return self._resize(known, bits, signed=type_.startswith("s"))

    def _float(self, text: str, type_: str) -> str:
        return self._set(
            f"bitcast i{type_bits(type_)} {self._read(text, type_)} to {FLOATS[type_]}"
        )

    def _write(self, text: str, name: str, bits: int, *, signed: bool = False) -> None:
        text = text.strip()
        if text == "_":
            return
        if text.startswith("{"):
            parts = [part.strip() for part in text.strip("{} ").split(",")]
            width = bits // len(parts)
            for k, part in enumerate(parts):
                moved = self._set(f"lshr i{bits} {name}, {width * k}")
                self._write(part, self._set(f"trunc i{bits} {moved} to i{width}"), width)
            return
        value = Operand(name, bits)
        wanted = self.widths.get(text, bits)
        if wanted != bits:
            value = Operand(self._resize(value, wanted, signed=signed), wanted)
        old = self.registers.get(text)
        if self.guard and old is not None:
            chosen = self._set(
                f"select i1 {self.guard}, i{wanted} {value.name}, i{wanted} {old.name}"
            )
            value = Operand(chosen, wanted)
        self.registers[text] = value

    def _write_float(self, text: str, name: str, type_: str) -> None:
        bits = type_bits(type_)
        self._write(text, self._set(f"bitcast {FLOATS[type_]} {name} to i{bits}"), bits)


def _llvm_bits(type_: str) -> int:
    sizes = {"ptr": 64, "float": 32, "double": 64, "half": 16, "bfloat": 16, "<2 x half>": 32}
    if type_ in sizes:
        return sizes[type_]
    if re.fullmatch(r"i\d+", type_):
        return int(type_[1:])
    raise PtxError(f"operand of type {type_}")


def _result_types(result: str, outputs: int) -> list[str]:
    if outputs == 0:
        return []
    if outputs == 1 and not result.startswith("{"):
        return [result]
    types = [part.strip() for part in result.strip("{} ").split(",")]
    if len(types) != outputs:
        raise PtxError(f"result of type {result}")
    return types


def _wrap(value: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half if bits > 1 else value & 1
