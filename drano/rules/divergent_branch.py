"""DRN201 divergent-branch

## What it does

Finds divergent branches: most warps of the block execute both sides, one after the other, because
neighbouring threads take different sides, as in `if (threadIdx.x % 2)`. Both sides must do some
work.

## Why it matters

The lanes of a warp execute each instruction together. When they diverge, the warp executes one side
while the other lanes are inactive, and then the other side: the branch takes as long as both sides
together.

## Example

```cuda
__global__ void filter(float* out, const float* in) {
  int i = threadIdx.x;
  float x = in[i], y;
  if (i % 2 == 0) {
    y = sinf(x) * x * x - 3 * x * x + 2 * x - 1;
  } else {
    y = expf(x) * x * x + 5 * x * x - 7 * x + 4;
  }
  out[i] = y;
}

void run(float* out, const float* in) { filter<<<1, 256>>>(out, in); }
```

## Fix

Make the condition uniform within each warp: branch at multiples of 32 threads, and lay out the data
so that elements of the same kind are contiguous.

```cuda
__global__ void filter(float* out, const float* in) {
  int i = threadIdx.x;
  float x = in[i], y;
  if (i < 128) {
    y = sinf(x) * x * x - 3 * x * x + 2 * x - 1;
  } else {
    y = expf(x) * x * x + 5 * x * x - 7 * x + 4;
  }
  out[i] = y;
}

void run(float* out, const float* in) { filter<<<1, 256>>>(out, in); }
```

## Limits

The finding is a note, since the cost depends on what else limits the kernel. drano does not report
branches with only one side (`if (i < n)`), branches where only one warp of the block diverges, or
branches that depend on data. The cost is the number of instructions on each side before
optimisation, with loops counted once. The domain `gpudrano` never reports this rule.
"""

from __future__ import annotations

from drano.model.finding import ControlFact, ControlKind, Severity
from drano.rules.base import ControlRule

LEAST_WORK = 6  # instructions under the smaller side


def _judge(fact: ControlFact) -> tuple[Severity, str] | None:
    if fact.kind is not ControlKind.BRANCH or min(fact.costs) < LEAST_WORK:
        return None
    first, second = fact.costs
    return Severity.NOTE, (
        f"divergent branch: warps execute both sides ({first} and {second} instructions) "
        "one after the other"
    )


RULE = ControlRule(
    code="DRN201",
    name="divergent-branch",
    summary="A divergent branch: warps execute both sides, one after the other",
    level=Severity.NOTE,
    page=__doc__ or "",
    judge=_judge,
    fix="make the condition uniform within each warp: branch at multiples of 32 threads",
)
