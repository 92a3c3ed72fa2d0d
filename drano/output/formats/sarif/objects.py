"""Objects of ``sarif_om`` as JSON."""

from __future__ import annotations

from typing import Any

import sarif_om as om

Json = dict[str, Any]

# Said even where they are the format's defaults: readers differ in which ones they know.
_ALWAYS = frozenset({"level", "version"})


def plain(value: Any) -> Any:
    """``sarif_om`` objects as dicts, without what is absent or at the format's default."""
    fields = getattr(type(value), "__attrs_attrs__", None)
    if fields is not None:
        named = [(f, getattr(value, f.name)) for f in fields]
        return {
            field.metadata["schema_property_name"]: plain(item)
            for field, item in named
            if item is not None and (item != field.default or field.name in _ALWAYS)
        }
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def message(text: str) -> Any:
    """A text where the format wants a message."""
    return om.Message(text=text)
