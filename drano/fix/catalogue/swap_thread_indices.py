"""Swap the roles of threadIdx.x and threadIdx.y.

## What it does

`swap-thread-indices` writes `threadIdx.y` for `threadIdx.x` in a kernel, and the other way round:

```cuda
int row = blockIdx.x * blockDim.x + threadIdx.x;  // before: lanes are rows apart
int col = blockIdx.y * blockDim.y + threadIdx.y;

int row = blockIdx.x * blockDim.x + threadIdx.y;  // after: lanes are neighbours
int col = blockIdx.y * blockDim.y + threadIdx.x;
```

## When it is offered

* All launches of the kernel are known, and all blocks are square.
* The kernel does not ask for lanes or warps, and learns its indices from `threadIdx` alone.
* The analysis of the edited text finds the access better and no other worse.

## What is proved

In a square block the edit renames the threads among themselves: all of them still do what all of
them did. So it is safe.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix
from drano.frontend.text.cpp_lexer import LITERALS, Kind, blanked
from drano.frontend.text.source_without_kernels import kernel_bodies
from drano.model.finding import Finding
from drano.model.report import KernelInfo

NAME: Final = "swap-thread-indices"
_INDEX = re.compile(rb"\bthreadIdx\b(?:\s*\.\s*([xy])\b)?")
# What depends on which threads share a warp, or on more of the index than its x and y.
_WARPS = re.compile(
    rb"__(?:shfl|ballot|any|all|activemask|match|reduce_|syncwarp)|warpSize|lane|warp"
    rb"|\basm\b|\b__asm|cooperative_groups|\bcg::|thread_rank|\bvolatile\b|\bcub::",
    re.IGNORECASE,
)


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    path = finding.location.span.path
    headers = [scene.unit.text(file) for file in scene.files if file != path]
    fix = swap(finding, scene.report.kernels, scene.unit.text(path), headers)
    if fix is not None:
        yield fix


def swap(
    finding: Finding, kernels: Sequence[KernelInfo], content: bytes, headers: Iterable[bytes]
) -> Fix | None:
    """The edit for a finding in the file of this ``content``; ``headers``: what else the unit has
    of the user's.
    """
    instances = _instances(finding, kernels)
    launches = [launch for kernel in instances for launch in kernel.launches]
    if not all(kernel.launches_known for kernel in instances) or not all(
        launch.block[0] == launch.block[1] > 1 for launch in launches
    ):
        return None
    found = index_places(finding, kernels, content, headers)
    if found is None:
        return None
    path = finding.location.span.path
    edits = (Edit(path, *place, b"y" if axis == b"x" else b"x") for place, axis in found[1])
    title = f"swap threadIdx.x and threadIdx.y in {finding.kernel.split('<', 1)[0]}"
    return Fix(NAME, title, tuple(edits))


def index_places(
    finding: Finding, kernels: Sequence[KernelInfo], content: bytes, headers: Iterable[bytes]
) -> tuple[tuple[int, int], list[tuple[tuple[int, int], bytes]]] | None:
    """Where the body of the finding's kernel is, and where in it it asks for its threads'
    numbers: of "x" or "y". None where it learns of its threads in other ways, too.
    """
    instances = _instances(finding, kernels)
    place = instances[0].location if instances else None
    if place is None or place.span.path != finding.location.span.path:
        return None
    body = _body(content, place.span.line, finding.kernel)
    if finding.location.inlined_at or body is None or _WARPS.search(content, *body):
        return None
    code = blanked(content, LITERALS | {Kind.COMMENT})
    outside = [code, *(blanked(text, LITERALS | {Kind.COMMENT}) for text in headers)]
    for start, end in reversed(kernel_bodies(content)):
        outside[0] = outside[0][:start] + outside[0][end:]
    if any(b"threadIdx" in text for text in outside):
        return None
    found = list(_INDEX.finditer(code, *body))
    if not found or any(match[1] is None for match in found):  # z, or the whole of it
        return None
    return body, [(match.span(1), match[1]) for match in found]


def _instances(finding: Finding, kernels: Sequence[KernelInfo]) -> list[KernelInfo]:
    """The kernel, with other instances of its template; [] where its place is not known."""
    places = {kernel.location for kernel in kernels if kernel.name == finding.kernel}
    if len(places) != 1 or None in places:
        return []
    return [kernel for kernel in kernels if kernel.location in places]


def _body(content: bytes, line: int, kernel: str) -> tuple[int, int] | None:
    """Where the body of the kernel is whose name stands on the line."""
    name = re.escape(kernel.split("<", 1)[0].rpartition("::")[2].encode())
    place = sum(map(len, content.splitlines(keepends=True)[: line - 1]))
    for start, end in kernel_bodies(content):
        if start > place:
            named = re.search(rb"\b" + name + rb"\b", content[place:start])
            return (start, end) if named else None
    return None


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
