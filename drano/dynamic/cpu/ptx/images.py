"""Textures and surfaces in inline PTX, served by the run-time library.

Means: a fetch is ``drano_texture``, a load or store of a surface ``drano_surface``, of a shape: one
to three dimensions, layers, the faces of a cube. The run-time library makes textures of one level
of detail only, so a fetch of any level reads that one.
Limits: gathers, gradients and sparse fetches are not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drano.ptx.model import Address, Instruction, Operand, Vector
from drano.ptx.types import type_bits
from drano.ptx.writer import Handler, UnknownError, Writer

# Geometry -> the shape's number (DRANO_LAYERED, DRANO_CUBE in drano_abi.h) and which of the
# library's coordinates x, y, z, layer each operand is.
_SHAPES: Final = {
    "1d": (1, (0,)), "2d": (2, (0, 1)), "3d": (3, (0, 1, 2)), "a1d": (1 | 16, (3, 0)),
    "a2d": (2 | 16, (3, 0, 1)), "cube": (2 | 32, (0, 1, 2)), "acube": (2 | 48, (3, 0, 1, 2)),
}  # fmt: skip
_BOUNDARIES: Final = {"trap": 0, "clamp": 1, "zero": 2}


def _parts(o: Operand) -> tuple[Operand, ...]:
    return o.parts if isinstance(o, Vector) else (o,)


def _coordinates(w: Writer, geometry: str, o: Operand) -> tuple[int, str, str]:
    """The shape's number, the handle, and where the coordinates stand."""
    if not isinstance(o, Address) or len(o.more) != 1 or geometry not in _SHAPES:
        raise UnknownError
    number, order = _SHAPES[geometry]
    place = w.let("alloca [4 x i32], align 16")
    w.do(f"store [4 x i32] zeroinitializer, ptr {place}, align 16")
    for position, part in zip(order, _parts(o.more[0]), strict=False):
        at = w.let(f"getelementptr i32, ptr {place}, i64 {position}")
        w.do(f"store i32 {w.value(part, 'i32')}, ptr {at}, align 4")
    return number, w.value(o.base, "i64"), place


def _texture(w: Writer, i: Instruction) -> None:
    """``tex.2d.v4.f32.s32 {r, g, b, a}, [handle, {x, y}]``."""
    mods = [m for m in i.modifiers if m != "level"]
    if len(mods) != 4 or mods[1] != "v4" or mods[3] not in ("f32", "s32"):
        raise UnknownError
    number, handle, place = _coordinates(w, mods[0], i.operands[1])
    result = w.let("alloca [4 x i32], align 16")
    w.do(
        f"call void @drano_texture(ptr %w, i64 {handle}, i32 {number}, ptr {place}, "
        f"i32 {int(mods[3] == 's32')}, ptr {result}, i32 {int(mods[2] == 'f32')})"
    )
    for k, part in enumerate(_parts(i.operands[0])):
        at = w.let(f"getelementptr i32, ptr {result}, i64 {k}")
        w.set(part, w.let(f"load i32, ptr {at}, align 4"), "i32")


def _surface(w: Writer, i: Instruction) -> None:
    """``suld.b.2d.v2.b32.trap {r, g}, [handle, {x, y}]``; ``sust`` has its operands the other way
    round. ``x`` is in bytes.
    """
    mods = i.modifiers
    if mods[0] != "b" or mods[-1] not in _BOUNDARIES:
        raise UnknownError
    stores = i.opcode == "sust"
    address, values = i.operands if stores else i.operands[::-1]
    bits, parts = type_bits(mods[-2]), _parts(values)
    kind = f"i{bits}"
    number, handle, place = _coordinates(w, mods[1], address)
    value = w.let("alloca [32 x i8], align 16")
    at = [w.let(f"getelementptr i8, ptr {value}, i64 {k * bits // 8}") for k in range(len(parts))]
    for part, where in zip(parts, at, strict=True):
        if stores:
            w.do(f"store {kind} {w.value(part, kind)}, ptr {where}")
    w.do(
        f"call void @drano_surface(ptr %w, i64 {handle}, i32 {number}, ptr {place}, "
        f"i32 {_BOUNDARIES[mods[-1]]}, i32 {len(parts) * bits // 8}, ptr {value}, "
        f"i32 {int(stores)})"
    )
    for part, where in zip(parts, at, strict=True):
        if not stores:
            w.set(part, w.let(f"load {kind}, ptr {where}, align 1"), kind)


IMAGES: Final[Mapping[str, Handler]] = {"tex": _texture, "suld": _surface, "sust": _surface}
