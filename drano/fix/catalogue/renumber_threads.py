"""Number a block's threads so that neighbours in a warp differ in threadIdx.y.

## What it does

`renumber-threads` does for blocks that are not square what
[swap-thread-indices](#swap-thread-indices) does for those that are: it has the kernel use, for
`threadIdx.x` and `threadIdx.y`, two numbers of its own, of which the second counts the lanes:

```cuda
int row = blockIdx.x * blockDim.x + threadIdx.x;  // before: lanes are rows apart
int col = blockIdx.y * blockDim.y + threadIdx.y;

const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
const unsigned thread_x = thread / blockDim.y, thread_y = thread % blockDim.y;
int row = blockIdx.x * blockDim.x + thread_x;     // after: lanes are neighbours
int col = blockIdx.y * blockDim.y + thread_y;
```

## When it is offered

* A launch of the kernel is known whose blocks have several rows and columns, and are not square.
* The kernel does not ask for lanes or warps, and learns its indices from `threadIdx` alone.
* The analysis of the edited text finds the access better and no other worse.

## What is proved

The two numbers take each pair of `threadIdx.x` and `threadIdx.y` once, in blocks of any shape: the
edit renames the threads of a block among themselves, and all of them still do what all of them did.
So it is safe.

## Cost

A division by `blockDim.y` for each thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.catalogue.swap_thread_indices import index_places
from drano.fix.edit import Edit, Fix
from drano.fix.source_tree import taken
from drano.model.finding import Finding

NAME: Final = "renumber-threads"
_NAMES: Final = (b"thread", b"thread_x", b"thread_y")


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    path = finding.location.span.path
    text = scene.unit.text(path)
    launches = [launch for kernel in scene.instances(finding) for launch in kernel.launches]
    shapes = {launch.block for launch in launches}
    if not any(1 < x != y > 1 and z == 1 for x, y, z in shapes):
        return
    headers = [scene.unit.text(file) for file in scene.files if file != path]
    found = index_places(finding, scene.report.kernels, text, headers)
    if found is None:
        return
    body, places = found
    if taken(text, body, map(scene.unit.text, scene.files)).intersection(_NAMES):
        return
    edits = [
        Edit(path, start - len(_whole(text, start)), end, _NAMES[1 + (axis == b"y")])
        for (start, end), axis in places
    ]
    edits.append(_numbers(path, text, body[0]))
    title = f"number the threads of {finding.kernel.split('<', 1)[0]} along threadIdx.y"
    yield Fix(NAME, title, tuple(sorted(edits)))


def _whole(text: bytes, axis: int) -> bytes:
    """`threadIdx.`, as it stands before its axis."""
    return text[text.rfind(b"threadIdx", 0, axis) : axis]


def _numbers(path: str, text: bytes, start: int) -> Edit:
    """The declarations, behind the brace that begins the body."""
    follows = re.compile(rb"\s*?(\r?\n)([ \t]*)(?=\S)").match(text, start)
    end, indent = (follows[1], follows[2]) if follows else (b"\n", b"  ")
    first = b"const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;"
    second = b"const unsigned thread_x = thread / blockDim.y, thread_y = thread % blockDim.y;"
    return Edit(path, start, start, b"%b%b%b%b%b%b" % (end, indent, first, end, indent, second))


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
