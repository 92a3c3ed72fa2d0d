"""Access patterns as tests: the function, and the plugin as pytest loads it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drano import assert_coalesced
from tests.conftest import ROOT

GOOD = "__global__ void good(float* a) {\n  a[threadIdx.x] = 0;\n}\n"
BAD = "__global__ void bad(float* a) {\n  a[threadIdx.x * 2] = 0;\n}\n"
UNKNOWN = '__global__ void u(float* a) {\n  asm("st.async.b32 [%0], 1;" :: "l"(a));\n}\n'


def test_texts_and_files(tmp_path: Path) -> None:
    report = assert_coalesced(GOOD)
    assert [info.name for info in report.files[0].kernels] == ["good"]
    with pytest.raises(AssertionError, match=r"lanes are 8 bytes apart(.|\n)*a\[threadIdx"):
        assert_coalesced(BAD)
    path = tmp_path / "k.cu"
    path.write_text(GOOD + BAD)
    with pytest.raises(AssertionError, match="1 of drano's findings"):
        assert_coalesced(path)
    assert_coalesced(str(path), kernels=["good"])
    assert_coalesced(path, rules=["DRN002"])


def test_shapes() -> None:
    text = "__global__ void k(float* a, int n) { a[threadIdx.y * n + threadIdx.x] = 0; }\n"
    assert_coalesced(text, block=(32, 8, 1))
    with pytest.raises(AssertionError):
        assert_coalesced(text, block=(2, 128, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("__global__ void k(", "not analysed: .*expected"),
        ("void f() {}\n", "not found: any kernel"),
        (UNKNOWN, "unknown store in u.*allow_unknown=True"),
    ],
)
def test_what_is_not_known_is_no_pass(text: str, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        assert_coalesced(text + "\n")


def test_unknown_accesses_may_be_allowed() -> None:
    assert_coalesced(UNKNOWN, allow_unknown=True)
    with pytest.raises(AssertionError, match="not found: no_such"):
        assert_coalesced(GOOD, kernels=["no_such"])


def test_arguments_that_do_not_go_together() -> None:
    with pytest.raises(TypeError, match="signature"):
        assert_coalesced(GOOD, signature={"x": "*fp32"})
    with pytest.raises(TypeError, match="needs a signature"):
        assert_coalesced(print)


def test_the_plugin(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(GOOD + BAD)
    (tmp_path / "test_kernels.py").write_text(f"""
import pytest

def test_text(assert_coalesced):
    assert_coalesced({GOOD!r})

@pytest.mark.coalesced("k.cu", kernels=["good"])
def test_good(): ...

@pytest.mark.coalesced("k.cu")
def test_bad(): raise RuntimeError("not reached")

@pytest.mark.coalesced()
def test_nothing(): ...
""")
    command = [sys.executable, "-m", "pytest", "-p", "drano.python.pytest_plugin", "-rA",
               "--strict-markers", str(tmp_path)]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    text = ran.stdout
    assert "2 failed, 2 passed" in text, text
    assert "lanes are 8 bytes apart" in text
    assert "not reached" not in text
    assert "the marker 'coalesced' names no kernel" in text
    assert "Traceback" not in text
    listed = subprocess.run(
        [*command[:5], "--markers"], cwd=tmp_path, env=environment, capture_output=True,
        text=True, check=False,
    ).stdout  # fmt: skip
    assert "@pytest.mark.coalesced(kernel, **options)" in listed
