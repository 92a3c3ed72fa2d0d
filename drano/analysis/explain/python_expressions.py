"""The expression of a Triton access as its author wrote it: what ``tl.load`` is given.

Triton gives an access the place of the call. Its first argument is the pointer, by which the access
is known to its author: ``x + offsets`` of ``tl.load(x + offsets, mask=mask)``.
Limits: brackets are counted, strings are not read; a call of more than some lines has no text.
"""

from __future__ import annotations

import re

_CALL = re.compile(r"(?:[A-Za-z_]\w*\s*\.\s*)*(?:load|store|atomic_\w+)\s*\(", re.ASCII)
_MAX_LINES = 20
_MAX_TEXT = 100
_OPEN, _CLOSE = "([{", ")]}"


def pointer_of_call(lines: tuple[str, ...], line: int, column: int) -> tuple[str, int] | None:
    """Of the access that is called at a place: its pointer, and the column behind the part of the
    call on that line; None where no such call is there. Lines and columns are counted from 1.

    >>> pointer_of_call(("a = tl.load(x + i * 2, mask=m)",), 1, 5)
    ('x + i * 2', 31)
    """
    text = lines[line - 1] if 1 <= line <= len(lines) else ""
    call = _CALL.match(text, column - 1) if column >= 1 else None
    if call is None:
        return None
    whole = "\n".join([text, *lines[line : line + _MAX_LINES]])
    depth = 0
    comma = -1
    for place in range(call.end() - 1, len(whole)):
        char = whole[place]
        depth += (char in _OPEN) - (char in _CLOSE)
        if char == "," and depth == 1 and comma < 0:
            comma = place
        if depth == 0:
            pointer = " ".join(whole[call.end() : comma if comma >= 0 else place].split())
            end = place + 1 if "\n" not in whole[:place] else len(text.rstrip())
            if len(pointer) > _MAX_TEXT:
                pointer = pointer[: _MAX_TEXT - 1] + "…"
            return pointer, end + 1
    return None
