"""Samples of warps from Nsight Compute: read, added up, shown under ncu's names.

``ncu_stalls.csv`` is the page of four kernels of programs/patterns.cu, measured on an H200 (ncu
2025.3.1, ``--section SourceCounters``), with the columns that are read and the instructions that
access memory.
"""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from drano.dynamic.profiles.nsight_compute import HardwareLines, read_ncu
from drano.dynamic.profiles.profile import Profile, Samples, merge, profile_json
from drano.dynamic.profiles.profile_tree import top_down
from drano.dynamic.profiles.warp_stalls import (
    ISSUED,
    MEMORY,
    SHARED,
    kernel_waits,
    line_rows,
    stalls_json,
)
from drano.dynamic.reports.report import Setting
from drano.dynamic.reports.report_formats import REPORTS
from drano.dynamic.reports.tree_report import render_tree
from drano.output.source_lines import Sources
from tests.dynamic.profiles.test_nsight_compute import PAGE as WITHOUT_SAMPLES
from tests.dynamic.profiles.test_profile import SCHEMA

PAGE = Path(__file__).parents[1] / "ncu_stalls.csv"


def samples() -> tuple[Samples, ...]:
    return read_ncu(str(PAGE)).samples


def at(line: int) -> Samples:
    return next(each for each in samples() if each.line == line)


def test_a_lines_samples_are_those_of_the_page() -> None:
    gather = at(19)
    assert (gather.samples, gather.not_issued) == (1577, 1545)
    assert gather.stalls["stall_long_sb"] == 1351
    assert "stall_long_sb (Not Issued)" not in gather.stalls
    assert all(sum(each.stalls.values()) == each.samples for each in samples())


def test_kernels_wait_for_what_they_use() -> None:
    waits = {name.partition("(")[0]: found for name, found in kernel_waits(samples()).items()}
    assert list(waits) == ["loops", "scattered", "structs", "banks"]
    assert waits["loops"].share(MEMORY) > 0.8
    assert waits["banks"].share(SHARED) > 0.6
    assert waits["banks"].share(MEMORY) < 0.1
    assert waits["loops"].reasons[0][0] == "stall_long_sb"
    everything = set(MEMORY | SHARED | {ISSUED}) | set(waits["loops"].stalls)
    assert round(waits["loops"].share(everything), 9) == 1.0


def test_lines_are_ranked_by_samples() -> None:
    first = line_rows(samples(), 2)[0]
    assert (first[0], first[1], first[5], first[6]) == (
        "9,120", "84.9 %", "/home/user/patterns.cu:13", "loops",
    )  # fmt: skip
    assert first[-1].startswith("stall_long_sb 94.6 %")
    assert len(line_rows(samples(), 2)) == 2


def test_runs_add_up_and_fit_the_schema() -> None:
    once = read_ncu(str(PAGE))
    both = merge([once, once])
    twice = next(each for each in both.samples if each.line == 19)
    assert (twice.samples, twice.stalls["stall_imc"]) == (2 * 1577, 2 * at(19).stalls["stall_imc"])
    jsonschema.validate(json.loads(profile_json(both)), json.loads(SCHEMA.read_text()))


def test_every_format_shows_them(tmp_path: Path) -> None:
    profile = read_ncu(str(PAGE))
    setting = Setting(Sources(), "1")
    text = REPORTS["text"](profile, setting)
    assert "# Samples" in text
    assert "stall_selected" in text
    data = json.loads(REPORTS["json"](profile, setting))["stalls"]
    assert data == json.loads(json.dumps(stalls_json(profile.samples)))
    assert data["kernels"][0]["memory_share"] > 0.8
    assert "Sampled kernels" in REPORTS["html"](profile, setting)


def test_the_tree_has_samples() -> None:
    root = top_down(read_ncu(str(PAGE)))
    loops = next(node for node in root.ranked if node.label.startswith("kernel loops"))
    assert 0.7 < loops.time < 0.8
    assert loops.inclusive.samples == sum(node.inclusive.samples for node in loops.ranked)
    waiting = max(loops.ranked, key=lambda node: node.time)
    assert waiting.label == "/home/user/patterns.cu:13"
    assert (waiting.inclusive.memory_share or 0) > 0.9 > (waiting.inclusive.issued_share or 0)
    text = render_tree(read_ncu(str(PAGE)), 0.0)
    assert "# Samples" in text
    assert "instr." not in text


def test_samples_stand_beside_our_own_counts() -> None:
    own: Profile = read_ncu(str(WITHOUT_SAMPLES))
    assert own.samples == ()
    assert "# Samples" not in REPORTS["text"](own, Setting(Sources(), "1"))
    beside = Setting(Sources(), "1", HardwareLines(read_ncu(str(PAGE))))
    assert "# Samples" in REPORTS["text"](own, beside)
