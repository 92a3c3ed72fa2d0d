"""Products of tiles (``nvcuda::wmma``) as loads, shuffles and sums, which the back end knows.

Means: ``@llvm.nvvm.wmma.m16n16k16.…`` becomes a function of the module that is inlined like any
other, so that a fragment's accesses are counted, as the hardware's requests (``tile_accesses``),
and checked. Elements lie in the lanes as those of ``mma.sync`` do (``tile_products``).
Limits: bits and halves of bytes stay as they are.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from drano.ir.prepare.tile_accesses import with_tile_accesses
from drano.ir.prepare.tile_products import DECLARATIONS, FunctionText, Shape

_DECLARED: Final = re.compile(
    r"^declare (?P<result>[^@\n]*?) ?@llvm\.nvvm\.(?P<name>wmma\.m\d+n\d+k\d+\.[\w.]+)\([^\n]*$",
    re.MULTILINE,
)
_SHAPE: Final = r"wmma\.m(?P<m>\d+)n(?P<n>\d+)k(?P<k>\d+)\."
_PRODUCT: Final = re.compile(
    _SHAPE + r"mma\.(?:row|col)\.(?:row|col)(?:\.rn)?"
    r"\.(?:(?P<to>f16|f32)\.(?P<from>f16|f32)|(?P<type>bf16|tf32|f64|s8|u8))"
    r"(?P<saturated>\.satfinite)?"
)
_SUMS: Final = {"bf16": "float", "tf32": "float", "f64": "double", "s8": "i32", "u8": "i32"}


def with_tensor_fragments(ir_text: str) -> str:
    """``ir_text`` with such functions defined; those that are not known here stay as they are."""
    if "@llvm.nvvm.wmma." not in ir_text:
        return ir_text
    ir_text = with_tile_accesses(ir_text, executed=True)
    written: dict[str, str] = {}
    for match in _DECLARED.finditer(ir_text):
        product = _PRODUCT.fullmatch(match["name"])
        if product is not None:
            written[match["name"]] = _product(match["name"], product)
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


def _registers(shape: Shape, part: str) -> tuple[str, int]:
    """The type of a factor's registers, and how many a fragment has."""
    match shape.type:
        case "f16":
            return "<2 x half>", 8
        case "f64":
            return "double", shape.words(part)
        case _:
            return "i32", shape.words(part)


def _product(name: str, found: re.Match[str]) -> str:
    """Each lane's sums, of its own words and those of others; of 8 x 32 as those of 32 x 8."""
    shape = Shape(int(found["m"]), int(found["n"]), int(found["k"]), found["type"] or "f16")
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
    if shape.n > shape.m:
        shape, factors = replace(shape, m=shape.n, n=shape.m), factors[::-1]
    made = function.product(
        shape, factors[0], factors[1], sums,
        signs=(signed, signed), saturated=bool(found["saturated"]),
    )  # fmt: skip
    if found["to"] == "f16":
        result = function.give("<2 x half>", function.halves(made))
    else:
        result = function.give(_SUMS.get(shape.type, "float"), made)
    return function.text(name, result, ", ".join(parameters))
