"""Closed libraries that are not there: stubs that say so."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.compiler.closed_libraries import (
    lacks_only_libraries,
    library_of,
    stubs_for,
    without_missing,
)

_SAID = "ld.lld: error: undefined symbol: cublasCreate_v2\n>>> referenced by a.cu\n"


def test_what_is_not_called_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(
        '#include <cstdio>\nextern "C" int cublasCreate_v2(void **), cufftExecC2C();\n'
        "int main(int n, char **) {\n"
        '  void *p; puts("here");\n  return n > 1 ? cublasCreate_v2(&p) + cufftExecC2C() : 0;\n}\n'
    )
    program = tmp_path / "program"
    assert compile_main([str(source), "-lcublas", "-lcufft", "-o", str(program)]) == 0
    monkeypatch.setenv("DRANO_PROFILE", "none")
    quiet = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "here\n", "")
    called = subprocess.run([program, "x"], capture_output=True, text=True, check=False)
    assert (called.returncode, called.stdout) == (1, "here\n")
    assert called.stderr == ("drano: error: cublasCreate_v2 was called: libcublas is not linked\n")


def test_other_symbols_are_the_linkers_to_tell(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text('extern "C" int cublasCreate_v2(), mine();\n'
                      "int main() { return cublasCreate_v2() + mine(); }\n")  # fmt: skip
    assert compile_main([str(source), "-o", str(tmp_path / "program")]) != 0


@pytest.mark.parametrize(
    ("said", "only"),
    [
        (_SAID, True),
        (_SAID + "ld.lld: error: undefined symbol: mine\n", False),
        ("ld.lld: error: unable to find library -lcublas\n", True),
        ("ld.lld: error: unable to find library -lmine\n", False),
        (_SAID + "ld.lld: error: duplicate symbol: main\n", False),
        ("/usr/bin/ld: a.o: undefined reference to `cufftPlan1d'\n", True),
        ("killed", False),
    ],
)
def test_what_the_linker_complains_of(said: str, only: bool) -> None:
    assert lacks_only_libraries(said) is only


def test_parts() -> None:
    assert library_of("curandCreateGenerator") == "curand"
    assert library_of("cuInit") is None
    assert stubs_for("") is None
    assert 'missing("cublasCreate_v2", "cublas")' in str(stubs_for(_SAID))
    words = ["a.o", "-lcublas", "-lmine"]
    said = "error: unable to find library -lcublas\nerror: unable to find library -lmine\n"
    assert without_missing(words, said) == ["a.o", "-lmine"]
