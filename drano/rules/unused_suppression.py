"""DRN901 unused-suppression

## What it does

Finds comments that are to silence a finding and silence none: because the code has been fixed, the
comment is on the wrong line, or its rule does not exist.

## Why it matters

A comment that silences nothing today silences the next mistake on its line, unseen. And it tells
readers of a problem that is not there.

## Example

```cuda
__global__ void scale(float* a, float factor) {
  // drano: ignore-next-line[DRN001] rows are short
  a[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}
```

## Fix

Remove the comment, or the rule that has no finding:

```cuda
__global__ void scale(float* a, float factor) {
  a[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}
```

These comments are understood; without the brackets they mean all rules:

| Comment | Silences |
| --- | --- |
| `// drano: ignore[DRN001] reason` | its line |
| `// drano: ignore-next-line[DRN001] reason` | the next line of code |
| `// drano: ignore-start[DRN001]` … `// drano: ignore-end[DRN001]` | the lines between |
| `// drano: ignore-file[DRN001] reason` | the file |
| `// NOLINT(drano-DRN001)`, `NOLINTNEXTLINE`, `NOLINTBEGIN` … `NOLINTEND` | as in clang-tidy |

## Limits

Only rules that the run asked for count, and only files that were part of an analysed unit. When a
unit could not be analysed, comments in headers are not judged: that unit may have needed them.
"""

from __future__ import annotations

from drano.model.finding import Severity
from drano.rules.base import CommentRule

RULE = CommentRule(
    code="DRN901",
    name="unused-suppression",
    summary="A comment that silences no finding",
    level=Severity.NOTE,
    page=__doc__ or "",
)
