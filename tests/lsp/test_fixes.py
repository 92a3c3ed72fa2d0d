"""Edits that mend findings: offered where an analysis proves them, and only where they keep the
result.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from drano.lsp.answers.proved_fixes import Fix, fixes_for, proved
from drano.model.report import FileReport
from drano.model.settings import Config
from drano.run.driver import check
from tests.lsp.editor import editing, uri_of
from tests.warm_cli import main

PADDED = """__global__ void k(float* out) {
  __shared__ float tile[32][32];  // é😀
  for (int j = 0; j < 32; j++) tile[j][threadIdx.x] = out[j * 32 + threadIdx.x];
  __syncthreads();
  for (int j = 0; j < 32; j++) out[j * 32 + threadIdx.x] = tile[threadIdx.x][j] + 1;
}
int main() { k<<<1, 32>>>(nullptr); }
"""
KERNEL = """__global__ void k(float* a, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;  // threadIdx.x: rows, é😀
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n) a[row * 4096 + col] += 1;
}
"""
LAUNCH = "int main() { k<<<dim3(8, 8), dim3(32, 32)>>>(nullptr, 256); }\n"
SOURCE = KERNEL + LAUNCH


def analysed(text: str) -> FileReport:
    (report,) = check(["/k.cu"], Config(), texts={"/k.cu": text}).files
    assert report.status == "ok", report.diagnostics
    return report


def offered(text: str, *headers: bytes) -> list[Fix]:
    """What is proved for the first finding."""
    before = analysed(text)
    finding = next(f for f in before.findings if f.counts)
    return [
        fix
        for fix in fixes_for(finding, before, text, headers)
        if proved(finding, before, analysed(fix.applied(text)))
    ]


def test_roles_are_swapped_in_square_blocks() -> None:
    (fix,) = offered(SOURCE)
    assert fix.title == "swap threadIdx.x and threadIdx.y in k"
    wanted = SOURCE.replace("+ threadIdx.x", "+ threadIdx.?").replace(
        "+ threadIdx.y", "+ threadIdx.x"
    )
    assert fix.applied(SOURCE) == wanted.replace("?", "y")


@pytest.mark.parametrize(
    "text",
    [
        SOURCE.replace("dim3(32, 32)", "dim3(32, 8)"),  # other threads would be missing
        KERNEL + "__global__ void other(float* a) {}\n",  # no launch is known
        SOURCE + "void f(int n) { k<<<1, dim3(n, 8)>>>(nullptr, 8); }\n",
        SOURCE.replace("{\n", "{\n  __shfl_sync(~0u, n, 0);\n", 1),  # lanes are other threads
        SOURCE.replace("{\n", "{\n  uint3 t = threadIdx;\n", 1),
        "#define COL threadIdx.y\n" + SOURCE.replace("+ threadIdx.y", "+ COL"),
        # The other access would get worse.
        SOURCE.replace("+= 1", "+= a[col * 4096 + row]"),
    ],
)
def test_no_swap_where_it_proves_nothing_or_changes_the_result(text: str) -> None:
    assert offered(text) == []


def test_no_swap_where_a_header_knows_the_index() -> None:
    assert offered(SOURCE, b"int x = threadIdx.x;") == []
    assert offered(SOURCE, b"int x = 1;") != []


GOOD = "__global__ void k(float* a) {\n  a[threadIdx.x] = 0;  // drano: ignore[DRN001] é why\n}\n"


def test_an_unused_suppression_is_removed() -> None:
    (fix,) = offered(GOOD)
    assert fix.applied(GOOD).splitlines()[1] == "  a[threadIdx.x] = 0;"
    bad = GOOD.replace("threadIdx.x", "2 * threadIdx.x").replace("DRN001", "DRN003, DRN001")
    (fix,) = offered(bad)
    assert fix.title == "remove DRN003 from this comment"
    assert "// drano: ignore[DRN001] é why" in fix.applied(bad)


def test_in_the_editor(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE, encoding="utf-8")

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            assert await editor.pushed(uri) != []
            first, *others = await editor.actions(uri, 3)
            while "swap" not in first.title:  # a busy machine proves it a little later
                first, *others = await editor.actions(uri, 3)
            assert isinstance(first, types.CodeAction) and first.edit is not None
            assert first.title.startswith("drano: swap threadIdx.x and threadIdx.y in k (")
            assert first.is_preferred and len(first.diagnostics or []) >= 1
            assert all("ignore" in o.title or "means" in o.title for o in others)
            assert first.edit.document_changes is not None
            (change,) = first.edit.document_changes
            assert isinstance(change, types.TextDocumentEdit)
            for edit in reversed(change.edits):
                assert isinstance(edit, types.TextEdit)
                start, end = edit.range.start, edit.range.end
                place = (start.line, start.character), (end.line, end.character)
                version = editor.edit(uri, *place, edit.new_text)
            assert await editor.pushed(uri, version) == []
            assert await editor.actions(uri, 3) == []

    asyncio.run(scenario())


def test_the_catalogue_in_the_editor(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(PADDED, encoding="utf-8")

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            assert await editor.pushed(uri) != []
            first, *_ = await editor.actions(uri, 4)
            while "pad" not in first.title:
                first, *_ = await editor.actions(uri, 4)
            assert "pad the rows of tile by 1: 128 → 4 wavefronts (verified" in first.title
            assert first.edit is not None and first.edit.document_changes is not None
            (change,) = first.edit.document_changes
            assert isinstance(change, types.TextDocumentEdit)
            (edit,) = change.edits
            assert isinstance(edit, types.TextEdit)
            assert (edit.range.start.line, edit.new_text) == (1, " + 1")
            start, end = edit.range.start, edit.range.end
            place = (start.line, start.character), (end.line, end.character)
            version = editor.edit(uri, *place, edit.new_text)
            assert await editor.pushed(uri, version) == []

    asyncio.run(scenario())


TWO = PADDED.replace(
    "int main",
    """__global__ void t(float* a) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  a[row * 4096 + col] += 1;
}
int main""",
).replace("(nullptr); }", "(nullptr); T; }")
TWO = TWO.replace("T;", "t<<<dim3(8, 8), dim3(32, 32)>>>(nullptr);")


def test_all_fixes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(TWO, encoding="utf-8")
    wanted = tmp_path / "wanted.cu"
    wanted.write_text(TWO, encoding="utf-8")
    assert main(["fix", str(wanted), "-q"]) == 0

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            assert await editor.pushed(uri) != []
            assert editor.capabilities is not None
            offered = editor.capabilities.code_action_provider
            assert isinstance(offered, types.CodeActionOptions)
            assert "source.fixAll.drano" in (offered.code_action_kinds or [])
            assert await editor.actions(uri, 0, ["refactor"]) == []
            for kind in ("source.fixAll.drano", "source.fixAll", "source"):
                (action,) = await editor.actions(uri, 0, [kind])
                assert isinstance(action, types.CodeAction)
                assert (action.title, action.kind) == (
                    "drano: make 2 safe fixes: swap threadIdx.x and threadIdx.y in t: "
                    "64 → 8 sectors; pad the rows of tile by 1: 128 → 4 wavefronts",
                    "source.fixAll.drano",
                )
            assert all(
                action.kind == "quickfix"
                for action in await editor.actions(uri, 4)
                if isinstance(action, types.CodeAction)
            )
            text = applied(TWO, action.edit, uri)
            assert text == wanted.read_text("utf-8") != TWO
            version = editor.replace(uri, text)
            assert await editor.pushed(uri, version) == []
            assert await editor.actions(uri, 0, ["source.fixAll.drano"]) == []

    asyncio.run(scenario())


def applied(text: str, edit: types.WorkspaceEdit | None, uri: str) -> str:
    """The text of a file after a workspace edit; positions are in UTF-16."""
    assert edit is not None and edit.document_changes is not None
    change = next(
        change
        for change in edit.document_changes
        if isinstance(change, types.TextDocumentEdit) and change.text_document.uri == uri
    )
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]

    def offset(position: types.Position) -> int:
        return sum(map(len, lines[: position.line])) + 2 * position.character

    content = text.encode("utf-16-le")
    for one in sorted(change.edits, key=lambda e: offset(e.range.start), reverse=True):
        start, end = offset(one.range.start), offset(one.range.end)
        content = content[:start] + one.new_text.encode("utf-16-le") + content[end:]
    return content.decode("utf-16-le")


HEADER = "// é😀\n/* é */ struct Place { float lat, lng; };\n"
PLACES = """#include "place.h"
__global__ void k(const Place* p, float* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] = p[i].lat * p[i].lng;
}
int main() {
  Place* p;
  cudaMalloc(&p, 64 * sizeof(Place));
  cudaMemset(p, 0, 64 * sizeof(Place));  // so that the array cannot be split, which is safe
  k<<<1, 64>>>(p, nullptr, 64);
}
"""


@pytest.mark.parametrize("is_open", [False, True])
def test_a_fix_of_a_header_is_one_edit_of_the_workspace(tmp_path: Path, is_open: bool) -> None:
    header, path = tmp_path / "place.h", tmp_path / "k.cu"
    header.write_text(HEADER if not is_open else HEADER.replace("\n", "\n\n", 1), encoding="utf-8")
    path.write_text(PLACES, encoding="utf-8")

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            other = editor.open(header) if is_open else uri_of(header)
            if is_open:
                editor.replace(other, HEADER)  # not saved
            assert await editor.pushed(uri) != []
            first, *_ = await editor.actions(uri, 3)
            while "align" not in first.title:
                first, *_ = await editor.actions(uri, 3)
            assert isinstance(first, types.CodeAction)
            assert "unsafe: not proved that other units that include place.h" in first.title
            assert not first.is_preferred
            assert first.edit is not None and first.edit.document_changes is not None
            (change,) = first.edit.document_changes
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.uri == other
            assert change.text_document.version == (2 if is_open else None)
            text = applied(HEADER, first.edit, other)
            assert text == HEADER.replace(
                "struct Place", "struct __attribute__((aligned(8))) Place"
            )
            # It is not safe, so it is not among all fixes.
            assert await editor.actions(uri, 3, ["source.fixAll"]) == []

    asyncio.run(scenario())


def test_a_header_opened_alone(tmp_path: Path) -> None:
    """Its fixes are those of a unit that includes it, unsafe as others may, too."""
    header, unit = tmp_path / "turn.cuh", tmp_path / "k.cu"
    head, host = TWO.split("int main", 1)
    header.write_text(head, encoding="utf-8")
    unit.write_text(f'#include "turn.cuh"\nint main{host}', encoding="utf-8")

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(header)
            found = await editor.pushed(uri)
            while not found:
                found = await editor.pushed(uri)
            line = next(d.range.start.line for d in found if d.code == "DRN101")
            first, *_ = await editor.actions(uri, line)
            while "pad the rows" not in first.title:
                first, *_ = await editor.actions(uri, line)
            assert isinstance(first, types.CodeAction)
            assert "not proved that other units that include turn.cuh" in first.title
            assert "[32 + 1]" in applied(head, first.edit, uri)

    asyncio.run(scenario())
