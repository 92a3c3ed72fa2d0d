"""DRN002 unaligned-access

## What it does

Finds accesses of global memory whose lanes use consecutive elements, as they should, but whose
first element does not lie on a sector boundary, so that the warp touches one sector more.

## Why it matters

A warp that reads 32 consecutive floats from a boundary touches 4 sectors of 32 bytes; shifted by
one element it touches 5. For narrow types the surplus weighs more: 32 bytes are one sector, or
two when shifted.

By default only accesses that may move at least 1.3 times what they need are reported (bytes,
16-bit elements, short rows); the neighbours of a float stencil, 5 sectors for 4, are not worth a
warning.
`--select DRN002`, by its full code, reports all of them, and so does a threshold of your own
(`min-excess` of `[rules.DRN002]` in `drano.toml`).

## Example

```cuda
__global__ void shift(const unsigned char* in, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1];
}
```

## Fix

Start each row and each chunk on a multiple of 32 bytes: pad the pitch (`cudaMallocPitch`), put
the halo before an aligned interior, or load through shared memory.

```cuda
__global__ void shift(const unsigned char* in, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 32];
}
```

## Limits

Pointers that a kernel is given are taken to be aligned as `cudaMalloc` aligns them (256 bytes).
Caches often serve the extra sector, which is the neighbouring warp's, so the cost is at most one
sector for each request. The domain `gpudrano` knows no alignment and never reports this.
"""

from __future__ import annotations

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.hardware import UNCOALESCED_FROM
from drano.model.judgement import Pattern
from drano.model.settings import Config
from drano.rules.base import AccessRule, cost, join_clauses, judged, likely_excess, subject

CODE = "DRN002"


def _select(access: Access, config: Config) -> Severity | None:
    if not judged(access) or access.judgement.pattern is not Pattern.UNALIGNED:
        return None
    surplus = likely_excess(access)
    if surplus <= 1.0:
        return None
    asked_for = config.asks_for(CODE) or config.rule(CODE).min_excess is not None
    return Severity.NOTE if asked_for or surplus >= UNCOALESCED_FROM else None


def _describe(access: Access) -> str:
    head = f"unaligned {subject(access)}"
    return join_clauses(head, "the warp's first byte is not on a sector boundary", cost(access))


def _fix(access: Access) -> str:
    return "start rows and chunks on multiples of 32 bytes, for instance with a padded pitch"


RULE = AccessRule(
    code=CODE,
    name="unaligned-access",
    summary="Consecutive elements that do not start on a sector boundary",
    level=Severity.NOTE,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
)
