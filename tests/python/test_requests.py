"""Signatures in comments: read without running anything, compiled with consent alone."""

from __future__ import annotations

import ast
import asyncio
import sys
from pathlib import Path

import pytest

from drano.config.command_parser import UsageError
from drano.embedded.triton_comments import TritonRequest, triton_requests
from drano.lsp.settings import Settings
from tests.conftest import Run
from tests.lsp.editor import editing

SOURCE = """import pathlib

import triton
import triton.language as tl

pathlib.Path(__file__).parent.joinpath("imported").touch()
pathlib.Path("{mark}").touch()


# drano: triton x=*fp32 out=*fp32 BLOCK=1024
@triton.jit
def strided(x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets * 32))


# drano: triton x=*fp32
@triton.jit
def wrong(x, n):
    tl.store(x, n)
"""


def requests(source: str) -> tuple[TritonRequest, ...]:
    return triton_requests(source, ast.parse(source))


def test_comments() -> None:
    (found,) = requests(
        "# drano: triton x=*fp16:1 n=i32:16 B=64 E=1.5e-3 F=True num_warps=8 arch=sm_80\n"
        "@jit\ndef k(x, n, B, E, F): pass\n"
    )
    assert found == TritonRequest(
        "k", 1, (("x", "*fp16:1"), ("n", "i32:16")), (("B", 64), ("E", 1.5e-3), ("F", True)),
        (("num_warps", "8"), ("arch", "sm_80")),
    )  # fmt: skip
    (own,) = requests("# drano: triton num_warps=8\ndef k(num_warps): pass\n")
    assert own.constexprs == (("num_warps", 8),)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("# drano: triton x=i32\nx = 1\n", "no function follows on the next line"),
        ("# drano: triton x i32\ndef k(x): pass\n", "'x' is not NAME=TYPE or NAME=VALUE"),
    ],
)
def test_comments_that_say_nothing(source: str, problem: str) -> None:
    (found,) = requests(source)
    assert found.problem == problem


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "kernels.py"
    path.write_text(SOURCE.replace("{mark}", str(tmp_path / "imported")))
    return path


def test_nothing_is_imported_without_consent(module: Path, drano: Run) -> None:
    ran = drano("check", module)
    assert not (module.parent / "imported").exists()
    assert ran.status == 0
    assert "kernels.py:10:1: Triton kernel strided: not analysed" in ran.stderr
    assert "--compile-triton" in ran.stderr


def test_with_consent(module: Path, drano: Run) -> None:
    ran = drano("check", "--compile-triton", sys.executable, module)
    assert (module.parent / "imported").exists()
    assert "x + offsets * 32" in ran.stdout, ran.stderr
    assert "kernels.py:14:" in ran.stdout
    assert "Triton kernel wrong: not analysed: ValueError: kernel wrong needs a type" in ran.stderr
    assert ran.status == 1


def test_interpreters_that_are_none(module: Path, drano: Run) -> None:
    ran = drano("check", "--compile-triton", "/no/such/python", module)
    assert "not analysed: No such file or directory" in ran.stderr
    ran = drano("check", "--compile-triton", "/bin/false", module)
    assert "cannot be compiled by Triton: status 1" in ran.stderr


def test_consent_of_an_editor_is_a_setting_of_its_own() -> None:
    assert (
        Settings.of_client({"arguments": ["--compile-triton", "x"]}).options.compile_triton is None
    )
    assert Settings.of_client({"compileTriton": True}).options.compile_triton == "self"
    assert Settings.of_client({"compileTriton": "/p"}).options.compile_triton == "/p"
    with pytest.raises(UsageError, match="compileTriton"):
        Settings.of_client({"compileTriton": 3})


def test_in_an_editor(module: Path) -> None:
    async def scenario() -> None:
        options = {"compileTriton": True}
        async with editing(module.parent, options=options) as editor:
            uri = editor.open(module)
            (found,) = await editor.pushed(uri)
            assert (found.code, found.range.start.line) == ("DRN001", 13)
            at = module.read_text().splitlines()[13].index(" * 32")
            version = editor.edit(uri, (13, at), (13, at + 5), "")  # not saved
            assert await editor.pushed(uri, version) == []

    asyncio.run(scenario())
