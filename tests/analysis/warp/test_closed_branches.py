"""What no thread of an assumed block reaches: it is told only where blocks may be to blame."""

from __future__ import annotations

from pathlib import Path

from drano.model.judgement import Verdict
from drano.model.settings import Config
from drano.run.driver import check_unit

SOURCE = """
__global__ void product(const float *a, float *out, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[k * n + i];
    out[i] = sum;
    if (rows > 8 && n % 3) out[i + 1] = 2;
    if (rows < 8) out[2 * i] = 3;
    if (threadIdx.y > 1) out[i + n] = 4;
    if (blockDim.y > 1 && rows > 8) out[i + 2 * n] = 5;
  }
}
int width = 32;
void run(float *p, int n) { product<<<n / width, width>>>(p, p, n, 16); }
int main() { const int n = 4096; run(nullptr, n); }
"""


def test_what_arguments_close_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    accesses = check_unit(str(path), Config()).accesses
    told = {access.index_text: access.judgement for access in accesses}
    assert told["a[k * n + i]"].verdict is Verdict.COALESCED
    assert "out[i + 1]" in told
    assert "out[2 * i]" not in told
    # Blocks that are no single row of threads may reach these.
    for text in ("out[i + n]", "out[i + 2 * n]"):
        assert told[text].reason.startswith("only blocks of a different shape")
