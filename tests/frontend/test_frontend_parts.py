"""Small parts of the front end: clang's messages, spellings repaired, limits kept, facts told."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.cli.doctor import examine
from drano.frontend.clang_messages import parse_dependencies, parse_messages
from drano.frontend.repair.dialect_fixups import join_launch_brackets
from drano.frontend.toolchain import find_clang, llvm_version
from drano.model.finding import Severity
from drano.model.report import Diagnostic
from drano.model.settings import CompileOptions
from drano.support.errors import IRError
from drano.support.limited_process import run_limited


def test_messages_are_parsed_with_their_places() -> None:
    text = (
        "In file included from /a/b.cu:1:\n/a/b c.h:3:14: error: expected ';'\n"
        "/a/b.cu:9:1: note: to match this\n/a/b.cu:9:2: warning: dull\n"
        "clang: error: unknown argument: '-x'\nerror: general\n3 errors generated.\n"
    )
    assert parse_messages(text, "/a/b.cu") == (
        Diagnostic("/a/b c.h", 3, 14, Severity.ERROR, "expected ';'"),
        Diagnostic("/a/b.cu", 9, 1, Severity.NOTE, "to match this"),
        Diagnostic("/a/b.cu", 0, 0, Severity.ERROR, "unknown argument: '-x'"),
        Diagnostic("/a/b.cu", 0, 0, Severity.ERROR, "general"),
    )


@given(st.text())
def test_any_text_can_be_parsed_as_messages(text: str) -> None:
    for diagnostic in parse_messages(text, "u"):
        assert diagnostic.severity in {Severity.ERROR, Severity.NOTE}


def test_dependencies_are_unescaped() -> None:
    text = "unit.o: /a/b.cu \\\n  /c\\ d/e.h /f\\#g $$h\n"
    assert parse_dependencies(text) == ("/a/b.cu", "/c d/e.h", "/f#g", "$h")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("k<< <1, 2>> >(x);", "k<<< 1, 2>>> (x);"),
        ("k << < 1, 2 >>\t> (x);", "k <<<  1, 2 >>>\t (x);"),
        ("k<< <1, f<g<int>>()>> >(x);", "k<<< 1, f<g<int>>()>>> (x);"),
        ("vector<vector<int> >> >(x);", None),
        ("a << b; A<B<C>> >(x);", None),
        ("// k<< <1>> >(x)\n", None),
        ('"k<< <1>> >(x)" R"(k<< <1>> >(x))"', None),
        ("operator<< <char>(os); A<B<C>> >(x);", None),
        ("k<<<1, 2>>>(x);", None),
    ],
)
def test_launch_brackets_are_joined_in_place(source: str, expected: str | None) -> None:
    before = source.encode()
    after = join_launch_brackets(before)
    assert after == (expected or source).encode()
    assert (after is before) == (expected is None)


@given(st.text(alphabet="<> k(\"'/*\n\\x"))
def test_repair_never_moves_anything(text: str) -> None:
    before = text.encode()
    after = join_launch_brackets(before)
    assert len(after) == len(before)
    assert [i for i, c in enumerate(before) if c == 10] == [
        i for i, c in enumerate(after) if c == 10
    ]
    assert sorted(after) == sorted(before)


def test_time_limit_kills_the_whole_group(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(marker)!r}, 'w').write(str(child.pid)); time.sleep(60)\n"
    )
    completed = run_limited([sys.executable, "-c", code], timeout=3.0)
    assert completed.timed_out
    assert completed.seconds < 10
    deadline = time.monotonic() + 5
    while _alive(int(marker.read_text())) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(int(marker.read_text()))


def _alive(pid: int) -> bool:
    """Whether it runs; a killed one that nobody has waited for yet is not alive."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_output_and_memory_are_limited(tmp_path: Path) -> None:
    big = f"open({str(tmp_path / 'big')!r}, 'wb').write(bytes(1 << 20))"
    completed = run_limited([sys.executable, "-c", big], timeout=30, file_size=1 << 16)
    assert completed.status != 0
    assert (tmp_path / "big").stat().st_size <= 1 << 16
    eager = "import time; time.sleep(0.3); x = bytearray(1 << 30)"
    completed = run_limited([sys.executable, "-c", eager], timeout=30, memory=512 << 20)
    assert "MemoryError" in completed.stderr


def test_clang_and_llvmlite_are_of_one_release() -> None:
    clang = find_clang()
    assert clang.version[:2] == llvm_version()
    assert os.access(clang.path, os.X_OK)


def test_doctor_finds_what_the_packages_bring() -> None:
    facts = {fact.name: fact for fact in examine(CompileOptions(), "/")}
    for name in ("clang", "LLVM", "libclang", "CUDA headers", "ptxas", "host headers", "cache"):
        assert facts[name].ok, facts[name]
    assert "CUDA 13." in facts["CUDA headers"].detail
    assert "13." in facts["ptxas"].detail
    assert not facts["GPU"].required


def test_doctor_tells_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRANO_CLANG", str(tmp_path / "none"))
    facts = {fact.name: fact for fact in examine(CompileOptions(cuda_path=str(tmp_path)), "/")}
    assert not facts["clang"].ok
    assert facts["clang"].required
    assert "include/cuda.h is missing" in facts["CUDA headers"].detail
    assert all("\n" not in fact.detail for fact in facts.values())


def test_errors_are_one_line() -> None:
    assert str(IRError("a\nb.ll", "x\n  y")) == "a b.ll: x y"
    assert str(IRError("", "just this")) == "just this"
