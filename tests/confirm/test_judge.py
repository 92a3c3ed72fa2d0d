"""Findings beside compiled code, by the real command line; the code is written here, as nvcc does.

What must never be: a finding refuted that is true. So most of the cases are code that looks as if.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from drano.frontend.sdk.headers import cuda_headers
from tests.conftest import Run

# Lines 4 and 9: four loads of 4 bytes each, 16 bytes apart between lanes, if nobody merges them.
SOURCE = """\
struct __align__(16) P { float x, y, z, w; };
extern "C" __global__ void whole(float* out, const P* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].x + p[i].y + p[i].z + p[i].w;
}
extern "C" __global__ void apart(float* out, const P* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] =
      p[2 * i].x + p[2 * i].y + p[2 * i].z + p[2 * i].w;
}
extern "C" __global__ void single(float* out, const float* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[4 * i];
}
"""
STORE = "st.global.f32 [%rd2], %f9;"
WIDE = "ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];"
NARROW = "ld.global.f32 %f1, [%rd1];"


def ptx(source: Path, kernel: str, *code: str, more: str = "", debug: str = "") -> str:
    lines = "\n".join(f"\t{line}" for line in code)
    return (
        f".version 8.4\n.target sm_90{debug}\n.address_size 64\n{more}"
        f".visible .entry {kernel}(\n\t.param .u64 {kernel}_param_0\n)\n{{\n{lines}\n\tret;\n}}\n"
        f'\t.file\t1 "{source}"\n'
    )


def check(drano: Run, tmp_path: Path, text: str, *more: str) -> dict[str, Any]:
    (tmp_path / "a.ptx").write_text(text)
    outcome = drano("check", "a.cu", "--as-written", "--cubin", "a.ptx", "--format", "json", *more)
    assert outcome.status in {0, 1}, outcome.stderr
    report: dict[str, Any] = json.loads(outcome.stdout)
    return report


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    return path


def outcomes(report: dict[str, Any], kernel: str) -> list[str | None]:
    return [
        f["confirmation"] and f["confirmation"]["outcome"]
        for f in report["findings"]
        if f["kernel"] == kernel
    ]


def test_same_requests_confirm(drano: Run, tmp_path: Path, source: Path) -> None:
    text = ptx(source, "whole", ".loc 1 4 3", *[NARROW] * 4, STORE)
    report = check(drano, tmp_path, text)
    assert outcomes(report, "whole") == ["confirmed"] * 4
    assert outcomes(report, "apart") == [None] * 4  # of which there is no code
    assert {f["confirmation"]["evidence"] for f in report["findings"] if f["confirmation"]} == {
        "a.ptx has 4 loads of 4 bytes here"
    }


def test_a_vector_refutes(drano: Run, tmp_path: Path, source: Path) -> None:
    report = check(drano, tmp_path, ptx(source, "whole", ".loc 1 4 3", WIDE, STORE))
    assert outcomes(report, "whole") == ["refuted"] * 4
    assert report["findings"][0]["confirmation"]["evidence"] == (
        "a.ptx has 1 load of 16 bytes here, not 4 loads of 4 bytes"
    )
    assert {entry["kernel"] for entry in report["entries"]} == {"apart", "single"}


def test_words_that_only_ptxas_leaves_out(drano: Run, tmp_path: Path) -> None:
    """PTX has the whole load: it does not refute that machine code has a part of it."""
    source = tmp_path / "a.cu"
    source.write_text(
        'extern "C" __global__ void low(int* out, const long long* p) {\n'
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  out[i] = (int)p[i];\n}\n"
    )
    whole = ptx(source, "low", ".loc 1 3 3", "ld.global.u64 %rd3, [%rd1];", STORE)
    (tmp_path / "a.ptx").write_text(whole)
    outcome = drano("check", "a.cu", "--cubin", "a.ptx", "--format", "json", "--show", "all")
    report = json.loads(outcome.stdout)
    assert [a["compiled"]["fate"] for a in report["accesses"]] == ["part", "own"]
    assert outcomes(report, "low") == [None]


def test_statements_of_several_lines(drano: Run, tmp_path: Path, source: Path) -> None:
    """nvcc names the line where a statement begins."""
    text = ptx(source, "apart", ".loc 1 8 3", *[NARROW] * 4, STORE)
    assert outcomes(check(drano, tmp_path, text), "apart") == ["confirmed"] * 4


CALLED = ".func helper(\n\t.param .b64 p\n)\n{\n\t.loc 1 4 3\n\tret;\n}\n"


@pytest.mark.parametrize(
    ("kernel", "code", "more"),
    [
        pytest.param("apart", (".loc 1 8 3", WIDE, STORE), "", id="lanes lie farther apart"),
        pytest.param("whole", (".loc 1 4 3", WIDE, NARROW, STORE), "", id="bytes are left over"),
        pytest.param(
            "whole", (".loc 1 4 3", WIDE, STORE, ".loc 1 3 3", NARROW), "", id="moved to a line"
        ),
        pytest.param(
            "whole", (".loc 1 4 3", WIDE, STORE, "call.uni helper, (param0);"), CALLED, id="called"
        ),
        pytest.param(
            "whole", (".loc 1 4 3", WIDE, STORE, "call.uni helper, (param0);"),
            ".extern .func helper(.param .b64 a);\n", id="called in another unit"
        ),
        pytest.param(
            "whole",
            (".loc 1 4 3", WIDE, STORE, ".loc 1 3 3",
             "cp.async.bulk.shared::cluster.global.mbarrier [%r1], [%rd1], 64, [%r2];"),
            "",
            id="a width is unknown",
        ),
        pytest.param(
            "single", (".loc 1 13 3", "ld.global.u8 %rs1, [%rd1];", STORE), "", id="narrower"
        ),
        pytest.param("single", (".loc 1 13 3", STORE), "", id="nothing is loaded"),
        pytest.param(
            "whole", (".loc 1 4 3", "ld.global.v2.f32 {%f1, %f2}, [%rd1];",
                      "ld.global.v2.f32 {%f1, %f2}, [%rd1+8];", STORE), "", id="still apart"
        ),
    ],
)  # fmt: skip
def test_what_proves_nothing(
    drano: Run, tmp_path: Path, source: Path, kernel: str, code: tuple[str, ...], more: str
) -> None:
    found = outcomes(check(drano, tmp_path, ptx(source, kernel, *code, more=more)), kernel)
    assert found
    assert "refuted" not in found


def test_without_narrow_requests_anywhere(drano: Run, tmp_path: Path, source: Path) -> None:
    """Unrolled twice by nvcc, the bytes are others, but no request of 4 bytes is left."""
    report = check(drano, tmp_path, ptx(source, "whole", ".loc 1 4 3", WIDE, WIDE, STORE))
    assert outcomes(report, "whole") == ["refuted"] * 4
    assert report["findings"][0]["confirmation"]["evidence"] == (
        "a.ptx has no load of 4 bytes or less in this kernel"
    )


def test_all_instances_must_be_refuted(drano: Run, tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text(
        SOURCE.split("extern", maxsplit=1)[0]
        + """\
template <int N> __global__ void k(float* out, const P* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].x + p[i].y + p[i].z + p[i].w;
}
template __global__ void k<1>(float*, const P*);
template __global__ void k<2>(float*, const P*);
"""
    )
    one = "_Z1kILi1EEvPfPK1P"
    text = ptx(source, one, ".loc 1 4 3", WIDE, STORE)
    assert [f["confirmation"] for f in check(drano, tmp_path, text)["findings"]] == [None] * 4
    both = text + ptx(source, one.replace("1EE", "2EE"), ".loc 1 4 3", WIDE, STORE)
    found = check(drano, tmp_path, both)["findings"]
    assert [f["confirmation"]["outcome"] for f in found] == ["refuted"] * 4


@pytest.mark.parametrize(
    ("declared", "symbol"),
    [
        ("static __global__ void k", "_Z1kPfPKf"),
        ("namespace n { static __global__ void k", "_ZN1n1kEPfPKf"),
        ("namespace { __global__ void k", "_ZN35_GLOBAL__N__9c009d1e_5_st_cu__Z1fPf1kEPfPKf"),
    ],
)
def test_kernels_that_only_the_unit_knows(
    drano: Run, tmp_path: Path, declared: str, symbol: str
) -> None:
    source = tmp_path / "a.cu"
    source.write_text(
        f"{declared}(float* out, const float* p) {{\n out[threadIdx.x] = p[4 * threadIdx.x];\n}}"
        + " }" * declared.count("namespace")
        + "\nvoid go(float* p) { "
        + ("using namespace n; " if "n {" in declared else "")
        + "k<<<9, 99>>>(p, p); }\n"
    )
    text = ptx(source, symbol, ".loc 1 2 3", NARROW, STORE)
    found = check(drano, tmp_path, text)["findings"]
    assert [f["confirmation"]["outcome"] for f in found] == ["confirmed"]


def test_refuted_ones_are_hidden_and_counted(drano: Run, tmp_path: Path, source: Path) -> None:
    (tmp_path / "a.ptx").write_text(ptx(source, "whole", ".loc 1 4 3", WIDE, STORE))
    arguments = ("check", "a.cu", "--as-written", "--cubin", "a.ptx")
    outcome = drano(*arguments, "--format", "concise")
    assert "a.cu:4:" not in outcome.stdout
    assert "4 refuted" in outcome.stdout
    shown = drano(*arguments, "--format", "concise", "--show", "all").stdout
    assert "refuted: a.ptx has 1 load of 16 bytes here, not 4 loads of 4 bytes" in shown
    log = json.loads(drano(*arguments, "--format", "sarif").stdout)
    results = [r for r in log["runs"][0]["results"] if r["suppressions"]]
    assert [r["suppressions"][0]["kind"] for r in results] == ["external"] * 4
    assert results[0]["properties"]["confirmation"]["outcome"] == "refuted"
    assert "4 refuted" in drano(*arguments).stdout


def test_exit_status_is_of_what_is_left(drano: Run, tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text("".join(SOURCE.splitlines(keepends=True)[:5]))
    (tmp_path / "a.ptx").write_text(ptx(source, "whole", ".loc 1 4 3", WIDE, STORE))
    assert drano("check", "a.cu", "--as-written").status == 1
    assert drano("check", "a.cu", "--as-written", "--cubin", "a.ptx").status == 0


def test_old_code_says_nothing(drano: Run, tmp_path: Path, source: Path) -> None:
    (tmp_path / "a.ptx").write_text(ptx(source, "whole", ".loc 1 4 3", WIDE, STORE))
    os.utime(tmp_path / "a.ptx", (1, 1))
    outcome = drano("check", "a.cu", "--as-written", "--cubin", "a.ptx", "--format", "json")
    assert "a.ptx: is older than a.cu" in outcome.stderr
    assert outcomes(json.loads(outcome.stdout), "whole") == [None] * 4


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("none.o", None, "none.o: no such file"),
        ("a.o", b"\x7fELF nothing", "holds no PTX"),
        ("a.ptx", b".version 8.4\n.target sm_90\n", "compile it with -lineinfo"),
        ("a.ptx", b'.target sm_90, debug\n.file 1 "a.cu"\n.loc 1 1 1\n', "(-G)"),
    ],
)
def test_files_that_cannot_be_used(
    drano: Run, tmp_path: Path, source: Path, name: str, content: bytes | None, reason: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    outcome = drano("check", source.name, "--cubin", name)
    assert outcome.status == 2
    (line,) = outcome.error_lines
    assert reason in line


def test_objects_of_a_build_directory(drano: Run, tmp_path: Path, source: Path) -> None:
    build = tmp_path / "build"
    (build / "obj").mkdir(parents=True)
    (build / "obj/a.ptx").write_text(ptx(source, "whole", ".loc 1 4 3", WIDE, STORE))
    command = {"directory": str(build), "file": str(source), "command": "nvcc -c ../a.cu"}
    arguments = ("check", "a.cu", "-p", "build", "--as-written", "--format", "json")
    for entry in (
        {**command, "output": "obj/a.ptx"},
        {**command, "command": "nvcc -ptx ../a.cu -o obj/a.ptx"},
    ):
        (build / "compile_commands.json").write_text(json.dumps([entry]))
        report = json.loads(drano(*arguments).stdout)
        assert outcomes(report, "whole") == ["refuted"] * 4


def test_no_repository_names_the_nvcc(drano: Run, tmp_path: Path, source: Path) -> None:
    """A configuration file names an SDK for its headers: its nvcc is not run."""
    headers = cuda_headers().root
    sdk = tmp_path / "sdk"
    (sdk / "bin").mkdir(parents=True)
    for name in ("include", "nvvm"):
        (sdk / name).symlink_to(headers / name)
    (sdk / "bin/nvcc").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (sdk / "bin/nvcc").chmod(0o755)
    (tmp_path / "drano.toml").write_text('[compile]\ncuda-path = "sdk"\n')
    assert drano("check", "a.cu", "--confirm").status == 1
    assert not (tmp_path / "ran").exists()
    drano("check", "a.cu", "--confirm", "--trust")
    assert (tmp_path / "ran").exists()
