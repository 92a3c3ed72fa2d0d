"""Profiles: read, merged, reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drano.dynamic.profiles.display_names import first_argument, kernel_name
from drano.dynamic.profiles.line_ranking import ranked_lines
from drano.dynamic.profiles.profile import ProfileError, merge, profile_json, read_profile
from drano.dynamic.reports.report import Setting
from drano.dynamic.reports.report_formats import REPORTS
from drano.output.source_lines import Sources
from tests.conftest import Run

SCHEMA = Path(__file__).parents[3] / "drano/dynamic/profiles/profile_schema.json"


def site(**values: Any) -> dict[str, Any]:
    return {
        "path": "/src/a.cu", "line": 3, "column": 5, "kernel": "_Z3addPf", "function": "add",
        "kind": "load", "space": "global", "bytes": 4, "ordinal": 0, "inlined_at": [],
        "pruned": False, "executions": 10, "shared_executions": 0, "active_lanes": 320,
        "lines": 20, "sectors": 80, "sectors_ideal": 40, "wavefronts": 0, "wavefronts_ideal": 0,
        "conflicts": 0, "least": 2, "most": 2, "histogram": [0, 10, *[0] * 30], **values,
    }  # fmt: skip


def profile(**values: Any) -> dict[str, Any]:
    shape = {
        "launches": 2, "counted": 2, "grid": [1, 1, 1], "block": [320, 1, 1], "shared_bytes": 0,
        "nanoseconds": 50,
    }  # fmt: skip
    kernel = {
        "name": "_Z3addPf", "launches": 2, "threads": 640, "nanoseconds": 50,
        "static_shared_bytes": 0, "other_shapes": 0, "shapes": [shape],
    }  # fmt: skip
    array = {
        "name": "(void **)&d_a, n * 4", "api": "cudaMalloc", "kind": "device", "path": "/src/a.cu",
        "line": 9, "allocations": 1, "bytes": 4096, "largest": 4096, "reads": 320, "writes": 0,
        "atomics": 0, "sectors": 80,
    }  # fmt: skip
    return {
        "format": "drano-profile", "version": 2, "program": "/bin/a", "gpu": "G", "ended": "exit",
        "workers": 2, "nanoseconds": 99, "kernels": [kernel], "arrays": [array],
        "sites": [site(), site(line=4, ordinal=1, kind="store", sectors=40, least=1, most=1)],
        "faults": [], "unsupported": [], **values,
    }  # fmt: skip


def write(path: Path, data: object) -> str:
    path.write_text(json.dumps(data))
    return str(path)


def test_a_profile_comes_back_as_it_was(tmp_path: Path) -> None:
    place = write(tmp_path / "p", profile())
    found = read_profile(place)
    again = tmp_path / "q"
    again.write_text(profile_json(found))
    assert read_profile(str(again)) == found
    jsonschema.validate(json.loads(again.read_text()), json.loads(SCHEMA.read_text()))


def test_runs_add_up(tmp_path: Path) -> None:
    one = read_profile(write(tmp_path / "p", profile()))
    other = read_profile(
        write(tmp_path / "q", profile(sites=[site(most=7, least=1, executions=5)], ended="SIGINT"))
    )
    both = merge([one, other])
    assert (both.runs, both.ended, both.nanoseconds) == (2, "exit, SIGINT", 198)
    assert [s.executions for s in both.sites] == [15, 10]
    assert (both.sites[0].least, both.sites[0].most) == (1, 7)
    assert both.sites[0].histogram[1] == 20
    assert both.kernels[0].launches == 4
    assert both.kernels[0].shapes[0].launches == 4
    assert (both.arrays[0].reads, both.arrays[0].largest) == (640, 4096)
    assert merge([one]) == one


def test_lines_are_ranked_by_excess(tmp_path: Path) -> None:
    found = read_profile(write(tmp_path / "p", profile()))
    first, second = ranked_lines(found)
    assert (first.line, first.excess_bytes, first.ratio) == (3, 40 * 32, 2.0)
    assert (second.line, second.excess_bytes) == (4, 0)
    assert found.arrays[0].label == "d_a"


@pytest.mark.parametrize(
    ("text", "name"),
    [("&a, 4", "a"), ("(void**) &x.y[f(1, 2)], n", "x.y[f(1, 2)]"), ("(void **)(&p), 8", "(&p)"),
     ("", ""), ("reinterpret_cast<void **>(&q), 1", "reinterpret_cast<void **>(&q)")],
)  # fmt: skip
def test_the_name_of_an_array(text: str, name: str) -> None:
    assert first_argument(text) == name


@pytest.mark.parametrize(
    ("symbol", "name"),
    [("_Z5saxpyiPf", "saxpy"), ("_ZN2ns3addIfEEvPT_", "ns::add"), ("_ZL3fooi", "foo"),
     ("main", "main"), ("_Z", "_Z"), ("_ZN12_GLOBAL__N_11kEv", "k"), ("_Z999999999x", "x")],
)  # fmt: skip
def test_the_name_of_a_kernel(symbol: str, name: str) -> None:
    assert kernel_name(symbol) == name


@pytest.mark.parametrize(
    "data",
    [
        [], 3, {}, {"format": "drano-profile"}, profile(version=3), profile(sites=[{}]),
        profile(workers="two"), profile(sites=[site(histogram=None)]),
    ],
)  # fmt: skip
def test_what_is_no_profile_is_one_line(tmp_path: Path, data: object) -> None:
    with pytest.raises(ProfileError) as caught:
        read_profile(write(tmp_path / "p", data))
    assert "\n" not in str(caught.value)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    place = tmp_path_factory.mktemp("bytes") / "p"
    place.write_bytes(data)
    with pytest.raises(ProfileError):
        read_profile(str(place))


@pytest.mark.parametrize("name", list(REPORTS))
def test_every_report(tmp_path: Path, name: str) -> None:
    hostile = site(path="/x/<script>\x1b[31m.cu", kernel="<b>", line=8)
    found = read_profile(write(tmp_path / "p", profile(sites=[*profile()["sites"], hostile])))
    text = REPORTS[name](found, Setting(Sources(), "1.0"))
    assert "\x1b" not in text
    if name == "html":
        assert "<script>" not in text
        assert "default-src 'none'" in text
    elif name == "json":
        assert json.loads(text)["lines"][0]["excess_bytes"] == 1280
    elif name == "sarif":
        log = json.loads(text)
        schema = Path(__file__).parents[2] / "data/sarif-2.1.0.json"
        jsonschema.validate(log, json.loads(schema.read_text()))
        assert [r["level"] for r in log["runs"][0]["results"]] == ["warning", "warning"]
    else:
        assert "a.cu:3" in text
        assert "d_a" in text


def test_the_commands(drano: Run, tmp_path: Path) -> None:
    one, other = (write(tmp_path / name, profile()) for name in ("p.json", "q.json"))
    merged = drano("profile", "merge", one, other, "-o", "sum.json")
    assert (merged.status, merged.stderr) == (0, "")
    assert read_profile(str(tmp_path / "sum.json")).runs == 2
    shown = drano("report", "sum.json")
    assert shown.status == 0
    assert "2.5 KB" in shown.stdout
    wrong = drano("report", "nowhere.json")
    assert wrong.status == 2
    assert wrong.error_lines == ["drano: error: nowhere.json: No such file or directory"]
