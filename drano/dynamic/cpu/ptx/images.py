"""Textures and surfaces in inline PTX, served by the run-time library.

Means: a fetch is ``drano_texture``, a load or store of a surface ``drano_surface``, of a shape: one
to three dimensions, layers, the faces of a cube. The run-time library makes textures of one level
of detail only, so a fetch of any level reads that one.
Limits: gathers, gradients and sparse fetches are not known.
"""

from __future__ import annotations

import re

from drano.dynamic.cpu.ptx.registers import PtxError, PtxWriter, type_bits

# Geometry -> the shape's number (DRANO_LAYERED, DRANO_CUBE in drano_abi.h) and which of the
# library's coordinates x, y, z, layer each operand is.
_SHAPES = {
    "1d": (1, (0,)), "2d": (2, (0, 1)), "3d": (3, (0, 1, 2)), "a1d": (1 | 16, (3, 0)),
    "a2d": (2 | 16, (3, 0, 1)), "cube": (2 | 32, (0, 1, 2)), "acube": (2 | 48, (3, 0, 1, 2)),
}  # fmt: skip
_BOUNDARIES = {"trap": 0, "clamp": 1, "zero": 2}
_PLACE = re.compile(r"\[\s*([$\w%]+)\s*,\s*\{([^}]*)\}\s*\]")


class PtxImages(PtxWriter):
    """Part of the translator."""

    def _image(self, opcode: str, mods: list[str], ops: list[str]) -> None:
        if opcode == "tex":
            self._texture([mod for mod in mods if mod != "level"], ops)
        else:
            self._surface(opcode, mods, ops)

    def _coordinates(self, geometry: str, text: str) -> tuple[int, str, str]:
        """The shape's number, the handle, and where the coordinates stand."""
        match = _PLACE.fullmatch(text.strip())
        if match is None or geometry not in _SHAPES:
            raise PtxError(f"coordinates {text}")
        number, order = _SHAPES[geometry]
        place = self._set("alloca [4 x i32], align 16")
        self.lines.append(f"store [4 x i32] zeroinitializer, ptr {place}, align 16")
        for position, name in zip(order, match[2].split(","), strict=False):
            at = self._set(f"getelementptr i32, ptr {place}, i64 {position}")
            self.lines.append(f"store i32 {self._read(name, 'b32')}, ptr {at}, align 4")
        return number, self._read(match[1], "b64"), place

    def _texture(self, mods: list[str], ops: list[str]) -> None:
        """``tex.2d.v4.f32.s32 {r, g, b, a}, [handle, {x, y}]``."""
        if len(mods) != 4 or mods[1] != "v4" or mods[3] not in ("f32", "s32"):
            raise PtxError("texture of this shape")
        number, handle, place = self._coordinates(mods[0], ops[1])
        result = self._set("alloca [4 x i32], align 16")
        self.lines.append(
            f"call void @drano_texture(ptr %w, i64 {handle}, i32 {number}, ptr {place}, "
            f"i32 {int(mods[3] == 's32')}, ptr {result}, i32 {int(mods[2] == 'f32')})"
        )
        for k, name in enumerate(ops[0].strip().strip("{}").split(",")):
            at = self._set(f"getelementptr i32, ptr {result}, i64 {k}")
            self._write(name, self._set(f"load i32, ptr {at}, align 4"), 32)

    def _surface(self, opcode: str, mods: list[str], ops: list[str]) -> None:
        """``suld.b.2d.v2.b32.trap {r, g}, [handle, {x, y}]``; ``sust`` has its operands the other
        way round. ``x`` is in bytes.
        """
        if mods[0] != "b" or mods[-1] not in _BOUNDARIES:
            raise PtxError("surface of this kind")
        stores = opcode == "sust"
        bits = type_bits(mods[-2])
        names = ops[1 if stores else 0].strip().strip("{}").split(",")
        number, handle, place = self._coordinates(mods[1], ops[0 if stores else 1])
        value = self._set("alloca [32 x i8], align 16")
        at = [
            self._set(f"getelementptr i8, ptr {value}, i64 {k * bits // 8}")
            for k in range(len(names))
        ]
        for name, where in zip(names, at, strict=True):
            if stores:
                self.lines.append(f"store i{bits} {self._read(name, mods[-2])}, ptr {where}")
        self.lines.append(
            f"call void @drano_surface(ptr %w, i64 {handle}, i32 {number}, ptr {place}, "
            f"i32 {_BOUNDARIES[mods[-1]]}, i32 {len(names) * bits // 8}, ptr {value}, "
            f"i32 {int(stores)})"
        )
        for name, where in zip(names, at, strict=True):
            if not stores:
                self._write(name, self._set(f"load i{bits}, ptr {where}, align 1"), bits)
