"""Transpose through a tile in shared memory.

## What it does

`transpose-through-tile` is for a kernel that reads along rows and writes along columns, or the
other way round. It has the threads of a block hand their values to each other in shared memory, so
that neighbours in a warp go along the rows of both arrays:

```cuda
int x = blockIdx.x * 32 + threadIdx.x;
int y = blockIdx.y * 32 + threadIdx.y;
if (x < w && y < h) out[x * h + y] = in[y * w + x];  // before: lanes write h elements apart

__shared__ float tile[32][32 + 1];                   // after
if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
__syncthreads();
const int x_turned = blockIdx.x * 32 + threadIdx.y;
const int y_turned = blockIdx.y * 32 + threadIdx.x;
if (x_turned < w && y_turned < h) out[x_turned * h + y_turned] = tile[threadIdx.x][threadIdx.y];
```

Blocks that are not square number their threads anew for the second half. A loop by which 32x8
threads copy 32x32 elements stays a loop.

## When it is offered

* All launches of the kernel are known, with blocks of one shape.
* The store is the last that the kernel does, or the load comes before it writes anything; only
  conditions stand around it, or a loop over the tile's rows. A `return` before it moves behind the
  barrier.
* Indices and conditions are made of thread and block numbers, parameters and variables that are
  written once.
* The analysis of the edited text finds the access better, no other worse, and no bank conflicts.

## What is proved

The edit lets another thread of the block do what each thread did, once each: the new thread numbers
take all values of the old ones. All threads come to the barrier, for it stands outside of all
branches and loops. Where two threads met in one element before, without a barrier between, that was
a data race. So the edit is safe, unless launches ask for dynamic shared memory besides.

## Cost

Shared memory for one element of each thread, or of the tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix, landed
from drano.fix.kernel.handed_statements import Part, guard_of, parts_with
from drano.fix.kernel.other_threads import NotCopiedError, OtherThread
from drano.fix.kernel.ranges import Ranges, ranges_of
from drano.fix.kernel.shared_memory import fits, unknown_use
from drano.fix.kernel.sums import Sum
from drano.fix.kernel.tiles import Tile, tiles_for
from drano.fix.kernel.variable_writes import loop_parts
from drano.fix.source_tree import Body, taken
from drano.frontend.libclang import Kind, Node, constant, is_kernel, key
from drano.host.function_bodies import plain_children, strip
from drano.model.access import AccessKind
from drano.model.finding import Finding
from drano.model.judgement import Space, Verdict

NAME: Final = "transpose-through-tile"
_X, _Y = b"threadIdx.x", b"threadIdx.y"
_COLUMNS: Final = 92
_TAIL: Final = b"_turned"
_NAMES: Final = frozenset({b"tile", b"thread", b"turned_x", b"turned_y"})
_LEAVES: Final = frozenset(
    {Kind.GOTO, Kind.INDIRECT_GOTO, Kind.LABEL, Kind.ASM, Kind.LAMBDA, Kind.TRY, Kind.SWITCH}
)


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body, access = scene.body(finding), finding.access
    if body is None or scene.tree is None or access is None or not is_kernel(body.root.cursor):
        return
    kernels = scene.instances(finding)
    if len(kernels) != 1 or not kernels[0].launches_known or body.has_directives():
        return
    shapes = {launch.block for launch in kernels[0].launches if launch.exact}
    exact = all(launch.exact for launch in kernels[0].launches)
    if len(shapes) != 1 or not exact or not _is_half_of_a_transpose(finding, scene):
        return
    width, height, depth = shapes.pop()
    if width < 2 or height < 2 or depth != 1 or any(n.kind in _LEAVES for n in body.nodes()):
        return
    files = map(scene.unit.text, scene.files)
    if taken(body.source, (body.start, body.end), files).intersection(_NAMES):
        return
    ranges = ranges_of(body, kernels[0])
    unproved = unknown_use(scene.tree, scene.files)
    stores = access.kind is AccessKind.STORE
    for part, place in parts_with(body, ranges, finding.location.span.line, stores=stores):
        for tile in tiles_for(part, width, height):
            try:
                fix = _Writer(body, ranges, part, place, tile).fix(stores=stores)
            except NotCopiedError:
                continue
            if fix is not None and fits(scene.tree, tile.size * _bytes(place)):
                yield Fix(NAME, fix.title, fix.edits, unproved, moves=fix.moves)


def _is_half_of_a_transpose(finding: Finding, scene: Scene) -> bool:
    """Whether another global access of the kernel goes along rows as it is."""
    return any(
        access.kernel == finding.kernel
        and access.judgement.verdict is Verdict.COALESCED
        and access.judgement.space in {Space.GLOBAL, Space.GENERIC}
        for access in scene.report.accesses
    )


def _bytes(place: Node) -> int:
    return int(place.cursor.type.get_size())


class _Writer(Struct):
    """Makes the edits for one access of one part of a kernel."""

    body: Body
    ranges: Ranges
    part: Part
    place: Node
    tile: Tile

    def fix(self, *, stores: bool) -> Fix | None:
        """The edit; None where the part stands in no lines of its own. Raises NotCopiedError."""
        whole, place = self.body.range(self.part.whole), self.body.range(self.place)
        if whole is None or place is None or not self._takes_turns():
            return None
        source = self.body.source
        start = source.rfind(b"\n", 0, whole[0]) + 1
        indent = source[start : whole[0]]
        end = self._end(whole[1])
        if indent.strip() or end is None:
            return None
        kind = self.place.cursor.type.get_canonical().spelling.removeprefix("const ").encode()
        shared = b"__shared__ %b tile[%d][%b];" % (kind, self.tile.rows, self.tile.wide)
        guards = list(self._guards())
        lines, own = self._other(guards, stores=stores)
        if stores:
            before = [shared]
            after = [b"__syncthreads();", *self.tile.setup, *lines]
            own += 1 + len(self.tile.setup)
        else:
            before = [shared, *self.tile.setup, *lines, b"__syncthreads();"]
            own += 1 + len(self.tile.setup)
            before += [b"if (%b) return;" % self.body.words(guard) for guard in guards]
            after = []
        ahead = b"".join(indent + line + b"\n" for line in before)
        if stores and guards:
            test = b" || ".join(self._joined(guard) for guard in guards)
            edits = [
                Edit(self.body.path, start, start, ahead),
                Edit(self.body.path, whole[0], whole[0], b"if (!(%b)) " % test),
            ]
        else:
            edits = [Edit(self.body.path, start, start, ahead)]
        edits += self._without_guards()
        name = b"tile" + (self.tile.original)
        edits.append(Edit(self.body.path, *place, name))
        if after:
            text = b"".join(b"\n" + indent + line for line in after)
            edits.append(Edit(self.body.path, end, end, text))
            moved = landed(source, edits, edits[-1], _offset(text, own + 1))
        else:
            moved = landed(source, edits, edits[0], _offset(ahead, own))
        line = int(self.place.cursor.extent.end.line)
        array = str(strip(plain_children(self.place)[0]).spelling)
        verb = "write" if stores else "read"
        title = f"{verb} {array} through a tile in shared memory"
        return Fix(NAME, title, tuple(sorted(edits)), moves=((self.body.path, moved, line),))

    def _end(self, end: int) -> int | None:
        """The end of the statement's last line, or of itself where something else follows."""
        code = self.body.code
        behind = end + len(code[end:]) - len(code[end:].lstrip())
        end = behind + 1 if code[behind : behind + 1] == b";" else end
        line = code.find(b"\n", end)
        if line < 0:
            return None
        start = self.body.range(self.part.whole)
        closed = start is not None and code[end - 1 : end] in {b";", b"}"}
        return (line if not code[end:line].strip() else end) if closed else None

    def _statements(self) -> Sequence[Node]:
        above = self.body.parents[id(self.part.whole)]
        found = plain_children(above)
        return found[: found.index(self.part.whole)]

    def _guards(self) -> Iterator[Node]:
        for statement in self._statements():
            guard = guard_of(statement)
            if guard is not None:
                yield guard

    def _without_guards(self) -> Iterator[Edit]:
        for statement in self._statements():
            place = self.body.range(statement)
            if guard_of(statement) is None or place is None:
                continue
            source, end = self.body.source, place[1]
            if self.body.code[end : end + 1] == b";":
                end += 1
            start = source.rfind(b"\n", 0, place[0]) + 1
            line = source.find(b"\n", end)
            alone = not source[start : place[0]].strip() and not source[end:line].strip()
            if alone and line >= 0:
                yield Edit(self.body.path, start, line + 1, b"")
            else:
                yield Edit(self.body.path, place[0], end, b"")

    def _joined(self, test: Node) -> bytes:
        text = self.body.words(test)
        return b"(%b)" % text if b"&&" in text or b"?" in text else text

    def _other(self, guards: list[Node], *, stores: bool) -> tuple[list[bytes], int]:
        """What the other thread does, and which of the lines has the access."""
        counter = 0
        if self.part.loop is not None:
            parts = loop_parts(self.part.loop)
            assert parts is not None
            counter = key(plain_children(parts[0])[0].cursor)
        other = OtherThread(
            self.body, self.ranges, self.tile.words, counter, self.part.whole, _TAIL
        )
        tests = [self._copied_test(other, guard, holds=False) for guard in guards]
        tests += [self._copied_test(other, test, holds=True) for test in self.part.tests]
        element = self._element(other, self.place)
        held = b"tile" + self.tile.other
        steps = [b"%b = %b;" % ((element, held) if stores else (held, element))]
        if tests:
            alone = len(tests) == 1
            joined = b" && ".join(t if alone or b"||" not in t else b"(%b)" % t for t in tests)
            steps = self._with_test(joined, steps[0])
        files = map(self.body.tree.text, self.body.tree.files)
        names = {name for name, _ in other.declared.values()}
        used = taken(self.body.source, (self.body.start, self.body.end), files)
        if used & names or len(names) != len(other.declared):
            raise NotCopiedError
        lines = [*(line for _, line in other.declared.values()), *steps]
        return (lines, len(lines) - 1) if self.part.loop is None else self._looped(lines)

    def _with_test(self, test: bytes, step: bytes) -> list[bytes]:
        """Both in one line, where it is no longer than the file's lines are."""
        line = b"if (%b) %b" % (test, step)
        if len(line) <= _COLUMNS:
            return [line]
        return [b"if (%b)" % test, self._deeper() + step]

    def _deeper(self) -> bytes:
        return b"\t" if b"\n\t" in self.body.source[self.body.start : self.body.end] else b"  "

    def _looped(self, lines: list[bytes]) -> tuple[list[bytes], int]:
        assert self.part.loop is not None
        parts = loop_parts(self.part.loop)
        head, inner = self.body.range(self.part.loop), parts and self.body.range(parts[3])
        if head is None or not inner:
            raise NotCopiedError
        header = self.body.source[head[0] : inner[0]].rstrip()
        if b"\n" in header or b"//" in header or b"/*" in header:
            raise NotCopiedError
        return [header + b" {", *(self._deeper() + line for line in lines), b"}"], len(lines)

    def _copied_test(self, other: OtherThread, test: Node, *, holds: bool) -> bytes:
        text = other.text(test)
        return text if holds else b"!(%b)" % text

    def _element(self, other: OtherThread, node: Node) -> bytes:
        """The element with the other thread's indices."""
        inner = plain_children(node)
        place = self.body.range(node)
        if place is None or len(inner) != 2:
            raise NotCopiedError
        base, index = strip(inner[0]), inner[1]
        if base.kind != Kind.DECL_REF or other.varies(base):
            raise NotCopiedError
        parts = (self.body.range(base), self.body.range(index))
        if parts[0] is None or parts[1] is None:
            raise NotCopiedError
        source = self.body.source
        return b"".join(
            [
                source[place[0] : parts[1][0]], other.text(index),
                source[parts[1][1] : place[1]],
            ]
        )  # fmt: skip

    def _takes_turns(self) -> bool:
        """Whether the loop's counter stands only in sums with ``threadIdx.y``, if there is a loop:
        then the element that a thread is at depends on the sum alone.
        """
        if self.part.loop is None:
            return True
        parts = loop_parts(self.part.loop)
        assert parts is not None
        atom = self.ranges.counter_atom(plain_children(parts[0])[0], self.part.loop)
        step = constant(plain_children(strip(parts[2]))[1].cursor)
        if atom is None and step is None:
            return False
        values = [plain_children(self.place)[1]]
        for test in self.part.tests:
            values += list(_compared(test))
        found = f"l{id(self.part.loop)}.{key(plain_children(parts[0])[0].cursor)}"
        return step is not None and all(
            _is_of_sum(self.ranges.sum(value), found, step) for value in values
        )


def _compared(test: Node) -> Iterator[Node]:
    """The numbers that a condition compares; itself where it is no comparison."""
    node = strip(test)
    inner = plain_children(node)
    if node.kind == Kind.BINARY and len(inner) == 2:
        sign = node.binary
        if sign in {"&&", "||"}:
            yield from (*_compared(inner[0]), *_compared(inner[1]))
            return
        if sign in {"<", "<=", ">", ">=", "==", "!="}:
            yield from inner
            return
    yield node


def _is_of_sum(value: Sum, counter: str, step: int) -> bool:
    """Whether ``counter`` turns of a ``step`` and ``threadIdx.y`` stand in it as their sum only."""
    turns: dict[str, int] = {}
    rows: dict[str, int] = {}
    for atom, factor in value.parts:
        names = atom.split("*")
        if any(name.startswith("#") for name in names):
            return False
        for name, found, times in ((counter, turns, 1), ("threadIdx.y", rows, step)):
            if names.count(name) == 1:
                rest = "*".join(other for other in names if other != name)
                found[rest] = factor * times
            elif name in names:
                return False
        if counter in names and "threadIdx.y" in names:
            return False
    return turns == rows


def _offset(text: bytes, line: int) -> int:
    """Where a line of it begins, from 0."""
    return sum(map(len, text.splitlines(keepends=True)[:line]))


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
