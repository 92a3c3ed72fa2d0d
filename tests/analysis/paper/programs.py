"""Random kernels as LLVM IR: nested branches, loops with break and continue, early returns,
switches, local arrays, loads, boolean variables. Variables are stack slots; LLVM makes SSA of them.
"""

from __future__ import annotations

from random import Random

VARIABLES = 4
FLAGS = 2
COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge")


class Program:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.loops: list[tuple[str, str]] = []

    def text(self, name: str) -> str:
        """A kernel's definition."""
        self.emit("%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        for k in range(VARIABLES):
            self.emit(f"%v{k} = alloca i32")
        for k in range(FLAGS):
            self.emit(f"%b{k} = alloca i8")
            self.emit(f"store i8 0, ptr %b{k}")
        for k in range(6):
            self.emit(f"%c{k} = alloca i32")
        self.emit("%own = alloca [4 x i32]")
        defined = 0 if self.random.random() < 0.2 else 1  # the first variable, and a local array
        for k in range(1 - defined, VARIABLES):
            self.emit(f"store i32 {self.expression(0)}, ptr %v{k}")
        for k in range(4 * defined):
            slot = self.define(f"getelementptr [4 x i32], ptr %own, i64 0, i64 {k}")
            self.emit(f"store i32 {self.expression(0)}, ptr {slot}")
        for _ in range(3):
            self.body(3)
        self.store()
        self.emit("ret void")
        body = "\n".join(self.lines)
        return (
            f"define ptx_kernel void @{name}(ptr %p, ptr %q, i32 %n, i32 %m) {{\n"
            f"entry:\n{body}\n}}\n"
        )

    # --- writing -----------------------------------------------------------------------------

    def emit(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def define(self, instruction: str) -> str:
        self.count += 1
        self.emit(f"%x{self.count} = {instruction}")
        return f"%x{self.count}"

    def label(self) -> str:
        self.count += 1
        return f"l{self.count}"

    def start(self, label: str) -> None:
        self.lines.append(f"{label}:")

    # --- expressions -------------------------------------------------------------------------

    def expression(self, depth: int) -> str:
        choice = self.random.random()
        if depth <= 0 or choice < 0.35:
            # Mostly uniform, so that something is known of many values.
            return self.random.choice(("%t", "%n", "%m", str(self.random.randint(-4, 9))))
        if choice < 0.6:
            return self.define(f"load i32, ptr %v{self.random.randrange(VARIABLES)}")
        if choice < 0.7:
            return self.define(f"load i32, ptr {self.element('%q', depth)}")
        if choice < 0.78:
            return self.define(f"load i32, ptr {self.own(1)}")
        if choice < 0.84:
            condition = self.condition(depth - 1)
            a, b = self.expression(depth - 1), self.expression(depth - 1)
            return self.define(f"select i1 {condition}, i32 {a}, i32 {b}")
        op = self.random.choice(("add", "add", "sub", "sub", "mul", "and", "xor", "or", "shl"))
        a = self.expression(depth - 1)
        b = str(self.random.randint(0, 3)) if op == "shl" else self.expression(depth - 1)
        return self.define(f"{op} i32 {a}, {b}")

    def simple(self) -> str:
        """A sum or difference, more often than not."""
        if self.random.random() < 0.3:
            return self.expression(2)
        a = self.define(f"load i32, ptr %v{self.random.randrange(VARIABLES)}")
        return self.define(f"{self.random.choice(('add', 'sub'))} i32 {a}, {self.expression(0)}")

    def condition(self, depth: int) -> str:
        choice = self.random.random()
        if choice < 0.15:
            kept = self.define(f"load i8, ptr %b{self.random.randrange(FLAGS)}")
            return self.define(f"trunc i8 {kept} to i1")
        if choice < 0.3 and depth > 0:
            op = self.random.choice(("and", "or", "xor"))
            return self.define(f"{op} i1 {self.condition(depth - 1)}, {self.condition(depth - 1)}")
        if choice < 0.4 and depth > 0:
            return self.short_circuit(depth)
        if choice < 0.75:
            a, b = "%t", self.expression(0)
        else:
            a, b = self.expression(depth), self.expression(depth)
        return self.define(f"icmp {self.random.choice(COMPARISONS)} i32 {a}, {b}")

    def short_circuit(self, depth: int) -> str:
        conjunction = self.random.random() < 0.5
        first = self.condition(depth - 1)
        before, right, last, end = (self.label() for _ in range(4))
        self.emit(f"br label %{before}")
        self.start(before)
        sides = (right, end) if conjunction else (end, right)
        self.emit(f"br i1 {first}, label %{sides[0]}, label %{sides[1]}")
        self.start(right)
        second = self.condition(depth - 1)
        self.emit(f"br label %{last}")
        self.start(last)
        self.emit(f"br label %{end}")
        self.start(end)
        constant = "false" if conjunction else "true"
        return self.define(f"phi i1 [ {constant}, %{before} ], [ {second}, %{last} ]")

    def element(self, base: str, depth: int) -> str:
        wide = self.define(f"sext i32 {self.expression(depth - 1)} to i64")
        return self.define(f"getelementptr i32, ptr {base}, i64 {wide}")

    def own(self, depth: int) -> str:
        inside = self.define(f"and i32 {self.expression(depth - 1)}, 3")
        wide = self.define(f"sext i32 {inside} to i64")
        return self.define(f"getelementptr [4 x i32], ptr %own, i64 0, i64 {wide}")

    # --- statements --------------------------------------------------------------------------

    def body(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        choice = self.random.random()
        if choice < 0.3 or depth <= 0:
            target = self.random.randrange(VARIABLES)
            self.emit(f"store i32 {self.simple()}, ptr %v{target}")
        elif choice < 0.38:
            self.emit(f"store i32 {self.simple()}, ptr {self.own(1)}")
        elif choice < 0.45:
            wide = self.define(f"zext i1 {self.condition(1)} to i8")
            self.emit(f"store i8 {wide}, ptr %b{self.random.randrange(FLAGS)}")
        elif choice < 0.52:
            self.store()
        elif choice < 0.72:
            self.branch(depth)
        elif choice < 0.88:
            self.loop(depth)
        elif choice < 0.94:
            self.switch(depth)
        else:
            self.leave()

    def store(self) -> None:
        self.emit(f"store i32 1, ptr {self.element('%p', 2)}")

    def branch(self, depth: int) -> None:
        then, other, end = self.label(), self.label(), self.label()
        self.emit(f"br i1 {self.condition(1)}, label %{then}, label %{other}")
        self.start(then)
        self.body(depth - 1)
        self.emit(f"br label %{end}")
        self.start(other)
        if self.random.random() < 0.5:
            self.body(depth - 1)
        self.emit(f"br label %{end}")
        self.start(end)

    def loop(self, depth: int) -> None:
        """Continues go straight to the head, as ``while`` has them; the counter always moves."""
        counter = f"%c{len(self.loops)}"
        head, body, end = self.label(), self.label(), self.label()
        self.emit(f"store i32 0, ptr {counter}")
        self.emit(f"br label %{head}")
        self.start(head)
        now = self.define(f"load i32, ptr {counter}")
        limit = self.random.choice(("%t", "%n", "3", self.expression(1)))
        bound = self.define(f"and i32 {limit}, 3")
        more = self.define(f"icmp slt i32 {now}, {bound}")
        self.emit(f"br i1 {more}, label %{body}, label %{end}")
        self.start(body)
        self.emit(f"store i32 {self.define(f'add i32 {now}, 1')}, ptr {counter}")
        self.loops.append((head, end))
        self.body(depth - 1)
        self.loops.pop()
        self.emit(f"br label %{head}")
        self.start(end)

    def switch(self, depth: int) -> None:
        cases = [self.label() for _ in range(3)]
        end = self.label()
        value = self.expression(1)
        targets = " ".join(
            f"i32 {n}, label %{self.random.choice(cases)}" for n in range(self.random.randint(1, 4))
        )
        self.emit(f"switch i32 {value}, label %{self.random.choice((end, cases[0]))} [ {targets} ]")
        for number, case in enumerate(cases):
            self.start(case)
            self.body(depth - 1)
            falls = number + 1 < len(cases) and self.random.random() < 0.3
            self.emit(f"br label %{cases[number + 1] if falls else end}")
        self.start(end)

    def leave(self) -> None:
        """A conditional break, continue or return."""
        out, on = self.label(), self.label()
        condition = self.condition(1)
        self.emit(f"br i1 {condition}, label %{out}, label %{on}")
        self.start(out)
        if self.loops and self.random.random() < 0.8:
            self.emit(f"br label %{self.random.choice(self.random.choice(self.loops))}")
        else:
            self.emit("ret void")
        self.start(on)
