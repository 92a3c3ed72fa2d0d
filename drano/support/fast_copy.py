"""Frozen dataclasses made again from their values, quicker than the standard library does it.

``dataclasses.replace`` and the pickling of classes with slots look at each field of each object;
here that is done once for a class.
Limits: classes whose fields are all set by their constructors; others are pickled as ever.
"""

from __future__ import annotations

import dataclasses
import io
import pickle
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def substitute(record: T, changes: Mapping[str, object]) -> T:
    """``dataclasses.replace(record, **changes)``."""
    names, values = _parts(type(record))
    now: dict[str, Any] = dict(zip(names, values(record), strict=True))
    now.update(changes)
    return type(record)(**now)


def dumps(value: object) -> bytes:
    """A pickle of ``value``; ``pickle.loads`` reads it."""
    stream = io.BytesIO()
    _Pickler(stream, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    return stream.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Called for all that is not of a basic type."""
        kind = type(value)
        if not _by_constructor(kind):
            return NotImplemented
        return kind, _parts(kind)[1](value)


_PARTS: dict[type, tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]] = {}
_BY_CONSTRUCTOR: dict[type, bool] = {}


def _parts(kind: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Names of the fields, and what gets all their values."""
    known = _PARTS.get(kind)
    if known is None:
        names = tuple(field.name for field in dataclasses.fields(kind))
        several = attrgetter(*names) if len(names) > 1 else None
        known = _PARTS[kind] = (names, several or (lambda record: _each(record, names)))
    return known


def _each(record: object, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(getattr(record, name) for name in names)


def _by_constructor(kind: type) -> bool:
    """Whether the values by position are what the constructor takes, and all there is."""
    known = _BY_CONSTRUCTOR.get(kind)
    if known is None:
        known = _BY_CONSTRUCTOR[kind] = (
            dataclasses.is_dataclass(kind)
            and not hasattr(kind, "__post_init__")
            and kind.__dictoffset__ == 0
            and all(field.init and not field.kw_only for field in dataclasses.fields(kind))
        )
    return known
