"""The text by which the lanes of a warp read rows together, in tiles of shared memory.

Means: each loop is cut into tiles; before each the lanes read it, row by row, from where the lane
that owns the row says; whole tiles of whole warps without conditions, so that many reads are under
way. Tiles are as wide as there is room for in the largest block.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final

from msgspec import Struct, field

from drano.fix.edit import Copied, Edit, landed
from drano.fix.kernel.loops import (
    Loop,
    is_word,
    line_before,
)
from drano.fix.kernel.rows import Row
from drano.fix.kernel.shared_memory import fits
from drano.fix.kernel.warp_lanes import Arrival
from drano.fix.source_tree import Body, Tree, taken
from drano.host.function_bodies import strip
from drano.model.hardware import LINE_BYTES, SECTOR_BYTES, WARP_SIZE
from drano.model.report import KernelInfo

_WIDTHS: Final = (32, 16, 8, 4)
_MOST_WARPS: Final = 32
"""Of a block of any size."""


class StagedLoop(Struct, frozen=True):
    """A loop with the rows that its lanes may read together. ``offsets``: where these begin, in
    elements from the parameter, with the type of that; ``turns``: of the loop, 0 where that is no
    constant; ``end``: of its last line; ``unproved``: of its writes.
    """

    loop: Loop
    rows: tuple[Row, ...]
    offsets: tuple[tuple[str, str], ...]
    arrival: Arrival
    turns: int
    end: int
    unproved: str


def _warps(kernel: KernelInfo) -> int:
    """Of the largest block."""
    if not kernel.launches_known:
        return _MOST_WARPS
    return max((launch.block[0] + WARP_SIZE - 1) // WARP_SIZE for launch in kernel.launches)


class _Line(Struct, frozen=True):
    """A new line, ``depth`` steps in; ``row``: whose places it stands for, ``turns`` at once."""

    depth: int
    text: str
    row: Row | None = None
    turns: float = 1


class _Read(Struct, frozen=True):
    """How lanes read a row. ``tile``: where to; ``name``: by which its new variables are known."""

    row: Row
    tile: str
    name: str
    kind: str
    offset: str


class Tiles(Struct, frozen=True):
    """``copies``: the lines that read rows for their loops."""

    edits: tuple[Edit, ...]
    copies: tuple[Copied, ...]


class TileWriter(Struct):
    """Makes the edits for loops to which the same lanes come. Mutated: ``edits``; ``put``: what is
    put between the text, by place.
    """

    body: Body
    tree: Tree
    loops: list[StagedLoop]
    kernel: KernelInfo
    names: dict[str, str] = field(default_factory=dict)
    edits: list[Edit] = field(default_factory=list)
    put: dict[int, list[_Line | bytes]] = field(default_factory=dict)

    def tiles(self) -> Tiles | None:
        """The edits; None where there is no room for a tile."""
        slots = self._slots()
        width = self._width(slots)
        first = self.body.range(self.loops[0].arrival.whole)
        if width is None or first is None or self._begin(first[0]) is None:
            return None
        self.names = self._named(len(slots))
        self.put[line_before(self.body.source, first[0])] = list(self._setup(slots, width))
        for one in self.loops:
            self._cut(one, slots, width)
        return self._made()

    def _begin(self, start: int) -> int | None:
        """Where a statement's line begins; None where something stands before it."""
        line = self.body.source.rfind(b"\n", 0, start) + 1
        return None if self.body.source[line:start].strip() else line

    # --- tiles and names

    def _slots(self) -> list[str]:
        """The element of each tile: loops share those of one type."""
        slots: list[str] = []
        for one in self.loops:
            kinds = [_element(row) for row in one.rows]
            for kind in sorted(set(kinds)):
                slots += [kind] * (kinds.count(kind) - slots.count(kind))
        return slots

    def _width(self, slots: list[str]) -> int | None:
        """Columns of the widest tiles that there is room for, of a sector at least."""
        sizes = {
            _element(row): int(row.places[0].cursor.type.get_size())
            for one in self.loops for row in one.rows
        }  # fmt: skip
        narrow = all(kind != "long long" for one in self.loops for kind, _ in one.offsets)
        for width in _WIDTHS if narrow else _WIDTHS[:1]:
            size = sum(
                _warps(self.kernel) * width * (WARP_SIZE + 1) * sizes[kind] for kind in slots
            )
            least, most = (width * of(sizes.values()) for of in (min, max))
            fit = least >= SECTOR_BYTES and most <= LINE_BYTES
            if fit and fits(self.tree, size, self.body.root):
                return width
        return None

    def _named(self, tiles: int) -> dict[str, str]:
        """New names that nothing else in the kernel has, by what they are for."""
        files = map(self.body.tree.text, self.body.tree.files)
        used = set(taken(self.body.source, (self.body.start, self.body.end), files))
        wanted = {name: name for name in ("warp", "lane", "lanes", "first", "column", "owner")}
        wanted |= {f"tile {number}": "tile" for number in range(tiles)}
        for one in self.loops:
            counter = one.loop.counter.spelling
            wanted |= {f"{counter} tile": f"{counter}_tile", f"{counter} end": f"{counter}_end"}
            for number, row in enumerate(one.rows):
                name = row.name.decode()
                wanted |= {f"{name} {number} at": f"{name}_at"}
                wanted |= {f"{name} {number} from": f"{name}_from"}
        found: dict[str, str] = {}
        for what, name in wanted.items():
            tries = (name if number == 1 else f"{name}_{number}" for number in count(1))
            found[what] = next(new for new in tries if new.encode() not in used)
            used.add(found[what].encode())
        return found

    def _setup(self, slots: list[str], width: int) -> Iterator[_Line]:
        """What stands before the outermost statement: the tiles, and which lanes are there."""
        for number, kind in enumerate(slots):
            sizes = f"[{_warps(self.kernel)}][{width}][{WARP_SIZE} + 1]"
            yield _Line(0, f"__shared__ {kind} {self.names[f'tile {number}']}{sizes};")
        warp, lane = self.names["warp"], self.names["lane"]
        yield _Line(0, f"const int {warp} = threadIdx.x / 32, {lane} = threadIdx.x % 32;")
        tests = [text_of(self.body.words(test)) for test in self.loops[0].arrival.tests]
        asked = tests[0] if len(tests) == 1 else " && ".join(f"({test})" for test in tests)
        lanes = self.names["lanes"]
        yield _Line(0, f"const unsigned {lanes} = __ballot_sync(0xffffffff, {asked or 'true'});")

    # --- a loop

    def _cut(self, one: StagedLoop, slots: list[str], width: int) -> None:
        body, loop, counter = self.body, one.loop, one.loop.counter.spelling
        place, first, test = (body.range(node) for node in (loop.node, loop.first, loop.test))
        assert place is not None and first is not None and test is not None
        tile, end = self.names[f"{counter} tile"], self.names[f"{counter} end"]
        self.edits.append(Edit(body.path, *first, tile.encode()))
        self.edits.append(Edit(body.path, *test, f"{counter} < {end}".encode()))
        shared = self._shared(one, slots)
        for row, name in zip(one.rows, shared, strict=True):
            own = self._cell(name, self.names["lane"], f"{counter} - {tile}", width)
            for use in row.places:
                self.edits.append(Edit(body.path, *(body.range(use) or (0, 0)), own.encode()))
        start = line_before(body.source, place[0])
        self.put.setdefault(start, []).extend(self._around(one, shared, width))
        while start < one.end:
            stop = body.source.find(b"\n", start)
            text = body.source[start:stop].strip()
            if text and not text.startswith(b"#"):
                self.put.setdefault(start, []).append(_step(_indent(body.source, place[0])))
            start = stop + 1
        closed = b"\n" + _indent(body.source, place[0]) + b"}"
        self.put.setdefault(one.end, []).append(closed)

    def _cell(self, tile: str, owner: str, column: str, width: int) -> str:
        """An element of a tile, in which as many rows stand side by side as lanes read at once, so
        that they write to one line, and each reads from a bank of its own.
        """
        beside, line = WARP_SIZE // width, f"{tile}[{self.names['warp']}]"
        if beside == 1:
            return f"{line}[{owner}][{column}]"
        return f"{line}[{owner} / {beside}][{owner} % {beside} * {width} + {column}]"

    def _shared(self, one: StagedLoop, slots: list[str]) -> list[str]:
        """The tile of each row."""
        free = list(enumerate(slots))
        found = []
        for row in one.rows:
            slot = next(slot for slot in free if slot[1] == _element(row))
            free.remove(slot)
            found.append(self.names[f"tile {slot[0]}"])
        return found

    def _around(self, one: StagedLoop, shared: list[str], width: int) -> Iterator[_Line]:
        """What stands before the loop: the loop over its tiles, and how lanes read one."""
        body, loop, counter = self.body, one.loop, one.loop.counter.spelling
        tile, end = self.names[f"{counter} tile"], self.names[f"{counter} end"]
        limit = text_of(body.words(loop.limit))
        limit = limit if is_word(body, strip(loop.limit)) else f"({limit})"
        kind = str(loop.counter.cursor.type.get_canonical().spelling)
        zero = "0" if loop.declares else f"{counter} = 0"
        lanes = self.names["lanes"]
        # A wide number: the last tile may end behind what the counter can count to.
        yield _Line(0, f"for (long long {tile} = {zero}; {tile} {loop.sign} {limit}; "
                       f"{tile} += {width}) {{")  # fmt: skip
        last, more = (f"{limit} + 1", 1) if loop.sign == "<=" else (limit, 0)
        rest = f"{limit} - {tile} < {width - more}"
        yield _Line(1, f"const {kind} {end} = {rest} ? {last} : {tile} + {width};")
        rows = [
            _Read(row, place, f"{row.name.decode()} {number}", *offset)
            for number, (row, place, offset) in enumerate(
                zip(one.rows, shared, one.offsets, strict=True)
            )
        ]
        for read in rows:
            at = self.names[f"{read.name} at"]
            yield _Line(1, f"const {read.kind} {at} = {read.offset};")
        yield _Line(1, f"__syncwarp({lanes});")
        # Without conditions for each row, so that many reads are under way at a time.
        yield _Line(1, f"if ({lanes} == 0xffffffff && {end} - {tile} == {width}) {{")
        yield from self._rows_at_once(rows, tile, width)
        yield _Line(1, "} else {")
        yield from self._row_by_row(rows, tile, end, width, one.turns)
        yield _Line(1, "}")
        yield _Line(1, f"__syncwarp({lanes});")

    def _row_by_row(
        self, rows: list[_Read], tile: str, end: str, width: int, turns: int
    ) -> Iterator[_Line]:
        """Lanes that are there read one row after the other, whatever there is of it."""
        depth, lane, lanes = 2, self.names["lane"], self.names["lanes"]
        column, owner, first = self.names["column"], self.names["owner"], self.names["first"]
        yield _Line(depth, f"for (int {first} = 0; {first} < {width}; "
                           f"{first} += __popc({lanes})) {{")  # fmt: skip
        yield _Line(depth + 1, f"const int {column} = {first} + {lane};")
        yield _Line(0, "#pragma unroll")
        yield _Line(depth + 1, f"for (int {owner} = 0; {owner} < {WARP_SIZE}; {owner}++) {{")
        few = "" if width == WARP_SIZE else f"{lane} < {width} && "
        for read in rows:
            yield self._begin_of(read, depth + 2)
        for read in rows:
            here = f"{few}{lanes} >> {owner} & 1 && {column} < {end} - {tile}"
            yield _Line(depth + 2, f"if ({here})")
            yield self._copied(
                read, column, tile, width, depth + 3, min(width, turns or width) / WARP_SIZE
            )
        yield _Line(depth + 1, "}")
        yield _Line(depth, "}")

    def _rows_at_once(self, rows: list[_Read], tile: str, width: int) -> Iterator[_Line]:
        """All lanes read whole parts of one or several rows, again and again."""
        lane, first = self.names["lane"], self.names["first"]
        column, owner, beside = self.names["column"], self.names["owner"], WARP_SIZE // width
        if beside == 1:
            yield _Line(0, "#pragma unroll")
            yield _Line(2, f"for (int {owner} = 0; {owner} < {WARP_SIZE}; {owner}++) {{")
            column = lane
        else:
            yield _Line(2, f"const int {column} = {lane} % {width};")
            yield _Line(0, "#pragma unroll")
            yield _Line(2, f"for (int {first} = 0; {first} < {WARP_SIZE}; {first} += {beside}) {{")
            yield _Line(3, f"const int {owner} = {first} + {lane} / {width};")
        for read in rows:
            yield self._begin_of(read, 3)
        for read in rows:
            yield self._copied(read, column, tile, width, 3, 1)
        yield _Line(2, "}")

    def _begin_of(self, read: _Read, depth: int) -> _Line:
        """Where the owner's row begins."""
        at, begin = self.names[f"{read.name} at"], self.names[f"{read.name} from"]
        shuffled = f"__shfl_sync({self.names['lanes']}, {at}, {self.names['owner']})"
        return _Line(depth, f"const {read.kind} {begin} = {shuffled};")

    def _copied(
        self, read: _Read, column: str, tile: str, width: int, depth: int, turns: float
    ) -> _Line:
        """One element of the owner's row, read into the tile."""
        cell = self._cell(read.tile, self.names["owner"], column, width)
        found = f"{read.row.base.spelling}[{self.names[f'{read.name} from']} + {tile} + {column}]"
        return _Line(depth, f"{cell} = {found};", read.row, turns)

    # --- the edit

    def _made(self) -> Tiles:
        path, source = self.body.path, self.body.source
        stands: list[tuple[Edit, int, Row, float]] = []
        for at, parts in self.put.items():
            indent = _indent(source, _first(source, at))
            text = b""
            marks: list[tuple[int, Row, float]] = []
            for part in parts:
                if isinstance(part, _Line) and part.row is not None:
                    marks.append((len(text), part.row, part.turns))
                text += _shown(part, indent) if isinstance(part, _Line) else part
            edit = Edit(path, at, at, text)
            self.edits.append(edit)
            stands += [(edit, *mark) for mark in marks]
        edits = tuple(sorted(self.edits))
        copies = tuple(
            Copied(
                path, landed(source, edits, edit, within),
                row.places[0].cursor.extent.start.line, turns,
            )
            for edit, within, row, turns in stands
        )  # fmt: skip
        return Tiles(edits, copies)


def _shown(line: _Line, indent: bytes) -> bytes:
    text = line.text.encode("utf-8", "surrogateescape")
    return (text if text.startswith(b"#") else indent + line.depth * _step(indent) + text) + b"\n"


def text_of(words: bytes) -> str:
    """The source's bytes, whatever their encoding is."""
    return words.decode("utf-8", "surrogateescape")


def _step(indent: bytes) -> bytes:
    return b"\t" if b"\t" in indent else b"  "


def _first(source: bytes, line: int) -> int:
    """Where the first line from here on that is no pragma has its first word."""
    while source[line:].lstrip(b" \t").startswith(b"#"):
        line = source.find(b"\n", line) + 1
    return line + len(source[line:]) - len(source[line:].lstrip(b" \t"))


def _indent(source: bytes, start: int) -> bytes:
    line = source[source.rfind(b"\n", 0, start) + 1 : start]
    return line[: len(line) - len(line.lstrip())]


def _element(row: Row) -> str:
    return str(row.places[0].cursor.type.get_canonical().spelling).removeprefix("const ")
