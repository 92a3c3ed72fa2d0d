"""The language server end to end: a real client, a real process, real analyses."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from lsprotocol import types

from tests.confirm.test_judge import ptx
from tests.conftest import ROOT
from tests.lsp.editor import capabilities, editing, free_port, uri_of
from tests.lsp.server_sources import BAD, BROKEN, GOOD, codes, findings


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
            assert not editor.published[uri].diagnostics
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


LINES = [
    "__global__ void k(float* a) {",
    '  const char* s = "é😀"; a[2 * threadIdx.x] = s[0];',
    "}",
    "",
]


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)])
def test_columns_are_in_the_negotiated_units(tmp_path: Path, encoding: str, units: int) -> None:
    path = tmp_path / "k.cu"
    path.write_text("\r\n".join(LINES), newline="")
    column = LINES[1].index("a[") - len("é😀") + units
    client = capabilities(encodings=[encoding])

    async def scenario() -> None:
        async with editing(tmp_path, client) as editor:
            assert editor.capabilities is not None
            assert editor.capabilities.position_encoding == encoding
            uri = editor.open(path)
            (found,) = await editor.pushed(uri)
            assert (found.range.start.line, found.range.start.character) == (1, column)
            # What stands behind the wide characters is replaced where the editor says.
            start = LINES[1].index("2") - len("é😀") + units
            version = editor.edit(uri, (1, start), (1, start + 4), "")
            assert await editor.pushed(uri, version) == []

    asyncio.run(scenario())


def test_pull(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(BAD)

    async def scenario() -> None:
        async with editing(tmp_path, capabilities(pull=True)) as editor:
            assert editor.capabilities is not None
            provider = editor.capabilities.diagnostic_provider
            assert isinstance(provider, types.DiagnosticOptions)
            assert provider.inter_file_dependencies
            uri = editor.open(path)
            full = await editor.pull(uri)
            assert isinstance(full, types.RelatedFullDocumentDiagnosticReport)
            assert codes(list(full.items)) == ["DRN001"]
            again = await editor.pull(uri, full.result_id)
            assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
            # A pull right after an edit answers for the edited text.
            editor.replace(uri, GOOD)
            empty = await editor.pull(uri, full.result_id)
            assert isinstance(empty, types.RelatedFullDocumentDiagnosticReport)
            assert list(empty.items) == []
            assert editor.pushes == 0

    asyncio.run(scenario())


def test_hover_hints_lenses_and_actions(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(BAD + "int main() { k<<<1, 64>>>(nullptr); }\n")

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            await editor.pushed(uri)
            document = types.TextDocumentIdentifier(uri)
            page = await editor.hover(uri, 1, 4)
            assert page.startswith("**Uncoalesced** global store, 4 bytes, in `k`")
            assert "where 4 would do" in page
            assert "| lane | +0 |" in page
            assert "`64 threads`" in page
            assert await editor.hover(uri, 0, 3) == ""

            everything = types.Range(types.Position(0, 0), types.Position(99, 0))
            hints = await editor.client.text_document_inlay_hint_async(
                types.InlayHintParams(document, everything)
            )
            assert [(h.position.line, h.label) for h in hints or []] == [(1, "8 sectors/req")]

            lenses = await editor.client.text_document_code_lens_async(
                types.CodeLensParams(document)
            )
            titles = [lens.command.title for lens in lenses or [] if lens.command]
            assert titles == ["1 finding, worst 2.0x", "blocks of 64 threads"]

            ignore, explain = await editor.actions(uri, 1)
            assert isinstance(ignore, types.CodeAction) and ignore.edit is not None
            assert ignore.edit.document_changes is not None
            (change,) = ignore.edit.document_changes
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.version == 1
            (edit,) = change.edits
            assert isinstance(edit, types.TextEdit)
            assert edit.new_text == "  // drano: ignore[DRN001] reason"
            start, end = edit.range.start, edit.range.end
            version = editor.edit(
                uri, (start.line, start.character), (end.line, end.character), edit.new_text
            )
            assert await editor.pushed(uri, version) == []
            page = await editor.hover(uri, 1, 40)
            assert page.startswith("# DRN001 uncoalesced-access")

            assert explain.title == "drano: what DRN001 uncoalesced-access means"
            await editor.command("drano.showRule", "DRN001")
            (shown,) = editor.shown
            assert shown.startswith("file://") and "DRN001" in shown

    asyncio.run(scenario())


INSTANCES = """\
template <typename T> __global__ void twice(T* a) {
  a[threadIdx.x * 2] = T(0);
}
int main() {
  twice<<<1, 64>>>((float*)nullptr);
  twice<<<1, 64>>>((short*)nullptr);
}
"""


def test_instances_are_shown_once_and_hints_outlive_a_syntax_error(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(INSTANCES)

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            assert codes(await editor.pushed(uri)) == ["DRN001"]
            document = types.TextDocumentIdentifier(uri)
            lenses = await editor.client.text_document_code_lens_async(
                types.CodeLensParams(document)
            )
            titles = [lens.command.title for lens in lenses or [] if lens.command]
            assert titles == ["2 instances: 1 finding, worst 2.0x", "blocks of 64 threads"]

            async def hints() -> list[tuple[int, object]]:
                everything = types.Range(types.Position(0, 0), types.Position(99, 0))
                asked = types.InlayHintParams(document, everything)
                found = await editor.client.text_document_inlay_hint_async(asked)
                return [(hint.position.line, hint.label) for hint in found or []]

            assert await hints() == [(1, "8 sectors/req")]
            version = editor.edit(uri, (0, 0), (0, 0), "int half_a_line(\n")
            await editor.pushed(uri, version)
            assert await hints() == [(2, "8 sectors/req")]

    asyncio.run(scenario())


def test_a_block_shape_for_one_kernel(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(float* a, int w) {\n  a[threadIdx.y * 4096 + threadIdx.x] = 0;\n}\n"
    )

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            assert await editor.pushed(uri) == []
            pushes = editor.pushes
            await editor.command("drano.applyBlockShape", uri, "k", "4,64")
            await editor.until(lambda: editor.pushes > pushes)
            assert codes(list(editor.published[uri].diagnostics)) == ["DRN001"]
            await editor.command("drano.applyBlockShape", uri, "k", "4096")
            await editor.until(lambda: bool(editor.messages))
            assert "1024" in editor.messages[0]

    asyncio.run(scenario())


def test_the_call_path_is_related_information(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__device__ void put(float* a, int i) {\n  a[i] = 0;\n}\n"
        "__global__ void k(float* a) {\n  put(a, 2 * threadIdx.x);\n}\n"
    )

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            (found,) = await editor.pushed(uri)
            related = [(r.location.range.start.line, r.message) for r in found.related_information]
            assert found.range.start.line == 1
            assert (4, "called by k here") in related

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("drano.toml", 'ignore = ["DRN001"]\n'),
        ("pyproject.toml", '[tool.drano]\nignore = ["DRN001"]\n'),
    ],
)
def test_a_configuration_file_counts_at_once(tmp_path: Path, name: str, text: str) -> None:
    path, settings = tmp_path / "k.cu", tmp_path / name
    path.write_text(BAD)

    async def scenario() -> None:
        async with editing(tmp_path, capabilities(watch=True)) as editor:
            uri = editor.open(path)
            assert codes(await editor.pushed(uri)) == ["DRN001"]

            def changed(how: types.FileChangeType) -> None:
                event = types.FileEvent(uri_of(settings), how)
                editor.client.workspace_did_change_watched_files(
                    types.DidChangeWatchedFilesParams([event])
                )

            settings.write_text(text)
            changed(types.FileChangeType.Created)
            await editor.until(lambda: not editor.published[uri].diagnostics)
            # One that cannot be used is told of in one message, and the findings fade.
            settings.write_text(text.replace("ignore =", "ingore ="))
            changed(types.FileChangeType.Changed)
            await editor.until(lambda: bool(editor.published[uri].diagnostics))
            assert "ingore" in editor.published[uri].diagnostics[-1].message
            settings.unlink()
            changed(types.FileChangeType.Deleted)
            await editor.until(lambda: codes(list(editor.published[uri].diagnostics)) == ["DRN001"])

    asyncio.run(scenario())


def test_over_tcp(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(BAD)

    async def scenario() -> None:
        async with editing(tmp_path, port=free_port()) as editor:
            assert codes(await editor.pushed(editor.open(path))) == ["DRN001"]

    asyncio.run(scenario())


def test_workspace_with_progress_and_cancel(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"k{number}.cu").write_text(BAD)

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            counts = await editor.command("drano.analyseWorkspace")
            assert counts == {"files": 6, "failed": 0, "findings": 6}
            assert len(editor.published) == 6
            kinds = [p.value["kind"] for p in editor.progress]
            assert kinds[0] == "begin" and kinds[-1] == "end"
            assert kinds.count("report") == 6

            editor.progress.clear()
            running = asyncio.ensure_future(editor.command("drano.analyseWorkspace"))
            await editor.until(lambda: bool(editor.progress))
            token = editor.progress[0].token
            editor.client.window_work_done_progress_cancel(
                types.WorkDoneProgressCancelParams(token)
            )
            assert (await running)["files"] < 6

    asyncio.run(scenario())


def test_settings_and_their_files(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("#ifdef WIDE\n" + BAD + "#else\n" + GOOD + "#endif\n")

    async def scenario() -> None:
        options = {"arguments": ["-DWIDE", "--ignore", "DRN001"], "debounce": 10}
        async with editing(tmp_path, options=options) as editor:
            uri = editor.open(path)
            assert await editor.pushed(uri) == []

            def configure(arguments: list[str]) -> None:
                editor.client.workspace_did_change_configuration(
                    types.DidChangeConfigurationParams({"drano": {"arguments": arguments}})
                )

            configure(["-DWIDE"])
            await editor.until(lambda: bool(editor.published[uri].diagnostics))
            configure(["--block", "nonsense"])
            await editor.until(lambda: bool(editor.messages))
            assert "nonsense" in editor.messages[0]
            configure([])
            await editor.until(lambda: not editor.published[uri].diagnostics)

            # A compilation database that appears in the workspace is used.
            (tmp_path / "compile_commands.json").write_text(
                '[{"file": "k.cu", "directory": ".", "command": "nvcc -DWIDE -c k.cu"}]'
            )
            editor.save(uri_of(tmp_path / "compile_commands.json"))
            await editor.until(lambda: bool(editor.published[uri].diagnostics))

    asyncio.run(scenario())


def test_cuda_in_the_strings_of_a_python_source(tmp_path: Path) -> None:
    path = tmp_path / "k.py"
    path.write_text(f'k = RawKernel(r"""\n{BAD}""", "k")  # é\n', encoding="utf-8")

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            (found,) = await editor.pushed(uri)
            assert (found.code, found.range.start.line) == ("DRN001", 2)
            assert (found.range.start.character, found.range.end.character) == (2, 20)
            version = editor.edit(uri, (2, 4), (2, 8), "")
            assert await editor.pushed(uri, version) == []
            version = editor.replace(uri, "k = RawKernel('__global__ void k( { }', 'k')\n")
            (message,) = await editor.pushed(uri, version)
            assert message.code == "not-analysed"
            version = editor.replace(uri, "print('nothing of CUDA')\n")
            assert await editor.pushed(uri, version) == []

    asyncio.run(scenario())


def test_hover_tells_what_compiled_code_says(tmp_path: Path) -> None:
    """Of a saved text only: lines of code that was built of another one have other numbers."""
    source, made = tmp_path / "a.cu", tmp_path / "a.ptx"
    source.write_text(
        'extern "C" __global__ void k(float* out, const float* p) {\n'
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  out[i] = p[4 * i];\n"
        "}\n"
    )
    load, store = "ld.global.f32 %f1, [%rd1];", "st.global.f32 [%rd2], %f1;"
    made.write_text(ptx(source, "k", ".loc 1 3 3", load, store))
    command = ["nvcc", "-ptx", "-lineinfo", "a.cu", "-o", "a.ptx"]
    entry = {"directory": str(tmp_path), "file": "a.cu", "arguments": command}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(source)
            await editor.pushed(uri)
            page = await editor.hover(uri, 2, 12)
            assert "*confirmed*: a.ptx has 1 load of 4 bytes here" in page
            version = editor.edit(uri, (0, 0), (0, 0), "\n")
            await editor.pushed(uri, version)
            page = await editor.hover(uri, 3, 12)
            assert page.startswith("**Uncoalesced**") and "confirmed" not in page

    asyncio.run(scenario())
