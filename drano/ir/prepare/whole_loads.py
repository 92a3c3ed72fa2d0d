"""Structures of which several members are read, as one wide load.

nvcc loads all 16 bytes of ``float4 p = q[i];`` if two or more members are used; and what it stores
of them with ``q[i] = p`` it no longer takes for what lies there already. LLVM's optimiser loads
only what is used, and drops stores of what was loaded. Here the loads of such a copy
(``type_alignment`` has written and named them, member by member) become one load of a vector, which
stays as it is. A structure of which one member is used is still that member's load.

Means: the printed lines of a module in SSA form. Limits: copies of 4, 8 or 16 bytes, aligned to
their size, whose members have one type, and that follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_SIZES: Final = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8}
_WIDTHS: Final = frozenset({4, 8, 16})
_USED_FROM: Final = 2
_LOAD = re.compile(
    r"  (%drano\.copy\.(\d+)\.(\d+)([\w.]*)) = load (\w+), ptr ([^ ,]+), align (\d+)(.*)"
)
_PLACE = re.compile(r"  %drano\.copy\.\d+\.\d+\.s[\w.]* = getelementptr ")
_NAMED = re.compile(r"%drano\.copy\.[\w.]+")


@dataclass(frozen=True, slots=True)
class _Member:
    """A member's load, in line ``line``: number ``place`` of the copy ``copy``."""

    line: int
    name: str
    copy: tuple[str, str]
    place: int
    type: str
    pointer: str
    align: int
    attached: str


def with_whole_loads(text: str) -> str:
    """The module with the loads of such copies as one."""
    if "%drano.copy." not in text:
        return text
    lines = text.split("\n")
    start = 0
    changed = False
    for number, line in enumerate(lines):
        if line.startswith("define "):
            start = number
        elif line == "}":
            changed |= _join(lines, start, number)
    return "\n".join(lines) if changed else text


def _join(lines: list[str], start: int, end: int) -> bool:
    """Of the function in these lines, in place. Whether there was one."""
    groups = [group for group in _groups(lines, start, end) if _is_whole(group)]
    if not groups:
        return False
    used = _used(lines, start, end)
    changed = False
    for group in groups:
        if sum(member.name in used for member in group) < _USED_FROM:
            continue
        changed = True
        first = group[0]
        vector = f"<{len(group)} x {first.type}>"
        whole = f"{first.name}.whole"
        loaded = f"  {whole} = load {vector}, ptr {first.pointer}, align {first.align}"
        for member in group:
            part = f"  {member.name} = extractelement {vector} {whole}, i64 {member.place}"
            lines[member.line] = part
        lines[first.line] = f"{loaded}{first.attached}\n{lines[first.line]}"
    return changed


def _groups(lines: Sequence[str], start: int, end: int) -> Iterator[list[_Member]]:
    """Loads of one copy that follow each other."""
    group: list[_Member] = []
    for number in range(start, end):
        line = lines[number]
        match = _LOAD.fullmatch(line) if line.startswith("  %drano.copy.") else None
        if match is None:
            if group and not _PLACE.match(line):
                yield group
                group = []
            continue
        name, copy, place, suffix, type_, pointer, align, attached = match.groups()
        member = _Member(
            number, name, (copy, suffix), int(place), type_, pointer, int(align), attached
        )
        if group and (member.copy != group[0].copy or member.place != len(group)):
            yield group
            group = []
        group.append(member)
    if group:
        yield group


def _is_whole(group: Sequence[_Member]) -> bool:
    first = group[0]
    width = _SIZES.get(first.type, 0) * len(group)
    if first.place or len(group) == 1 or width not in _WIDTHS or first.align < width:
        return False
    return all(member.type == first.type for member in group)


def _used(lines: Sequence[str], start: int, end: int) -> set[str]:
    """Names of members that some other instruction has as an operand: no note for debuggers."""
    return {
        name
        for line in lines[start:end]
        if "%drano.copy." in line and not line.lstrip().startswith("#dbg")
        for name in _NAMED.findall(line.partition(" = ")[2] if " = " in line else line)
    }
