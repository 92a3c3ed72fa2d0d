"""Promise that a kernel's arrays do not overlap.

## What it does

`restrict-parameters` adds `__restrict__` to the pointers that a kernel is given:

```cuda
__global__ void split(float* a, float* b, const float4* in) {          // before
  a[i] = in[i].x;  // 16 sectors where 4 would do
  b[i] = in[i].y;  // once more: a[i] may be where in[i].y is
}

__global__ void split(float* __restrict__ a, float* __restrict__ b, const float4* __restrict__ in) {
  a[i] = in[i].x;  // both at once, in 16 sectors
  b[i] = in[i].y;
}
```

A store through one pointer may change what another one points to, for all that the compiler knows.
So it has to load again behind the store, and members that stand side by side in pieces.

## When it is offered

The analysis of the edited text finds that loads become fewer or wider, and no other access worse.

## What is proved

All launches of the kernel are in the unit, and pass different allocations for all pointers. Where
that is not seen the edit is unsafe: arrays that do overlap would be read too early.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix
from drano.fix.host.separate_arrays import separate
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, is_kernel
from drano.model.access import AccessKind
from drano.model.finding import Finding

NAME: Final = "restrict-parameters"
_POINTER: Final = 101
"""CXTypeKind."""
_WORD: Final = b"__restrict__ "


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body, access = scene.body(finding), finding.access
    if body is None or access is None or access.kind is not AccessKind.LOAD:
        return
    pointers = [
        node for node in body.root.children
        if node.kind == Kind.PARM and node.type_kind == _POINTER
    ]  # fmt: skip
    if not is_kernel(body.root.cursor) or len(pointers) < 2:
        return
    places = [_place(body, node) for node in pointers if not _is_restricted(node)]
    edits = [Edit(body.path, place, place, _WORD) for place in places if place is not None]
    if not edits or len(edits) < len(places):
        return
    known = separate(body.tree, body, [node.spelling for node in pointers])
    reason = "" if known else "that its parameters point to different arrays"
    title = f"promise that the arrays of {body.root.spelling} do not overlap"
    yield Fix(NAME, title, tuple(edits), reason, merges=True)


def _is_restricted(node: Node) -> bool:
    return bool(node.cursor.type.is_restrict_qualified())


def _place(body: Body, node: Node) -> int | None:
    """Where the parameter's name stands, behind its ``*``; None where it is declared otherwise."""
    place, name = body.range(node), node.spelling.encode()
    if place is None or not name:
        return None
    text = body.code[slice(*place)]
    _, star, between = text[: -len(name)].rpartition(b"*")
    if not text.endswith(name) or not star or between.split() not in ([], [b"const"]):
        return None
    return place[1] - len(name)


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
