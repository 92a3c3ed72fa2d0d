"""What programs should have computed: plain references in NumPy, for those that do not check
themselves.

Each reference is given the directory in which the program ran (inputs linked in, outputs written)
and what it printed, and answers with what is wrong, "" for nothing. Floating-point results may
differ in the last places, as sums are made in another order.
"""

from __future__ import annotations

import ctypes
import re
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

Reference = Callable[[Path, str], str]
Floats = npt.NDArray[np.float64]


def bfs(place: Path, _: str) -> str:
    """Every node's distance from the source, -1 where it cannot be reached."""
    numbers = np.fromstring((place / "graph.txt").read_text(), sep=" ", dtype=np.int64)
    count = int(numbers[0])
    nodes = numbers[1 : 1 + 2 * count].reshape(count, 2)
    source, edges = int(numbers[1 + 2 * count]), numbers[3 + 2 * count :: 2]
    costs = [-1] * count
    costs[source] = 0
    queue = deque([source])
    while queue:
        node = queue.popleft()
        first, degree = nodes[node]
        for end in edges[first : first + degree]:
            if costs[end] < 0:
                costs[end] = costs[node] + 1
                queue.append(int(end))
    found = [int(cost) for cost in re.findall(r"cost:(-?\d+)", _read(place / "result.txt"))]
    return "" if found == costs else _differ("costs", np.array(found), np.array(costs))


def gaussian(_: Path, output: str) -> str:
    """The solution of the system of equations that the program makes: a Toeplitz matrix."""
    size = int(_match(r"size = (\d+)", output))
    found = np.array([float(x) for x in re.findall(r"^x\[\d+\]=(\S+)", output, re.MULTILINE)])
    places = np.arange(size)
    row = (10 * np.exp(-0.01 * places)).astype(np.float32).astype(np.float64)
    wanted = np.linalg.solve(row[np.abs(places[:, None] - places)], np.ones(size))
    return _close("unknowns", found, wanted, 1e-3)


def hotspot(place: Path, output: str) -> str:
    """Temperatures after as many steps as the harness asks for on each size."""
    size = int(_match(r"gridSize: \[(\d+)", output))
    heat = np.loadtxt(place / "temp").reshape(size, size)
    power = np.loadtxt(place / "power").reshape(size, size)
    steps = {512: 20, 128: 4}[size]
    thick, side, heat_of, conduct = 0.0005, 0.016 / size, 1.75e6, 100
    capacity = 0.5 * heat_of * thick * side * side
    sideways = 2.0 * conduct * thick
    through = conduct * side * side / thick
    step = 0.001 / (3.0e6 / (0.5 * thick * heat_of))
    for _ in range(steps):
        wide = np.pad(heat, 1, mode="edge")
        around = wide[2:, 1:-1] + wide[:-2, 1:-1] + wide[1:-1, 2:] + wide[1:-1, :-2]
        flow = power + (around - 4 * heat) * sideways + (80.0 - heat) * through
        heat = heat + step / capacity * flow
    found = np.loadtxt(place / "output.out")[:, 1]
    return _close("temperatures", found, heat.ravel(), 1e-2)


def kmeans(place: Path, output: str) -> str:
    """Centres after Lloyd's iterations from the first five points."""
    points = np.loadtxt(place / "features")[:, 1:]
    centres = points[:5].copy()
    member = np.full(len(points), -1)
    for _ in range(501):
        nearest = ((points[:, None] - centres) ** 2).sum(2).argmin(1)
        moved = (nearest != member).sum()
        member = nearest
        for cluster in range(len(centres)):
            if (member == cluster).any():
                centres[cluster] = points[member == cluster].mean(0)
        if moved <= 0:
            break
    text = output.partition("Centroid Coordinates")[2].partition("Number of")[0]
    found = _numbers(re.sub(r"\d+:|=", " ", text))
    return _close("centres", found, centres.ravel(), 0.011)


def mummergpu(place: Path, output: str) -> str:
    """Each query was cut out of the reference at a place that its name says."""
    names = re.findall(r">(\S+)", _read(place / "queries.fna"))
    length = len(_read(place / "queries.fna").split("\n")[1])
    wanted = [f"> {name}\n{int(name.rpartition('_')[2]) + 1}\t1\t{length}" for name in names]
    there = sum(entry in output for entry in wanted)
    return "" if there == len(names) > 0 else f"{there} of {len(names)} queries found in place"


def nn(place: Path, output: str) -> str:
    """The five records nearest to 30, 90."""
    files = _read(place / "filelist").split()
    records = [record for name in files for record in _read(place / name).splitlines()]
    distances = [np.hypot(float(r[28:33]) - 30, float(r[33:38]) - 90) for r in records]
    found = np.array([float(d) for d in re.findall(r"Distance=([0-9.]+)", output)])
    return _close("distances", found, np.sort(distances)[: len(found)], 1e-3)


def pathfinder(_: Path, output: str) -> str:
    """The cheapest way to each cell of the last row; the program prints the wall, its first row
    again, and the costs.
    """
    rows = [np.fromstring(line, sep=" ", dtype=np.int64) for line in output.splitlines()
            if re.fullmatch(r"(\d+ ){20,}", line)]  # fmt: skip
    if len(rows) < 3:
        return "no costs were printed"
    costs = rows[0]
    for row in rows[1:-2]:
        wide = np.pad(costs, 1, mode="edge")
        costs = row + np.minimum(np.minimum(wide[:-2], wide[2:]), costs)
    return "" if np.array_equal(costs, rows[-1]) else _differ("costs", rows[-1], costs)


def b_tree(place: Path, _: str) -> str:
    """Every searched key is found, and its record holds the key; the program draws the keys."""
    ranges = int(_match(r"(?m)^j (\d+)", _read(place / "command.txt")))
    count = int(_match(r"(?m)^k (\d+)", _read(place / "command.txt")))
    size = int(_read(place / "mil.txt").split(None, 1)[0])
    drawn = _random(1, ranges + count)[ranges:]
    wanted = (drawn / np.float32(_RAND_MAX) * np.float32(size)).astype(np.int64)
    text = _read(place / "output.txt").rpartition("command: k")[2]
    found = np.array([int(x) for x in re.findall(r"(?m)^\d+ +(-?\d+)$", text)])
    return "" if np.array_equal(found, wanted) else _differ("records", found, wanted)


def srad_v1(place: Path, _: str) -> str:
    """The picture after as many steps as the harness asks for on each size; grey levels are cut off
    to integers. The program's sums over the picture are wrong in one place, and so are ours: where
    a block reduces less than a full one, it adds elements in place of sums (reduce_kernel.cu:94).
    """
    lines = _read(place / "image_out.pgm").split(None, 4)
    found = np.array(lines[4].split(), dtype=np.float64)
    picture = _read(place.parent.parent / "data/srad/image.pgm").split(None, 4)[4]
    grey = np.fromstring(picture, sep=" ").reshape(502, 458)
    heat = np.exp(grey / 255)
    problem = ""
    for steps in range(1, 101):
        heat = _diffused(heat, 0.5, _noise(*_sums(heat.T.ravel()), heat.size))
        if steps in (4, 100):
            problem = _close("grey levels", found, np.trunc(np.log(heat) * 255).ravel(), 1.0)
            if not problem:
                break
    return problem


def srad_v2(_: Path, output: str) -> str:
    """The matrix after two steps; the program draws it, and its corner tells the speckle."""
    rows = [line for line in output.splitlines() if re.fullmatch(r"\s*(\d+\.\d{5} )+", line)]
    found = np.fromstring(" ".join(rows), sep=" ")
    side = int(np.sqrt(len(found)))
    drawn = _random(7, side * side).reshape(side, side) / np.float32(_RAND_MAX)
    matrix = np.exp(drawn.astype(np.float64))
    for _step in range(2):
        speckle = matrix[: side // 4, : side // 4]
        noise = _noise(float(speckle.sum()), float((speckle**2).sum()), speckle.size)
        matrix = _diffused(matrix, 0.5, noise)
    return _close("cells", found, matrix.ravel(), 1e-3)


def _sums(values: Floats) -> tuple[float, float]:
    """Of elements and of their squares as srad_v1's reduction makes them: of 450 blocks of 512 the
    sums of the first 256, and then elements.
    """
    used = np.concatenate([values[: 256 * 512], values[256:450]])
    return float(used.sum()), float((used**2).sum())


def _noise(total: float, squares: float, count: int) -> float:
    mean = total / count
    return (squares / count - mean**2) / mean**2


def _diffused(matrix: Floats, rate: float, noise: float) -> Floats:
    """One step of speckle-reducing anisotropic diffusion."""
    wide = np.pad(matrix, 1, mode="edge")
    north, south = wide[:-2, 1:-1] - matrix, wide[2:, 1:-1] - matrix
    west, east = wide[1:-1, :-2] - matrix, wide[1:-1, 2:] - matrix
    gradient = (north**2 + south**2 + west**2 + east**2) / matrix**2
    laplacian = (north + south + west + east) / matrix
    speckled = (gradient / 2 - laplacian**2 / 16) / (1 + laplacian / 4) ** 2
    flow = np.clip(1 / (1 + (speckled - noise) / (noise * (1 + noise))), 0, 1)
    below = np.pad(flow, ((0, 1), (0, 0)), mode="edge")[1:]
    right = np.pad(flow, ((0, 0), (0, 1)), mode="edge")[:, 1:]
    spread: Floats = flow * north + below * south + flow * west + right * east
    return matrix + rate / 4 * spread


_RAND_MAX = 2147483647


def _random(seed: int, count: int) -> npt.NDArray[np.float32]:
    """What the C library's ``rand`` gives a program after ``srand(seed)``."""
    library = ctypes.CDLL(None)
    library.srand(seed)
    return np.array([library.rand() for _ in range(count)], dtype=np.float32)


REFERENCES: Mapping[str, Reference] = {
    f.__name__: f
    for f in (
        b_tree, bfs, gaussian, hotspot, kmeans, mummergpu, nn, pathfinder, srad_v1, srad_v2,
    )
}  # fmt: skip


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _match(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if not found:
        raise ValueError(f"no '{pattern}' was printed")
    return found[1]


def _numbers(text: str) -> Floats:
    return np.array([float(word) for word in text.split()])


def _close(what: str, found: Floats, wanted: Floats, near: float) -> str:
    if found.shape == wanted.shape and len(found) and (np.abs(found - wanted) <= near).all():
        return ""
    return _differ(what, found, wanted)


def _differ(what: str, found: npt.NDArray[np.generic], wanted: npt.NDArray[np.generic]) -> str:
    if found.shape != wanted.shape or not len(found):
        return f"{len(found)} {what} instead of {len(wanted)}"
    place = int((found != wanted).argmax())
    return f"{what} differ, first at {place}: {found[place]} instead of {wanted[place]}"
