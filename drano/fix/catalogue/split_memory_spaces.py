"""Write a loop once for each memory space that its pointer may point into.

## What it does

`split-memory-spaces` moves the choice between two arrays out of the pointer:

```cuda
const float* from = staged ? tile : in;              // before: shared, or global
for (int k = 0; k < n; k++) total += from[k];        // a generic load each time

if (staged) {                                        // after
  const float* from = tile;
  for (int k = 0; k < n; k++) total += from[k];      // from shared memory
} else {
  const float* from = in;
  for (int k = 0; k < n; k++) total += from[k];      // from global memory
}
```

## When it is offered

The pointer is declared with `?:`, all that uses it is one loop behind it in the same block, and the
analysis of the edited text knows the memory space of each access, and finds none worse.

## What is proved

Nothing between the declaration and the loop changes what is chosen, or by what. The loop has no
barriers, shuffles, labels, variables that outlive a turn, or calls but of arithmetic functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.edit import Edit, Fix, landed
from drano.fix.kernel.loops import is_arithmetic, stands_among_statements
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node
from drano.frontend.text.cpp_lexer import Kind as TokenKind
from drano.frontend.text.cpp_lexer import identifiers, tokens
from drano.host.function_bodies import WRITING, assigned, plain_children, preorder, strip
from drano.model.finding import Finding

NAME: Final = "split-memory-spaces"
MOST_LINES: Final = 24
_LOOPS: Final = frozenset({Kind.FOR, Kind.WHILE, Kind.DO})
_LEFT_ALONE: Final = frozenset(
    {Kind.LABEL, Kind.GOTO, Kind.INDIRECT_GOTO, Kind.ASM, Kind.LAMBDA, Kind.NEW, Kind.TRY}
)


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body = scene.body(finding)
    if body is None:
        return
    for node in body.nodes():
        if node.kind == Kind.VAR and _line(node) <= finding.location.span.line:
            fix = _split(body, node, finding.location.span.line)
            if fix is not None:
                yield fix


def _split(body: Body, pointer: Node, line: int) -> Fix | None:
    """The fix for a pointer, if its loop has the line."""
    declared = body.parents.get(id(pointer))
    block = None if declared is None else body.parents.get(id(declared))
    if declared is None or block is None or len(declared.children) != 1:
        return None
    loop = _loop_of(body, pointer, declared, block)
    chosen = [strip(node) for node in plain_children(pointer)[-1:]]
    if loop is None or not chosen or chosen[0].kind != Kind.CONDITIONAL:
        return None
    parts = [body.words(part) for part in plain_children(chosen[0])]
    first, last = body.range(declared), body.range(loop)
    if len(parts) != 3 or not all(parts) or first is None or last is None:
        return None
    if not _line(loop) <= line <= _line(loop) + body.words(loop).count(b"\n"):
        return None
    value = body.range(plain_children(pointer)[-1])
    if value is None or b"auto" in identifiers(body.source[first[0] : value[0]]):
        return None
    choices = [
        body.source[first[0] : value[0]] + part + body.source[value[1] : first[1]]
        for part in parts[1:]
    ]
    return _fix(body, (first, last), parts[0], choices, pointer.spelling)


def _loop_of(body: Body, pointer: Node, declared: Node, block: Node) -> Node | None:
    """The one loop behind the declaration, in its block, that all uses are in; None where it may
    not be copied, or where what is between changes what is chosen.
    """
    uses = body.mentions(pointer)
    if block.kind != Kind.COMPOUND or not uses:
        return None
    behind = block.children[[id(n) for n in block.children].index(id(declared)) + 1 :]
    users = [n for n in behind if any(below in uses for below in preorder(n))]
    inside = sum(n in uses for user in users for n in preorder(user))
    if len(users) != 1 or inside != len(uses) or users[0].kind not in _LOOPS:
        return None
    loop = users[0]
    between = behind[: [id(n) for n in behind].index(id(loop))]
    chosen_by = identifiers(body.words(declared))
    for node in (declared, *between):
        if node.kind != Kind.DECL_STMT or not all(map(_is_pure, preorder(node))):
            return None
        if node is not declared and any(n.spelling.encode() in chosen_by for n in node.children):
            return None
    place, start = body.range(loop), body.range(declared)
    if place is None or start is None or not stands_among_statements(body, loop):
        return None
    text = body.source[start[0] : place[1]]
    directives = any(True for _ in tokens(text, {TokenKind.DIRECTIVE}))
    if directives or body.words(loop).count(b"\n") > MOST_LINES:
        return None
    return loop if all(_may_be_copied(body, node) for node in preorder(loop)) else None


def _is_pure(node: Node) -> bool:
    """Whether nothing is written, or called."""
    return node.kind != Kind.CALL and not (node.kind in WRITING and assigned(node) is not None)


def _may_be_copied(body: Body, node: Node) -> bool:
    if node.kind == Kind.VAR:
        return node.cursor.storage_class.name in {"NONE", "AUTO", "REGISTER"} and not any(
            word in identifiers(body.words(node)) for word in (b"__shared__", b"static")
        )
    if node.kind == Kind.CALL:
        return is_arithmetic(body, node) or _is_built_in(node)
    return node.kind not in _LEFT_ALONE


def _is_built_in(node: Node) -> bool:
    """Whether it only reads ``threadIdx`` and its like."""
    return node.spelling.startswith("__fetch_builtin_")


def _fix(
    body: Body, places: tuple[tuple[int, int], tuple[int, int]], condition: bytes,
    choices: list[bytes], name: str,
) -> Fix:  # fmt: skip
    (start, end), (first, last) = places
    source = body.source
    begin = source.rfind(b"\n", 0, first) + 1
    indent = source[begin:first] if not source[begin:first].strip() else b""
    step = b"\t" if b"\t" in indent else b"  "
    text, copied = b"", []
    loop = source[first:last].split(b"\n")
    for head, choice in ((b"if (" + condition + b") {", choices[0]), (b"} else {", choices[1])):
        text += (indent if text else b"") + head + b"\n" + indent + step + choice + b"\n"
        for number, each in enumerate(loop):
            copied.append((len(text), number))
            shown = (indent + each if number == 0 else each) if each.strip() else b""
            text += (step + shown if shown else b"") + b"\n"
    new = Edit(body.path, first, last, text + indent + b"}")
    edits = (Edit(body.path, *_whole_line(source, start, end), b""), new)
    line = source.count(b"\n", 0, first) + 1
    moves = tuple(
        (body.path, landed(source, edits, new, at), line + number) for at, number in copied
    )
    title = f"write the loop once for each memory space of {name}"
    return Fix(NAME, title, edits, moves=moves)


def _whole_line(source: bytes, start: int, end: int) -> tuple[int, int]:
    """A statement with its line, where it stands there alone."""
    begin = source.rfind(b"\n", 0, start) + 1
    stop = source.find(b"\n", end)
    if stop < 0 or source[begin:start].strip() or source[end:stop].strip():
        return start, end
    return begin, stop + 1


def _line(node: Node) -> int:
    return int(node.cursor.extent.start.line)


EDIT = CatalogueEdit(NAME, frozenset({"DRN301"}), __doc__ or "", _propose)
