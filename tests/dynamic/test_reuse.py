"""What blocks read again, measured by a run: figures counted by hand, the report, and DRN402."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from drano.dynamic.compiler.cc import compile_main
from drano.dynamic.profiles.measured_costs import block_reads
from drano.dynamic.profiles.profile import merge, read_profile
from tests.conftest import Run

SOURCE = Path(__file__).with_name("programs") / "reuse.cu"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("reuse")
    assert compile_main([str(SOURCE), "-O1", "-o", str(place / "program")]) == 0
    path = str(place / "p.json")
    environment = {**os.environ, "DRANO_PROFILE": path}
    subprocess.run([place / "program"], env=environment, timeout=60, check=True)
    return path


def test_reads_of_blocks(measured: str) -> None:
    found = {
        (one.kernel, one.label): (one.blocks, one.reads, one.words, one.most_words, one.written)
        for one in read_profile(measured).reuse
    }
    multiply, filter_, own, whole = (
        "_Z8multiplyPfPKfS1_i", "_Z6filterPfPKfS1_", "_Z3ownPfPKf", "_Z5wholePdPKdi",
    )  # fmt: skip
    assert found == {
        (multiply, "a"): (2, 2 * 1024, 2 * 1024, 1024, False),  # a row is one warp's
        (multiply, "b"): (2, 2 * 8 * 1024, 2 * 1024, 1024, False),  # eight warps read each column
        # 17 requests of each of 8 warps, 32 words each
        (filter_, "a"): (2, 2 * 8 * 17 * 32, 2 * 272, 272, False),
        (filter_, "b"): (2, 2 * 8 * 17, 2 * 17, 17, False),
        # of launches 1, 2 and 4; 17 times by one thread is once
        (own, "a"): (6, 6 * 256, 6 * 256, 256, False),
        (own, "c"): (6, 6 * 256, 6 * 256, 256, True),
        (whole, "d"): (1, 2 * 4 * 32 * 8192, 2 * 8192, 2 * 8192, False),
    }


def test_the_report_shows_them(drano: Run, measured: str) -> None:
    text = drano("report", measured).stdout
    section = text.split("Arrays that blocks read again")[1].split("\n\n")[0].splitlines()
    assert [line.split()[-2:] for line in section[2:]] == [
        ["d", "whole"], ["b", "multiply"], ["a", "filter"], ["b", "filter"],
    ]  # fmt: skip
    rows = json.loads(drano("report", "--format", "json", measured).stdout)["reuse"]
    assert len(rows) == 7
    assert "Arrays that blocks read again" in drano("report", "--format", "html", measured).stdout


def test_the_rule_uses_them(drano: Run, measured: str) -> None:
    arguments = ("check", "--exit-zero", "--isolated", "--select", "DRN402", str(SOURCE))
    said = arrays(drano(*arguments, "--profile", measured, "--output-format", "json").stdout)
    assert sorted(said) == ["all", "b", "in", "weights"]
    assert "16 times over: its warps made 4,352 reads" in said["in"][0]
    assert "272 elements into shared memory once (1,088 bytes)" in said["in"][1]
    assert "1,024 elements into shared memory once (4,096 bytes)" in said["b"][1]
    assert "8,192 elements, more than shared memory holds" in said["all"][1]
    assert "in 2 passes, as tiles of 4,096 (32,768 bytes)" in said["all"][1]
    estimated = arrays(drano(*arguments, "--output-format", "json").stdout)
    assert sorted(estimated) == ["b", "in", "weights"]
    assert (
        "load the block's 17 elements into shared memory once (68 bytes)" in estimated["weights"][1]
    )


def arrays(report: str) -> dict[str, tuple[str, str]]:
    """Messages and fixes, by the array that the message names."""
    findings = json.loads(report)["findings"]
    return {f["message"].split("`")[1]: (f["message"], f["help"]) for f in findings}


def test_they_add_up(measured: str) -> None:
    one = read_profile(measured)
    both = merge([one, one])
    assert [r.blocks for r in both.reuse] == [2 * r.blocks for r in one.reuse]
    assert [r.most_words for r in both.reuse] == [r.most_words for r in one.reuse]
    found = block_reads(both)
    assert found is not None
    assert len(found) == 6  # not what is written
