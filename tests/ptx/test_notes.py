"""What comments in PTX say of launches and names, and what they cannot say."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.frontend.compiled.ptx_notes import MAX_NOTES, PtxNotes, ptx_notes
from drano.run.driver import check
from tests.conftest import Run
from tests.ptx.test_check import PTX

KERNEL = "_Z10interleavePKfPfi"


def test_a_launch_is_one_of_the_source(tmp_path: Path, drano: Run) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(PTX + "// drano: launch interleave block=64,2 grid=10\n")
    (file,) = check([str(path)]).files
    (launch,) = file.kernels[0].launches
    assert (launch.block, launch.exact) == ((64, 2, 1), True)
    path.write_text(PTX + f"\t// drano:launch {KERNEL} block=96\n")
    (file,) = check([str(path)]).files
    assert file.kernels[0].launches[0].block == (96, 1, 1)
    assert "blocks of 96 threads" in drano("check", path).stdout


def test_names_are_those_of_the_notes(tmp_path: Path) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(PTX + f"// drano: parameters {KERNEL} data.x[0] result *\n")
    (file,) = check([str(path)]).files
    assert {a.judgement.array for a in file.accesses} == {"data.x[0]", "result"}
    path.write_text(PTX + f"// drano: parameters {KERNEL} too few\n")
    (file,) = check([str(path)]).files
    assert {a.judgement.array for a in file.accesses} == {"param_0", "param_1"}


@pytest.mark.parametrize(
    "note",
    [
        "launch k",
        "launch k grid=4",
        "launch k block=0",
        "launch k block=2048",
        "launch k block=64,64",
        "launch k block=1,2,3,4",
        "launch k block=99999999999",
        "launch k block=32 grid=2147483648",
        "parameters k a;b",
        'parameters k a"',
        "nonsense k",
    ],
)
def test_what_is_no_note(note: str) -> None:
    assert ptx_notes(f"// drano: {note}\n", "k.ptx") == PtxNotes()


def test_there_is_a_most_of_them() -> None:
    text = "// drano: launch k block=32\n" * (MAX_NOTES + 5)
    assert len(ptx_notes(text, "k.ptx").launches) == MAX_NOTES
