"""What was found in an embedded text, at the places of the Python source around it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, TypeVar

from msgspec.structs import replace

from drano.embedded.traced import Placed
from drano.model.span import Location, Span

Value = TypeVar("Value")
_COLUMNS = ("start_column", "end_column")
_LINE = re.compile(r"\bline (\d+)\b")


def moved(value: Value, path: str, text: Placed) -> Value:
    """``value`` (structs, tuples of them) with all places in the file ``path`` moved from
    ``text`` to the Python source, and lines that messages name.
    """
    if text.segments is None:
        return value
    result: Value = _moved(value, path, text)
    return result


def _moved(value: Any, path: str, text: Placed) -> Any:
    if isinstance(value, Span):
        if value.path != path:
            return value
        return Span(path, *text.place(value.line, value.column))
    if isinstance(value, tuple):
        return tuple(_moved(item, path, text) for item in value)
    if type(value) is str:
        return _LINE.sub(lambda match: f"line {text.place(int(match[1]), 0)[0]}", value)
    kind: Any = type(value)
    names = _fields(kind)
    if not names:
        return value
    changed = {name: _moved(getattr(value, name), path, text) for name in names}
    if "line" in changed and value.path == path:  # a message of the compiler's
        place = text.place(value.line, changed.get("column", 0))
        changed |= dict(zip(("line", "column"), place[: 1 + ("column" in changed)], strict=False))
    location = changed.get("location")
    if isinstance(location, Location) and location.span.path == path:
        line = value.location.span.line
        for name in _COLUMNS:
            if changed.get(name):
                changed[name] = _end(text, line, changed[name])
    return replace(value, **changed)


def _end(text: Placed, line: int, column: int) -> int:
    """A column just behind something, or where it starts: as that of the character before."""
    before = text.place(line, column - 1)[1] + 1 if column > 1 else 1
    here = text.place(line, column)[1]
    return here if here >= before else before


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return names
