"""Reports before their real readers: Microsoft's SARIF validator and a browser.

Not collected by a bare ``pytest``: all of this directory needs other programs, here npm, Chromium,
CMake and Make. ``.ci/run`` installs these and runs ``npm install --prefix tests/external`` first.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.conftest import ROOT, Run

HERE = Path(__file__).resolve().parent
MODULES = HERE / "node_modules"
EXAMPLES = ROOT / "examples"
INLINED = """\
template <int N>
__device__ float get(const float* p, int i) { return p[N * i]; }
/* größe 𝛼 */ __global__ void k(float* out, const float* in) {
  out[threadIdx.x] = get<2>(in, threadIdx.x) + get<9>(in, threadIdx.x);
}
"""


def validate(log: Path) -> Counter[tuple[str, str]]:
    """What the validator says, by rule and level; everything down to notes."""
    tool = MODULES / "@microsoft" / "sarif-multitool-linux" / "Sarif.Multitool"
    tool.chmod(0o755)
    said = log.with_suffix(".validated.sarif")
    done = subprocess.run(
        [
            tool, "validate", log, "--rule-kind", "Sarif;Ghas",
            "--level", "Error;Warning;Note", "--kind", "Fail",
            "--output", said, "--log", "ForceOverwrite",
        ],
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (run,) = json.loads(said.read_text(encoding="utf-8-sig"))["runs"]
    return Counter((r["ruleId"], r.get("level", "warning")) for r in run["results"])


def git(directory: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", directory, *identity, *arguments], check=True)


def test_sarif_validator_has_nothing_to_say(drano: Run, tmp_path: Path) -> None:
    """No error, no warning. Notes: SARIF2002 asks for message ids, which GitHub does not read;
    SARIF2006 is about links that cannot be reached from a machine without network."""
    tree = tmp_path / "a tree"
    shutil.copytree(EXAMPLES, tree)
    (tree / "größe #1.cu").write_text(INLINED, encoding="utf-8")
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "first")
    (tree / "bad.cu").write_text("__global__ void k() { x; }\n")
    logs = {
        "all": ("check", "."),
        "clean": ("check", "--ignore", "DRN", "particles.cu"),
        "paper": ("check", "--domain", "gpudrano", "transpose.cu", "größe #1.cu"),
        "failed": ("check", "bad.cu"),
    }
    statuses = {"all": 2, "clean": 0, "paper": 1, "failed": 2}
    for name, arguments in logs.items():
        log = tmp_path / f"{name}.sarif"
        outcome = drano(*arguments, "--sarif-output", log, cwd=tree)
        assert outcome.status == statuses[name], outcome.stderr
        said = validate(log)
        assert (said["SARIF2002", "note"] > 0) == (name in {"all", "paper"})
        print(f"{name}: {dict(said)}")
        assert {rule for rule, _ in said} <= {"SARIF2002", "SARIF2006"}, (name, said)
        assert {level for _, level in said} <= {"note"}, (name, said)


def test_the_builds_of_the_guide(tmp_path: Path) -> None:
    """CMake's and Make's snippets, as they stand in the guide."""
    guide = (ROOT / "docs" / "guide" / "ci.md").read_text(encoding="utf-8")
    cmake, make = (guide.split(f"```{kind}\n")[1].split("```")[0] for kind in ("cmake", "make"))
    tool = tmp_path / "bin" / "drano"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m drano "$@"\n')
    tool.chmod(0o755)
    (tmp_path / "src").mkdir()
    shutil.copy(EXAMPLES / "transpose.cu", tmp_path / "src")
    # CMake's own CUDA support needs an SDK; the compilation database does not.
    project = """\
cmake_minimum_required(VERSION 3.18)
project(p CXX)
set_source_files_properties(src/transpose.cu PROPERTIES LANGUAGE CXX)
add_library(p OBJECT src/transpose.cu)
"""
    (tmp_path / "CMakeLists.txt").write_text(project.replace("add_library", f"{cmake}add_library"))
    (tmp_path / "Makefile").write_text(f"CPPFLAGS = -Isrc -O2 -DN=1\n{make}")

    def build(*command: str) -> tuple[int, str]:
        path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PATH": path},
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    assert build("cmake", "-B", "build", ".")[0] == 0
    for command in (["cmake", "--build", "build", "--target", "drano"], ["make", "drano"]):
        status, said = build(*command)
        assert status == 2, said
        assert "warning[DRN001]: uncoalesced store" in said


def test_the_html_report_in_a_browser(drano: Run, tmp_path: Path) -> None:
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(found for found in map(shutil.which, names) if found)
    drano("check", "--output-format", "html", "-o", "report.html", EXAMPLES)
    drano("check", "--output-format", "json", "-o", "report.json", EXAMPLES)
    entries = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["entries"]
    done = subprocess.run(
        ["node", HERE / "browse.mjs", browser, "report.html", "."],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    assert seen["problems"] == []
    assert {request.partition("?")[0] for request in seen["requests"]} == {
        (tmp_path / "report.html").as_uri()
    }
    rules = Counter(entry["rule"] for entry in entries)
    assert seen["filters"]["all"] == len(entries)
    assert seen["filters"]["text"] == sum(e["kernel"] == "sum_interleaved" for e in entries) > 0
    assert seen["filters"]["rule"] == rules["DRN003"] > 0
    assert seen["filters"]["severity"] == 0
    assert seen["count"] == f"0 of {len(entries)}"
    assert seen["filters"]["link"] == sum("matmul" in e["path"] for e in entries)
    numbers = seen["ranks"]["first"]
    assert numbers == list(range(1, len(entries) + 1))
    assert seen["ranks"]["turned"] in (numbers, numbers[::-1])
    light, dark, switched = seen["themes"]
    assert light == switched != dark
    assert seen["picture"]["width"] > 280
    assert seen["picture"]["height"] > 32 * 9
    assert seen["line"]["open"] is True
    assert seen["line"]["pictures"] > 0
    assert seen["line"]["colour"] != "rgba(0, 0, 0, 0)"
    for name in ("light", "dark", "line"):
        assert (tmp_path / f"{name}.png").stat().st_size > 20_000
