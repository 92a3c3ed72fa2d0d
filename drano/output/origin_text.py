"""What compiling made of an access of the source, in words."""

from __future__ import annotations

from drano.model.access import Access
from drano.model.source_access import Fate, Origin, RemovedAccess
from drano.output.plurals import count


def origin_text(access: Access) -> str:
    """Where a request of compiled code comes from; "" where it is an access as it is written.

    >>> from drano.model.source_access import Fate, Origin
    >>> from drano.model.span import Span
    >>> _said(Origin(Fate.MERGED, 1, (), 4), 16, 7)
    'one request for 4 accesses of 4 bytes'
    >>> _said(Origin(Fate.SHARED, parts=(Span("a.cu", 7, 2),)), 4, 7)  # of a function called twice
    'one request for all its copies'
    >>> _said(Origin(Fate.MOVED, loops_left=1), 4, 7)
    'moved out of 1 loop'
    >>> _said(Origin(Fate.SPLIT, 1, (), 8), 1, 7)
    'one of 8 requests for 8 bytes'
    """
    origin, span = access.origin, access.location.span
    return "" if origin is None else _said(origin, access.bytes, span.line, span.path)


def _said(origin: Origin, size: int, line: int, path: str = "") -> str:
    lines = sorted({part.line for part in origin.parts if part.path == path} - {line})
    elsewhere = f", also in line{'s'[: len(lines) > 1]} {', '.join(map(str, lines))}"
    also = elsewhere if lines else ""
    copies = f", one of {origin.copies} copies" if origin.copies > 1 else ""
    match origin.fate:
        case Fate.OWN:
            return ""
        case Fate.MERGED:
            merged = size / origin.written_bytes
            return (
                f"one request for {merged:g} accesses of {origin.written_bytes} bytes{also}{copies}"
            )
        case Fate.SHARED:
            several = f"{len(origin.parts)} accesses" if len(origin.parts) > 1 else "all its copies"
            return f"one request for {several}{also}"
        case Fate.MOVED:
            return f"moved out of {count(origin.loops_left, 'loop')}"
        case Fate.COPIED:
            return f"one of {origin.copies} copies, as of an unrolled loop{also}"
        case Fate.PART:
            whole = origin.written_bytes
            return f"{size} of {whole} bytes, as nothing uses the others{also}{copies}"
        case Fate.SPLIT:
            parts = origin.written_bytes // size
            return f"one of {parts} requests for {origin.written_bytes} bytes{also}{copies}"


def removed_text(access: RemovedAccess) -> str:
    """Why nothing is left of an access, as far as that can be told."""
    if access.private:
        return "kept in registers"
    if access.kind == "load":
        return "no request: its value is in a register, or it is never executed"
    return "no request: what it writes is not needed, or it is never executed"
