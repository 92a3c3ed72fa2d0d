"""Tiles in shared memory in which a warp finds its elements in banks of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from drano.fix.kernel.handed_statements import Part
from drano.fix.kernel.variable_writes import loop_parts
from drano.frontend.libclang import Kind, Node, constant, key
from drano.host.function_bodies import plain_children, strip

_X, _Y = b"threadIdx.x", b"threadIdx.y"
_BANKS: Final = 32


class Tile(Struct, frozen=True):
    """``wide``: elements of a row; ``written``, ``read``: indices of it by which a thread names the
    element of the original and of the new thread; ``words``: what the latter's numbers are.
    """

    rows: int
    wide: bytes
    size: int
    original: bytes
    other: bytes
    words: dict[bytes, bytes]
    setup: tuple[bytes, ...] = ()


def tiles_for(part: Part, width: int, height: int) -> Iterator[Tile]:
    """Ways to lay out a tile, in which a warp finds all its elements in banks of their own."""
    if part.loop is not None:
        counter = _tile_counter(part.loop, width, height)
        if counter:
            row = b"threadIdx.y + " + counter
            yield Tile(
                width, b"%d + 1" % width, width * (width + 1),
                b"[%b][threadIdx.x]" % row, b"[threadIdx.x][%b]" % row,
                {b"x": b"(%b)" % row, b"y": _X},
            )  # fmt: skip
        return
    if width == height:
        words = {b"x": _Y, b"y": _X}
        if width >= _BANKS or width & (width - 1):
            yield Tile(
                height, b"%d + 1" % width, height * (width + 1),
                b"[threadIdx.y][threadIdx.x]", b"[threadIdx.x][threadIdx.y]", words,
            )  # fmt: skip
        else:  # several rows in a warp: no padding keeps both rows and columns apart
            yield Tile(
                height, b"%d" % width, height * width,
                b"[threadIdx.y][threadIdx.x ^ threadIdx.y]",
                b"[threadIdx.x][threadIdx.x ^ threadIdx.y]", words,
            )  # fmt: skip
        return
    setup = (
        b"const unsigned thread = threadIdx.y * %d + threadIdx.x;" % width,
        b"const unsigned turned_x = thread / %d, turned_y = thread %% %d;" % (height, height),
    )
    pad = max(_BANKS // height, 1)
    yield Tile(
        height, b"%d + %d" % (width, pad), height * (width + pad),
        b"[threadIdx.y][threadIdx.x]", b"[turned_y][turned_x]",
        {b"x": b"turned_x", b"y": b"turned_y"}, setup,
    )  # fmt: skip


def _tile_counter(loop: Node, width: int, height: int) -> bytes:
    """The counter of a loop by which the block's rows of threads go over a square, or b""."""
    parts = loop_parts(loop)
    if parts is None or parts[0].kind != Kind.DECL_STMT or width % height:
        return b""
    declared = plain_children(parts[0])
    condition, step = strip(parts[1]), strip(parts[2])
    sides, change = plain_children(condition), plain_children(step)
    if len(declared) != 1 or declared[0].kind != Kind.VAR or len(sides) != 2 or len(change) != 2:
        return b""
    first = plain_children(declared[0])
    if condition.kind != Kind.BINARY or condition.binary != "<" or not first:
        return b""
    if step.kind != Kind.COMPOUND_ASSIGN or step.binary != "+=":
        return b""
    counter = key(declared[0].cursor)
    named = all(strip(node).key == counter for node in (sides[0], change[0]))
    numbers = (constant(first[-1].cursor), constant(sides[1].cursor), constant(change[1].cursor))
    right = numbers == (0, width, height)
    return declared[0].spelling.encode() if named and right else b""
