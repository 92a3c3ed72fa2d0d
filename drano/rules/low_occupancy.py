"""DRN501 low-occupancy

## What it does

Finds kernels whose theoretical occupancy is below one half: registers per thread, shared memory per
block or the block size limit the number of resident warps on a multiprocessor. Off by default;
enable it with `--extend-select DRN501`. Each file is compiled to machine code by nvcc and ptxas (of
the CUDA packages or an SDK), which takes time.

## Why it matters

A multiprocessor hides memory latency by running other warps. With few resident warps there is
nothing else to run. Higher occupancy is not always faster, though: treat this as a hint to measure,
not as a mistake.

## Example

```cuda
__global__ void smooth(float* out, const float* in) {
  __shared__ float part[11][1024];
  for (int k = 0; k < 11; k++) part[k][threadIdx.x] = in[1024 * k + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 11; k++) sum += part[k][127 - threadIdx.x];
  out[threadIdx.x] = sum;
}

void run(float* out, const float* in) { smooth<<<64, 128>>>(out, in); }
```

Each block of four warps uses 45,056 bytes of shared memory; of an H100's multiprocessor that
leaves room for five blocks, 20 of 64 warps.

## Fix

The message names the limiting resource and the smallest change that helps. Here the array is eight
times as large as the block needs:

```cuda
__global__ void smooth(float* out, const float* in) {
  __shared__ float part[11][128];
  for (int k = 0; k < 11; k++) part[k][threadIdx.x] = in[1024 * k + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 11; k++) sum += part[k][127 - threadIdx.x];
  out[threadIdx.x] = sum;
}

void run(float* out, const float* in) { smooth<<<64, 128>>>(out, in); }
```

`__launch_bounds__(128, 8)` or `-maxrregcount` limits registers at the cost of spills;
`drano occupancy` lists the variants worth trying.

## Limits

Set the threshold and the GPU with `min-occupancy` (default 0.5) and `gpu` (default: what the file
is compiled for) under `[rules.DRN501]` in `drano.toml`. The figure is the theoretical occupancy of
a full grid, without dynamic shared memory. Where nvcc cannot compile the file, and in the editor,
whose text is not yet saved, registers are those of clang's code: nvcc may use more or fewer. If the
file has no launch of the kernel, drano assumes blocks of 256 threads.
"""

from __future__ import annotations

from drano.model.finding import Severity
from drano.rules.base import KernelRule

MIN_OCCUPANCY = 0.5


RULE = KernelRule(
    code="DRN501",
    name="low-occupancy",
    summary="Few warps of the kernel fit on a multiprocessor at once (off by default)",
    level=Severity.NOTE,
    page=__doc__ or "",
    default=False,
)
"""See ``drano.occupancy.findings``."""
