"""Fixes: read, applied, refused, measured on a program of our own, and exported for a GPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from rodinia.fixes import fixed, measure_fixes, patches
from rodinia.programs.inputs import Size
from rodinia.programs.manifest import Manifest, ManifestError, Unit, load
from tests.rodinia.test_run import GOOD, suite

FIX = """\
program = "scale"
run = "good"
kernel = "scale"
lines = ["scale.cu:4"]
rule = "DRN001"
idea = "side by side"
gpu_arguments = ["big"]

[[replace]]
file = "scale.cu"
find = "2 * i"
with = "i"
times = 2
"""


def _fix(tmp_path: Path, text: str = FIX) -> patches.Fix:
    (tmp_path / "fixes").mkdir(exist_ok=True)
    (tmp_path / "fixes" / "narrow.toml").write_text(text)
    (fix,) = patches.load(tmp_path / "fixes")
    return fix


def _suite(tmp_path: Path) -> tuple[Manifest, Path]:
    manifest, cuda = suite(tmp_path, GOOD)
    program = replace(manifest.programs[0], units=(Unit("scale.cu"),))
    return replace(manifest, programs=(program,)), cuda


def test_our_fixes_are_of_programs_and_runs_that_there_are() -> None:
    manifest = load()
    found = patches.load()
    assert len(found) >= 6
    for fix in found:
        program = manifest.program(fix.program)
        assert fix.run in {run.name for run in program.runs}
        assert all((fix.kernels, fix.rule, fix.idea, fix.lines, fix.gpu_arguments))


def test_a_fix_before_and_after(tmp_path: Path) -> None:
    manifest, cuda = _suite(tmp_path)
    gpu = tmp_path / "gpu.csv"
    gpu.write_text("fix,before_us,after_us,results\nnarrow,8.0,6.0,agree\nother,failed,,\n")
    (outcome,) = fixed.measure(
        manifest, cuda, [_fix(tmp_path)], tmp_path / "work", Size.SMALL, timeout=60, gpu=gpu
    )
    # 8 warps, a load and a store: 8 sectors each before and 4 after
    assert (outcome.before.sectors, outcome.after.sectors) == (128, 64)
    assert (outcome.before.predicted, outcome.after.predicted) == (16, 8)
    assert outcome.before.findings > outcome.after.findings == 0
    cells = dict(zip(fixed.COLUMNS, fixed.cells(outcome), strict=True))
    assert cells["fewer sectors"] == "50.0 %"
    assert cells["GPU time"] == "8.0 → 6.0 µs"
    assert cells["faster"] == "25.0 %"
    assert cells["remarks"] == ""
    assert "2 * i" in (cuda / "scale" / "scale.cu").read_text()  # the checkout is left alone


def test_another_version_of_the_suite_is_not_changed(tmp_path: Path) -> None:
    manifest, cuda = _suite(tmp_path)
    fix = _fix(tmp_path, FIX.replace("times = 2", "times = 3"))
    target = tmp_path / "copy"
    patches.copy_suite(cuda, manifest.programs[0], target)
    with pytest.raises(ManifestError, match=r"scale\.cu: '2 \* i' is there 2 times, not 3"):
        patches.apply(fix, target / "scale")
    one = _fix(tmp_path, FIX.replace("times = 2", "occurrence = 2"))
    patches.apply(one, target / "scale")
    assert "a[2 * i] = a[i] + 1" in (target / "scale" / "scale.cu").read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('rule = "DRN001"', "rule = 1", "'rule' is not a text"),
        ('idea = "side by side"', 'speed = "x"', "unknown key 'speed'"),
        ('file = "scale.cu"', 'file = "../x.cu"', "leaves the program's directory"),
        ('find = "2 * i"', 'pattern = "("', r"'\(': "),
        ("[[replace]]", "[other]", "unknown key 'other'"),
    ],
)
def test_fixes_that_cannot_be_used(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ManifestError, match=message):
        _fix(tmp_path, FIX.replace(old, new))


def test_a_folder_for_a_gpu(tmp_path: Path) -> None:
    manifest, cuda = _suite(tmp_path)
    folder = tmp_path / "folder"
    assert fixed.export(manifest, cuda, [_fix(tmp_path)], folder, tmp_path / "w") == ("narrow",)
    (entry,) = json.loads((folder / "fixes.json").read_text())
    assert entry["arguments"] == entry["check_arguments"] == ["big"]
    assert "a[i]" in (folder / "after/narrow/scale/scale.cu").read_text()
    assert "a[2 * i]" in (folder / "before/narrow/scale/scale.cu").read_text()
    assert (folder / "inputs" / "graph.txt").is_file()
    assert (folder / "measure_fixes.py").is_file()


@pytest.mark.parametrize(
    ("after", "same"),
    [
        ("a 1.5 b -2\ntime 7", "agree"),
        ("a 1.5001 b -2\ntime 9", "agree"),
        ("a 1.6 b -2", "number 0 is 1.5 before and 1.6 after"),
        ("a 1.5", "2 numbers before and 1 after"),
    ],
)
def test_results_are_compared_as_numbers(after: str, same: str) -> None:
    assert measure_fixes._difference("a 1.5 b -2\ntime 8", after, 1e-3) == same
