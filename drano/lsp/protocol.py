"""pygls's protocol, without its own copy of the documents.

Its text store ends lines at form feeds and other characters that neither clang nor editors take
for line ends, so that edits behind one would land in the wrong place. Documents are kept by the
``session`` instead; the handlers get the notifications as they came.

A request that is not as the protocol has it is answered with an error; pygls only writes about it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from lsprotocol import types
from lsprotocol.types import ResponseError
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCNotification

Step = tuple[Callable[..., Any], tuple[Any, ...], None]


class DranoProtocol(LanguageServerProtocol):
    """See the module."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """What a message says; one that is answered here becomes a notification of no meaning."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            number = data.get("id")
            if "method" not in data or not isinstance(number, int | str):
                raise
            text = f"{data['method']}: not as the protocol has it"
            code = error.code or JsonRpcInvalidParams.CODE
            self._send_response(number, error=ResponseError(code=code, message=text))
            return JsonRPCNotification(jsonrpc=self.VERSION, method="$/refused", params=None)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(
        self, params: types.DidOpenTextDocumentParams
    ) -> Generator[Step, Any, None]:
        """A file was opened."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Generator[Step, Any, None]:
        """An open file was edited."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(
        self, params: types.DidCloseTextDocumentParams
    ) -> Generator[Step, Any, None]:
        """A file was closed."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None
