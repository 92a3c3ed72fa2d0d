"""DRN004 column-major-access

## What it does

Finds accesses of global memory where `threadIdx.x` is multiplied by a size that the compiler does
not know, such as a matrix's width: neighbouring lanes walk down a column of a row-major matrix.

## Why it matters

Rows of any real matrix are longer than a 32-byte sector, so the 32 lanes of a warp touch 32
sectors where 4 would do for floats. It is often a mere mix-up of x and y: lanes of a warp differ
first in `threadIdx.x`, so x must be the index that moves fastest in memory.

## Example

```cuda
__global__ void scale(float* matrix, float factor, int width, int height) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < height && column < width) matrix[row * width + column] *= factor;
}
```

## Fix

Swap the roles of x and y, in the index and in the launch's grid:

```cuda
__global__ void scale(float* matrix, float factor, int width, int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < height && column < width) matrix[row * width + column] *= factor;
}
```

Where both orders are needed, as in a transpose, read a tile along the rows into shared memory and
write it from there along the rows of the result.

## Limits

The unknown size is taken to be larger than a few elements: a matrix one column wide would be
coalesced. A number that nothing in the kernel shows to be a size is another matter: the stride of
a vector or of a tensor (`x[i * incx]`, `data[i * strides[0]]`) is 1 as often as not. Such accesses
are notes, "possibly strided", and their verdict is unknown. A number counts as a size where an
index is added to a multiple of it (`a[i * n + k]`) or compared with it (`k < n`), in that kernel.
With `--domain gpudrano` such accesses are reported as DRN001.
"""

from __future__ import annotations

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.judgement import Pattern, Verdict
from drano.model.settings import Config
from drano.rules.base import AccessRule, cost, join_clauses, judged, proved_bad, subject


def _select(access: Access, config: Config) -> Severity | None:
    if access.judgement.pattern is not Pattern.COLUMN_MAJOR:
        return None
    if _possible(access):
        return Severity.NOTE
    return Severity.WARNING if proved_bad(access) else None


def _possible(access: Access) -> bool:
    """Whether what is between the lanes may be 1."""
    return judged(access) and access.judgement.verdict is Verdict.UNKNOWN


def _describe(access: Access) -> str:
    if _possible(access):
        return join_clauses(
            f"possibly strided {subject(access)}", access.judgement.reason, cost(access)
        )
    distance = access.judgement.stride
    stride = f"lanes are {distance} apart" if distance else ""
    return join_clauses(f"column-major {subject(access)}", stride, cost(access))


def _fix(access: Access) -> str:
    if _possible(access):
        return "nothing where the stride is 1; else let threadIdx.x be the index whose stride is 1"
    return "swap the roles of threadIdx.x and threadIdx.y, or stage a tile through shared memory"


RULE = AccessRule(
    code="DRN004",
    name="column-major-access",
    summary="threadIdx.x is multiplied by a row pitch: lanes walk down a column",
    level=Severity.WARNING,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
)
