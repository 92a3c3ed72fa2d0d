"""DRN101 bank-conflict

## What it does

Finds accesses of shared memory whose lanes need different words of one bank at the same time, so
that the hardware serves them one after the other: the request takes at least twice the wavefronts
that its width needs.

## Why it matters

Shared memory has 32 banks of 4-byte words; word `w` lies in bank `w % 32`. One wavefront serves
one word of each bank, to every lane that asks for it. Lanes 128 bytes apart all use one bank: 32
wavefronts where 1 would do, so the access takes 32 times as long. 8-byte accesses go by halves of
a warp and 16-byte accesses by quarters; a conflict within a half or a quarter counts, others do
not.

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

Make the rows one element longer, so that a column's words lie in different banks. The message
names a length of the rows for which the access, and the array's other accesses, have been counted
again:

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

Where no memory is left for longer rows, permute the columns instead: `tile[y][x ^ y]` for every
access to element `(y, x)`. The message proposes it where all accesses to the array have been
counted again that way:

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

Reported where the number of wavefronts is known when all lanes are active that may be: strides of
unknown size, indices that come from memory and atomics on words that lanes share are not. A loop
that turns lanes off (`if (threadIdx.x < stride)`) has fewer conflicts in its last rounds. The
domain `gpudrano` knows no banks and never reports this.
"""

from __future__ import annotations

from drano.model.access import Access
from drano.model.finding import Severity
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
    distance = access.judgement.stride.removeprefix("-")
    stride = f"lanes are {distance} apart" if distance else ""
    head = f"bank conflict in {subject(access)}"
    return join_clauses(head, stride, _cost(counts) if counts is not None else "")


def _cost(counts: CountRange) -> str:
    number = counts.maximum if counts.expected is None else counts.expected
    return f"{number:.3g} wavefronts where {counts.ideal} would do ({number / counts.ideal:.3g}x)"


def _fix(access: Access) -> str:
    return "let the lanes of a warp use words of different banks: an odd distance, in words"


RULE = AccessRule(
    code="DRN101",
    name="bank-conflict",
    summary="Lanes of a warp use different words of one shared-memory bank",
    level=Severity.WARNING,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
)
