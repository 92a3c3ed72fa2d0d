"""Integer arithmetic of inline PTX, with the carry flag, bit fields and logic tables."""

from __future__ import annotations

from drano.dynamic.cpu.ptx.registers import Operand, PtxWriter, type_bits

_BINARY_INT = {"add": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor"}


class PtxIntegers(PtxWriter):
    """Translates what computes with integers."""

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
                    Operand(self._read(ops[2], "u32"), 32), max(bits, 32), signed=False
                )
                value = self._resize(
                    Operand(self._read(ops[1], type_), bits), max(bits, 32), signed=signed
                )
                wide = f"i{max(bits, 32)}"
                moved = self._set(
                    f"call {wide} @drano.int.{kind}.{wide}({wide} {value}, {wide} {amount})"
                )
                return done(self._resize(Operand(moved, max(bits, 32)), bits, signed=False))
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
                self._write(ops[0], self._resize(Operand(value, bits), 32, signed=False), 32)
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
            case "vabsdiff4" if mods == ["u32", "u32", "u32", "add"]:
                return done(self._byte_differences(ops))
            case "div" | "rem":
                a, b = self._read(ops[1], type_), self._read(ops[2], type_)
                kind = f"{'s' if signed else 'u'}{opcode}"
                return done(self._set(f"call {t} @drano.int.{kind}.{t}({t} {a}, {t} {b})"))
            case "bmsk" if mods == ["clamp", "b32"]:
                return done(self._mask(ops))
            case "lop3":
                return self._lop3(ops)
            case _:
                return False

    def _byte_differences(self, ops: list[str]) -> str:
        """The absolute differences of four bytes, and a third operand, added up."""
        a, b, total = (self._read(op, "u32") for op in ops[1:4])
        for shift in (0, 8, 16, 24):
            bytes_ = []
            for word in (a, b):
                moved = self._set(f"lshr i32 {word}, {shift}")
                bytes_.append(self._set(f"and i32 {moved}, 255"))
            one, other = bytes_
            most = self._set(f"call i32 @llvm.umax.i32(i32 {one}, i32 {other})")
            least = self._set(f"call i32 @llvm.umin.i32(i32 {one}, i32 {other})")
            difference = self._set(f"sub i32 {most}, {least}")
            total = self._set(f"add i32 {total}, {difference}")
        return total

    def _mask(self, ops: list[str]) -> str:
        """As many ones as the second operand says, from the bit on that the first one says."""
        first, count = (
            self._set(f"call i32 @llvm.umin.i32(i32 {self._read(op, 'b32')}, i32 32)")
            for op in ops[1:3]
        )
        start, width = (self._set(f"zext i32 {v} to i64") for v in (first, count))
        above = self._set(f"shl i64 1, {width}")
        ones = self._set(f"sub i64 {above}, 1")
        moved = self._set(f"shl i64 {ones}, {start}")
        return self._set(f"trunc i64 {moved} to i32")

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
        x, y = (self._resize(Operand(v, bits), 2 * bits, signed=signed) for v in (a, b))
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
        self._write(ops[0], self._resize(Operand(found, bits), 32, signed=True), 32)
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
