"""Random expressions, conditions, places and indices of a kernel.

Integers of 8 to 64 bits, both signednesses, with and without overflow flags; addresses of global
and shared memory, of local arrays by several widths, and pointers kept in variables.
"""

from __future__ import annotations

from hypothesis import strategies as st

from tests.analysis.warp.fuzz.writer import INTEGERS, POINTERS, SHARED_LENGTH, SREGS, Writer

_ELEMENTS = (
    "i8", "i16", "i32", "i32", "i64", "<2 x i32>", "<4 x i32>", "<2 x i16>", "{ i32, i32, i32 }",
    "{ i8, i16, i64 }", "{ i64, i8 }",
)  # fmt: skip
_MEMBERS = {
    "{ i32, i32, i32 }": ("i32", "i32", "i32"), "{ i8, i16, i64 }": ("i8", "i16", "i64"),
    "{ i64, i8 }": ("i64", "i8"),
}  # fmt: skip
_SIZES = {
    "i8": 1, "i16": 2, "i32": 4, "i64": 8, "<2 x i32>": 8, "<4 x i32>": 16, "<2 x i16>": 4,
}  # fmt: skip
_LEAVES = (
    "tid.x", "tid.x", "tid.x", "tid.y", "ctaid.x", "param", "param", "constant", "constant",
    "variable", "variable", "variable", "sreg", "load", "local", "shared",
)  # fmt: skip
CONSTANTS = (
    0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 24, 31, 32, 33, 63, 64, 100, 127, 255, 256, -1, -2,
)  # fmt: skip
_DIVISORS = (1, 2, 3, 4, 5, 7, 8, 10, 16, 24, 32, 33, 64, 100, -1, -2, -8)
_MASKS = (1, 3, 7, 15, 16, 24, 28, 31, 63, 64, 96, 127, -2, -4, -8, -16, -32, 5, 170)
_COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_EXPRESSIONS = (
    "leaf", "add", "add", "sub", "mul", "mul", "shift", "shift", "divide", "mask", "bitwise",
    "select", "extremum", "resize", "boolean", "abs", "shuffle", "vote",
)  # fmt: skip
ARRAY_BYTES = 16


class Expressions(Writer):
    """Values that a kernel computes from what it has: variables, arrays, registers, memory."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__(draw)
        self._variables: list[tuple[str, int]] = []
        self._arrays: list[str] = []
        self._fuel = self._pick((40, 25, 80))
        self._depth = 0
        self._about_loops = self._flag()
        self._about_arrays = self._flag(4)

    # --- expressions -------------------------------------------------------------------------

    def _resize(self, value: str, have: int, want: int, kind: str = "") -> str:
        if have == want:
            return value
        if have > want:
            return self._value(f"trunc i{have} {value} to i{want}")
        kind = kind or self._pick(("sext", "sext", "zext", "zext", "zext nneg"))
        return self._value(f"{kind} i{have} {value} to i{want}")

    def _leaf(self, bits: int) -> str:
        kind = self._pick(_LEAVES)
        if self._about_arrays and self._flag():
            kind = "local"
        if kind == "constant":
            return str(self._constant(bits))
        if kind == "param":
            name, width = self._pick(INTEGERS)
            return self._resize(f"%{name}", width, bits)
        if kind == "variable":
            name, width = self._pick(self._variables)
            return self._resize(self._value(f"load i{width}, ptr %{name}"), width, bits)
        if kind == "load":
            place = self._element("i32", "")
            return self._resize(self._value(f"load i32, ptr {place}, align 4"), 32, bits)
        if kind == "local" and self._arrays:
            width, place = self._element_of_array()
            return self._resize(self._value(f"load i{width}, ptr {place}, align 1"), width, bits)
        if kind == "shared":
            place = self._in_shared()
            return self._resize(self._value(f"load i32, ptr addrspace(3) {place}"), 32, bits)
        name = self._pick(SREGS) if kind == "sreg" else kind
        if name not in SREGS:
            name = "tid.x"
        return self._resize(self._value(f"call i32 @llvm.nvvm.read.ptx.sreg.{name}()"), 32, bits)

    def _constant(self, bits: int) -> int:
        value = self._pick(CONSTANTS)
        half = 1 << (bits - 1)
        return (value + half) % (1 << bits) - half

    def _expression(self, bits: int, depth: int) -> str:
        self._fuel -= 1
        if self._about_loops:
            return self._small(bits)
        if depth <= 0 or self._fuel <= 0:
            return self._leaf(bits)
        kind = self._pick(_EXPRESSIONS)
        flags = self._pick((" ", " ", " nsw ", " nsw ", " nuw ", " nuw nsw "))
        if kind in {"add", "sub", "mul"}:
            a = self._expression(bits, depth - 1)
            b = self._expression(bits, depth - 1) if self._flag() else self._leaf(bits)
            return self._value(f"{kind}{flags}i{bits} {a}, {b}")
        if kind == "vote" and bits == 32 and self._depth == 0:
            return self._vote(depth)
        a = self._expression(bits, depth - 1) if kind not in {"leaf", "resize", "boolean"} else ""
        if kind == "shift":
            op = self._pick(("shl", "lshr", "ashr"))
            count = str(self._number(0, bits - 1) if self._flag(4) else self._number(0, 6))
            if self._flag(6):
                other = self._leaf(bits)
                count = self._value(f"and i{bits} {other}, {bits - 1}")
            used = flags if op == "shl" else " "
            return self._value(f"{op}{used}i{bits} {a}, {count}")
        if kind == "divide":
            op = self._pick(("sdiv", "udiv", "srem", "urem"))
            by = str(self._pick(_DIVISORS))
            if self._flag(4):
                by = self._value(f"or i{bits} {self._leaf(bits)}, 1")
            return self._value(f"{op} i{bits} {a}, {by}")
        if kind == "mask":
            op = self._pick(("and", "and", "or", "xor"))
            half = 1 << (bits - 1)
            mask = (self._pick(_MASKS) + half) % (2 * half) - half
            return self._value(f"{op} i{bits} {a}, {mask}")
        if kind == "bitwise":
            op = self._pick(("and", "or", "xor"))
            return self._value(f"{op} i{bits} {a}, {self._expression(bits, depth - 1)}")
        if kind == "select":
            condition = self._condition(depth - 1)
            other = self._expression(bits, depth - 1)
            return self._value(f"select i1 {condition}, i{bits} {a}, i{bits} {other}")
        if kind == "extremum":
            op = self._pick(("smin", "smax", "umin", "umax", "usub.sat", "scmp", "ucmp"))
            other = self._leaf(bits)
            if op in {"scmp", "ucmp"}:
                types = f"i{bits}.i{bits}"
                return self._value(f"call i{bits} @llvm.{op}.{types}(i{bits} {a}, i{bits} {other})")
            return self._value(f"call i{bits} @llvm.{op}.i{bits}(i{bits} {a}, i{bits} {other})")
        if kind == "abs":
            return self._value(f"call i{bits} @llvm.abs.i{bits}(i{bits} {a}, i1 false)")
        if kind == "resize":
            width = self._pick((8, 16, 32, 32, 64))
            return self._resize(self._expression(width, depth - 1), width, bits)
        if kind == "boolean":
            op = self._pick(("zext", "sext"))
            return self._value(f"{op} i1 {self._condition(depth - 1)} to i{bits}")
        if kind == "shuffle" and bits == 32 and self._depth == 0:
            mode = self._pick(("idx", "up", "down", "bfly"))
            lane = str(self._number(0, 31)) if self._flag() else self._leaf(32)
            clamp = self._pick((31, 31, 31, (24 << 8) | 31, (16 << 8) | 31))
            if mode == "up":
                clamp &= ~31
            return self._value(
                f"call i32 @llvm.nvvm.shfl.sync.{mode}.i32"
                f"(i32 -1, i32 {a}, i32 {lane}, i32 {clamp})"
            )
        return a or self._leaf(bits)

    def _vote(self, depth: int) -> str:
        """Of the warp, or of the eight lanes around one's own."""
        members = "-1"
        if self._flag():
            lane = self._value("call i32 @llvm.nvvm.read.ptx.sreg.laneid()")
            first = self._value(f"and i32 {lane}, 24")
            members = self._value(f"shl i32 255, {first}")
        condition = self._condition(depth - 1)
        if self._flag():
            arguments = f"i32 {members}, i1 {condition}"
            return self._value(f"call i32 @llvm.nvvm.vote.ballot.sync({arguments})")
        mode = self._pick(("any", "all"))
        truth = self._value(f"call i1 @llvm.nvvm.vote.{mode}.sync(i32 {members}, i1 {condition})")
        return self._value(f"zext i1 {truth} to i32")

    def _condition(self, depth: int) -> str:
        self._fuel -= 1
        if self._about_loops:
            bits = self._pick((32, 64))
            a, b = self._small(bits), self._small(bits)
            return self._value(f"icmp {self._pick(_COMPARISONS)} i{bits} {a}, {b}")
        kind = self._pick(
            ("compare", "compare", "compare", "and", "or", "xor", "not", "truncate", "truth",
             "turn")
        )  # fmt: skip
        if kind == "turn":
            name = self._pick(_COMPARISONS)
            return self._value(f"icmp {name} i32 {self._turned()}, {self._number(0, 4)}")
        if kind == "truth":
            return self._value("load i1, ptr %truth")
        if depth <= 0 or kind == "compare":
            bits = self._pick((32, 32, 32, 64, 8, 16))
            a = self._expression(bits, depth)
            b = self._leaf(bits)
            return self._value(f"icmp {self._pick(_COMPARISONS)} i{bits} {a}, {b}")
        if kind == "truncate":
            return self._value(f"trunc i32 {self._expression(32, depth - 1)} to i1")
        a = self._condition(depth - 1)
        if kind == "not":
            return self._value(f"xor i1 {a}, true")
        return self._value(f"{kind} i1 {a}, {self._condition(depth - 1)}")

    def _small(self, bits: int) -> str:
        """A number that a loop counter soon reaches: a variable, or few bits of something."""
        kind = self._pick(("variable", "variable", "variable", "lane", "uniform", "constant"))
        if kind == "constant":
            return str(self._number(0, 5))
        if kind == "variable" and self._variables:
            name, width = self._pick(self._variables)
            return self._resize(self._value(f"load i{width}, ptr %{name}"), width, bits, "sext")
        name, width = self._pick(INTEGERS)
        if kind == "lane":
            lane = self._value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
            wide = self._resize(lane, 32, bits, "zext")
        else:
            wide = self._resize(f"%{name}", width, bits, "sext")
        return self._value(f"and i{bits} {wide}, {self._pick((3, 1, 7))}")

    # --- memory ------------------------------------------------------------------------------

    def _element(self, element: str, index: str) -> str:
        pointer = f"%{self._pick(POINTERS)}"
        bits = self._pick((32, 64))
        index = index or self._leaf(bits)
        return self._value(f"getelementptr {element}, ptr {pointer}, i{bits} {index}")

    def _element_of_array(self) -> tuple[int, str]:
        """A width, and a place of that width in a local array."""
        bits = self._pick((32, 32, 32, 64, 16))
        if self._flag(4):
            return bits, self._value("load ptr, ptr %lp")
        return bits, self._in_array(self._pick(self._arrays), bits)

    def _in_array(self, name: str, bits: int) -> str:
        length = ARRAY_BYTES * 8 // bits
        if self._flag():
            index = str(self._number(0, length - 1))
        else:
            index = self._value(f"and i32 {self._leaf(32)}, {length - 1}")
        place = self._value(f"getelementptr i{bits}, ptr %{name}, i32 {index}")
        if self._flag(12):
            place = self._value(f"getelementptr i8, ptr {place}, i32 {self._pick((-2, 1, 4))}")
        return place

    def _in_shared(self) -> str:
        index = self._value(f"and i32 {self._leaf(32)}, {SHARED_LENGTH - 1}")
        return self._value(f"getelementptr i32, ptr addrspace(3) @sh, i32 {index}")

    def _access(self) -> None:
        element = self._pick(_ELEMENTS)
        bits = self._pick((32, 32, 64))
        index = self._index(bits)
        pointer = f"%{self._pick(POINTERS)}"
        if self._flag(4):
            pointer = self._value("load ptr, ptr %gp")
        steps = f"i{bits} {index}"
        members = _MEMBERS.get(element)
        inner = element
        if members is not None:
            number = self._number(0, len(members) - 1)
            steps, inner = f"{steps}, i32 {number}", members[number]
        place = self._value(f"getelementptr {element}, ptr {pointer}, {steps}")
        if inner == "i32" and self._flag(6):
            self._value(f"atomicrmw add ptr {place}, i32 1 monotonic")
            return
        if self._flag():
            self._line(f"store {inner} zeroinitializer, ptr {place}, align {_SIZES[inner]}")
            return
        loaded = self._value(f"load {inner}, ptr {place}, align {_SIZES[inner]}")
        if inner == "i32" and self._flag():
            self._line(f"store i32 {loaded}, ptr %{self._variables[0][0]}")

    def _index(self, bits: int) -> str:
        """Anything, or the thread's own place: ``a * pitch + tid.x``, ``tid.x * c + a``."""
        kind = self._pick(
            ("any", "row", "row", "column", "whole", "carried", "carried", "clamp", "coordinates",
             "coordinates", "turned")
        )  # fmt: skip
        if self._about_loops:
            kind = "carried"
        if kind == "any":
            return self._expression(bits, 3)
        if kind == "carried":
            return self._carried(bits)
        if kind == "clamp":
            return self._clamped(bits)
        if kind == "coordinates":
            return self._coordinates(bits)
        if kind == "turned":
            lane = self._value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
            row = self._value(f"and i32 {lane}, {self._pick((0, -4, -8, -32))}")
            turned = self._value(f"mul i32 {self._turned()}, {self._pick((1, 1, 2, 8))}")
            return self._resize(self._value(f"add i32 {row}, {turned}"), 32, bits)
        flags = self._pick((" ", " nsw ", " nuw nsw "))
        lane = self._value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        lane = self._resize(lane, 32, bits)
        if kind == "whole":
            block = self._value("call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()")
            size = self._value("call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()")
            start = self._resize(self._value(f"mul{flags}i32 {block}, {size}"), 32, bits)
        elif kind == "row":
            pitch = self._leaf(bits)
            start = self._value(f"mul{flags}i{bits} {self._expression(bits, 1)}, {pitch}")
        else:
            factor = self._leaf(bits) if self._flag(3) else str(self._number(2, 9))
            lane = self._value(f"mul{flags}i{bits} {lane}, {factor}")
            start = self._expression(bits, 1)
        index = self._value(f"add{flags}i{bits} {start}, {lane}")
        if self._flag(3):
            other = self._leaf(bits) if self._flag() else self._expression(bits, 2)
            index = self._value(f"select i1 {self._condition(1)}, i{bits} {index}, i{bits} {other}")
        return index

    def _coordinates(self, bits: int) -> str:
        """The thread's own number taken apart into two or three coordinates, and put together
        again with other strides.
        """
        flags = self._pick((" ", " nsw "))
        lane = self._value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        block = self._value("call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()")
        size = self._pick(("%n", "32", self._value("call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()")))
        start = self._value(f"mul{flags}i32 {block}, {size}")
        left = self._value(f"add{flags}i32 {start}, {lane}")
        if self._flag(4):
            left = self._value(f"add i32 {left}, {self._leaf(32)}")
        total = "0"
        for _ in range(self._number(1, 2)):
            by, quotient = self._quotient(left)
            product = self._value(f"mul{flags}i32 {quotient}, {by}")
            rest = self._value(f"sub{flags}i32 {left}, {product}")
            outer, left = (quotient, rest) if self._flag(3) else (rest, quotient)
            stride = self._pick(("%m", "%n", "1", "1", "8", by, str(self._number(2, 40))))
            part = self._value(f"mul{flags}i32 {outer}, {stride}")
            total = self._value(f"add{flags}i32 {total}, {part}")
        left = self._value(f"mul{flags}i32 {left}, {self._pick(('%k', '1', '1', '4'))}")
        return self._resize(self._value(f"add{flags}i32 {total}, {left}"), 32, bits)

    def _quotient(self, value: str) -> tuple[str, str]:
        """A size, and the number of times that it, or what stands for it, goes into ``value``."""
        size = self._value(f"or i32 {self._pick(('%n', '%m', '%k'))}, {self._pick((1, 1, 32))}")
        if self._flag(3):
            size = str(self._pick((3, 5, 8, 12, 16, 33, 48, 100)))
        kind = self._pick(("sdiv", "udiv", "udiv", "fast", "shift"))
        if kind == "shift":
            count = self._value(f"and i32 {self._leaf(32)}, 7")
            return size, self._value(f"{self._pick(('lshr', 'ashr'))} i32 {value}, {count}")
        if kind != "fast":
            return size, self._value(f"{kind} i32 {value}, {size}")
        wide = self._value(f"zext i32 {value} to i64")
        magic = self._value(f"zext i32 {self._pick(('%m', '%k'))} to i64")
        product = self._value(f"mul i64 {wide}, {magic}")
        high = self._value(f"trunc i64 {self._value(f'lshr i64 {product}, 32')} to i32")
        if self._flag():
            high = self._value(f"add i32 {high}, {value}")
        return size, self._value(f"lshr i32 {high}, {self._pick((0, 2, 5, 6))}")

    def _turned(self) -> str:
        """What is left by a small number of the thread's own, turned by a number for all."""
        lane = self._value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        if self._flag(4):
            lane = self._value(f"mul i32 {lane}, {self._pick((2, 3, -1))}")
        by = self._leaf(32) if self._flag(4) else self._pick(("%n", "%m", "%k"))
        name = self._pick(("add", "add", "add nsw", "sub", "xor"))
        turned = self._value(f"{name} i32 {lane}, {by}")
        size = self._pick((2, 3, 4, 8, 12, 16, 32, 64))
        if self._flag(3):
            return self._value(f"and i32 {turned}, {self._pick((size - 1, 4, 6, 24))}")
        return self._value(f"{self._pick(('urem', 'urem', 'srem'))} i32 {turned}, {size}")

    def _clamped(self, bits: int) -> str:
        """The neighbour of the thread's own place, kept within bounds."""
        flags = self._pick((" nsw ", " ", " nuw nsw "))
        lane = self._value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        block = self._value("call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()")
        size = self._pick(("%n", "32", self._value("call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()")))
        start = self._value(f"mul{flags}i32 {block}, {size}")
        own = self._resize(self._value(f"add{flags}i32 {start}, {lane}"), 32, bits)
        moved = self._value(f"add nsw i{bits} {own}, {self._number(-3, 3)}")
        other = self._pick(("0", "0", self._resize("%m", 32, bits, "sext")))
        if self._flag(3):
            test = self._pick(("slt", "sgt", "ult", "uge"))
            outside = self._value(f"icmp {test} i{bits} {moved}, {other}")
            far = self._pick((other, own, "0"))
            return self._value(f"select i1 {outside}, i{bits} {far}, i{bits} {moved}")
        name = self._pick(("smax", "smin", "umin"))
        kept = self._value(f"call i{bits} @llvm.{name}.i{bits}(i{bits} {moved}, i{bits} {other})")
        if self._flag(3):
            kept = self._value(f"call i{bits} @llvm.smax.i{bits}(i{bits} {kept}, i{bits} 0)")
        return kept

    def _carried(self, bits: int) -> str:
        """What a variable holds by now, far apart: places differ where it does."""
        name, width = self._pick(self._variables)
        now = self._resize(self._value(f"load i{width}, ptr %{name}"), width, bits)
        if self._about_arrays and self._arrays:
            width, place = self._element_of_array()
            now = self._resize(self._value(f"load i{width}, ptr {place}, align 1"), width, bits)
        small = self._value(f"and i{bits} {now}, 1023")
        index = self._value(f"mul i{bits} {small}, {self._pick((64, 1, 8))}")
        if not self._flag():
            return index
        lane = self._value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        return self._value(f"add i{bits} {index}, {self._resize(lane, 32, bits)}")
