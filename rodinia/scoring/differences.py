"""Why the original pass and the paper's domain disagree about a line: one cause for each.

Most causes show in the evidence itself (the original's abstract index and element size, our
accesses on that line). The rest was read by hand and stands in the manifest (``original_misses``).
A line that has no cause is *unexplained*, and makes the comparison fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from drano.model.access import Access
from drano.model.judgement import Pattern
from rodinia.measured.lines import Place, access_column
from rodinia.measured.truth import OriginalFlag
from rodinia.programs.manifest import Manifest

_UNKNOWN_INDEX = "*>1"
_NARROW = 4
_KNOWN_PATTERNS = frozenset(
    {Pattern.UNIFORM, Pattern.CONTIGUOUS, Pattern.UNKNOWN_START, Pattern.SINGLE_THREAD}
)


class Cause(StrEnum):
    """Values are the manifest's words. The first three are flags that only the original raises,
    the others flags that only we raise.
    """

    WHOLE_STRUCT = "whole-struct"
    NOT_GLOBAL = "not-global"
    CALL = "call"
    CALLEE = "callee"
    STRUCT_COPY = "struct-copy"
    UNSET = "unset"
    MASK = "mask"
    UNEXPLAINED = "unexplained"


MEANING = {
    Cause.WHOLE_STRUCT: "its error: in s[0].keys[tid] it takes the whole struct for the element",
    Cause.NOT_GLOBAL: "its error: shared memory or registers, reached through a pointer parameter",
    Cause.CALL: "better front end: it takes the result of __mul24 and other calls for ⊤",
    Cause.CALLEE: "better front end: arguments of device functions, members of objects",
    Cause.STRUCT_COPY: "its error: copies of whole structs (memcpy) are never checked",
    Cause.UNSET: "its error: a condition or index that it leaves unset suppresses the flag",
    Cause.MASK: "its error: '&', '%' and '>>' keep the left operand's coefficient",
    Cause.UNEXPLAINED: "not explained",
}

READ_BY_HAND = (Cause.STRUCT_COPY, Cause.UNSET, Cause.MASK)


def cause_of_its_flags(flags: Sequence[OriginalFlag], accesses: Sequence[Access]) -> Cause:
    """Why the original flags a line that we do not; ``accesses``: our global ones there."""
    if not accesses:
        return Cause.NOT_GLOBAL
    if not all(_cleared(flag, accesses) for flag in flags):
        return Cause.UNEXPLAINED
    if all(flag.index != _UNKNOWN_INDEX and flag.base_bytes > _NARROW for flag in flags):
        return Cause.WHOLE_STRUCT
    if all(flag.index == _UNKNOWN_INDEX for flag in flags):
        return Cause.CALL
    return Cause.UNEXPLAINED


def _cleared(flag: OriginalFlag, accesses: Sequence[Access]) -> bool:
    """Whether we saw the very access and know its index."""
    here = [a for a in accesses if access_column(a) == flag.column]
    return bool(here) and all(a.judgement.pattern in _KNOWN_PATTERNS for a in here)


def cause_of_our_flags(manifest: Manifest, place: Place, accesses: Sequence[Access]) -> Cause:
    """Why we flag a line that the original does not."""
    flagged = [access for access in accesses if access.judgement.flagged]
    for program in manifest.programs:
        for cause in READ_BY_HAND:
            for file, lines in program.original_misses.get(cause, {}).items():
                if place == Place(f"{program.directory}/{file}", place.line) and (
                    place.line in lines
                ):
                    return cause
    called = all(access.location.inlined_at for access in flagged)
    return Cause.CALLEE if called and flagged else Cause.UNEXPLAINED
