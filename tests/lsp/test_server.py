"""The language server end to end: a real client, a real process, real analyses."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from drano.config import Config
from drano.driver import check_unit
from drano.finding import Finding
from tests.conftest import ROOT
from tests.lsp.editor import editing

BAD = "__global__ void k(float* a) {\n  a[2 * threadIdx.x] = 0;\n}\n"
GOOD = "__global__ void k(float* a) {\n  a[threadIdx.x] = 0;\n}\n"
BROKEN = "__global__ void k(float* a) {\n  a[2 * threadIdx.x] = 0;\n  b c\n}\n"


def findings(path: Path) -> list[Finding]:
    return list(check_unit(str(path), Config()).findings)


def codes(diagnostics: list[types.Diagnostic]) -> list[str]:
    return [str(diagnostic.code) for diagnostic in diagnostics]


def test_open_edit_break_repair_close(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(BAD)

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            (found,) = await editor.pushed(uri)
            assert (found.code, found.source) == ("DRN001", "drano")
            assert found.severity is types.DiagnosticSeverity.Warning
            assert found.range.start.line == 1
            assert found.code_description is not None
            assert found.code_description.href.startswith("https://")
            assert found.data["kernel"] == "k"

            # An unsaved edit counts, the file on the disk does not.
            version = editor.edit(uri, (1, 4), (1, 8), "")
            assert await editor.pushed(uri, version) == []
            version = editor.edit(uri, (1, 4), (1, 4), "2 * ")
            assert codes(await editor.pushed(uri, version)) == ["DRN001"]

            # Half-typed code: what was known stays, faded, where its line is now; one message.
            version = editor.replace(uri, "\n" + BROKEN)
            faded, message = await editor.pushed(uri, version)
            assert faded.severity is types.DiagnosticSeverity.Hint
            assert list(faded.tags or []) == [types.DiagnosticTag.Unnecessary]
            assert faded.range.start.line == 2
            assert message.severity is types.DiagnosticSeverity.Information
            assert message.code == "not-analysed"
            assert message.range.start.line == 3

            version = editor.replace(uri, GOOD)
            assert await editor.pushed(uri, version) == []
            editor.close(uri)
            await editor.until(lambda: editor.published[uri].version is None)
            assert editor.published[uri].diagnostics == []
            assert editor.messages == []

    asyncio.run(scenario())


@pytest.mark.parametrize("name", ["particles", "reduction"])
def test_diagnostics_are_those_of_check(name: str) -> None:
    path = ROOT / "examples" / f"{name}.cu"

    async def scenario() -> None:
        async with editing(path.parent) as editor:
            found = await editor.pushed(editor.open(path))
            assert [
                (d.code, d.range.start.line + 1, d.range.start.character + 1) for d in found
            ] == [(f.rule, f.location.span.line, f.location.span.column) for f in findings(path)]

    asyncio.run(scenario())
