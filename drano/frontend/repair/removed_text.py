"""Takes what does not compile out of a source's text, at the same lines.

The body of a device function with errors becomes a call of ``drano_not_compiled(N)``, which tells
in the IR whom it costs (``lost_kernels``); where only instances of a template have errors, theirs
alone (``instances``). A declaration with errors is blanked, so that whoever uses it fails visibly,
too: clang itself would go on with ``int`` in the place of an unknown type, and drop statements
without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from drano.frontend.repair.culprits import Culprit, Role
from drano.frontend.repair.instances import MOST, guarded
from drano.frontend.text.cpp_lexer import blank

MARKER = "drano_not_compiled"
_BLANKED = frozenset({Role.FUNCTION, Role.FIELD, Role.DECLARATION})
# What may stand right before a declaration and belongs to it: attributes, by macros, too.
_WORD = re.compile(rb"\b[A-Za-z_]\w*\Z")
_DIRECTIVE = re.compile(rb"^[ \t]*#.*(?:\\\n.*)*$", re.MULTILINE)
_MOST_BEFORE = 300


def blot(
    culprits: Sequence[Culprit],
    texts: dict[str, bytes],
    read: Callable[[str], bytes | None],
    first: int,
) -> tuple[dict[str, bytes], tuple[Culprit, ...]]:
    """``texts`` without the declarations and bodies of ``culprits``, and those whose bodies went,
    numbered from ``first`` on. ``read`` gives the text of a file that is not in ``texts``.
    """
    changed = dict(texts)
    marked: list[Culprit] = []
    for file in dict.fromkeys(c.extent_file for c in culprits if c.extent_file):
        text = changed.get(file)
        text = read(file) if text is None else text
        if text is None:
            continue
        done = len(text)
        # From the end on: what is before stays where it is. Of nested ones the outer goes.
        for culprit in _outermost([c for c in culprits if c.extent_file == file]):
            if culprit.end > done:
                continue
            if culprit.role is Role.BODY:
                text, given_up = _marked(text, culprit, culprits, first + len(marked))
                marked += given_up
            else:
                text = _blanked(text, culprit)
            done = culprit.start
        changed[file] = text
    return changed, tuple(marked)


def _outermost(culprits: Sequence[Culprit]) -> list[Culprit]:
    """Those to be taken out, the last first, none inside of another."""
    extents: dict[tuple[int, int], Culprit] = {}
    for culprit in culprits:
        if culprit.role in _BLANKED or culprit.role is Role.BODY:
            extents.setdefault((culprit.start, culprit.end), culprit)
    kept = [
        extents[start, end]
        for start, end in extents
        if not any((a, b) != (start, end) and a <= start and end <= b for a, b in extents)
    ]
    return sorted(kept, key=lambda culprit: -culprit.start)


def _marked(
    text: bytes, culprit: Culprit, culprits: Sequence[Culprit], number: int
) -> tuple[bytes, list[Culprit]]:
    """The text without a body, or without it in the instances that do not compile; and whom the
    marks, numbered from ``number`` on, stand for.

    ``{ return x[y]; }`` becomes ``{drano_not_compiled(0);}``, padded to its length.
    """
    extent = (culprit.extent_file, culprit.start, culprit.end)
    same = [c for c in culprits if (c.extent_file, c.start, c.end) == extent]
    instances = {c.instance: c for c in reversed(same)}
    if "" not in instances and len(instances) <= MOST:
        calls = (_call(number + place) for place in range(len(instances)))
        marks = zip(instances, calls, strict=True)
        changed = guarded(text, culprit.start, culprit.end, marks)
        if changed is not None:
            return changed, list(instances.values())
    call = b"{%s;" % _call(number)
    rest = blank(text[culprit.start : culprit.end])[len(call) : -1]
    lines = text[culprit.start : culprit.end].count(b"\n") - rest.count(b"\n")
    changed = text[: culprit.start] + call + b"\n" * lines + rest + b"}" + text[culprit.end :]
    return changed, [culprit]


def _call(number: int) -> bytes:
    return b"%s(%d)" % (MARKER.encode(), number)


def _blanked(text: bytes, culprit: Culprit) -> bytes:
    start = _with_attributes(text, culprit.start)
    return text[:start] + blank(text[start : culprit.end]) + text[culprit.end :]


def _with_attributes(text: bytes, start: int) -> int:
    """Where a declaration starts with its attributes; directives before it are not part of it.

    ``#define A`` and, on the next line, ``A __launch_bounds__(N(2)) void f();``: at the second A.
    """
    first = max(0, start - _MOST_BEFORE)
    before = text[first:start]
    for directive in _DIRECTIVE.finditer(before):
        first = start - len(before) + directive.end()
    before = text[first:start]
    while True:
        before = before.rstrip()
        word = _WORD.search(before)
        if word is not None:
            before = before[: word.start()]
        elif before.endswith(b")") and (opened := _opening(before)) is not None:
            before = before[:opened]
        else:
            break
    rest = text[first + len(before) : start]
    return start - len(rest.lstrip())


def _opening(text: bytes) -> int | None:
    """Where the parenthesis is opened that closes at the end; None when it is not."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place : place + 1] == b")") - (text[place : place + 1] == b"(")
        if depth == 0:
            return place
    return None
