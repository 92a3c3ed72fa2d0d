"""Read or write several neighbouring elements of a thread's row at once.

## What it does

`widen-loop-reads` puts a loop of turns of four (two for types of 8 bytes, eight for `__half` and
others of 2 bytes, sixteen for single bytes) before a loop in which each thread walks along a row of
its own. It reads with one wide access what the four turns read:

```cuda
const float* x = in + t * C;
for (int i = 0; i < C; i++) s += x[i];  // before: 32 sectors for each warp in each turn

int i_4 = 0;                            // after: 32 sectors in every fourth turn
if ((size_t)in % 16 == 0 && C % 4 == 0)
  for (; C - i_4 > 3; i_4 += 4) {
    const float4 x_v = *(const float4*)&x[i_4];
    const float x_4[4] = {x_v.x, x_v.y, x_v.z, x_v.w};
#pragma unroll
    for (int turn = 0; turn < 4; turn++) s += x_4[turn];
  }
for (int i = i_4; i < C; i++) s += x[i];
```

The loop that was there does what is left over: all, where rows are not aligned to 16 bytes. What
turns write to a row is kept, and written with one wide access behind the last of them. Elements of
less than 4 bytes are read and written by a `memcpy` of 16 aligned bytes, which compilers make one
access of. The lanes stay in different rows: a transposed array, or a warp for each row, would be
better, but is another algorithm.

## When it is offered

* A `for` loop counts from 0 by one; in each turn it reads or writes the element that the counter
  says, and it does not end early.
* The row's beginning is a parameter plus a multiple of four elements, or of a number of which the
  new code asks whether it is one: a parameter, or a variable that nothing changes. The parameter
  may be moved by such numbers (`in += t * C;`) before all else that is done with it.
* Of an array that it writes, the loop touches no other element in a turn.
* Elements are numbers of 1, 2, 4 or 8 bytes, `__half` and `__nv_bfloat16` among them, but no pairs
  of these (`__half2`).
* The loop's body has no calls but of arithmetic, and no loops.
* The analysis of the edited text finds fewer sectors for each turn, and no other access worse.

## What is proved

The turns stay in their order, and what is read ahead is what the next turns read: all four are
within the loop's limit, and the condition before the new loop proves the address aligned. What the
loop writes might be what was read ahead, or what is written later might be read before: the edit is
safe only if the pointers to these arrays are `__restrict__`, or all launches are seen to pass
different allocations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drano.fix.catalogue.base import CatalogueEdit, Scene
from drano.fix.catalogue.found_rows import holds, is_found, is_of_finding
from drano.fix.edit import Copied, Edit, Fix
from drano.fix.host.separate_arrays import separate
from drano.fix.kernel.loops import (
    Loop,
    assigned_numbers,
    counting_loop,
    is_plain,
    is_private,
    is_word,
    line_before,
    renamed,
    replaced,
    stands_among_statements,
    uses,
)
from drano.fix.kernel.ranges import Ranges, ranges_of
from drano.fix.kernel.rows import Row, rows_of, unproved, unproved_delay
from drano.fix.source_tree import Body, taken
from drano.frontend.libclang import Kind
from drano.frontend.text.cpp_lexer import macros
from drano.host.function_bodies import plain_children, strip
from drano.model.finding import Finding

NAME: Final = "widen-loop-reads"
_WIDE: Final = {
    21: b"float4", 17: b"int4", 9: b"uint4", 22: b"double2", 19: b"longlong2", 11: b"ulonglong2",
}  # fmt: skip
"""CXTypeKind of an element -> the type of 16 bytes of them. Others are copied, which may be from
and to any type.
"""
_LOOPS_OF_ONE_NAME: Final = 9
_PARTS: Final = (b"x", b"y", b"z", b"w")
_WORDS: Final = {2: "two", 4: "four", 8: "eight", 16: "sixteen"}
_COPY: Final = b"memcpy"


def _propose(finding: Finding, scene: Scene) -> Iterator[Fix]:
    body = scene.body(finding)
    if body is None:
        return
    ranges = ranges_of(body, None)
    line = finding.location.span.line
    for node in body.nodes():
        if node.kind != Kind.FOR or not holds(node, line):
            continue
        loop = counting_loop(body, ranges, node)
        if loop is None or not loop.declares or not stands_among_statements(body, node):
            continue
        if not is_plain(body, ranges, loop):
            continue
        rows = [
            row for row in rows_of(body, ranges, loop, writes=True)
            if row.divisors is not None and is_found(row, finding, scene)
        ]  # fmt: skip
        if any(is_of_finding(row, finding) for row in rows):
            fix = _widened(body, ranges, loop, rows)
            if fix is not None:
                yield fix


# --- the text --------------------------------------------------------------------------------


def _widened(body: Body, ranges: Ranges, loop: Loop, rows: list[Row]) -> Fix | None:
    counts = {row.turns for row in rows}
    first, place = body.range(loop.first), body.range(loop.node)
    written = assigned_numbers(loop)
    if len(counts) != 1 or first is None or place is None:
        return None
    if not all(is_private(body, variable) for variable in written):
        return None
    if any(row.element not in _WIDE for row in rows) and _has_own(body, _COPY):
        return None
    turns = counts.pop()
    names = _names(body, loop, rows, turns)
    if names is None:
        return None
    before = line_before(body.source, place[0])
    text, copies = _text(body, loop, rows, turns, names, before)
    edits = (
        Edit(body.path, before, before, text),
        Edit(body.path, *first, names[b""]),
    )
    line = loop.node.cursor.extent.start.line
    whose = " and ".join(sorted({row.name.decode() for row in rows}))
    done = {"read" for row in rows if row.read} | {"write" for row in rows if row.written}
    title = (
        f"{' and '.join(sorted(done))} {_WORDS[turns]} elements of {whose} at once"
        f" in the loop of line {line}"
    )
    return Fix(NAME, title, edits, _unproved(body, ranges, loop, rows), copies=copies)


def _has_own(body: Body, name: bytes) -> bool:
    """Whether the user's files define a function of the library's."""
    functions = {function.name.encode() for function in body.tree.declared.functions}
    texts = map(body.tree.text, body.tree.files)
    return name in functions or any(macro.name == name for text in texts for macro in macros(text))


def _unproved(body: Body, ranges: Ranges, loop: Loop, rows: list[Row]) -> str:
    def separated(names: frozenset[str]) -> bool:
        return separate(body.tree, body, names)

    read = [row for row in rows if not row.written]
    reason = unproved(body, ranges, loop, read, separated) if read else ""
    return reason or unproved_delay(body, ranges, loop, rows, separated)


def _names(body: Body, loop: Loop, rows: list[Row], turns: int) -> dict[bytes, bytes] | None:
    """New names: of the counter (b""), of each row's values, and of the turn (b" "); None where all
    that are tried are taken.
    """
    files = map(body.tree.text, body.tree.files)
    used = taken(body.source, (body.start, body.end), files)
    for again in range(1, _LOOPS_OF_ONE_NAME + 1):
        found = _named(loop, rows, turns, b"" if again == 1 else b"_%d" % again)
        new = [*found.values(), *(found[b"%d" % n] + b"_v" for n in range(len(rows)))]
        if not used.intersection(new) and len(set(new)) == len(new):
            return found
    return None


def _named(loop: Loop, rows: list[Row], turns: int, tail: bytes) -> dict[bytes, bytes]:
    """The names that end alike."""
    counter = loop.counter.spelling.encode()
    found = {b"": counter + b"_%d" % turns + tail, b" ": counter + b"_turn" + tail}
    for number, row in enumerate(rows):
        again = [other.name for other in rows[:number]].count(row.name)
        name = row.name + (b"_%d" % again if again else b"")
        found[b"%d" % number] = name + b"_%d" % turns + tail
    return found


def _text(
    body: Body, loop: Loop, rows: list[Row], turns: int, names: dict[bytes, bytes], start: int
) -> tuple[bytes, tuple[Copied, ...]]:
    """The loop of several turns, and which old lines its lines stand for."""
    line = body.source.count(b"\n", 0, start) + 1
    place = body.range(loop.node)
    assert place is not None
    indent = body.source[body.source.rfind(b"\n", 0, place[0]) + 1 : place[0]]
    step = b"\t" if b"\t" in indent else b"  "
    counter, turn = names[b""], names[b" "]
    old = loop.counter.spelling.encode()
    asked = [b"(size_t)%b %% 16 == 0" % start for start in dict.fromkeys(map(_begin, rows))]
    divisors = sorted({name for row in rows for name in row.divisors or ()})
    asked += [b"%b %% %d == 0" % (name.encode(), turns) for name in divisors]
    limit = body.words(loop.limit)
    limit = limit if is_word(body, strip(loop.limit)) else b"(%b)" % limit
    more = turns - 1 if loop.sign == "<" else turns - 2
    kind = str(loop.counter.cursor.type.get_canonical().spelling).encode()
    kind = kind.removeprefix(b"const ")
    lines = [
        b"%b %b = 0;" % (kind, counter),
        b"if (%b)" % b" && ".join(asked),
        step + b"for (; %b - %b > %d; %b += %d) {" % (limit, counter, more, counter, turns),
    ]
    copies: list[Copied] = []
    vectors: list[tuple[bytes, bytes, bytes]] = []  # values, type, address
    for number, row in enumerate(rows):
        values = names[b"%d" % number]
        wide = _WIDE.get(row.element, b"")
        index = renamed(body, loop, plain_children(row.places[0])[1], counter)
        vectors.append((values, wide, b"&%b[%b]" % (row.name, index)))
        if not row.read:
            lines.append(2 * step + b"%b %b[%d];" % (_element(row), values, turns))
            continue
        if not wide:
            lines.append(2 * step + b"%b %b[%d];" % (_element(row), values, turns))
        copies.append(
            Copied(body.path, line + len(lines), row.places[0].cursor.extent.start.line, turns)
        )
        if not wide:
            place_ = _aligned(b"const void*", vectors[-1][2])
            lines.append(2 * step + b"%b(%b, %b, 16);" % (_COPY, values, place_))
            continue
        lines += [
            2 * step + b"const %b %b_v = *(const %b*)%b;" % (wide, values, *vectors[-1][1:]),
            2 * step + b"%b%b %b[%d] = {%b};" % (
                b"" if row.written else b"const ", _element(row), values, turns,
                b", ".join(b"%b_v.%b" % (values, part) for part in _PARTS[:turns]),
            ),
        ]  # fmt: skip
    lines += [
        b"#pragma unroll",
        2 * step + b"for (int %b = 0; %b < %d; %b++) {" % (turn, turn, turns, turn),
    ]
    inner, first = _inner(body, loop, rows, names)
    indexed = sum(len(uses(loop, place)) for row in rows for place in row.places)
    if len(uses(loop, loop.body)) > indexed:
        lines.append(3 * step + b"const %b %b = %b + %b;" % (kind, old, counter, turn))
    for number, text in enumerate(inner):
        copies.append(Copied(body.path, line + len(lines), first + number))
        lines.append((3 * step + text).rstrip())
    lines.append(2 * step + b"}")
    for row, (values, wide, address) in zip(rows, vectors, strict=True):
        if row.written:
            copies.append(
                Copied(body.path, line + len(lines), row.places[0].cursor.extent.start.line, turns)
            )
            elements = b", ".join(b"%b[%d]" % (values, turn) for turn in range(turns))
            text = b"*(%b*)%b = make_%b(%b);" % (wide, address, wide, elements)
            if not wide:
                text = b"%b(%b, %b, 16);" % (_COPY, _aligned(b"void*", address), values)
            lines.append(2 * step + text)
    lines.append(step + b"}")
    shown = [text if text.startswith(b"#") or not text else indent + text for text in lines]
    return b"\n".join(shown) + b"\n", tuple(copies)


def _begin(row: Row) -> bytes:
    """The parameter as it was given, the same pointer for all lanes."""
    name = row.base.spelling.encode()
    return b"(%b - (%b))" % (name, row.moved) if row.moved else name


def _aligned(pointer: bytes, address: bytes) -> bytes:
    """An address that is known to be aligned; with a cast, as nvcc 13 refuses pointers to classes
    there.
    """
    return b"__builtin_assume_aligned((%b)%b, 16)" % (pointer, address)


def _element(row: Row) -> bytes:
    spelled = str(row.places[0].cursor.type.get_canonical().spelling).encode()
    return spelled.removeprefix(b"const ")


def _inner(
    body: Body, loop: Loop, rows: list[Row], names: dict[bytes, bytes]
) -> tuple[list[bytes], int]:
    """The lines of the loop's body with the values that were read, without their indentation, and
    the number of the first.
    """
    place = body.range(loop.body)
    assert place is not None
    start, end = place
    if loop.body.kind == Kind.COMPOUND:
        start, end = start + 1, end - 1
    elif body.source[end : end + 1] == b";":
        end += 1
    changes = [
        (place, names[b"%d" % number] + b"[" + names[b" "] + b"]")
        for number, row in enumerate(rows) for place in row.places
    ]  # fmt: skip
    lines = replaced(body, (start, end), changes).split(b"\n")
    number = body.source.count(b"\n", 0, start) + 1
    while len(lines) > 1 and not lines[0].strip():
        lines, number = lines[1:], number + 1
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    lines[0] = lines[0] if number > body.source.count(b"\n", 0, start) + 1 else lines[0].lstrip()
    depths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    least = min(depths[1:] if len(depths) > 1 and not depths[0] else depths, default=0)
    return [line[least:] if line[:least].isspace() else line.lstrip() for line in lines], number


EDIT = CatalogueEdit(NAME, frozenset({"DRN001", "DRN004"}), __doc__ or "", _propose)
