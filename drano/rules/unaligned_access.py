"""DRN002 unaligned-access

## What it does

Finds global-memory accesses whose lanes access consecutive elements, as they should, but do not
start on a sector boundary, so that the warp touches one extra sector.

## Why it matters

A warp that reads 32 consecutive floats starting on a boundary touches 4 sectors of 32 bytes;
shifted by one element it touches 5. The overhead is larger for narrow types: 32 one-byte elements
occupy one sector, or two when shifted.

By default drano reports only accesses that are expected to move at least 1.3 times the data they
need (bytes, 16-bit elements, short rows); the neighbour accesses of a float stencil, with 5 sectors
instead of 4, are not worth a warning, and where a size decides whether rows start on boundaries,
they are expected to. To report all of them, select the full code (`--select DRN002`) or set a
threshold (`min-excess` under `[rules.DRN002]` in `drano.toml`).

## Example

```cuda
__global__ void shift(const unsigned char* in, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1];
}
```

## Fix

Start each row and each chunk at a multiple of 32 bytes: pad the pitch (`cudaMallocPitch`), place
the halo before an aligned interior, or load through shared memory.

```cuda
__global__ void shift(const unsigned char* in, unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 32];
}
```

## Limits

drano assumes that pointer parameters of kernels are aligned like those from `cudaMalloc` (256
bytes). The extra sector also belongs to the neighbouring warp, so a cache often serves it; the cost
is at most one sector per request. The domain `gpudrano` does not model alignment and never reports
this rule.
"""

from __future__ import annotations

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.hardware import UNCOALESCED_FROM
from drano.model.judgement import OFF_SECTORS, Pattern
from drano.model.settings import Config
from drano.rules.base import (
    AccessRule,
    cost,
    excess,
    join_clauses,
    judged,
    likely_excess,
    subject,
)

CODE = "DRN002"


def _select(access: Access, config: Config) -> Severity | None:
    pattern = access.judgement.pattern
    if not judged(access) or pattern not in OFF_SECTORS:
        return None
    asked_for = config.asks_for(CODE) or config.rule(CODE).min_excess is not None
    at_worst = asked_for and pattern is Pattern.UNKNOWN_START
    surplus = excess(access) if at_worst else likely_excess(access)
    if surplus <= 1.0:
        return None
    return Severity.NOTE if asked_for or surplus >= UNCOALESCED_FROM else None


def _describe(access: Access) -> str:
    if access.judgement.pattern is Pattern.UNKNOWN_START:
        head, where = (
            "possibly unaligned",
            "where the lanes' first byte is in a sector is not known",
        )
    else:
        head, where = "unaligned", "the warp's first byte is not on a sector boundary"
    return join_clauses(f"{head} {subject(access)}", where, cost(access))


def _fix(access: Access) -> str:
    return "start rows and chunks at multiples of 32 bytes, for example by padding the pitch"


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
