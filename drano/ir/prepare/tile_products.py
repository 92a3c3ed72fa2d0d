"""Products of tiles by a warp, written as shuffles and sums.

Means: the elements of a tile lie in the lanes as PTX documents it for ``mma.sync``. Lane
``4 g + t`` has, of the first factor, rows ``g``, ``g + 8``, …, of the second one columns ``g``,
``g + 8``, …, and of both every fourth word along the sum, from word ``t`` on; of the result it has
these rows, in columns ``2 t`` and ``2 t + 1`` of each eight. A word is as many elements as 32 bits
hold, or a double.
Source: PTX ISA, "Matrix Fragments for mma.m16n8k16" and its neighbours.
Limits: one GPU instruction counts as many, and sums are rounded after each addition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from drano.ir.prepare.widths.used_words import TILE

SHUFFLE: Final = "llvm.nvvm.shfl.sync.idx.i32"
LANE: Final = "llvm.nvvm.read.ptx.sreg.laneid"
DECLARATIONS: Final = (
    f"declare i32 @{LANE}()",
    f"declare i32 @{SHUFFLE}(i32, i32, i32, i32)",
)
_IN_WORD: Final = {"f16": 2, "bf16": 2, "tf32": 1, "f64": 1, "s8": 4, "u8": 4}


class Shape(Struct, frozen=True):
    """A product of ``m`` rows, ``n`` columns and sums of ``k``; ``type`` of the factors."""

    m: int
    n: int
    k: int
    type: str

    @property
    def in_word(self) -> int:
        """Elements in a word."""
        return _IN_WORD[self.type]

    @property
    def depth(self) -> int:
        """Words that a lane has of each of its lines."""
        return self.k // (4 * self.in_word)

    def words(self, part: str) -> int:
        """Words that a lane has of a factor, ``a`` or ``b``."""
        return (self.m if part == "a" else self.n) // 8 * self.depth

    def sums(self) -> int:
        """Elements of the result that a lane has."""
        return self.m * self.n // 32


class FunctionText:
    """The text of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def set(self, text: str) -> str:
        """Add an instruction; its name."""
        name = f"%{TILE if text.startswith('load ') else 'v'}{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def text(self, name: str, result: str, parameters: str) -> str:
        """The whole definition."""
        body = "\n".join(self.lines)
        return f"define internal {result} @drano.{name}({parameters}) {{\n{body}\n}}\n"

    def give(self, type_: str, values: Sequence[str]) -> str:
        """Return ``values``, as a structure if there are several; the type of that."""
        if len(values) == 1:
            self.lines.append(f"  ret {type_} {values[0]}")
            return type_
        whole = f"{{ {', '.join([type_] * len(values))} }}"
        made = "poison"
        for number, value in enumerate(values):
            made = self.set(f"insertvalue {whole} {made}, {type_} {value}, {number}")
        self.lines.append(f"  ret {whole} {made}")
        return whole

    def joined(self, vector: str, element: str, values: Sequence[str]) -> list[str]:
        """``values`` in vectors, as many as go into one."""
        length = int(vector[1:].partition(" ")[0])
        joined = []
        for start in range(0, len(values), length):
            made = "poison"
            for k, value in enumerate(values[start : start + length]):
                made = self.set(f"insertelement {vector} {made}, {element} {value}, i64 {k}")
            joined.append(made)
        return joined

    def place(self) -> tuple[str, str]:
        """``g`` and ``t``."""
        lane = self.set(f"call i32 @{LANE}()")
        return self.set(f"lshr i32 {lane}, 2"), self.set(f"and i32 {lane}, 3")

    def of_lane(self, value: str, lane: str, type_: str = "i32") -> str:
        """What another lane has."""
        if type_ == "double":
            bits = self.set(f"bitcast double {value} to <2 x i32>")
            halves = [self.set(f"extractelement <2 x i32> {bits}, i64 {k}") for k in range(2)]
            both = self.joined("<2 x i32>", "i32", [self.of_lane(h, lane) for h in halves])
            return self.set(f"bitcast <2 x i32> {both[0]} to double")
        return self.set(f"call i32 @{SHUFFLE}(i32 -1, i32 {value}, i32 {lane}, i32 31)")

    def product(
        self,
        shape: Shape,
        a: Sequence[str],
        b: Sequence[str],
        sums: Sequence[str],
        *,
        signs: tuple[bool, bool] = (True, True),
        saturated: bool = False,
    ) -> list[str]:
        """``sums``, of floats, doubles or ``i32``, with the products added; ``a`` and ``b``: words.

        ``signs``: whether bytes of either factor have one; ``saturated``: sums of bytes that do not
        fit are the next number that does.
        """
        g, t = self.place()
        first = self.set(f"shl i32 {g}, 2")
        double = self.set(f"shl i32 {t}, 3")
        rows = [
            self._lines(shape, a, first, h, shape.m // 8, signs[0]) for h in range(shape.m // 8)
        ]
        wide = self.set(f"or i32 {double}, 4")
        columns = [
            self._lines(shape, b, lane, c, shape.n // 8, signs[1])
            for c in range(shape.n // 8)
            for lane in (double, wide)
        ]
        found = []
        for place, (row, column) in enumerate((r, c) for r in rows for c in columns):
            total = sums[place]
            if saturated:
                total = self.set(f"sext i32 {total} to i64")
            for x, y in zip(row, column, strict=True):
                total = self._added(shape.type, total, x, y, wide=saturated)
            found.append(self._saturated(total) if saturated else total)
        return found

    def _added(self, type_: str, total: str, x: str, y: str, *, wide: bool) -> str:
        if type_ == "f64":
            return self.set(f"call double @llvm.fma.f64(double {x}, double {y}, double {total})")
        if type_ in {"s8", "u8"}:
            term = self.set(f"mul i32 {x}, {y}")
            if wide:
                term = self.set(f"sext i32 {term} to i64")
            return self.set(f"add {'i64' if wide else 'i32'} {total}, {term}")
        term = self.set(f"fmul float {x}, {y}")
        return self.set(f"fadd float {total}, {term}")

    def _saturated(self, total: str) -> str:
        low = self.set(f"call i64 @llvm.smax.i64(i64 {total}, i64 {-(1 << 31)})")
        fits = self.set(f"call i64 @llvm.smin.i64(i64 {low}, i64 {(1 << 31) - 1})")
        return self.set(f"trunc i64 {fits} to i32")

    def _lines(
        self, shape: Shape, words: Sequence[str], first: str, line: int, lines: int, signed: bool
    ) -> list[str]:
        """All elements of a line, which the lanes from ``first`` on have."""
        type_ = "double" if shape.type == "f64" else "i32"
        found = []
        for d in range(shape.depth):
            for s in range(4):
                lane = self.set(f"or i32 {first}, {s}")
                word = self.of_lane(words[line + lines * d], lane, type_)
                found += self._elements(shape.type, word, signed)
        return found

    def _elements(self, type_: str, word: str, signed: bool) -> list[str]:
        match type_:
            case "f16":
                pair = self.set(f"bitcast i32 {word} to <2 x half>")
                return self.floats(pair)
            case "bf16":
                bits = self.set(f"shl i32 {word}, 16"), self.set(f"and i32 {word}, -65536")
                return [self.set(f"bitcast i32 {b} to float") for b in bits]
            case "tf32":  # the 13 low bits do not count
                kept = self.set(f"and i32 {word}, -8192")
                return [self.set(f"bitcast i32 {kept} to float")]
            case "f64":
                return [word]
            case _:
                vector = self.set(f"bitcast i32 {word} to <4 x i8>")
                each = [self.set(f"extractelement <4 x i8> {vector}, i64 {k}") for k in range(4)]
                return [self.set(f"{'sext' if signed else 'zext'} i8 {e} to i32") for e in each]

    def floats(self, pair: str) -> list[str]:
        """The two of a pair of halves."""
        halves = [self.set(f"extractelement <2 x half> {pair}, i64 {k}") for k in range(2)]
        return [self.set(f"fpext half {h} to float") for h in halves]

    def halves(self, sums: Sequence[str]) -> list[str]:
        """Floats as pairs of halves."""
        rounded = [self.set(f"fptrunc float {s} to half") for s in sums]
        return self.joined("<2 x half>", "half", rounded)
