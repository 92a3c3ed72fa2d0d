"""What the documentation shows is what happens.

On each page ``console`` blocks are run as they stand, in order, beside a copy of ``examples/``:
lines that begin with ``$`` are commands, the others what they print. ``diff`` blocks are applied
between them. ``…`` stands for any text. Blocks that a machine without a GPU cannot run are ``sh``.
``drano`` is a copy of a process that has its modules loaded (``tests.lsp.warm_server``).
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.lsp.warm_server import WarmServer
from tests.warm_cli import LOADED

DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(console|diff)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "```console\n" in page.read_text("utf-8")]


def steps(page: Path) -> list[tuple[str, str]]:
    """Commands with what they print, and patches with nothing."""
    found: list[tuple[str, str]] = []
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "diff":
            found.append((f"git apply - <<'END'\n{text}END", ""))
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.fixture(scope="module")
def drano_command() -> Iterator[str]:
    """What a shell is to run in the place of ``drano``."""
    server = WarmServer(*LOADED)
    yield shlex.join(server.command())
    server.close()


@pytest.fixture
def workplace(tmp_path: Path, drano_command: str) -> Path:
    """A directory with the examples, where ``drano`` is a command, ours, which pytest knows."""
    shutil.copytree(ROOT / "examples", tmp_path / "work" / "examples")
    plugin = "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTEST_PLUGINS=drano.python.pytest_plugin"
    pytest_command = f'{plugin} exec "{sys.executable}" -m pytest -p no:cacheprovider'
    tools = {"drano": f"exec {drano_command}", "pytest": pytest_command}
    (tmp_path / "bin").mkdir()
    for name, command in tools.items():
        tool = tmp_path / "bin" / name
        tool.write_text(f'#!/bin/sh\nexport PYTHONPATH="{ROOT}"\n{command} "$@"\n')
        tool.chmod(0o755)
    return tmp_path / "work"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_commands_print_what_the_page_shows(page: Path, workplace: Path) -> None:
    path = f"{workplace.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for command, shown in steps(page):
        done = subprocess.run(
            ["bash", "-c", command], cwd=workplace, env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=300,
        )  # fmt: skip
        pattern = re.escape(shown.rstrip("\n")).replace("…", ".*")
        printed = done.stdout.rstrip("\n")
        assert re.fullmatch(pattern, printed, re.DOTALL), f"$ {command}\n{printed}\n\n{shown}"


def test_there_are_snippets() -> None:
    assert DOCS / "tutorial" / "index.md" in PAGES
