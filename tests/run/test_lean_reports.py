"""Reports of findings only: a thousand units fit into memory."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from drano.model.access import Access, AccessKind
from drano.model.judgement import Active, Judgement, Pattern, Space, Verdict
from drano.model.report import FileReport
from drano.model.settings import Config
from drano.model.span import Location, Span
from drano.model.tally import merged, tally_of
from drano.output.formats.access_spool import AccessSpool
from drano.output.formats.table import FORMATS, Scene
from drano.run.driver import Task, check, check_unit
from drano.run.parallel import Processes
from tests.conftest import Run

SOURCE = """\
__global__ void k(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[4 * i];
}
"""
UNITS = 80


def test_many_units_take_little_more_than_their_findings(tmp_path: Path) -> None:
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
    assert peak(lean) < 5 << 19
    assert peak(Processes(elsewhere=elsewhere, keep=AccessSpool().kept)) < 5 << 19
    assert peak(Processes(elsewhere=elsewhere)) > 3 << 20


def test_the_same_findings(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    lean = drano("check", "a.cu", "--format", "jsonl").stdout.splitlines()
    full = drano("check", "a.cu", "--format", "jsonl", "--show", "all").stdout.splitlines()
    assert full[: len(lean)] == lean
    assert {json.loads(line)["record"] for line in full[len(lean) :]} == {"access"}


def test_all_accesses_are_streamed_once(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "both.cuh").write_text("template <class T> " + SOURCE.replace("float", "T"))
    for name in ("a", "b"):
        (tmp_path / f"{name}.cu").write_text(
            '#include "both.cuh"\n'
            f"void {name}(float* p) {{ k<float><<<1, 64>>>(p, p); }}\n"
            f"__global__ void own_{name}(int* p) {{ p[threadIdx.x] = 0; }}\n"
        )
    whole = check([str(tmp_path / "a.cu"), str(tmp_path / "b.cu")], Config())
    arguments = ["check", "a.cu", "b.cu", "--format", "jsonl", "--show", "all"]
    lines = drano(*arguments).stdout.splitlines()
    assert drano(*arguments, "-o", "all.jsonl").stdout == ""
    assert (tmp_path / "all.jsonl").read_text().splitlines() == lines
    records = [json.loads(line) for line in lines]
    shown = [r["ordinal"] for r in records if r["record"] == "access"]
    assert len(shown) == 4  # two of the header's kernel, and one of each unit's own
    assert len(lines) == len(shown) + len({f.location for f in whole.findings})


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_each_format_says_the_same_of_what_it_keeps(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.cu").write_text(
        SOURCE + "__shared__ float s[64];\n"
        "__global__ void j(float* out, int n) { out[n * threadIdx.x] = s[2 * threadIdx.x]; }\n"
    )
    whole = check([str(tmp_path / "a.cu")], Config())
    lean = replace(whole, files=tuple(map(FORMATS[name].kept, whole.files)))
    assert sum(len(f.accesses) for f in lean.files) < sum(len(f.accesses) for f in whole.files)
    assert FORMATS[name](lean, Scene()) == FORMATS[name](whole, Scene())


def access(line: int, kernel: str, verdict: Verdict, space: Space, rests: bool) -> Access:
    judgement = Judgement(space, verdict, Pattern.STRIDED, "", "", Active.ALL)
    place = Location(Span("/a.cu", line, 1), "f")
    block = (8, 8, 1) if rests else None
    return Access(place, 0, kernel, kernel, 0, AccessKind.LOAD, 4, judgement, otherwise=block)


ACCESSES = st.builds(
    access,
    st.integers(1, 3),
    st.sampled_from(["k", "j"]),
    st.sampled_from(Verdict),
    st.sampled_from([Space.GLOBAL, Space.GENERIC, Space.SHARED]),
    st.booleans(),
)


@given(st.lists(st.lists(ACCESSES, max_size=5), max_size=4))
def test_what_is_counted_by_file_is_what_there_is(files: list[list[Access]]) -> None:
    everything = [access for file in files for access in file]
    assert merged(map(tally_of, files)) == tally_of(everything)
    counted = tally_of(everything)
    assert counted.accesses == len(everything)
    places = {
        (a.kernel_symbol, a.location.span.line)
        for a in everything
        if a.judgement.space is not Space.SHARED
    }
    assert len(counted.worst) == len(places)
