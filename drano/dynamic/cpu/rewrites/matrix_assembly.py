"""Inline PTX for tensor cores as functions of the module: ``mma.sync``, ``ldmatrix``, ``stmatrix``.

Means: the ``asm`` becomes a call of a function that is inlined like any other; fragments lie as PTX
documents it (``tile_products``), and accesses of ``ldmatrix`` and ``stmatrix`` are counted.
Source: PTX ISA, "Warp-level Matrix Instructions".
Limits: one instruction in one ``asm``; products of ``f16``, ``bf16``, ``tf32`` and bytes into 8
columns, and of doubles in tiles of 8 x 8 x 4; other ``asm`` stays as it is.
"""

from __future__ import annotations

import re
from typing import Final

from drano.dynamic.cpu.rewrites.tensor_fragments import with_declared
from drano.dynamic.cpu.rewrites.tile_products import FunctionText, Shape
from drano.ir.prepare.asm_calls import ASM_CALL, asm_call

_PRODUCT: Final = re.compile(
    r"mma\.sync\.aligned\.m(\d+)n(\d+)k(\d+)\.row\.col(\.satfinite)?"
    r"\.(f16|f32|f64|s32)\.(f16|bf16|tf32|f64|s8|u8)\.(f16|bf16|tf32|f64|s8|u8)\.(f16|f32|f64|s32)"
)
_MOVE: Final = re.compile(
    r"(ldmatrix|stmatrix)\.sync\.aligned\.m8n8\.x([124])(\.trans)?\.shared(?:::cta)?\.b16"
)
_STATEMENT: Final = re.compile(r"\{?\s*([\w.:]+)\s+(.*?)\s*;?\s*\}?", re.DOTALL)
_GROUP: Final = re.compile(r"\{([^{}]*)\}|\[\s*([^\[\]]*?)\s*\]|(\$\d+)")
# (m, k) of the documented forms with eight columns.
_SHAPES: Final = {
    "f16": {(16, 8), (16, 16)}, "bf16": {(16, 8), (16, 16)}, "tf32": {(16, 4), (16, 8)},
    "f64": {(8, 4)}, "s8": {(8, 16), (16, 16), (16, 32)}, "u8": {(8, 16), (16, 16), (16, 32)},
}  # fmt: skip
_RESULTS: Final = {"f16": "i32", "f32": "float", "f64": "double", "s32": "i32"}
_WIDTHS: Final = {"i32": 32, "float": 32, "i64": 64, "double": 64}


class _UnknownError(Exception):
    """The asm is to stay as it is."""


def with_matrix_assembly(ir_text: str) -> str:
    """``ir_text`` with such ``asm`` as calls."""
    if "mma.sync." not in ir_text and "matrix.sync." not in ir_text:
        return ir_text
    written: dict[str, str] = {}

    def called(found: re.Match[str]) -> str:
        try:
            name, arguments, definition = _Assembly(found).written()
        except _UnknownError:
            return found[0]
        written[name] = definition
        to = f"{found[1]} = " if found[1] else ""
        return f"  {to}call {found[2]} @drano.{name}({arguments}){found[6]}"

    text = ASM_CALL.sub(called, ir_text)
    return with_declared("\n".join([text, *written.values()])) if written else ir_text


class _Assembly:
    """One asm with its operands."""

    def __init__(self, found: re.Match[str]) -> None:
        self.result = found[2]
        call = asm_call(found)
        statement = _STATEMENT.fullmatch(call.template.strip()) if call else None
        if call is None or statement is None or ";" in statement[2]:
            raise _UnknownError
        self.opcode, self.outputs = statement[1], len(call.outputs)
        self.given = [f"{type_} {value}" for _, type_, value in call.inputs]
        self.types = [type_ for _, type_, _ in call.inputs]
        # the parameter that stands for a token: of ``+f`` the input's
        self.inputs = {f"${k + self.outputs}": k for k in range(len(call.inputs))}
        for k, (constraint, _, _) in enumerate(call.inputs):
            if constraint.isdigit():
                self.inputs[f"${constraint}"] = k
        self.groups = [
            [token.strip() for token in (match[1] or match[2] or match[3]).split(",")]
            for match in _GROUP.finditer(statement[2])
        ]
        if _GROUP.sub("", statement[2]).replace(",", "").strip():
            raise _UnknownError

    def written(self) -> tuple[str, str, str]:
        """The function's name, the arguments that it gets here, and its definition."""
        product, move = _PRODUCT.fullmatch(self.opcode), _MOVE.fullmatch(self.opcode)
        function = FunctionText()
        if product is not None and len(self.groups) == 4:
            result = self._product(function, product)
        elif move is not None and len(self.groups) == 2:
            result = self._move(function, move[1], int(move[2]), transposed=bool(move[3]))
        else:
            raise _UnknownError
        operands = "_".join("".join(group) for group in self.groups).replace("$", ".")
        name = f"{self.opcode.replace('::', '.')}.{operands}.{'.'.join(self.types)}"
        name = re.sub(r"[^\w.]", "_", name)
        parameters = ", ".join(f"{type_} %p{k}" for k, type_ in enumerate(self.types))
        if result.replace(" ", "") != self.result.replace(" ", ""):
            raise _UnknownError
        return name, ", ".join(self.given), function.text(name, result, parameters)

    def _values(self, function: FunctionText, tokens: list[str], wanted: str) -> list[str]:
        """The operands in braces, as the type ``wanted``."""
        values = []
        for token in tokens:
            if token not in self.inputs:
                raise _UnknownError
            number = self.inputs[token]
            type_ = self.types[number]
            if _WIDTHS.get(type_) != _WIDTHS[wanted]:
                raise _UnknownError
            value = f"%p{number}"
            same = type_ == wanted
            values.append(value if same else function.set(f"bitcast {type_} {value} to {wanted}"))
        return values

    def _product(self, function: FunctionText, found: re.Match[str]) -> str:
        to, left, right, from_ = found[5], found[6], found[7], found[8]
        shape = Shape(int(found[1]), int(found[2]), int(found[3]), left)
        bytes_ = {left, right} <= {"s8", "u8"}
        fits = (shape.m, shape.k) in _SHAPES[left] and shape.n == 8
        if not fits or (left != right and not bytes_) or not _makes(left, to, from_):
            raise _UnknownError
        word = "double" if left == "f64" else "i32"
        a, b = (self._values(function, self.groups[k], word) for k in (1, 2))
        sums = self._values(function, self.groups[3], _RESULTS[from_])
        if from_ == "f16":
            pairs = [function.set(f"bitcast i32 {s} to <2 x half>") for s in sums]
            sums = [each for pair in pairs for each in function.floats(pair)]
        lengths = (shape.words("a"), shape.words("b"), shape.sums())
        outputs = [f"${k}" for k in range(self.outputs)]
        if (len(a), len(b), len(sums)) != lengths or self.groups[0] != outputs:
            raise _UnknownError
        signs = (left == "s8", right == "s8")
        made = function.product(shape, a, b, sums, signs=signs, saturated=bool(found[4]))
        if to == "f16":
            made = [function.set(f"bitcast <2 x half> {h} to i32") for h in function.halves(made)]
        return function.give(_RESULTS[to], made)

    def _move(self, function: FunctionText, opcode: str, count: int, *, transposed: bool) -> str:
        registers, address = self.groups if opcode == "ldmatrix" else self.groups[::-1]
        number = self.inputs.get(address[0]) if len(address) == 1 else None
        if number is None or len(registers) != count:
            raise _UnknownError
        start = f"%p{number}"
        if self.types[number] == "i64":
            start = function.set(f"trunc i64 {start} to i32")
        elif self.types[number] != "i32":
            raise _UnknownError
        g, t = function.place()
        places = [self._places(function, start, g, t, i, transposed) for i in range(count)]
        if opcode == "ldmatrix":
            if registers != [f"${k}" for k in range(self.outputs)]:
                raise _UnknownError
            return function.give("i32", [_loaded(function, place) for place in places])
        values = self._values(function, registers, "i32")
        for value, place in zip(values, places, strict=True):
            _stored(function, value, place)
        function.lines.append("  ret void")
        return "void"

    def _places(
        self, function: FunctionText, start: str, g: str, t: str, matrix: int, transposed: bool
    ) -> list[str]:
        """Where the lane's two elements of a matrix lie; one place where they are neighbours."""
        if not transposed:
            lane = function.set(f"or i32 {g}, {8 * matrix}")
            return [_pointer(function, start, lane, function.set(f"shl i32 {t}, 2"))]
        first = function.set(f"shl i32 {t}, 1")
        column = function.set(f"shl i32 {g}, 1")
        lanes = [function.set(f"or i32 {first}, {8 * matrix + e}") for e in range(2)]
        return [_pointer(function, start, lane, column) for lane in lanes]


def _makes(factor: str, to: str, from_: str) -> bool:
    """Whether products of a type are added to sums of another one, with results of a third."""
    match factor:
        case "f16":
            return {to, from_} <= {"f16", "f32"}
        case "f64":
            return to == from_ == "f64"
        case "s8" | "u8":
            return to == from_ == "s32"
        case _:
            return to == from_ == "f32"


def _pointer(function: FunctionText, start: str, lane: str, offset: str) -> str:
    """``offset`` bytes behind the address that a lane gives."""
    row = function.of_lane(start, lane)
    place = function.set(f"add i32 {row}, {offset}")
    return function.set(f"inttoptr i32 {place} to ptr addrspace(3)")


def _loaded(function: FunctionText, places: list[str]) -> str:
    if len(places) == 1:
        return function.set(f"load volatile i32, ptr addrspace(3) {places[0]}, align 4")
    each = [function.set(f"load volatile i16, ptr addrspace(3) {p}, align 2") for p in places]
    return function.set(f"bitcast <2 x i16> {function.joined('<2 x i16>', 'i16', each)[0]} to i32")


def _stored(function: FunctionText, value: str, places: list[str]) -> None:
    if len(places) == 1:
        function.lines.append(
            f"  store volatile i32 {value}, ptr addrspace(3) {places[0]}, align 4"
        )
        return
    pair = function.set(f"bitcast i32 {value} to <2 x i16>")
    for k, place in enumerate(places):
        each = function.set(f"extractelement <2 x i16> {pair}, i64 {k}")
        function.lines.append(f"  store volatile i16 {each}, ptr addrspace(3) {place}, align 2")
