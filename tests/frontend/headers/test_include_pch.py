"""A source's include block as a precompiled header: same answers, and never a stale one."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from drano.frontend.clang import compile_unit, precompile_preamble
from drano.frontend.headers.include_pch import leading_block, without_block
from drano.frontend.headers.overlay import overlay_flags
from drano.model.settings import CompileOptions
from drano.model.translation_unit import CompiledUnit

KERNEL = "__global__ void k(float* a) { at(a, STRIDE * threadIdx.x) = 0; }\n"
SOURCE = f'/* one\n   two */\n#include <cstdio>\n#include "row.cuh"\n\n{KERNEL}'
PLACE = re.compile(r"!DILocation\((line: \d+, column: \d+)")
HEADER = "#define STRIDE 2\n__device__ float& at(float* a, int i) { return a[i]; }\n"


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("int a;\n#include <b>\n", ""),
        ("// a\n#include <b> // c\nint d;", "// a\n#include <b> // c\n"),
        ("#include <b>", "#include <b>"),
        ("#include <b>\r\n#define C \\\r\n  1\r\n#include <d>\rint e;", None),
        ("#define A /* not\n the end */ 1\n#include <b>\nint c;\n", None),
        ("#ifdef A\n#include <b>\n#else\n#include <c>\n#endif\nint d;\n", None),
        ("#include <a>\n#ifdef B\n#include <c>\nint d;\n#endif\n", "#include <a>\n"),
        ("#ifndef GUARD\n#define GUARD\n#include <a>\nint b;\n#endif\n", ""),
        ("#include <a>\n#endif\n#include <b>\n", "#include <a>\n"),
        ("#pragma once\n#include <a>\n#pragma pack(1)\n", "#pragma once\n#include <a>\n"),
        ("/* no end\n#include <a>\n", ""),
        ("\ufeff#include <a>\nint b;\n", "\ufeff#include <a>\n"),
    ],
)  # fmt: skip
def test_the_leading_block(text: str, block: str | None) -> None:
    content = text.encode()
    wanted = content[: content.rindex(b"int")] if block is None else block.encode()
    end = leading_block(content)
    assert content[:end] == wanted
    blank = without_block(content, end)
    assert blank[end:] == content[end:]
    assert len(blank) == len(content) and blank[:end].strip() == b""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "row.cuh").write_text(HEADER)
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    return path


def compiled(path: Path, *flags: str) -> tuple[CompiledUnit, CompiledUnit]:
    """With a preamble where there is one, and without."""
    options = CompileOptions(flags=flags)
    return (
        compile_unit(str(path), options, path.read_bytes(), preambles=True),
        compile_unit(str(path), options, path.read_bytes()),
    )


def prepared(path: Path) -> bool:
    return precompile_preamble(str(path), CompileOptions(), path.read_bytes())


def test_the_same_code_comes_out(source: Path) -> None:
    assert prepared(source)
    fast, plain = compiled(source)
    assert fast.ir is not None and plain.ir is not None
    kernel = [
        line for line in plain.ir.splitlines() if " = mul " in line or "getelementptr" in line
    ]
    assert all(line.partition(", !dbg")[0] in fast.ir for line in kernel)
    assert "line: 6, column: " in fast.ir
    assert set(PLACE.findall(fast.ir)) == set(PLACE.findall(plain.ir))
    assert set(fast.dependencies) == set(plain.dependencies)
    assert str(source.parent / "row.cuh") in fast.dependencies


def test_a_changed_header_is_noticed(source: Path) -> None:
    assert prepared(source)
    header = source.with_name("row.cuh")
    header.write_text(HEADER.replace("2", "77"))
    fast, _ = compiled(source)
    assert fast.ir is not None and "mul i32 77," in fast.ir.replace("nsw ", "").replace("nuw ", "")
    # And what is made then is of the new one.
    assert prepared(source)
    assert "77" in str(compiled(source)[0].ir)
    header.unlink()
    fast, _ = compiled(source)
    assert fast.ir is None and [header.name for header in fast.missing_headers] == ["row.cuh"]


def test_an_unsaved_header_counts(source: Path, tmp_path: Path) -> None:
    assert prepared(source)
    header = source.with_name("row.cuh")
    flags = overlay_flags({str(header): HEADER.replace("2", "77").encode()}, tmp_path)
    fast, _ = compiled(source, *flags)
    assert "77" in str(fast.ir)


def test_what_does_not_compile_is_not_tried_again(tmp_path: Path) -> None:
    (tmp_path / "open.cuh").write_text('extern "C" {\n')
    path = tmp_path / "k.cu"
    path.write_text('#include "open.cuh"\n__global__ void k(float* a) { *a = 0; }\n}\n')
    assert not prepared(path) and not prepared(path)
    fast, plain = compiled(path)
    assert plain.ir is not None and fast.ir == plain.ir


def test_force_included_files_rule_it_out(source: Path) -> None:
    options = CompileOptions(force_includes=("stdint.h",))
    assert not precompile_preamble(str(source), options, source.read_bytes())


def test_a_lost_preamble_costs_nothing_but_time(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRANO_CACHE_DIR", os.fspath(source.parent / "cache"))
    assert prepared(source)
    (made,) = (source.parent / "cache" / "preambles").glob("*.pch")
    made.write_bytes(made.read_bytes()[:1000])
    fast, plain = compiled(source)
    assert plain.ir is not None and fast.ir == plain.ir
    assert not made.exists()


@pytest.mark.parametrize(("header", "precompiled"), [("GL/glew.h", True), ("nowhere.h", False)])
def test_stand_ins_for_missing_headers(source: Path, header: str, precompiled: bool) -> None:
    """Our own are precompiled with the rest; the rest is not without an empty one."""
    content = f"#include <{header}>\n{SOURCE}".encode()
    options = CompileOptions(stub_missing_headers=True)
    source.write_bytes(content)
    assert precompile_preamble(str(source), options, content) == precompiled
    fast = compile_unit(str(source), options, content, preambles=True)
    plain = compile_unit(str(source), options, content)
    assert fast.ir is not None and plain.ir is not None
    assert set(PLACE.findall(fast.ir)) == set(PLACE.findall(plain.ir))
    assert fast.diagnostics == plain.diagnostics
    assert header in [missing.name for missing in plain.missing_headers]
    assert set(fast.dependencies) == set(plain.dependencies)
