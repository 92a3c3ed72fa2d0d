"""Random kernels: statements, loops, branches, shared memory, as a Hypothesis strategy."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.dynamic.fuzz.expressions import MOST_M, MOST_N, Expr, Expressions
from tests.dynamic.fuzz.kernel import (
    ARRAYS,
    DECLARATIONS,
    ELEMENTS,
    SHARED,
    WHOLE,
    Block,
    Kernel,
    Statement,
)

BLOCKS: tuple[Block, ...] = (
    (32, 1, 1), (64, 1, 1), (64, 1, 1), (16, 16, 1), (16, 16, 1), (8, 8, 1), (32, 4, 1), (33, 2, 1),
    (16, 2, 2), (4, 4, 4), (48, 1, 1), (96, 2, 1), (7, 5, 1), (1, 64, 1), (24, 3, 1), (20, 1, 1),
    (128, 1, 1), (8, 4, 3),
)  # fmt: skip
_DEPTH = 3
_STATEMENTS = (
    "load", "load", "load", "store", "store", "shared", "shared", "atomic", "assign", "assign",
    "local", "if", "if", "for", "for", "walk", "switch", "return", "barrier", "warp", "struct",
    "do",
)  # fmt: skip
_OUTPUTS = {
    "oi": "{} = {}", "of": "{} = {} + acc", "od": "{} = {}", "oc": "{} = (char)({})",
    "oq": "{}.y = {}", "ocell": "{}.b = {}",
}  # fmt: skip


class Program(Expressions):
    """Draws one kernel. ``uniform``: whether all threads of the block are here; ``loops``: around
    the statement that is being drawn.
    """

    def __init__(self, draw: st.DrawFn) -> None:
        self.block: Block = draw(st.sampled_from(BLOCKS))
        self.grid = draw(st.sampled_from((1, 2, 3)))
        super().__init__(draw, self.block, self.grid)
        self.uniform = True
        self.returned = False
        self.loops = 0
        self.fresh = 0
        self.left = draw(st.integers(6, 16))

    def kernel(self) -> Kernel:
        """All of it."""
        statements: list[Statement] = []
        while self.left > 0:
            statements.append(self.statement(_DEPTH))
        first = self.within(self.pick(self.names[:13]), -64, 63).text
        declarations = (*DECLARATIONS, f"v1 = {first};")
        return Kernel(self.block, self.grid, declarations, tuple(statements))

    def body(self, depth: int, *, uniform: bool = False) -> tuple[Statement, ...]:
        """Statements of a compound one."""
        known, before = len(self.names), self.uniform
        self.uniform = before and uniform
        found = tuple(self.statement(depth - 1) for _ in range(self.number(1, 3)))
        self.uniform = before
        del self.names[known:]
        return found

    def statement(self, depth: int) -> Statement:
        """Any statement."""
        self.left -= 1
        kind = self.pick(_STATEMENTS)
        if depth > 0:
            match kind:
                case "if":
                    other = self.body(depth) if self.chance(40) else None
                    text = f"if ({self.condition()})"
                    return Statement(text, self.body(depth), other, once="if (true)")
                case "for":
                    return self._for(depth)
                case "walk":
                    return self._walk(depth)
                case "do":
                    return self._do(depth)
                case "switch":
                    return self._switch(depth)
        return self._simple(kind)

    # --- simple ones -------------------------------------------------------------------------

    def _simple(self, kind: str) -> Statement:
        match kind:
            case "store":
                name = self.pick(list(_OUTPUTS))
                place = f"r_{name}[{self.index(ELEMENTS, 2)}]"
                return Statement(_OUTPUTS[name].format(place, self.expr(1).text) + ";")
            case "shared":
                return Statement(self._shared())
            case "atomic":
                return Statement(self._atomic())
            case "assign":
                name, low, high = self.pick((("v0", 0, 1023), ("v1", -64, 63), ("v2", 0, 255)))
                return Statement(f"{name} = {self.within(self.expr(2), low, high).text};")
            case "local":
                value = self.within(self.expr(1), 0, 255).text
                return Statement(f"loc[{self.index(8)}] = {value};")
            case "struct":
                place = self.index(ELEMENTS, 1)
                return Statement(
                    self.pick(
                        (f"own = a_cell[{place}];", f"r_ocell[{place}] = own;",
                         f"own.b = {self.expr(1).text};", f"acc += around(a_f32, {place} & 8191);")
                    )
                )  # fmt: skip
            case "return" if not (self.loops and self.uniform) and self.chance(40):
                self.returned = True
                return Statement(f"if ({self.condition()}) return;")
            case "barrier" if self.uniform:
                return Statement("__syncthreads();")
            case "warp" if self.uniform and not self.returned:
                return Statement(self._cross())
            case "return" | "barrier" if self.loops and not self.uniform:
                word = self.pick(("break", "continue"))
                return Statement(f"if ({self.condition()}) {word};")
            case _:
                return Statement(self._load())

    def _load(self) -> str:
        name = self.pick(list(ARRAYS))
        element = f"a_{name}[{self.index(ELEMENTS, 2)}]"
        if name in WHOLE and self.chance(50):
            return f"acc += {WHOLE[name].format(element, element)};"
        if name == "row":
            return f"acc += a_row[{self.index(ELEMENTS // 32, 2)}].f[{self.index(33)}];"
        if name == "i32" and self.chance(40):
            return f"sum += cached(&{element});"
        if name in {"i32", "u8", "s16"}:
            return f"sum += {element};"
        member = {"f2": ".x", "q4": ".y", "cell": ".b", "big": ".d"}.get(name, "")
        return f"acc += {element}{member};"

    def _shared(self) -> str:
        match self.number(0, 6):
            case 0 | 1:
                return f"sh[{self.index(SHARED, 2)}] = {self.expr(1).text};"
            case 2:
                return f"acc += shf[{self.index(32)}][{self.index(33)}];"
            case 3:
                return f"shf[{self.index(32)}][{self.index(33)}] = acc;"
            case 4:
                return f"shd[{self.index(256, 2)}] = acc;"
            case 5:
                return f"sum += shq[{self.index(128, 2)}].x;"
            case _:
                return f"acc += shd[{self.index(256, 2)}];"

    def _atomic(self) -> str:
        place = f"&r_hits[{self.index(1024, 1)}]"
        return self.pick(
            (f"atomicAdd({place}, 1);", f"atomicAdd(&sh[{self.index(SHARED)}], 1);",
             f"v2 = atomicAdd({place}, {self.leaf().text}) & 255;",
             f"atomicMax({place}, {self.leaf().text});",
             f"atomicCAS({place}, 0, 3);", f"atomicAdd(&r_of[{self.index(ELEMENTS)}], 1.0f);")
        )  # fmt: skip

    def _cross(self) -> str:
        """Lanes of whole warps that look at each other."""
        lane = self.number(0, 31)
        value = self.within(self.expr(1), 0, 255).text
        if self.block[0] * self.block[1] * self.block[2] % 32:
            return f"v2 = __popc(__ballot_sync(__activemask(), {self.condition()}));"
        return self.pick(
            (f"v2 = __shfl_sync(~0u, {value}, {lane});",
             f"v2 = __shfl_xor_sync(~0u, {value}, {self.pick((1, 2, 16, 31))});",
             f"v2 = __shfl_down_sync(~0u, {value}, {self.pick((1, 4, 16))}, "
             f"{self.pick((32, 16, 8))});",
             f"v2 = __popc(__ballot_sync(~0u, {self.condition()}));", f"v2 = swapped({value});",
             f"if (__any_sync(~0u, {self.condition()})) acc += a_f32[{self.index(ELEMENTS)}];")
        )  # fmt: skip

    # --- compound ones -----------------------------------------------------------------------

    def _name(self) -> str:
        self.fresh += 1
        return f"k{self.fresh}"

    def _inside(self, depth: int, name: Expr, *, uniform: bool) -> tuple[Statement, ...]:
        self.loops += 1
        self.names += [name, name]
        found = self.body(depth, uniform=uniform)
        del self.names[-2:]
        self.loops -= 1
        return found

    def _for(self, depth: int) -> Statement:
        k, step = self._name(), self.pick((1, 1, 2, 3))
        low = self.number(0, 4)
        match self.number(0, 4):
            case 0 | 1:
                count = self.number(1, 5)
                end, high, uniform = str(low + count * step), low + count * step, True
            case 2:
                end, high, uniform = "min(n, 9)", min(MOST_N, 9), False
            case 3:
                end, high, uniform = "m / 2", MOST_M // 2, False
            case _:
                most = self.pick((3, 5, 8))
                end, high, uniform = f"({self.expr(1).text} & {most})", most, False
        high = max(high, low)
        if self.chance(25):  # threads go over a range together
            most = self.block[0] * 3
            text = f"for (int {k} = tx; {k} < {self.number(1, most)}; {k} += blockDim.x)"
            body = self._inside(depth, Expr(k, 0, most + self.block[0]), uniform=False)
            return Statement(text, body, once=f"for (int {k} = 0, o{k} = 1; o{k}; o{k} = 0)")
        body = self._inside(depth, Expr(k, low, high), uniform=uniform)
        text = f"for (int {k} = {low}; {k} < {end}; {k} += {step})"
        if self.chance(15):
            text = "#pragma unroll 1\n  " + text
        return Statement(text, body, once=f"for (int {k} = {low}, o{k} = 1; o{k}; o{k} = 0)")

    def _walk(self, depth: int) -> Statement:
        """A second index, a pointer or an object that moves along with the counter."""
        k, count = self._name(), self.number(2, 5)
        start, stride = self.within(self.expr(1), 0, 1023), self.pick((1, 2, 4, 32, 33, 64))
        head = f"for (int {k} = 0; {k} < {count}; {k}++"
        once = f"for (int {k} = 0, o{k} = 1; o{k}; o{k} = 0)"
        match self.number(0, 2):
            case 0:
                text = f"for (int {k} = 0, j{k} = {start.text}; {k} < {count}; {k}++, "
                name = Expr(f"j{k}", start.low, start.high + count * stride)
                once = f"for (int {k} = 0, j{k} = 5, o{k} = 1; o{k}; o{k} = 0)"
                return Statement(
                    f"{text}j{k} += {stride})", self._inside(depth, name, uniform=True), once=once
                )
            case 1:
                array = self.pick(("f32", "f64"))
                declared = f"auto *p{k} = a_{array} + {start.text};"
                if self.chance(30):
                    declared = (
                        f"auto *p{k} = {self.condition()} ? a_{array} + {start.text} "
                        f": a_{array} + ({self.index(ELEMENTS)}) / 2;"
                    )
                body = (*self._inside(depth, Expr(k, 0, count), uniform=True),
                        Statement(f"acc += *p{k};"))  # fmt: skip
                loop = Statement(f"{head}, p{k} += {stride})", body, once=once)
                return Statement("if (true)", (Statement(f"{declared} (void)p{k};"), loop))
            case _:
                declared = f"Walker w{k}({start.text}, {self.within(self.leaf(), 0, 127).text});"
                body = self._inside(depth, Expr(f"w{k}.at", 0, 1023), uniform=True)
                loop = Statement(f"{head}, w{k}.next())", body, once=once)
                return Statement("if (true)", (Statement(declared), loop))

    def _do(self, depth: int) -> Statement:
        k = self._name()
        most = self.number(2, 7)
        body = self._inside(depth, Expr(k, 0, most), uniform=False)
        text = f"for (int {k} = 0; {k} < {most} && {self.condition()}; {k}++)"
        return Statement(text, body, once=f"for (int {k} = 0, o{k} = 1; o{k}; o{k} = 0)")

    def _switch(self, depth: int) -> Statement:
        cases = []
        loops, self.loops = self.loops, 0
        for label in ("case 0:", "case 1: case 5:", "case 2:", "default:")[: self.number(2, 4)]:
            cases.append(Statement(label, self.body(depth)))
            if self.chance(70):
                cases.append(Statement("break;"))
        self.loops = loops
        return Statement(f"switch ({self.expr(1).text} & 7)", tuple(cases))


@st.composite
def kernels(draw: st.DrawFn) -> Kernel:
    """A kernel with how it is launched."""
    return Program(draw).kernel()
