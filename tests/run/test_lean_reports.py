"""Reports of findings only: a thousand units fit into memory."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from drano.model.report import FileReport
from drano.model.settings import Config
from drano.run.driver import Task, check, check_unit
from drano.run.parallel import Processes
from tests.conftest import Run

SOURCE = """\
__global__ void k(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[4 * i];
}
"""
UNITS = 1000


def test_a_thousand_units_take_little_more_than_their_findings(tmp_path: Path) -> None:
    """Each unit has a hundred accesses of its own, which are gone when the next one comes."""
    paths = [tmp_path / f"{number}.cu" for number in range(UNITS)]
    for path in paths:
        path.write_text(SOURCE)
    model = check_unit(str(paths[0]), Config())

    def elsewhere(todo: Mapping[int, Task]) -> Iterator[tuple[int, FileReport]]:
        for number, task in todo.items():
            many = tuple(replace(model.accesses[0], ordinal=n) for n in range(100))
            yield number, replace(model, path=task.path, accesses=many)

    def peak(run: Processes) -> int:
        tracemalloc.start()
        report = check([str(path) for path in paths], Config(), run)
        assert len(report.files) == UNITS
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    lean = Processes(elsewhere=elsewhere, keep=lambda report: report.without_accesses)
    assert peak(lean) < 12 << 20
    assert peak(Processes(elsewhere=elsewhere)) > 24 << 20


def test_the_same_findings(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    lean = drano("check", "a.cu", "--format", "jsonl").stdout.splitlines()
    full = drano("check", "a.cu", "--format", "jsonl", "--show", "all").stdout.splitlines()
    assert full[: len(lean)] == lean
    assert {json.loads(line)["record"] for line in full[len(lean) :]} == {"access"}
