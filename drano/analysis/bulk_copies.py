"""Bulk copies (PTX ISA, "cp.async.bulk", "cp.async.bulk.tensor"), whose bytes lie side by side.

One thread starts a copy, and the copy engine moves all of it: the lanes' addresses say nothing of
its traffic. A plain copy moves bytes in a row, from a multiple of 16 on; from 48 bytes on it
touches fewer than twice the sectors that these fill, wherever it starts. A tensor's copy moves the
rows of a box, of which each is such a copy: how long they are, a tensor map says that the host
makes. So nothing is said of shorter copies, and of a length that nobody knows on a condition only.
Limits: inline PTX of one such instruction; the size is known where it is a constant there.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from drano.ir.model import Call, IntConst, StructType, VoidType
from drano.model.access import AccessKind
from drano.model.hardware import SECTOR_BYTES
from drano.model.judgement import Space

_PTX = re.compile(
    r"\bcp\.(?P<reduce>reduce\.)?async\.bulk\.(?P<tensor>tensor\.[1-5]d\.)?"
    r"(?P<to>shared|global)(?:::\w+)?\.(?P<of>shared|global)(?:::\w+)?\b"
)
_PREFETCH = re.compile(r"\bcp\.async\.bulk\.prefetch\b")
_MOVED = re.compile(r"\][^\[]*?,\s*\[[^\]]*\]\s*,\s*(?:\$(\d+)|(\d+)\b)")
_INTRINSIC: Final = re.compile(
    r"llvm\.nvvm\.cp\.(?P<reduce>reduce\.)?async\.bulk\.(?P<tensor>tensor\.)?"
    r"(?:(?P<of>global|shared(?:\.cta)?)\.to\.(?P<to>global|shared\.\w+)|(?P<way>g2s|s2g|reduce))\b"
)
_ENOUGH: Final = SECTOR_BYTES + SECTOR_BYTES // 2
_REASON: Final = "a bulk copy moves bytes side by side, whichever thread starts it"


class BulkCopy(Struct, frozen=True):
    """``condition``: where the copy is as good as its bytes allow; None where it need not be."""

    kind: AccessKind
    space: Space
    reason: str
    condition: str | None


def is_bulk_prefetch(text: str) -> bool:
    """Whether PTX, or an intrinsic's name, only brings bytes into the L2 cache."""
    return _PREFETCH.search(text) is not None


def bulk_copy(call: Call) -> BulkCopy | None:
    """The copy that a call of inline PTX or of an intrinsic starts; None where it is none, or there
    are several.
    """
    inline = call.callee == "asm"
    found = [*(_PTX if inline else _INTRINSIC).finditer(call.text if inline else call.callee or "")]
    if len(found) != 1:
        return None
    words = found[0].groupdict()
    source, target = _ends(words)
    if source == target:
        return BulkCopy(AccessKind.OTHER, Space.SHARED, "a bulk copy between shared memories", None)
    kind = AccessKind.LOAD if source == "global" else AccessKind.STORE
    if words["reduce"] or words.get("way") == "reduce":
        kind = AccessKind.OTHER
    if words["tensor"]:
        condition = f"the rows of the tensor map's box have {_ENOUGH} bytes or more"
        return BulkCopy(kind, Space.GLOBAL, _REASON, condition)
    size = _size_in(call) if inline else _size_of(call, target)
    if size is None:
        return BulkCopy(kind, Space.GLOBAL, _REASON, f"it moves {_ENOUGH} bytes or more")
    if size < _ENOUGH:
        return BulkCopy(kind, Space.GLOBAL, f"a bulk copy of {size} bytes only", None)
    return BulkCopy(kind, Space.GLOBAL, _REASON, "")


def _ends(words: dict[str, str | None]) -> tuple[str, str]:
    """Of which space a copy reads, and to which it writes."""
    match words.get("way"):
        case "g2s":
            return "global", "shared"
        case "s2g" | "reduce":
            return "shared", "global"
        case _:
            of, to = words["of"] or "", words["to"] or ""
            return of.partition(".")[0], to.partition(".")[0]


def _size_in(call: Call) -> int | None:
    """The bytes that inline PTX copies: a number in its text, or an operand that is one."""
    match = _MOVED.search(call.text)
    if match is None:
        return None
    if match[2]:
        return int(match[2])
    results = 0 if isinstance(call.type, VoidType) else 1
    if isinstance(call.type, StructType):
        results = len(call.type.elements)
    at = int(match[1]) - results
    operand = call.args[at] if 0 <= at < len(call.args) else None
    return operand.value if isinstance(operand, IntConst) else None


def _size_of(call: Call, target: str) -> int | None:
    """The bytes that an intrinsic copies: behind its pointers, of which one to shared memory has a
    barrier's beside it.
    """
    at = 3 if target == "shared" else 2
    operand = call.args[at] if at < len(call.args) else None
    return operand.value if isinstance(operand, IntConst) else None
