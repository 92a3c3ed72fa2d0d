"""Products of tiles (``nvcuda::wmma``) as loads, shuffles and sums, which the back end knows.

Means: ``@llvm.nvvm.wmma.m16n16k16.…`` becomes a function of the module that is inlined like any
other, so that a fragment's accesses are counted and checked. No document says how the elements of
a tile are spread over the lanes; they lie as those of ``mma.sync`` do (``tile_products``), and
where a fragment has more registers than that takes, these hold zero.
Limits: bits and halves of bytes stay as they are.
"""

from __future__ import annotations

import re
from typing import Final

from drano.ir.prepare.tile_products import DECLARATIONS, FunctionText, Shape

_DECLARED: Final = re.compile(
    r"^declare (?P<result>[^@\n]*?) ?@llvm\.nvvm\.(?P<name>wmma\.m\d+n\d+k\d+\.[\w.]+)\([^\n]*$",
    re.MULTILINE,
)
_SHAPE: Final = r"wmma\.m(?P<m>\d+)n(?P<n>\d+)k(?P<k>\d+)\."
_MOVE: Final = re.compile(
    _SHAPE + r"(?:load|store)\.(?P<part>[abcd])\.(?P<order>row|col)(?P<stride>\.stride)?"
    r"\.(?P<type>f16|bf16|tf32|f32|f64|s8|u8|s32)\.p(?P<space>\d)"
)
_PRODUCT: Final = re.compile(
    _SHAPE + r"mma\.(?:row|col)\.(?:row|col)(?:\.rn)?"
    r"\.(?:(?P<to>f16|f32)\.(?P<from>f16|f32)|(?P<type>bf16|tf32|f64|s8|u8))"
    r"(?P<saturated>\.satfinite)?"
)
_ELEMENTS: Final = {"f16": ("half", 2), "bf16": ("i16", 2), "tf32": ("i32", 4),
                    "f32": ("float", 4), "f64": ("double", 8), "s32": ("i32", 4),
                    "s8": ("i8", 1), "u8": ("i8", 1)}  # fmt: skip
_SUMS: Final = {"bf16": "float", "tf32": "float", "f64": "double", "s8": "i32", "u8": "i32"}


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
    return with_declared("\n".join([rest, *written.values()]))


def with_declared(text: str) -> str:
    """``text`` with what ``tile_products`` calls declared, as far as it is called."""
    needed = [*DECLARATIONS, "declare double @llvm.fma.f64(double, double, double)",
              "declare i64 @llvm.smax.i64(i64, i64)",
              "declare i64 @llvm.smin.i64(i64, i64)"]  # fmt: skip
    names = {line: line.partition("@")[2].partition("(")[0] for line in needed}
    declared = [
        line
        for line, name in names.items()
        if f"@{name}(" in text
        and not re.search(rf"^declare [^\n]*@{re.escape(name)}\(", text, re.M)
    ]
    return "\n".join([text, *declared, ""])


def _definition(name: str) -> str | None:
    if move := _MOVE.fullmatch(name):
        return _moved(name, move)
    if product := _PRODUCT.fullmatch(name):
        return _product(name, product)
    return None


def _shape(found: re.Match[str], type_: str) -> Shape:
    return Shape(int(found["m"]), int(found["n"]), int(found["k"]), type_)


def _registers(shape: Shape, part: str) -> tuple[str, int]:
    """The type of a factor's registers, and how many a fragment has."""
    match shape.type:
        case "f16":
            return "<2 x half>", 8
        case "f64":
            return "double", shape.words(part)
        case _:
            return "i32", shape.words(part)


def _moved(name: str, found: re.Match[str]) -> str:
    """A fragment's loads or stores, at the places of each lane's elements."""
    part, type_ = found["part"], found["type"]
    space = f" addrspace({found['space']})" if found["space"] != "0" else ""
    move = _Move(f"ptr{space}", type_, found["order"], "%ld" if found["stride"] else "")
    behind = ["i32 %ld"] if found["stride"] else []
    if part in "ab":
        shape = _shape(found, type_)
        move.stride = move.stride or str(shape.k)
        word, count = _registers(shape, part)
        words = move.factor(shape, part)
        if word == "<2 x half>":
            words = [move.set(f"bitcast i32 {w} to {word}") for w in words]
        words += ["zeroinitializer"] * (count - len(words))
        return move.text(name, move.give(word, words), ", ".join([f"{move.pointer} %p", *behind]))
    shape = _shape(found, "f16")  # of the result, which has no words
    move.stride = move.stride or str(shape.n)
    element = _ELEMENTS[type_][0]
    places = move.sums(shape)
    if part == "c":
        each = [move.load(element, p, _ELEMENTS[type_][1]) for p in places]
        if type_ == "f16":
            element, each = "<2 x half>", move.joined("<2 x half>", element, each)
        return move.text(name, move.give(element, each), ", ".join([f"{move.pointer} %p", *behind]))
    word = "<2 x half>" if type_ == "f16" else element
    values = [f"%x{k}" for k in range(len(places) // (2 if type_ == "f16" else 1))]
    for number, place in enumerate(places):
        value = (
            values[number]
            if type_ != "f16"
            else move.set(f"extractelement {word} {values[number // 2]}, i64 {number % 2}")
        )
        at = move.at(element, place)
        size = _ELEMENTS[type_][1]
        move.lines.append(f"  store {element} {value}, {move.pointer} {at}, align {size}")
    move.lines.append("  ret void")
    parameters = [f"{move.pointer} %p", *(f"{word} {v}" for v in values), *behind]
    return move.text(name, "void", ", ".join(parameters))


class _Move(FunctionText):
    """A function that loads or stores a fragment at ``%p``."""

    def __init__(self, pointer: str, type_: str, order: str, stride: str) -> None:
        super().__init__()
        self.pointer, self.type, self.order, self.stride = pointer, type_, order, stride

    def at(self, element: str, place: str) -> str:
        """The address of an element."""
        wide = self.set(f"sext i32 {place} to i64")
        return self.set(f"getelementptr {element}, {self.pointer} %p, i64 {wide}")

    def load(self, element: str, place: str, align: int, type_: str = "") -> str:
        """What lies at a place that is counted in elements."""
        at = self.at(element, place)
        return self.set(f"load {type_ or element}, {self.pointer} {at}, align {align}")

    def sums(self, shape: Shape) -> list[str]:
        """Where the lane's elements of the result lie."""
        g, t = self.place()
        double = self.set(f"shl i32 {t}, 1")
        places = []
        for h in range(shape.m // 8):
            row = self.set(f"add i32 {g}, {8 * h}")
            for c in range(shape.n // 8):
                for e in range(2):
                    column = self.set(f"add i32 {double}, {8 * c + e}")
                    outer, inner = (row, column) if self.order == "row" else (column, row)
                    start = self.set(f"mul i32 {outer}, {self.stride}")
                    places.append(self.set(f"add i32 {start}, {inner}"))
        return places

    def factor(self, shape: Shape, part: str) -> list[str]:
        """The lane's words of a factor."""
        g, t = self.place()
        along = (part == "a") == (self.order == "row")
        element, size = _ELEMENTS[self.type]
        each, lines = shape.in_word, (shape.m if part == "a" else shape.n) // 8
        first = self.set(f"mul i32 {t}, {each}")
        words = []
        for d in range(shape.depth):
            step = self.set(f"add i32 {first}, {4 * each * d}")
            for h in range(lines):
                line = self.set(f"add i32 {g}, {8 * h}")
                if along:
                    start = self.set(f"mul i32 {line}, {self.stride}")
                    place = self.set(f"add i32 {start}, {step}")
                    word = "double" if self.type == "f64" else "i32"
                    words.append(self.load(element, place, each * size, word))
                else:
                    words.append(self._gathered(element, size, line, step, each))
        return words

    def _gathered(self, element: str, size: int, line: str, step: str, each: int) -> str:
        """A word whose elements do not lie one behind the other."""
        values = []
        for e in range(each):
            outer = self.set(f"mul i32 {self.set(f'add i32 {step}, {e}')}, {self.stride}")
            values.append(self.load(element, self.set(f"add i32 {outer}, {line}"), size))
        if each == 1:
            return values[0]
        vector = f"<{each} x {element}>"
        return self.set(f"bitcast {vector} {self.joined(vector, element, values)[0]} to i32")


def _product(name: str, found: re.Match[str]) -> str:
    """Each lane's sums, of its own words and those of others."""
    shape = _shape(found, found["type"] or "f16")
    function = FunctionText()
    parameters, factors = [], []
    for part in "ab":
        word, count = _registers(shape, part)
        parameters += [f"{word} %{part}{k}" for k in range(count)]
        words = [f"%{part}{k}" for k in range(shape.words(part))]
        if word == "<2 x half>":
            words = [function.set(f"bitcast {word} {w} to i32") for w in words]
        factors.append(words)
    halved = found["from"] == "f16"
    sum_ = "<2 x half>" if halved else _SUMS.get(shape.type, "float")
    sums = [f"%c{k}" for k in range(shape.sums() // (2 if halved else 1))]
    parameters += [f"{sum_} {s}" for s in sums]
    if halved:
        sums = [s for pair in sums for s in function.floats(pair)]
    signed = shape.type == "s8"
    made = function.product(
        shape, factors[0], factors[1], sums,
        signs=(signed, signed), saturated=bool(found["saturated"]),
    )  # fmt: skip
    if found["to"] == "f16":
        result = function.give("<2 x half>", function.halves(made))
    else:
        result = function.give(_SUMS.get(shape.type, "float"), made)
    return function.text(name, result, ", ".join(parameters))
