"""The terminal of the tutorial shows what the tool prints."""

from __future__ import annotations

import re
import runpy
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT

SCRIPT = ROOT / "docs" / "scripts" / "pictures.py"


def words(drawn: str) -> list[str]:
    """The text of a picture; where it lies on the page is rich's business."""
    return re.findall(r">([^<]+)</text>", drawn)


@pytest.mark.parametrize("name", ["check", "triton"])
def test_the_check_is_as_in_the_picture(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    script = runpy.run_path(str(SCRIPT))
    commands = {"check": ("check", "examples/matmul.cu"), "triton": script["TRITON"]}
    drawn = script["terminal"](name, *commands[name])
    shown = (ROOT / "docs" / "tutorial" / f"{name}.svg").read_text(encoding="utf-8")
    assert words(drawn) == words(shown), "run: python docs/scripts/pictures.py"
