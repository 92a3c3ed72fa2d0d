"""The integration files say what the command line understands; the action's script runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from drano.config.arguments import parse
from tests.conftest import ROOT, Run

GUIDE = (ROOT / "docs" / "guide" / "ci.md").read_text(encoding="utf-8")
UNCOALESCED = "__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n"


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_pre_commit_hook(drano: Run, tmp_path: Path) -> None:
    (hook,) = loaded(ROOT / ".pre-commit-hooks.yaml")
    assert hook["id"] == "drano"
    assert re.search(hook["files"], "src/a.cu")
    assert not re.search(hook["files"], "a.cu.txt")
    command, *arguments = shlex.split(hook["entry"])
    assert command == "drano"
    (tmp_path / "a.cu").write_text(UNCOALESCED)
    (tmp_path / "b.cu").write_text(UNCOALESCED.replace("2 * ", ""))
    outcome = drano(*arguments, "a.cu", "b.cu")
    assert (outcome.status, len(outcome.stdout.splitlines())) == (1, 1)
    assert drano(*arguments, "b.cu").stdout == ""


def test_the_commands_of_the_guide_are_understood() -> None:
    commands = re.findall(r"(?:drano|\$\{DRANO\}) (check (?:\$\(.*\)|[^`\n|])+)", GUIDE)
    assert len(commands) == 4
    for command in commands:
        plain = re.sub(r"\$\(filter .*?\)\)|\$\(.*?\)|\$\{\w+\}", "x", command)
        assert parse(shlex.split(plain)).command == "check"


def test_guide_and_action_agree() -> None:
    action = loaded(ROOT / "action.yml")
    for block in re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL):
        for job in (yaml.safe_load(block).get("jobs") or {}).values():
            for step in job["steps"]:
                if step["uses"].startswith("OWNER/"):
                    assert set(step["with"]) <= set(action["inputs"])


def step(name: str) -> dict[str, Any]:
    (found,) = [s for s in loaded(ROOT / "action.yml")["runs"]["steps"] if s.get("name") == name]
    return dict(found)


def test_no_input_is_pasted_into_a_script() -> None:
    for each in loaded(ROOT / "action.yml")["runs"]["steps"]:
        assert "${{" not in each.get("run", "")


def action_run(tmp_path: Path, inputs: dict[str, str]) -> subprocess.CompletedProcess[str]:
    tool = tmp_path / "temp" / "drano" / "bin" / "drano"
    tool.parent.mkdir(parents=True, exist_ok=True)
    tool.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m drano "$@"\n')
    tool.chmod(0o755)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step("Check")["run"]],
        cwd=tmp_path,
        env={
            **os.environ,
            "RUNNER_TEMP": str(tmp_path / "temp"),
            "ARGUMENTS": "",
            "FAIL_LEVEL": "never",
            "SARIF": "out put.sarif",
            **inputs,
        },
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_the_action_can_allow_what_does_not_compile(tmp_path: Path) -> None:
    (tmp_path / "bad.cu").write_text("__global__ void k(float* a) { oops }\n")
    assert action_run(tmp_path, {"PATHS": "bad.cu"}).returncode == 2
    assert action_run(tmp_path, {"PATHS": "bad.cu", "ALLOW": "true"}).returncode == 0


@pytest.mark.parametrize(
    ("fail_level", "status"), [("never", 0), ("warning", 1), ("error", 0), ("$(touch pwned)", 2)]
)
def test_the_script_of_the_action(tmp_path: Path, fail_level: str, status: int) -> None:
    (tmp_path / "a b.cu").write_text("#include <scale.h>\n" + UNCOALESCED.replace("2 *", "SCALE *"))
    (tmp_path / "inc dir").mkdir()
    (tmp_path / "inc dir" / "scale.h").write_text("#define SCALE 4\n")
    inputs = {"PATHS": "a b.cu\n\n", "ARGUMENTS": "-I\ninc dir\n", "FAIL_LEVEL": fail_level}
    done = action_run(tmp_path, inputs)
    assert done.returncode == status, done.stderr
    assert not (tmp_path / "pwned").exists()
    if status < 2:
        assert done.stdout.startswith("::warning file=a b.cu,line=2,")
        log = json.loads((tmp_path / "out put.sarif").read_text(encoding="utf-8"))
        assert len(log["runs"][0]["results"]) == 1
