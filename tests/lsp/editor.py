"""A real LSP client (pygls's) that speaks to a real ``drano lsp`` process over stdio or TCP."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from msgspec import Struct, field
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

from tests.conftest import ROOT
from tests.lsp.warm_server import SERVER
from tests.warm_cli import same_start

PATIENCE = 120.0


def uri_of(path: Path) -> str:
    uri = from_fs_path(str(path))
    assert uri is not None
    return uri


class Editor(Struct):
    """``published``: the last pushed diagnostics of each URI; ``pushes``: how many there were."""

    client: LanguageClient
    published: dict[str, types.PublishDiagnosticsParams] = field(default_factory=dict)
    pushes: int = 0
    messages: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    progress: list[Any] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    capabilities: types.ServerCapabilities | None = None

    @property
    def server_pid(self) -> int:
        process = self.client._server  # pygls's client has no other way to its process
        assert process is not None
        return int(process.pid)

    # --- files

    def open(self, path: Path, text: str | None = None, language: str = "cuda") -> str:
        """Open a file as editors do: with its text, or with ``text`` in its place."""
        uri = uri_of(path)
        content = path.read_bytes().decode("utf-8", "replace") if text is None else text
        self.versions[uri], self.texts[uri] = 1, content
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, content))
        )
        return uri

    def replace(self, uri: str, text: str) -> int:
        """Change the whole text; returns its version."""
        self.texts[uri] = text
        return self._changed(uri, [types.TextDocumentContentChangeWholeDocument(text)])

    def edit(self, uri: str, start: tuple[int, int], end: tuple[int, int], text: str) -> int:
        """Change a range; the caller keeps ``texts``."""
        where = types.Range(types.Position(*start), types.Position(*end))
        return self._changed(uri, [types.TextDocumentContentChangePartial(where, text)])

    def _changed(self, uri: str, changes: Sequence[types.TextDocumentContentChangeEvent]) -> int:
        self.versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(document, list(changes))
        )
        return self.versions[uri]

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri))
        )

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )

    # --- what the server says

    async def pushed(self, uri: str, version: int | None = None) -> list[types.Diagnostic]:
        """The diagnostics pushed for that version of the file; waits for them."""
        wanted = self.versions.get(uri) if version is None else version

        def there() -> bool:
            last = self.published.get(uri)
            return last is not None and last.version == wanted

        await self.until(there)
        return list(self.published[uri].diagnostics)

    async def until(self, condition: Any, patience: float = PATIENCE) -> None:
        """Waits until ``condition()`` holds after some notification."""

        async def wait() -> None:
            while not condition():
                self.changed.clear()
                await self.changed.wait()

        await asyncio.wait_for(wait(), patience)

    async def pull(self, uri: str, previous: str | None = None) -> types.DocumentDiagnosticReport:
        document = types.TextDocumentIdentifier(uri)
        params = types.DocumentDiagnosticParams(document, previous_result_id=previous)
        return await asyncio.wait_for(self.client.text_document_diagnostic_async(params), PATIENCE)

    async def hover(self, uri: str, line: int, character: int) -> str:
        document = types.TextDocumentIdentifier(uri)
        found = await self.client.text_document_hover_async(
            types.HoverParams(document, types.Position(line, character))
        )
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def actions(
        self, uri: str, line: int, only: Sequence[str] | None = None
    ) -> list[types.CodeAction | types.Command]:
        """What is offered for a line. lsprotocol reads any action with a command as a Command."""
        document = types.TextDocumentIdentifier(uri)
        where = types.Range(types.Position(line, 0), types.Position(line, 0))
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(document, where, types.CodeActionContext([], only))
        )
        return list(found or [])

    async def command(self, name: str, *arguments: Any) -> Any:
        params = types.ExecuteCommandParams(name, arguments=list(arguments))
        return await asyncio.wait_for(self.client.workspace_execute_command_async(params), PATIENCE)


def _listen(editor: Editor) -> None:
    client = editor.client

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: types.PublishDiagnosticsParams) -> None:
        editor.published[params.uri] = params
        editor.pushes += 1
        editor.changed.set()

    @client.feature(types.WINDOW_SHOW_MESSAGE)
    def message(params: types.ShowMessageParams) -> None:
        editor.messages.append(params.message)
        editor.changed.set()

    @client.feature(types.WINDOW_SHOW_DOCUMENT)
    def shown(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
        editor.shown.append(params.uri)
        return types.ShowDocumentResult(success=True)

    @client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
    def create(_params: types.WorkDoneProgressCreateParams) -> None:
        return None

    @client.feature(types.PROGRESS)
    def progress(params: types.ProgressParams) -> None:
        editor.progress.append(params)
        editor.changed.set()

    for method in (
        types.WORKSPACE_DIAGNOSTIC_REFRESH,
        types.WORKSPACE_INLAY_HINT_REFRESH,
        types.WORKSPACE_CODE_LENS_REFRESH,
        types.CLIENT_REGISTER_CAPABILITY,
    ):

        @client.feature(method)
        def accepted(_params: Any) -> None:
            return None


def capabilities(
    *, pull: bool = False, encodings: Sequence[str] = (), watch: bool = False
) -> types.ClientCapabilities:
    """A client that can do most; ``pull``: diagnostics, too."""
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=list(encodings) or None),
        text_document=types.TextDocumentClientCapabilities(
            diagnostic=types.DiagnosticClientCapabilities() if pull else None,
        ),
        window=types.WindowClientCapabilities(
            work_done_progress=True,
            show_document=types.ShowDocumentClientCapabilities(support=True),
        ),
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=watch
            ),
        ),
    )


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _connected(client: LanguageClient, port: int) -> None:
    """Returns when the server has come to listen."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            await client.start_tcp("127.0.0.1", port)
        except OSError:
            assert time.monotonic() < end, "the server does not listen"
            await asyncio.sleep(0.1)
        else:
            return


@asynccontextmanager
async def editing(
    folder: Path,
    client: types.ClientCapabilities | None = None,
    options: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
    port: int | None = None,
    cold: bool = False,
) -> AsyncIterator[Editor]:
    """An editor on ``folder`` with a server of its own; both have ended well afterwards.

    ``port``: they speak over that TCP port, not over stdin and stdout; ``cold``: the process that
    is started is to be the server itself.
    """
    editor = Editor(LanguageClient("drano-tests", "1"))
    _listen(editor)
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    env = {**os.environ, "PYTHONPATH": path, **(environment or {})}
    command = [sys.executable, "-m", "drano", "lsp"]
    if port is None and not cold and same_start(env):
        command = SERVER.command("lsp")
    process: asyncio.subprocess.Process | None
    if port is None:
        await editor.client.start_io(*command, cwd=str(folder), env=env)
        process = editor.client._server
    else:
        process = await asyncio.create_subprocess_exec(
            *command,
            "--tcp",
            f"127.0.0.1:{port}",
            cwd=str(folder),
            env=env,
            stderr=asyncio.subprocess.PIPE,
        )
        await _connected(editor.client, port)
    uri = uri_of(folder)
    result = await asyncio.wait_for(
        editor.client.initialize_async(
            types.InitializeParams(
                client or capabilities(),
                process_id=os.getpid(),
                root_uri=uri,
                workspace_folders=[types.WorkspaceFolder(uri, folder.name)],
                initialization_options=options,
            )
        ),
        PATIENCE,
    )
    editor.capabilities = result.capabilities
    editor.client.initialized(types.InitializedParams())
    yield editor
    await asyncio.wait_for(editor.client.shutdown_async(None), PATIENCE)
    editor.client.exit(None)
    assert process is not None
    if port is not None and process.stderr is not None:
        assert b"Traceback" not in await asyncio.wait_for(process.stderr.read(), PATIENCE)
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
