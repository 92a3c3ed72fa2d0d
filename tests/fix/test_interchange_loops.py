"""Rows along which a block goes together: where turns of the loop do not need each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fix.units import after, offers
from tests.warm_cli import main

NAME = "interchange-loops"
MAIN = "int main(int n, char**) { k<<<9, 128>>>(nullptr, nullptr, n, n); }\n"
HOST = """int main(int n, char**) {
  float *a, *b = nullptr;
  cudaMalloc((void**)&a, n * n * 4);
  cudaMalloc(&b, n * n * 4);
  cudaMemset(a, 0, n * n * 4);
  k<<<9, 128>>>(a, b, n, n);
  cudaFree(a);
}
"""


def kernel(body: str, restrict: str = "__restrict__ ", host: str = MAIN) -> str:
    return (
        f"__global__ void k(float* {restrict}out, const float* {restrict}in, int n, int C) {{\n"
        f"  int row = blockIdx.x * blockDim.x + threadIdx.x;\n{body}}}\n{host}"
    )


ROWS = """  if (row >= n) return;
  float first = in[row];
  for (int c = 0; c < C; c++) {
    // of this row
    out[row * C + c] = in[row * C + c] * first;
  }
"""


def test_the_block_goes_along_the_rows() -> None:
    fixed = after(kernel(ROWS))
    assert fixed.startswith(kernel("").splitlines()[0])
    assert (
        """  for (unsigned turn = 0; turn < blockDim.x; turn++) {
    int row = blockIdx.x * blockDim.x + turn;
    if (row >= n) continue;
    float first = in[row];
    for (int c = threadIdx.x; c < C; c += blockDim.x) {
      // of this row
      out[row * C + c] = in[row * C + c] * first;
    }
  }
}
"""
        in fixed
    )
    (offer, *_) = offers(kernel(ROWS), NAME)
    assert offer.fix.safe


@pytest.mark.parametrize(
    ("host", "safe"),
    [
        (HOST, True),
        (HOST.replace("k<<<9, 128>>>(a, b,", "k<<<9, 128>>>(a, a,"), False),
        (HOST.replace("k<<<9, 128>>>(a, b,", "k<<<9, 128>>>(a, a + n,"), False),
        (HOST.replace("cudaMemset(", "b = a + 1; cudaMemset("), False),
        (HOST.replace("cudaMemset(", "float*& c = b; c = a; cudaMemset("), False),
        ("void f(float* a, float* b, int n) { k<<<9, 128>>>(a, b, n, n); }\n", False),
        (HOST + "void f(float* p, float* q) { k<<<9, 128>>>(p, q, 1, 1); }\n", False),
    ],
)
def test_arrays_that_the_host_shows_to_be_two(host: str, safe: bool) -> None:
    found = offers(kernel(ROWS, "", host), NAME)
    assert found
    assert {offer.fix.safe for offer in found} == {safe}


@pytest.mark.parametrize(
    "body",
    [
        ROWS.replace("* first;", "+ (c ? out[row * C + c - 1] : 0);"),
        ROWS.replace("* first;", "* first; first += 1;"),
        ROWS.replace("* first;", "* first; if (c == 9) break;"),
        ROWS.replace("* first;", "* first; out[row * C + c + 1] = 0;"),
        ROWS.replace("out[row * C + c]", "out[row * C + (c & 7)]"),
        ROWS.replace("out[row * C + c]", "out[row * C + 2 * c]"),
        ROWS.replace("float first = in[row];", "float first = out[row];"),
        ROWS.replace("float first = in[row];", "out[row] = 1; float first = 2;"),
        ROWS.replace("* first;", "* first; __syncthreads();"),
        ROWS.replace("* first;", "* __shfl_sync(~0u, first, 0);"),
        ROWS.replace("float first", "for (int c = 0; c < C; c++) n += 1; float first"),
        ROWS.replace("c < C", "c < 8"),
        ROWS.replace("first;\n", "first + ((const int*)in)[c];\n"),
    ],
)
def test_not_where_turns_need_each_other(body: str) -> None:
    assert not offers(kernel(body), NAME)


def test_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cu").write_text(kernel(ROWS, "", HOST).replace("n * n * 4", "n * 4000"))
    monkeypatch.chdir(tmp_path)
    assert main(["fix", "--diff", "k.cu"]) == 1
    assert "+  for (unsigned turn = 0; turn < blockDim.x; turn++) {\n" in capsys.readouterr().out
    assert main(["fix", "--verify", "k.cu", "--", *map(str, range(39))]) == 0
    assert "Made 1 fix." in capsys.readouterr().err
