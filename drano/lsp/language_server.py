"""The server as the session's client: what it knows of the editor, and how it speaks to it.

Diagnostics of open files are pulled by clients that can pull, and pushed to the others; those of
files that are not open are pushed to all.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from drano.config.command_parser import UsageError
from drano.lsp.answers.diagnostics import to_path, to_uri
from drano.lsp.documents import Document
from drano.lsp.positions import Encoding
from drano.lsp.protocol import DranoProtocol
from drano.lsp.session import Session
from drano.lsp.settings import CONFIG_NAMES, Settings
from drano.rules import Rule
from drano.support.own_failures import internal_error
from drano.support.version import VERSION

STATUS = "drano/status"

log = logging.getLogger(__name__)


class DranoServer(LanguageServer):
    """One connection. ``session``: all state but what was last said about each file.

    ``ended``: whether the client has asked for the end.
    """

    def __init__(self) -> None:
        super().__init__(
            "drano",
            VERSION,
            types.TextDocumentSyncKind.Incremental,
            protocol_cls=DranoProtocol,
        )
        self.session = Session(self)
        self.ended = False
        self._pushed: set[str] = set()
        self._busy = False
        self._results: dict[str, tuple[str, str]] = {}
        self._count = 0

    # --- the beginning

    def begin(self, params: types.InitializeParams) -> None:
        """Take what the client says of itself."""
        capabilities = params.capabilities
        chosen = get_capability(capabilities, "general.position_encodings") or []
        known = [Encoding(kind) for kind in chosen if kind in set(Encoding)]
        self.session.encoding = known[0] if known else Encoding.UTF16
        self.take_folders()
        self.configure(params.initialization_options)

    def take_folders(self) -> None:
        """The workspace's folders on this machine."""
        workspace = self.workspace
        uris = [folder.uri for folder in workspace.folders.values()]
        paths = [to_path(uri) for uri in uris or filter(None, [workspace.root_uri])]
        self.session.folders = tuple(path for path in paths if path is not None)

    def configure(self, given: Any) -> None:
        """New settings; those that cannot be used are complained of, and the old ones stay."""
        if not given:
            return
        try:
            self.session.reconfigure(Settings.of_client(given))
        except UsageError as error:
            self.complain(f"drano: {error}")

    def watch(self, patterns: Sequence[str]) -> None:
        """Have the client watch files, where it can."""
        if not self._can("workspace.did_change_watched_files.dynamic_registration"):
            return
        watchers = [types.FileSystemWatcher(pattern) for pattern in patterns]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        registration = types.Registration("drano-files", method, options)
        self.client_register_capability(types.RegistrationParams([registration]))

    # --- files

    def document(self, uri: str) -> Document | None:
        """The open file of that URI."""
        path = to_path(uri)
        return self.session.documents.get(path) if path is not None else None

    def saved(self, uri: str) -> None:
        """For clients that watch no files, saving one is a change on the disk, too."""
        document = self.document(uri)
        if document is not None:
            self.session.saved(document.path)
        if not self._can("workspace.did_change_watched_files.dynamic_registration"):
            self.changed_on_disk([uri])

    def changed_on_disk(self, uris: Sequence[str]) -> None:
        """Settings files have everything analysed again, sources what includes them."""
        paths = [path for path in map(to_path, uris) if path is not None]
        if any(Path(path).name in CONFIG_NAMES for path in paths):
            self.session.reconfigure()
        else:
            self.session.touched(paths)

    # --- what the session has to say

    def publish(self, path: str) -> None:
        """Push what is said about a file, or have the client pull it."""
        document = self.session.documents.get(path)
        diagnostics = self.session.diagnostics(path)
        if document is not None and self.pulls:
            if path in self._pushed:
                self._push(path, document, [])
            self._refresh(diagnostics=True)
            return
        if document is None:
            self._results.pop(path, None)
        if diagnostics or document is not None or path in self._pushed:
            self._push(path, document, diagnostics)
        if document is not None:
            self._refresh(diagnostics=False)

    def _push(
        self, path: str, document: Document | None, diagnostics: list[types.Diagnostic]
    ) -> None:
        if diagnostics or (document is not None and not self.pulls):
            self._pushed.add(path)
        else:
            self._pushed.discard(path)
        uri = document.uri if document is not None else to_uri(path)
        version = document.version if document is not None else None
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, diagnostics, version)
        )

    def pulled(self, path: str, previous: str | None) -> types.DocumentDiagnosticReport:
        """The answer to a pull; "unchanged" when the client has it already."""
        items = self.session.diagnostics(path)
        content = repr(items)
        known = self._results.get(path)
        if known is not None and known[1] == content:
            if previous == known[0]:
                return types.RelatedUnchangedDocumentDiagnosticReport(result_id=known[0])
            result = known[0]
        else:
            self._count += 1
            result = str(self._count)
            self._results[path] = (result, content)
        return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=result)

    def working(self, busy: bool) -> None:
        """A notification of our own, for status bars; others ignore it."""
        if self.session.settings.status and busy != self._busy:
            self._busy = busy
            self.protocol.notify(STATUS, {"busy": busy})

    def _refresh(self, *, diagnostics: bool) -> None:
        """Have the client ask again for what belongs to the last analysis."""
        if diagnostics and self._can("workspace.diagnostics.refresh_support"):
            self.workspace_diagnostic_refresh(None)
        if self._can("workspace.inlay_hint.refresh_support"):
            self.workspace_inlay_hint_refresh(None)
        if self._can("workspace.code_lens.refresh_support"):
            self.workspace_code_lens_refresh(None)

    # --- the editor

    @property
    def pulls(self) -> bool:
        """Whether the client pulls diagnostics: then it would show pushed ones twice."""
        return self._can("text_document.diagnostic")

    @property
    def versioned_edits(self) -> bool:
        """Whether the client takes edits that name the version they are for."""
        return self._can("workspace.workspace_edit.document_changes")

    def _can(self, capability: str) -> bool:
        return bool(get_capability(self.client_capabilities, capability, False))

    def markdown(self, text: str) -> types.Hover:
        """Markdown, or the same as plain text where the client shows only that."""
        formats = get_capability(self.client_capabilities, "text_document.hover.content_format")
        kind = types.MarkupKind.Markdown
        if formats and kind not in formats:
            kind = types.MarkupKind.PlainText
        return types.Hover(types.MarkupContent(kind, text))

    def complain(self, message: str) -> None:
        """One message for the user."""
        self.window_show_message(
            types.ShowMessageParams(type=types.MessageType.Error, message=message)
        )

    async def show(self, uri: str, rule: Rule) -> str | None:
        """Open a rule's page in the editor; where it cannot, give the summary and the text."""
        if self._can("window.show_document.support"):
            with contextlib.suppress(JsonRpcException):
                shown = await self.window_show_document_async(
                    types.ShowDocumentParams(uri, take_focus=True)
                )
                if shown.success:
                    return None
        message = f"{rule.code} {rule.name}: {rule.summary}"
        self.window_show_message(
            types.ShowMessageParams(type=types.MessageType.Info, message=message)
        )
        return rule.page

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A defect of ours goes to the log; it does not interrupt the user's work."""
        log.error("%s", internal_error(error))
