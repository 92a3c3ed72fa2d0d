"""Swapped roles of x and y; what keeps them from it is tried in tests/lsp/test_fixes.py."""

from __future__ import annotations

from tests.fix.units import after, offers

SOURCE = """__global__ void k(float* a, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;  // threadIdx.x: rows, é😀
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n) a[row * 4096 + col] += 1;
}
int main() { k<<<dim3(8, 8), dim3(32, 32)>>>(nullptr, 256); }
"""


def test_roles_are_swapped_in_square_blocks() -> None:
    wanted = SOURCE.replace("+ threadIdx.x", "+ threadIdx.?").replace(
        "+ threadIdx.y", "+ threadIdx.x"
    )
    assert after(SOURCE) == wanted.replace("?", "y")
    other = SOURCE.replace("dim3(32, 32)", "dim3(32, 8)")
    assert offers(other, "swap-thread-indices") == []
