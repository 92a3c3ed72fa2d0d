"""The expression of an access as its author wrote it, found in the source text.

A compiler gives one column for an access, and not always where its expression starts: a store is
at its ``=``, ``+=`` or ``++``, a member at its name behind the ``.``, an atomic at the call. From
there the expression is read off the line, forwards or backwards, by bracket matching.

Assumptions: the file has not changed since it was compiled. Limits: one line only, ``a[…]`` where
an index goes on in the next one; where a macro, a call or an ``asm`` hides the expression the text
is empty, and the array's name has to do.
Columns are 1-based and count bytes, as a compiler's do; ends are exclusive.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from drano.analysis.explain.python_expressions import pointer_of_call
from drano.model.access import AccessKind
from drano.model.span import Span
from drano.support.regular_files import read_regular

_MAX_SOURCE_BYTES = 16 << 20
_MAX_LINE = 4000
_MAX_TEXT = 100
_LINE_END = re.compile(r"\r\n|\n|\r")
_OPEN, _CLOSE = "([{", ")]}"
_ASSIGNMENT = re.compile(r"(?:<<|>>|[-+*/%&|^])?=(?!=)")
_NAME = re.compile(r"[A-Za-z_\x80-\xff][\w\x80-\xff]*", re.ASCII)
_CAST = re.compile(r"\(\s*[A-Za-z_][\w\s:]*\*+\s*\)")
_STATEMENT = re.compile(r"\s*(?:(?:else|do|return)\b|(?:if|for|while|switch)\b[^(]*(?=\())")
_DECLARATION = re.compile(r"(?:[A-Za-z_][\w:]*(?:<[^<>]*>)?[\s*&]+)+(?=[A-Za-z_]\w*\s*$)")
_ASSEMBLY = ("asm", "__asm", "__asm__")
_FIRST_ARGUMENT = ("atomic", "__ld", "__st", "mem", "store_matrix_sync")
_SECOND_ARGUMENT = ("memcpy", "memmove", "load_matrix_sync")
_CALLED = re.compile(r"(?:[A-Za-z_]\w*\s*::\s*)*([A-Za-z_]\w*)", re.ASCII)
_FRAGMENT = ("load_matrix_sync", "store_matrix_sync")


class Expression(Struct, frozen=True):
    """``text`` is empty where it cannot be told; ``start`` and ``end`` are columns to underline."""

    text: str
    start: int
    end: int


_texts: ContextVar[Mapping[str, bytes]] = ContextVar("texts", default=MappingProxyType({}))
_among: ContextVar[Container[str] | None] = ContextVar("among", default=None)
_seen: ContextVar[dict[str, tuple[str, ...]] | None] = ContextVar("seen", default=None)
"""Lines of the files that were read: to ask for each access whether one has changed takes time."""


@contextmanager
def reading(texts: Mapping[str, bytes], among: Container[str] | None = None) -> Iterator[None]:
    """Within it ``texts``, by absolute path, stand in for files' contents (unsaved editors), and
    of files only those ``among`` which reading is allowed are read, as they are at first.
    """
    token = _texts.set({**_texts.get(), **texts})
    allowed = _among.set(among)
    seen = _seen.set({})
    try:
        yield
    finally:
        _seen.reset(seen)
        _texts.reset(token)
        _among.reset(allowed)


def source_line(span: Span) -> str:
    """The line of ``span``, one character for each byte (see ``plain``); "" when there is none."""
    lines = source_lines(span.path)
    line = lines[span.line - 1] if 1 <= span.line <= len(lines) else ""
    return line if len(line) <= _MAX_LINE else ""


def source_lines(path: str) -> tuple[str, ...]:
    """All lines of a file, one character for each byte; none when it cannot be read."""
    seen = _seen.get()
    if seen is None:
        return _current_lines(path)
    if path not in seen:
        seen[path] = _current_lines(path)
    return seen[path]


def _current_lines(path: str) -> tuple[str, ...]:
    given = _texts.get().get(path)
    if given is not None:
        return _given_lines(given)
    among = _among.get()
    if among is not None and path not in among:
        return ()
    try:
        state = Path(path).stat()
    except (OSError, ValueError):
        return ()
    if state.st_size > _MAX_SOURCE_BYTES:
        return ()
    return _lines(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _lines(path: str, changed: int, size: int) -> tuple[str, ...]:
    """Lines of a file as it was when it had this time and size."""
    del changed, size
    try:
        return _split(read_regular(path, _MAX_SOURCE_BYTES))
    except OSError:
        return ()


def _split(content: bytes) -> tuple[str, ...]:
    """Lines as the compiler counts them: they end at LF, CR LF and CR."""
    return tuple(_LINE_END.split(content.decode("latin-1")))


@lru_cache(maxsize=16)
def _given_lines(content: bytes) -> tuple[str, ...]:
    return _split(content)


def plain(text: str) -> str:
    """Text cut from a ``source_line`` as it reads, with single spaces."""
    return " ".join(text.encode("latin-1").decode(errors="replace").split())


def access_expression(
    span: Span, kind: AccessKind, *, called: bool = False, pointer: bool = False
) -> Expression:
    """The expression of an access that the compiler has at ``span``.

    ``called``: the access is inside of a library function that is called there; ``pointer``: it
    loads a pointer. Only the copy of a whole struct loads at a plain ``=``: its right side.
    """
    line, at = source_line(span), span.column - 1
    if span.path.endswith(".py"):
        found = pointer_of_call(source_lines(span.path), span.line, span.column)
        if found is not None:
            return Expression(plain(found[0]), found[1], found[2])
    if not 0 <= at < len(line):
        return Expression("", span.column, span.column)
    if called:
        return _argument(line, at, kind)
    step = line[at : at + 2]
    if step in {"++", "--"}:
        return _stepped(line, at)
    operator = _ASSIGNMENT.match(line, at)
    if operator is None:
        return _named(line, at, pointer=pointer)
    if kind is AccessKind.LOAD and operator[0] == "=":
        return _right_side(line, operator.end())
    return _left_side(line, at)


def _cut(line: str, start: int, end: int) -> Expression:
    text = plain(line[start:end])
    opening = _unclosed(text)
    if opening >= 0:
        text = f"{text[: opening + 1]}…{_CLOSE[_OPEN.index(text[opening])]}"
    return Expression(text, start + 1, end + 1)


def _unclosed(text: str) -> int:
    """The first bracket that does not end here; -1 when all do."""
    at = 0
    while at < len(text):
        if text[at] in _OPEN:
            end = _closing(text, at)
            if text[end - 1] not in _CLOSE or not _balanced(text[at:end]):
                return at
            at = end
        else:
            at += 1
    return -1


def _balanced(text: str) -> bool:
    return sum(c in _OPEN for c in text) == sum(c in _CLOSE for c in text)


def definition(span: Span, name: str) -> Expression:
    """The assignment to variable ``name`` on the line of ``span``: ``x = a * b + c``, ``k++``.

    Its text is "" when there is none: a parameter, a variable that another line sets.
    """
    line = source_line(span)
    word = re.escape(name)
    changed = rf"(?:\+\+|--)\s*{word}\b"
    assigned = rf"\b{word}\s*(?:\+\+|--|(?:<<|>>|[-+*/%&|^])?=(?!=))"
    every = list(re.finditer(f"{changed}|{assigned}", line))
    # Of several, as in the head of a loop, the one that the compiler's column is in.
    found = next(
        (m for m in reversed(every) if m.start() < span.column), every[0] if every else None
    )
    if found is None:
        return Expression("", span.column, span.column)
    end = found.end()
    if found[0].endswith("=") or not {"++", "--"} & {found[0][:2], found[0][-2:]}:
        end = _expression_end(line, end)
    start = found.start() + 1
    text = plain(line[found.start() : end])
    text = text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"
    return Expression(text, start, end + 1)


def _expression_end(line: str, at: int) -> int:
    """Where the expression at ``at`` ends: at ``;``, a comma, a comment, a bracket too many."""
    depth = 0
    for place in range(at, len(line)):
        char = line[place]
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth < 0 or (depth == 0 and char in ";,") or line.startswith(("//", "/*"), place):
            return place
    return len(line)


def subscript(text: str) -> str:
    """What stands in the last brackets of an expression: ``i + 1`` of ``a[i + 1].x``."""
    close = text.rfind("]")
    opening = _opening(text, close) if close >= 0 else -1
    return text[opening + 1 : close].strip() if opening >= 0 else ""


# --- forwards --------------------------------------------------------------------------------


def _named(line: str, at: int, *, pointer: bool) -> Expression:
    """An expression that starts at a name, ``(`` or ``*``; or the member whose name is there."""
    if line[:at].endswith((".", "->")):
        name = _NAME.match(line, at)
        start = _chain_start(line, name.end() if name else at)
        return _cut(line, start, name.end() if name else at + 1)
    ends = _chain(line, at)
    if not ends:
        return Expression("", at + 1, at + 1)
    if line[at : ends[0][1]] in _ASSEMBLY or (len(ends) == 1 and _is_computed(line, at)):
        return Expression("", at + 1, ends[0][1] + 1)
    if len(ends) > 1 and ends[1][0] == "(":
        return Expression("", at + 1, ends[1][1] + 1)
    subscripts = [n for n, (mark, _) in enumerate(ends) if mark == "["]
    last = subscripts[-1] if subscripts else 0
    if pointer and subscripts:
        last -= 1
    elif line[at] == "*" and not subscripts:  # of all that follows: *ns::get(p), *it.at
        last = len(ends) - 1
    return _cut(line, at, ends[last][1])


def _is_computed(line: str, at: int) -> bool:
    """Whether what is in the brackets at ``at`` is no place in memory, but computed."""
    if not line.startswith("(", at):
        return False
    ends = _chain(line, at + 1)
    return not ends or not line.startswith(")", ends[-1][1])


def _right_side(line: str, at: int) -> Expression:
    start = at + len(line[at:]) - len(line[at:].lstrip())
    ends = _chain(line, start)
    if not ends or any(mark == "(" for mark, _ in ends[1:]):
        return Expression("", at, at)
    if len(ends) == 1 and _is_computed(line, start):
        return Expression("", start + 1, ends[0][1] + 1)
    return _cut(line, start, ends[-1][1])


def _chain(line: str, at: int) -> list[tuple[str, int]]:
    """Where the parts of a postfix expression end: of its first name or bracket (with ``*``, ``&``
    and casts before it), then of each ``[…]``, ``(…)`` and member, by their first character.
    """
    at = _skip_prefix(line, at)
    if line.startswith("(", at):
        end = _closing(line, at)
    else:
        name = _NAME.match(line, at)
        if name is None:
            return []
        end = name.end()
        if name[0].endswith("_cast") and line.startswith("<", end):
            end = _closing(line, max(line.find("(", end), end))
    ends = [("name", end)]
    while end < len(line):
        after = end + len(line[end:]) - len(line[end:].lstrip(" "))
        mark = line[after : after + 1]
        if mark and mark in "[(":
            end = _closing(line, after)
        elif line.startswith((".", "->", "::"), after):
            mark = "."
            name = _NAME.match(line, after + (1 if line[after] == "." else 2))
            if name is None:
                break
            end = name.end()
        else:
            break
        ends.append((mark, end))
    return ends


def _skip_prefix(line: str, at: int) -> int:
    """Behind the ``*``, ``&`` and C casts at ``at``."""
    while at < len(line):
        cast = _CAST.match(line, at)
        if cast is not None:
            at = cast.end()
        elif line[at] in "*& ":
            at += 1
        else:
            break
    return at


def _closing(line: str, at: int) -> int:
    """Behind the bracket that closes the one at ``at``; the line's end when none does."""
    depth = 0
    for place in range(at, len(line)):
        if line[place] in _OPEN:
            depth += 1
        elif line[place] in _CLOSE:
            depth -= 1
            if depth <= 0:
                return place + 1
    return len(line.rstrip())


# --- backwards -------------------------------------------------------------------------------


def _left_side(line: str, operator: int) -> Expression:
    """What stands before an assignment's operator."""
    end = len(line[:operator].rstrip())
    start = _statement_start(line, end)
    if start < 0:
        indent = len(line) - len(line.lstrip())
        return Expression("", min(indent, end) + 1, end + 1)
    return _cut(line, _strip_statement(line, start, end), end)


def _stepped(line: str, at: int) -> Expression:
    """What ``++`` or ``--`` changes: behind it, or before it."""
    end = len(line[:at].rstrip())
    if end and (line[end - 1] in ")]" or _is_name(line[end - 1])):
        start = _strip_statement(line, _chain_start(line, end), end)
        return _cut(line, start, end)
    ends = _chain(line, at + 2)
    return _cut(line, at + 2, ends[-1][1]) if ends else Expression("", at + 1, at + 3)


def _is_name(char: str) -> bool:
    return char.isalnum() or char == "_" or char >= "\x80"


def _chain_start(line: str, end: int) -> int:
    """Where the postfix expression that ends at ``end`` starts."""
    at = end
    while at > 0:
        if line[at - 1] in ")]":
            opening = _opening(line, at - 1)
            if opening < 0:
                return at
            at = opening
            if at and (line[at - 1] in ")]" or _is_name(line[at - 1])):
                continue
        elif _is_name(line[at - 1]):
            while at and _is_name(line[at - 1]):
                at -= 1
        else:
            break
        if line[:at].endswith((".", "->", "::")):
            at -= 1 if line[at - 1] == "." else 2
            continue
        break
    return at


def _opening(line: str, at: int) -> int:
    """The bracket that the one at ``at`` closes, -1 when it is not on this line."""
    depth = 0
    for place in range(at, -1, -1):
        if line[place] in _CLOSE:
            depth += 1
        elif line[place] in _OPEN:
            depth -= 1
            if depth == 0:
                return place
    return -1


def _statement_start(line: str, end: int) -> int:
    """Where the expression that ends at ``end`` starts: behind ``;`` and the like, at an open
    bracket, or at the line's start. -1 when a bracket opens on a line before.
    """
    at = end
    while at > 0:
        char = line[at - 1]
        if char in ")]":
            at = _opening(line, at - 1)
            if at < 0:
                return -1
            continue
        if char in ";{},?=([" or line[:at].endswith(("&&", "||", "*/")):
            return at
        if char == ":":
            if line[at - 2 : at - 1] != ":":
                return at
            at -= 1
        at -= 1
    return 0


def _strip_statement(line: str, start: int, end: int) -> int:
    """Behind ``if (…)``, ``else`` and a declaration's type."""
    while (match := _STATEMENT.match(line, start, end)) is not None:
        start = match.end()
        if line.startswith("(", start):
            start = _closing(line, start)
    start += len(line[start:end]) - len(line[start:end].lstrip())
    declared = _DECLARATION.match(line, start, end)
    return declared.end() if declared is not None else start


# --- calls -----------------------------------------------------------------------------------


def moves_fragment(span: Span) -> bool:
    """Whether ``nvcuda::wmma`` is called there to load or store a fragment of a matrix."""
    called = _CALLED.match(source_line(span), max(0, span.column - 1))
    return called is not None and called[1] in _FRAGMENT


def _argument(line: str, at: int, kind: AccessKind) -> Expression:
    """What a library function accesses: its pointer argument, dereferenced."""
    name = _CALLED.match(line, at)
    if name is None or not line.startswith("(", name.end()):
        return Expression("", at + 1, name.end() + 1 if name else at + 1)
    end = _closing(line, name.end())
    whole = Expression("", at + 1, end + 1)
    second = kind is AccessKind.LOAD and name[1] in _SECOND_ARGUMENT
    if not second and not name[1].startswith(_FIRST_ARGUMENT):
        return whole
    number = int(second)
    arguments = _arguments(line, name.end() + 1, end - 1)
    if number >= len(arguments):
        return whole
    start, stop = arguments[number]
    cast = _CAST.match(line, start, stop)
    start = cast.end() if cast else start
    start += len(line[start:stop]) - len(line[start:stop].lstrip())
    stop = start + len(line[start:stop].rstrip())
    if line.startswith("&", start):
        return _cut(line, start + 1, stop)
    text = plain(line[start:stop])
    simple = _NAME.fullmatch(text) is not None
    return Expression(f"*{text}" if simple else f"*({text})", start + 1, stop + 1)


def _arguments(line: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the arguments between two brackets lie."""
    found, depth, begin = [], 0, start
    for place in range(start, end):
        if line[place] in _OPEN:
            depth += 1
        elif line[place] in _CLOSE:
            depth -= 1
        elif line[place] == "," and depth == 0:
            found.append((begin, place))
            begin = place + 1
    return [*found, (begin, end)]
