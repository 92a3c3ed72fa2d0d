"""DRN201 divergent-branch

## What it does

Finds branches whose two sides are both executed by most warps of the block, one side after the
other, because neighbouring threads go different ways: `if (threadIdx.x % 2)`. Both sides must have
some work to do.

## Why it matters

The lanes of a warp execute one instruction together. When they part, the warp executes one side
with the other lanes idle, and then the other side: it takes as long as both.

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

Let whole warps go one way: branch on a multiple of 32 threads, and lay out the data so that its
elements of one kind lie together.

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

A note, since the cost depends on what else the kernel waits for. Branches with one side
(`if (i < n)`), those that only one warp of a block parts at, and those that data decides are not
reported. The cost is the number of instructions under each side before optimisation, loops counted
once. The domain `gpudrano` never reports this.
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
        f"divergent branch: warps execute both sides, {first} and {second} instructions, "
        "one after the other"
    )


RULE = ControlRule(
    code="DRN201",
    name="divergent-branch",
    summary="Lanes of a warp take both sides of a branch, one after the other",
    level=Severity.NOTE,
    page=__doc__ or "",
    judge=_judge,
    fix="let whole warps go one way: branch on multiples of 32 threads",
)
