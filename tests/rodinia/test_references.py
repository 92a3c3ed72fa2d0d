"""References on results of our own: right ones pass, and one wrong number is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rodinia.references import REFERENCES


def _bfs(place: Path, wrong: int) -> str:
    (place / "graph.txt").write_text("3\n0 1\n1 1\n2 0\n\n0\n\n2\n1 5\n0 5\n")
    (place / "result.txt").write_text(f"0) cost:0\n1) cost:{1 + wrong}\n2) cost:-1\n")
    return ""


def _gaussian(_: Path, wrong: int) -> str:
    near = 10 * np.exp(-0.01)
    first = 1 / (10 + near)
    return f"size = 2 \nx[0]={first:.6f}\nx[1]={first + wrong:.6f}\n"


def _hotspot(place: Path, wrong: int) -> str:
    cells = 128 * 128
    (place / "temp").write_text("80\n" * cells)
    (place / "power").write_text("0\n" * cells)
    heat = [f"{cell}\t{80 + wrong * (cell == 7)}\n" for cell in range(cells)]
    (place / "output.out").write_text("".join(heat))
    return "gridSize: [128, 128]"


def _kmeans(place: Path, wrong: int) -> str:
    centres = np.arange(5) * 10.0
    points = np.concatenate([centres, centres + 1])
    np.savetxt(place / "features", np.column_stack([np.arange(10), points]), fmt="%g")
    lines = [f"{k}: {centre + 0.5 + wrong * (k == 2):.2f}\n" for k, centre in enumerate(centres)]
    return "= Centroid Coordinates =\n" + "\n".join(lines) + "Number of Iteration: 1\n"


def _mummergpu(place: Path, wrong: int) -> str:
    (place / "queries.fna").write_text(">q_4\nACGT\n>q_9\nTTTT\n")
    return f"> q_4\n5\t1\t4\n> q_9\n{10 + wrong}\t1\t4\n"


def _nn(place: Path, wrong: int) -> str:
    (place / "filelist").write_text("a.db\n")
    records = ["x" * 28 + " 30.0" + " 93.0", "x" * 28 + " 34.0" + " 90.0"]
    (place / "a.db").write_text("\n".join(records) + "\n")
    return f"a --> Distance=3.000000\nb --> Distance={4 + wrong}.000000\n"


def _pathfinder(_: Path, wrong: int) -> str:
    wall = [[9, 1] + [9] * 20, [1, 9] + [9] * 20]
    costs = [2, 10] + [10] + [18] * 19
    costs[5] += wrong
    return "".join(" ".join(map(str, row)) + " \n" for row in (*wall, wall[0], costs))


CASES: dict[str, Callable[[Path, int], str]] = {
    "bfs": _bfs,
    "gaussian": _gaussian,
    "hotspot": _hotspot,
    "kmeans": _kmeans,
    "mummergpu": _mummergpu,
    "nn": _nn,
    "pathfinder": _pathfinder,
}


@pytest.mark.parametrize("name", REFERENCES)
def test_right_results_pass_and_wrong_ones_do_not(name: str, tmp_path: Path) -> None:
    assert REFERENCES[name](tmp_path, CASES[name](tmp_path, 0)) == ""
    assert REFERENCES[name](tmp_path, CASES[name](tmp_path, 1)) != ""
