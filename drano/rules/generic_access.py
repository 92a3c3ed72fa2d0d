"""DRN301 generic-access

## What it does

Finds accesses in loops through a pointer that may point into different memory spaces, which forces
the compiler to use generic loads and stores.

## Why it matters

For each address, a generic access must first determine whether it is in global, shared or local
memory, and it waits for both memory paths; an access known to be shared takes the short path. It
also prevents the compiler from using read-only caches and from moving the access past stores to
other spaces.

## Example

```cuda
__global__ void sum(float* out, const float* in, int n, bool staged) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const float* from = staged ? tile : in;
  float total = 0;
  for (int k = 0; k < n; k++) total += from[k];
  out[threadIdx.x] = total;
}
```

## Fix

Write a separate loop for each space, for example with a function that is inlined for each of the
two pointers:

```cuda
__device__ float total(const float* from, int n) {
  float result = 0;
  for (int k = 0; k < n; k++) result += from[k];
  return result;
}

__global__ void sum(float* out, const float* in, int n, bool staged) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = staged ? total(tile, n) : total(in, n);
}
```

If the pointer always points into the same space, tell the compiler before the loop:
`__builtin_assume(__isGlobal(from));`.

## Limits

drano tracks pointers through selects, parameters, structures and arrays, but ignores the order of
stores: a pointer variable in memory that first points into one space and later into another counts
as both. Pointers passed by the host are assumed to point to global memory. A pointer returned by a
function of another translation unit may point anywhere. Pointers that a library's header makes for
itself, as a grid's barrier does, are not reported.
"""

from __future__ import annotations

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.judgement import Space
from drano.model.settings import Config
from drano.rules.base import AccessRule, subject


def _select(access: Access, config: Config) -> Severity | None:
    if access.judgement.space is not Space.GENERIC:
        return None
    return Severity.NOTE if access.loops and access.judgement.origins else None


def _describe(access: Access) -> str:
    *first, last = access.judgement.origins
    places = f"{', '.join(first)} or {last}" if first else last
    return f"generic {subject(access)} in a loop: the pointer may point into {places}"


def _fix(access: Access) -> str:
    promise = "if it is always one, assert it before the loop: __builtin_assume(__isGlobal(p))"
    if len(access.judgement.origins) < 2:
        return promise
    return f"write a separate loop for each memory space; {promise}"


RULE = AccessRule(
    code="DRN301",
    name="generic-access",
    summary="An access in a loop through a pointer that may point into different memory spaces",
    level=Severity.NOTE,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
    about_lanes=False,
)
