"""The language server's handlers: each takes the protocol's types apart, asks ``session``, and
answers with what the pure modules make of it. None of them waits for an analysis but the pull of
diagnostics and the code actions, which are coroutines.
"""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from drano.config.command_parser import UsageError
from drano.lsp.answers import code_actions as actions
from drano.lsp.answers import hover, lenses
from drano.lsp.answers.diagnostics import SOURCE, to_path, to_range
from drano.lsp.answers.rule_page_files import rule_uri
from drano.lsp.documents import Document, edited
from drano.lsp.language_server import DranoServer
from drano.lsp.positions import Encoding, Text, index_of_units
from drano.lsp.settings import CONFIG_NAMES, parse_shape
from drano.lsp.workspace import analyse_workspace
from drano.model.access import Access
from drano.rules import RULES

_WATCHED = (
    "**/*.{cu,cuh,cu.cc,cu.cpp,h,hpp,hh,inl,inc}",
    *(f"**/{name}" for name in sorted(CONFIG_NAMES)),
)


def build_server() -> DranoServer:
    """A server with all handlers, ready to be started."""
    server = DranoServer()
    _life_cycle(server)
    _documents(server)
    _features(server)
    _commands(server)
    return server


def _life_cycle(server: DranoServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: DranoServer, params: types.InitializeParams) -> None:
        ls.begin(params)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: DranoServer, _params: types.InitializedParams) -> None:
        ls.watch(_WATCHED)
        await ls.session.pool.warm_up()

    @server.feature(types.SHUTDOWN)
    async def shutdown(ls: DranoServer, _params: None) -> None:
        ls.ended = True
        await ls.session.close()

    @server.feature(types.EXIT)
    def leave(_ls: DranoServer, _params: None) -> None:
        # pygls leaves by SystemExit; over TCP out of a task, which asyncio would complain about.
        asyncio.get_running_loop().set_exception_handler(_all_but_leaving)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration(ls: DranoServer, params: types.DidChangeConfigurationParams) -> None:
        ls.configure(params.settings)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(ls: DranoServer, _params: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.take_folders()
        ls.session.reconfigure()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(ls: DranoServer, params: types.DidChangeWatchedFilesParams) -> None:
        ls.changed_on_disk([change.uri for change in params.changes])


def _all_but_leaving(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not isinstance(context.get("exception"), SystemExit):
        loop.default_exception_handler(context)


def _documents(server: DranoServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: DranoServer, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        path = to_path(item.uri)
        if path is not None:
            text = Text.of_client(item.text)
            ls.session.opened(Document(path, item.uri, item.version, text, item.language_id))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: DranoServer, params: types.DidChangeTextDocumentParams) -> None:
        document = ls.document(params.text_document.uri)
        if document is not None:
            text = edited(document.text, params.content_changes, ls.session.encoding)
            ls.session.changed(document.path, params.text_document.version, text)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: DranoServer, params: types.DidSaveTextDocumentParams) -> None:
        ls.saved(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: DranoServer, params: types.DidCloseTextDocumentParams) -> None:
        document = ls.document(params.text_document.uri)
        if document is not None:
            ls.session.closed(document.path)


def _features(server: DranoServer) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE
        ),
    )
    async def pull(
        ls: DranoServer, params: types.DocumentDiagnosticParams
    ) -> types.DocumentDiagnosticReport:
        document = ls.document(params.text_document.uri)
        if document is None:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        await ls.session.settled(document.path)
        return ls.pulled(document.path, params.previous_result_id)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(ls: DranoServer, params: types.HoverParams) -> types.Hover | None:
        document = ls.document(params.text_document.uri)
        if document is None:
            return None
        session, place = ls.session, params.position
        line = document.text.line(place.line)
        index = index_of_units(line, place.character, session.encoding)
        page = hover.suppression_page(line, index)
        if page:
            return ls.markdown(page)
        on_line = [
            access
            for access in session.accesses(document.path)
            if access.location.span.line == place.line + 1
        ]
        under = [a for a in on_line if _covers(a, document, place, session.encoding)]
        if not on_line:
            return None
        return ls.markdown(hover.access_page(under or on_line, session.marks(document.path)))

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(ls: DranoServer, params: types.InlayHintParams) -> list[types.InlayHint]:
        document = ls.document(params.text_document.uri)
        if document is None or not ls.session.settings.inlay_hints:
            return []
        accesses = ls.session.hinted(document.path)
        first, last = params.range.start.line, params.range.end.line
        return lenses.inlay_hints(accesses, document.text, first, last, ls.session.encoding)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def code_lenses(ls: DranoServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        document = ls.document(params.text_document.uri)
        if document is None or not ls.session.settings.code_lenses:
            return []
        kernels, findings = ls.session.kernels(document.path)
        return lenses.code_lenses(kernels, findings, document.path, document.uri)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, actions.FIX_ALL]),
    )
    async def code_actions(
        ls: DranoServer, params: types.CodeActionParams
    ) -> list[types.CodeAction]:
        document = ls.document(params.text_document.uri)
        if document is None:
            return []
        session, only = ls.session, params.context.only
        found = []
        if actions.wants_quick_fixes(only):
            first, last = params.range.start.line, params.range.end.line
            found = actions.code_actions(
                session.diagnostics(document.path),
                await session.fixes(document.path, first, last),
                params.range,
                document,
                session.encoding,
                session.file,
            )
        if actions.wants_all(only):
            await session.settled(document.path)
            whole = await session.fixed(document.path)
            if whole is not None:
                found.append(actions.fix_all(whole, document, session.encoding, session.file))
        return found if ls.versioned_edits else [actions.plain_edits(action) for action in found]


def _covers(access: Access, document: Document, place: types.Position, encoding: Encoding) -> bool:
    where = to_range(document.text, access.location.span, access.end_column, encoding)
    return where.start <= place <= where.end


def _commands(server: DranoServer) -> None:
    @server.command("drano.analyseWorkspace")
    async def workspace(ls: DranoServer) -> dict[str, int]:
        return await analyse_workspace(ls)

    @server.command("drano.applyBlockShape")
    def block_shape(ls: DranoServer, uri: str, kernel: str, shape: str) -> None:
        path = to_path(uri)
        try:
            parsed = parse_shape(shape) if shape.strip() else None
        except UsageError as error:
            ls.complain(str(error))
            return
        if path is not None:
            ls.session.set_shape(path, kernel, parsed)

    @server.command(actions.SHOW_RULE)
    async def show_rule(ls: DranoServer, code: str) -> str | None:
        if code not in RULES:
            ls.complain(f"{code}: no such rule")
            return None
        return await ls.show(rule_uri(code), RULES[code])
