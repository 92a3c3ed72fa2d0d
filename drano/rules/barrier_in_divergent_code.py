"""DRN202 barrier-in-divergent-code

## What it does

Finds block-wide barriers (`__syncthreads()` and its variants) that only some threads of the block
reach, because the barrier is inside a divergent branch. It is an error if two threads of one block
are proved to diverge before the barrier, and a warning if the condition depends on the thread and
may diverge.

## Why it matters

A barrier waits for all threads of the block. If some never reach it, the behaviour is undefined:
depending on the GPU, the kernel may hang or continue with data that has not been written yet.

## Example

```cuda
__global__ void sum(float* a) {
  __shared__ float part[256];
  int i = threadIdx.x;
  part[i] = a[i];
  if (i < 128) {
    __syncthreads();
    part[i] += part[i + 128];
  }
  a[i] = part[i];
}

void run(float* a) { sum<<<1, 256>>>(a); }
```

## Fix

Move the barrier out of the branch and make only the work conditional:

```cuda
__global__ void sum(float* a) {
  __shared__ float part[256];
  int i = threadIdx.x;
  part[i] = a[i];
  __syncthreads();
  if (i < 128) part[i] += part[i + 128];
  a[i] = part[i];
}

void run(float* a) { sum<<<1, 256>>>(a); }
```

## Limits

Barriers do not wait for threads that have exited, so `if (i >= n) return;` before a barrier is not
reported. Neither is a condition loaded from memory, since its value may be the same for all
threads, nor one on which threads only disagree where their numbers wrap around. The domain
`gpudrano` never reports this rule.
"""

from __future__ import annotations

from drano.model.finding import ControlFact, ControlKind, Severity
from drano.rules.base import ControlRule, shape_assumed


def _judge(fact: ControlFact) -> tuple[Severity, str] | None:
    if fact.kind is not ControlKind.BARRIER:
        return None
    line = fact.branch.line if fact.branch is not None else 0
    branch = f"the branch on line {line}" if line else "a branch"
    if fact.proved:
        level = Severity.ERROR
        said = f"not all threads reach this barrier: {branch} diverges"
    else:
        level = Severity.WARNING
        said = f"some threads may not reach this barrier: {branch} may diverge"
    if fact.otherwise is not None:
        level = Severity.NOTE
    return level, said + shape_assumed(fact.otherwise)


RULE = ControlRule(
    code="DRN202",
    name="barrier-in-divergent-code",
    summary="A barrier that not all threads of the block reach",
    level=Severity.ERROR,
    page=__doc__ or "",
    judge=_judge,
    fix="move the barrier out of the branch and make only the work conditional",
)
