"""DRN003 data-dependent-access

## What it does

Finds global-memory accesses whose index is loaded from memory and differs between lanes: gathers
(`x[col[k]]`), scatters and histograms. It is a note if the access pattern depends only on the data,
and a warning if the access is proved to be scattered for any data.

## Why it matters

Nothing in the source ensures that neighbouring lanes access neighbouring elements. With unsorted
indices each lane touches a different sector: up to eight times the traffic for floats.

## Example

```cuda
__global__ void gather(const float* x, const int* index, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[index[i]];
}
```

## Fix

Sort or bin the indices so that neighbouring lanes access nearby elements, keep the gathered table
in shared memory, or choose a format with regular accesses (for sparse matrices, ELLPACK or sliced
formats). Here the table fits in shared memory:

```cuda
__global__ void gather(const float* x, const int* index, float* out, int n) {
  __shared__ float table[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 256) table[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (i < n) out[i] = table[index[i] & 255];
}
```

## Limits

A static analysis cannot see the data: if the indices happen to be sorted, the access is cheap. This
is why the finding is only a note; `--ignore DRN003` disables it.
"""

from __future__ import annotations

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.judgement import Pattern, Verdict
from drano.model.settings import Config
from drano.rules.base import AccessRule, cost, join_clauses, judged, subject


def _select(access: Access, config: Config) -> Severity | None:
    if not judged(access) or access.judgement.pattern is not Pattern.DATA_DEPENDENT:
        return None
    sectors = access.judgement.sectors
    if sectors is not None and sectors.maximum <= sectors.ideal:
        return None
    match access.judgement.verdict:
        case Verdict.COALESCED:
            return None
        case Verdict.UNCOALESCED:
            return Severity.WARNING
        case Verdict.UNKNOWN:
            return Severity.NOTE


def _describe(access: Access) -> str:
    head = f"data-dependent {subject(access)}"
    return join_clauses(head, "the index is loaded from memory", cost(access))


def _fix(access: Access) -> str:
    return "sort the indices so that lanes access nearby elements, or stage through shared memory"


RULE = AccessRule(
    code="DRN003",
    name="data-dependent-access",
    summary="The index is loaded from memory and differs between lanes",
    level=Severity.NOTE,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
)
