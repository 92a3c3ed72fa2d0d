"""Copies of structures as wide loads, if several members are read, and wide stores.

nvcc loads all 16 bytes of ``float4 p = q[i];`` if two or more members are used, and of larger
structures each 16 bytes of which any is used; and what it stores of them with ``q[i] = p`` it no
longer takes for what lies there already. LLVM's optimiser loads only what is used, and drops stores
of what was loaded, as nvcc does with a single member. Here the loads of such a copy
(``type_alignment`` has written and named them, member by member) become loads of vectors, which
stay as they are. A structure of which one member is used is still that member's load. Stores become
vectors as well, but where a member goes back to memory alone: of a vector no pass moves a part
elsewhere, as LLVM's do with the last member in a loop.

Means: the printed lines of a module in SSA form. Limits: pieces of 8 or 16 bytes, as wide as the
copy is aligned, or of 4 that are all of it; their members have one type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from drano.ir.llvm_text import function_spans

_SIZES: Final = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8}
_WIDTHS: Final = frozenset({4, 8, 16})
_UNSET: Final = frozenset({"undef", "poison"})
_WIDEST: Final = 16
_DOUBLE: Final = 8
_USED_FROM: Final = 2
_LOAD = re.compile(
    r"  (%drano\.copy\.(\d+)\.(\d+)([\w.]*)) = load (\w+), ptr ([^ ,]+), align (\d+)(.*)"
)
_STORE = re.compile(
    r"  store (\w+) ([^ ,]+), ptr (%drano\.copy\.(\d+)\.(\d+)\.t([\w.]*)), align (\d+)(.*)"
)
_PLACE = re.compile(
    r"  (%drano\.copy\.\d+\.\d+\.[st][\w.]*) = getelementptr inbounds i8, ptr [^ ,]+, i64 (\d+)"
)
_DEFINED = re.compile(r"  (%[^ ]+) = (load|extractvalue|insertvalue|bitcast) ")
_VALUE = re.compile(r"%[\w.]+")
_NAMED = re.compile(r"%drano\.copy\.[\w.]+")


class _Member(Struct, frozen=True):
    """A member's load or store, in line ``line``: number ``place`` of the copy ``copy``. ``value``:
    what it loads into, or stores.
    """

    line: int
    stored: bool
    value: str
    copy: tuple[str, str]
    place: int
    type: str
    pointer: str
    align: int
    attached: str
    offset: int

    @property
    def size(self) -> int:
        """Bytes, or 0 of another type."""
        return _SIZES.get(self.type, 0)


def with_whole_copies(text: str) -> str:
    """The module with the loads of such copies as one, and their stores."""
    if "%drano.copy." not in text:
        return text
    lines = text.split("\n")
    changed = [_join(lines, start, end) for start, end in function_spans(lines)]
    return "\n".join(lines) if any(changed) else text


def _join(lines: list[str], start: int, end: int) -> bool:
    """Of the function in these lines, in place. Whether there was one."""
    groups = list(_groups(lines, start, end))
    if not groups:
        return False
    used = _used(lines, start, end)
    changed = False
    for group in groups:
        if not group[0].stored and sum(m.value in used for m in group) >= _USED_FROM:
            for piece in _pieces(group):
                if any(member.value in used for member in piece):
                    _load(lines, piece)
                    changed = True
    alone = _loaded_alone(lines[start:end])
    for group in groups:
        if group[0].stored and alone.isdisjoint(m.value for m in group):
            for piece in _pieces(group):
                if _UNSET.isdisjoint(m.value for m in piece):
                    _store(lines, piece)
                    changed = True
    return changed


def _load(lines: list[str], group: Sequence[_Member]) -> None:
    first = group[0]
    vector = f"<{len(group)} x {first.type}>"
    whole = f"{first.value}.whole"
    loaded = f"  {whole} = load {vector}, ptr {first.pointer}, align {first.align}"
    for place, member in enumerate(group):
        lines[member.line] = f"  {member.value} = extractelement {vector} {whole}, i64 {place}"
    lines[first.line] = f"{loaded}{first.attached}\n{lines[first.line]}"


def _store(lines: list[str], group: Sequence[_Member]) -> None:
    first, last = group[0], group[-1]
    vector = f"<{len(group)} x {first.type}>"
    whole = "poison"
    for place, member in enumerate(group):
        name = f"{first.pointer}.whole.{place}"
        value = f"{member.type} {member.value}"
        lines[member.line] = f"  {name} = insertelement {vector} {whole}, {value}, i64 {place}"
        whole = name
    stored = f"  store {vector} {whole}, ptr {first.pointer}, align {first.align}{first.attached}"
    lines[last.line] += f"\n{stored}"


def _groups(lines: Sequence[str], start: int, end: int) -> Iterator[list[_Member]]:
    """Loads of one copy that follow each other, and stores."""
    group: list[_Member] = []
    offsets: dict[str, int] = {}
    for number in range(start, end):
        line = lines[number]
        known = "%drano.copy." in line
        if known and (place := _PLACE.match(line)) is not None:
            offsets[place[1]] = int(place[2])
            continue
        member = _member(number, line, offsets) if known else None
        if group and (member is None or not _follows(group, member)):
            yield group
            group = []
        if member is not None:
            group.append(member)
    if group:
        yield group


def _member(number: int, line: str, offsets: Mapping[str, int]) -> _Member | None:
    if (match := _LOAD.fullmatch(line)) is not None:
        value, copy, place, suffix, type_, pointer, align, attached = match.groups()
    elif (match := _STORE.fullmatch(line)) is not None:
        type_, value, pointer, copy, place, suffix, align, attached = match.groups()
    else:
        return None
    stored = line.startswith("  store")
    return _Member(
        number, stored, value, (copy, suffix), int(place), type_, pointer, int(align), attached,
        offsets.get(pointer, -1),
    )  # fmt: skip


def _follows(group: Sequence[_Member], member: _Member) -> bool:
    first, last = group[0], group[-1]
    same = member.copy == first.copy and member.stored is first.stored
    return same and member.place == last.place + 1


def _pieces(group: Sequence[_Member]) -> Iterator[list[_Member]]:
    """What of a copy can be one request each, of several members."""
    first = group[0]
    width = min(first.align, _WIDEST)
    if first.place or first.offset < 0 or width not in _WIDTHS:
        return
    if width < _DOUBLE and group[-1].offset + group[-1].size - first.offset > width:
        return
    pieces: dict[int, list[_Member]] = {}
    for member in group:
        pieces.setdefault((member.offset - first.offset) // width, []).append(member)
    for piece in pieces.values():
        one = piece[0]
        alike = all(member.type == one.type for member in piece)
        if len(piece) > 1 and alike and one.size * len(piece) == width == min(one.align, width):
            yield piece


def _used(lines: Sequence[str], start: int, end: int) -> set[str]:
    """Names of members that some other instruction has as an operand: no note for debuggers."""
    return {
        name
        for line in lines[start:end]
        if "%drano.copy." in line and not line.lstrip().startswith("#dbg")
        for name in _NAMED.findall(line.partition(" = ")[2] if " = " in line else line)
    }


def _loaded_alone(lines: Sequence[str]) -> set[str]:
    """Names of what is loaded, or moved between structures of it."""
    names: set[str] = set()
    for line in lines:
        if (found := _DEFINED.match(line)) is not None and (
            found[2] == "load" or not names.isdisjoint(_VALUE.findall(line, found.end()))
        ):
            names.add(found[1])
    return names
