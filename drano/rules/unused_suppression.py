"""DRN901 unused-suppression

## What it does

Finds suppression comments that suppress nothing, because the code has been fixed, the comment is on
the wrong line, or its rule does not exist.

## Why it matters

A comment that suppresses nothing today will hide the next mistake on its line. It also misleads
readers about a problem that no longer exists.

## Example

```cuda
__global__ void scale(float* a, float factor) {
  // drano: ignore-next-line[DRN001] rows are short
  a[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}
```

## Fix

Remove the comment, or remove the unused rule from it:

```cuda
__global__ void scale(float* a, float factor) {
  a[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}
```

drano recognises these comments; without brackets they apply to all rules:

| Comment | Suppresses findings in |
| --- | --- |
| `// drano: ignore[DRN001] reason` | its own line |
| `// drano: ignore-next-line[DRN001] reason` | the next line of code |
| `// drano: ignore-start[DRN001]` … `// drano: ignore-end[DRN001]` | the lines in between |
| `// drano: ignore-file[DRN001] reason` | the file |
| `// NOLINT(drano-DRN001)`, `NOLINTNEXTLINE`, `NOLINTBEGIN` … `NOLINTEND` | as in clang-tidy |

## Limits

drano checks comments only for rules enabled in the run, and only in files that belong to an
analysed translation unit. If a unit could not be analysed, drano does not check comments in
headers, since that unit may need them.
"""

from __future__ import annotations

from drano.model.finding import Severity
from drano.rules.base import CommentRule

RULE = CommentRule(
    code="DRN901",
    name="unused-suppression",
    summary="A suppression comment that suppresses no finding",
    level=Severity.NOTE,
    page=__doc__ or "",
)
