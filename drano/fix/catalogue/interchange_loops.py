"""Interchange the loop over a thread's row with the threads.

## What it does

`interchange-loops` is for a kernel in which each thread walks along a row of its own, element by
element. It has all threads of the block walk along one row together, then along the next:

```cuda
int row = blockIdx.x * blockDim.x + threadIdx.x;    // before: lanes are C elements apart
if (row < n)
  for (int c = 0; c < C; c++) out[row * C + c] = in[row * C + c] * scale[row];

for (unsigned turn = 0; turn < blockDim.x; turn++) {  // after: lanes are neighbours
  int row = blockIdx.x * blockDim.x + turn;
  if (row < n)
    for (int c = threadIdx.x; c < C; c += blockDim.x) out[row * C + c] = ...;
}
```

A `return` before the loop becomes a `continue`.

## When it is offered

* The loop counts from 0 by one, and is the kernel's only one but for those in it; all that the
  kernel writes, it writes there.
* The kernel does not ask for lanes or warps, has no barriers and no shared memory, and calls
  nothing but arithmetic.
* The analysis of the edited text finds the access better and no other worse.

## What is proved

Turns of the loop do not depend on each other: they change no variable from outside of it, and
write to arrays only at an index that no other turn has; what they write is read nowhere else. So
any thread may do any turn. That no two arrays overlap is proved where all pointers are
`__restrict__`, or all launches are seen to be given different allocations; else the edit is unsafe.

## Cost

Each thread of the block computes what stands before the loop, for each row. Where rows are shorter
than a block is wide, threads are idle: rows of a constant length below 32 are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix
from drano.fix.host.separate_arrays import separate
from drano.fix.kernel.ranges import Ranges, ranges_of
from drano.fix.kernel.sums import Sum
from drano.fix.kernel.variable_writes import loop_parts
from drano.fix.source_tree import Body, taken
from drano.frontend.libclang import Kind, Node, Unary, constant, is_kernel, key
from drano.frontend.type_kinds import INTEGER_TYPES, POINTER
from drano.host.function_bodies import assigned, plain_children, preorder, strip
from drano.model.finding import Finding

NAME: Final = "interchange-loops"
_LEAST: Final = 32
_INDEX: Final = re.compile(rb"\bthreadIdx\b(?:\s*\.\s*(\w+))?")
_WARPS: Final = re.compile(rb"\bwarpSize\b|\b(?:cooperative_groups|cg)\s*::")
_CASTS: Final = frozenset(
    {Kind.C_CAST, Kind.STATIC_CAST, Kind.REINTERPRET_CAST, Kind.CONST_CAST, Kind.FUNCTIONAL_CAST}
)
_LOOPS: Final = frozenset({Kind.FOR, Kind.WHILE, Kind.DO, Kind.FOR_RANGE})
_REFUSED: Final = frozenset(
    {
        Kind.GOTO, Kind.INDIRECT_GOTO, Kind.LABEL, Kind.ASM, Kind.LAMBDA, Kind.TRY, Kind.SWITCH,
        Kind.BREAK, Kind.WHILE, Kind.DO, Kind.FOR_RANGE, Kind.THIS, Kind.MEMBER_REF_EXPR,
    }
)  # fmt: skip
_PURE: Final = frozenset(
    {
        "sqrtf", "sqrt", "fabsf", "fabs", "expf", "exp", "exp2f", "logf", "log", "sinf", "sin",
        "cosf", "cos", "fminf", "fmaxf", "fmin", "fmax", "min", "max", "abs", "powf", "pow",
        "rsqrtf", "floorf", "ceilf", "tanhf", "tanh", "coshf", "fmaf", "fma", "erff", "__expf",
        "__logf", "__fmul_rn", "__fadd_rn", "__ldg",
    }
)  # fmt: skip


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body = scene.body(finding)
    if body is None or scene.tree is None or not is_kernel(body.root.cursor):
        return
    if body.has_directives() or not _is_plain(body):
        return
    found = _index_places(body)
    instances = scene.instances(finding)
    if not found or not instances:
        return
    ranges = ranges_of(body, instances[0])
    loop = _loop(body, finding.location.span.line)
    if loop is None or not _counts(ranges, loop) or not _only_writes_in(body, loop):
        return
    overlapping = _overlapping(body, ranges, loop)
    if overlapping is None:
        return
    edits = _edits(body, loop, found)
    if edits is None:
        return
    apart = len(overlapping) < 2 or separate(scene.tree, body, overlapping) or all(
        body.is_restricted(name) for name in overlapping
    )  # fmt: skip
    unproved = "" if apart else f"that {' and '.join(sorted(overlapping))} do not overlap"
    yield Fix(NAME, "let the block go along its threads' rows together", edits, unproved)


def _index_places(body: Body) -> list[tuple[int, int]]:
    """Where the kernel asks for ``threadIdx.x``; [] where it learns of its threads otherwise."""
    own = {str(function.name) for function in body.tree.declared.functions}
    calls = {node.spelling for node in body.nodes() if node.kind == Kind.CALL}
    code = body.code[: body.end]
    found = list(_INDEX.finditer(code, body.start))
    if calls & own & _PURE or any(match[1] != b"x" for match in found):
        return []
    return [] if _WARPS.search(code, body.start) else [match.span() for match in found]


def _is_built_in(body: Body, node: Node) -> bool:
    return any(
        body.words(n).startswith((b"threadIdx", b"blockIdx", b"blockDim", b"gridDim"))
        for n in (node, *body.above(node))
        if n.kind in {Kind.MEMBER_REF_EXPR, Kind.CALL, Kind.UNEXPOSED_EXPR}
    )


def _is_plain(body: Body) -> bool:
    """Whether the kernel does nothing that depends on who does it."""
    for node in body.nodes():
        if node.kind == Kind.VAR:
            shared = any(child._kind_id >= 400 for child in node.cursor.get_children())
            if shared or str(node.cursor.storage_class) != "StorageClass.NONE":
                return False
            if node.cursor.type.is_volatile_qualified():
                return False
        if _is_built_in(body, node):
            continue
        if node.kind in _REFUSED:
            return False
        if node.kind == Kind.CALL and node.spelling not in _PURE:
            return False
        if node.kind == Kind.UNARY and node.unary == Unary.DEREF:
            return False
        if node.kind in _CASTS and node.type_kind == POINTER:
            return False
    return True


def _loop(body: Body, line: int) -> Node | None:
    """The one loop of the kernel that is in no other, if it is on the line, and no code under it
    ends it early.
    """
    loops = [node for node in body.nodes() if node.kind in _LOOPS]
    outer = [n for n in loops if not any(above.kind in _LOOPS for above in body.above(n))]
    if len(outer) != 1:
        return None
    extent = outer[0].cursor.extent
    if not extent.start.line <= line <= extent.end.line:
        return None
    if any(node.kind == Kind.RETURN for node in preorder(outer[0])):
        return None
    return outer[0]


def _counts(ranges: Ranges, loop: Node) -> bool:
    """Whether it counts from 0 by one to below a limit, with a counter of its own."""
    parts = loop_parts(loop)
    if parts is None or parts[0].kind != Kind.DECL_STMT:
        return False
    declared, condition = plain_children(parts[0]), strip(parts[1])
    sides = plain_children(condition)
    if len(declared) != 1 or declared[0].kind != Kind.VAR or len(sides) != 2:
        return False
    counter, first = declared[0], plain_children(declared[0])
    named = strip(sides[0])
    if len(first) != 1 or constant(first[0].cursor) != 0 or named.kind != Kind.DECL_REF:
        return False
    if named.key != key(counter.cursor) or ranges.words(condition, sides) != "<":
        return False
    kind = INTEGER_TYPES.get(counter.type_kind)
    if kind is None or kind[0] < 32 or ranges.step(parts[2]) != (1, 1):
        return False
    few = constant(sides[1].cursor)
    if few is not None and few < _LEAST and not ranges.sum(sides[1]).parts:
        return False
    return ranges.variables.written(key(counter.cursor)) == 1


def _only_writes_in(body: Body, loop: Node) -> bool:
    """Whether all writes are in the loop, and there to elements and to the loop's own variables."""
    inside = {id(node) for node in preorder(loop)}
    own = {key(n.cursor) for n in preorder(loop) if n.kind == Kind.VAR}
    for node in body.nodes():
        place = assigned(node)
        if place is None:
            continue
        target = strip(place)
        if target.kind == Kind.DECL_REF:
            if target.key not in own:
                return False
        elif target.kind != Kind.SUBSCRIPT or id(node) not in inside:
            return False
    return True


def _overlapping(body: Body, ranges: Ranges, loop: Node) -> frozenset[str] | None:
    """The parameters that must point to different arrays, none of them if nothing else is read;
    None where turns of the loop may depend on each other though they do.
    """
    parts = loop_parts(loop)
    assert parts is not None
    counter = plain_children(parts[0])[0]
    atom = ranges.counter_atom(counter, loop)
    if atom is None:
        return None
    used: dict[str, list[tuple[Sum, bool, bool]]] = {}
    inside = {id(node) for node in preorder(parts[3])}
    varying = {f"#{number}" for number in inside}
    for node in body.nodes():
        if node.kind == Kind.UNARY and node.unary == Unary.ADDRESS:
            continue  # its element is met below
        if node.kind != Kind.SUBSCRIPT:
            continue
        start = _start(body, ranges, plain_children(node)[0])
        if start is None:
            return None
        index = start[1].plus(ranges.sum(plain_children(node)[1]))
        above = body.parents.get(id(node))
        write = (
            above is not None
            and assigned(above) is not None
            and (strip(assigned(above) or above) is node)
        )
        address = above is not None and above.kind == Kind.UNARY and (above.unary == Unary.ADDRESS)
        if not address:
            used.setdefault(start[0], []).append((index, write, id(node) in inside))
    written = {name for name, uses in used.items() if any(write for _, write, _ in uses)}
    for name in written:
        sums = {index for index, _, _ in used[name]}
        if len(sums) != 1 or not all(within for _, _, within in used[name]):
            return None
        if not _is_of_its_turn(sums.pop(), atom, varying):
            return None
    return frozenset(used) if written else None


def _is_of_its_turn(index: Sum, atom: str, varying: set[str]) -> bool:
    """Whether it is another one in each turn: a multiple of the counter, and what stays; what is
    not known of the loop's own expressions, ``varying``, does not.
    """
    for part, factor in index.parts:
        names = part.split("*")
        if part == atom:
            if not factor % 2:  # an odd multiple is another one even where unsigned numbers wrap
                return False
        elif any(name == atom or name in varying or name.startswith("l") for name in names):
            return False
    return atom in dict(index.parts)


def _start(body: Body, ranges: Ranges, node: Node) -> tuple[str, Sum] | None:
    """The parameter that a pointer comes from, and how far behind it it points."""
    total = Sum()
    for _ in range(8):
        node = strip(node)
        inner = plain_children(node)
        if node.kind == Kind.BINARY and len(inner) == 2 and body.words(node):
            if ranges.words(node, inner) != "+":
                return None
            total, node = total.plus(ranges.sum(inner[1])), inner[0]
            continue
        if node.kind == Kind.UNARY and node.unary == Unary.ADDRESS:
            element = strip(inner[0])
            if element.kind != Kind.SUBSCRIPT:
                return None
            pointer, index = plain_children(element)
            total, node = total.plus(ranges.sum(index)), pointer
            continue
        if node.kind != Kind.DECL_REF or ranges.variables.written(node.key) != 0:
            return None
        places = [
            n for n in body.nodes()
            if n.kind in {Kind.VAR, Kind.PARM} and key(n.cursor) == node.key
        ]  # fmt: skip
        if len(places) != 1:
            return None
        if places[0].kind == Kind.PARM:
            return places[0].spelling, total
        first = plain_children(places[0])
        if not first:
            return None
        node = first[-1]
    return None


# --- the edit --------------------------------------------------------------------------------


def _edits(body: Body, loop: Node, indices: list[tuple[int, int]]) -> tuple[Edit, ...] | None:
    block = next((node for node in body.root.children if node.kind == Kind.COMPOUND), None)
    statements = [] if block is None else plain_children(block)
    places = [body.range(statement) for statement in statements]
    first = next(
        (p for p in places if p and any(p[0] <= start < p[1] for start, _ in indices)), None
    )
    outer = body.range(block) if block is not None else None
    header = _header(body, loop)
    if first is None or outer is None or header is None:
        return None
    if taken(body.source, (body.start, body.end), map(body.tree.text, body.tree.files)) & {b"turn"}:
        return None
    source = body.source
    begin = source.rfind(b"\n", 0, first[0]) + 1
    end = source.rfind(b"\n", 0, outer[1] - 1) + 1
    if source[begin : first[0]].strip() or source[end : outer[1] - 1].strip() or begin >= end:
        return None
    indent = source[begin : first[0]]
    step = b"\t" if b"\t" in indent else b"  "
    edits = [*header]
    at = begin
    while at < end:
        line = source[at : source.find(b"\n", at)]
        if line.strip() and at != begin:
            edits.append(Edit(body.path, at, at, step))
        at = source.find(b"\n", at) + 1
    opened = indent + b"for (unsigned turn = 0; turn < blockDim.x; turn++) {\n" + step
    edits.append(Edit(body.path, begin, begin, opened))
    edits.append(Edit(body.path, end, end, indent + b"}\n"))
    for start, stop in indices:
        if not begin <= start < end:
            return None
        edits.append(Edit(body.path, start, stop, b"turn"))
    for node in body.nodes():
        if node.kind != Kind.RETURN:
            continue
        place = body.range(node)
        if place is not None and place[0] < begin:
            continue  # what no thread's number has led to, all threads do
        if place is None or source[slice(*place)] != b"return":
            return None
        edits.append(Edit(body.path, *place, b"continue"))
    return tuple(sorted(edits))


def _header(body: Body, loop: Node) -> list[Edit] | None:
    """The loop's own threads, in the place of all its turns."""
    parts = loop_parts(loop)
    assert parts is not None
    counter = plain_children(parts[0])[0]
    first, step = body.range(plain_children(counter)[0]), body.range(parts[2])
    if first is None or step is None or body.source[slice(*first)] != b"0":
        return None
    name = counter.spelling.encode()
    return [
        Edit(body.path, *first, b"threadIdx.x"),
        Edit(body.path, *step, name + b" += blockDim.x"),
    ]


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
