"""Products of tiles (``nvcuda::wmma``) as loads, shuffles and sums, which the back end knows.

Means: ``@llvm.nvvm.wmma.m16n16k16.…`` becomes a function of the module that is inlined like any
other, so that a fragment's accesses are counted and checked. No document says how the elements of a
tile are spread over the lanes, so the layout is chosen for few shuffles. Lane ``4 i + j`` sums up
rows ``2 i`` and ``2 i + 1`` of columns ``4 j`` to ``4 j + 3``: its own (row ``2 i + j % 2``, column
``4 j + i % 4``) first, then those of the lanes whose numbers differ in the same bits.
Limits: tiles of 16 x 16 x 16, of ``half`` and of bytes, without saturation; others stay as they
are. One GPU instruction counts as many, and sums are rounded after each addition.
"""

from __future__ import annotations

import re

_DECLARED = re.compile(
    r"^declare (?P<result>[^@\n]*?) ?@llvm\.nvvm\.(?P<name>wmma\.m16n16k16\.[\w.]+)\([^\n]*$",
    re.MULTILINE,
)
_MOVE = re.compile(
    r"wmma\.m16n16k16\.(?:load|store)\.(?P<part>[abcd])\.(?P<order>row|col)(?P<stride>\.stride)?"
    r"\.(?P<type>f16|f32|s8|u8|s32)\.p(?P<space>\d)"
)
_PRODUCT = re.compile(
    r"wmma\.m16n16k16\.mma\.(?:row|col)\.(?:row|col)"
    r"\.(?:(?P<to>f16|f32)\.(?P<from>f16|f32)|(?P<bytes>s8|u8))"
)
_ELEMENTS = {"f16": ("half", 2), "f32": ("float", 4), "s32": ("i32", 4), "s8": ("i8", 1),
             "u8": ("i8", 1)}  # fmt: skip
_LANE = "llvm.nvvm.read.ptx.sreg.laneid"
_SHUFFLE = "llvm.nvvm.shfl.sync.bfly.i32"


def with_tensor_fragments(ir_text: str) -> str:
    """``ir_text`` with such functions defined; those that are not known here stay as they are."""
    if "@llvm.nvvm.wmma." not in ir_text:
        return ir_text
    written: dict[str, str] = {}
    for match in _DECLARED.finditer(ir_text):
        text = _definition(match["name"])
        if text is not None:
            written[match["name"]] = text
    rest = _DECLARED.sub(lambda found: "" if found["name"] in written else found[0], ir_text)
    for name in sorted(written, key=len, reverse=True):
        rest = re.sub(rf"@llvm\.nvvm\.{re.escape(name)}(?=\()", f"@drano.{name}", rest)
    needed = [f"declare i32 @{_LANE}()", f"declare i32 @{_SHUFFLE}(i32, i32, i32, i32)"]
    missing = [line for line in needed if f"{line.rpartition('(')[0]}(" not in rest]
    return "\n".join([rest, *missing, *written.values()])


def _definition(name: str) -> str | None:
    if move := _MOVE.fullmatch(name):
        return _Function().move(name, move)
    if product := _PRODUCT.fullmatch(name):
        return _Function().product(name, product)
    return None


def _words(type_: str, part: str) -> tuple[str, int]:
    """The type of a fragment's values, and how many each lane has."""
    match part, type_:
        case (("a" | "b"), "f16"):
            return "<2 x half>", 8
        case (("a" | "b"), _):
            return "i32", 2
        case _, "f16":
            return "<2 x half>", 4
        case _:
            return _ELEMENTS[type_][0], 8


class _Function:
    """The text of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def set(self, text: str) -> str:
        """Add an instruction; its name."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def text(self, name: str, result: str, parameters: str) -> str:
        """The whole definition."""
        body = "\n".join(self.lines)
        return f"define internal {result} @drano.{name}({parameters}) {{\n{body}\n}}\n"

    def give(self, type_: str, values: list[str]) -> str:
        """Return ``values`` as a structure; its type."""
        whole = f"{{ {', '.join([type_] * len(values))} }}"
        made = "poison"
        for number, value in enumerate(values):
            made = self.set(f"insertvalue {whole} {made}, {type_} {value}, {number}")
        self.lines.append(f"  ret {whole} {made}")
        return whole

    # --- moves --------------------------------------------------------------------------------

    def move(self, name: str, found: re.Match[str]) -> str:
        """A fragment's loads or stores, at the places of each lane's elements."""
        part, type_ = found["part"], found["type"]
        space = f" addrspace({found['space']})" if found["space"] != "0" else ""
        word, count = _words(type_, part)
        pointer = f"ptr{space}"
        values = [f"%x{k}" for k in range(count)] if part == "d" else []
        parameters = ", ".join(
            [f"{pointer} %p", *(f"{word} {v}" for v in values)]
            + (["i32 %ld"] if found["stride"] else [])
        )
        stride = "%ld" if found["stride"] else "16"
        if part in "ab":
            along = (part == "a") == (found["order"] == "row")
            loaded = self._line(part, type_, pointer, stride, along=along)
            return self.text(name, self.give(word, loaded), parameters)
        places = self._sums(found["order"], stride)
        element, size = _ELEMENTS[type_]
        if part == "d":
            for number, place in enumerate(places):
                if type_ == "f16":
                    pair = values[number // 2]
                    value = self.set(f"extractelement {word} {pair}, i64 {number % 2}")
                else:
                    value = values[number]
                at = self._at(element, pointer, place)
                self.lines.append(f"  store {element} {value}, {pointer} {at}, align {size}")
            self.lines.append("  ret void")
            return self.text(name, "void", parameters)
        each = [
            self.set(f"load {element}, {pointer} {self._at(element, pointer, p)}, align {size}")
            for p in places
        ]
        if type_ == "f16":
            each = self._joined(word, element, each)
        return self.text(name, self.give(word, each), parameters)

    def _at(self, element: str, pointer: str, place: str) -> str:
        wide = self.set(f"sext i32 {place} to i64")
        return self.set(f"getelementptr {element}, {pointer} %p, i64 {wide}")

    def _joined(self, vector: str, element: str, values: list[str]) -> list[str]:
        """``values`` in vectors, as many as go into one."""
        length = int(vector[1:].partition(" ")[0])
        joined = []
        for start in range(0, len(values), length):
            made = "poison"
            for k, value in enumerate(values[start : start + length]):
                made = self.set(f"insertelement {vector} {made}, {element} {value}, i64 {k}")
            joined.append(made)
        return joined

    def _lane(self) -> tuple[str, str]:
        """``i`` and ``j``."""
        lane = self.set(f"call i32 @{_LANE}()")
        return self.set(f"lshr i32 {lane}, 2"), self.set(f"and i32 {lane}, 3")

    def _own(self, i: str, j: str) -> tuple[str, str]:
        """The lane's own row and column."""
        double, odd = self.set(f"shl i32 {i}, 1"), self.set(f"and i32 {j}, 1")
        four, low = self.set(f"shl i32 {j}, 2"), self.set(f"and i32 {i}, 3")
        return self.set(f"or i32 {double}, {odd}"), self.set(f"or i32 {four}, {low}")

    def _sums(self, order: str, stride: str) -> list[str]:
        """Where the lane's sums lie: by rows, each with the columns in the order of the product."""
        row, column = self._own(*self._lane())
        places = []
        for s in range(2):
            for t in range(4):
                r, c = self.set(f"xor i32 {row}, {s}"), self.set(f"xor i32 {column}, {t}")
                outer, inner = (r, c) if order == "row" else (c, r)
                start = self.set(f"mul i32 {outer}, {stride}")
                places.append(self.set(f"add i32 {start}, {inner}"))
        return places

    def _line(self, part: str, type_: str, pointer: str, stride: str, *, along: bool) -> list[str]:
        """The lane's own row of the first factor or column of the second one; of bytes one half of
        it. ``along``: its elements lie one behind the other.
        """
        i, j = self._lane()
        row, column = self._own(i, j)
        line = row if part == "a" else column
        element = _ELEMENTS[type_][0]
        word, count = _words(type_, part)
        first, length = "0", 16
        if type_ != "f16":
            half = self._half(i, j, part)
            first, length = self.set(f"shl i32 {half}, 3"), 8
        if along:
            start = self.set(f"mul i32 {line}, {stride}")
            at = self._at(element, pointer, self.set(f"add i32 {start}, {first}"))
            step = min(count, 4)
            words = []
            for k in range(0, count, step):
                place = self.set(f"getelementptr i32, {pointer} {at}, i64 {k}")
                vector = f"<{step} x i32>"
                all_ = self.set(f"load {vector}, {pointer} {place}, align {4 * step}")
                words += [self.set(f"extractelement {vector} {all_}, i64 {n}") for n in range(step)]
            return [w if word == "i32" else self.set(f"bitcast i32 {w} to {word}") for w in words]
        values = []
        for k in range(length):
            outer = self.set(f"mul i32 {self.set(f'add i32 {first}, {k}')}, {stride}")
            at = self._at(element, pointer, self.set(f"add i32 {outer}, {line}"))
            values.append(self.set(f"load {element}, {pointer} {at}"))
        if type_ == "f16":
            return self._joined(word, element, values)
        return [self.set(f"bitcast <4 x i8> {v} to i32")
                for v in self._joined("<4 x i8>", element, values)]  # fmt: skip

    def _half(self, i: str, j: str, part: str) -> str:
        """Which half of its line the lane has."""
        return self.set(f"lshr i32 {j}, 1" if part == "a" else f"lshr i32 {i}, 2")

    # --- products -----------------------------------------------------------------------------

    def product(self, name: str, found: re.Match[str]) -> str:
        """Each lane's sums, of its own lines and those of others."""
        if found["bytes"]:
            return self._product_of_bytes(name, signed=found["bytes"] == "s8")
        from_, to = found["from"], found["to"]
        word, count = _words(from_, "c")
        named = [f"<2 x half> %{p}{k}" for p in "ab" for k in range(8)]
        parameters = ", ".join([*named, *(f"{word} %c{k}" for k in range(count))])
        sums = [f"%c{k}" for k in range(count)]
        if from_ == "f16":
            sums = [s for pair in sums for s in self._floats(pair)]
        rows = [self._line_floats("a", mask) for mask in (0, 1)]
        columns = [self._line_floats("b", mask) for mask in (0, 4, 8, 12)]
        for s, row in enumerate(rows):
            for t, column in enumerate(columns):
                for x, y in zip(row, column, strict=True):
                    term = self.set(f"fmul float {x}, {y}")  # exact
                    sums[4 * s + t] = self.set(f"fadd float {sums[4 * s + t]}, {term}")
        if to == "f16":
            halves = [self.set(f"fptrunc float {s} to half") for s in sums]
            result = self.give("<2 x half>", self._joined("<2 x half>", "half", halves))
        else:
            result = self.give("float", sums)
        return self.text(name, result, parameters)

    def _floats(self, pair: str) -> list[str]:
        halves = [self.set(f"extractelement <2 x half> {pair}, i64 {k}") for k in range(2)]
        return [self.set(f"fpext half {h} to float") for h in halves]

    def _shuffled(self, word: str, mask: int) -> str:
        if not mask:
            return word
        return self.set(f"call i32 @{_SHUFFLE}(i32 -1, i32 {word}, i32 {mask}, i32 31)")

    def _line_floats(self, part: str, mask: int) -> list[str]:
        """The 16 elements of the line that the lane whose number differs in ``mask`` has."""
        line = []
        for k in range(8):
            word = self.set(f"bitcast <2 x half> %{part}{k} to i32")
            pair = self.set(f"bitcast i32 {self._shuffled(word, mask)} to <2 x half>")
            line += self._floats(pair)
        return line

    def _product_of_bytes(self, name: str, *, signed: bool) -> str:
        named = [f"i32 %{p}{k}" for p in "ab" for k in range(2)]
        parameters = ", ".join([*named, *(f"i32 %c{k}" for k in range(8))])
        i, j = self._lane()
        differs = self.set(f"xor i32 {self._half(i, j, 'a')}, {self._half(i, j, 'b')}")
        swap = self.set(f"icmp ne i32 {differs}, 0")
        rows = [self._halves("a", mask, 2) for mask in (0, 1)]
        columns = [self._swapped(self._halves("b", mask, 16), swap) for mask in (0, 4, 8, 12)]
        widen = "sext" if signed else "zext"
        wide = [self._bytes(line, widen) for line in rows]
        high = [self._bytes(line, widen) for line in columns]
        sums = [f"%c{k}" for k in range(8)]
        for s, row in enumerate(wide):
            for t, column in enumerate(high):
                for x, y in zip(row, column, strict=True):
                    term = self.set(f"mul i32 {x}, {y}")
                    sums[4 * s + t] = self.set(f"add i32 {sums[4 * s + t]}, {term}")
        return self.text(name, self.give("i32", sums), parameters)

    def _halves(self, part: str, line: int, half: int) -> list[str]:
        """A line's four words, those of the lane's own half first."""
        return [
            self._shuffled(f"%{part}{k}", mask) for mask in (line, line ^ half) for k in range(2)
        ]

    def _swapped(self, words: list[str], swap: str) -> list[str]:
        """The words with the halves exchanged where ``swap`` is true."""
        others = words[2:] + words[:2]
        return [
            self.set(f"select i1 {swap}, i32 {other}, i32 {word}")
            for word, other in zip(words, others, strict=True)
        ]

    def _bytes(self, words: list[str], widen: str) -> list[str]:
        vectors = [self.set(f"bitcast i32 {word} to <4 x i8>") for word in words]
        each = [
            self.set(f"extractelement <4 x i8> {v}, i64 {k}") for v in vectors for k in range(4)
        ]
        return [self.set(f"{widen} i8 {e} to i32") for e in each]
