"""Random whole-number expressions whose values are known to stay in a range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st
from msgspec import Struct

from tests.dynamic.fuzz.kernel import ARRAYS, ELEMENTS, READ, SHARED, Block

_T = TypeVar("_T")
MOST = 1 << 13
_CONSTANTS = (0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 31, 32, 33, 64, 100)
_POWERS = (1, 2, 4, 8, 16, 32, 64, 128)
_FORMS = (
    "leaf", "leaf", "+", "+", "-", "*", "*", "/", "%", "shift", "&", "|^", "min", "?:", "cast",
    "unsigned", "call", "bits",
)  # fmt: skip
MOST_N, MOST_M = 40, 12


class Expr(Struct, frozen=True):
    """An ``int`` expression with its least and greatest value."""

    text: str
    low: int
    high: int

    @property
    def fits(self) -> bool:
        return self.low >= -MOST and self.high <= MOST


class Expressions:
    """Draws expressions over the names in ``names``, which grow and shrink with scopes."""

    def __init__(self, draw: st.DrawFn, block: Block, grid: int) -> None:
        self.draw = draw
        x, y, z = block
        threads = x * y * z
        self.names = [
            Expr("tx", 0, x - 1), Expr("tx", 0, x - 1), Expr("tx", 0, x - 1),
            Expr("ty", 0, y - 1), Expr("tz", 0, z - 1), Expr("linear", 0, threads - 1),
            Expr("(int)blockIdx.x", 0, grid - 1), Expr("(int)blockDim.x", x, x),
            Expr("gid", 0, grid * x - 1), Expr("(linear & 31)", 0, 31),
            Expr("linear / 32", 0, (threads - 1) // 32), Expr("n", 0, MOST_N),
            Expr("m", 1, MOST_M), Expr("v0", 0, 1023), Expr("v1", -64, 63), Expr("v2", 0, 255),
        ]  # fmt: skip

    def pick(self, options: Sequence[_T]) -> _T:
        """One of several."""
        return self.draw(st.sampled_from(options))

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.draw(st.integers(0, 99)) < percent

    def number(self, low: int, high: int) -> int:
        """A whole number."""
        return self.draw(st.integers(low, high))

    # --- values ------------------------------------------------------------------------------

    def leaf(self) -> Expr:
        """A name, a constant, or what an array holds."""
        kind = self.number(0, 99)
        if kind < 22:
            value = self.pick(_CONSTANTS)
            return Expr(str(value), value, value)
        if kind < 30:
            return self.loaded()
        return self.pick(self.names)

    def loaded(self) -> Expr:
        """What global, shared or local memory holds."""
        match self.number(0, 5):
            case 0:
                return Expr(f"loc[{self.index(8)}]", 0, 255)
            case 1:
                return Expr(f"(sh[{self.index(SHARED)}] & 63)", 0, 63)
            case _:
                name = self.pick(list(ARRAYS))
                element = f"a_{name}[{self.index(ELEMENTS // 32)}]"
                return Expr(f"({READ[name].format(element)} & 63)", 0, 63)

    def expr(self, depth: int = 2) -> Expr:
        """Any expression that fits."""
        if depth <= 0:
            return self.leaf()
        form = self.pick(_FORMS)
        found = self._form(form, depth)
        return found if found.fits else self.within(found, 0, 511)

    def within(self, e: Expr, low: int, high: int) -> Expr:
        """``e`` itself where it is in the range, else cut to it; the range is a power of two."""
        if low <= e.low and e.high <= high:
            return e
        size = high - low + 1
        if size & (size - 1) == 0 and self.chance(70):
            shift = f" - {-low}" if low < 0 else ""
            return Expr(f"((({e.text}) & {size - 1}){shift})", low, high)
        if e.low >= 0 and low >= 0:
            return Expr(f"(({e.text}) % {high + 1})", 0, high)
        return Expr(f"clamped({e.text}, {low}, {high})", low, high)

    def index(self, length: int, depth: int = 0) -> str:
        """An index of an array with ``length`` elements."""
        e = self.expr(depth or self.number(0, 1))
        if e.low < 0 and e.high - e.low < length:
            return f"({e.text}) + {-e.low}"
        if e.low >= 0 and e.high < length:
            spare = length - 1 - e.high
            if spare and self.chance(20):
                return f"({e.text}) + {self.number(1, min(spare, 40))}"
            return e.text
        return self.within(e, 0, length - 1).text

    def _form(self, form: str, depth: int) -> Expr:
        make: Callable[[], Expr] = lambda: self.expr(depth - 1)  # noqa: E731
        match form:
            case "leaf":
                return self.leaf()
            case "+":
                a, b = make(), make()
                return Expr(f"({a.text} + {b.text})", a.low + b.low, a.high + b.high)
            case "-":
                a, b = make(), make()
                return Expr(f"({a.text} - {b.text})", a.low - b.high, a.high - b.low)
            case "*":
                a = make()
                b = make() if self.chance(20) else self._factor()
                corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                return Expr(f"({a.text} * {b.text})", min(corners), max(corners))
            case "/" | "%":
                return self._divided(form, make())
            case "shift":
                a, k = make(), self.number(1, 5)
                if self.chance(50):
                    return Expr(f"({a.text} >> {k})", a.low >> k, a.high >> k)
                if a.low < 0 or a.high << k > MOST:
                    return a
                return Expr(f"({a.text} << {k})", a.low << k, a.high << k)
            case "&":
                a, k = make(), self.pick((1, 3, 7, 15, 16, 24, 28, 31, 63, 96, 127, 255))
                return Expr(f"({a.text} & {k})", 0, k)
            case "|^":
                a = self.within(make(), 0, 255)
                k = self.pick((1, 2, 5, 7, 16, 31, 32, 64, 128))
                top = (1 << max(a.high, k).bit_length()) - 1
                return Expr(f"({a.text} {self.pick('|^')} {k})", 0, top)
            case "min":
                a, b = make(), make()
                name, f = self.pick((("min", min), ("max", max)))
                return Expr(f"{name}({a.text}, {b.text})", f(a.low, b.low), f(a.high, b.high))
            case "?:":
                a, b = make(), make()
                text = f"({self.condition(depth - 1)} ? {a.text} : {b.text})"
                return Expr(text, min(a.low, b.low), max(a.high, b.high))
            case "cast":
                type_, low, high = self.pick(
                    (("unsigned char", 0, 255), ("signed char", -128, 127), ("short", -MOST, MOST))
                )
                a = make()
                if low <= a.low and a.high <= high:
                    low, high = a.low, a.high
                return Expr(f"((int)({type_})({a.text}))", low, high)
            case "unsigned":
                return self._unsigned(make())
            case "bits":
                a = make()
                return self.pick(
                    (Expr(f"__popc({a.text})", 0, 32),
                     Expr(f"(int)(({a.text}) * 0.5f)", min(a.low, 0), max(a.high, 0)),
                     Expr(f"(int)((long long){a.text} * 3 % 101)", -100, 100),
                     Expr(f"abs({a.text})", 0, max(abs(a.low), abs(a.high))))
                )  # fmt: skip
            case _:
                return self._called(make())

    def _factor(self) -> Expr:
        if self.chance(25):
            return self.pick([e for e in self.names if e.text in {"n", "m", "(int)blockDim.x"}])
        value = self.pick(_CONSTANTS)
        return Expr(str(value), value, value)

    def _divided(self, form: str, a: Expr) -> Expr:
        if self.chance(15):
            b, most = "m", MOST_M
        else:
            most = self.pick((2, 3, 4, 5, 7, 8, 16, 24, 32, 33))
            b = str(most)
        if form == "/":
            return Expr(f"({a.text} / {b})", min(a.low, 0), max(a.high, 0))
        return Expr(f"({a.text} % {b})", 0 if a.low >= 0 else 1 - most, most - 1)

    def _unsigned(self, a: Expr) -> Expr:
        """Arithmetic that may wrap around, and comes back to a small range."""
        k = self.pick((5, 7, 31, 100, 0x9E3779B1))
        bits = self.number(3, 9)
        most = (1 << bits) - 1
        return self.pick(
            (Expr(f"(int)(((unsigned)({a.text}) - {k}u) & {most}u)", 0, most),
             Expr(f"(int)((u + (unsigned)({a.text})) % {most}u)", 0, most - 1),
             Expr(f"(int)((unsigned)({a.text}) * {k}u >> {32 - bits})", 0, most),
             Expr(f"(int)(((unsigned long long)u * 4 + {a.text}) & {most})", 0, most))
        )  # fmt: skip

    def _called(self, a: Expr) -> Expr:
        match self.number(0, 4):
            case 4:
                return Expr(f"mirrored({a.text})", min(a.low, 0), 31)
            case 0:
                low, high = sorted((self.number(-8, 40), self.number(0, 200)))
                return Expr(f"clamped({a.text}, {low}, {high})", low, high)
            case 1:
                return Expr(f"steps({a.text})", 0, 9)
            case 2:
                a = self.within(a, 0, 1023)
                return Expr(f"chosen({a.text}, {self.leaf().text})", 0, max(a.high, 63))
            case _:
                a = self.within(a, 0, 1023)
                return Expr(f"folded<{self.pick((3, 8, 20))}>({a.text})", 0, 255)

    # --- conditions --------------------------------------------------------------------------

    def condition(self, depth: int = 1) -> str:
        """Something that is true or not."""
        match self.number(0, 9):
            case 0 if depth > 0:
                both = self.condition(depth - 1), self.condition(depth - 1)
                return f"({both[0]} {self.pick(('&&', '||'))} {both[1]})"
            case 1 if depth > 0:
                return f"!{self.condition(depth - 1)}"
            case 2:
                mask = self.pick((1, 2, 3, 7, 16, 31))
                return f"(({self.expr(depth - 1).text} & {mask}) == 0)"
            case 3:
                return f"({self.loaded().text} > {self.number(5, 60)})"
            case 4:
                uniform = ("n", "m", "(int)blockIdx.x", "(int)(u & 7)")
                return f"({self.pick(uniform)} > {self.number(0, 9)})"
            case _:
                relation = self.pick(("<", "<", ">", "<=", ">=", "==", "!="))
                return f"({self.expr(depth - 1).text} {relation} {self.expr(0).text})"
