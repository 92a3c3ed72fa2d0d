"""Known findings through the real command line: files are mutated, findings stay known."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Outcome, Run

SHARED = """\
__device__ float twice(const float* p, int i) {
  return p[2 * i];
}
"""
SOURCE = """\
#include "shared.cuh"

__global__ void first(float* out, const float* in) {
  int i = threadIdx.x;
  out[3 * i] = twice(in, i);
  out[5 * i] = 1;
}

__global__ void second(float* data) {
  data[2 * threadIdx.x] = 0;
}
"""
NEW = "\n__global__ void added(float* fresh) {\n  fresh[9 * threadIdx.x] = 0;\n}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.cu").write_text(SOURCE)
    (folder / "src" / "shared.cuh").write_text(SHARED)
    return folder


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True
    )


@pytest.fixture
def repository(project: Path) -> Path:
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "first")
    return project


def new_lines(outcome: Outcome) -> list[str]:
    """``file:line`` of each finding that is shown."""
    shown = [line for line in outcome.stdout.splitlines() if ": DRN" in line]
    return [":".join(Path(line).name.split(":")[:2]) if "/" not in line.split(":")[0]
            else ":".join([Path(line.split(":")[0]).name, line.split(":")[1]])
            for line in shown]  # fmt: skip


def check(drano: Run, project: Path, *arguments: str) -> Outcome:
    return drano("check", "-q", "--output-format", "concise", *arguments, cwd=project)


def test_known_findings_do_not_fail_the_run(drano: Run, project: Path) -> None:
    assert len(new_lines(check(drano, project, "src"))) == 3  # one has two accesses
    outcome = drano("check", "--write-baseline", "known.json", "src", cwd=project)
    assert (outcome.status, outcome.stdout) == (0, "")
    first = (project / "known.json").read_text()
    paths = {entry["path"] for entry in json.loads(first)["findings"]}
    assert paths == {"src/a.cu", "src/shared.cuh"}
    outcome = check(drano, project, "--baseline", "known.json", "src")
    assert (outcome.status, new_lines(outcome)) == (0, [])
    drano("check", "--write-baseline", "known.json", "src", cwd=project)
    assert (project / "known.json").read_text() == first
    # From elsewhere, with other spellings of the same paths.
    outcome = check(drano, project / "src", "--baseline", "../known.json", "a.cu")
    assert (outcome.status, new_lines(outcome)) == (0, [])


MUTATIONS = {
    "lines above": lambda s: "// one\n\n// two\n" + s.replace("int i =", "\n\n  int i ="),
    "another kernel": lambda s: "__global__ void other(int* x) { x[threadIdx.x] = 1; }\n" + s,
    "kernel renamed": lambda s: s.replace("second", "renamed"),
    "blanks": lambda s: s.replace("[3 * i]", "[3  *i ]"),
    "index edited": lambda s: s.replace("[3 * i]", "[4 * i]"),
    "order": lambda s: s[: s.index("__global__")] + s[s.index("__global__ void second") :]
    + s[s.index("__global__") : s.index("__global__ void second")],
}  # fmt: skip


def test_unrelated_changes_leave_findings_known(drano: Run, project: Path) -> None:
    drano("check", "--write-baseline", "known.json", "src", cwd=project)
    for name, mutate in MUTATIONS.items():
        changed = mutate(SOURCE)
        assert changed != SOURCE
        (project / "src" / "a.cu").write_text(changed)
        outcome = check(drano, project, "--baseline", "known.json", "src")
        assert (outcome.status, new_lines(outcome)) == (0, []), name
        (project / "src" / "a.cu").write_text(changed + NEW)
        outcome = check(drano, project, "--baseline", "known.json", "src")
        line = changed.count("\n") + 3
        assert (outcome.status, new_lines(outcome)) == (1, [f"a.cu:{line}"]), name


def test_a_second_one_like_the_first_is_new(drano: Run, project: Path) -> None:
    drano("check", "--write-baseline", "known.json", "src", cwd=project)
    twice = SOURCE.replace("  out[5 * i] = 1;\n", "  out[7 * i] = 1;\n  out[5 * i] = 1;\n")
    (project / "src" / "a.cu").write_text(twice)
    outcome = check(drano, project, "--baseline", "known.json", "src")
    assert (outcome.status, new_lines(outcome)) == (1, ["a.cu:6"])


def test_moved_files_stay_known(drano: Run, project: Path) -> None:
    drano("check", "--write-baseline", "known.json", "src", cwd=project)
    (project / "src" / "a.cu").rename(project / "src" / "renamed.cu")
    outcome = check(drano, project, "--baseline", "known.json", "src")
    assert (outcome.status, new_lines(outcome)) == (0, [])


def test_reports_say_what_is_known(drano: Run, project: Path) -> None:
    drano("check", "--write-baseline", "known.json", "src", cwd=project)
    with (project / "src" / "a.cu").open("a") as file:
        file.write(NEW)
    outcome = drano(
        "check", "--output-format", "json", "--sarif-output", "a.sarif", "--baseline", "known.json",
        "src", cwd=project,
    )  # fmt: skip
    states = [finding["baseline"] for finding in json.loads(outcome.stdout)["findings"]]
    assert sorted(states) == ["new"] + ["unchanged"] * 4
    (run,) = json.loads((project / "a.sarif").read_text())["runs"]
    assert sorted(result["baselineState"] for result in run["results"]) == sorted(states)
    assert "drano: note: 4 known findings omitted" in outcome.stderr


def test_the_findings_of_a_commit_are_known(drano: Run, repository: Path) -> None:
    against = ("--baseline-commit", "HEAD")
    assert check(drano, repository, *against, "src").status == 0
    (repository / "src" / "a.cu").write_text("// moved\n" + SOURCE + NEW)
    (repository / "src" / "b.cu").write_text(NEW.replace("added", "untracked"))
    outcome = check(drano, repository, *against, "src")
    assert (outcome.status, new_lines(outcome)) == (1, ["a.cu:15", "b.cu:3"])
    assert git_status(repository) == " M src/a.cu\n?? src/b.cu\n"
    # A header that was changed: every unit that includes it is analysed in the commit.
    (repository / "src" / "a.cu").write_text(SOURCE)
    (repository / "src" / "shared.cuh").write_text("// moved\n" + SHARED)
    outcome = check(drano, repository, *against, "src/a.cu")
    assert (outcome.status, new_lines(outcome)) == (0, [])
    git(repository, "mv", "src/a.cu", "src/renamed.cu")
    outcome = check(drano, repository, *against, "src/renamed.cu")
    assert (outcome.status, new_lines(outcome)) == (0, [])


def git_status(folder: Path) -> str:
    return subprocess.run(
        ["git", "status", "--porcelain", "-uall"],
        cwd=folder, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def test_only_changed_lines(drano: Run, repository: Path) -> None:
    assert new_lines(check(drano, repository, "--diff-only", "src")) == []
    edited = "// moved\n" + SOURCE.replace("[3 * i]", "[4 * i]") + NEW
    (repository / "src" / "a.cu").write_text(edited)
    outcome = check(drano, repository, "--diff-only", "src")
    assert (outcome.status, new_lines(outcome)) == (1, ["a.cu:6", "a.cu:15"])
    git(repository, "commit", "-qam", "second")
    assert new_lines(check(drano, repository, "--diff-only", "src")) == []
    more = ("--baseline-commit", "HEAD~1", "--diff-only", "src")
    assert new_lines(check(drano, repository, *more)) == ["a.cu:6", "a.cu:15"]
    git(repository, "mv", "src/a.cu", "src/renamed.cu")
    assert new_lines(check(drano, repository, "--diff-only", "src")) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--baseline", "gone.json"], "gone.json: no such baseline file"),
        (["--baseline", "src/a.cu"], "src/a.cu: is not a drano baseline file"),
        (["--baseline", "bad.json"], "bad.json: is not a drano baseline file"),
        (["--baseline-commit", "no-such"], "unknown git commit 'no-such'"),
        (["--baseline-commit", "--upload-pack=x"], "expected one argument"),
        (["--baseline-commit=--output=x"], "unknown git commit '--output=x'"),
        (["--baseline", "x", "--baseline-commit", "HEAD"], "not allowed with argument"),
        (["--write-baseline", "gone/known.json"], "gone/known.json: cannot write"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    drano: Run, repository: Path, arguments: list[str], expected: str
) -> None:
    (repository / "bad.json").write_text('{"version": 1, "tool": "drano", "findings": [3]}')
    outcome = check(drano, repository, *arguments, "src/a.cu")
    assert outcome.status == 2
    assert len(outcome.error_lines) == 1
    assert expected in outcome.error_lines[0]


def test_outside_of_a_checkout(drano: Run, project: Path) -> None:
    outcome = check(drano, project, "--diff-only", "src")
    assert outcome.status == 2
    assert "not a git repository" in outcome.error_lines[0]
