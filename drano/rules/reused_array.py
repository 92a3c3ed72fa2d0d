"""DRN402 reused-global-array

## What it does

Finds arrays in global memory whose elements are read several times by the warps of the same block,
so that loading them into shared memory once would save most of the reads. Off by default; enable it
with `--extend-select DRN402`.

## Why it matters

Each warp that reads the same global memory issues its own request. Caches serve many of these
requests, but with a higher latency than shared memory, and only until the lines are evicted.

## Example

```cuda
__global__ void multiply(float* c, const float* a, const float* b, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

void run(float* c, const float* a, const float* b, int n) {
  multiply<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n);
}
```

All eight warps of a block read the same 16 elements of `b` in each iteration.

## Fix

Load a tile once for the whole block and read it from shared memory:

```cuda
__global__ void multiply(float* c, const float* a, const float* b, int n) {
  __shared__ float rows[16][17], columns[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int start = 0; start < n; start += 16) {
    rows[ty][tx] = a[y * n + start + tx];
    columns[ty][tx] = b[(start + ty) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += rows[ty][k] * columns[k][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

void run(float* c, const float* a, const float* b, int n) {
  multiply<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n);
}
```

With `--profile FILE` from `drano run` the counts are measured: for a sample of the blocks of each
kernel, the elements they read and how often their warps read them; an element read by only one
thread counts once. The suggested tile is then everything such a block reads, if it fits in shared
memory.

## Limits

Without a profile the counts are an estimate: drano counts the reads of one iteration of each loop
with all lanes active, and treats two elements as the same only if their indices are equal for all
values of the unknowns. It skips blocks of unknown shape, indices loaded from memory, arrays that
the kernel also writes, and single values read by all threads. Only a measurement on a GPU shows
whether caches already serve the reads well.
"""

from __future__ import annotations

from drano.model.access import Access, Reuse
from drano.model.finding import Severity
from drano.model.settings import Config
from drano.rules.base import AccessRule

LEAST = 3.0  # reads of each element
LEAST_ELEMENTS = 8  # outside of loops: a few numbers that all threads read are no tile
_SHARED_BYTES = 48 * 1024
_MOST_ITERATIONS = 32
_MOST_TRIPS = 99_999


def _select(access: Access, config: Config) -> Severity | None:
    counted = access.reuse
    if counted is None or counted.reads < LEAST * counted.elements:
        return None
    if counted.elements < LEAST_ELEMENTS and (counted.blocks or not counted.in_loop):
        return None
    if counted.blocks:
        return Severity.NOTE if counted.used < _SHARED_BYTES else None
    return Severity.NOTE if tile_bytes(counted) <= _SHARED_BYTES else None


def tile_bytes(counted: Reuse) -> int:
    """Shared memory for the elements of one pass.

    >>> tile_bytes(Reuse(128, 16, 4, 1, in_loop=True))
    64
    """
    return counted.elements * counted.bytes


def _describe(access: Access) -> str:
    array = access.judgement.array
    counted = access.reuse or Reuse(0, 1, 0, 0, in_loop=False)
    times = counted.reads / counted.elements
    if counted.blocks:
        return (
            f"each sampled block read `{array}` {times:.3g} times over: "
            f"its warps made {counted.reads:,} reads of {_elements(counted.elements)}"
        )
    where = " per iteration" if counted.in_loop else ""
    return (
        f"each block reads `{array}` {times:.3g} times over{where}: its warps make "
        f"{counted.reads} reads of {_elements(counted.elements)}"
    )


def _fix(access: Access) -> str:
    counted = access.reuse
    if counted is None:
        return "load the elements into shared memory once"
    if counted.blocks:
        return _measured_fix(counted, _trips(access))
    size = tile_bytes(counted)
    if not counted.in_loop:
        return (
            f"load the block's {counted.elements} elements into shared memory once ({size} bytes) "
            "and read them from there"
        )
    return _iterations(counted.elements, counted.bytes, _SHARED_BYTES, _trips(access))


def _elements(number: int) -> str:
    return f"{number:,} element{'s' if number != 1 else ''}"


def _trips(access: Access) -> int | None:
    """How often the innermost loop runs, where that is a number of a sensible size."""
    count = access.nest[-1].count if access.nest else None
    return None if count is None or count > _MOST_TRIPS else count


def _measured_fix(counted: Reuse, trips: int | None) -> str:
    free = _SHARED_BYTES - counted.used
    size = counted.most * counted.bytes
    if size <= free:
        return (
            f"load the block's {counted.most:,} elements into shared memory once ({size:,} bytes) "
            "and read them from there"
        )
    if 0 < counted.each * counted.bytes <= free:
        return _iterations(counted.each, counted.bytes, free, trips)
    turns = -(-size // free)
    tile = -(-counted.most // turns)
    return (
        f"a block reads {counted.most:,} elements, more than shared memory holds: if all its "
        f"threads read them in the same order, load them in {turns} passes, as tiles of {tile:,} "
        f"({tile * counted.bytes:,} bytes), and read them from there"
    )


def _iterations(elements: int, size: int, free: int, trips: int | None) -> str:
    if trips is not None and trips * elements * size <= free:
        return (
            f"load the elements of all {trips} iterations into shared memory once, as a tile of "
            f"{trips} x {elements} ({trips * elements * size} bytes), and read them from there"
        )
    passes = 1
    while passes < _MOST_ITERATIONS and 2 * passes * elements * size <= free:
        passes *= 2
    return (
        f"load the elements of {passes} iterations at a time into shared memory, as a tile of "
        f"{passes} x {elements} ({passes * elements * size} bytes), and read them from there"
    )


RULE = AccessRule(
    code="DRN402",
    name="reused-global-array",
    summary="A block reads the same elements of an array several times (off by default)",
    level=Severity.NOTE,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
    default=False,
    about_lanes=False,
    reuse=True,
)
