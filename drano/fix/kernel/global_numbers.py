"""Kernels whose threads know nothing of themselves but their numbers in the whole launch.

Means: ``numbered`` gives a kernel in which every ``threadIdx``, ``blockIdx`` and ``blockDim`` of x
and y is a part of ``blockIdx.x * blockDim.x + threadIdx.x``, or of the same for y, and in which no
thread meets others of its block or warp. So what it does is told by the set of these numbers, in
whatever blocks they come. ``limits``: threads whose number is not less than each of these do
nothing at all.
Assumptions: threads do not wait for each other by memory, nor read what others of them write.
Limits: blocks and grids of three dimensions are known by ``blockIdx.z`` only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from drano.fix.kernel.ranges import Ranges, ranges_of
from drano.fix.kernel.sums import Sum
from drano.fix.source_tree import Body
from drano.frontend.libclang import Kind, Node, Unary, constant, key
from drano.frontend.text.cpp_lexer import NAME, NOT_CODE, blanked, identifiers, macros
from drano.frontend.type_kinds import INTEGER_TYPES
from drano.host.function_bodies import assigned, plain_children, preorder, strip
from drano.host.unit_functions import called_unseen, own_text

_BUILT_IN: Final = re.compile(rb"\b(?:threadIdx|blockIdx|blockDim|gridDim)\b(?:\s*\.\s*([xyz]))?")
_PARTS: Final = (b"threadIdx", b"blockIdx", b"blockDim")
_DEPTH_ONLY: Final = re.compile(rb"(?:blockIdx|gridDim)\s*\.\s*z")
# What depends on which threads share a block or a warp, on the order of threads, or on more.
_TOGETHER: Final = re.compile(
    rb"__(?:shared__|sync|shfl|ballot|any|all|activemask|match|reduce_|threadfence|nanosleep|trap"
    rb"|pipeline|cluster|nv|builtin_nv)|warpSize|\basm\b|\b__asm|cooperative_groups|\bcg\b"
    rb"|thread_rank|\bvolatile\b|\bcub\b|\bcuda\b|\bcudaLaunch|[aA]tomic|printf|assert|clock"
    rb"|globaltimer|wmma|barrier|pipeline|<\s*<\s*<|\bmalloc\b|\bnew\b|\bsurf|\bextern\b",
)
_COMPARED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_PURE: Final = frozenset(
    {
        Kind.DECL_STMT, Kind.VAR, Kind.UNEXPOSED_EXPR, Kind.DECL_REF, Kind.INTEGER, Kind.FLOATING,
        Kind.PAREN, Kind.BINARY, Kind.UNARY, Kind.C_CAST, Kind.STATIC_CAST, Kind.FUNCTIONAL_CAST,
        Kind.TYPE_REF, Kind.BOOL,
    }
)  # fmt: skip
_MAY_TRAP: Final = frozenset({"/", "%"})

Limit = str | int
"""A parameter of the kernel that nothing changes, or a number."""


class Numbered(Struct, frozen=True):
    """``axes``: those that the kernel asks for; ``limits``: by axis."""

    axes: frozenset[str]
    limits: dict[str, frozenset[Limit]]


def numbered(body: Body) -> Numbered | None:
    """What a kernel knows of its threads; None where that is more than their global numbers."""
    if not _is_alone(body):
        return None
    ranges = ranges_of(body, None)
    wanted = {_number(axis): axis for axis in "xy"}
    places: list[tuple[int, int]] = []
    axes: set[str] = set()
    for node in body.nodes():
        place = body.range(node)
        if node.kind == Kind.BINARY and node.binary == "+" and place is not None:
            axis = wanted.get(ranges.sum(node))
            if axis is not None and _is_written_out(body.code[slice(*place)], axis):
                places.append(place)
                axes.add(axis)
    for match in _BUILT_IN.finditer(body.code, body.start, body.end):
        within = any(start <= match.start() and match.end() <= end for start, end in places)
        if not within and not _DEPTH_ONLY.fullmatch(match[0]):
            return None
    limits: dict[str, set[Limit]] = {axis: set() for axis in "xy"}
    for axis, limit in _limits(ranges, wanted):
        limits[axis].add(limit)
    return Numbered(frozenset(axes), {axis: frozenset(found) for axis, found in limits.items()})


def _number(axis: str) -> Sum:
    return Sum(0, ((f"blockDim.{axis}*blockIdx.{axis}", 1), (f"threadIdx.{axis}", 1)))


def _is_written_out(text: bytes, axis: str) -> bool:
    """Whether the text of a number has each of its parts once, and no other name, as of a macro."""
    names = [*_PARTS, *[axis.encode()] * len(_PARTS)]
    return sorted(NAME.findall(text)) == sorted(names)


# --- what threads know of each other


def _is_alone(body: Body) -> bool:
    """Whether neither the kernel nor anything that it may call meets other threads, and only its
    own text asks for built-in variables.
    """
    own = body.code[body.start : body.end]
    if _TOGETHER.search(own):
        return False
    for text in _reached(body, own):
        if _TOGETHER.search(text) or _BUILT_IN.search(text):
            return False
    return True


def _reached(body: Body, own: bytes) -> Iterator[bytes]:
    """The texts of all functions and macros of the user's that code may come to."""
    texts: dict[bytes, list[bytes]] = {}
    waiting: set[bytes] = set(identifiers(own))
    for path in body.tree.files:
        for macro in macros(body.tree.text(path)):
            texts.setdefault(macro.name, []).append(macro.body)
    kernel = key(body.root.cursor)
    for function in body.tree.declared.functions:
        if key(function.cursor) == kernel:
            continue
        name = function.name.encode()
        texts.setdefault(name, []).append(
            blanked(own_text(body.tree.text, function.cursor), NOT_CODE)
        )
        if called_unseen(function.cursor):
            waiting.add(name)
    done: set[bytes] = set()
    while waiting:
        name = waiting.pop()
        done.add(name)
        for text in texts.get(name, ()):
            yield text
            waiting |= identifiers(text) - done


# --- threads that do nothing


def _limits(ranges: Ranges, wanted: dict[Sum, str]) -> Iterator[tuple[str, Limit]]:
    """What all that has an effect is guarded by, by axis."""
    blocks = [node for node in ranges.body.root.children if node.kind == Kind.COMPOUND]
    yield from _guards(ranges, wanted, blocks[-1].children if blocks else [])


def _guards(
    ranges: Ranges, wanted: dict[Sum, str], statements: list[Node]
) -> Iterator[tuple[str, Limit]]:
    for number, statement in enumerate(statements):
        if statement.kind == Kind.DECL_STMT and _is_pure(ranges, statement):
            continue
        inner = plain_children(statement)
        if statement.kind != Kind.IF or len(inner) != 2 or not _is_pure(ranges, inner[0]):
            return
        then = inner[1].children if inner[1].kind == Kind.COMPOUND else [inner[1]]
        if len(then) == 1 and then[0].kind == Kind.RETURN:
            yield from _told(ranges, wanted, inner[0], holds=False)
        elif number == len(statements) - 1:
            yield from _told(ranges, wanted, inner[0], holds=True)
            yield from _guards(ranges, wanted, then)
        else:
            return


def _is_pure(ranges: Ranges, statement: Node) -> bool:
    """Whether it only computes numbers: it touches no memory, and never fails."""
    for node in preorder(statement):
        if ranges.is_built_in(node):
            continue
        if node.kind not in _PURE or assigned(node) is not None:
            return False
        if node.kind == Kind.UNARY and node.unary in {Unary.DEREF, Unary.ADDRESS}:
            return False
        if node.kind == Kind.BINARY and node.binary in _MAY_TRAP | {"="}:
            return False
    return True


def _told(
    ranges: Ranges, wanted: dict[Sum, str], condition: Node, *, holds: bool
) -> Iterator[tuple[str, Limit]]:
    """Limits below which numbers are where a condition does or does not hold."""
    condition = strip(condition)
    inner = plain_children(condition)
    if condition.kind != Kind.BINARY or len(inner) != 2:
        return
    sign = condition.binary
    if sign == ("&&" if holds else "||"):
        for part in inner:
            yield from _told(ranges, wanted, part, holds=holds)
        return
    for one, other in (inner, inner[::-1]):
        axis, limit = wanted.get(ranges.sum(one)), _limit(ranges, other)
        if axis is not None and limit is not None and sign == ("<" if holds else ">="):
            yield axis, limit
        sign = _COMPARED.get(sign, sign)


def _limit(ranges: Ranges, node: Node) -> Limit | None:
    node = strip(node)
    if node.kind == Kind.INTEGER:
        return constant(node.cursor)
    declared = node.declared() if node.kind == Kind.DECL_REF else None
    if declared is None or declared._kind_id != Kind.PARM or node.type_kind not in INTEGER_TYPES:
        return None
    own = (n for n in ranges.body.root.children if n.kind == Kind.PARM)
    known = any(key(parameter.cursor) == node.key for parameter in own)
    return node.spelling if known and ranges.variables.written(node.key) == 0 else None
