"""Struct copies as loads and stores of their members, and accesses aligned as their types demand.

Means: the printed lines of a module that no optimiser has seen. clang copies a structure by
``llvm.memcpy``, of which its own optimiser splits some badly; nvcc copies member by member, which
its back end merges into one wide request. clang also believes the alignment of an array's
declaration over that of the type that a cast gives its element, as in ``*(float4*)&tile[4 * i]``;
CUDA demands that an access is aligned to its type (CUDA C++ programming guide, "Device Memory
Accesses"), and nvcc makes use of it.
Assumptions: the text is LLVM's own printing. Members that lie as in a type of the debug
information that is declared to be aligned (``alignas``, as ``float4`` is) are of such a type; of
several the least aligned one counts. nvcc, too, gives a typedef of less alignment no heed.
Limits: copies beyond ``MOST_BYTES`` stay; members of packed structures stay as they are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from msgspec import Struct

MOST_BYTES: Final = 128
Member: TypeAlias = tuple[int, int, str]
"""Offset in bytes, size in bytes, type as LLVM prints it."""

_NAME: Final = r'%(?:"[^"]*"|[-\w.$]+)'
_POINTER: Final = rf"(?:{_NAME}|@(?:\"[^\"]*\"|[-\w.$]+)|\w+ \((?:[^()]|\([^()]*\))*\))"
_COPY = re.compile(
    r"  call void @llvm\.mem(?:cpy|move)\.p0\.p0\.i\d+\("
    rf"ptr (?:align (\d+) )?({_POINTER}), ptr (?:align (\d+) )?({_POINTER}), "
    r"i\d+ (\d+), i1 (false|true)\)(.*)"
)
_TBAA_STRUCT = re.compile(r"!tbaa\.struct (!\d+)")
_DEBUG = re.compile(r"!dbg !\d+")
_NODE = re.compile(r"(!\d+) = (?:distinct )?(.*)")
_LEAF = re.compile(r"i64 (\d+), i64 (\d+), (!\d+)")
_FIELD = re.compile(r"\b(size|align|offset|elements|baseType): (!?\d+)")
_STRUCTURES: Final = (
    "!DICompositeType(tag: DW_TAG_structure_type",
    "!DICompositeType(tag: DW_TAG_class_type",
)
_MEMBERS: Final = (
    "!DIDerivedType(tag: DW_TAG_member",
    "!DIDerivedType(tag: DW_TAG_inheritance",
)
_RENAMED: Final = (
    "!DIDerivedType(tag: DW_TAG_typedef",
    "!DIDerivedType(tag: DW_TAG_const_type",
    "!DIDerivedType(tag: DW_TAG_volatile_type",
)
_REFERENCE = re.compile(r"!\d+")
_NAMED_TYPES: Final = {
    "float": ("float", 4), "double": ("double", 8), "int": ("i32", 4), "long": ("i64", 8),
    "long long": ("i64", 8), "short": ("i16", 2), "any pointer": ("ptr", 8),
    "omnipotent char": ("i8", 1), "bool": ("i8", 1),
}  # fmt: skip
_TYPE_NAME = re.compile(r'!\{!"([^"]*)"')
_WORD: Final = 4
_BYTES: Final = dict(_NAMED_TYPES.values()) | {"": 0, "i8": 1}
_SCALARS: Final = {
    "i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "ptr": 8
}  # fmt: skip
_WEAK = re.compile(
    r"^(?P<before>  (?:store|%[^ ]+ = load) (?:volatile )?"
    r"(?P<type>(?:i16|half|bfloat)(?=[ ,][^\n]*, align 1,)"
    r"|(?:i32|float)(?=[ ,][^\n]*, align [12],)"
    r"|(?:i64|double|ptr)(?=[ ,][^\n]*, align [124],))"
    r"[^\n]*, align )\d(?P<behind>,[^\n]*!tbaa (?P<tag>!\d+)[^\n]*)$",
    re.MULTILINE,
)
_CHAR_NODE = re.compile(r'^(!\d+) = !\{!"omnipotent char", ', re.MULTILINE)
_INTEGERS: Final = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}


def with_aligned_scalars(text: str) -> str:
    """The module with accesses of a number or a pointer aligned to its type, where ``!tbaa`` says
    that it is no member of a structure, which may be packed.
    """
    tags = {match["tag"] for match in _WEAK.finditer(text)}
    if not tags:
        return text
    wanted = "|".join(tag[1:] for tag in tags)
    named = re.compile(rf"^(!(?:{wanted})) = !\{{(!\d+), \2, i64 0\}}$", re.MULTILINE)
    scalars = {match[1]: match[2] for match in named.finditer(text)}
    chars = set(_CHAR_NODE.findall(text))

    def aligned(match: re.Match[str]) -> str:
        if scalars.get(match["tag"], "") in {"", *chars}:
            return match[0]
        return f"{match['before']}{_SCALARS[match['type']]}{match['behind']}"

    return _WEAK.sub(aligned, text)


def with_member_copies(text: str) -> str:
    """The module with copies of structures as copies of their members."""
    if "@llvm.memcpy.p0.p0" not in text and "@llvm.memmove.p0.p0" not in text:
        return text
    lines = text.split("\n")
    nodes = _Nodes(lines)
    written: list[str] = []
    changed = False
    for number, line in enumerate(lines):
        match = _COPY.fullmatch(line) if line.startswith("  call void @llvm.mem") else None
        pieces = None if match is None else _copied(match, nodes, number)
        changed |= pieces is not None
        written += [line] if pieces is None else pieces
    return "\n".join(written) if changed else text


def _copied(match: re.Match[str], nodes: _Nodes, number: int) -> list[str] | None:
    to_align, target, from_align, source, size, volatile, attached = match.groups()
    length = int(size)
    if not 0 < length <= MOST_BYTES:
        return None
    aligns = int(from_align or 1), int(to_align or 1)
    struct = _TBAA_STRUCT.search(attached)
    members = nodes.members(struct[1], length) if struct else None
    if members is None:
        members = _parts(length, min(*aligns, 8))
    else:
        least = nodes.alignment(members, length)
        aligns = max(aligns[0], least), max(aligns[1], least)
        members = list(_with_padding(members, length, least))
        members = [piece for member in members for piece in _aligned(member, min(aligns))]
    debug = _DEBUG.search(attached)
    behind = f", {debug[0]}" if debug else ""
    flag = " volatile" if volatile == "true" else ""
    loads, stores = [], []
    for place, (offset, _, type_) in enumerate(members):
        name = f"%drano.copy.{number}.{place}"
        for pointer, end in ((source, "s"), (target, "t")):
            loads.append(f"  {name}.{end} = getelementptr inbounds i8, ptr {pointer}, i64 {offset}")
        in_, out = (min(math.gcd(a, offset), 16) for a in aligns)
        loads.append(f"  {name} = load{flag} {type_}, ptr {name}.s, align {in_}{behind}")
        stores.append(f"  store{flag} {type_} {name}, ptr {name}.t, align {out}{behind}")
    return loads + stores


def _with_padding(members: Sequence[Member], length: int, align: int) -> Iterator[Member]:
    """Members and what lies between and behind them, which nvcc copies, too: of types that are
    declared to be aligned to 16 bytes, four bytes behind as one more member, else byte by byte.
    """
    end, type_ = 0, "i8"
    for offset, size, kind in (*members, (length, 0, "")):
        if offset - end == _WORD == align // 4 and offset == length and _BYTES[type_] == _WORD:
            yield end, _WORD, type_
        else:
            yield from ((at, 1, "i8") for at in range(end, offset))
        if size:
            yield offset, size, kind
        end, type_ = offset + size, kind


def _aligned(member: Member, align: int) -> list[Member]:
    """A member in pieces as wide as its alignment: one, but for those of packed structures."""
    offset, size, _ = member
    width = min(math.gcd(offset, align), size)
    if width == size:
        return [member]
    return [(offset + k, width, _INTEGERS[width]) for k in range(0, size, width)]


def _parts(length: int, align: int) -> list[Member]:
    """A copy of which no members are known: pieces as wide as the alignment allows."""
    parts: list[Member] = []
    offset = 0
    while offset < length:
        width = min(math.gcd(offset, align), 8)
        while width > length - offset:
            width //= 2
        parts.append((offset, width, _INTEGERS[width]))
        offset += width
    return parts


class _Nodes(Struct, frozen=True, dict=True):
    """Metadata of a module, looked up when a copy needs them."""

    lines: Sequence[str]

    @cached_property
    def _by_name(self) -> dict[str, str]:
        found = (_NODE.fullmatch(line) for line in self.lines if line.startswith("!"))
        return {match[1]: match[2] for match in found if match}

    def members(self, node: str, length: int) -> list[Member] | None:
        """What ``!tbaa.struct`` says of the members; None where some bytes belong to none, or to
        several.
        """
        members: list[Member] = []
        for offset, size, tag in _LEAF.findall(self._by_name.get(node, "")):
            at, bytes_ = int(offset), int(size)
            if members and at < members[-1][0] + members[-1][1]:
                return None
            type_, width = self._type(tag)
            if bytes_ in _INTEGERS and bytes_ != width:
                type_, width = _INTEGERS[bytes_], bytes_
            if not width or bytes_ % width:
                return None
            members += [(at + k, width, type_) for k in range(0, bytes_, width)]
        return members if members and members[-1][0] + members[-1][1] <= length else None

    def _type(self, tag: str) -> tuple[str, int]:
        """The scalar type that an access tag names, and its bytes; ("", 0): another one."""
        access = _REFERENCE.findall(self._by_name.get(tag, ""))
        named = _TYPE_NAME.match(self._by_name.get(access[-1], "") if access else "")
        return _NAMED_TYPES.get(named[1] if named else "", ("", 0))

    @cached_property
    def _layouts(self) -> dict[tuple[int, tuple[tuple[int, int], ...]], int]:
        """Alignment in bytes by size and the (offset, size) of members, of all flat structures."""
        found: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
        for body in self._by_name.values():
            if not body.startswith(_STRUCTURES):
                continue
            fields = dict(_FIELD.findall(body))
            layout = tuple(self._fields(fields.get("elements", "")))
            if layout:  # without an alignment of its own it may be packed
                align = int(fields.get("align", 8)) // 8
                known = int(fields.get("size", 0)) // 8, layout
                found[known] = min(align, found.get(known, align))
        return found

    def _fields(self, elements: str, start: int = 0) -> Iterator[tuple[int, int]]:
        """Offset and size in bytes of the scalars, also those of structures and arrays in it."""
        for name in _REFERENCE.findall(self._by_name.get(elements, "")):
            body = self._by_name.get(name, "")
            if not body.startswith(_MEMBERS) or "DIFlagStatic" in body:
                continue
            fields = dict(_FIELD.findall(body))
            at = start + int(fields.get("offset", 0)) // 8
            yield from self._scalars(
                fields.get("baseType", ""), at, int(fields.get("size", 0)) // 8
            )

    def _scalars(self, node: str, at: int, size: int) -> Iterator[tuple[int, int]]:
        body = self._by_name.get(node, "")
        while body.startswith(_RENAMED):
            node = dict(_FIELD.findall(body)).get("baseType", "")
            body = self._by_name.get(node, "")
        fields = dict(_FIELD.findall(body))
        own = int(fields.get("size", 0)) // 8
        if body.startswith(_STRUCTURES):
            yield from self._fields(fields.get("elements", ""), at)
        elif body.startswith("!DICompositeType(tag: DW_TAG_array_type") and own <= MOST_BYTES:
            element = list(self._scalars(fields.get("baseType", ""), 0, 0))
            width = max((offset + wide for offset, wide in element), default=0)
            for k in range(own // width if width else 0):
                yield from ((at + k * width + offset, wide) for offset, wide in element)
        else:
            yield at, size or own

    def alignment(self, members: Sequence[Member], length: int) -> int:
        """What the type of a structure with these members demands, in bytes; at least 1."""
        layout = tuple((offset, size) for offset, size, _ in members)
        align = self._layouts.get((length, layout), 1)
        return align if length % align == 0 else 1
