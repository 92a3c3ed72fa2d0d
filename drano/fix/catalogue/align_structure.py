"""Align a structure, so that several of its members are read at once.

## What it does

`align-structure` asks for a structure to start at multiples of 8 or 16 bytes, where its size is
such a multiple already. The compiler then reads neighbouring members with one wide access instead
of one narrow access each, which all had touched the same sectors:

```cuda
struct Place { float lat, lng; };               // before: two loads of 4 bytes, 8 bytes apart
struct __align__(8) Place { float lat, lng; };  // after: one load of 8 bytes, lanes side by side
```

## When it is offered

* The size of the structure is a multiple of the new alignment, so that neither its members nor the
  elements of its arrays move.
* No other structure has it as a member or base, and it is not packed.
* The analysis of the edited text finds fewer sectors, and no other access worse.

## What is proved

That the layout stays. That all addresses of such structures are aligned is proved only where the
structure is declared in the `.cu` file itself and no pointer to it is made by a cast, in a union,
by `new (place)` or behind a `void**`, but by an allocator; `cudaMalloc` and `malloc` align for all
of these. Elsewhere the edit is unsafe: on a GPU a wide access to an address that is not aligned
ends the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix
from drano.fix.records import is_part_of_another
from drano.fix.source_tree import Tree, expressions_on, same_file
from drano.frontend.libclang import Kind, Node, key, tree
from drano.frontend.type_kinds import POINTER, RECORD
from drano.host.function_bodies import descend, plain_children, strip
from drano.model.finding import Finding
from drano.model.system_headers import is_system_header

NAME: Final = "align-structure"
_WIDTHS: Final = (16, 8)
_HEAD: Final = re.compile(rb"\b(?:struct|class)\b")
_ATTRIBUTE: Final = re.compile(rb"__align__|alignas|__attribute__|#\s*pragma\s+pack|__declspec")
_ALLOCATORS: Final = frozenset({"malloc", "calloc", "realloc", "aligned_alloc"})
_FILLING: Final = ("cudaMalloc", "cudaHostAlloc", "cudaFree")
_CASTS: Final = frozenset(
    {Kind.C_CAST, Kind.STATIC_CAST, Kind.REINTERPRET_CAST, Kind.FUNCTIONAL_CAST}
)
_UNTYPED: Final = re.compile(rb"\bunion\b|\bnew\s*\(")
_LAUNCHED: Final = re.compile(rb"\b(?:cudaLaunch|cuLaunch)\w*")
_DEPENDENT: Final = frozenset({0, 1, 26})  # what libclang has no kind for
_CUDA: Final = (".cu", ".cuh")


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body = scene.body(finding)
    if body is None or scene.tree is None:
        return
    seen: set[int] = set()
    for node in expressions_on(body, finding.location.span.line):
        declared = _record(node)
        if declared is None or key(declared) in seen:
            continue
        seen.add(key(declared))
        yield from _aligned(declared, scene, scene.tree)


def _record(node: Node) -> Any | None:
    """The declaration of the user's structure that an expression is, or is a member of."""
    if node.kind == Kind.MEMBER_REF_EXPR:
        member = node.declared()
        owner = None if member is None else member.semantic_parent
        return owner if owner is not None and owner._kind_id in {Kind.STRUCT, Kind.CLASS} else None
    canonical = node.cursor.type.get_canonical()
    if int(canonical._kind_id) != RECORD:
        return None
    declared = canonical.get_declaration()
    return declared if declared._kind_id in {Kind.STRUCT, Kind.CLASS} else None


def _aligned(declared: Any, scene: Scene, unit: Tree) -> Iterator[Fix]:
    file = declared.location.file
    size, now = int(declared.type.get_size()), int(declared.type.get_align())
    width = next((w for w in _WIDTHS if size % w == 0 and now < w), 0)
    if file is None or size <= 0 or not width or is_system_header(file.name):
        return
    path = next((own for own in unit.files if same_file(own, file.name)), None)
    if path is None:
        return
    text = unit.text(path)
    start, end = int(declared.extent.start.offset), int(declared.extent.end.offset)
    head = _HEAD.match(text, start)
    if head is None or _ATTRIBUTE.search(text, start, end) or b"#pragma pack" in text:
        return
    if not unit.whole or is_part_of_another(declared, unit):
        return
    name = str(declared.spelling) or "the structure"
    plain = path.endswith(_CUDA)
    word = f" __align__({width})" if plain else f" __attribute__((aligned({width})))"
    yield Fix(
        NAME,
        f"align {name} to {width} bytes",
        (Edit(path, head.end(), head.end(), word.encode()),),
        _unproved(declared, unit),
    )


def _unproved(declared: Any, unit: Tree) -> str:
    wanted, name = key(declared), str(declared.spelling)
    for path in unit.files:
        if _LAUNCHED.search(unit.text(path)):
            return f"that every address of {name} that a kernel is given is aligned"
        if _UNTYPED.search(unit.text(path)):
            return f"that no union or placement new makes an address of {name}"
    for function in unit.declared.functions:
        if (
            not function.pattern
            and name.encode() not in function.names
            and len(name) > 0
            and not _aliased(unit, name)
        ):
            continue
        root = tree(function.cursor)
        if root is None:
            return f"that {function.name} gives {name} aligned memory"
        for node, above in descend(root):
            cast = node.kind in _CASTS and (_casts_to(node, wanted) or _casts_to_any(node))
            if cast or _is_filled(node, above, wanted):
                line = node.cursor.extent.start.line
                return f"that the address given to {name} * in line {line} is aligned"
    return ""


def _aliased(unit: Tree, name: str) -> bool:
    """Whether the structure may have other names."""
    return any(re.search(rb"\btypedef\b|\busing\b", unit.text(path)) for path in unit.files)


def _pointed(type_: Any) -> tuple[int, int]:
    """How many pointers a type is, and what is at their end."""
    canonical, levels = type_.get_canonical(), 0
    while int(canonical._kind_id) == POINTER:
        canonical, levels = canonical.get_pointee().get_canonical(), levels + 1
    return levels, key(canonical.get_declaration())


def _casts_to(node: Node, wanted: int) -> bool:
    levels, record = _pointed(node.cursor.type)
    inner = plain_children(node)
    if not levels or record != wanted or not inner:
        return bool(levels) and record == wanted
    source = strip(inner[-1])
    if source.kind == Kind.CALL and source.spelling in _ALLOCATORS:
        return False
    return _pointed(source.cursor.type) != (levels, wanted)


def _is_filled(node: Node, above: tuple[Node, ...], wanted: int) -> bool:
    """Whether a pointer to the structure is handed over to be written as another type, but to an
    allocator of CUDA's.
    """
    levels, record = _pointed(node.cursor.type)
    if levels < 2 or record != wanted:
        return False
    for outer in above:
        if outer.kind == Kind.CALL:
            return False
        if _pointed(outer.cursor.type) != (levels, record):
            called = next((n for n in above if n.kind == Kind.CALL), None)
            name = "" if called is None else called.spelling
            return not name.startswith(_FILLING)
    return False


def _casts_to_any(node: Node) -> bool:
    """Whether a template casts to a pointer that may be to the structure."""
    canonical = node.cursor.type.get_canonical()
    if int(canonical._kind_id) != POINTER:
        return False
    return int(canonical.get_pointee().get_canonical()._kind_id) in _DEPENDENT


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
