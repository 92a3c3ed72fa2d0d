"""``__shared__`` variables whose types have constructors: nvcc constructs nothing, clang refuses.

``__shared__ Complex line[128], one;`` becomes ``DRANO_SHARED(line, [128], __shared__, Complex);
DRANO_SHARED(one, …);`` of ``frontend/prelude/predefined.h``: a union of that type,
``line__drano_shared``, which no constructor runs for, and ``line`` as a constant reference to what
is in it. An access of ``line`` is one of shared memory, at that array. Limits: one declaration in a
function, its declarators plain names and arrays, no macro around it, no class defined in it.
"""

from __future__ import annotations

import re

from drano.frontend.repair.text_edits import Edit
from drano.frontend.text.cpp_lexer import closing, statement_start

REFUSED = re.compile(
    r"initialization is not supported for __shared__ variables\Z"
    r"|no matching constructor for initialization of '"  # they are the host's
)
_ATTRIBUTE = re.compile(
    rb"\b(?:__shared__|static|__device__)\b"
    rb"|\b(?:alignas|__align__|__builtin_align__)\s*(?=\()|\b__attribute__\s*(?=\()|(?=\[\[)"
)
_NAME = re.compile(rb"\s*([A-Za-z_]\w*)\s*")


def unconstructed(source: bytes, code: bytes, name: int) -> Edit | None:
    """The declaration that declares what is named at the offset ``name``, so that clang takes it.

    ``code``: the source without comments, literals and directives. None where the declaration
    is none of those above.
    """
    start = statement_start(code, name)
    first = _first_declarator(code, start, name)
    if first is None:
        return None
    split = _split(code, start, first)
    declared = _declarators(code, first)
    if split is None or declared is None:
        return None
    attributes, type_ = split
    declarators, end = declared
    begin = start + len(code[start:first]) - len(code[start:first].lstrip())
    text = b" ".join(
        b"DRANO_SHARED(%s, %s, %s, %s);" % (called, extents, attributes, type_)
        for called, extents in declarators
    )
    return Edit(begin, end, text + b"\n" * source.count(b"\n", begin, end))


def _first_declarator(code: bytes, start: int, name: int) -> int | None:
    """Offset of the first name of the declaration: that of ``a`` in ``T<x, y> a, b`` for ``b``."""
    depth = 0
    for place in range(start, name):
        char = code[place : place + 1]
        depth += (char in b"(<[") - (char in b")>]")
        if char == b"," and not depth:
            before = code[start:place].rstrip()
            extents = re.search(rb"(?:\s*\[[^\[\]]*\])*\Z", before)
            assert extents is not None  # it may be empty
            word = re.search(rb"[A-Za-z_]\w*\Z", before[: extents.start()])
            return None if word is None else start + word.start()
    return name


def _split(code: bytes, start: int, name: int) -> tuple[bytes, bytes] | None:
    """The attributes and the type before the first name; None where there is no ``__shared__``."""
    attributes: list[bytes] = []
    rest: list[bytes] = []
    place = start
    while (found := _ATTRIBUTE.search(code, place, name)) is not None:
        rest.append(code[place : found.start()])
        end: int | None = found.end()
        if code[found.end() : found.end() + 1] in (b"(", b"["):
            end = closing(code, found.end())
        if end is None or end > name:
            return None
        attributes.append(code[found.start() : end])
        place = end
    rest.append(code[place:name])
    type_ = b" ".join(b" ".join(rest).split())
    if b"__shared__" not in attributes or not type_ or type_[-1:] in b"*&":
        return None
    return b" ".join(b" ".join(attributes).split()), type_


def _declarators(code: bytes, first: int) -> tuple[list[tuple[bytes, bytes]], int] | None:
    """Names and extents from the first name on, and the offset behind the semicolon."""
    found: list[tuple[bytes, bytes]] = []
    place = first
    while True:
        name = _NAME.match(code, place)
        if name is None:
            return None
        place = name.end()
        begin = place
        while code[place : place + 1] == b"[":
            end = closing(code, place)
            if end is None:
                return None
            place = end + len(code[end:]) - len(code[end:].lstrip())
        found.append((name[1], b" ".join(code[begin:place].split())))
        mark = code[place : place + 1]
        if mark not in (b",", b";"):
            return None
        place += 1
        if mark == b";":
            return found, place
