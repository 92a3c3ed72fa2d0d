"""All texts of a report in other words: names of another language for what CUDA calls so."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from msgspec.structs import replace

from drano.model.span import Location, Span

T = TypeVar("T")


def renamed(value: T, say: Callable[[str], str]) -> T:
    """The value with ``say`` of each text in it, but for places: files and functions stay."""
    found: T = _renamed(value, say)
    return found


def _renamed(value: Any, say: Callable[[str], str]) -> Any:
    if type(value) is str:
        return say(value)
    if isinstance(value, tuple):
        return tuple(_renamed(part, say) for part in value)
    kind: Any = type(value)
    if isinstance(value, Span | Location) or not _fields(kind):
        return value
    changed = {name: _renamed(getattr(value, name), say) for name in _fields(kind)}
    return replace(value, **changed)


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return names
