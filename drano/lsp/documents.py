"""Open files, as the editor has them."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types
from msgspec import Struct

from drano.lsp.positions import Encoding, Text


class Document(Struct):
    """An open file, as the editor has it; ``unsaved``: edited since it was opened or saved."""

    path: str
    uri: str
    version: int | None
    text: Text
    language: str = ""
    unsaved: bool = False


def edited(
    text: Text, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: Encoding
) -> Text:
    """The text after the changes of one notification, in their order."""
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = change.range.start, change.range.end
            text = text.replaced(
                (start.line, start.character), (end.line, end.character), change.text, encoding
            )
        else:
            text = Text.of_client(change.text)
    return text
