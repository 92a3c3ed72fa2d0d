"""Wavefronts of our runs beside the hardware's, and as rows that predictions are held against."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec.structs import replace

from drano.dynamic.profiles.profile import read_profile
from rodinia.measured.counted import Cause, explain
from rodinia.measured.counted_wavefronts import pairs, rows_of
from tests.dynamic.profiles.test_profile import profile, site
from tests.rodinia.samples import hardware_row


def test_wavefronts_of_a_run(tmp_path: Path) -> None:
    path = str(tmp_path / "suite" / "a.cu")
    shared = {"path": path, "space": "shared", "sectors": 0, "sectors_ideal": 0, "lines": 0}
    shared |= {"executions": 10, "shared_executions": 10, "wavefronts": 80, "wavefronts_ideal": 10}
    other = {**shared, "line": 4, "column": 9, "wavefronts": 20}
    file = tmp_path / "p.json"
    file.write_text(json.dumps(profile(sites=[site(**shared), site(**other), site()])))
    found = (read_profile(str(file)),)
    suite = tmp_path / "suite"
    first, second = rows_of(found, suite)
    assert (first.file, first.line, first.kernel, first.block) == ("a.cu", 3, "add", (320, 1, 1))
    assert (first.wavefronts, first.wavefronts_ideal, first.thread_insts) == (80, 10, 320)
    assert second.line == 4
    theirs = replace(hardware_row(3, 0, 0), file="a.cu", space="shared", thread_insts=640)
    rows = (
        replace(theirs, wavefronts=160, wavefronts_ideal=20),
        replace(theirs, line=4, wavefronts=80, wavefronts_ideal=20),
        replace(theirs, line=5, wavefronts=80, wavefronts_ideal=20),
    )
    same, different = pairs(found, rows, suite)
    assert (explain(same).cause, same.ours.per_thread) == (Cause.SAME, 0.25)
    assert explain(different).cause is Cause.OTHER
