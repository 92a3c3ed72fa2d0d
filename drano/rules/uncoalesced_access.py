"""DRN001 uncoalesced-access

## What it does

Finds loads, stores and atomics of global memory whose 32 lanes touch more memory sectors than
their data needs, because neighbouring threads use addresses that are not neighbours: a stride
larger than the element, or a pattern without any order.

## Why it matters

A GPU serves one warp's request sector by sector, 32 bytes each. When lane `k` reads element `k`,
32 floats are 4 sectors. When lane `k` reads element `8 * k`, the same 32 floats lie in 32 sectors:
eight times the traffic for the same data, and kernels that are bound by memory slow down with it.

## Example

```cuda
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void drift(Particle* particles, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[i].x += dt * particles[i].vx;
}
```

Each thread owns one 32-byte struct, so one field of 32 particles lies in 32 different sectors.

## Fix

Let consecutive threads use consecutive elements. For structs, store each field in an array of its
own (a structure of arrays):

```cuda
__global__ void drift(float* x, const float* vx, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += dt * vx[i];
}
```

For a thread that walks over a chunk of its own (`a[i * CHUNK + k]`), stride by the number of
threads (`a[k * threads + i]`), or stage the tile through shared memory.

## Limits

Only the request pattern of one warp is judged, not whether caches catch the surplus later. With
`--domain gpudrano` the judgement is the paper's: an index that is not a constant plus
`threadIdx.x`, or elements wider than 4 bytes.
"""

from __future__ import annotations

from typing import assert_never

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.judgement import Pattern
from drano.model.settings import Config, Domain
from drano.rules.base import AccessRule, cost, join_clauses, proved_bad, subject


def _select(access: Access, config: Config) -> Severity | None:
    if not proved_bad(access):
        return None
    if config.analysis.domain is Domain.GPUDRANO:
        return Severity.WARNING
    match access.judgement.pattern:
        case Pattern.COLUMN_MAJOR | Pattern.DATA_DEPENDENT | Pattern.UNALIGNED:
            return None  # these have rules of their own
        case (
            Pattern.UNIFORM
            | Pattern.CONTIGUOUS
            | Pattern.STRIDED
            | Pattern.IRREGULAR
            | Pattern.SINGLE_THREAD
            | Pattern.WIDE
            | Pattern.UNKNOWN
        ):
            return Severity.WARNING
        case other:
            assert_never(other)


def _describe(access: Access) -> str:
    distance = access.judgement.stride
    stride = f"lanes are {distance} apart" if distance else ""
    return join_clauses(f"uncoalesced {subject(access)}", stride, cost(access))


def _fix(access: Access) -> str:
    return "let consecutive threadIdx.x use consecutive elements"


RULE = AccessRule(
    code="DRN001",
    name="uncoalesced-access",
    summary="Lanes of a warp touch more memory sectors than their data needs",
    level=Severity.WARNING,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
    paper=True,
)
