"""How Triton lays out the blocks that a kernel loads and stores, from its ``.ttgir``.

    ; drano: layout 11:13 shape=32x64 thread=1x4 warp=2x64 last

Means: the access at that place is of a block of 32x64 elements, of which a thread has 1x4 and a
warp 2x64, and threads that are neighbours are so along the last axis. It is handed on in comments
behind the LLVM IR, which knows nothing of blocks any more.
Assumptions: places are those of the debug information: Triton gives both the same.
Limits: blocked layouts only, of one to three axes. Where accesses of different layouts are at one
place, there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

_MOST: Final = 10_000
_BLOCKED = re.compile(
    r"^(#\w+) = #(?:ttg|triton_gpu)\.blocked<\{sizePerThread = \[([\d, ]+)\], "
    r"threadsPerWarp = \[([\d, ]+)\], warpsPerCTA = \[([\d, ]+)\], order = \[([\d, ]+)\]",
    re.MULTILINE,
)
_ACCESS = re.compile(
    r"^ .*\b(?:tt\.(?:load|store|atomic_\w+)|\w+\.async_copy_global_to_local) (.*) loc\((#\w+)\)$",
    re.MULTILINE,
)
_BLOCK = re.compile(r"tensor<([\dx]+)x!tt\.ptr<[^>]*>, (#\w+)>")
_PLACE = re.compile(r'^(#\w+) = loc\((?:"[^"\n]*":(\d+):(\d+)|"[^"\n]*"\((#\w+)\)'
                    r"|callsite\((#\w+) at )", re.MULTILINE)  # fmt: skip
_NOTE = re.compile(
    r"^; drano: layout (\d+):(\d+) shape=([\dx]+) thread=([\dx]+) warp=([\dx]+) "
    r"(last|first|middle)$",
    re.MULTILINE,
)
Place = tuple[int, int]


class Layout(Struct, frozen=True):
    """Sizes of the block, of a thread's part and of a warp's; ``along``: the axis, in a word."""

    shape: str
    thread: str
    warp: str
    along: str

    @property
    def elements(self) -> int:
        """How many a thread has beside each other."""
        found = 1
        for size in self.thread.split("x"):
            found *= int(size)
        return found


def with_layouts(llir: str, ttgir: str) -> str:
    """Triton's LLVM IR with the layouts of its accesses in comments behind it."""
    notes = [
        f"; drano: layout {line}:{column} shape={one.shape} thread={one.thread} warp={one.warp} "
        f"{one.along}"
        for (line, column), one in layouts_of(ttgir).items()
    ]
    return "\n".join([llir.rstrip("\n"), *notes[:_MOST], ""]) if notes else llir


def layouts_in(ir: str) -> dict[Place, Layout]:
    """What ``with_layouts`` has written, by lines and columns."""
    return {(int(m[1]), int(m[2])): Layout(m[3], m[4], m[5], m[6]) for m in _NOTE.finditer(ir)}


def layouts_of(ttgir: str) -> dict[Place, Layout]:
    """The layouts of a module's accesses, where all at a place have the same."""
    blocked = {match[1]: match.groups()[1:] for match in _BLOCKED.finditer(ttgir)}
    places = {match[1]: match.groups()[1:] for match in _PLACE.finditer(ttgir)}
    found: dict[Place, set[Layout | None]] = {}
    for name, layout in _accesses(ttgir, blocked):
        place = _place(name, places)
        if place is not None:
            found.setdefault(place, set()).add(layout)
    return {
        place: layout
        for place, (layout, *others) in found.items()
        if layout is not None and not others
    }


def _accesses(
    ttgir: str, blocked: dict[str, tuple[str, ...]]
) -> Iterator[tuple[str, Layout | None]]:
    for access in _ACCESS.finditer(ttgir):
        block = _BLOCK.search(access[1])
        layout = blocked.get(block[2]) if block is not None else None
        yield access[2], _layout(block[1], layout) if block is not None and layout else None


def _layout(shape: str, layout: tuple[str, ...]) -> Layout | None:
    sizes = [int(size) for size in shape.split("x")]
    per_thread, threads, _, order = ([int(n) for n in numbers.split(",")] for numbers in layout)
    if not len(sizes) == len(per_thread) == len(threads) == len(order) <= 3:
        return None
    thread = [min(of) for of in zip(per_thread, sizes, strict=True)]
    warp = [min(p * t, s) for p, t, s in zip(per_thread, threads, sizes, strict=True)]
    along = "last" if order[0] == len(sizes) - 1 else "first" if order[0] == 0 else "middle"
    return Layout(shape, "x".join(map(str, thread)), "x".join(map(str, warp)), along)


def _place(name: str, places: dict[str, tuple[str | None, ...]]) -> Place | None:
    """The innermost line and column of a location."""
    for _ in range(len(places) + 1):
        line, column, named, callee = places.get(name, (None,) * 4)
        if line is not None and column is not None:
            return int(line), int(column)
        name = named or callee or ""
    return None
