"""Edits of texts, line maps, patches, and writing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drano.fix.edit import Edit, Fix, line_map, patch
from drano.fix.write import write_sources
from drano.support.errors import IRError

TEXTS = st.text(alphabet="ab\n", max_size=30).map(str.encode)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), TEXTS), max_size=4))
def test_lines_that_no_edit_touches_keep_their_content(
    old: bytes, drawn: list[tuple[int, int, bytes]]
) -> None:
    edits, done = [], 0
    for start, length, text in sorted(drawn):
        begin = max(min(start, len(old)), done)
        done = min(begin + length, len(old))
        edits.append(Edit("a", begin, done, text))
    new = Fix("", "", tuple(edits)).applied({"a": old}).get("a", old)
    lines = line_map(old, edits)
    assert len(lines) == new.count(b"\n") + 1
    assert list(lines) == sorted(lines)
    touched = {
        number
        for edit in edits
        for number in range(old.count(b"\n", 0, edit.start) + 1, old.count(b"\n", 0, edit.end) + 2)
    }
    for number, (text, origin) in enumerate(zip(new.split(b"\n"), lines, strict=True), 1):
        if origin not in touched:
            assert old.split(b"\n")[origin - 1] == text, number


def test_edits_that_overlap_are_refused() -> None:
    fix = Fix("", "", (Edit("a", 0, 2, b""), Edit("a", 1, 3, b"")))
    with pytest.raises(ValueError, match="overlap"):
        fix.applied({"a": b"abc"})


@pytest.mark.parametrize("text", [b"one\ntwo\nthree\n", b"one\ntwo", b"one\r\ntwo\r\n", b""])
def test_a_patch_is_what_git_applies(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(text)
    new = Fix("", "", (Edit(str(path), 0, 0, b"zero\n"),)).applied({str(path): text})
    (tmp_path / "p").write_bytes(patch({str(path): text}, new, str(tmp_path)).encode())
    subprocess.run(["git", "apply", "p"], cwd=tmp_path, check=True)
    assert path.read_bytes() == new[str(path)]


def test_files_are_written_with_their_permissions_or_not_at_all(tmp_path: Path) -> None:
    one, other = tmp_path / "a", tmp_path / "b"
    one.write_bytes(b"1")
    other.write_bytes(b"2")
    one.chmod(0o640)
    before = {str(one): b"1", str(other): b"2"}
    write_sources(before, {str(one): b"x", str(other): b"y"})
    assert (one.read_bytes(), other.read_bytes()) == (b"x", b"y")
    assert one.stat().st_mode & 0o777 == 0o640
    with pytest.raises(IRError, match="has changed"):
        write_sources(before, {str(one): b"z", str(other): b"z"})
    assert one.read_bytes() == b"x"
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}
