"""Random kernels as LLVM IR text, written the way a compiler without optimisation writes them.

Every mutable variable is a stack slot, so that preparing the module makes the phis. Integers of
8 to 64 bits, both signednesses, with and without overflow flags; nested branches, short-circuit
conditions, all kinds of loops with ``break`` and ``continue``, ``switch``, early return, local
arrays, shared memory, loads whose contents are arbitrary.

No generated program reads an uninitialised value; one that runs into undefined behaviour does so
only for some arguments, and the reference interpreter notices.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from tests.analysis.warp.fuzz.writer import INTEGERS, POINTERS, SHARED_LENGTH, SREGS, Writer

_ELEMENTS = ("i8", "i16", "i32", "i64", "<2 x i32>", "<4 x i32>", "{ i32, i32, i32 }")
_LEAVES = (
    "tid.x", "tid.x", "tid.x", "tid.y", "ctaid.x", "param", "param", "constant", "constant",
    "variable", "variable", "variable", "sreg", "load", "local", "shared",
)  # fmt: skip
_CONSTANTS = (
    0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 24, 31, 32, 33, 63, 64, 100, 127, 255, 256, -1, -2,
)  # fmt: skip
_DIVISORS = (1, 2, 3, 4, 5, 7, 8, 10, 16, 24, 32, 33, 64, 100, -1, -2, -8)
_MASKS = (1, 3, 7, 15, 16, 24, 28, 31, 63, 64, 96, 127, -2, -4, -8, -16, -32, 5, 170)
_COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_EXPRESSIONS = (
    "leaf", "add", "add", "sub", "mul", "mul", "shift", "shift", "divide", "mask", "bitwise",
    "select", "extremum", "resize", "boolean", "abs", "shuffle",
)  # fmt: skip
_LOCAL_LENGTH = 4


@dataclass
class _Scope:
    """What a place in the program may use."""

    breaks: list[str] = field(default_factory=list)
    continues: list[str] = field(default_factory=list)
    counters: list[tuple[str, int]] = field(default_factory=list)


class Program(Writer):
    """Draws one kernel. ``text`` afterwards holds the module. Mutable; used once."""

    def __init__(self, draw: st.DrawFn, *, size: int = 5) -> None:
        super().__init__(draw)
        self._variables: list[tuple[str, int]] = []
        self._arrays: list[str] = []
        self._fuel = self._pick((40, 25, 80))
        self._depth = 0
        self._loops = 0
        self._about_loops = self._flag()
        self._scope = _Scope()
        for number in range(2):
            self._declare(f"v{number}", 32)
        self._declare("w", 64)
        self._entry += ["  %truth = alloca i1", "  store i1 false, ptr %truth"]
        if self._flag(3):
            self._array()
        self._block(size)
        self._access()
        if not self._closed:
            self._line("ret void")
        self.text = self._module()

    def _declare(self, name: str, bits: int) -> None:
        self._entry.append(f"  %{name} = alloca i{bits}")
        start = self._expression(bits, 1) if self._variables else str(self._pick(_CONSTANTS))
        self._line(f"store i{bits} {start}, ptr %{name}")
        self._variables.append((name, bits))

    def _array(self) -> None:
        name = f"a{len(self._arrays)}"
        self._entry.append(f"  %{name} = alloca [{_LOCAL_LENGTH} x i32]")
        for position in range(_LOCAL_LENGTH):
            place = self._value(f"getelementptr i32, ptr %{name}, i64 {position}")
            start = self._leaf(32) if self._flag(4) else str(position)
            self._line(f"store i32 {start}, ptr {place}")
        self._arrays.append(name)

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
            return self._resize(self._value(f"load i32, ptr {self._in_array()}"), 32, bits)
        if kind == "shared":
            place = self._in_shared()
            return self._resize(self._value(f"load i32, ptr addrspace(3) {place}"), 32, bits)
        name = self._pick(SREGS) if kind == "sreg" else kind
        if name not in SREGS:
            name = "tid.x"
        return self._resize(self._value(f"call i32 @llvm.nvvm.read.ptx.sreg.{name}()"), 32, bits)

    def _constant(self, bits: int) -> int:
        value = self._pick(_CONSTANTS)
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
            op = self._pick(("smin", "smax", "umin", "umax"))
            other = self._leaf(bits)
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

    def _condition(self, depth: int) -> str:
        self._fuel -= 1
        if self._about_loops:
            bits = self._pick((32, 64))
            a, b = self._small(bits), self._small(bits)
            return self._value(f"icmp {self._pick(_COMPARISONS)} i{bits} {a}, {b}")
        kind = self._pick(
            ("compare", "compare", "compare", "and", "or", "xor", "not", "truncate", "truth")
        )
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

    def _in_array(self) -> str:
        name = self._pick(self._arrays)
        index = self._value(f"and i32 {self._leaf(32)}, {_LOCAL_LENGTH - 1}")
        if self._flag():
            index = str(self._number(0, _LOCAL_LENGTH - 1))
        return self._value(f"getelementptr i32, ptr %{name}, i32 {index}")

    def _in_shared(self) -> str:
        index = self._value(f"and i32 {self._leaf(32)}, {SHARED_LENGTH - 1}")
        return self._value(f"getelementptr i32, ptr addrspace(3) @sh, i32 {index}")

    def _access(self) -> None:
        element = self._pick(_ELEMENTS)
        bits = self._pick((32, 32, 64))
        index = self._index(bits)
        pointer = f"%{self._pick(POINTERS)}"
        if element.startswith("{"):
            member = self._number(0, 2)
            place = self._value(
                f"getelementptr {element}, ptr {pointer}, i{bits} {index}, i32 {member}"
            )
            element = "i32"
        else:
            place = self._value(f"getelementptr {element}, ptr {pointer}, i{bits} {index}")
        size = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "<2 x i32>": 8, "<4 x i32>": 16}[element]
        if self._flag():
            self._line(f"store {element} zeroinitializer, ptr {place}, align {size}")
            return
        loaded = self._value(f"load {element}, ptr {place}, align {size}")
        if element == "i32" and self._flag():
            self._line(f"store i32 {loaded}, ptr %{self._variables[0][0]}")

    def _index(self, bits: int) -> str:
        """Anything, or the thread's own place: ``a * pitch + tid.x``, ``tid.x * c + a``."""
        kind = self._pick(("any", "row", "row", "column", "whole", "carried", "carried"))
        if self._about_loops:
            kind = "carried"
        if kind == "any":
            return self._expression(bits, 3)
        if kind == "carried":
            return self._carried(bits)
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

    def _carried(self, bits: int) -> str:
        """What a variable holds by now, far apart: places differ where it does."""
        name, width = self._pick(self._variables)
        now = self._resize(self._value(f"load i{width}, ptr %{name}"), width, bits)
        small = self._value(f"and i{bits} {now}, 1023")
        index = self._value(f"mul i{bits} {small}, {self._pick((64, 1, 8))}")
        if not self._flag():
            return index
        lane = self._value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        return self._value(f"add i{bits} {index}, {self._resize(lane, 32, bits)}")

    def _step(self) -> None:
        """A variable takes a step, or the value of another one."""
        name, bits = self._pick(self._variables)
        other, width = self._pick(self._variables)
        value = self._resize(self._value(f"load i{width}, ptr %{other}"), width, bits, "sext")
        if self._flag(3) and not self._about_loops:
            value = self._value(f"add i{bits} {value}, {self._leaf(bits)}")
        elif self._flag():
            value = self._value(f"add i{bits} {value}, {self._number(1, 3)}")
        self._line(f"store i{bits} {value}, ptr %{name}")

    # --- statements --------------------------------------------------------------------------

    def _block(self, size: int) -> None:
        for _ in range(self._number(1, size)):
            if self._closed or self._fuel <= 0:
                return
            self._statement()

    def _statement(self) -> None:
        kinds = ["assign", "assign", "access", "access", "if", "if", "loop", "array", "step"]
        if self._depth:
            kinds += ["leave", "leave", "step", "step"]
        if self._depth < 2:
            kinds += ["if", "loop", "switch"]
        if self._about_loops:
            kinds = ["loop", "loop", "step", "access", "if", "array"]
            if self._depth:
                kinds = ["step", "step", "if", "if", "leave", "access", "loop", "array", "switch"]
        kind = self._pick(kinds)
        if self._depth >= 3 and kind in {"if", "loop", "switch"}:
            kind = "assign"
        match kind:
            case "assign" if self._flag(6):
                self._line(f"store i1 {self._condition(2)}, ptr %truth")
            case "assign":
                name, bits = self._pick(self._variables)
                self._line(f"store i{bits} {self._expression(bits, 3)}, ptr %{name}")
            case "access":
                self._access()
            case "array":
                self._store_array()
            case "step":
                self._step()
            case "if":
                self._if()
            case "loop":
                self._loop()
            case "switch":
                self._switch()
            case "leave":
                self._leave()

    def _store_array(self) -> None:
        if not self._arrays or self._flag(4):
            place = self._in_shared()
            self._line(f"store i32 {self._leaf(32)}, ptr addrspace(3) {place}")
            return
        self._line(f"store i32 {self._expression(32, 2)}, ptr {self._in_array()}")

    def _branch(self, yes: str, no: str) -> None:
        """A condition with short circuits at times."""
        if self._flag(4):
            middle = self._label("and")
            condition = self._condition(1)
            if self._flag():
                self._close(f"br i1 {condition}, label %{middle}, label %{no}")
            else:
                self._close(f"br i1 {condition}, label %{yes}, label %{middle}")
            self._start(middle)
        self._close(f"br i1 {self._condition(2)}, label %{yes}, label %{no}")

    def _if(self) -> None:
        yes, join = self._label("then"), self._label("join")
        no = self._label("else") if self._flag() else join
        self._branch(yes, no)
        self._start(yes)
        self._depth += 1
        self._block(3)
        self._close(f"br label %{join}")
        if no != join:
            self._start(no)
            self._block(3)
            self._close(f"br label %{join}")
        self._depth -= 1
        self._start(join)

    def _leave(self) -> None:
        kinds = ("break", "continue", "return")
        if self._about_loops:
            kinds = ("break", "continue", "break", "continue", "break", "return")
        kind = self._pick(kinds)
        if kind == "break" and self._scope.breaks:
            self._close(f"br label %{self._scope.breaks[-1]}")
        elif kind == "continue" and self._scope.continues:
            if self._flag():
                self._count(*self._scope.counters[-1])
            self._close(f"br label %{self._scope.continues[-1]}")
        elif kind == "return":
            self._close("ret void")

    def _bound(self, bits: int) -> str:
        kind = self._pick(("constant", "lane", "lane", "uniform", "any"))
        if kind == "constant":
            return str(self._number(0, 5))
        if kind == "lane":
            tid = self._leaf(bits)
            return self._value(f"and i{bits} {tid}, {self._pick((1, 3, 7))}")
        if kind == "uniform":
            name, width = self._pick(INTEGERS)
            small = self._resize(f"%{name}", width, bits)
            return self._value(f"and i{bits} {small}, {self._pick((1, 3, 7))}")
        return self._expression(bits, 1)

    def _loop(self) -> None:
        if self._loops >= 3:
            return
        self._loops += 1
        kind = self._pick(("for", "for", "while", "do"))
        head, body, latch, done = (self._label(name) for name in ("head", "body", "latch", "done"))
        counter, bits = f"i{self._labels}", self._pick((32, 32, 64))
        self._entry.append(f"  %{counter} = alloca i{bits}")
        self._entry.append(f"  store i{bits} 0, ptr %{counter}")
        start = self._leaf(bits) if self._flag(4) else str(self._number(0, 3))
        self._line(f"store i{bits} {start}, ptr %{counter}")
        self._variables.append((counter, bits))
        bound = self._bound(bits)
        self._scope.breaks.append(done)
        self._scope.continues.append(latch)
        self._scope.counters.append((counter, bits))
        self._start(head)
        if kind == "while":
            self._branch(body, done)
            self._scope.continues[-1] = self._pick((head, latch))
        elif kind == "for":
            now = self._value(f"load i{bits}, ptr %{counter}")
            op = self._pick(("slt", "ult", "sle", "ne"))
            test = self._value(f"icmp {op} i{bits} {now}, {bound}")
            self._close(f"br i1 {test}, label %{body}, label %{done}")
        self._start(body)
        self._depth += 1
        self._block(3)
        self._depth -= 1
        self._start(latch)
        self._count(counter, bits)
        if kind == "do":
            self._branch(head, done)
        self._close(f"br label %{head}")
        self._start(done)
        self._scope.breaks.pop()
        self._scope.continues.pop()
        self._scope.counters.pop()

    def _count(self, counter: str, bits: int) -> None:
        now = self._value(f"load i{bits}, ptr %{counter}")
        step = str(self._pick((1, 1, 1, 2, 4, -1)))
        if self._flag(5) and not self._about_loops:
            step = self._leaf(bits)
        flags = self._pick((" ", " nsw ", " nuw nsw "))
        after = self._value(f"add{flags}i{bits} {now}, {step}")
        self._line(f"store i{bits} {after}, ptr %{counter}")

    def _switch(self) -> None:
        value = self._expression(32, 2)
        if self._flag():
            value = self._value(f"and i32 {value}, 3")
        count = self._number(1, 3)
        cases = [self._label("case") for _ in range(count)]
        join = self._label("join")
        default = self._pick((join, cases[0]))
        arms = " ".join(f"i32 {n}, label %{label}" for n, label in enumerate(cases))
        self._close(f"switch i32 {value}, label %{default} [ {arms} ]")
        self._depth += 1
        for label in cases:
            self._start(label)
            self._block(2)
            if not self._flag(3):
                self._close(f"br label %{join}")
        self._depth -= 1
        self._start(join)


@st.composite
def kernels(draw: st.DrawFn, size: int = 5) -> str:
    """The text of a module with one kernel named ``kernel``."""
    return Program(draw, size=size).text
