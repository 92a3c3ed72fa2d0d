"""The expression of a Triton access as its author wrote it: what ``tl.load`` is given.

Triton gives an access the place of the call, or of an argument, by its version. The call's first
argument is the pointer, by which its author knows the access: ``x + offsets`` of
``tl.load(x + offsets, mask=mask)``.
Limits: brackets are counted, strings are not read; a call of more than some lines has no text.
"""

from __future__ import annotations

import re

_CALL = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w*\s*\.\s*)*(?:load|store|atomic_\w+)\s*\(", re.ASCII)
_MAX_LINES = 20
_MAX_TEXT = 100
_MAX_LINE = 4000
_OPEN, _CLOSE = "([{", ")]}"


def pointer_of_call(lines: tuple[str, ...], line: int, column: int) -> tuple[str, int, int] | None:
    """Of the access that is called at a place, or around it: its pointer, the column of the call
    and that behind what of it is on the line; None where no such call is. From 1, all of them.

    >>> pointer_of_call(("a = tl.load(x + i * 2, mask=m)",), 1, 5)
    ('x + i * 2', 5, 31)
    """
    text = lines[line - 1] if 1 <= line <= len(lines) else ""
    if column < 1 or len(text) > _MAX_LINE:
        return None
    whole = "\n".join([text, *lines[line : line + _MAX_LINES]])
    best: tuple[str, int, int] | None = None
    for call in _CALL.finditer(text):
        found = _read(whole, call.end())
        if found is None or call.start() > column - 1 or found[1] < column:
            continue
        end = min(found[1], len(text.rstrip()))
        best = found[0], call.start() + 1, end + 1
    return best


def _read(whole: str, start: int) -> tuple[str, int] | None:
    """The first argument of a call whose bracket opens before ``start``, and where it ends."""
    depth, comma = 1, -1
    for place in range(start, len(whole)):
        char = whole[place]
        depth += (char in _OPEN) - (char in _CLOSE)
        if char == "," and depth == 1 and comma < 0:
            comma = place
        if depth == 0:
            pointer = " ".join(whole[start : comma if comma >= 0 else place].split())
            if len(pointer) > _MAX_TEXT:
                pointer = pointer[: _MAX_TEXT - 1] + "…"
            return pointer, place + 1
    return None
