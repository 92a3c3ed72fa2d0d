"""The text that launches depend on, and launches kept while a kernel is edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.text.source_without_kernels import host_part
from drano.host.launching.unit_launches import LaunchMemory, unit_launches
from drano.model.settings import CompileOptions

SOURCE = """#define BLOCK 64
__global__ void first(float* a);
template <class T> __global__ void __launch_bounds__(BLOCK) second(T* a) {
  if (a) { a[0] = '{'; /* } */ const char* s = "}"; }
  // }
}
void host(float* a) {
  second<<<4, BLOCK>>>(a);
}
__global__ void third() { }
void other(float* a) { second<<<2, 32>>>(a); }
"""


def test_bodies_are_left_out_and_lines_found_again() -> None:
    part = host_part(SOURCE.encode())
    text = part.text.decode()
    assert "const char" not in text and "third() {}\n" in text
    lines, own = SOURCE.splitlines(), text.splitlines()
    for wanted in ("void host", "second<<<4", "void other", "#define"):
        (line,) = (n for n, found in enumerate(lines, 1) if wanted in found)
        (short,) = (n for n, found in enumerate(own, 1) if wanted in found)
        assert (part.source_line(short), part.own_line(line)) == (line, short)


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k() {\n#if A\n}\n#endif\n",  # braces of two branches
        "__global__ void k() {\n  k<<<1, 1>>>();\n}\n",  # a launch
        "__global__ void k() {\n  int x; } int y;\n",  # something behind it
        "__global__ void k() { \nvoid main() { g(); }\n",  # no end
        "__global__ void k() {\n __global__ void l(); }\n",
        "int __global__x; void f() { g(); }\n",
    ],
)
def test_what_is_unclear_stays(text: str) -> None:
    assert host_part(text.encode()).text == text.encode()


def shapes(path: Path, text: str, memory: LaunchMemory | None) -> list[tuple[int, object]]:
    found = unit_launches(str(path), CompileOptions(), text.encode(), memory)
    return [(site.span.line, site.block) for site in found.sites]


def test_launches_are_those_of_the_edited_text(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    memory = LaunchMemory()
    assert shapes(path, SOURCE, memory) == [(8, (64, 1, 1)), (11, (32, 1, 1))]
    for edited in (
        SOURCE.replace("  // }\n", "  int typed;\n  int more;\n"),
        SOURCE.replace("{ }", "{\n}"),
        SOURCE.replace("  // }\n", "").replace("{ }", "{\n\n}"),
        SOURCE.replace("BLOCK 64", "BLOCK 128"),
        "\n" + SOURCE,
    ):
        assert shapes(path, edited, memory) == shapes(path, edited, None)


def test_a_changed_header_is_noticed(tmp_path: Path) -> None:
    path, header = tmp_path / "k.cu", tmp_path / "block.h"
    header.write_text("#define BLOCK 64\n")
    text = SOURCE.replace("#define BLOCK 64", '#include "block.h"')
    path.write_text(text)
    memory = LaunchMemory()
    assert shapes(path, text, memory)[0] == (8, (64, 1, 1))
    header.write_text("#define BLOCK 1024\n")
    assert shapes(path, text, memory)[0] == (8, (1024, 1, 1))
