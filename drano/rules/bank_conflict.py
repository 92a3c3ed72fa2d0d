"""DRN101 bank-conflict

## What it does

Finds shared-memory accesses whose lanes access different words of the same bank at the same time,
so that the hardware serialises them: the request takes at least twice as many wavefronts as its
width requires.

## Why it matters

Shared memory has 32 banks of 4-byte words; word `w` lies in bank `w % 32`. One wavefront serves
one word of each bank, to every lane that requests it. Lanes 128 bytes apart all use the same bank:
32 wavefronts where 1 would do, so the access takes 32 times as long. The hardware splits 8-byte
accesses into half-warps and 16-byte accesses into quarter-warps; only conflicts within a half or a
quarter count.

## Example

```cuda
__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  out[32 * y + x] = tile[x][y];
}

void run(const float* in, float* out) { transpose<<<1, dim3(32, 32)>>>(in, out); }
```

## Fix

Pad each row by one element, so that the words of a column lie in different banks. The message
suggests a row length; drano has recounted the access and all other accesses to the array with it:

```cuda
__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  out[32 * y + x] = tile[x][y];
}

void run(const float* in, float* out) { transpose<<<1, dim3(32, 32)>>>(in, out); }
```

If there is no memory to spare for padding, swizzle the columns instead: use `tile[y][x ^ y]` for
every access to element `(y, x)`. The message suggests this only if drano has recounted all accesses
to the array with the swizzle:

```cuda
__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x ^ y] = in[32 * y + x];
  __syncthreads();
  out[32 * y + x] = tile[x][y ^ x];
}

void run(const float* in, float* out) { transpose<<<1, dim3(32, 32)>>>(in, out); }
```

## Limits

drano reports a conflict only if it can count the wavefronts, assuming that every lane that may be
active is active. It does not report strides of unknown size, indices loaded from memory, or atomics
on words shared between lanes. A loop that deactivates lanes (`if (threadIdx.x < stride)`) has fewer
conflicts in its last iterations. ptxas merges neighbouring words of a static shared array into
one wide access where it knows how the array is aligned (`s[2 * t] + s[2 * t + 1]` is one `LDS.64`),
which has no conflict; drano, like nvcc's PTX, keeps them apart unless the array is declared
`alignas(16)` or is dynamic. The domain `gpudrano` does not model banks and never reports this rule.
"""

from __future__ import annotations

from itertools import pairwise

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.hardware import WARP_SIZE, WORD_BYTES
from drano.model.judgement import CountRange, Space
from drano.model.settings import Config
from drano.rules.base import AccessRule, join_clauses, subject

DEGREE = 2.0


def _select(access: Access, config: Config) -> Severity | None:
    if access.judgement.space is not Space.SHARED:
        return None
    counts = access.judgement.wavefronts
    if counts is None or counts.expected is None:
        return None
    return Severity.WARNING if counts.expected >= DEGREE * counts.ideal else None


def _describe(access: Access) -> str:
    counts = access.judgement.wavefronts
    runs = _runs(access)
    distance = access.judgement.stride.removeprefix("-")
    stride = f"lanes are {distance} apart" if distance else ""
    if runs is not None:
        stride = f"runs of {runs[0]} lanes side by side start {runs[1]} bytes apart"
    head = f"bank conflict in {subject(access)}"
    return join_clauses(head, stride, _cost(counts) if counts is not None else "")


def _cost(counts: CountRange) -> str:
    number = counts.maximum if counts.expected is None else counts.expected
    return f"{number:.3g} wavefronts where {counts.ideal} would do ({number / counts.ideal:.3g}x)"


def _runs(access: Access) -> tuple[int, int] | None:
    """Of lanes that lie side by side, up or down, in runs of one length: the length, and how many
    bytes apart they start: ``(16, 100)`` where lane 15 has 60 of words, and lane 16 has 100.
    """
    places = [offset for offset in access.judgement.lanes if offset is not None]
    if len(places) < WARP_SIZE:
        return None
    steps = [after - before for before, after in pairwise(places)]
    starts = [0, *(n for n, step in enumerate(steps, 1) if abs(step) != access.bytes)]
    lengths = {after - before for before, after in pairwise((*starts, WARP_SIZE))}
    apart = {abs(places[after] - places[before]) for before, after in pairwise(starts)}
    if len(lengths) != 1 or len(apart) != 1 or lengths == {1}:
        return None
    return lengths.pop(), apart.pop()


def _fix(access: Access) -> str:
    size = access.bytes
    runs = _runs(access)
    if runs is not None:
        return (
            f"start each run {runs[0] * size} bytes after the one before, modulo"
            f" {WARP_SIZE * WORD_BYTES}, so that they take different banks; or let all lanes of a"
            " warp lie side by side"
        )
    if size not in {2 * WORD_BYTES, 4 * WORD_BYTES}:
        stride = "an odd stride in words"
        return f"spread the lanes of a warp over different banks, for example with {stride}"
    pieces = WARP_SIZE * WORD_BYTES // size
    return (
        f"pad rows to an odd multiple of {size} bytes, or permute the pieces of {size} bytes in"
        f" each row (piece ^ row % {pieces})"
    )


RULE = AccessRule(
    code="DRN101",
    name="bank-conflict",
    summary="Lanes of a warp access different words of the same shared-memory bank",
    level=Severity.WARNING,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
)
