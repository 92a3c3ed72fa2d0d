"""DRN501 low-occupancy

## What it does

Finds kernels of which a multiprocessor holds less than half of the warps that it could: because a
thread needs many registers, a block much shared memory, or because of the block's size.
Off by default: `--extend-select DRN501`; it needs ptxas (of the CUDA packages or SDK), and the time
to compile each file to machine code.

## Why it matters

A multiprocessor waits for memory by running other warps meanwhile. With few warps there is nothing
else to run. But more is not always faster: this is a place to measure, not a mistake.

## Example

```cuda
__global__ void smooth(float* out, const float* in) {
  __shared__ float part[11][1024];
  for (int k = 0; k < 11; k++) part[k][threadIdx.x] = in[1024 * k + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 11; k++) sum += part[k][255 - threadIdx.x];
  out[threadIdx.x] = sum;
}

void run(float* out, const float* in) { smooth<<<64, 256>>>(out, in); }
```

A block of eight warps takes 45 056 bytes of shared memory; three of them fit.

## Fix

The message names what limits the kernel and the least change that helps. Here the array is four
times as large as the block needs:

```cuda
__global__ void smooth(float* out, const float* in) {
  __shared__ float part[11][256];
  for (int k = 0; k < 11; k++) part[k][threadIdx.x] = in[1024 * k + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 11; k++) sum += part[k][255 - threadIdx.x];
  out[threadIdx.x] = sum;
}

void run(float* out, const float* in) { smooth<<<64, 256>>>(out, in); }
```

Registers are capped by `__launch_bounds__(256, 4)` or `-maxrregcount`, at the price of spills;
`drano occupancy` lists the versions that are worth a run.

## Limits

The threshold and the GPU are settings: `min-occupancy` (0.5) and `gpu` ("sm_80") of
`[rules.DRN501]` in `drano.toml`. Occupancy is the theoretical one, of a full grid; dynamic shared
memory is not counted. nvcc may use a few registers more or fewer. Without a launch in the file
blocks are taken to have 256 threads.
"""

from __future__ import annotations

from drano.model.finding import Severity
from drano.rules.base import KernelRule

MIN_OCCUPANCY = 0.5
GPU = "sm_80"


RULE = KernelRule(
    code="DRN501",
    name="low-occupancy",
    summary="A multiprocessor holds few warps of the kernel at once (off by default)",
    level=Severity.NOTE,
    page=__doc__ or "",
    default=False,
)
"""See ``drano.occupancy.findings``."""
