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
from tests.lsp.editor import editing

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
