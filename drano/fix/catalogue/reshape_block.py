"""Launch a kernel with blocks of another shape.

## What it does

`reshape-block` changes the two sizes of a block at all launches of a kernel, to the same number of
threads in rows as long as a warp, or in columns:

```cuda
dim3 block(4, 64);                      // before: a warp has 4 columns of 8 rows
dim3 grid((columns + 3) / 4, (rows + 63) / 64);

dim3 block(32, 8);                      // after: a warp has 32 neighbours
dim3 grid((columns + 31) / 32, (rows + 7) / 8);
scale<<<grid, block>>>(out, in, rows, columns);
```

## When it is offered

* The kernel asks for `blockIdx.x * blockDim.x + threadIdx.x`, for the same of y, and for nothing
  else of its threads; it has no shared memory, barriers, atomics or shuffles, nor have functions
  that it calls.
* All its launches are seen, and name a `dim3` for grid and block: written out, or a variable of the
  function. Other kernels of the same variable are launched anew, too, and have to be alike.
* The sizes of a grid are numbers, or divide something by the block's and round up:
  `(n + block.x - 1) / block.x`, `(n + 3) / 4`.
* The analysis of the edited text finds the access better and no other worse.

## What is proved

The threads of the launch have the same numbers as before, by which alone they differ: the grid's
sizes are numbers whose products with the block's stay. Or they cover something that the kernel is
given, and all threads beyond that return before they touch memory.

The edit is unsafe where the grid gets more rows, which no device takes more than 65,535 of, and
their number is not known; and where a grid's variable is made of what might have changed at the
launch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix
from drano.fix.host.calls import Call
from drano.fix.host.device_arrays import HostText
from drano.fix.host.dimensions import Dimensions, Extent, dimensions, extent, stays, value
from drano.fix.host.launched_kernel import LaunchedKernel, launched_kernel
from drano.fix.kernel.global_numbers import Numbered, numbered
from drano.frontend.libclang import is_kernel
from drano.model.finding import Finding
from drano.model.hardware import WARP_SIZE

NAME: Final = "reshape-block"
_MOST_ROWS: Final = 65_535
"""Blocks of a grid along y."""
MANY_ROWS: Final = f"that its grid has no more than {_MOST_ROWS} rows"
_MOST_THREADS: Final = 1024
_MOST_KERNELS: Final = 16
_FIRST_SIZES: Final = 2

Shape = tuple[int, int]


class _NotReshapedError(Exception):
    """The edit cannot be made."""


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    own = scene.body(finding)
    if own is None or scene.host is None or not is_kernel(own.root.cursor):
        return
    if not scene.host.unit.whole:
        return
    change = _Change(scene, scene.host)
    try:
        change.follow(own.root.spelling)
    except _NotReshapedError:
        return
    for shape in _shapes(change.shape):
        try:
            yield change.fix(shape)
        except _NotReshapedError:
            continue


def _shapes(old: Shape) -> Iterator[Shape]:
    """Of as many threads: rows of a warp, one column, one row."""
    threads = old[0] * old[1]
    rows = [(WARP_SIZE, threads // WARP_SIZE)] if threads % WARP_SIZE == 0 else []
    for shape in dict.fromkeys((*rows, (1, threads), (threads, 1))):
        if shape != old:
            yield shape


class _Launch(Struct, frozen=True):
    """A launch of a kernel."""

    kernel: LaunchedKernel
    numbers: Numbered
    call: Call
    grid: Dimensions
    block: Dimensions


class _Change(Struct):
    """Mutated: ``kernels`` and ``launches`` that have to change together, and their ``shape``."""

    scene: Scene
    host: HostText
    kernels: set[str] = field(default_factory=set)
    launches: list[_Launch] = field(default_factory=list)
    shape: Shape = (0, 0)

    def follow(self, kernel: str) -> None:
        """All launches that share a kernel, or a variable of their grids or blocks."""
        waiting = [kernel]
        while waiting:
            name = waiting.pop()
            if name in self.kernels:
                continue
            self.kernels.add(name)
            found = [self._launch(*each) for each in self._called(name)]
            self.launches += found
            for launch in found:
                waiting += self._sharing(launch.block, self.host.launches or [], 1)
                waiting += self._sharing(launch.grid, self.host.launches or [], 0)
            if len(self.kernels) > _MOST_KERNELS:
                raise _NotReshapedError
        shapes = {self._shape(launch) for launch in self.launches}
        if len(shapes) != 1:
            raise _NotReshapedError
        (self.shape,) = shapes
        self._check_uses()

    def _called(self, name: str) -> Iterator[tuple[LaunchedKernel, Numbered, Call]]:
        kernel = launched_kernel(self.host, self.scene.report.kernels, self.scene.unit.shown, name)
        numbers = None if kernel is None else numbered(kernel.body)
        known = [k for k in self.scene.report.kernels if k.name.rpartition("::")[2] == name]
        if kernel is None or numbers is None or not all(k.launches_known for k in known):
            raise _NotReshapedError
        return ((kernel, numbers, call) for call in kernel.launches)

    def _launch(self, kernel: LaunchedKernel, numbers: Numbered, call: Call) -> _Launch:
        shape = call.shape(self.host.codes[call.path])
        if len(shape) < _FIRST_SIZES:
            raise _NotReshapedError
        grid, block = (dimensions(self.host, call, position) for position in (0, 1))
        if grid is None or block is None:
            raise _NotReshapedError
        return _Launch(kernel, numbers, call, grid, block)

    def _sharing(self, of: Dimensions, launches: list[Call], position: int) -> Iterator[str]:
        """Kernels that are launched with a variable."""
        for call in launches if of.variable else ():
            shape = call.shape(self.host.codes[call.path])
            if call.path == of.path and shape[position][0] in of.uses:
                yield call.name.decode()

    def _shape(self, launch: _Launch) -> Shape:
        block = launch.block
        sizes = [value(self.host, block.path, block.function, place) for place in block.axes]
        if None in sizes or any(size is not None and size < 1 for size in sizes):
            raise _NotReshapedError
        width, height = (size or 0 for size in sizes)
        if width * height > _MOST_THREADS:
            raise _NotReshapedError
        return width, height

    def _check_uses(self) -> None:
        """A variable may be used where a launch names it, and a block's in its grid's sizes."""
        known: set[tuple[str, int]] = set()
        for launch in self.launches:
            code = self.host.codes[launch.call.path]
            for position in (0, 1):
                known.add((launch.call.path, launch.call.shape(code)[position][0]))
            for start, end in launch.grid.axes:
                known |= {(launch.grid.path, at) for at in launch.block.uses if start <= at < end}
        for launch in self.launches:
            for of in (launch.grid, launch.block):
                if not {(of.path, at) for at in of.uses} <= known:
                    raise _NotReshapedError

    # --- the edits

    def fix(self, shape: Shape) -> Fix:
        """The launches with blocks of another shape."""
        edits: dict[tuple[str, tuple[int, int]], bytes] = {}
        unproved = ""
        for launch in self.launches:
            for axis in range(_FIRST_SIZES):
                block = launch.block
                edits[block.path, block.axes[axis]] = b"%d" % shape[axis]
                text, reason = self._size(launch, axis, shape[axis])
                unproved = unproved or reason
                place = (launch.grid.path, launch.grid.axes[axis])
                if edits.setdefault(place, text) != text:
                    raise _NotReshapedError
        made = [
            Edit(path, *place, text) for (path, place), text in edits.items()
            if self.host.unit.text(path)[slice(*place)] != text
        ]  # fmt: skip
        names = " and ".join(sorted(self.kernels))
        title = f"launch {names} with blocks of {shape[0]}x{shape[1]} threads"
        return Fix(NAME, title, tuple(sorted(made)), unproved)

    def _size(self, launch: _Launch, axis: int, new: int) -> tuple[bytes, str]:
        """The grid's size for blocks of ``new`` threads along an axis, and what is not proved."""
        grid, old = launch.grid, self.shape[axis]
        text = self.host.unit.text(grid.path)[slice(*grid.axes[axis])]
        found = extent(self.host, grid, axis, launch.block, old)
        if "xy"[axis] not in launch.numbers.axes and (found.blocks != 1 or old != new):
            raise _NotReshapedError  # each thread along it would do the same
        threads = found.blocks * old
        if not found.of or not self._is_guarded(launch, axis, found):
            if not threads or threads % new or (axis == 1 and threads // new > _MOST_ROWS):
                raise _NotReshapedError
            return (text if old == new else b"%d" % (threads // new)), ""
        reason = ""
        if axis == 1 and new < old and not 0 < threads <= _MOST_ROWS * new:
            reason = MANY_ROWS
        elif grid.variable and not stays(self.host, grid.function, found.of):
            reason = f"that {found.of.decode()} is the same at the launch"
        if found.follows or old == new:
            return text, reason
        return (found.of if new == 1 else b"(%b + %d) / %d" % (found.of, new - 1, new)), reason

    def _is_guarded(self, launch: _Launch, axis: int, found: Extent) -> bool:
        """Whether threads beyond what a size covers do nothing."""
        given = self.host.arguments(launch.call)
        names = [node.spelling for node in launch.kernel.parameters]
        for limit in launch.numbers.limits["xy"[axis]]:
            if isinstance(limit, str) and _words(given[names.index(limit)]) == _words(found.of):
                return True
            if isinstance(limit, int) and found.of.isdigit() and limit <= int(found.of):
                return True
        return False


def _words(text: bytes) -> bytes:
    return b"".join(text.split())


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
