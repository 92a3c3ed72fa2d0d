"""DRN401 vectorisable-access

## What it does

Finds loads and stores of adjacent elements by one thread that a single access of 8 or 16 bytes
(`float2`, `float4`) could replace, because the first element is suitably aligned. If the alignment
depends on a parameter, the message states the condition: "if `n` is a multiple of 4". Off by
default; enable it with `--extend-select DRN401`.

## Why it matters

One wide access replaces two or four instructions and requests with one, and turns strided lanes
into adjacent ones. The compiler cannot do this on its own, because it does not know the alignment
of pointer parameters.

## Example

```cuda
__global__ void copy(float* out, const float* in) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  float a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3];
  out[i / 4] = a + b + c + d;
}
```

## Fix

Read the elements as a vector:

```cuda
__global__ void copy(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = reinterpret_cast<const float4*>(in)[i];
  out[i] = v.x + v.y + v.z + v.w;
}
```

## Limits

drano assumes that pointer parameters of kernels are aligned like those from `cudaMalloc`
(`--pointer-alignment`). It combines only accesses within straight-line code and does not consider
loops that the compiler may unroll.
"""

from __future__ import annotations

from drano.model.access import Access
from drano.model.finding import Severity
from drano.model.settings import Config
from drano.rules.base import AccessRule, join_clauses, subject


def _select(access: Access, config: Config) -> Severity | None:
    if access.vector < 2:
        return None
    return Severity.NOTE


def _describe(access: Access) -> str:
    width = access.vector * access.bytes
    said = f"{access.vector} adjacent elements, aligned to {width} bytes, could be one access"
    if access.vector_needs:
        said = (
            f"{access.vector} adjacent elements could be one access of {width} bytes if "
            f"{access.vector_needs}, which is unknown"
        )
    return join_clauses(f"vectorisable {subject(access)}", said)


_TYPES = {2: "char2", 4: "short2 or char4", 8: "float2 or int2", 16: "float4 or int4"}


def _fix(access: Access) -> str:
    width = access.vector * access.bytes
    type_ = _TYPES.get(width)
    return f"access {width} bytes at once" + (f", for example as {type_}" if type_ else "")


RULE = AccessRule(
    code="DRN401",
    name="vectorisable-access",
    summary="Accesses to adjacent elements that could be one wider access (off by default)",
    level=Severity.NOTE,
    page=__doc__ or "",
    select=_select,
    describe=_describe,
    fix=_fix,
    default=False,
    about_lanes=False,
)
