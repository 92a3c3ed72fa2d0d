"""PTX for tensor cores as functions of the module: ``mma.sync``, ``ldmatrix``, ``stmatrix``.

Means: each instruction of such an ``asm`` is a call of a function that is inlined like any other;
fragments lie as PTX documents it (``tile_products``), and accesses of ``ldmatrix`` and ``stmatrix``
are counted.
Source: PTX ISA, "Warp-level Matrix Instructions".
Limits: products of ``f16``, ``bf16``, ``tf32`` and bytes into 8 columns, and of doubles in tiles of
8 x 8 x 4; an ``asm`` with an instruction that is not known here stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from drano.dynamic.cpu.rewrites.tensor_fragments import with_declared
from drano.ir.prepare.inline_assembly.asm_calls import ASM_CALL, asm_call
from drano.ir.prepare.inline_assembly.asm_pieces import AsmPiece, StaysError
from drano.ir.prepare.tile_products import FunctionText, Shape
from drano.ptx.fragments import BranchesError, InPlace
from drano.ptx.instructions.matrices import parts_of
from drano.ptx.instructions.table import HANDLERS
from drano.ptx.model import Address, Instruction, Operand, PtxError
from drano.ptx.writer import Shared, UnknownError, Writer

_MATRICES: Final = ("mma.sync.", "matrix.sync.")
_PRODUCT: Final = re.compile(
    r"mma\.sync\.aligned\.m(\d+)n(\d+)k(\d+)\.row\.col(\.satfinite)?"
    r"\.(f16|f32|f64|s32)\.(f16|bf16|tf32|f64|s8|u8)\.(f16|bf16|tf32|f64|s8|u8)\.(f16|f32|f64|s32)"
)
_MOVE: Final = re.compile(
    r"(ldmatrix|stmatrix)\.sync\.aligned\.m8n8\.x([124])(\.trans)?\.shared(?:::cta)?\.b16"
)
_INTRINSIC: Final = re.compile(
    r"^declare [^@\n]*@llvm\.nvvm\.(?P<name>(?P<way>ldmatrix|stmatrix)\.sync\.aligned\.m8n8"
    r"\.x(?P<count>[124])(?P<transposed>\.trans)?\.b16\.p3)\([^\n]*$",
    re.MULTILINE,
)
# (m, k) of the documented forms with eight columns.
_SHAPES: Final = {
    "f16": {(16, 8), (16, 16)}, "bf16": {(16, 8), (16, 16)}, "tf32": {(16, 4), (16, 8)},
    "f64": {(8, 4)}, "s8": {(8, 16), (16, 16), (16, 32)}, "u8": {(8, 16), (16, 16), (16, 32)},
}  # fmt: skip
_RESULTS: Final = {"f16": "i32", "f32": "float", "f64": "double", "s32": "i32"}


def with_matrix_assembly(ir_text: str) -> str:
    """``ir_text`` with such ``asm`` as calls, and what the translation of PTX has for it."""
    if not any(word in ir_text for word in _MATRICES):
        return ir_text
    module = _Module()
    text = ASM_CALL.sub(module.replaced, ir_text)
    functions = list(module.functions.values())
    moves = sorted({found["name"]: found for found in _INTRINSIC.finditer(text)}.items())
    for name, found in moves:
        functions.append(_intrinsic(found))
        text = text.replace(found[0], "").replace(f"@llvm.nvvm.{name}(", f"@drano.{name}(")
    return with_declared("\n".join([text, *functions])) if functions else text


def _intrinsic(found: re.Match[str]) -> str:
    """The definition of such a function."""
    count, function = int(found["count"]), FunctionText()
    function.lines.append("  %p0 = ptrtoint ptr addrspace(3) %row to i32")
    places = _places(function, count, transposed=bool(found["transposed"]))
    given = ["ptr addrspace(3) %row"]
    if found["way"] == "ldmatrix":
        whole = function.give("i32", [_loaded(function, place) for place in places])
        return function.text(found["name"], whole, given[0])
    given += [f"i32 %x{k}" for k in range(count)]
    for k, place in enumerate(places):
        _stored(function, f"%x{k}", place)
    function.lines.append("  ret void")
    return function.text(found["name"], "void", ", ".join(given))


class _Module:
    """What is common to the asm of a module: ``functions`` by their names; ``count`` of asm."""

    def __init__(self) -> None:
        self.functions: dict[str, str] = {}
        self.count = 0
        self._handlers = {
            **dict.fromkeys(HANDLERS, _leave),
            "mov": HANDLERS["mov"],  # of an operand that is read and written
            "mma": self._product, "ldmatrix": self._load, "stmatrix": self._store,
        }  # fmt: skip

    def replaced(self, found: re.Match[str]) -> str:
        """What stands for the asm of a match."""
        if not any(word in found[3] for word in _MATRICES):
            return found[0]
        try:
            call = asm_call(found)
            if call is None:
                raise StaysError
            piece = AsmPiece(call)
            code = piece.fragment()
            shared = Shared({}, {}, foreign=True)
            prefix = f"drano.tile{self.count}."
            site = InPlace(shared, code, prefix, call.place, executed=True)
            piece.enter(site)
            site.write(code.body, self._handlers)
            if site.left or shared.declared:
                raise StaysError
            piece.leave(site)
        except (StaysError, PtxError, BranchesError, UnknownError):
            return found[0]
        self.count += 1
        return "\n".join(site.lines)

    def _product(self, w: Writer, i: Instruction) -> None:
        found = _PRODUCT.fullmatch(i.name)
        if found is None:
            raise UnknownError
        to, left, right, from_ = found[5], found[6], found[7], found[8]
        shape = Shape(int(found[1]), int(found[2]), int(found[3]), left)
        bytes_ = {left, right} <= {"s8", "u8"}
        fits = (shape.m, shape.k) in _SHAPES[left] and shape.n == 8
        if not fits or (left != right and not bytes_) or not _makes(left, to, from_):
            raise UnknownError
        word = "double" if left == "f64" else "i32"
        types = [_RESULTS[to], word, word, _RESULTS[from_]]
        in_word = {kind: 2 if kind == "f16" else 1 for kind in (to, from_)}
        counts = [
            shape.sums() // in_word[to], shape.words("a"), shape.words("b"),
            shape.sums() // in_word[from_],
        ]  # fmt: skip
        parts = [
            parts_of(operand, count) for operand, count in zip(i.operands, counts, strict=True)
        ]
        given = [
            (type_, w.value(part, type_))
            for type_, each in zip(types[1:], parts[1:], strict=True)
            for part in each
        ]

        def written(function: FunctionText) -> None:
            names = [f"%p{k}" for k in range(len(given))]
            a, b = names[: counts[1]], names[counts[1] : counts[1] + counts[2]]
            sums = names[counts[1] + counts[2] :]
            if from_ == "f16":
                pairs = [function.set(f"bitcast i32 {s} to <2 x half>") for s in sums]
                sums = [each for pair in pairs for each in function.floats(pair)]
            signs = (left == "s8", right == "s8")
            made = function.product(shape, a, b, sums, signs=signs, saturated=bool(found[4]))
            if to == "f16":
                pairs = function.halves(made)
                made = [function.set(f"bitcast <2 x half> {h} to i32") for h in pairs]
            function.give(_RESULTS[to], made)

        self._call(w, i, given, (types[0], parts[0]), written)

    def _load(self, w: Writer, i: Instruction) -> None:
        count, transposed = _moved(i)
        registers = parts_of(i.operands[0], count)

        def written(function: FunctionText) -> None:
            places = _places(function, count, transposed=transposed)
            function.give("i32", [_loaded(function, place) for place in places])

        self._call(w, i, [("i32", _address(w, i.operands[1]))], ("i32", registers), written)

    def _store(self, w: Writer, i: Instruction) -> None:
        count, transposed = _moved(i)
        values = [("i32", w.value(part, "i32")) for part in parts_of(i.operands[1], count)]

        def written(function: FunctionText) -> None:
            places = _places(function, count, transposed=transposed)
            for k, place in enumerate(places, 1):
                _stored(function, f"%p{k}", place)
            function.lines.append("  ret void")

        given = [("i32", _address(w, i.operands[0])), *values]
        self._call(w, i, given, ("void", ()), written)

    def _call(
        self, w: Writer, i: Instruction, given: Sequence[tuple[str, str]],
        results: tuple[str, Sequence[Operand]], written: Callable[[FunctionText], None],
    ) -> None:  # fmt: skip
        """Call the function of an instruction, which is ``written`` once, and set its results."""
        type_, registers = results
        name = i.name.replace("::", ".")
        whole = type_ if len(registers) < 2 else f"{{ {', '.join([type_] * len(registers))} }}"
        if name not in self.functions:
            function = FunctionText()
            written(function)
            parameters = ", ".join(f"{kind} %p{k}" for k, (kind, _) in enumerate(given))
            self.functions[name] = function.text(name, whole, parameters)
        arguments = ", ".join(f"{kind} {value}" for kind, value in given)
        text = f"call {whole} @drano.{name}({arguments})"
        if not registers:
            w.do(text)
            return
        made = w.let(text)
        values = [made]
        if len(registers) > 1:
            values = [w.let(f"extractvalue {whole} {made}, {k}") for k in range(len(registers))]
        for register, value in zip(registers, values, strict=True):
            w.set(register, value, type_)


def _leave(w: Writer, i: Instruction) -> None:
    """Of an instruction that is none of these."""
    del w, i
    raise UnknownError


def _address(w: Writer, operand: Operand) -> str:
    """An address of shared memory as a number."""
    if not isinstance(operand, Address) or operand.more:
        raise UnknownError
    start = w.value(operand.base, "i32")
    return w.let(f"add i32 {start}, {operand.offset}") if operand.offset else start


def _moved(i: Instruction) -> tuple[int, bool]:
    """How many matrices are moved, and whether they are transposed."""
    found = _MOVE.fullmatch(i.name)
    if found is None:
        raise UnknownError
    return int(found[2]), bool(found[3])


def _places(function: FunctionText, count: int, *, transposed: bool) -> list[list[str]]:
    """Where the lane's two elements of each matrix lie, by the address ``%p0`` of each lane; one
    place where they are neighbours.
    """
    g, t = function.place()
    if not transposed:
        rows = [function.set(f"or i32 {g}, {8 * matrix}") for matrix in range(count)]
        offset = function.set(f"shl i32 {t}, 2")
        return [[_pointer(function, row, offset)] for row in rows]
    first = function.set(f"shl i32 {t}, 1")
    column = function.set(f"shl i32 {g}, 1")
    return [
        [
            _pointer(function, function.set(f"or i32 {first}, {8 * matrix + e}"), column)
            for e in range(2)
        ]
        for matrix in range(count)
    ]


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


def _pointer(function: FunctionText, lane: str, offset: str) -> str:
    """``offset`` bytes behind the address that a lane gives."""
    row = function.of_lane("%p0", lane)
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
