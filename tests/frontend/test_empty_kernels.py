"""Kernels that the architecture leaves nothing of are told."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Run

SOURCE = """__global__ void newest(float *a, int n) {
#if __CUDA_ARCH__ >= 9990
  a[threadIdx.x] = n;
#endif
}
__global__ void all(float *a) {
#if __CUDA_ARCH__ >= 300
  a[threadIdx.x] = 1;
#endif
}
__global__ void optional(float *a) {
#  ifdef HAVE_MORE  // than others
  a[threadIdx.x] = 1;
#endif
}
__global__ void nothing() {}
"""


def test_a_kernel_without_code_at_the_architecture_is_told(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SOURCE)
    outcome = drano("check", "k.cu")
    assert outcome.status == 0
    told = [line for line in outcome.stderr.splitlines() if "is empty for" in line]
    assert told == [
        "drano: note: k.cu:1: kernel newest is empty for sm_90: its code targets other "
        "architectures (--cuda-gpu-arch)",
        "drano: note: k.cu:11: kernel optional is empty for sm_90: its code is under "
        "`# ifdef HAVE_MORE` (-D defines a macro)",
    ]
