"""Counts in shared memory: where all that happens to them is that something is added."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fix.units import after, offers, proposed
from tests.warm_cli import main

NAME = "privatise-histogram"
MAIN = "int main(int n, char**) { k<<<9, 256>>>(nullptr, nullptr, n); }\n"
BODY = """  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // no more
  atomicAdd(&bins[data[i]], 1u);
"""


def kernel(body: str, host: str = MAIN, data: str = "unsigned char") -> str:
    return (
        f"__global__ void k(const {data}* __restrict__ data, "
        f"unsigned* __restrict__ bins, int n) {{\n{body}}}\n{host}"
    )


def test_counts_go_to_shared_memory_first() -> None:
    assert """
  __shared__ unsigned int bins_block[256];
  for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x) bins_block[bin] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(i >= n)) {  // no more
    atomicAdd(&bins_block[data[i]], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < 256; bin += blockDim.x)
    if (bins_block[bin] != 0) atomicAdd(&bins[bin], bins_block[bin]);
}
""" in after(kernel(BODY))
    (offer,) = offers(kernel(BODY), NAME)
    assert offer.fix.safe


@pytest.mark.parametrize(
    ("index", "bins"), [("data[i] % 64", 64), ("data[i] & 31", 32), ("data[i] >> 26", 64)]
)
def test_how_many_counts_there_are(index: str, bins: int) -> None:
    text = kernel(BODY.replace("data[i]", index), data="unsigned")
    assert f"bins_block[{bins}];" in after(text)


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace("atomicAdd(", "unsigned was = atomicAdd("),
        BODY.replace("1u);", "1u); if (bins[0] > 3) bins[1] = 0;"),
        BODY.replace("1u);", "1u); atomicMax(&bins[3], 1u);"),
        BODY.replace("data[i]]", "data[i] + i]"),
        BODY.replace("  if (i", "  if (i == 3) { if (data[i]) return; }\n  if (i"),
        BODY.replace("if (i >= n) return;", "while (i >= n) return;"),
        BODY.replace("1u);", "1u); unsigned* other = bins;"),
        BODY.replace("if (i >= n) return;", "if (i >= n) goto end;").replace("1u);", "1u);\nend:;"),
    ],
)
def test_not_where_more_happens_to_the_counts(body: str) -> None:
    assert proposed(kernel(body), NAME) == []


def test_not_for_few_threads_and_signed_bytes() -> None:
    assert not offers(kernel(BODY, MAIN.replace("256", "64")), NAME)
    assert not offers(kernel(BODY, data="signed char"), NAME)


def test_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path("examples/histogram.cu").read_text(encoding="utf-8")
    text = text.replace("1 << 20", "1 << 15").replace("(i * 7)", "(i * 7 + i / 64 * 37)")
    (tmp_path / "histogram.cu").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["fix", "--diff", "histogram.cu"]) == 1
    assert "+  __shared__ unsigned int bins_block[256];\n" in capsys.readouterr().out
    assert main(["fix", "--verify", "histogram.cu"]) == 0
    said = capsys.readouterr().err
    assert "privatise-histogram: count bins in shared memory first" in said
    assert "Made 1 fix." in said
