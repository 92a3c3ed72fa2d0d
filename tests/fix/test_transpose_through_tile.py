"""Transposes through a tile: where one side goes along columns, and all threads come by."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fix.units import after, offers
from tests.warm_cli import main

NAME = "transpose-through-tile"
INDICES = """  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
"""


def kernel(body: str, shape: str = "32, 32", more: str = "") -> str:
    return (
        f"__global__ void k(float* out, const float* in, int w, int h) {{\n{INDICES}{body}}}\n"
        f"{more}"
        f"int main(int n, char**) {{ k<<<dim3(4, 4), dim3({shape})>>>(nullptr, nullptr, n, n); }}\n"
    )


STORE = "  if (x < w && y < h) out[x * h + y] = in[y * w + x] * 2;  // turned\n"


def test_a_column_is_written_through_a_tile() -> None:
    fixed = after(kernel(STORE))
    assert "  __shared__ float tile[32][32 + 1];\n" in fixed
    assert "tile[threadIdx.y][threadIdx.x] = in[y * w + x] * 2;  // turned\n" in fixed
    assert "const int x_turned = blockIdx.x * blockDim.x + threadIdx.y;\n" in fixed
    assert "out[x_turned * h + y_turned] = tile[threadIdx.x][threadIdx.y];\n" in fixed
    (offer,) = offers(kernel(STORE), NAME)
    assert offer.fix.safe
    assert str(offer.promise) == "36 → 8 sectors"


def test_a_column_is_read_through_a_tile() -> None:
    body = "  if (x < w && y < h) out[y * w + x] = in[x * h + y];\n"
    (offer,) = offers(kernel(body), NAME)
    assert offer.fix.safe
    assert "tile[threadIdx.x][threadIdx.y] = in[x_turned * h + y_turned];\n" in after(kernel(body))


@pytest.mark.parametrize("shape", ["16, 16", "8, 8", "32, 8", "64, 4", "32, 16"])
def test_blocks_of_other_shapes(shape: str) -> None:
    (offer,) = offers(kernel(STORE, shape), NAME)
    assert offer.fix.safe


def test_a_guard_moves_behind_the_barrier() -> None:
    guarded = "  if (x >= w || y >= h) return;\n  out[x * h + y] = in[y * w + x];\n"
    fixed = after(kernel(guarded))
    assert "  if (!(x >= w || y >= h)) tile[" in fixed
    assert "return;" not in fixed
    guarded = "  if (x >= w || y >= h) return;\n  out[y * w + x] = in[x * h + y];\n"
    fixed = after(kernel(guarded))
    assert fixed.index("__syncthreads();") < fixed.index("if (x >= w || y >= h) return;")


def test_a_loop_over_the_rows_of_a_tile() -> None:
    text = Path("examples/transpose.cu").read_text(encoding="utf-8")
    fixed = after(text)
    assert "tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];\n" in fixed
    assert "  for (int j = 0; j < kTile; j += kRows) {\n    const int x_turned = " in fixed


@pytest.mark.parametrize(
    "body",
    [
        # some threads do not come to the barrier
        "  if (x >= w) { if (y > 3) return; }\n" + STORE,
        "  for (;;) { if (in[y * w + x] > 3) return; break; }\n" + STORE,
        # the condition is not the same for who asks later
        "  if (in[y * w + x] > 0) out[x * h + y] = in[y * w + x];\n",
        # the thread goes on to use what it wrote
        STORE + "  if (x < w && y < h) out[x * h + y] += 1;\n",
        # it has written before what it reads
        "  out[0] = 1;\n  if (x < w && y < h) out[y * w + x] = in[x * h + y];\n",
        "  int z = x;\n  if (y & 1) z++;\n  if (x < w && y < h) out[z * h + y] = in[y * w + x];\n",
        "  if (x < w && y < h) out[x * h + y] += in[y * w + x];\n",
        "  if (x < w && y < h) { x++; out[x * h + y] = in[y * w + x]; }\n",
        "  if (x < w) out[x * h + y] = in[y * w + x]; else out[0] = 1;\n",
        "  goto end;\n  end:\n" + STORE,
    ],
)
def test_not_where_threads_differ_in_more_than_their_numbers(body: str) -> None:
    assert not offers(kernel(body), NAME)


def test_not_in_functions_and_with_shapes_that_are_not_known() -> None:
    text = kernel(STORE).replace("dim3(32, 32)", "dim3(n, 32)")
    assert not offers(text, NAME)
    more = "void f() { k<<<1, dim3(16, 16)>>>(nullptr, nullptr, 1, 1); }\n"
    assert not offers(kernel(STORE, more=more), NAME)


def test_dynamic_shared_memory_makes_it_unsafe() -> None:
    text = kernel(STORE).replace("dim3(32, 32)>>>", "dim3(32, 32), n>>>")
    (offer,) = offers(text, NAME)
    assert offer.fix.unproved == "that the blocks' dynamic shared memory still fits"


def test_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path("examples/transpose.cu").read_text(encoding="utf-8").replace("2048", "128")
    source = tmp_path / "transpose.cu"
    source.write_text(text.replace("1024", "64"))
    monkeypatch.chdir(tmp_path)
    assert main(["fix", "--diff", "transpose.cu"]) == 1
    assert "+  __shared__ float tile[32][32 + 1];\n" in capsys.readouterr().out
    assert main(["fix", "--verify", "transpose.cu"]) == 0
    said = capsys.readouterr().err
    assert "9216 → 2048" in said
    assert "Made 1 fix." in said
    assert main(["check", "transpose.cu"]) == 0
