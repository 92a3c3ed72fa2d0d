"""After any edit a report by way of what is remembered is, field by field, that of a new analysis.

``DRANO_SOAK=full`` makes many more edits.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from drano.analysis.incremental import reanalysis
from drano.model.report import FileReport, FileStatus, Timings
from drano.model.settings import AnalysisOptions, Config, View
from drano.run.pipeline import Memory, analyse_unit
from tests.conftest import ROOT

FULL = os.environ.get("DRANO_SOAK") == "full"

SOURCE = """#include "shared.h"
#define AT(a, i, j) a[(i) * PITCH + (j)]
#define TWO(a, b) a[threadIdx.x] += 1; b[2 * threadIdx.x] += 2
struct Point { float x, y; };
struct Pair { int first; Point second; };
template <int N, typename T>
__device__ T gather(const T* p, int i) {
  T sum = 0;
  for (int k = 0; k < N; k++)
    sum += p[i * N + k];
  return sum;
}
template <typename F>
__device__ void each(int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
}
__device__ int depth(int n) { return n > 1 ? 1 + depth(n - 2) : n; }
__global__ void column(float* a, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; j++)
    AT(a, row, j) = 0;
}
template <int N>
__global__ void wide(const float* in, float* out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    out[i] = gather<N>(in, i) + twice(in, i);
}
template __global__ void wide<2>(const float*, float*, int);
template __global__ void wide<4>(const float*, float*, int);
__global__ void fields(const Point* p, const Pair* q, float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = p[threadIdx.x].x + q[threadIdx.x].second.y;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.y][0] + gather<3>(out, threadIdx.x);
}
__global__ void called(float* a, float* b, int n) {
  each(n, [=](int i) { a[3 * i] = b[i]; });
  TWO(a, b);
}
#line 400 "generated.cu"
__global__ void placed(float* a) {
  a[5 * threadIdx.x] = twice(a, threadIdx.x);
}
#line 53 "a.cu"
__global__ void waits(float* a) {
  if (threadIdx.x < 7) __syncthreads();
  a[threadIdx.x] = 0;
}
int main() {
  column<<<1, 64>>>(nullptr, 4);
  for (int r = 0; r < 10; r++)
    wide<2><<<1, dim3(8, 8)>>>(nullptr, nullptr, 64);
  called<<<2, 128>>>(nullptr, nullptr, 7);
}
"""
RECURSIVE = """__global__ void deep(float* a, int n) { a[depth(n) * threadIdx.x] = 1; }
int main() {"""
POINTERS = """__device__ float* where;
__global__ void sets(float* a) { __shared__ float s[64]; s[threadIdx.x] = 1; where = a; }
__global__ void uses() { where[2 * threadIdx.x] = 0; }
int main() {"""
HEADER = """#define PITCH 40
__device__ inline float twice(const float* p, int i) {
  float one = p[i];
  return one + p[i + 1];
}
"""
NAMES = ("row", "sum", "out", "tile", "one", "in", "first", "x", "k", "i", "n", "gather")
LINES = (
    "", "// words", "  int unused = 0;", "  int copy = n;", "#define LATER 1", "  a[0] = 1;",
    "  if (threadIdx.x == 12345) return;", "  __syncthreads();", "#pragma unroll",
    "__device__ int more(int i) { return i; }", "__global__ void extra(int* e) { e[0] = 1; }",
    "struct Other { float x; };", '#line 7 "b.cu"', "#line 300",
)  # fmt: skip

Edit = Callable[[random.Random, str], str]


def _at_a_line(change: Callable[[random.Random, list[str], int], None]) -> Edit:
    def edit(choose: random.Random, text: str) -> str:
        lines = text.split("\n")
        change(choose, lines, choose.randrange(len(lines)))
        return "\n".join(lines)

    return edit


def _insert(choose: random.Random, lines: list[str], at: int) -> None:
    lines.insert(at, choose.choice(LINES))


def _delete(choose: random.Random, lines: list[str], at: int) -> None:
    del lines[at]


def _swap(choose: random.Random, lines: list[str], at: int) -> None:
    other = min(at + 1, len(lines) - 1)
    lines[at], lines[other] = lines[other], lines[at]


def _again(choose: random.Random, lines: list[str], at: int) -> None:
    lines.insert(at, lines[at])


def _comment(choose: random.Random, lines: list[str], at: int) -> None:
    lines[at] += "  // words"


def _break(choose: random.Random, lines: list[str], at: int) -> None:
    places = [match.start() for match in re.finditer(r" (?=[=+<{])|(?<=[;,]) ", lines[at])]
    if places and not lines[at].startswith("#"):
        place = choose.choice(places)
        lines[at : at + 1] = [lines[at][:place], lines[at][place:]]


def _indent(choose: random.Random, lines: list[str], at: int) -> None:
    if not lines[at].startswith("#"):
        lines[at] = " " + lines[at]


def _rename(choose: random.Random, text: str) -> str:
    name = choose.choice(NAMES)
    return re.sub(rf"\b{name}\b", name + "_", text)


def _number(choose: random.Random, text: str) -> str:
    found = list(re.finditer(r"\b\d+\b", text))
    match = choose.choice(found)
    return text[: match.start()] + str(choose.choice((1, 2, 3, 32, 64))) + text[match.end() :]


EDITS: tuple[Edit, ...] = (
    *map(_at_a_line, (_insert, _insert, _delete, _swap, _again, _comment, _break, _indent)),
    _rename,
    _number,
)


def report(
    path: Path, text: str, memory: Memory | None = None, options: AnalysisOptions | None = None
) -> FileReport:
    config = Config(analysis=options or AnalysisOptions(derive_all=True))
    found = analyse_unit(str(path), config, text, memory=memory)
    return replace(found, timings=Timings())


@pytest.mark.parametrize(
    ("seed", "view"),
    # Seeds choose the text and whether copies work: four are all there is of both.
    [(seed, view) for seed in range(40) for view in View]
    if FULL
    else [(0, View.WRITTEN), (1, View.WRITTEN), (2, View.COMPILED), (3, View.COMPILED)],
)
def test_random_edits(
    tmp_path: Path, seed: int, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = AnalysisOptions(derive_all=True, view=view)
    if seed % 2:
        monkeypatch.setattr(reanalysis, "WORTH_A_COPY", 1)
    choose = random.Random(seed)
    source, header = tmp_path / "a.cu", tmp_path / "shared.h"
    more = (("int main() {", RECURSIVE), ("int main() {", POINTERS), ("", ""), ("", ""))[seed % 4]
    texts = {source: SOURCE.replace(*more) if more[0] else SOURCE, header: HEADER}
    for path, text in texts.items():
        path.write_text(text)
    memory, compared = Memory(), 0
    report(source, texts[source], memory, options)
    for _ in range(30 if FULL else 5):
        edited = choose.choice((source, source, source, header))
        old = texts[edited]
        for _ in range(choose.choice((1, 1, 1, 2))):
            texts[edited] = choose.choice(EDITS)(choose, texts[edited])
        edited.write_text(texts[edited])
        found = report(source, texts[source], memory, options)
        expected = report(source, texts[source], None, options)
        # In the editor a kernel that does not compile fails its file.
        if expected.status is FileStatus.OK and not expected.not_analysed:
            assert found == expected
            compared += 1
        else:
            texts[edited] = old
            edited.write_text(old)
    assert compared >= 2


def test_each_kernel_is_said_alone_what_is_said_of_it_among_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reanalysis, "WORTH_A_COPY", 1)
    monkeypatch.setattr(reanalysis, "MOST_COPIES", 100)
    monkeypatch.setattr(reanalysis, "processors", lambda: 100)
    for example in sorted((ROOT / "examples").glob("*.cu"))[:3]:
        text = example.read_text()
        assert report(example, text, Memory()) == report(example, text)
    source = tmp_path / "a.cu"
    (tmp_path / "shared.h").write_text(HEADER)
    source.write_text(SOURCE)
    assert report(source, SOURCE, Memory()) == report(source, SOURCE)


@pytest.mark.parametrize(
    ("weights", "processors", "expected"),
    [
        ((2000, 2000, 2000), 1, [["k0", "k1", "k2"]]),
        ((2000, 2000, 2000), 2, [["k0"], ["k1"], ["k2"]]),
        ((2000, 2000, 2000), 8, [["k0"], ["k1"], ["k2"]]),
        ((2000, 2000, 2000, 2000), 2, [["k0", "k2"], ["k1", "k3"]]),
        ((9000, 4000, 3000), 2, [["k0"], ["k1", "k2"]]),
        ((9000, 50, 60), 2, [["k0", "k2", "k1"]]),  # not worth another process
        ((2000,) * 9, 2, [["k0", "k3", "k6"], ["k1", "k4", "k7"], ["k2", "k5", "k8"]]),
        ((0, 0), 2, [["k0", "k1"]]),
    ],
)
def test_kernels_are_shared_out_so_that_the_last_is_done_soon(
    monkeypatch: pytest.MonkeyPatch,
    weights: tuple[int, ...],
    processors: int,
    expected: list[list[str]],
) -> None:
    monkeypatch.setattr(reanalysis, "processors", lambda: processors)
    assert reanalysis._groups({f"k{n}": weight for n, weight in enumerate(weights)}) == expected
