"""What one file in the editor says of others: headers, launches, device functions."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types

from tests.lsp.editor import editing, uri_of
from tests.lsp.server_sources import BAD, GOOD, codes


def test_an_edited_header_updates_the_files_that_include_it(tmp_path: Path) -> None:
    header, source = tmp_path / "row.cuh", tmp_path / "main.cu"
    header.write_text("__device__ float& row(float* a, int i) { return a[i]; }\n")
    source.write_text(
        '#include "row.cuh"\n__global__ void k(float* a) { row(a, threadIdx.x) = 0; }\n'
    )

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            main = editor.open(source)
            assert await editor.pushed(main) == []
            header.write_text("__device__ float& row(float* a, int i) { return a[3 * i]; }\n")
            editor.client.workspace_did_change_watched_files(
                types.DidChangeWatchedFilesParams(
                    [types.FileEvent(uri_of(header), types.FileChangeType.Changed)]
                )
            )
            await editor.until(lambda: bool(editor.published[main].diagnostics))
            (found,) = editor.published[main].diagnostics
            assert (found.code, found.range.start.line) == ("DRN001", 1)

    asyncio.run(scenario())


def test_a_header_shows_what_its_includers_find_in_it(tmp_path: Path) -> None:
    header, source = tmp_path / "kernels.cuh", tmp_path / "main.cu"
    header.write_text("// é\n" + BAD)
    source.write_text('#include "kernels.cuh"\nint main() { k<<<1, 64>>>(nullptr); }\n')

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(header)
            await editor.until(lambda: uri in editor.published)
            (found,) = await editor.pushed(uri)
            assert (found.code, found.range.start.line) == ("DRN001", 2)
            # An unsaved edit of the header counts for those that include it.
            version = editor.replace(uri, "// é\n" + GOOD)
            await editor.until(lambda: editor.published[uri].version == version)
            assert not editor.published[uri].diagnostics
            editor.close(uri)
            await editor.until(lambda: editor.published[uri].version is None)

    asyncio.run(scenario())


def test_launches_in_other_files_count(tmp_path: Path) -> None:
    kernel, host = tmp_path / "kernel.cu", tmp_path / "host.cu"
    declared = "__global__ void k(float* a);\n"
    kernel.write_text(
        "__global__ void k(float* a) {\n  a[threadIdx.y * 64 + threadIdx.x] = 0;\n}\n"
    )
    host.write_text(declared + "void f(float* p) { k<<<1, dim3(4, 16)>>>(p); }\n")

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            first = editor.open(kernel)
            assert await editor.pushed(first) == []
            second = editor.open(host)
            assert await editor.pushed(second) == []
            await editor.until(lambda: editor.published[first].diagnostics)
            assert codes(list(editor.published[first].diagnostics)) == ["DRN001"]

            text = declared + "void f(float* p) { k<<<1, 64>>>(p); }\n"
            editor.replace(second, text)
            await editor.until(lambda: not editor.published[first].diagnostics)
            editor.replace(second, host.read_text())
            await editor.until(lambda: editor.published[first].diagnostics)
            # What it showed is still known when it is closed, and used when the kernel changes.
            editor.save(second)
            editor.close(second)
            version = editor.edit(first, (0, 0), (0, 0), "\n")
            assert codes(await editor.pushed(first, version)) == ["DRN001"]
            assert editor.messages == []

    asyncio.run(scenario())


def test_device_functions_of_other_files_are_followed(tmp_path: Path) -> None:
    kernel, called = tmp_path / "kernel.cu", tmp_path / "called.cu"
    kernel.write_text(
        "__device__ float at(const float* a, int i);\n"
        "__global__ void k(const float* a, float* b) {\n"
        "  b[threadIdx.x] = at(a, threadIdx.x);\n}\n"
        "void f(float* p) { k<<<1, 64>>>(p, p); }\n"
    )
    strided = "__device__ float at(const float* a, int i) {\n  return a[4 * i];\n}\n"
    called.write_text(strided)

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            first = editor.open(kernel)
            assert await editor.pushed(first) == []
            second = editor.open(called)
            assert await editor.pushed(second) == []
            await editor.until(lambda: editor.published[second].diagnostics)
            (found,) = editor.published[second].diagnostics
            assert found.code == "DRN001"
            assert found.range.start.line == 1

            editor.replace(second, strided.replace("4 * i", "i"))
            await editor.until(lambda: not editor.published[second].diagnostics)
            editor.replace(second, "\n" + strided)
            await editor.until(lambda: editor.published[second].diagnostics)
            assert editor.published[second].diagnostics[0].range.start.line == 2
            assert editor.messages == []

    asyncio.run(scenario())
