"""The server under hostile and heavy use: random edits, odd bytes, large and many files.

``DRANO_SOAK=full`` runs 2,000 edits and 200 files instead of what a quick run has time for.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from drano.model.settings import Config
from drano.run.driver import check
from tests.conftest import ROOT
from tests.lsp.editor import Editor, capabilities, editing, uri_of

FULL = os.environ.get("DRANO_SOAK") == "full"
EDITS = 2000 if FULL else 100
FILES = 200 if FULL else 40
BAD = "__global__ void k(float* a) {\n  a[2 * threadIdx.x] = 0;\n}\n"
ODD = ["\r\n", "\r", "\f", "\v", "\0", "\x85", "\u2028", "é", "😀", "\ufffd", "{", "}", '"', "/*",
       "#if", "<<<", "a[", "threadIdx.", "__global__ ", "\\\n", "template<"]  # fmt: skip

Place = tuple[object, int, int]


def expected(path: Path, text: str) -> list[Place]:
    """What ``drano check`` says of a file with this text; columns of ASCII lines."""
    report = check([str(path)], Config(), texts={str(path): text})
    return sorted(
        (f.rule, f.location.span.line - 1, f.location.span.column - 1) for f in report.open.findings
    )


def shown(diagnostics: list[types.Diagnostic]) -> list[Place]:
    return sorted((d.code, d.range.start.line, d.range.start.character) for d in diagnostics)


def memory(pid: int) -> int:
    """Bytes of a process and of those it started, the compilers under way left out."""
    total = 0
    for process in (pid, *_children(pid)):
        try:
            if "clang" in Path(f"/proc/{process}/comm").read_text():
                continue
            pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        except OSError:
            continue
        total += pages * os.sysconf("SC_PAGE_SIZE")
    return total


def _children(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield int(child)
            yield from _children(int(child))


def random_edit(editor: Editor, uri: str, source: random.Random) -> None:
    """One edit in a text of ASCII lines, as an incremental change or as a whole text."""
    text = editor.texts[uri]
    begin = source.randrange(len(text) + 1)
    end = min(len(text), begin + source.choice([0, 0, 0, 1, 3, 40]))
    insert = source.choice([*ODD, "", " ", "x", text[end : end + 20]])
    changed = text[:begin] + insert + text[end:]
    if source.random() < 0.3 or "\r" in text or not text.isascii():
        editor.replace(uri, changed)
        return
    editor.texts[uri] = changed
    places = [(text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)) for at in (begin, end)]
    editor.edit(uri, places[0], places[1], insert)


def test_random_edits(tmp_path: Path) -> None:
    source = random.Random(20261121)
    paths = [ROOT / "examples" / f"{name}.cu" for name in ("transpose", "matmul", "stencil")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    copies = [tmp_path / path.name for path in paths]
    for copy, text in zip(copies, texts, strict=True):
        copy.write_text(text, encoding="utf-8")

    async def scenario() -> None:
        async with editing(tmp_path, options={"debounce": 20}, cold=True) as editor:
            uris = [editor.open(copy) for copy in copies]
            for uri in uris:
                await editor.pushed(uri)
            samples = []
            for number in range(EDITS):
                which = source.randrange(len(uris))
                random_edit(editor, uris[which], source)
                if number % 10 == 9:  # now and then the user undoes it all, and looks
                    editor.replace(uris[which], texts[which])
                if number % 50 == 49:
                    await editor.pushed(uris[which], editor.replace(uris[which], texts[which]))
                    samples.append(memory(editor.server_pid))
                await asyncio.sleep(source.choice([0, 0.005, 0.02, 0.1]))
            for uri, copy, text in zip(uris, copies, texts, strict=True):
                final = text.replace("threadIdx.x", "(2 * threadIdx.x)", 1)
                found = await editor.pushed(uri, editor.replace(uri, final))
                assert shown(found) == expected(copy, final)
            assert editor.messages == []
            print(f"{EDITS} edits, memory in MB: {[sample >> 20 for sample in samples]}")
            if FULL:
                # It may fall: a worker that had to be ended comes back when there is work for it.
                quarter = len(samples) // 4
                assert max(samples[quarter:]) <= 1.2 * max(samples[:quarter])

    asyncio.run(scenario())


def test_odd_bytes_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "odd.cu"
    path.write_bytes(b"// caf\xe9 \xff\xfe\r\n" + BAD.replace("\n", "\r\n").encode())

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            assert shown(await editor.pushed(uri)) == [("DRN001", 2, 2)]
            # Form feeds and other separators end no line; a lone CR does.
            text = "// \f \v \x85 \u2028\r" + BAD
            assert shown(await editor.pushed(uri, editor.replace(uri, text))) == [("DRN001", 2, 2)]
            version = editor.edit(uri, (2, 2), (2, 2), "/* \ud800 */ ")
            assert shown(await editor.pushed(uri, version)) == [("DRN001", 2, 10)]
            # Positions outside of the text mean its end, ends before their start nothing.
            editor.edit(uri, (99, 0), (100, 7), "\n")
            version = editor.edit(uri, (2, 9999), (2, 0), " // end")
            assert shown(await editor.pushed(uri, version)) == [("DRN001", 2, 10)]
            # What is no message at all is answered by none, and harms nothing.
            process = editor.client._server
            assert process is not None and process.stdin is not None
            process.stdin.write(b'Content-Length: 13\r\n\r\n{"json\xff\xfe": 1}')
            assert shown(await editor.pushed(uri, editor.replace(uri, BAD))) == [("DRN001", 1, 2)]

    asyncio.run(scenario())


def test_a_file_of_twenty_thousand_lines(tmp_path: Path) -> None:
    path = tmp_path / "long.cu"
    lines = [f"__device__ inline int f{n}(int x) {{ return x + {n}; }}" for n in range(20000)]
    path.write_text("\n".join(lines) + "\n" + BAD)

    async def scenario() -> None:
        async with editing(tmp_path) as editor:
            uri = editor.open(path)
            assert shown(await editor.pushed(uri)) == [("DRN001", 20001, 2)]
            for _ in range(50):
                version = editor.edit(uri, (19990, 0), (19990, 0), "// typed\n")
            assert shown(await editor.pushed(uri, version)) == [("DRN001", 20051, 2)]

    asyncio.run(scenario())


def test_many_files_opened_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / f"k{number}.cu" for number in range(FILES)]
    for path in paths:
        path.write_text(BAD)

    async def scenario() -> None:
        async with editing(tmp_path, capabilities()) as editor:
            uris = [editor.open(path) for path in paths]
            # The one edited last does not starve, and its first text's analysis is not shown.
            version = editor.replace(uris[-1], "\n" + BAD)
            assert shown(await editor.pushed(uris[-1], version)) == [("DRN001", 2, 2)]
            for uri in uris[:-1]:
                assert shown(await editor.pushed(uri)) == [("DRN001", 1, 2)]
            for uri in uris:
                editor.close(uri)
            await editor.until(lambda: all(p.version is None for p in editor.published.values()))
            assert not any(p.diagnostics for p in editor.published.values())
            assert uri_of(paths[0]) in editor.published

    asyncio.run(scenario())
