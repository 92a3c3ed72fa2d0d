from __future__ import annotations

import hashlib
from pathlib import Path

from rodinia.programs.inputs import Size, make


def test_inputs_are_whole_the_same_each_time_and_made_once(tmp_path: Path) -> None:
    steps: list[str] = []
    first = make(tmp_path / "a", Size.SMALL, steps.append)
    assert steps
    digest = {p.relative_to(first): _digest(p) for p in first.rglob("*") if p.is_file()}
    assert {Path("graph.txt"), Path("mesh"), Path("test.avi"), Path("data/srad/image.pgm")} <= set(
        digest
    )
    steps.clear()
    assert make(tmp_path / "a", Size.SMALL, steps.append) == first
    assert not steps
    second = make(tmp_path / "b", Size.SMALL)
    assert digest == {p.relative_to(second): _digest(p) for p in second.rglob("*") if p.is_file()}


def test_a_half_made_directory_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "graph.txt").write_text("half")
    place = make(tmp_path, Size.SMALL)
    assert (place / "graph.txt").read_text().startswith("4096\n")
    assert [p.name for p in tmp_path.iterdir()] == ["small"]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
