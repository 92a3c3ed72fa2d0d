"""The requests of PTX, by function and line, read word by word: nothing is translated.

Means: an instruction begins a line or follows another one, as inline assembly has it.
Limits: ``.loc`` names one call of inlined code; where the same place is inlined twice, the call is
the last one that was named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from drano.confirm.requests import Code, Function, Place, Request, user_place
from drano.ir.intrinsics import is_provided
from drano.ir.prepare.tile_accesses import fragment_requests

_MAX_CALLS = 100
_WORDS = re.compile(
    r"""
    ^[ \t]*\.loc[ \t]+(?P<at>\d{1,9}[ \t]\d{1,9}[ \t]\d{1,9})
      (?:,[^\n]*?inlined_at[ ](?P<call>\d{1,9}[ ]\d{1,9}[ ]\d{1,9}))?
    |\.entry\s{1,80}(?P<entry>[\w$]+)
    |(?P<extern>\.extern\s{1,80})?\.func\s{1,80}(?:\([^)]{0,200}\)\s{0,80})?(?P<func>[\w$]+)
    |(?:^|[;{])[ \t]*(?:@!?[%\w$]+[ \t]+)?
      (?P<op>ld|ldu|st|atom|red|cp|multimem|wmma|ldmatrix|stmatrix|tensormap|prefetch)\.(?P<rest>[\w.:]+)
      (?P<operands>[^\n;]*)
    |(?:^|[;{])[ \t]*(?:@!?[%\w$]+[ \t]+)?call(?:\.uni)?\s{1,80}
      (?:\([^)]{0,200}\)\s{0,80},\s{0,80})?(?P<callee>[%\w$]+)
    """,
    re.VERBOSE | re.MULTILINE,
)
_FILE = re.compile(r'^[ \t]*\.file[ \t]+(\d{1,9})[ \t]+"([^"\n]*)"', re.MULTILINE)
_UNOPTIMISED = re.compile(r"^[ \t]*\.target[^\n]*\bdebug\b", re.MULTILINE)
_BITS = re.compile(r"(?:[bsuf]|bf)(\d+)(x2)?\Z")
_ELSEWHERE = frozenset({"param", "local", "const"})
_KINDS = {"ld": "load", "ldu": "load", "st": "store", "atom": "atomic", "red": "atomic"}
_ROWS = {"ldmatrix": "load", "stmatrix": "store"}
_FRAGMENT_WORDS = frozenset({"sync", "aligned", "global", "shared", "shared::cta"})
_FRAGMENT_PARTS = 5
_HARMLESS = frozenset({"prefetch", "tensormap"})


def has_lines(ptx: str) -> bool:
    """Whether it says of instructions which line of a source they are of."""
    return _FILE.search(ptx) is not None and ".loc" in ptx


def is_unoptimised(ptx: str) -> bool:
    """Whether it was made for a debugger: no instruction of it is what a release has."""
    return _UNOPTIMISED.search(ptx) is not None


def ptx_functions(ptx: str, *, shared: bool = False) -> tuple[Code, ...]:
    """All functions of a module of which lines are known. ``shared``: with what is asked of shared
    memory.
    """
    files = dict(_FILE.findall(ptx))
    found: list[Function] = []
    inside: set[str] = set()
    now = Function("")
    calls: dict[str, str] = {}
    for match in _WORDS.finditer(ptx):
        if name := match["entry"] or match["func"]:
            now, calls = Function(name), {}
            if match["extern"] is None:
                inside.add(name)
                found.append(now)
        elif at := match["at"]:
            at = at.replace("\t", " ")
            if match["call"]:
                calls[at] = match["call"]
            now.moved(user_place(_frames(files, calls, at)))
        elif callee := match["callee"]:
            now.calls.add(callee)
        elif op := match["op"]:
            for request in _requests(op, match["rest"], match["operands"], shared=shared):
                now.asked(request)
    return tuple(
        f.finished(whole=not any(_is_code(c, inside) for c in f.calls)) for f in found if f.lines
    )


def _is_code(callee: str, inside: set[str]) -> bool:
    """Whether a call leads to code that may be the source's, or that of another unit: not to the
    system's `vprintf`.
    """
    return callee.startswith("%") or callee in inside or not is_provided(callee)


def _frames(files: Mapping[str, str], calls: Mapping[str, str], at: str) -> Iterator[Place]:
    for _ in range(_MAX_CALLS):
        number, line, _column = at.split()
        yield files.get(number, ""), int(line)
        if at not in calls:
            return
        at = calls[at]


def _requests(opcode: str, rest: str, operands: str, *, shared: bool = False) -> list[Request]:
    """Kind and bytes of a lane; none for what asks nothing of global memory.

    >>> _requests("ld", "global.nc.v4.f32", ""), _requests("st", "shared.u32", "")
    ([('load', 16)], [])
    """
    words = rest.replace("::", ".").split(".")
    if opcode == "cp":
        return _copy(words, operands, shared=shared)
    if opcode in _HARMLESS or _ELSEWHERE.intersection(words):
        return []
    if (_in_shared(words) or opcode in _ROWS) and not shared:
        return []
    if opcode in _ROWS:
        return [(_ROWS[opcode], 16)]
    if opcode == "wmma":
        return _fragment(rest)
    kind = _KINDS.get(opcode)
    if kind is None:
        return [("load" if "load" in words else "store" if "store" in words else "atomic", 0)]
    return [(kind, _bytes(words))]


def _fragment(rest: str) -> list[Request]:
    """``load.a.sync.aligned.row.m16n16k16.global.f16``; a product accesses registers only."""
    words = [word for word in rest.split(".") if word not in _FRAGMENT_WORDS]
    if words[0] not in ("load", "store") or len(words) != _FRAGMENT_PARTS:
        return []
    way, part, order, shape, type_ = words
    sizes = fragment_requests(f"wmma.{shape}.{way}.{part}.{order}.stride.{type_}")
    return [(way, size) for size in sizes] or [(way, 0)]


def _in_shared(words: list[str]) -> bool:
    return "shared" in words and "global" not in words


def _copy(words: list[str], operands: str, *, shared: bool) -> list[Request]:
    """``cp.async.ca.shared.global [to], [from], 16``; those in bulk have no width of a lane."""
    if words[:1] != ["async"] or "global" not in words:
        return []
    size = re.search(r"\],\s*(\d{1,3})\b", operands.split("[", 2)[-1])
    wide = 0 if "bulk" in words or size is None else int(size[1])
    return [("load", wide), ("store", wide)] if shared and wide else [("load", wide)]


def _bytes(words: list[str]) -> int:
    bits = next((m for word in reversed(words) if (m := _BITS.match(word))), None)
    lanes = next((int(word[1:]) for word in words if word in {"v2", "v4", "v8"}), 1)
    if bits is None:
        return 4 * lanes if {"f16x2", "bf16x2"}.intersection(words) else 0
    return int(bits[1]) * (2 if bits[2] else 1) // 8 * lanes
