"""Code actions: mend a finding, suppress a line's findings, read a rule's page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from lsprotocol import types

from drano.embedded.markers import is_python
from drano.lsp.answers.diagnostics import SOURCE
from drano.lsp.answers.proved_fixes import Fix
from drano.lsp.documents import Document
from drano.lsp.positions import Encoding, Text, units
from drano.model.finding import Finding
from drano.rules import RULES, CommentRule
from drano.triage.python_comments import lines_within_strings

SHOW_RULE = "drano.showRule"
FIX_ALL = "source.fixAll.drano"
REASON = "reason"
_EXISTING = re.compile(r"(?://|#)\s*drano:\s*ignore\[([^\]\n]*)\]")


def code_actions(
    diagnostics: Iterable[types.Diagnostic],
    fixes: Iterable[tuple[Finding, Fix]],
    wanted: types.Range,
    document: Document,
    encoding: Encoding,
    file: Callable[[str], Document],
) -> list[types.CodeAction]:
    """Actions for ours of the ``diagnostics`` that touch the ``wanted`` range; ``fixes``: edits
    that mend findings there; ``file``: another file, as the editor has it.
    """
    here = [
        d for d in diagnostics if d.source == SOURCE and d.code in RULES and _touch(d.range, wanted)
    ]
    actions = _mending(fixes, here, document, encoding, file)
    for line in sorted({d.range.start.line for d in here}):
        on_line = [d for d in here if d.range.start.line == line]
        codes = sorted({str(d.code) for d in on_line})
        for code in codes:
            if isinstance(RULES[code], CommentRule):
                continue
            of_code = [d for d in on_line if d.code == code]
            edit = suppress(document.text, line, code, encoding, document.path)
            if edit is not None:
                actions.append(_suppression(code, of_code, edit, document))
    return actions + [_explanation(code) for code in sorted({str(d.code) for d in here})]


def _mending(
    fixes: Iterable[tuple[Finding, Fix]],
    here: Sequence[types.Diagnostic],
    document: Document,
    encoding: Encoding,
    file: Callable[[str], Document],
) -> list[types.CodeAction]:
    """One action for each edit, with all diagnostics that it mends."""
    actions: dict[Fix, types.CodeAction] = {}
    for finding, fix in fixes:
        mended = [
            d
            for d in here
            if d.code == finding.rule and d.range.start.line + 1 == finding.location.span.line
        ]
        known = actions.get(fix)
        if known is not None:
            known.diagnostics = [*(known.diagnostics or ()), *mended]
            continue
        actions[fix] = types.CodeAction(
            title=f"drano: {fix.title} ({_promise(fix)})",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=mended,
            is_preferred=not fix.unsafe,
            edit=_fixing(fix, document, encoding, file),
        )
    return list(actions.values())


def fix_all(
    fix: Fix, document: Document, encoding: Encoding, file: Callable[[str], Document]
) -> types.CodeAction:
    """The action that makes all safe fixes at once."""
    edit = _fixing(fix, document, encoding, file)
    return types.CodeAction(title=f"drano: {fix.title}", kind=FIX_ALL, edit=edit)


def wants_quick_fixes(only: Sequence[str] | None) -> bool:
    """Whether a client asks for what mends single findings."""
    return only is None or any("quickfix".startswith(kind) for kind in only)


def wants_all(only: Sequence[str] | None) -> bool:
    """Whether a client asks for all fixes: by name, for what takes long is not done unasked."""
    return any(f"{FIX_ALL}.".startswith(f"{kind}.") for kind in only or () if kind)


def _fixing(
    fix: Fix, document: Document, encoding: Encoding, file: Callable[[str], Document]
) -> types.WorkspaceEdit:
    files = [(document, fix.edits), *((file(path), edits) for path, edits in fix.others)]
    return _edit(
        *(
            (
                one,
                [
                    types.TextEdit(_range(one.text, start, end, encoding), text)
                    for start, end, text in edits
                ],
            )
            for one, edits in files
            if edits
        )
    )


def _promise(fix: Fix) -> str:
    if fix.unsafe:
        return f"unsafe: {fix.unsafe}"
    return "verified: fixes this and makes nothing worse"


def _range(text: Text, start: int, end: int, encoding: Encoding) -> types.Range:
    return types.Range(
        types.Position(*text.position(start, encoding)),
        types.Position(*text.position(end, encoding)),
    )


def _edit(*files: tuple[Document, list[types.TextEdit]]) -> types.WorkspaceEdit:
    changes = [
        types.TextDocumentEdit(
            types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version),
            list(edits),
        )
        for document, edits in files
    ]
    return types.WorkspaceEdit(document_changes=list(changes))


def _explanation(code: str) -> types.CodeAction:
    return types.CodeAction(
        title=f"drano: what {code} {RULES[code].name} means",
        kind=types.CodeActionKind.QuickFix,
        command=types.Command(f"Explain {code}", SHOW_RULE, arguments=[code]),
    )


def _suppression(
    code: str,
    diagnostics: list[types.Diagnostic],
    edit: types.TextEdit,
    document: Document,
) -> types.CodeAction:
    return types.CodeAction(
        title=f"drano: ignore {code} on this line",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=diagnostics,
        edit=_edit((document, [edit])),
    )


def plain_edits(action: types.CodeAction) -> types.CodeAction:
    """For clients that know no versioned edits."""
    if action.edit is None or action.edit.document_changes is None:
        return action
    changes = {
        change.text_document.uri: [
            edit for edit in change.edits if isinstance(edit, types.TextEdit)
        ]
        for change in action.edit.document_changes
        if isinstance(change, types.TextDocumentEdit)
    }
    action.edit = types.WorkspaceEdit(changes=changes)
    return action


def suppress(
    text: Text, number: int, code: str, encoding: Encoding, path: str = ""
) -> types.TextEdit | None:
    """The edit that has ``code`` ignored on a line: a comment behind it, or the code added to the
    comment that is there; None in a macro's definition, where a comment would end it.
    """
    line = text.line(number)
    existing = _EXISTING.search(line)
    if existing is not None:
        place = units(line[: existing.end(1)], encoding)
        return _insert(number, place, f",{code}" if existing[1].strip() else code)
    comment = f"{_mark(text, number, path)} drano: ignore[{code}] {REASON}"
    stripped = line.rstrip()
    if stripped.endswith("\\"):
        return None
    edit = _insert(number, units(stripped, encoding), f"  {comment}")
    edit.range.end.character = units(line, encoding)
    return edit


def _mark(text: Text, number: int, path: str) -> str:
    """What a comment behind a line starts with: in Python it may be one of CUDA in a string."""
    if not is_python(path):
        return "//"
    content = text.source.encode("utf-8", "surrogateescape")
    return "//" if number + 1 in lines_within_strings(content) else "#"


def _insert(line: int, character: int, text: str) -> types.TextEdit:
    start, end = types.Position(line, character), types.Position(line, character)
    return types.TextEdit(types.Range(start, end), text)


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start.line <= other.end.line and other.start.line <= one.end.line
