from __future__ import annotations

from pathlib import Path

import pytest

from rodinia.measured import truth
from rodinia.measured.truth import TruthError
from tests.rodinia.samples import AUTHORS_COLUMNS, ORIGINAL_COLUMNS, hardware_text


def test_rows_of_the_hardware_table(tmp_path: Path) -> None:
    path = tmp_path / truth.HARDWARE_FILE
    path.write_text(hardware_text(("a/b.cu", 7, "k", "load", 8, "16x4x2", 10, 320, 40, 20)))
    (row,) = truth.read_hardware(tmp_path)
    assert (row.file, row.line, row.kernel, row.kind) == ("a/b.cu", 7, "k", "load")
    assert (row.bytes, row.block) == (8, (16, 4, 2))
    assert (row.warp_insts, row.thread_insts, row.sectors, row.ideal) == (10, 320, 40, 20)
    assert truth.read_hardware(path) == (row,)


def test_modes_of_the_original(tmp_path: Path) -> None:
    path = tmp_path / "flags.csv"
    rows = [f'one,main.cu,5,3,"k(int, int)",load,4,*>1,yes,{m}' for m in ("intra", "inter", "both")]
    path.write_text("\n".join([ORIGINAL_COLUMNS, *rows]) + "\n")
    flags = truth.read_original(path)
    assert [(f.intra, f.inter) for f in flags] == [(True, False), (False, True), (True, True)]
    assert flags[0].kernel == "k(int, int)"
    assert flags[0].in_authors_makefile


def test_the_authors_table_may_lack_columns_of_a_place(tmp_path: Path) -> None:
    path = tmp_path / "authors.csv"
    path.write_text(f"{AUTHORS_COLUMNS}\none,main.cu,5,,k,,no,small,1.25,,,\n")
    (row,) = truth.read_authors(path)
    assert (row.column, row.aligned, row.average_lines, row.executions) == (0, False, 1.25, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "no column 'program'"),
        ("", "no column 'program'"),
        (f"{ORIGINAL_COLUMNS}\none,main.cu\n", ":2: wrong number of cells"),
        (f"{ORIGINAL_COLUMNS}\none,main.cu,x,3,k,load,4,*1,yes,both\n", ":2: invalid literal"),
        (f"{ORIGINAL_COLUMNS}\none,main.cu,5,3,k,load,4,*1,yes,none\n", "mode 'none' is none of"),
        (f'{ORIGINAL_COLUMNS}\none,"main.cu\n', "not a CSV table"),
    ],
)
def test_another_table_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(TruthError) as caught:
        truth.read_original(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_or_binary_table_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(TruthError, match="No such file"):
        truth.read_hardware(tmp_path)
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TruthError, match="not a CSV table"):
        truth.read_hardware(tmp_path / "b.csv")


def test_a_bad_block_shape_is_named(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text(hardware_text(("a.cu", 7, "k", "load", 8, "16x4", 10, 320, 40, 20)))
    with pytest.raises(TruthError, match=":2: "):
        truth.read_hardware(path)
