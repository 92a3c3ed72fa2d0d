"""``drano diff`` names places, and says what it counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from drano.dynamic.profiles.profile import ProfileError
from drano.dynamic.reports.diff import difference, render_json, render_markdown, render_text
from drano.model.report import Report
from drano.model.settings import Config
from drano.output.formats.json import render_json as report_json
from drano.rules import run_rules
from tests.accesses import access, report
from tests.dynamic.profiles.test_profile import profile, site


def written(place: Path, line: int, excess: float) -> str:
    """A report with one finding."""
    (finding,) = run_rules([access()], Config())
    span = replace(finding.location.span, line=line)
    moved = replace(finding, location=replace(finding.location, span=span), excess_bytes=excess)
    result: Report = report("/src/a.cu", (), (moved,))
    place.write_text(report_json(result))
    return str(place)


def test_a_finding_that_moved_is_named_by_where_it_is(tmp_path: Path) -> None:
    before, after = (
        written(tmp_path / "before.json", 2, 2048.0), written(tmp_path / "after.json", 9, 1024.0)
    )  # fmt: skip
    found = difference(before, after)
    text = render_text(found)
    assert text.splitlines()[:2] == [
        "Lines: bytes beyond the ideal, before and after",
        "      2.0 KB     1.0 KB     -1.0 KB  /src/a.cu:9 DRN001 k",
    ]
    assert "Arrays: bytes beyond the ideal, before and after\n      2.0 KB" in text
    assert "| `/src/a.cu:9 DRN001 k` | 2.0 KB | 1.0 KB | -1.0 KB |" in render_markdown(found)
    (line,) = json.loads(render_json(found))["lines"]
    assert (line["name"], line["change"]) == ("/src/a.cu:9 DRN001 k", "changed")


def test_arrays_of_a_profile_have_no_ideal(tmp_path: Path) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(json.dumps(profile()))
    after.write_text(json.dumps(profile(sites=[site(sectors=200)])))
    text = render_text(difference(str(before), str(after)))
    assert "Lines: bytes beyond the ideal, before and after\n" in text
    assert "Kernels: bytes beyond the ideal, before and after\n" in text
    assert "Arrays: bytes moved, before and after\n" in text


def test_a_profile_and_a_report_do_not_compare(tmp_path: Path) -> None:
    good = written(tmp_path / "a.json", 2, 1.0)
    (tmp_path / "b.json").write_text("[]")
    with pytest.raises(ProfileError, match="neither a profile nor"):
        difference(good, str(tmp_path / "b.json"))
