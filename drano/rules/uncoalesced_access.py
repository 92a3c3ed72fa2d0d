"""DRN001 uncoalesced-access

## What it does

Finds global-memory loads, stores and atomics whose 32 lanes touch more memory sectors than their
data needs, because neighbouring threads do not access neighbouring addresses: the stride is larger
than the element, or the access pattern is irregular.

## Why it matters

A GPU serves a warp's request in sectors of 32 bytes. When lane `k` reads element `k`, 32 floats
occupy 4 sectors. When lane `k` reads element `8 * k`, the 32 floats are spread over 32 sectors:
eight times the traffic for the same amount of data, which slows down memory-bound kernels
accordingly.

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

Each thread accesses its own 32-byte struct, so one field of 32 particles is spread over 32 sectors.

## Fix

Have consecutive threads access consecutive elements. For structs, store each field in its own array
(a structure of arrays):

```cuda
__global__ void drift(float* x, const float* vx, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += dt * vx[i];
}
```

If each thread walks its own chunk (`a[i * CHUNK + k]`), stride by the number of threads instead
(`a[k * threads + i]`), or stage the tile through shared memory.

## Limits

Where a whole warp chooses between patterns (`transposed ? a[k * m + i] : a[i * k + j]`), the access
is a note ("possibly uncoalesced") with the condition under which it is uncoalesced;
`--assume transposed=0` decides it.

drano judges only the access pattern of a single warp, not whether caches absorb the extra traffic
later. With `--domain gpudrano` it uses the definition of the paper: an access is uncoalesced if its
index is not `threadIdx.x` plus a constant, or if its elements are wider than 4 bytes.
"""

from __future__ import annotations

from typing import Final, assert_never

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.judgement import AWAY_FROM_BORDERS, Pattern
from drano.model.settings import Config, Domain
from drano.rules.base import AccessRule, cost, join_clauses, judged, proved_bad, subject

_NEIGHBOURS: Final = "have consecutive threads (threadIdx.x) access consecutive elements"


def _select(access: Access, config: Config) -> Severity | None:
    if _possible(access):
        return Severity.NOTE
    if not proved_bad(access):
        return None
    if config.analysis.domain is Domain.GPUDRANO:
        return Severity.WARNING
    match access.judgement.pattern:
        case (
            Pattern.COLUMN_MAJOR
            | Pattern.DATA_DEPENDENT
            | Pattern.UNALIGNED
            | Pattern.UNKNOWN_START
        ):
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


def _possible(access: Access) -> bool:
    """Whether a condition of the kernel decides, in a pattern that has no rule of its own."""
    judgement = access.judgement
    own = {Pattern.COLUMN_MAJOR, Pattern.UNKNOWN_START}
    return judged(access) and judgement.possible and judgement.pattern not in own


def _describe(access: Access) -> str:
    distance = access.judgement.stride
    stride = f"lanes are {distance} apart" if distance else ""
    how = "possibly uncoalesced" if _possible(access) else "uncoalesced"
    return join_clauses(f"{how} {subject(access)}", stride, cost(access))


def _fix(access: Access) -> str:
    condition = access.judgement.condition
    if _possible(access) and condition and condition != AWAY_FROM_BORDERS:
        return f"none if the condition never holds; otherwise {_NEIGHBOURS}"
    return _NEIGHBOURS


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
