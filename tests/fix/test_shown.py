"""Fixes in reports, and as suggestions on GitHub."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.fix.test_pad_shared_array import SOURCE
from tests.warm_cli import main

SCHEMA = Path(__file__).parents[1] / "data" / "sarif-2.1.0.json"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "k.cu"
    path.write_text("// é😀\n" + SOURCE.replace("float tile", "/* é😀 */ float tile"), "utf-8")
    return path


def test_sarif_has_the_edits(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "k.cu", "--show-fixes", "--output-format", "sarif"]) == 1
    log = json.loads(capsys.readouterr().out)
    jsonschema.validate(log, json.loads(SCHEMA.read_text("utf-8")))
    (result,) = log["runs"][0]["results"]
    (fix,) = result["fixes"]
    assert fix["description"]["text"].startswith("Pad the rows of tile by 1 (128 → 4 wavefronts)")
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "k.cu"
    (replacement,) = change["replacements"]
    region = replacement["deletedRegion"]
    line = source.read_text("utf-8").split("\n")[region["startLine"] - 1].encode("utf-16-le")
    column = 2 * (region["startColumn"] - 1)
    assert line[:column].decode("utf-16-le").endswith("tile[SIDE][SIDE")
    assert (region["startLine"], region["startColumn"]) == (
        region["endLine"], region["endColumn"],
    )  # fmt: skip
    assert replacement["insertedContent"]["text"] == " + 1"


def test_without_the_option_nothing_is_looked_for(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "k.cu", "--output-format", "sarif"]) == 1
    assert "fixes" not in json.loads(capsys.readouterr().out)["runs"][0]["results"][0]


def test_people_are_told(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "k.cu", "--show-fixes"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "drano fix: pad the rows of tile by 1 (128 → 4 wavefronts)" in said


def test_suggestions_of_a_review(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = source.read_text("utf-8")
    assert main(["fix", "k.cu", "--github-review", "-q"]) == 0
    review = json.loads(capsys.readouterr().out)
    (comment,) = review["comments"]
    assert review["event"] == "COMMENT"
    assert (comment["path"], comment["line"], comment["side"]) == ("k.cu", 4, "RIGHT")
    block = comment["body"].split("```suggestion\n")[1].split("\n```")[0]
    lines = before.split("\n")
    assert block == lines[3].replace("[SIDE][SIDE]", "[SIDE][SIDE + 1]")
    assert source.read_text("utf-8") == before
