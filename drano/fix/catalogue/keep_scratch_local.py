"""Keep each thread's part of a scratch array in local memory.

## What it does

`keep-scratch-local` gives a thread an array of its own in the place of its row of an array in
global memory that nobody else reads. The hardware lays local arrays out so that neighbouring
threads' elements are neighbours:

```cuda
__global__ void k(float* rows, ...) {  // before: lanes are 91 elements apart
  int row = tid * 91;
  for (int i = 0; i < 91; i++) rows[row + i] = ...;

__global__ void k(float* rows, ...) {  // after
  float rows_own[91];
  int row = tid * 91;
  for (int i = 0; i < 91; i++) rows_own[i] = ...;
```

The parameter and the allocation stay, unused, for you to remove.

## When it is offered

* Each place where the kernel names the array is an element of the thread's own row, or its address:
  `rows[tid * N + ...]` with a constant `N`, in blocks of one known size.
* The host only allocates, passes and frees the array: what is in it is never copied, set, or given
  to another kernel.
* The rows of a thread take at most 16 kB in all.
* The analysis of the edited text finds the access better and no other worse.

## What is not proved

That a thread writes each element before it reads it, in each launch, and touches no more than its
row. So the edit is always unsafe; `--verify` shows whether a run agrees. The array itself, which is
no longer written, is left out of that comparison.

## Cost

Local memory is memory, too: its traffic goes through the first-level cache.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix
from drano.fix.host.calls import arguments as divided
from drano.fix.kernel.ranges import Ranges, ranges_of
from drano.fix.kernel.sums import Sum
from drano.fix.source_tree import Body, Tree, body, same_file
from drano.frontend.libclang import Kind, Node, Unary
from drano.frontend.text.cpp_lexer import NAME as WORD
from drano.frontend.text.cpp_lexer import NOT_CODE, blanked, closing, identifiers
from drano.frontend.type_kinds import POINTER
from drano.host.function_bodies import plain_children, strip
from drano.model.finding import Finding
from drano.model.report import KernelInfo

NAME: Final = "keep-scratch-local"
MOST_BYTES: Final = 16 << 10
_POINTER: Final = re.compile(rb"\s*([\w:]+(?:\s+[\w:]+)*)\s*\*\s*(?:__restrict(?:__)?\s*)?(\w+)\s*")
_ALLOCATED: Final = re.compile(rb"\bcudaMalloc\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?&\s*\Z")
_FREED: Final = re.compile(rb"\bcudaFree\s*\(\s*\Z")
_DECLARED: Final = re.compile(rb"(?:[;{}]|\A)\s*[\w:]+(?:\s+[\w:]+)*\s*\*\s*\Z")
_LAUNCH: Final = re.compile(rb">\s*>\s*>\s*\(")


class _Use(Struct, frozen=True):
    """A place to edit, and what is to stand there behind the new array's name."""

    start: int
    end: int
    index: bytes
    address: bool


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    access, unit = finding.access, scene.tree
    kernels = [k for k in scene.report.kernels if k.name == finding.kernel]
    if access is None or unit is None or not unit.whole or len(kernels) != 1:
        return
    kernel = kernels[0]
    size = _one_size(kernel)
    if kernel.location is None or not size or len(scene.instances(finding)) != 1:
        return
    place = kernel.location.span
    function = unit.function_at(place.path, place.line)
    found = None if function is None else body(unit, place.path, function)
    if found is None or found.has_directives():
        return
    fix = _kept(found, access.judgement.array, ranges_of(found, kernel), size, unit)
    if fix is not None:
        yield fix


def _one_size(kernel: KernelInfo) -> int:
    """The threads of all its blocks, 0 where these differ or are not known, or have rows."""
    shapes = {launch.block for launch in kernel.launches if launch.exact}
    known = kernel.launches_known and all(launch.exact for launch in kernel.launches)
    sizes = {shape[0] for shape in shapes if shape[1:] == (1, 1)}
    return sizes.pop() if known and len(shapes) == len(sizes) == 1 else 0


def _kept(body_: Body, name: str, ranges: Ranges, size: int, unit: Tree) -> Fix | None:
    parameter = body_.variable(name) if name else None
    if parameter is None or parameter.kind != Kind.PARM:
        return None
    canonical = parameter.cursor.type.get_canonical()
    declared = _POINTER.fullmatch(body_.words(parameter))
    if int(canonical._kind_id) != POINTER or declared is None or declared[2] != name.encode():
        return None
    if b"const" in declared[1].split() or b"volatile" in declared[1].split():
        return None
    references = body_.mentions(parameter)
    rows = {_row(body_, ranges, use, size) for use in references or ()}
    if len(rows) != 1 or (row := rows.pop()) is None or references is None:
        return None
    if row * int(canonical.get_pointee().get_size()) + _others(body_) > MOST_BYTES:
        return None
    uses = [_use(body_, ranges, use, row, size) for use in references]
    host = _scratch(unit, parameter, body_)
    own = name.encode() + b"_own"
    taken = any(own in identifiers(unit.text(path)) for path in unit.files)
    if host is None or taken or any(use is None for use in uses):
        return None
    edits = [_declaration(body_, declared[1], own, row)]
    for use in uses:
        if use is not None:
            text = own if use.address and not use.index else own + b"[" + (use.index or b"0") + b"]"
            prefix = b"&" if use.address and use.index else b""
            edits.append(Edit(body_.path, use.start, use.end, prefix + text))
    title = f"keep each thread's {row} elements of {name} in local memory"
    unproved = (
        f"that a thread writes its elements of {name} before it reads them, and no more than {row}"
    )
    return Fix(NAME, title, tuple(edits), unproved, unused=(host,))


def _others(body_: Body) -> int:
    """Bytes of the arrays that the kernel has already."""
    sizes = (int(n.cursor.type.get_size()) for n in body_.nodes() if n.kind == Kind.VAR)
    return sum(size for size in sizes if size > 64)


def _own_row(value: Sum, size: int) -> int:
    """How many elements the rows of threads have that begin at a value; 0: it is no such value."""
    parts = dict(value.parts)
    row = parts.get("threadIdx.x", 0)
    others = {"threadIdx.x": row, "blockIdx.x": row * size}
    return row if row > 0 and parts == others and not value.number else 0


def _subscript(body_: Body, use: Node) -> Node | None:
    """The element that a use of the array names."""
    below = use
    for above in body_.above(use):
        if above.kind == Kind.SUBSCRIPT:
            return above if plain_children(above)[0] is below else None
        if above.kind not in {Kind.UNEXPOSED_EXPR, Kind.PAREN}:
            return None
        below = above
    return None


def _parts(ranges: Ranges, index: Node, size: int) -> tuple[int, Node | None] | None:
    """How long a row is, and the index within it, None for its first element."""
    index = strip(index)
    row = _own_row(ranges.sum(index), size)
    if row:
        return row, None
    sides = plain_children(index)
    if index.kind != Kind.BINARY or index.binary != "+" or len(sides) != 2:
        return None
    row = _own_row(ranges.sum(sides[0]), size)
    return (row, sides[1]) if row else None


def _row(body_: Body, ranges: Ranges, use: Node, size: int) -> int | None:
    element = _subscript(body_, use)
    parts = None if element is None else _parts(ranges, plain_children(element)[1], size)
    return parts[0] if parts else None


def _use(body_: Body, ranges: Ranges, use: Node, row: int, size: int) -> _Use | None:
    element = _subscript(body_, use)
    parts = None if element is None else _parts(ranges, plain_children(element)[1], size)
    if element is None or parts is None:
        return None
    index = b"" if parts[1] is None else body_.words(parts[1])
    if parts[1] is not None and not index:
        return None
    above = body_.parents.get(id(element))
    while above is not None and above.kind == Kind.PAREN:
        above = body_.parents.get(id(above))
    address = above is not None and above.kind == Kind.UNARY and above.unary == Unary.ADDRESS
    place = body_.range(above if address and above is not None else element)
    return None if place is None else _Use(*place, index, address)


def _declaration(body_: Body, type_: bytes, own: bytes, row: int) -> Edit:
    """Behind the brace that begins the kernel's body."""
    compound = next(node for node in body_.root.children if node.kind == Kind.COMPOUND)
    place = int(compound.cursor.extent.start.offset) + 1
    follows = re.compile(rb"\s*?(\r?\n)([ \t]*)(?=\S)").search(body_.source, place)
    end, indent = (follows[1], follows[2]) if follows else (b"\n", b"  ")
    text = b"%b%b%b %b[%d];" % (end, indent, type_, own, row)
    return Edit(body_.path, place, place, text)


# --- the host's side -------------------------------------------------------------------------


def _scratch(unit: Tree, parameter: Node, body_: Body) -> str | None:
    """The host's variable that is passed for a parameter, if the host does nothing else with it."""
    position = [key.spelling for key in body_.root.children if key.kind == Kind.PARM].index(
        parameter.spelling
    )
    kernel = body_.root.spelling.encode()
    codes = {path: blanked(unit.text(path), NOT_CODE) for path in unit.files}
    passed: set[bytes] = set()
    launches: dict[str, list[tuple[int, int]]] = {path: [] for path in codes}
    for path, code in codes.items():
        for match in _LAUNCH.finditer(code):
            start, end = match.end(), closing(code, match.end() - 1)
            arguments = divided(code[start : end - 1]) if end else []
            name = re.search(rb"(\w+)\s*(?:<[^<>]*>\s*)?<\s*<\s*<[^;{}]*\Z", code[: match.start()])
            if end is None or name is None:
                return None
            if name[1] == kernel and len(arguments) > position:
                passed.add(arguments[position].strip())
                launches[path].append((start, end))
    if len(passed) != 1 or not WORD.fullmatch(variable := passed.pop()):
        return None
    for path, code in codes.items():
        for match in re.finditer(rb"\b" + re.escape(variable) + rb"\b", code):
            own = same_file(path, body_.path) and body_.start <= match.start() < body_.end
            if not own and not _harmless(code, match, launches[path], variable, position):
                return None
    return variable.decode()


def _harmless(
    code: bytes,
    match: re.Match[bytes],
    launches: list[tuple[int, int]],
    variable: bytes,
    position: int,
) -> bool:
    before = code[max(match.start() - 200, 0) : match.start()]
    if any(found.search(before) for found in (_ALLOCATED, _FREED)):
        return True
    if _DECLARED.search(before):
        return code[match.end() :].lstrip()[:1] == b";"
    for start, end in launches:
        if start <= match.start() < end:
            arguments = [argument.strip() for argument in divided(code[start : end - 1])]
            return arguments[position] == variable and arguments.count(variable) == 1
    return False


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
