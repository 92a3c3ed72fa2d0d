"""The header of a ``.proto`` file of a repository, with those of all that it imports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from drano.frontend.headers.protobuf.cpp import Named, header_name, header_of, types_of
from drano.frontend.headers.protobuf.schema import NotProtoError, Schema, schema_of
from drano.support.regular_files import regular_or_empty

_MAX_BYTES: Final = 4 << 20
_MOST_FILES: Final = 500


def made_headers(name: str, find: Callable[[str], str | None]) -> tuple[dict[str, str], list[str]]:
    """Texts by the headers' names, and the files that they are made of; nothing where ``name`` is
    not among them.

    ``find``: the file of the repository that an import means. Of hostile repositories no more than
    ``_MAX_BYTES`` are read.
    """
    schemas: dict[str, Schema] = {}
    files: list[str] = []
    waiting = [f"{name.removesuffix('.pb.h')}.proto"]
    left = _MAX_BYTES
    while waiting and len(files) < _MOST_FILES and left > 0:
        path = waiting.pop()
        file = find(path) if path not in schemas else None
        if file is None:
            continue
        text = regular_or_empty(Path(file), left).decode("utf-8", "replace")
        left -= len(text)
        try:
            schemas[path] = schema_of(text)
        except NotProtoError:
            continue
        files.append(file)
        waiting += schemas[path].imports
    schemas = {path: replace(s, imports=_among(s.imports, schemas)) for path, s in schemas.items()}
    types: dict[str, Named] = {}
    for schema in schemas.values():
        types |= types_of(schema)
    made = {header_name(path): header_of(path, schema, types) for path, schema in schemas.items()}
    return (made, files) if name in made else ({}, [])


def _among(imports: tuple[str, ...], schemas: dict[str, Schema]) -> tuple[str, ...]:
    return tuple(path for path in imports if path in schemas)
