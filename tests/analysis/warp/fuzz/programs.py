"""Random kernels as LLVM IR text, written the way a compiler without optimisation writes them.

Every mutable variable is a stack slot, so that preparing the module makes the phis. Integers of
8 to 64 bits, both signednesses, with and without overflow flags; nested branches, short-circuit
conditions, all kinds of loops with ``break`` and ``continue``, ``switch``, early return, local
arrays, shared memory, loads whose contents are arbitrary.

No generated program reads an uninitialised value; one that runs into undefined behaviour does so
only for some arguments, and the reference interpreter notices.
"""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec import Struct, field

from tests.analysis.warp.fuzz.expressions import ARRAY_BYTES, CONSTANTS, Expressions
from tests.analysis.warp.fuzz.writer import INTEGERS, POINTERS


class _Scope(Struct):
    """What a place in the program may use."""

    breaks: list[str] = field(default_factory=list)
    continues: list[str] = field(default_factory=list)
    counters: list[tuple[str, int]] = field(default_factory=list)


class Program(Expressions):
    """Draws one kernel. ``text`` afterwards holds the module. Mutable; used once."""

    def __init__(self, draw: st.DrawFn, *, size: int = 5) -> None:
        super().__init__(draw)
        self._loops = 0
        self._scope = _Scope()
        for number in range(2):
            self._declare(f"v{number}", 32)
        self._declare("w", 64)
        self._entry += ["  %truth = alloca i1", "  store i1 false, ptr %truth"]
        for _ in range(2 if self._about_arrays else self._pick((0, 0, 1, 2))):
            self._array()
        self._pointers()
        self._block(size)
        self._access()
        if not self._closed:
            self._line("ret void")
        self.text = self._module()

    def _declare(self, name: str, bits: int) -> None:
        self._entry.append(f"  %{name} = alloca i{bits}")
        start = self._expression(bits, 1) if self._variables else str(self._pick(CONSTANTS))
        self._line(f"store i{bits} {start}, ptr %{name}")
        self._variables.append((name, bits))

    def _array(self) -> None:
        """A local array, all of it set."""
        name, bits = f"a{len(self._arrays)}", self._pick((32, 32, 64, 16))
        self._entry.append(f"  %{name} = alloca [{ARRAY_BYTES * 8 // bits} x i{bits}], align 8")
        start = self._leaf(bits)
        for position in range(ARRAY_BYTES * 8 // bits):
            place = self._value(f"getelementptr i{bits}, ptr %{name}, i64 {position}")
            if self._flag(4):
                start = self._leaf(bits)
            self._line(f"store i{bits} {start}, ptr {place}")
        self._arrays.append(name)

    def _pointers(self) -> None:
        """Variables that hold pointers: to global memory, and to a local array."""
        self._entry.append("  %gp = alloca ptr")
        self._line("store ptr %p0, ptr %gp")
        if self._arrays:
            self._entry.append("  %lp = alloca ptr")
            self._line(f"store ptr %{self._pick(self._arrays)}, ptr %lp")

    # --- statements --------------------------------------------------------------------------

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

    def _block(self, size: int) -> None:
        for _ in range(self._number(1, size)):
            if self._closed or self._fuel <= 0:
                return
            self._statement()

    def _statement(self) -> None:
        kinds = [
            "assign",
            "assign",
            "access",
            "access",
            "if",
            "if",
            "loop",
            "rest",
            "array",
            "step",
        ]
        if self._depth:
            kinds += ["leave", "leave", "step", "step"]
        if self._depth < 2:
            kinds += ["if", "loop", "switch"]
        if self._about_loops:
            kinds = ["loop", "loop", "step", "access", "if", "array"]
            if self._depth:
                kinds = ["step", "step", "if", "if", "leave", "access", "loop", "array", "switch"]
        if self._about_arrays:
            kinds += ["array"] * 6
        kind = self._pick(kinds)
        if self._depth >= 3 and kind in {"if", "loop", "rest", "switch"}:
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
            case "step" if self._flag(4):
                self._point()
            case "step":
                self._step()
            case "if":
                self._if()
            case "loop":
                self._loop()
            case "rest":
                self._strided_loops()
            case "switch":
                self._switch()
            case "leave":
                self._leave()

    def _point(self) -> None:
        """A pointer variable takes a step, or points elsewhere."""
        if self._arrays and self._flag():
            array = self._pick(self._arrays)
            bits = self._pick((32, 32, 64, 16))
            self._line(f"store ptr {self._in_array(array, bits)}, ptr %lp")
            return
        base = f"%{self._pick(POINTERS)}"
        if self._flag():
            base = self._value("load ptr, ptr %gp")
        if self._flag():
            step = self._pick(("1", "32", "-1", self._leaf(64)))
            base = self._value(f"getelementptr i32, ptr {base}, i64 {step}")
        self._line(f"store ptr {base}, ptr %gp")

    def _store_array(self) -> None:
        if not self._arrays or self._flag(4):
            place = self._in_shared()
            self._line(f"store i32 {self._leaf(32)}, ptr addrspace(3) {place}")
            return
        bits, place = self._element_of_array()
        if self._flag(4):
            self._move(place)
            return
        self._line(f"store i{bits} {self._expression(bits, 2)}, ptr {place}, align 1")

    def _move(self, target: str) -> None:
        """Bytes of a local array are copied to another one, or set."""
        length = str(self._pick((4, 8, 8, 16)))
        if self._flag(3):
            length = self._value(f"and i64 {self._leaf(64)}, 15")
        if self._flag(4):
            value = self._leaf(8)
            arguments = f"ptr {target}, i8 {value}, i64 {length}, i1 false"
            self._line(f"call void @llvm.memset.p0.i64({arguments})")
            return
        _, source = self._element_of_array()
        arguments = f"ptr {target}, ptr {source}, i64 {length}, i1 false"
        self._line(f"call void @llvm.memmove.p0.p0.i64({arguments})")

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

    def _strided_loops(self) -> None:
        """``for (; i < n - m; i += 2 * s) …  for (; i < n; i += s) …``, at times the first only."""
        if self._loops >= 3:
            return
        self._loops += 1
        bits = self._pick((32, 32, 64))
        counter = f"r{self._loops}"
        self._entry.append(f"  %{counter} = alloca i{bits}")
        self._entry.append(f"  store i{bits} 0, ptr %{counter}")
        self._line(f"store i{bits} {self._start_of_lanes(bits)}, ptr %{counter}")
        self._variables.append((counter, bits))
        name, width = self._pick(INTEGERS)
        end = self._resize(f"%{name}", width, bits, self._pick(("sext", "zext")))
        if not self._flag(4):
            end = self._value(f"and i{bits} {end}, 255")
        step = self._number(0, 4)
        up = not self._flag(6)
        queue = self._queue() if self._flag(3) else ""
        first = self._value(f"sub i{bits} {end}, {self._pick((0, 1, 31, 96))}")
        flags = self._pick((" ", " nsw "))
        for bound, size in ((first, 16 << step), (end, 8 << step)):
            self._stride(counter, bits, bound, size if up else -size, flags, queue)
            if self._closed or self._flag(3):
                return

    def _start_of_lanes(self, bits: int) -> str:
        """The thread's number, or the lane's, and some number for all."""
        tid = self._resize(self._value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"), 32, bits)
        if self._flag():
            tid = self._value(f"and i{bits} {tid}, {self._pick((31, 15, 7))}")
        if self._flag(3):
            tid = self._value(f"xor i{bits} {tid}, {self._pick((31, -1))}")
        return self._value(f"add i{bits} {tid}, {self._leaf(bits)}") if self._flag(3) else tid

    def _queue(self) -> str:
        """The end of a queue of each thread's own: a place to start at, and it only moves on."""
        queue = f"%q{self._loops}"
        self._entry += [f"  {queue} = alloca i32", f"  store i32 0, ptr {queue}"]
        self._line(f"store i32 {self._start_of_lanes(32)}, ptr {queue}")
        return queue

    def _push(self, queue: str, flags: str) -> None:
        """Some lanes put something at the end of their queues."""
        push, join = self._label("push"), self._label("join")
        self._close(f"br i1 {self._condition(1)}, label %{push}, label %{join}")
        self._start(push)
        element = self._pick(("i32", "i64", "<2 x double>"))
        now = self._value(f"load i32, ptr {queue}")
        where = self._value(f"sext i32 {now} to i64")
        place = self._value(f"getelementptr {element}, ptr %p0, i64 {where}")
        self._line(f"store i32 0, ptr {place}, align 4")
        after = self._value(f"add{flags}i32 {now}, {self._pick((1, 32, 64, 96, 128, -64))}")
        self._line(f"store i32 {after}, ptr {queue}")
        self._close(f"br label %{join}")
        self._start(join)

    def _stride(
        self, counter: str, bits: int, bound: str, step: int, flags: str, queue: str
    ) -> None:
        """One of the loops, tested at its head, or at its end behind a test."""
        head, body, done = (self._label(name) for name in ("head", "body", "done"))
        op = self._pick(("slt", "ult", "sle") if step > 0 else ("sgt", "ugt", "sge"))
        rotated = self._flag()

        def test(yes: str) -> None:
            now = self._value(f"load i{bits}, ptr %{counter}")
            goes = self._value(f"icmp {op} i{bits} {now}, {bound}")
            self._close(f"br i1 {goes}, label %{yes}, label %{done}")

        if rotated:
            test(body)
        else:
            self._start(head)
            test(body)
        self._start(body)
        self._depth += 1
        if queue:
            self._push(queue, flags)
        else:
            self._access()
        self._depth -= 1
        now = self._value(f"load i{bits}, ptr %{counter}")
        after = self._value(f"add{flags}i{bits} {now}, {step}")
        self._line(f"store i{bits} {after}, ptr %{counter}")
        if rotated:
            test(body)
        else:
            self._close(f"br label %{head}")
        self._start(done)

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
