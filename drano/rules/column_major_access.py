"""DRN004 column-major-access

## What it does

Finds global-memory accesses whose index multiplies `threadIdx.x` by a size unknown at compile time,
such as the width of a matrix: neighbouring lanes walk down a column of a row-major matrix.

## Why it matters

The rows of any realistic matrix are longer than a 32-byte sector, so the 32 lanes of a warp touch
32 sectors where 4 would do for floats. Often x and y are simply swapped: `threadIdx.x` varies
fastest across the lanes of a warp, so x must be the fastest-varying index in memory.

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

If both orders are needed, as in a transpose, load a tile into shared memory along the rows of the
input and write it back along the rows of the output.

## Limits

drano assumes that the unknown size is more than a few elements; accesses to a matrix with a single
column would be coalesced. A number is treated as a size only if the kernel adds an index to a
multiple of it (`a[i * n + k]`) or compares an index with it (`k < n`). Other factors, such as the
stride of a vector or tensor (`x[i * incx]`, `data[i * strides[0]]`), are often 1; these accesses
are reported as notes ("possibly strided"), with the size from which on they are uncoalesced. With
`--domain gpudrano` such accesses are reported as DRN001.
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
    judgement = access.judgement
    return judged(access) and (judgement.possible or judgement.verdict is Verdict.UNKNOWN)


def _describe(access: Access) -> str:
    if _possible(access):
        return join_clauses(
            f"possibly strided {subject(access)}", access.judgement.reason, cost(access)
        )
    distance = access.judgement.stride
    stride = f"lanes are {distance} apart" if distance else ""
    if distance == f"{access.bytes} bytes":
        stride = "lanes are neighbours in short rows only"
    return join_clauses(f"column-major {subject(access)}", stride, cost(access))


def _fix(access: Access) -> str:
    if _possible(access):
        return "none if the stride is 1; otherwise use threadIdx.x for the index whose stride is 1"
    if access.launch is not None and access.launch.block[1] == 1:  # nothing to swap with
        return "map neighbouring lanes to neighbours in a row, or stage a tile in shared memory"
    return "swap threadIdx.x and threadIdx.y, or stage a tile through shared memory"


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
