"""Pad the rows of an array in shared memory.

## What it does

`pad-shared-array` makes the rows of a shared array longer by one element, or by two or three where
one does not help:

```cuda
__shared__ float tile[32][32];      // before: lanes that read a column meet in one bank
__shared__ float tile[32][32 + 1];  // after
```

## When it is offered

* The array is a local `__shared__` array of the kernel, of two dimensions or more and of known
  size.
* Each place where its name stands is an element of it, with all indices: nobody learns how long a
  row is. Atomic functions may take an element's address.
* The analysis of the edited text counts fewer wavefronts, and none more elsewhere.
* The shared arrays of the unit still fit into 48 kB.

## What is proved

That each index is within its dimension, for all blocks that the kernel is launched with: code that
runs over the end of a row would find another element than before. And that no launch asks for
shared memory besides, of whose size nothing is known, or for all blocks to run at once. Where
either is not proved, the edit is unsafe.

## Cost

Shared memory. Where a block needs so much of it that fewer blocks fit onto a multiprocessor, the
edit may cost more than it saves: `drano occupancy` shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix
from drano.fix.kernel.ranges import Ranges, ranges_of
from drano.fix.kernel.shared_memory import fits, unknown_use
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, is_kernel
from drano.frontend.text.cpp_lexer import macros
from drano.host.function_bodies import plain_children, strip
from drano.model.finding import Finding

NAME: Final = "pad-shared-array"
_STEPS: Final = (1, 2, 3)
_DIMENSIONS: Final = re.compile(rb"\s*((?:\[[^\[\]]*\]\s*)+)")
_ATOM: Final = re.compile(rb"\s*(?:\w+|\([^()]*\))\s*")
_CONSTANT_ARRAY: Final = 112


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body = scene.body(finding)
    access = finding.access
    if body is None or scene.tree is None or access is None or not access.judgement.array:
        return
    variable = body.variable(access.judgement.array)
    if variable is None or not _is_shared(body, variable):
        return
    sizes = _sizes(variable.cursor.type)
    uses = body.mentions(variable)
    if len(sizes) < 2 or uses is None:
        return
    elements = [_element(body, use, len(sizes)) for use in uses]
    found = [element for element in elements if element is not None]
    if len(found) != len(elements):
        return
    place = _row(body, variable)
    # A function that is no kernel may be called by others, with other blocks.
    kernels = scene.instances(finding) if is_kernel(body.root.cursor) else ()
    ranges = [ranges_of(body, kernel) for kernel in kernels] or [ranges_of(body, None)]
    unproved = _unproved(ranges, found, sizes) or unknown_use(scene.tree, scene.files)
    name = access.judgement.array
    for step in _STEPS:
        if place is None or not _fits(scene, variable, sizes, step):
            return
        edits = _edits(body, place, step)
        yield Fix(NAME, f"pad the rows of {name} by {step}", edits, unproved)


def _is_shared(body: Body, variable: Node) -> bool:
    above = body.parents.get(id(variable))
    if variable.kind != Kind.VAR or above is None or above.kind != Kind.DECL_STMT:
        return False
    return re.search(rb"\b__shared__\b", body.words(above)) is not None and (
        len(plain_children(above)) == 1
    )


def _sizes(declared: Any) -> tuple[int, ...]:
    """Of an array of constant size, in each dimension."""
    sizes: list[int] = []
    declared = declared.get_canonical()
    while int(declared._kind_id) == _CONSTANT_ARRAY:
        sizes.append(int(declared.get_array_size()))
        declared = declared.get_array_element_type().get_canonical()
    return tuple(sizes)


def _element(body: Body, use: Node, dimensions: int) -> tuple[Node, ...] | None:
    """The indices with which an element is named where the array is used; None: it is not."""
    indices: list[Node] = []
    node = use
    for above in body.above(use):
        if above.kind in {Kind.UNEXPOSED_EXPR, Kind.PAREN}:
            node = above
            continue
        inner = plain_children(above)
        if above.kind != Kind.SUBSCRIPT or len(indices) == dimensions:
            return None if _escapes(body, above) else _complete(indices, dimensions)
        if inner[0] is not node:
            # an element that is itself an index, of a whole number of dimensions
            return _complete(indices, dimensions)
        indices.append(inner[1])
        node = above
    return None


def _complete(indices: list[Node], dimensions: int) -> tuple[Node, ...] | None:
    return tuple(indices) if len(indices) == dimensions else None


def _escapes(body: Body, above: Node) -> bool:
    """Whether an element's address is taken, but for an atomic function."""
    if above.kind != Kind.UNARY or above.unary != Unary.ADDRESS:
        return False
    for call in body.above(above):
        if call.kind in {Kind.UNEXPOSED_EXPR, Kind.PAREN}:
            continue
        return call.kind != Kind.CALL or not call.spelling.startswith("atomic")
    return True


def _row(body: Body, variable: Node) -> tuple[int, int] | None:
    """Where the length of a row stands in the declaration, between its brackets."""
    start = int(variable.cursor.location.offset) + len(variable.spelling)
    found = _DIMENSIONS.match(body.code, start)
    if found is None:
        return None
    end = found[1].rstrip().rfind(b"]") + found.start(1)
    begin = body.code.rfind(b"[", 0, end) + 1
    return (begin, end) if body.code[begin:end].strip() else None


def _edits(body: Body, place: tuple[int, int], step: int) -> tuple[Edit, ...]:
    start, end = place
    text = body.source[start:end]
    end -= len(text) - len(text.rstrip())
    more = f" + {step}".encode()
    if _is_atom(body, text.strip()):
        return (Edit(body.path, end, end, more),)
    begin = start + len(text) - len(text.lstrip())
    return (Edit(body.path, begin, begin, b"("), Edit(body.path, end, end, b")" + more))


def _is_atom(body: Body, text: bytes) -> bool:
    """Whether what is added behind is added to all of it."""
    if not _ATOM.fullmatch(text):
        return False
    for path in body.tree.files:
        for macro in macros(body.tree.text(path)):
            if macro.name == text and not _ATOM.fullmatch(macro.body):
                return False
    return True


def _unproved(
    ranges: list[Ranges], elements: list[tuple[Node, ...]], sizes: tuple[int, ...]
) -> str:
    for element in elements:
        for index, size in zip(element, sizes, strict=True):
            if not all(known.within(index, size) for known in ranges):
                text = ranges[0].body.words(strip(index)).decode("utf-8", "replace")
                line = index.cursor.location.line
                return f"that `{text}` in line {line} is always below {size}"
    return ""


def _fits(scene: Scene, variable: Node, sizes: tuple[int, ...], step: int) -> bool:
    """Whether all shared arrays of the unit, as if they were of one kernel, are small enough."""
    size = int(variable.cursor.type.get_size())
    return scene.tree is not None and fits(scene.tree, size // sizes[-1] * step)


EDIT = CatalogueEdit(NAME, frozenset({"DRN101"}), __doc__ or "", _propose)
