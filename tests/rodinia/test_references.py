"""References on results of our own: right ones pass, and one wrong number is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rodinia.measured import references
from rodinia.measured.references import REFERENCES


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


def _b_tree(place: Path, wrong: int) -> str:
    (place / "command.txt").write_bytes(b"j 3 1\nk 2\n\0")
    (place / "mil.txt").write_text("1000\n" + "\n".join(map(str, range(1000))))
    # the first five numbers of glibc's generator are 1804289383, 846930886, 1681692777,
    # 1714636915 and 1957747793; other libraries draw others
    drawn = references._random(1, 5)[3:] / np.float32(2147483647)
    first, second = (drawn * np.float32(1000)).astype(int)
    (place / "output.txt").write_text(
        f"\n******command: j count=3, rSize=1 \n0    7    1\n \n"
        f"\n ******command: k count=2 \n0    {first}\n1    {second + wrong}\n \n"
    )
    return ""


def _srad_v1(place: Path, wrong: int) -> str:
    here, data = place / "place" / "in", place / "data" / "srad"
    here.mkdir(parents=True, exist_ok=True)
    data.mkdir(parents=True, exist_ok=True)
    grey = np.random.default_rng(1).integers(1, 255, (502, 458))
    (data / "image.pgm").write_text("P2\n458 502\n255\n" + " ".join(map(str, grey.ravel())))
    heat = np.exp(grey / 255)
    for _ in range(4):
        noise = references._noise(*references._sums(heat.T.ravel()), heat.size)
        heat = references._diffused(heat, 0.5, noise)
    levels = np.trunc(np.log(heat) * 255).astype(int).ravel()
    levels[77] += 2 * wrong
    (here / "image_out.pgm").write_text("P2\n458 502\n255\n" + " ".join(map(str, levels)))
    return ""


def _srad_v2(_: Path, wrong: int) -> str:
    drawn = references._random(7, 256).reshape(16, 16) / np.float32(2147483647)
    matrix = np.exp(drawn.astype(float))
    for _step in range(2):
        corner = matrix[:4, :4]
        noise = corner.var() / corner.mean() ** 2
        matrix = references._diffused(matrix, 0.5, noise)
    matrix[3, 3] += wrong
    return "\n".join(" " + "".join(f"{cell:.5f} " for cell in row) for row in matrix) + "\n"


def test_a_step_of_diffusion_by_hand() -> None:
    """Cell by cell, as the programs' own loops have it."""
    matrix = np.random.default_rng(2).random((4, 5)) + 1
    rows, columns = matrix.shape
    around: dict[tuple[int, int], tuple[float, float, float, float]] = {}
    flow = np.empty_like(matrix)
    for i in range(rows):
        for j in range(columns):
            cell = matrix[i, j]
            north, south, west, east = around[i, j] = (
                matrix[max(i - 1, 0), j] - cell,
                matrix[min(i + 1, rows - 1), j] - cell,
                matrix[i, max(j - 1, 0)] - cell,
                matrix[i, min(j + 1, columns - 1)] - cell,
            )
            g2 = (north**2 + south**2 + west**2 + east**2) / cell**2
            laplacian = (north + south + west + east) / cell
            q = (0.5 * g2 - laplacian**2 / 16) / (1 + 0.25 * laplacian) ** 2
            flow[i, j] = min(max(1 / (1 + (q - 0.3) / (0.3 * 1.3)), 0), 1)
    wanted = matrix.copy()
    for (i, j), (north, south, west, east) in around.items():
        below, right = flow[min(i + 1, rows - 1), j], flow[i, min(j + 1, columns - 1)]
        change = flow[i, j] * (north + west) + below * south + right * east
        wanted[i, j] += 0.25 * 0.8 * change
    assert np.allclose(references._diffused(matrix, 0.8, 0.3), wanted)


CASES: dict[str, Callable[[Path, int], str]] = {
    "b_tree": _b_tree,
    "bfs": _bfs,
    "gaussian": _gaussian,
    "hotspot": _hotspot,
    "kmeans": _kmeans,
    "mummergpu": _mummergpu,
    "nn": _nn,
    "pathfinder": _pathfinder,
    "srad_v1": _srad_v1,
    "srad_v2": _srad_v2,
}


@pytest.mark.parametrize("name", REFERENCES)
def test_right_results_pass_and_wrong_ones_do_not(name: str, tmp_path: Path) -> None:
    for wrong in (0, 1):
        output = CASES[name](tmp_path, wrong)
        place = tmp_path / "place" / "in" if name == "srad_v1" else tmp_path
        assert bool(REFERENCES[name](place, output)) == bool(wrong)
