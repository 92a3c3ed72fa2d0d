"""Kernels of JAX: Pallas's and XLA's. What JAX leaves is recorded (``record_jax.py``)."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.python.record_jax import CASES, RECORDED

THIRD = "module_0001.jit_cases.3.ptx"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Records as they are when the program has ended, with its source where they say."""
    shutil.copyfile(CASES, tmp_path / CASES.name)
    shutil.copytree(RECORDED, tmp_path / "kept")
    for path in (tmp_path / "kept").glob("**/*.*"):
        if path.is_file():
            path.write_text(path.read_text().replace("/w/", f"{tmp_path}/"))
    return tmp_path / "kept"


def line_of(text: str) -> int:
    return CASES.read_text().splitlines().index(text) + 1


def test_what_pallas_and_xla_compile_is_at_lines_of_python(kept: Path, drano: Run) -> None:
    ran = drano("capture", "--keep", kept, "--", sys.executable, "-c", "")
    assert "uncoalesced load of `x_ref[rows, 3]`: lanes are 128 bytes apart" in ran.stdout
    place = f"jax_cases.py:{line_of('    o_ref[rows] = x_ref[rows, 3]')}:19, in third_of_each_row"
    assert place in ran.stdout, ran.stdout
    assert "index the last axis of a reference by what runs" in ran.stdout
    assert "cost: 32·4·28 sectors" in ran.stdout
    # Not a word of Python is known of a fusion but its line, and what its arguments are called.
    assert "uncoalesced load of `x`: lanes are 128 bytes apart" in ran.stdout
    place = f"jax_cases.py:{line_of('    first = x[:, 0] + 1')}, in loop_add_fusion"
    assert place in ran.stdout
    assert "XLA made this kernel of the operations at this line" in ran.stdout
    assert "Found 2 findings: 3 files, 3 kernels, 6 global accesses (4 coalesced" in ran.stdout
    assert ran.stderr == ""
    again = drano("check", kept)
    assert "Found 2 findings: 3 files" in again.stdout


def test_what_xla_makes_of_a_pallas_kernel_counts(kept: Path, drano: Run) -> None:
    """It has a Triton of its own, and need not choose what the other one does."""
    made = kept / "xla-dumps" / "1" / THIRD
    made.write_text(
        made.read_text().replace("shl.b32 	%r6, %r5, 5;", "shl.b32 	%r6, %r5, 3;")
    )
    ran = drano("capture", "--keep", kept, "--", sys.executable, "-c", "")
    assert "uncoalesced load of `x_ref`: lanes are 32 bytes apart" in ran.stdout, ran.stdout
    assert f"jax_cases.py:{line_of('def third_of_each_row(x_ref, o_ref):')}, in" in ran.stdout
    assert "128 bytes apart" not in ran.stdout.replace("`x`: lanes are 128 bytes", "")
    assert "XLA compiles the Pallas kernel third_of_each_row in another way" in ran.stderr


def test_without_a_gpu_there_is_triton_only(kept: Path, drano: Run) -> None:
    shutil.rmtree(kept / "xla-dumps")
    broken = sorted(kept.glob("*.ttir"))[0]
    broken.write_text(broken.read_text().replace("tt.load", "tt.no_load"))
    ran = drano("capture", "--keep", kept, "--", sys.executable, "-c", "")
    assert "Pallas kernels (doubled) are reported as the Triton that is installed" in ran.stderr
    assert "the Pallas kernel third_of_each_row is not analysed: RuntimeError" in ran.stderr
    assert "1 file, 1 kernel" in ran.stdout


def test_dumps_without_ptx_are_said(kept: Path, drano: Run) -> None:
    for path in kept.glob("xla-dumps/1/*.ptx"):
        path.unlink()
    ran = drano("capture", "--keep", kept, "--", sys.executable, "-c", "")
    assert "XLA's kernels are not recorded: this version of XLA has dumped no PTX" in ran.stderr


def test_without_triton_there_is_xla_only(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drano: Run
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    (tmp_path / "triton.py").write_text("raise ImportError(\"No module named 'triton'\")")
    ran = drano("capture", "--keep", kept, "--", sys.executable, "-c", "")
    assert "uncoalesced load of `x_ref`: lanes are 128 bytes apart" in ran.stdout
    assert "third_of_each_row is not analysed: Triton is needed" in ran.stderr
    assert "(pip install 'drano[triton]')" in ran.stderr


def test_records_of_others_run_nothing(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drano: Run
) -> None:
    """They may name any program as the Python that has Triton, and be links to any file."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    (tmp_path / "triton.py").write_text("raise ImportError(\"No module named 'triton'\")")
    evil, mine = tmp_path / "evil", tmp_path / "mine"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/was-run\n")
    evil.chmod(0o755)
    mine.write_text("mine")
    for path in kept.glob("*.json"):
        path.write_text(json.dumps({**json.loads(path.read_text()), "python": str(evil)}))
    (kept / "pallas-link.ttir").symlink_to(mine)
    ran = drano("capture", "--keep", kept, "--", sys.executable, "-c", "")
    assert "third_of_each_row is not analysed: Triton is needed" in ran.stderr
    assert not (tmp_path / "was-run").exists()
    assert mine.read_text() == "mine"


PROGRAM = """import os, subprocess, sys
import jaxlib.xla_client
import jax._src.compilation_cache as cache
import jax._src.pallas.pallas_call

print(os.environ["XLA_FLAGS"])
cache.get_executable_and_time("key")
os.environ["XLA_FLAGS"] = "--xla_no_such_flag"
own = {**os.environ, "XLA_FLAGS": "--xla_dump_to=/mine"}
command = [sys.executable, "-c", "import jaxlib.xla_client, os; print(os.environ['XLA_FLAGS'])"]
subprocess.run(command, env=own, check=True)
"""


def test_what_is_not_recorded_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drano: Run
) -> None:
    """Of a program with packages of the names of JAX's."""
    files = {
        "jaxlib/xla_client.py": "",
        "jaxlib-0.11.0.dist-info/METADATA": "Name: jaxlib\nVersion: 0.11.0\n",
        "jax/_src/compilation_cache.py": "get_executable_and_time = lambda key: (key, 1)\n",
        "jax/_src/pallas/pallas_call.py": "",
        "program.py": PROGRAM,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("XLA_FLAGS", "--xla_own=1")
    ran = drano("capture", "--", sys.executable, tmp_path / "program.py")
    first = ran.stdout.splitlines()[0]
    assert first.startswith("--xla_own=1 --xla_dump_to="), ran.stderr
    # XLA dumps no PTX since 0.11, unless it is asked to; before, it ends at a flag of that name.
    assert first.endswith(" --xla_dump_emitter_re=ptx")
    assert "\n--xla_dump_to=/mine\n" in ran.stdout
    for note in (
        "the program dumps them by its own XLA_FLAGS",
        "the program sets XLA_FLAGS after importing JAX",
        "JAX took some from its cache",
        "nothing of jax._src.pallas.pallas_call is recorded: its version is not known",
    ):
        assert note in ran.stderr
