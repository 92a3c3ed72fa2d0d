"""Views of profiles: the tree, differences, and measured costs in a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from drano.dynamic.profiles.measured_costs import view_of, with_measured
from drano.dynamic.profiles.profile import Profile, ProfileError, merge, read_profile
from drano.dynamic.reports import diff
from drano.model.access import Basis
from drano.model.report import Report
from drano.model.settings import Config, View
from drano.output.cost_text import cost_text
from drano.output.formats.json import render_json
from drano.rules import run_rules
from tests.accesses import access, report
from tests.dynamic.profiles.test_profile import profile, site


def written(place: Path, **values: Any) -> str:
    place.write_text(json.dumps(profile(**values)))
    return str(place)


def loaded(place: Path, sites: list[dict[str, Any]]) -> Profile:
    return read_profile(written(place / "p.json", sites=sites))


def test_profiles_are_compared(tmp_path: Path) -> None:
    base = written(tmp_path / "a.json")
    new = written(tmp_path / "b.json", sites=[site(sectors=200)])
    found = diff.difference(base, new)
    assert [(c.name, c.word, c.difference) for c in found.changes["lines"]] == [
        ("/src/a.cu:3", "changed", 3840.0),
        ("/src/a.cu:4", "gone", 0.0),
    ]
    assert [c.difference for c in found.changes["kernels"]] == [3840.0]
    assert "+3.8 KB  /src/a.cu:3" in diff.render_text(found)
    assert json.loads(diff.render_json(found))["arrays"] == []
    same = diff.difference(base, base)
    assert not any(same.changes.values())
    assert "no difference" in diff.render_text(same)


def test_reports_are_compared_by_finding(tmp_path: Path) -> None:
    def saved(name: str, line: int, **changes: Any) -> str:
        found = access(**changes)
        found_at = access(
            **changes, location=type(found.location)(
                type(found.location.span)("/src/a.cu", line, 9), "get"
            ),
        )  # fmt: skip
        text = render_json(report("/src/a.cu", (found_at,), run_rules([found_at], Config())))
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    base, moved = saved("a.json", 2), saved("b.json", 40)
    assert not any(diff.difference(base, moved).changes.values())
    other = saved("c.json", 2, array="q|`")
    found = diff.difference(base, other)
    assert {change.word for change in found.changes["lines"]} == {"new", "gone"}
    markdown = diff.render_markdown(found)
    assert markdown.startswith("**drano**: ")
    assert "\n|---|--:|--:|--:|\n" in markdown
    with pytest.raises(ProfileError, match="is a report, but"):
        diff.difference(base, written(tmp_path / "p.json"))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 1, "findings": [1]}'])
def test_bad_files_are_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(ProfileError, match="x: is n"):
        diff.difference(str(tmp_path / "x"), str(tmp_path / "x"))
    with pytest.raises(ProfileError, match="No such file"):
        diff.difference(str(tmp_path / "y"), str(tmp_path / "x"))


def checked() -> Report:
    found = access()
    return report("/src/a.cu", (found,), run_rules([found], Config()))


def test_measured_costs_replace_estimates(tmp_path: Path) -> None:
    counted = site(
        line=2, column=9, kernel="_Z1kPfPKfi", executions=8, sectors=64, sectors_ideal=32
    )
    kernel = {**profile()["kernels"][0], "name": "_Z1kPfPKfi"}
    data = read_profile(written(tmp_path / "p.json", sites=[counted], kernels=[kernel]))
    (finding,) = with_measured(checked(), data).findings
    assert finding.excess_bytes == 32 * 32
    assert finding.access is not None
    assert finding.access.cost is not None
    assert finding.access.cost.factors[0].basis is Basis.MEASURED
    assert cost_text([finding], None) == (
        "1.0 KB beyond the ideal (measured): 8 executions, 4 sectors each"
    )


def test_lines_without_columns_are_shared_among_accesses(tmp_path: Path) -> None:
    counted = site(line=2, column=0, ordinal=None, kernel="k", sectors=72, sectors_ideal=40)
    kernel = {**profile()["kernels"][0], "name": "k"}
    data = read_profile(written(tmp_path / "p.json", sites=[counted], kernels=[kernel]))
    (finding,) = with_measured(checked(), data).findings
    assert round(finding.excess_bytes) == 32 * 32
    idle = read_profile(written(tmp_path / "q.json", sites=[], kernels=[kernel]))
    assert with_measured(checked(), idle).findings[0].rank == 0.0
    other = read_profile(written(tmp_path / "r.json", sites=[]))
    assert with_measured(checked(), other).findings[0].rank == checked().findings[0].rank


def test_counts_as_written_and_as_compiled_are_not_mixed(tmp_path: Path) -> None:
    base = profile()
    compiled = [{**kernel, "view": "compiled"} for kernel in base["kernels"]]
    one = written(tmp_path / "one.json")
    other = written(tmp_path / "other.json", kernels=compiled)
    with pytest.raises(ProfileError, match=r"accesses as written, another as compiled"):
        merge([read_profile(one), read_profile(other)])
    with pytest.raises(ProfileError, match=r"profile of accesses as compiled"):
        diff.difference(one, other)
    assert [view_of(read_profile(path)) for path in (one, other)] == [View.WRITTEN, View.COMPILED]
