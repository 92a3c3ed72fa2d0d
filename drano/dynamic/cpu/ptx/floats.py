"""Floating-point arithmetic, conversions and comparisons of inline PTX."""

from __future__ import annotations

from drano.dynamic.cpu.ptx.registers import (
    FLOATS,
    SUFFIXES,
    Operand,
    PtxError,
    PtxWriter,
    type_bits,
)

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
_CVT_ROUND = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil",
              "rn": "roundeven", "rz": "trunc", "rm": "floor", "rp": "ceil"}  # fmt: skip


class PtxFloats(PtxWriter):
    """Translates what touches floats."""

    def _compare(self, opcode: str, mods: list[str], types: list[str], ops: list[str]) -> None:
        names = next((_COMPARISONS[mod] for mod in mods if mod in _COMPARISONS), None)
        type_ = types[-1]
        if names is None:
            raise PtxError(opcode)
        if type_ in FLOATS:
            a, b = self._float(ops[1], type_), self._float(ops[2], type_)
            result = self._set(f"fcmp {names[2]} {FLOATS[type_]} {a}, {b}")
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
        if target not in FLOATS:
            bits = type_bits(target)
            self._write(where, self._set(f"sext i1 {result} to i{bits}"), bits)
            return
        condition = "<2 x i1>" if source.endswith("x2") else "i1"
        one = self._set(f"uitofp {condition} {result} to {FLOATS[target]}")
        self._write_float(where, one, target)

    def _round_to_tf32(self, mods: list[str], ops: list[str]) -> None:
        """``cvt.rna.tf32.f32``, ``cvt.rn…``: the 13 low bits become zero; ties away, or to even."""
        if not set(mods) <= {"rna", "rn", "tf32", "f32"}:
            raise PtxError(f"cvt.{'.'.join(mods)}")
        bits = self._read(ops[1], "b32")
        half = "4096"
        if "rn" in mods:
            odd = self._set(f"and i32 {self._set(f'lshr i32 {bits}, 13')}, 1")
            half = self._set(f"add i32 {odd}, 4095")
        rounded = self._set(f"and i32 {self._set(f'add i32 {bits}, {half}')}, -8192")
        value = self._set(f"bitcast i32 {bits} to float")
        none = self._set(f"fcmp uno float {value}, 0.0")
        self._write(ops[0], self._set(f"select i1 {none}, i32 2147483647, i32 {rounded}"), 32)

    def _convert(self, mods: list[str], target: str, source: str, ops: list[str]) -> None:
        bits = type_bits(target)
        mode = next((mod for mod in mods if mod in _CVT_ROUND), "")
        if target.endswith("x2"):
            self._pack(mods, target, source, ops)
        elif source in FLOATS and target in FLOATS:
            value = self._float(ops[1], source)
            if mode.endswith("i"):
                float_ = FLOATS[source]
                name = f"@llvm.{_CVT_ROUND[mode]}.{SUFFIXES[float_]}"
                value = self._set(f"call {float_} {name}({float_} {value})")
            if mode in ("rz", "rm", "rp"):
                if (source, target) != ("f64", "f32"):
                    raise PtxError(f"cvt.{mode}.{target}.{source}")
                value = self._set(f"call float @drano.nvvm.d2f.{mode}(double {value})")
            elif type_bits(source) != bits or source != target:
                operation = "fptrunc" if type_bits(source) > bits else "fpext"
                if type_bits(source) == bits:
                    value, source = self._set(f"fpext {FLOATS[source]} {value} to float"), "f32"
                    operation = "fptrunc"
                value = self._set(f"{operation} {FLOATS[source]} {value} to {FLOATS[target]}")
            if "sat" in mods:
                value = self._saturate(value, FLOATS[target])
            self._write_float(ops[0], value, target)
        elif source in FLOATS:
            value = self._float(ops[1], source)
            float_, short = FLOATS[source], SUFFIXES[FLOATS[source]]
            value = self._set(
                f"call {float_} @llvm.{_CVT_ROUND.get(mode, 'trunc')}.{short}({float_} {value})"
            )
            operation = "fptosi" if target.startswith("s") else "fptoui"
            name = f"@llvm.{operation}.sat.i{bits}.{short}"
            self._write(ops[0], self._set(f"call i{bits} {name}({float_} {value})"), bits)
        elif target in FLOATS:
            value = self._read(ops[1], source)
            if mode in ("rz", "rm", "rp"):
                raise PtxError(f"cvt.{mode}.{target}.{source}")
            operation = "sitofp" if source.startswith("s") else "uitofp"
            name = self._set(f"{operation} i{type_bits(source)} {value} to {FLOATS[target]}")
            self._write_float(ops[0], name, target)
        else:
            if "sat" in mods:
                raise PtxError("cvt.sat between integers")
            value = self._read(ops[1], source)
            operand = Operand(value, type_bits(source))
            signed = source.startswith("s")
            self._write(
                ops[0], self._resize(operand, bits, signed=signed), bits,
                signed=target.startswith("s"),
            )  # fmt: skip

    def _pack(self, mods: list[str], target: str, source: str, ops: list[str]) -> None:
        """Two numbers as a pair, the first one in its upper half."""
        if source != "f32" or set(mods) != {"rn", target, source} or len(ops) != 3:
            raise PtxError(f"cvt.{'.'.join(mods)}")
        pair, total = FLOATS[target], "poison"
        element = pair[5:-1]
        for k, op in enumerate((ops[2], ops[1])):
            half = self._set(f"fptrunc float {self._float(op, source)} to {element}")
            total = self._set(f"insertelement {pair} {total}, {element} {half}, i64 {k}")
        self._write_float(ops[0], total, target)

    def _saturate(self, value: str, type_: str) -> str:
        short = SUFFIXES[type_]
        zero, one = (f"splat ({type_[5:-1]} {n})" if "x" in type_ else n for n in ("0.0", "1.0"))
        low = self._set(f"call {type_} @llvm.maxnum.{short}({type_} {value}, {type_} {zero})")
        return self._set(f"call {type_} @llvm.minnum.{short}({type_} {low}, {type_} {one})")

    def _arithmetic_float(self, opcode: str, mods: list[str], type_: str, ops: list[str]) -> bool:
        float_ = FLOATS[type_]
        short = SUFFIXES[float_]
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
        float_ = FLOATS[type_]
        values = ", ".join(f"{float_} {self._float(op, type_)}" for op in ops[1:])
        suffix = "f" if type_ == "f32" else "d"
        result = self._set(f"call {float_} @drano.nvvm.{opcode}.{mode}.{suffix}({values})")
        self._write_float(ops[0], result, type_)
        return True
