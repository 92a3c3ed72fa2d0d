"""DRN003 data-dependent-access

## What it does

Finds accesses of global memory whose index was itself read from memory and differs from lane to
lane: gathers (`x[col[k]]`), scatters and histograms. It is a note where the pattern depends on
data alone, and a warning where the access is proved scattered whatever the data.

## Why it matters

Nothing in the source says that neighbouring lanes use neighbouring elements. With unordered
indices each lane touches a sector of its own: up to eight times the traffic for floats.

## Example

```cuda
__global__ void gather(const float* x, const int* index, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[index[i]];
}
```

## Fix

Sort or bin the indices so that neighbours are close, keep the gathered table in shared memory, or
choose a format whose access is regular (ELLPACK or sliced formats for sparse matrices). Here the
table fits in shared memory:

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

A static analysis sees no data: indices that happen to be sorted make such an access cheap. Hence
the note; `--ignore DRN003` turns it off.
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
    match access.judgement.verdict:
        case Verdict.COALESCED:
            return None
        case Verdict.UNCOALESCED:
            return Severity.WARNING
        case Verdict.UNKNOWN:
            return Severity.NOTE


def _describe(access: Access) -> str:
    head = f"data-dependent {subject(access)}"
    return join_clauses(head, "the index comes from memory", cost(access))


def _fix(access: Access) -> str:
    return "order the indices so that neighbouring lanes are close, or stage through shared memory"


RULE = AccessRule(
    code="DRN003",
    name="data-dependent-access",
    summary="The index comes from memory and differs from lane to lane",
    level=Severity.NOTE,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
)
