"""Read rows together into shared memory, where each thread walks along a row of its own.

## What it does

`stage-rows-in-shared-memory` cuts a loop in which each thread walks along a row of its own into
tiles. The lanes of a warp read a tile of all their rows together, neighbour by neighbour, into
shared memory; each thread then finds its own row there:

```cuda
int row = blockIdx.x * blockDim.x + threadIdx.x;
if (row < N) {
  const float* x = in + row * C;
  for (int i = 0; i < C; i++) s += x[i];  // before: lanes are C elements apart, 32 sectors
}

__shared__ float tile[8][32][32 + 1];                       // after
const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
const unsigned lanes = __ballot_sync(0xffffffff, row < N);  // which lanes are there
if (row < N) {
  const float* x = in + row * C;
  for (long long i_tile = 0; i_tile < C; i_tile += 32) {
    const int i_end = C - i_tile < 32 ? C : i_tile + 32;
    const int x_at = row * C;
    __syncwarp(lanes);
    if (lanes == 0xffffffff && i_end - i_tile == 32) {
#pragma unroll
      for (int owner = 0; owner < 32; owner++) {            // a row, by all lanes: 4 or 5 sectors
        const int x_from = __shfl_sync(lanes, x_at, owner);
        tile[warp][owner][lane] = in[x_from + i_tile + lane];
      }
    } else {
      for (int first = 0; first < 32; first += __popc(lanes)) {
        const int column = first + lane;
#pragma unroll
        for (int owner = 0; owner < 32; owner++) {
          const int x_from = __shfl_sync(lanes, x_at, owner);
          if (lanes >> owner & 1 && column < i_end - i_tile)
            tile[warp][owner][column] = in[x_from + i_tile + column];
        }
      }
    }
    __syncwarp(lanes);
    for (int i = i_tile; i < i_end; i++) s += tile[warp][lane][i - i_tile];
  }
}
```

All loops of the kernel that walk along such rows are cut, and share the tiles. A tile has 32
columns (16 of elements of 8 bytes), or 16, 8 or 4 where that is what fits into 48 kB for the
largest block, which has 1024 threads where its size is not known; then the lanes read parts of
several rows at once.

## When it is offered

* A `for` loop counts from 0 by one, to a limit that is the same for all threads; in each turn it
  reads the element of the row that the counter says, and it does not end early. Its body has no
  calls but of arithmetic, and no loops.
* All launches of the kernel are known to have blocks of one row (`dim3(n)`).
* Lanes come to the loop together: around it are conditions and counting loops that are the same for
  all threads, and guards, such as `row < N`, that hold for the first lanes of a warp; before it,
  threads leave the kernel by such guards only.
* The analysis of the edited text finds fewer sectors for each turn, and no other access worse.

## What is proved

Each thread does the same turns in the same order with the same values, so that results are the same
to the last bit. What is read ahead are elements that the next turns of the lane that owns the row
read: of lanes that are there, and below the limit. The lanes that are there wait for each other
before and behind the copy, so that none sees another one's tile, or misses what another has
written to its row. The loop must not write to the rows: where it writes through a pointer, that is
proved if all pointers are `__restrict__`, or all launches are seen to be given different
allocations; else the edit is unsafe, as it is where launches of the kernel ask for dynamic shared
memory besides.

## Cost

Shared memory: 132 bytes for each thread and array that is read at once, and 33 kB where the size of
blocks is not known. As it is, each lane finds the next elements of its row in the cache, until more
rows are under way than that holds. So it depends on sizes what the edit gains: on an H200, with
rows of 1024 floats it made kernels 1.75 to 3.4 times as fast, with rows of 70 some were slower.
Therefore it is always unsafe in `drano fix`'s sense, though results are proved: measure it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.catalogue.found_rows import holds, is_found, is_of_finding
from drano.fix.edit import Copied, Edit, Fix, landed
from drano.fix.host_arrays import separate
from drano.fix.loop_rows import (
    Loop,
    Row,
    assigned_numbers,
    counting_loop,
    is_plain,
    is_private,
    is_word,
    line_before,
    renamed,
    row_offset,
    rows_of,
    unproved,
)
from drano.fix.ranges import Ranges, ranges_of
from drano.fix.shared_memory import fits, unknown_use_of
from drano.fix.source_tree import Body, Tree, taken
from drano.fix.warp_lanes import Arrival, arrival, is_one_row, is_same
from drano.frontend.libclang import Kind, Node, is_kernel
from drano.host.function_bodies import strip
from drano.model.finding import Finding
from drano.model.report import KernelInfo

NAME: Final = "stage-rows-in-shared-memory"
CACHED: Final = "that the rows are longer than what caches hold of them"
"""Where all else is proved: then each sector is read once as it is."""
_LANES: Final = 32
_LINE: Final = 128
_WIDTHS: Final = (32, 16, 8, 4)
_SECTOR: Final = 32
_OFFSETS: Final = {17: "int", 9: "unsigned"}
"""CXTypeKind of what lanes hand each other in one shuffle."""
_LEAST: Final = 8
_MOST_WARPS: Final = 32
"""Of a block of any size."""


@dataclass(frozen=True, slots=True)
class _Staged:
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


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body = scene.body(finding)
    if body is None or scene.tree is None or not is_kernel(body.root.cursor):
        return
    kernels = scene.instances(finding)
    if len(kernels) != 1 or not is_one_row(kernels[0]) or body.has_directives(but_pragmas=True):
        return
    ranges = ranges_of(body, kernels[0])
    found = list(_loops(body, ranges, finding, scene))
    mine = [one for one in found if _is_for(one, finding)]
    for one in mine:
        beside = [other for other in found if not other.unproved or other is one]
        fix = _Writer(body, scene.tree, _together(body, one, beside), kernels[0]).fix()
        if fix is not None:
            yield fix


def _warps(kernel: KernelInfo) -> int:
    """Of the largest block."""
    if not kernel.launches_known:
        return _MOST_WARPS
    return max((launch.block[0] + _LANES - 1) // _LANES for launch in kernel.launches)


def _is_for(one: _Staged, finding: Finding) -> bool:
    return holds(one.loop.node, finding.location.span.line) and any(
        is_of_finding(row, finding) for row in one.rows
    )


# --- the loops -------------------------------------------------------------------------------


def _loops(body: Body, ranges: Ranges, finding: Finding, scene: Scene) -> Iterator[_Staged]:
    for node in body.nodes():
        loop = counting_loop(body, ranges, node) if node.kind == Kind.FOR else None
        if loop is None or not is_plain(body, ranges, loop) or not _has_one_type(loop):
            continue
        if not all(is_private(body, variable) for variable in assigned_numbers(loop)):
            continue
        rows = tuple(row for row in rows_of(body, ranges, loop) if is_found(row, finding, scene))
        end, lanes = _end(body, node), arrival(body, ranges, node) if rows else None
        if lanes is None or end is None:
            continue
        limit = ranges.sum(loop.limit)
        turns = 0 if limit.parts else limit.number + (loop.sign == "<=")
        if not is_same(body, ranges, loop.limit, lanes.counters) or 0 < turns < _LEAST:
            continue
        reason = unproved(
            body, ranges, loop, list(rows), lambda names: separate(body.tree, body, names)
        )
        offsets = tuple(_offset(body, ranges, loop, row) for row in rows)
        yield _Staged(loop, rows, offsets, lanes, turns, end, reason)


def _offset(body: Body, ranges: Ranges, loop: Loop, row: Row) -> tuple[str, str]:
    """The type and the text of where a row begins."""
    offset = row_offset(body, ranges, loop, row)
    kind = "" if offset is None else _OFFSETS.get(offset.type_kind, "")
    if offset is None or not kind:
        first = renamed(body, loop, row.places[0], b"0")
        return "long long", f"&{_text(first)} - {row.base.spelling}"
    return kind, _text(renamed(body, loop, offset, b"0"))


def _has_one_type(loop: Loop) -> bool:
    """Whether the counter and the limit are compared as what they are."""
    return loop.counter.type_kind == loop.limit.type_kind


def _end(body: Body, node: Node) -> int | None:
    """Where the line ends on which the loop does; None where something follows on it."""
    place = body.range(node)
    if place is None:
        return None
    code = body.code
    behind = place[1] + len(code[place[1] :]) - len(code[place[1] :].lstrip())
    end = behind + 1 if code[behind : behind + 1] == b";" else place[1]
    line = code.find(b"\n", end)
    closed = code[end - 1 : end] in {b";", b"}"}
    return line if line >= 0 and closed and not code[end:line].strip() else None


def _together(body: Body, one: _Staged, others: list[_Staged]) -> list[_Staged]:
    """The loops to which the same lanes come as to one of them, itself with them."""
    if one.arrival.tests:
        return [
            other for other in others
            if other.arrival.whole is one.arrival.whole
            and list(map(id, other.arrival.tests)) == list(map(id, one.arrival.tests))
        ]  # fmt: skip
    leaves = [node.cursor.extent.start.offset for node in body.nodes() if node.kind == Kind.RETURN]
    mine = one.loop.node.cursor.extent.start.offset

    def is_beside(other: _Staged) -> bool:
        ends = sorted((mine, other.loop.node.cursor.extent.start.offset))
        return not other.arrival.tests and not any(ends[0] < at < ends[1] for at in leaves)

    return [other for other in others if is_beside(other)]


# --- the text --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """A new line, ``depth`` steps in; ``row``: whose places it stands for, ``turns`` at once."""

    depth: int
    text: str
    row: Row | None = None
    turns: float = 1


@dataclass(frozen=True, slots=True)
class _Read:
    """How lanes read a row. ``tile``: where to; ``name``: by which its new variables are known."""

    row: Row
    tile: str
    name: str
    kind: str
    offset: str


@dataclass(slots=True)
class _Writer:
    """Makes the edits for loops to which the same lanes come. Mutated: ``edits``; ``put``: what is
    put between the text, by place.
    """

    body: Body
    tree: Tree
    loops: list[_Staged]
    kernel: KernelInfo
    names: dict[str, str] = field(default_factory=dict)
    edits: list[Edit] = field(default_factory=list)
    put: dict[int, list[_Line | bytes]] = field(default_factory=dict)

    def fix(self) -> Fix | None:
        """The edit; None where there is no room for it."""
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

    def _title(self) -> str:
        whose = sorted({row.name.decode() for one in self.loops for row in one.rows})
        lines = sorted({one.loop.node.cursor.extent.start.line for one in self.loops})
        where = f"loop of line {lines[0]}"
        if len(lines) > 1:
            where = f"loops of lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"
        return f"read the rows of {' and '.join(whose)} through shared memory in the {where}"

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
            size = sum(_warps(self.kernel) * width * (_LANES + 1) * sizes[kind] for kind in slots)
            least, most = (width * of(sizes.values()) for of in (min, max))
            fit = least >= _SECTOR and most <= _LINE
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
            sizes = f"[{_warps(self.kernel)}][{width}][{_LANES} + 1]"
            yield _Line(0, f"__shared__ {kind} {self.names[f'tile {number}']}{sizes};")
        warp, lane = self.names["warp"], self.names["lane"]
        yield _Line(0, f"const int {warp} = threadIdx.x / 32, {lane} = threadIdx.x % 32;")
        tests = [_text(self.body.words(test)) for test in self.loops[0].arrival.tests]
        asked = tests[0] if len(tests) == 1 else " && ".join(f"({test})" for test in tests)
        lanes = self.names["lanes"]
        yield _Line(0, f"const unsigned {lanes} = __ballot_sync(0xffffffff, {asked or 'true'});")

    # --- a loop

    def _cut(self, one: _Staged, slots: list[str], width: int) -> None:
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
        beside, line = _LANES // width, f"{tile}[{self.names['warp']}]"
        if beside == 1:
            return f"{line}[{owner}][{column}]"
        return f"{line}[{owner} / {beside}][{owner} % {beside} * {width} + {column}]"

    def _shared(self, one: _Staged, slots: list[str]) -> list[str]:
        """The tile of each row."""
        free = list(enumerate(slots))
        found = []
        for row in one.rows:
            slot = next(slot for slot in free if slot[1] == _element(row))
            free.remove(slot)
            found.append(self.names[f"tile {slot[0]}"])
        return found

    def _around(self, one: _Staged, shared: list[str], width: int) -> Iterator[_Line]:
        """What stands before the loop: the loop over its tiles, and how lanes read one."""
        body, loop, counter = self.body, one.loop, one.loop.counter.spelling
        tile, end = self.names[f"{counter} tile"], self.names[f"{counter} end"]
        limit = _text(body.words(loop.limit))
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
        yield _Line(depth + 1, f"for (int {owner} = 0; {owner} < {_LANES}; {owner}++) {{")
        few = "" if width == _LANES else f"{lane} < {width} && "
        for read in rows:
            yield self._begin_of(read, depth + 2)
        for read in rows:
            here = f"{few}{lanes} >> {owner} & 1 && {column} < {end} - {tile}"
            yield _Line(depth + 2, f"if ({here})")
            yield self._copied(
                read, column, tile, width, depth + 3, min(width, turns or width) / _LANES
            )
        yield _Line(depth + 1, "}")
        yield _Line(depth, "}")

    def _rows_at_once(self, rows: list[_Read], tile: str, width: int) -> Iterator[_Line]:
        """All lanes read whole parts of one or several rows, again and again."""
        lane, first = self.names["lane"], self.names["first"]
        column, owner, beside = self.names["column"], self.names["owner"], _LANES // width
        if beside == 1:
            yield _Line(0, "#pragma unroll")
            yield _Line(2, f"for (int {owner} = 0; {owner} < {_LANES}; {owner}++) {{")
            column = lane
        else:
            yield _Line(2, f"const int {column} = {lane} % {width};")
            yield _Line(0, "#pragma unroll")
            yield _Line(2, f"for (int {first} = 0; {first} < {_LANES}; {first} += {beside}) {{")
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

    def _made(self) -> Fix:
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
        reasons = [one.unproved for one in self.loops if one.unproved]
        unknown = unknown_use_of(self.tree, self.tree.files, self.body, self.kernel.launch_sites)
        reason = reasons[0] if reasons else unknown or CACHED
        return Fix(NAME, self._title(), edits, reason, copies=copies)


def _shown(line: _Line, indent: bytes) -> bytes:
    text = line.text.encode("utf-8", "surrogateescape")
    return (text if text.startswith(b"#") else indent + line.depth * _step(indent) + text) + b"\n"


def _text(words: bytes) -> str:
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


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
