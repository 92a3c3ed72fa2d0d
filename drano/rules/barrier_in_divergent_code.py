"""DRN202 barrier-in-divergent-code

## What it does

Finds barriers of the block (`__syncthreads()` and its like) that only some of its threads reach:
they stand under a branch that threads take differently. It is an error where two threads of one
block surely part before the barrier, and a warning where the condition depends on the thread and
may part them.

## Why it matters

A barrier waits for all threads of the block. When some never come, the behaviour is undefined: the
kernel hangs, or goes on with data that is not there yet, on one GPU and not on another.

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

Let all threads reach the barrier, and only the work depend on the thread:

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

Threads that have returned are not waited for, so `if (i >= n) return;` before a barrier is not
reported, nor is a condition that comes from memory: data may well be the same for all. The domain
`gpudrano` never reports this.
"""

from __future__ import annotations

from drano.model.finding import ControlFact, ControlKind, Severity
from drano.rules.base import ControlRule, shape_assumed


def _judge(fact: ControlFact) -> tuple[Severity, str] | None:
    if fact.kind is not ControlKind.BARRIER:
        return None
    line = fact.branch.line if fact.branch is not None else 0
    branch = f"the branch of line {line}" if line else "a branch"
    if fact.proved:
        level = Severity.ERROR
        said = f"not all threads reach this barrier: {branch} parts them"
    else:
        level = Severity.WARNING
        said = f"some threads may not reach this barrier: {branch} may part them"
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
    fix="let all threads reach the barrier, and make only the work conditional",
)
