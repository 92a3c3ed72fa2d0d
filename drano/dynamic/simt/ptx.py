"""Inline PTX, as headers and programs use it, as LLVM IR: one function for each ``asm``.

Means: straight-line PTX is translated statement by statement; a register is an integer of its
width, and arithmetic on floats casts it. The usual scalar instructions are known, in their
integer, ``f16``, ``f16x2``, ``bf16``, ``f32`` and ``f64`` forms, the carry flag, loads and stores
with cache hints, special registers.
Limits: labels and branches, and any instruction that is not listed, raise ``PtxError``: never a
guess. Rounding is to nearest unless ``helpers_rounding`` has the instruction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from drano.dynamic.simt.definition import CONTEXT

_TYPE_BITS = {"f16x2": 32, "bf16x2": 32, "pred": 1, "bf16": 16}
_FLOATS = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double",
           "f16x2": "<2 x half>", "bf16x2": "<2 x bfloat>"}  # fmt: skip
_SUFFIXES = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64",
             "<2 x half>": "v2f16", "<2 x bfloat>": "v2bf16"}  # fmt: skip
_STATEMENT = re.compile(r"(?:@(!?)([\w$%]+)\s+)?([a-z]\w*)((?:\.[\w:]+)*)\s*(.*)", re.DOTALL)
_MEMORY = re.compile(r"\b(ld|st|atom|red|tex|suld|sust)\.")
_COMPARISONS = {"eq": ("eq", "eq", "oeq"), "ne": ("ne", "ne", "one"), "lt": ("slt", "ult", "olt"),
                "le": ("sle", "ule", "ole"), "gt": ("sgt", "ugt", "ogt"),
                "ge": ("sge", "uge", "oge"), "equ": ("eq", "eq", "ueq"),
                "neu": ("ne", "ne", "une"), "ltu": ("slt", "ult", "ult"),
                "leu": ("sle", "ule", "ule"), "gtu": ("sgt", "ugt", "ugt"),
                "geu": ("sge", "uge", "uge"), "lo": ("ult", "ult", ""), "ls": ("ule", "ule", ""),
                "hi": ("ugt", "ugt", ""), "hs": ("uge", "uge", ""), "num": ("", "", "ord"),
                "nan": ("", "", "uno")}  # fmt: skip
_UNARY_FLOAT = {"neg": "fneg", "abs": "fabs", "sqrt": "sqrt", "sin": "sin", "cos": "cos",
                "lg2": "log2", "ex2": "exp2", "tanh": "tanh"}  # fmt: skip
_BINARY_FLOAT = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_BINARY_INT = {"add": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor"}
_CVT_ROUND = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil",
              "rn": "roundeven", "rz": "trunc", "rm": "floor", "rp": "ceil"}  # fmt: skip
_NOTHING = frozenset({"membar", "fence", "nanosleep", "prefetch", "prefetchu", "griddepcontrol"})


class PtxError(Exception):
    """What this translator does not know."""


@dataclass(frozen=True, slots=True)
class _Operand:
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


def is_effect(template: str, *, sideeffect: bool) -> bool:
    """Whether the asm does more than compute: memory, fences, what the program calls volatile."""
    return sideeffect or _MEMORY.search(template) is not None


def translate(name: str, template: str, constraints: str, result: str, arguments: list[str]) -> str:
    """The definition of ``@name`` for an ``asm`` with operands of these LLVM types."""
    return _Translator(constraints, result, arguments).function(name, template)


class _Translator:
    """Translates one asm; used once."""

    def __init__(self, constraints: str, result: str, arguments: list[str]) -> None:
        self.lines: list[str] = []
        self.fresh = 0
        self.registers: dict[str, _Operand | None] = {}
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

    def function(self, name: str, template: str) -> str:
        """The whole definition."""
        text = re.sub(r"//[^\n]*", "", template).replace("$$", "%%")
        for statement in text.split(";"):
            self._statement(statement.strip())
        parameters = ", ".join([CONTEXT, *(f"{t} %a{k}" for k, t in enumerate(self.arguments))])
        self._return()
        body = "\n".join(f"  {line}" for line in self.lines)
        return (
            f"define internal {self.result} @{name}({parameters}) alwaysinline nounwind {{\n"
            f"{body}\n}}\n"
        )

    # --- writing -----------------------------------------------------------------------------

    def _set(self, expression: str) -> str:
        self.fresh += 1
        self.lines.append(f"%t{self.fresh} = {expression}")
        return f"%t{self.fresh}"

    def _to_int(self, name: str, type_: str) -> _Operand:
        bits = _llvm_bits(type_)
        if type_ == "ptr":
            return _Operand(self._set(f"ptrtoint ptr {name} to i64"), 64)
        if type_.startswith("i"):
            return _Operand(name, bits)
        return _Operand(self._set(f"bitcast {type_} {name} to i{bits}"), bits)

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

    def _from_int(self, value: _Operand, type_: str) -> str:
        bits = _llvm_bits(type_)
        name = self._resize(value, bits, signed=False)
        if type_ == "ptr":
            return self._set(f"inttoptr i64 {name} to ptr")
        return name if type_.startswith("i") else self._set(f"bitcast i{bits} {name} to {type_}")

    def _resize(self, value: _Operand, bits: int, *, signed: bool) -> str:
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
            value = self._set(f"fadd {_FLOATS[type_]} {float(text):e}, 0.0")
            return self._set(f"bitcast {_FLOATS[type_]} {value} to i{bits}")
        if text.startswith("%") and text.lstrip("%") in _SPECIAL:
            name = _SPECIAL[text.lstrip("%")]
            wide = 64 if name in ("clock64", "globaltimer") else 32
            call = f"call i{wide} @drano.sreg.{name}(ptr %w, i64 %lane, i32 %mask)"
            return self._resize(_Operand(self._set(call), wide), bits, signed=False)
        known = self.registers.get(text)
        if known is None:
            raise PtxError(f"operand {text}")
        return self._resize(known, bits, signed=type_.startswith("s"))

    def _float(self, text: str, type_: str) -> str:
        return self._set(
            f"bitcast i{type_bits(type_)} {self._read(text, type_)} to {_FLOATS[type_]}"
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
        value = _Operand(name, bits)
        wanted = self.widths.get(text, bits)
        if wanted != bits:
            value = _Operand(self._resize(value, wanted, signed=signed), wanted)
        old = self.registers.get(text)
        if self.guard and old is not None:
            chosen = self._set(
                f"select i1 {self.guard}, i{wanted} {value.name}, i{wanted} {old.name}"
            )
            value = _Operand(chosen, wanted)
        self.registers[text] = value

    def _write_float(self, text: str, name: str, type_: str) -> None:
        bits = type_bits(type_)
        self._write(text, self._set(f"bitcast {_FLOATS[type_]} {name} to i{bits}"), bits)

    # --- statements --------------------------------------------------------------------------

    def _statement(self, text: str) -> None:
        while text.startswith("{"):
            text = text[1:].strip()
        if text in ("", "}", "}}"):
            return
        self.guard = ""
        if text.startswith(".reg"):
            words = text.removeprefix(".reg").strip().split(None, 1)
            for register in words[1].split(","):
                self.widths[register.strip()] = type_bits(words[0].lstrip("."))
            return
        match = _STATEMENT.fullmatch(text)
        if match is None:
            raise PtxError(text)
        negated, predicate, opcode, modifiers, rest = match.groups()
        if predicate:
            self.guard = self._read(predicate, "pred")
            if negated:
                self.guard = self._set(f"xor i1 {self.guard}, true")
        mods = modifiers.lstrip(".").split(".") if modifiers else []
        operands = _split(rest.rstrip("} ") if rest.count("}") > rest.count("{") else rest)
        self._execute(opcode, mods, operands, text)

    def _execute(self, opcode: str, mods: list[str], ops: list[str], text: str) -> None:
        if opcode in _NOTHING:
            self.lines.append("fence seq_cst")
            return
        types = [
            mod for mod in mods if re.fullmatch(r"(?:[subf]\d+|b?f16x2|bf16|bf16x2|pred)", mod)
        ]
        if not types:
            raise PtxError(text)
        type_ = types[-1]
        if opcode == "tex":
            self._texture(mods, ops)
            return
        handled = (
            self._data(opcode, mods, types, ops)
            or (type_ in _FLOATS and self._arithmetic_float(opcode, mods, type_, ops))
            or (type_ not in _FLOATS and self._arithmetic_int(opcode, mods, type_, ops))
            or self._memory(opcode, mods, type_, ops)
        )
        if not handled:
            raise PtxError(text)

    def _data(self, opcode: str, mods: list[str], types: list[str], ops: list[str]) -> bool:
        type_ = types[-1]
        bits = type_bits(type_)
        match opcode:
            case "mov":
                self._write(ops[0], self._read(ops[1], type_), bits)
            case "cvt":
                self._convert(mods, types[0], types[1], ops)
            case "selp":
                condition = self._read(ops[3], "pred")
                a, b = self._read(ops[1], type_), self._read(ops[2], type_)
                self._write(
                    ops[0], self._set(f"select i1 {condition}, i{bits} {a}, i{bits} {b}"), bits
                )
            case "setp" | "set":
                self._compare(opcode, mods, types, ops)
            case _:
                return False
        return True

    def _compare(self, opcode: str, mods: list[str], types: list[str], ops: list[str]) -> None:
        names = next((_COMPARISONS[mod] for mod in mods if mod in _COMPARISONS), None)
        type_ = types[-1]
        if names is None:
            raise PtxError(opcode)
        if type_ in _FLOATS:
            a, b = self._float(ops[1], type_), self._float(ops[2], type_)
            result = self._set(f"fcmp {names[2]} {_FLOATS[type_]} {a}, {b}")
        else:
            a, b = self._read(ops[1], type_), self._read(ops[2], type_)
            relation = names[0] if type_.startswith("s") else names[1]
            result = self._set(f"icmp {relation} i{type_bits(type_)} {a}, {b}")
        if opcode == "setp":
            if type_.endswith("x2") or "|" in ops[0] or len(ops) > 3:
                raise PtxError("setp with two results")
            self._write(ops[0], result, 1)
            return
        self._set_result(types[0], type_, ops[0], result)

    def _set_result(self, target: str, source: str, where: str, result: str) -> None:
        if target not in _FLOATS:
            bits = type_bits(target)
            self._write(where, self._set(f"sext i1 {result} to i{bits}"), bits)
            return
        condition = "<2 x i1>" if source.endswith("x2") else "i1"
        one = self._set(f"uitofp {condition} {result} to {_FLOATS[target]}")
        self._write_float(where, one, target)

    def _convert(self, mods: list[str], target: str, source: str, ops: list[str]) -> None:
        bits = type_bits(target)
        mode = next((mod for mod in mods if mod in _CVT_ROUND), "")
        if source in _FLOATS and target in _FLOATS:
            value = self._float(ops[1], source)
            if mode.endswith("i"):
                float_ = _FLOATS[source]
                name = f"@llvm.{_CVT_ROUND[mode]}.{_SUFFIXES[float_]}"
                value = self._set(f"call {float_} {name}({float_} {value})")
            if mode in ("rz", "rm", "rp"):
                if (source, target) != ("f64", "f32"):
                    raise PtxError(f"cvt.{mode}.{target}.{source}")
                value = self._set(f"call float @drano.nvvm.d2f.{mode}(double {value})")
            elif type_bits(source) != bits or source != target:
                operation = "fptrunc" if type_bits(source) > bits else "fpext"
                if type_bits(source) == bits:
                    value, source = self._set(f"fpext {_FLOATS[source]} {value} to float"), "f32"
                    operation = "fptrunc"
                value = self._set(f"{operation} {_FLOATS[source]} {value} to {_FLOATS[target]}")
            if "sat" in mods:
                value = self._saturate(value, _FLOATS[target])
            self._write_float(ops[0], value, target)
        elif source in _FLOATS:
            value = self._float(ops[1], source)
            float_, short = _FLOATS[source], _SUFFIXES[_FLOATS[source]]
            value = self._set(
                f"call {float_} @llvm.{_CVT_ROUND.get(mode, 'trunc')}.{short}({float_} {value})"
            )
            operation = "fptosi" if target.startswith("s") else "fptoui"
            name = f"@llvm.{operation}.sat.i{bits}.{short}"
            self._write(ops[0], self._set(f"call i{bits} {name}({float_} {value})"), bits)
        elif target in _FLOATS:
            value = self._read(ops[1], source)
            if mode in ("rz", "rm", "rp"):
                raise PtxError(f"cvt.{mode}.{target}.{source}")
            operation = "sitofp" if source.startswith("s") else "uitofp"
            name = self._set(f"{operation} i{type_bits(source)} {value} to {_FLOATS[target]}")
            self._write_float(ops[0], name, target)
        else:
            if "sat" in mods:
                raise PtxError("cvt.sat between integers")
            value = self._read(ops[1], source)
            operand = _Operand(value, type_bits(source))
            signed = source.startswith("s")
            self._write(
                ops[0], self._resize(operand, bits, signed=signed), bits,
                signed=target.startswith("s"),
            )  # fmt: skip

    def _saturate(self, value: str, type_: str) -> str:
        short = _SUFFIXES[type_]
        zero, one = (f"splat ({type_[5:-1]} {n})" if "x" in type_ else n for n in ("0.0", "1.0"))
        low = self._set(f"call {type_} @llvm.maxnum.{short}({type_} {value}, {type_} {zero})")
        return self._set(f"call {type_} @llvm.minnum.{short}({type_} {low}, {type_} {one})")

    def _arithmetic_float(self, opcode: str, mods: list[str], type_: str, ops: list[str]) -> bool:
        float_ = _FLOATS[type_]
        short = _SUFFIXES[float_]
        mode = next((mod for mod in mods if mod in ("rz", "rm", "rp")), "")
        if mode:
            return self._directed(opcode, mode, type_, ops)
        if opcode in _UNARY_FLOAT:
            value = self._float(ops[1], type_)
            if opcode == "neg":
                result = self._set(f"fneg {float_} {value}")
            else:
                name = f"@llvm.{_UNARY_FLOAT[opcode]}.{short}"
                result = self._set(f"call {float_} {name}({float_} {value})")
        elif opcode in _BINARY_FLOAT:
            a, b = self._float(ops[1], type_), self._float(ops[2], type_)
            result = self._set(f"{_BINARY_FLOAT[opcode]} {float_} {a}, {b}")
        elif opcode in ("min", "max"):
            a, b = self._float(ops[1], type_), self._float(ops[2], type_)
            family = f"{opcode}imum" if "NaN" in mods else f"{opcode}num"
            result = self._set(f"call {float_} @llvm.{family}.{short}({float_} {a}, {float_} {b})")
        elif opcode in ("fma", "mad"):
            a, b, c = (self._float(op, type_) for op in ops[1:4])
            result = self._set(
                f"call {float_} @llvm.fma.{short}({float_} {a}, {float_} {b}, {float_} {c})"
            )
        elif opcode in ("rcp", "rsqrt") and "x" not in type_:
            value = self._float(ops[1], type_)
            if opcode == "rsqrt":
                value = self._set(f"call {float_} @llvm.sqrt.{short}({float_} {value})")
            result = self._set(f"fdiv {float_} 1.0, {value}")
        else:
            return False
        if "relu" in mods:
            return False
        if "sat" in mods:
            result = self._saturate(result, float_)
        self._write_float(ops[0], result, type_)
        return True

    def _directed(self, opcode: str, mode: str, type_: str, ops: list[str]) -> bool:
        if type_ not in ("f32", "f64") or opcode not in (
            "add", "sub", "mul", "fma", "div", "rcp", "sqrt",
        ):  # fmt: skip
            return False
        float_ = _FLOATS[type_]
        values = ", ".join(f"{float_} {self._float(op, type_)}" for op in ops[1:])
        suffix = "f" if type_ == "f32" else "d"
        result = self._set(f"call {float_} @drano.nvvm.{opcode}.{mode}.{suffix}({values})")
        self._write_float(ops[0], result, type_)
        return True

    # --- integers ----------------------------------------------------------------------------

    def _arithmetic_int(self, opcode: str, mods: list[str], type_: str, ops: list[str]) -> bool:
        bits = type_bits(type_)
        signed = type_.startswith("s")
        t = f"i{bits}"

        def done(value: str, width: int = bits) -> bool:
            self._write(ops[0], value, width, signed=signed)
            return True

        if opcode in ("add", "addc", "sub", "subc") and ("cc" in mods or opcode.endswith("c")):
            return done(self._carrying(opcode, "cc" in mods, t, ops))
        if opcode in _BINARY_INT and "sat" not in mods:
            a, b = self._read(ops[1], type_), self._read(ops[2], type_)
            return done(self._set(f"{_BINARY_INT[opcode]} {t} {a}, {b}"))
        match opcode:
            case "not":
                return done(self._set(f"xor {t} {self._read(ops[1], type_)}, -1"))
            case "neg":
                return done(self._set(f"sub {t} 0, {self._read(ops[1], type_)}"))
            case "abs":
                return done(
                    self._set(f"call {t} @llvm.abs.{t}({t} {self._read(ops[1], type_)}, i1 false)")
                )
            case "min" | "max":
                a, b = self._read(ops[1], type_), self._read(ops[2], type_)
                name = f"@llvm.{'s' if signed else 'u'}{opcode}.{t}"
                return done(self._set(f"call {t} {name}({t} {a}, {t} {b})"))
            case "mul" | "mad" | "madc":
                return self._multiply(opcode, mods, type_, ops)
            case "mul24" | "mad24":
                return False
            case "shl" | "shr":
                kind = "shl" if opcode == "shl" else ("ashr" if signed else "lshr")
                amount = self._resize(
                    _Operand(self._read(ops[2], "u32"), 32), max(bits, 32), signed=False
                )
                value = self._resize(
                    _Operand(self._read(ops[1], type_), bits), max(bits, 32), signed=signed
                )
                wide = f"i{max(bits, 32)}"
                moved = self._set(
                    f"call {wide} @drano.int.{kind}.{wide}({wide} {value}, {wide} {amount})"
                )
                return done(self._resize(_Operand(moved, max(bits, 32)), bits, signed=False))
            case "shf":
                return self._funnel(mods, ops)
            case "popc" | "clz" | "brev":
                name = {"popc": "ctpop", "clz": "ctlz", "brev": "bitreverse"}[opcode]
                extra = ", i1 false" if opcode == "clz" else ""
                value = self._set(
                    f"call {t} @llvm.{name}.{t}({t} {self._read(ops[1], type_)}{extra})"
                )
                if opcode == "brev":
                    return done(value)
                self._write(ops[0], self._resize(_Operand(value, bits), 32, signed=False), 32)
                return True
            case "bfind":
                return self._find(mods, type_, ops)
            case "bfe" | "bfi":
                return self._field(opcode, type_, ops)
            case "prmt" if not [mod for mod in mods if mod not in ("b32",)]:
                a, b, c = (self._read(op, "b32") for op in ops[1:4])
                return done(self._set(f"call i32 @drano.nvvm.prmt(i32 {a}, i32 {b}, i32 {c})"))
            case "sad":
                a, b, c = (self._read(op, type_) for op in ops[1:4])
                kind = "i" if signed else "ui"
                return bits == 32 and done(
                    self._set(f"call i32 @drano.nvvm.sad.{kind}(i32 {a}, i32 {b}, i32 {c})")
                )
            case "div" | "rem":
                a, b = self._read(ops[1], type_), self._read(ops[2], type_)
                kind = f"{'s' if signed else 'u'}{opcode}"
                return done(self._set(f"call {t} @drano.int.{kind}.{t}({t} {a}, {t} {b})"))
            case "lop3":
                return self._lop3(ops)
            case _:
                return False

    def _carrying(
        self, opcode: str, sets: bool, t: str, ops: list[str], *, read: bool = True
    ) -> str:
        type_ = f"b{t[1:]}"
        a, b = (self._read(op, type_) for op in ops[1:3]) if read else ops[1:3]
        operation = "uadd" if opcode.startswith("add") else "usub"
        pair = f"{{ {t}, i1 }}"
        first = self._set(f"call {pair} @llvm.{operation}.with.overflow.{t}({t} {a}, {t} {b})")
        value = self._set(f"extractvalue {pair} {first}, 0")
        out = self._set(f"extractvalue {pair} {first}, 1")
        if opcode.endswith("c"):
            carry = self._set(f"zext i1 {self.carry} to {t}")
            again = self._set(
                f"call {pair} @llvm.{operation}.with.overflow.{t}({t} {value}, {t} {carry})"
            )
            value = self._set(f"extractvalue {pair} {again}, 0")
            more = self._set(f"extractvalue {pair} {again}, 1")
            out = self._set(f"or i1 {out}, {more}")
        if sets:
            self.carry = out
        return value

    def _multiply(self, opcode: str, mods: list[str], type_: str, ops: list[str]) -> bool:
        bits = type_bits(type_)
        signed = type_.startswith("s")
        a, b = self._read(ops[1], type_), self._read(ops[2], type_)
        double = f"i{2 * bits}"
        x, y = (self._resize(_Operand(v, bits), 2 * bits, signed=signed) for v in (a, b))
        product = self._set(f"mul {double} {x}, {y}")
        width = bits
        if "wide" in mods:
            value, width = product, 2 * bits
        elif "hi" in mods:
            high = self._set(f"lshr {double} {product}, {bits}")
            value = self._set(f"trunc {double} {high} to i{bits}")
        else:
            value = self._set(f"trunc {double} {product} to i{bits}")
        if opcode != "mul":
            c = self._read(ops[3], f"{type_[0]}{width}")
            if "cc" in mods or opcode == "madc":
                name = "addc" if opcode == "madc" else "add"
                value = self._carrying(name, "cc" in mods, f"i{width}", ["", value, c], read=False)
            else:
                value = self._set(f"add i{width} {value}, {c}")
        self._write(ops[0], value, width, signed=signed)
        return True

    def _funnel(self, mods: list[str], ops: list[str]) -> bool:
        low, high, amount = (self._read(op, "b32") for op in ops[1:4])
        if "clamp" in mods:
            amount = self._set(f"call i32 @llvm.umin.i32(i32 {amount}, i32 32)")
        elif "wrap" in mods:
            amount = self._set(f"and i32 {amount}, 31")
        else:
            return False
        lo, hi = (self._set(f"zext i32 {v} to i64") for v in (low, high))
        top = self._set(f"shl i64 {hi}, 32")
        all_ = self._set(f"or i64 {top}, {lo}")
        by = self._set(f"zext i32 {amount} to i64")
        if "l" in mods:
            moved = self._set(f"shl i64 {all_}, {by}")
            moved = self._set(f"lshr i64 {moved}, 32")
        else:
            moved = self._set(f"lshr i64 {all_}, {by}")
        self._write(ops[0], self._set(f"trunc i64 {moved} to i32"), 32)
        return True

    def _find(self, mods: list[str], type_: str, ops: list[str]) -> bool:
        bits = type_bits(type_)
        t = f"i{bits}"
        value = self._read(ops[1], type_)
        if type_.startswith("s"):
            sign = self._set(f"ashr {t} {value}, {bits - 1}")
            value = self._set(f"xor {t} {value}, {sign}")
        zeros = self._set(f"call {t} @llvm.ctlz.{t}({t} {value}, i1 false)")
        place = zeros if "shiftamt" in mods else self._set(f"sub {t} {bits - 1}, {zeros}")
        none = self._set(f"icmp eq {t} {value}, 0")
        found = self._set(f"select i1 {none}, {t} -1, {t} {place}")
        self._write(ops[0], self._resize(_Operand(found, bits), 32, signed=True), 32)
        return True

    def _field(self, opcode: str, type_: str, ops: list[str]) -> bool:
        """``bfe``, ``bfi`` in arithmetic wide enough for any position and length (8 bits each)."""
        bits = type_bits(type_)
        where, long = (ops[2], ops[3]) if opcode == "bfe" else (ops[3], ops[4])
        position, length = (self._byte(op, bits) for op in (where, long))
        at, size = (self._set(f"zext i32 {v} to i128") for v in (position, length))
        ones = self._set(f"shl i128 1, {size}")
        mask = self._set(f"sub i128 {ones}, 1")
        if opcode == "bfi":
            a, b = (self._set(f"zext i{bits} {self._read(op, type_)} to i128") for op in ops[1:3])
            hole = self._set(f"shl i128 {mask}, {at}")
            keep = self._set(f"xor i128 {hole}, -1")
            old = self._set(f"and i128 {b}, {keep}")
            piece = self._set(f"shl i128 {self._set(f'and i128 {a}, {mask}')}, {at}")
            total = self._set(f"or i128 {old}, {piece}")
            self._write(ops[0], self._set(f"trunc i128 {total} to i{bits}"), bits)
            return True
        signed = type_.startswith("s")
        extend = "sext" if signed else "zext"
        a = self._set(f"{extend} i{bits} {self._read(ops[1], type_)} to i128")
        moved = self._set(f"lshr i128 {a}, {at}")
        field = self._set(f"and i128 {moved}, {mask}")
        if signed:
            gap = self._set(f"sub i128 127, {size}")
            gap = self._set(f"add i128 {gap}, 1")
            gap = self._set(f"call i128 @llvm.umin.i128(i128 {gap}, i128 127)")
            up = self._set(f"shl i128 {field}, {gap}")
            down = self._set(f"ashr i128 {up}, {gap}")
            empty = self._set(f"icmp eq i32 {length}, 0")
            field = self._set(f"select i1 {empty}, i128 0, i128 {down}")
        self._write(ops[0], self._set(f"trunc i128 {field} to i{bits}"), bits)
        return True

    def _byte(self, operand: str, most: int) -> str:
        """The low byte of an operand, at most ``most``."""
        low = self._set(f"and i32 {self._read(operand, 'u32')}, 255")
        return self._set(f"call i32 @llvm.umin.i32(i32 {low}, i32 {most})")

    def _lop3(self, ops: list[str]) -> bool:
        a, b, c = (self._read(op, "b32") for op in ops[1:4])
        table = int(ops[4].strip(), 0)
        total = "0"
        for k in range(8):
            if not table >> k & 1:
                continue
            terms = []
            for value, bit in ((a, 4), (b, 2), (c, 1)):
                terms.append(value if k & bit else self._set(f"xor i32 {value}, -1"))
            both = self._set(f"and i32 {terms[0]}, {terms[1]}")
            total = self._set(f"or i32 {total}, {self._set(f'and i32 {both}, {terms[2]}')}")
        self._write(ops[0], self._set(f"add i32 {total}, 0"), 32)
        return True

    # --- memory ------------------------------------------------------------------------------

    def _memory(self, opcode: str, mods: list[str], type_: str, ops: list[str]) -> bool:
        if opcode not in ("ld", "st") or self.guard:
            return False
        count = next((int(mod[1:]) for mod in mods if mod in ("v2", "v4")), 1)
        bits = type_bits(type_)
        address = self._address(ops[0] if opcode == "st" else ops[1])
        values = ops[1] if opcode == "st" else ops[0]
        names = [v.strip() for v in values.strip("{} ").split(",")] if count > 1 else [values]
        for k, name in enumerate(names):
            at = self._set(f"getelementptr i8, ptr {address}, i64 {k * bits // 8}")
            if opcode == "ld":
                loaded = self._set(f"load i{bits}, ptr {at}, align 1")
                self._write(name, loaded, bits, signed=type_.startswith("s"))
            else:
                self.lines.append(f"store i{bits} {self._read(name, type_)}, ptr {at}, align 1")
        return True

    def _texture(self, mods: list[str], ops: list[str]) -> None:
        """``tex.2d.v4.f32.s32 {r, g, b, a}, [handle, {x, y}]``, by the run-time library."""
        if len(mods) != 4 or mods[0] not in ("1d", "2d", "3d") or mods[1] != "v4":
            raise PtxError("texture of this shape")
        dims = int(mods[0][0])
        match = re.fullmatch(r"\[\s*([$\w]+)\s*,\s*\{([^}]*)\}\s*\]", ops[1].strip())
        if match is None or mods[3] not in ("f32", "s32"):
            raise PtxError("texture coordinates")
        place = self._set("alloca [3 x i32], align 4")
        result = self._set("alloca [4 x i32], align 16")
        for k, name in enumerate(match[2].split(",")[:dims]):
            at = self._set(f"getelementptr i32, ptr {place}, i64 {k}")
            self.lines.append(f"store i32 {self._read(name, 'b32')}, ptr {at}, align 4")
        handle = self._read(match[1], "b64")
        self.lines.append(
            f"call void @drano_texture(ptr %w, i64 {handle}, i32 {dims}, ptr {place}, "
            f"i32 {int(mods[3] == 's32')}, ptr {result}, i32 {int(mods[2] == 'f32')})"
        )
        for k, name in enumerate(ops[0].strip().strip("{}").split(",")):
            at = self._set(f"getelementptr i32, ptr {result}, i64 {k}")
            self._write(name, self._set(f"load i32, ptr {at}, align 4"), 32)

    def _address(self, text: str) -> str:
        match = re.fullmatch(r"\[\s*([$\w%]+)\s*(?:\+\s*(-?\d+))?\s*\]", text.strip())
        if match is None:
            raise PtxError(f"address {text}")
        if self.widths.get(match[1], 64) != 64:
            raise PtxError("32-bit address")
        pointer = self._set(f"inttoptr i64 {self._read(match[1], 'b64')} to ptr")
        return self._set(f"getelementptr i8, ptr {pointer}, i64 {match[2] or 0}")


_SPECIAL = {
    "laneid": "laneid", "warpid": "warpid", "smid": "smid", "nsmid": "nsmid", "clock": "clock",
    "clock64": "clock64", "globaltimer": "globaltimer", "gridid": "gridid", "nwarpid": "nwarpid",
    "envreg1": "envreg1", "envreg2": "envreg2", "clock_hi": "clock.hi", "WARP_SZ": "warpsize",
    "dynamic_smem_size": "dynamic.smem.size", "total_smem_size": "total.smem.size",
    **{f"lanemask_{kind}": f"lanemask.{kind}" for kind in ("eq", "lt", "le", "gt", "ge")},
    **{f"{name}.{axis}": f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid")
       for axis in "xyz"},
}  # fmt: skip


def _split(text: str) -> list[str]:
    parts: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        if character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
        elif character == "," and not depth:
            parts.append(text[start:position].strip())
            start = position + 1
    return [*parts, text[start:].strip()]


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
