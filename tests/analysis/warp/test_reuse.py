"""How often a block reads the elements of an array, against figures counted by hand."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from drano.run.driver import check_unit
from tests.views import AS_WRITTEN

SOURCE = """
__global__ void multiply(float* c, const float* a, const float* b, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
__global__ void stencil(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  out[i] = in[i - 1] + in[i] + in[i + 1] + in[i];
}
__global__ void strided(float* out, const float* each, const float* all, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += each[i];
  for (int i = 0; i < n; i++) sum += all[i];
  out[threadIdx.x] = sum;
}
__global__ void written(float* a) { a[threadIdx.x & 31] += 1; }
__global__ void given(float* out, const float* in, const int* at) {
  out[threadIdx.x] = in[at[threadIdx.x]] + in[at[0]];
}
void run(float* c, const float* a, const float* b, const int* at, int n) {
  multiply<<<dim3(4, 4), dim3(16, 16)>>>(c, a, b, n);
  stencil<<<4, 128>>>(c, a);
  strided<<<1, 256>>>(c, a, b, n);
  written<<<1, 256>>>(c);
  given<<<1, 256>>>(c, a, at);
}
"""


def test_reads_and_elements(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    report = check_unit(str(path), replace(AS_WRITTEN, extend_select=("DRN402",)))
    found = {
        (a.kernel, a.judgement.array): (
            a.reuse.reads,
            a.reuse.elements,
            a.reuse.loads,
            a.reuse.in_loop,
        )
        for a in report.accesses
        if a.reuse is not None
    }
    assert found == {
        ("multiply", "a"): (16, 16, 1, True),  # each row is one warp's half
        ("multiply", "b"): (128, 16, 1, True),  # eight warps read the same 16 elements
        ("stencil", "in"): (3 * 128, 130, 3, False),  # in[i] twice is a register's business
        ("strided", "all"): (8, 1, 1, True),  # each[i]: another element in each warp
        ("given", "at"): (256 + 8, 256, 2, False),
        ("given", "in"): (8, 1, 1, False),  # in[at[threadIdx.x]] is anywhere
    }
    said = {f.access.judgement.array: f for f in report.findings if f.rule == "DRN402" and f.access}
    assert sorted(said) == ["all", "b"]
    assert "tile of 32 x 16 (2048 bytes)" in said["b"].help
    assert not any(a.reuse for a in check_unit(str(path), AS_WRITTEN).accesses)
