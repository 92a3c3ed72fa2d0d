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
from typing import Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.catalogue.found_rows import holds, is_found, is_of_finding
from drano.fix.edit import Fix
from drano.fix.host.separate_arrays import separate
from drano.fix.kernel.loops import (
    Loop,
    assigned_numbers,
    counting_loop,
    is_plain,
    is_private,
    renamed,
)
from drano.fix.kernel.ranges import Ranges, ranges_of
from drano.fix.kernel.rows import Row, row_offset, rows_of, unproved
from drano.fix.kernel.shared_memory import unknown_use_of
from drano.fix.kernel.warp_lanes import arrival, is_one_row, is_same
from drano.fix.row_tiles import StagedLoop, TileWriter, text_of
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, is_kernel
from drano.model.finding import Finding

NAME: Final = "stage-rows-in-shared-memory"
CACHED: Final = "that the rows are longer than what caches hold of them"
"""Where all else is proved: then each sector is read once as it is."""
_OFFSETS: Final = {17: "int", 9: "unsigned"}
"""CXTypeKind of what lanes hand each other in one shuffle."""
_LEAST: Final = 8
_BANK_BYTES: Final = 4
"""Smaller elements of two rows of a tile lie in one bank."""


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
        loops = _together(body, one, beside)
        tiles = TileWriter(body, scene.tree, loops, kernels[0]).tiles()
        if tiles is not None:
            unknown = unknown_use_of(scene.tree, scene.tree.files, body, kernels[0].launch_sites)
            reason = next((cut.unproved for cut in loops if cut.unproved), unknown or CACHED)
            yield Fix(NAME, _title(loops), tiles.edits, reason, copies=tiles.copies)


def _title(loops: list[StagedLoop]) -> str:
    whose = sorted({row.name.decode() for one in loops for row in one.rows})
    lines = sorted({one.loop.node.cursor.extent.start.line for one in loops})
    where = f"loop of line {lines[0]}"
    if len(lines) > 1:
        where = f"loops of lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"
    return f"read the rows of {' and '.join(whose)} through shared memory in the {where}"


def _is_for(one: StagedLoop, finding: Finding) -> bool:
    return holds(one.loop.node, finding.location.span.line) and any(
        is_of_finding(row, finding) for row in one.rows
    )


def _loops(body: Body, ranges: Ranges, finding: Finding, scene: Scene) -> Iterator[StagedLoop]:
    for node in body.nodes():
        loop = counting_loop(body, ranges, node) if node.kind == Kind.FOR else None
        if loop is None or not is_plain(body, ranges, loop) or not _has_one_type(loop):
            continue
        if not all(is_private(body, variable) for variable in assigned_numbers(loop)):
            continue
        rows = tuple(
            row for row in rows_of(body, ranges, loop)
            if row.size >= _BANK_BYTES and not row.moved and is_found(row, finding, scene)
        )  # fmt: skip
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
        yield StagedLoop(loop, rows, offsets, lanes, turns, end, reason)


def _offset(body: Body, ranges: Ranges, loop: Loop, row: Row) -> tuple[str, str]:
    """The type and the text of where a row begins."""
    offset = row_offset(body, ranges, loop, row)
    kind = "" if offset is None else _OFFSETS.get(offset.type_kind, "")
    if offset is None or not kind:
        first = renamed(body, loop, row.places[0], b"0")
        return "long long", f"&{text_of(first)} - {row.base.spelling}"
    return kind, text_of(renamed(body, loop, offset, b"0"))


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


def _together(body: Body, one: StagedLoop, others: list[StagedLoop]) -> list[StagedLoop]:
    """The loops to which the same lanes come as to one of them, itself with them."""
    if one.arrival.tests:
        return [
            other for other in others
            if other.arrival.whole is one.arrival.whole
            and list(map(id, other.arrival.tests)) == list(map(id, one.arrival.tests))
        ]  # fmt: skip
    leaves = [node.cursor.extent.start.offset for node in body.nodes() if node.kind == Kind.RETURN]
    mine = one.loop.node.cursor.extent.start.offset

    def is_beside(other: StagedLoop) -> bool:
        ends = sorted((mine, other.loop.node.cursor.extent.start.offset))
        return not other.arrival.tests and not any(ends[0] < at < ends[1] for at in leaves)

    return [other for other in others if is_beside(other)]


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
