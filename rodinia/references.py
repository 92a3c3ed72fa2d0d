"""What programs should have computed: plain references in NumPy, for those that do not check
themselves.

Each reference is given the directory in which the program ran (inputs linked in, outputs written)
and what it printed, and answers with what is wrong, "" for nothing. Floating-point results may
differ in the last places, as sums are made in another order.
"""

from __future__ import annotations

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


REFERENCES: Mapping[str, Reference] = {
    f.__name__: f for f in (bfs, gaussian, hotspot, kmeans, mummergpu, nn, pathfinder)
}


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
