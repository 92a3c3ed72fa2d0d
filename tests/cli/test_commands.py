"""Each command through the real command line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import ROOT, Run, report_schema

EXAMPLES = ROOT / "examples"
STRIDED = """\
__device__ float get(const float* p, int i) {
  return p[2 * i];
}

__global__ void k(float* out, const float* in) {
  out[threadIdx.x] = get(in, threadIdx.x);
}
"""


@pytest.fixture
def strided(tmp_path: Path) -> Path:
    path = tmp_path / "strided.cu"
    path.write_text(STRIDED)
    return path


def test_full_report(drano: Run, strided: Path) -> None:
    outcome = drano("check", "strided.cu")
    assert outcome.status == 1
    assert outcome.stderr == ""
    lines = outcome.stdout.splitlines()
    assert lines[0].startswith("warning[DRN001]: uncoalesced load")
    assert lines[1] == " --> strided.cu:2:10, in k, blocks of 32 threads assumed"
    assert lines[2:4] == ["2 | return p[2 * i];", "  |        ^^^^^^^^"]
    assert "  = path: get, called at strided.cu:6:22" in lines
    assert any(line.startswith("  = fix: ") for line in lines)
    assert lines[-1].startswith("Found 1 finding: 1 file, 1 kernel, 2 global accesses")


def test_the_sample_in_the_readme_is_true(drano: Run) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sample = re.search(r"^\$ drano (check .*)\n((?:.*\n)*?)```$", readme, re.MULTILINE)
    assert sample is not None
    assert drano(*sample[1].split(), cwd=ROOT).stdout == sample[2]


def test_json_fits_the_schema_and_is_complete(drano: Run, strided: Path) -> None:
    for domain in ("warp", "gpudrano"):
        outcome = drano(
            "check", "--domain", domain, "--show", "all", "--output-format", "json", "strided.cu"
        )
        assert outcome.status == 1
        document = json.loads(outcome.stdout)
        jsonschema.validate(document, report_schema())
        assert document["tool"]["domain"] == domain
        assert [a["verdict"] for a in document["accesses"]].count("uncoalesced") == 1
        assert len(document["accesses"]) == 2
        (finding,) = document["findings"]
        assert (finding["path"], finding["line"]) == ("strided.cu", 2)
        assert finding["inlined_at"][0]["function"] == "k"


def test_output_does_not_depend_on_the_run(drano: Run) -> None:
    arguments = ("check", "--output-format", "json", EXAMPLES / "spmv.cu")
    assert drano(*arguments).stdout == drano(*arguments).stdout


def test_exit_status(drano: Run, strided: Path, tmp_path: Path) -> None:
    clean = tmp_path / "clean.cu"
    clean.write_text("__global__ void k(float* a) { a[threadIdx.x] = 0; }\n")
    assert drano("check", "clean.cu").status == 0
    assert drano("check", "strided.cu").status == 1
    assert drano("check", "--exit-zero", "strided.cu").status == 0
    assert drano("check", "--fail-level", "error", "strided.cu").status == 0
    assert drano("check", "--exit-zero", "strided.cu", "gone.cu").status == 2
    assert drano("check", "--ignore", "DRN001", "strided.cu").status == 0


def test_notes_do_not_fail_the_run_unless_asked(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "gather.cu").write_text(
        "__global__ void k(float* o, const float* x, const int* i) {\n"
        "  o[threadIdx.x] = x[i[threadIdx.x]];\n}\n"
    )
    outcome = drano("check", "gather.cu")
    assert (outcome.status, "note[DRN003]" in outcome.stdout) == (0, True)
    assert drano("check", "--fail-level", "note", "gather.cu").status == 1


def test_show_all_lists_good_accesses(drano: Run, strided: Path) -> None:
    shown = drano("check", "--show", "all", "strided.cu").stdout
    assert "strided.cu:6:20: coalesced global store" in shown


def test_quiet_says_only_findings(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k(float* a) { a[threadIdx.x] = 0; }\n")
    outcome = drano("check", "-q", "a.cu")
    assert (outcome.stdout, outcome.stderr, outcome.status) == ("", "", 0)


def test_colour(drano: Run, strided: Path) -> None:
    assert "\x1b[" in drano("check", "--color", "always", "strided.cu").stdout
    assert "\x1b[" not in drano("check", "strided.cu").stdout


def test_timings_go_to_stderr(drano: Run, strided: Path) -> None:
    outcome = drano("check", "-q", "--timings", "--no-cache", "strided.cu")
    head, row = outcome.stderr.splitlines()
    assert head.split() == ["clang", "prepare", "read", "analyse", "own", "seconds"]
    assert row.split()[-1] == "strided.cu"
    assert float(row.split()[0]) > 0


def test_block_shape_is_used(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "rows.cu").write_text(
        "__global__ void k(float* a) { a[1024 * threadIdx.y + threadIdx.x] = 0; }\n"
    )
    assert drano("check", "--block", "32,8", "rows.cu").status == 0
    outcome = drano("check", "--block", "2,64", "rows.cu")
    assert outcome.status == 1
    assert "blocks of 2x64 threads" in outcome.stdout


def test_compiler_flags(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "stride.h").write_text("#define STRIDE 2\n")
    (tmp_path / "forced.h").write_text("typedef float Number;\n")
    (tmp_path / "flags.cu").write_text(
        '#include "stride.h"\n'
        "#if !defined(GO) || defined(STOP) || __cplusplus < 202002L || !defined(LAST)\n"
        "#error flags were lost\n"
        "#endif\n"
        "__global__ void k(Number* a) { a[STRIDE * threadIdx.x] = 0; }\n"
    )
    outcome = drano(
        "check", "-Iinc", "-D", "GO=1", "-DSTOP", "-U", "STOP", "-include", "forced.h",
        "-std=c++20", "--cuda-gpu-arch=sm_80", "flags.cu", "--", "-DLAST",
    )  # fmt: skip
    assert (outcome.status, outcome.stderr) == (1, "")


def test_missing_headers_are_one_note(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "gl.cu").write_text(
        "#include <GL/no_such_library.h>\n__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n"
    )
    outcome = drano("check", "gl.cu")
    assert outcome.status == 1
    assert outcome.stderr == (
        "drano: note: continued without a missing header: GL/no_such_library.h"
        " (-v lists the files)\n"
    )
    assert drano("check", "--stub-missing-headers", "gl.cu") == outcome
    verbose = drano("check", "-v", "--stub-missing-headers", "gl.cu").stderr
    assert "note: gl.cu:1: header 'GL/no_such_library.h' is not installed" in verbose


def test_directories(drano: Run, tmp_path: Path) -> None:
    kernel = "__global__ void {}(float* a) {{ a[2 * threadIdx.x] = 0; }}\n"
    tree = {
        "src/main.cu": '#include "part.cu"\n#include "used.cuh"\n' + kernel.format("main_kernel"),
        "src/part.cu": kernel.format("part_kernel"),
        "src/used.cuh": kernel.format("used_kernel"),
        "src/alone.cuh": kernel.format("alone_kernel"),
        "src/plain.cuh": "struct Plain { int x; };\n",
        "src/build/old.cu": "this is not CUDA\n",
        "src/.hidden/old.cu": "this is not CUDA\n",
        "src/host.cpp": "this is not CUDA\n",
    }
    for name, content in tree.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    outcome = drano("check", "--output-format", "json", "src")
    assert outcome.status == 1
    document = json.loads(outcome.stdout)
    assert [file["path"] for file in document["files"]] == ["src/alone.cuh", "src/main.cu"]
    assert {finding["path"] for finding in document["findings"]} == {
        "src/alone.cuh", "src/main.cu", "src/part.cu", "src/used.cuh",
    }  # fmt: skip
    assert "src/part.cu: analysed as part of the files that include it" in outcome.stderr


def test_output_file_is_whole_or_not_at_all(drano: Run, strided: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_text("old")
    outcome = drano("check", "--output-format", "json", "-o", "report.json", "strided.cu")
    assert (outcome.status, outcome.stdout) == (1, "")
    assert json.loads(target.read_text())["schema_version"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.json", "strided.cu"]
    assert drano("check", "-o", "/dev/null", "strided.cu").status == 1
    assert Path("/dev/null").is_char_device()


def test_dump_state(drano: Run, strided: Path) -> None:
    for domain in ("warp", "gpudrano"):
        outcome = drano("dump-state", "--domain", domain, "strided.cu")
        assert outcome.status == 0
        load, store = outcome.stdout.splitlines()
        assert load.startswith("strided.cu:2:10 k < k:6 global load 4 active=")
        assert store.startswith("strided.cu:6:20 k global store 4 active=")
        assert " index=" in load
        assert load.endswith(" uncoalesced")


def test_explain(drano: Run, strided: Path) -> None:
    outcome = drano("explain", "strided.cu:2")
    assert outcome.status == 0
    assert outcome.stdout.startswith("strided.cu:2:10: uncoalesced global load, 4 bytes, in k\n")
    assert drano("explain", "strided.cu:2:10").stdout == outcome.stdout


def test_explain_says_what_is_wrong_in_shared_memory(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "__global__ void k(float* out) {\n"
        "  __shared__ float s[1024];\n"
        "  s[threadIdx.x] = out[threadIdx.x];\n"
        "  __syncthreads();\n"
        "  out[threadIdx.x] = s[(threadIdx.x * 32) % 1024];\n"
        "}\n"
    )
    assert ": no bank conflict in shared store, 4 bytes" in drano("explain", "a.cu:3").stdout
    assert ": bank conflict in shared load, 4 bytes" in drano("explain", "a.cu:5").stdout


def test_rule_pages(drano: Run) -> None:
    assert drano("rule").stdout.startswith("DRN001  uncoalesced-access")
    page = drano("rule", "drn001").stdout
    assert page.startswith("# DRN001 uncoalesced-access\n")
    assert page == drano("rule", "uncoalesced-access").stdout
    assert drano("rule", "--all").stdout == (ROOT / "docs" / "reference" / "rules.md").read_text()


def test_version_and_help(drano: Run) -> None:
    assert drano("version").stdout == drano("--version").stdout
    for arguments in (["--help"], ["check", "--help"], ["explain", "--help"]):
        outcome = drano(*arguments)
        assert outcome.status == 0
        assert outcome.stdout.startswith("usage: drano")


def test_doctor(drano: Run) -> None:
    outcome = drano("doctor")
    assert outcome.status == 0
    names = [line.split("  ")[0].rstrip() for line in outcome.stdout.splitlines()]
    for name in ("clang", "LLVM", "libclang", "CUDA headers", "ptxas", "GPU"):
        assert name in names


def start(*arguments: str, **options: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "drano", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,  # type: ignore[call-overload]  # only descriptors
    )


def test_a_reader_that_goes_away(strided: Path) -> None:
    process = start("check", "--output-format", "json", str(strided))
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_interrupt(tmp_path: Path) -> None:
    slow = tmp_path / "slow.cu"
    lines = "\n".join(f"a[{i} * threadIdx.x] = 0;" for i in range(20_000))
    slow.write_text(f"__global__ void k(float* a) {{\n{lines}\n}}\n")
    process = start("check", str(slow))
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 60
    while not children.read_text() and time.monotonic() < deadline:
        time.sleep(0.05)  # until it is at work
    os.kill(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr == b"drano: interrupted\n"
