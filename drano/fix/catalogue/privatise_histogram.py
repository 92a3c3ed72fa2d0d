"""Count in shared memory first, and add a block's counts to the array once.

## What it does

`privatise-histogram` gives each block counts of its own in shared memory. What all threads added to
one array in global memory, at places that data decide, they add to their block's; at the end the
block adds its counts to the array, neighbour by neighbour:

```cuda
atomicAdd(&bins[data[i]], 1u);             // before: up to 32 sectors for each warp

__shared__ unsigned int bins_block[256];   // after, at the kernel's beginning
for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) bins_block[k] = 0;
__syncthreads();

atomicAdd(&bins_block[data[i]], 1u);

__syncthreads();                           // and at its end
for (unsigned k = threadIdx.x; k < 256; k += blockDim.x)
  if (bins_block[k] != 0) atomicAdd(&bins[k], bins_block[k]);
```

A guard `if (...) return;` becomes an `if` around what it guards.

## When it is offered

* The kernel does nothing with the array but `atomicAdd` to its elements, which are whole numbers,
  and takes no notice of what these were.
* The index is proved to be below a number, by its type (`unsigned char`), a mask, a remainder or a
  condition, and so many counts fit into shared memory.
* It adds in a loop, or a block has at least as many threads as there are counts.
* The analysis of the edited text finds no other access worse.

## What is proved

Sums of whole numbers do not depend on the order of their terms. All threads come to both barriers:
what remains of `return` is none. Elements to which a block adds nothing are not touched. That
nothing else of the kernel reads the counts by another name is proved where all pointers are
`__restrict__`, or all launches are seen to be given different allocations; else the edit is unsafe.

## Cost

Setting and adding the counts of each block: it pays where a block adds more than there are counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix
from drano.fix.host.separate_arrays import separate
from drano.fix.kernel.ranges import Ranges, ranges_of
from drano.fix.kernel.shared_memory import fits, unknown_use
from drano.fix.kernel.sums import Sum
from drano.fix.source_tree import Body, taken
from drano.frontend.libclang import Kind, Node, Unary, is_kernel, key
from drano.frontend.type_kinds import POINTER
from drano.host.function_bodies import plain_children, strip
from drano.model.finding import Finding
from drano.model.report import KernelInfo

NAME: Final = "privatise-histogram"
_MOST_BYTES: Final = 16 << 10
_WHOLE: Final = {17: 4, 9: 4, 11: 8, 10: 8}
"""CXTypeKind of what ``atomicAdd`` adds whole, and its bytes."""
_LEAVES: Final = frozenset(
    {
        Kind.GOTO, Kind.INDIRECT_GOTO, Kind.LABEL, Kind.ASM, Kind.LAMBDA, Kind.TRY,
    }
)  # fmt: skip
_COUNTERS: Final = (b"k", b"bin", b"one_bin")
_LOOPS: Final = frozenset({Kind.FOR, Kind.WHILE, Kind.DO})
_STATEMENTS: Final = frozenset({Kind.COMPOUND, Kind.IF, Kind.FOR, Kind.WHILE, Kind.DO})


class _Histogram(Struct, frozen=True):
    """``places``: of the array's name in the kernel; ``bins``: how many there may be."""

    parameter: Node
    places: tuple[tuple[int, int], ...]
    bins: int
    type: bytes


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body, access = scene.body(finding), finding.access
    if body is None or scene.tree is None or access is None or not is_kernel(body.root.cursor):
        return
    kernels = scene.instances(finding)
    if body.has_directives() or len(kernels) != 1 or not access.judgement.array:
        return
    if any(node.kind in _LEAVES for node in body.nodes()):
        return
    found = _histogram(body, ranges_of(body, kernels[0]), access.judgement.array)
    if found is None or not fits(scene.tree, found.bins * _bytes(found)):
        return
    if not _is_worth_it(body, found, kernels[0]):
        return
    rows = any(launch.block[1:] != (1, 1) for launch in kernels[0].launches)
    edits = _edits(body, found, rows=rows or not kernels[0].launches_known)
    if edits is None:
        return
    name = found.parameter.spelling
    unproved = _unproved(body, scene, name) or unknown_use(scene.tree, scene.files)
    title = f"count {name} in shared memory first"
    yield Fix(NAME, title, edits, unproved, private=name)


def _is_worth_it(body: Body, found: _Histogram, kernel: KernelInfo) -> bool:
    """Whether a block adds at least as often as it has counts: in a loop, or by its threads."""
    looped = any(
        above.kind in _LOOPS
        for place in found.places
        for node in body.nodes() if body.range(node) == place and node.kind == Kind.DECL_REF
        for above in body.above(node)
    )  # fmt: skip
    sizes = [math.prod(launch.block) for launch in kernel.launches if launch.exact]
    return looped or min(sizes, default=0) >= found.bins


def _bytes(found: _Histogram) -> int:
    return int(found.parameter.cursor.type.get_canonical().get_pointee().get_size())


def _unproved(body: Body, scene: Scene, name: str) -> str:
    pointers = [
        node for node in body.root.children
        if node.kind == Kind.PARM and node.type_kind == POINTER
    ]  # fmt: skip
    names = [node.spelling for node in pointers]
    restricted = all("__restrict" in str(node.cursor.type.spelling) for node in pointers)
    assert scene.tree is not None
    if len(names) < 2 or restricted or separate(scene.tree, body, names):
        return ""
    others = " and ".join(sorted(set(names) - {name}))
    return f"that {name} does not overlap {others}"


def _histogram(body: Body, ranges: Ranges, name: str) -> _Histogram | None:
    parameter = body.variable(name)
    if parameter is None or parameter.kind != Kind.PARM or parameter.type_kind != POINTER:
        return None
    pointee = parameter.cursor.type.get_canonical().get_pointee()
    if int(pointee._kind_id) not in _WHOLE or pointee.is_volatile_qualified():
        return None
    uses = body.mentions(parameter)
    if not uses or ranges.variables.written(key(parameter.cursor)) != 0:
        return None
    most = 0.0
    for use in uses:
        index = _counted(body, use)
        if index is None:
            return None
        value, facts = ranges.sum(index), list(ranges.facts(index))
        if ranges.atoms.least(value, facts) < 0:
            return None
        most = max(most, -ranges.atoms.least(Sum().plus(value, -1), facts))
    size = int(pointee.get_size())
    if not math.isfinite(most) or (most + 1) * size > _MOST_BYTES:
        return None
    places = [body.range(use) for use in uses]
    spelled = str(pointee.spelling).encode()
    return _Histogram(parameter, tuple(p for p in places if p), int(most) + 1, spelled)


def _counted(body: Body, use: Node) -> Node | None:
    """The index of the element to which the use adds, if it does nothing else."""
    chain = [use, *body.above(use)]
    kinds = iter(chain[1:])
    node = use
    index = None
    for above in kinds:
        inner = plain_children(above)
        if above.kind in {Kind.UNEXPOSED_EXPR, Kind.PAREN}:
            node = above
            continue
        if above.kind == Kind.SUBSCRIPT and index is None and inner[0] is node:
            index, node = inner[1], above
            continue
        if above.kind == Kind.UNARY and above.unary == Unary.ADDRESS and index:
            node = above
            continue
        if above.kind != Kind.CALL or above.spelling != "atomicAdd" or index is None:
            return None
        if len(inner) < 3 or not any(child is node for child in inner[1:2]):
            return None
        outer = body.parents.get(id(above))
        while outer is not None and outer.kind in {Kind.UNEXPOSED_EXPR, Kind.PAREN}:
            outer = body.parents.get(id(outer))
        alone = outer is not None and outer.kind in _STATEMENTS
        tested = (
            outer is not None
            and outer.kind != Kind.COMPOUND
            and (strip(plain_children(outer)[0]) is above)
        )
        return index if alone and not tested else None
    return None


# --- the edit --------------------------------------------------------------------------------


def _edits(body: Body, found: _Histogram, *, rows: bool) -> tuple[Edit, ...] | None:
    block = next((node for node in body.root.children if node.kind == Kind.COMPOUND), None)
    outer = body.range(block) if block is not None else None
    if outer is None or block is None:
        return None
    source, name = body.source, found.parameter.spelling.encode()
    own = name + b"_block"
    used = taken(source, (body.start, body.end), map(body.tree.text, body.tree.files))
    k = next((word for word in _COUNTERS if word not in used), None)
    if k is None or used & {own, b"thread", b"threads"}:
        return None
    first = re.compile(rb"[^\n]*\n([ \t]*)\S").match(source, outer[0])
    end = source.rfind(b"\n", 0, outer[1] - 1) + 1
    if first is None or source[end : outer[1] - 1].strip() or end <= first.start(1):
        return None
    indent, start = first[1], first.start(1)
    step = b"\t" if b"\t" in indent else b"  "
    thread, threads = (b"thread", b"threads") if rows else (b"threadIdx.x", b"blockDim.x")
    loop = b"for (unsigned %b = %b; %b < %d; %b += %b)" % (k, thread, k, found.bins, k, threads)
    ahead = [b"__shared__ %b %b[%d];" % (found.type, own, found.bins)]
    if rows:
        ahead += [
            b"const unsigned threads = blockDim.x * blockDim.y * blockDim.z;",
            b"const unsigned thread =",
            step * 2 + b"(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;",
        ]
    ahead += [loop + b" %b[%b] = 0;" % (own, k), b"__syncthreads();"]
    behind = [
        b"__syncthreads();", loop,
        step + b"if (%b[%b] != 0) atomicAdd(&%b[%b], %b[%b]);" % (own, k, name, k, own, k),
    ]  # fmt: skip
    edits = [Edit(body.path, *place, own) for place in found.places]
    edits.append(Edit(body.path, start, start, b"".join(indent + x + b"\n" for x in ahead)))
    guards = _guards(body, block)
    if guards is None:
        return None
    closed = b""
    if guards:
        (start, stop, test), *more = guards
        if more:
            return None
        edits.append(Edit(body.path, start, stop, b"if (!(%b)) {" % test))
        at = source.find(b"\n", stop) + 1
        while 0 < at < end:
            line = source[at : source.find(b"\n", at)]
            edits += [Edit(body.path, at, at, step)] if line.strip() else []
            at = source.find(b"\n", at) + 1
        closed = indent + b"}\n"
    edits.append(Edit(body.path, end, end, closed + b"".join(indent + x + b"\n" for x in behind)))
    return tuple(sorted(edits))


def _guards(body: Body, block: Node) -> list[tuple[int, int, bytes]] | None:
    """Where the kernel has ``if (test) return;``, with the test; None: it returns elsewhere."""
    found: list[tuple[int, int, bytes]] = []
    for statement in plain_children(block):
        returns = [n for n in _below(statement) if n.kind == Kind.RETURN]
        if not returns:
            continue
        inner, place = plain_children(statement), body.range(statement)
        if statement.kind != Kind.IF or len(inner) != 2 or place is None or len(returns) != 1:
            return None
        then = inner[1]
        if then.kind == Kind.COMPOUND and len(plain_children(then)) == 1:
            then = plain_children(then)[0]
        if then.kind != Kind.RETURN:
            return None
        end = place[1] + (body.code[place[1] : place[1] + 1] == b";")
        line = body.code.find(b"\n", end)
        if body.code[end:line].strip() or not body.words(inner[0]):
            return None
        found.append((place[0], end, body.words(inner[0])))
    return found


def _below(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _below(child)


EDIT = CatalogueEdit(NAME, frozenset({"DRN003"}), __doc__ or "", _propose)
