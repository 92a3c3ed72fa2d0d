"""Elements dealt out to the threads of a block: where nothing can tell the difference."""

from __future__ import annotations

import pytest

from tests.fix.units import after, offers

NAME = "stride-across-block"
SOURCE = """__global__ void k(float* __restrict__ a, const float* __restrict__ b, int K, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < K; k++) {
    int e = t * K + k;  // element
    if (e < n) a[e] = 2 * b[e] + sqrtf(b[e]);
  }
}
int main(int c, char**) { k<<<8, 128>>>(nullptr, nullptr, c, c * 100); }
"""
DEALT = "(t - (int)threadIdx.x) * K + k * (int)blockDim.x + (int)threadIdx.x"
ELEMENTS = SOURCE.replace("int k = 0; k < K; k++", "int e = t * K; e < t * K + K; e++").replace(
    "    int e = t * K + k;  // element\n", ""
)


def test_a_loop_over_turns() -> None:
    assert after(SOURCE) == SOURCE.replace("t * K + k;", f"{DEALT};")


def test_a_loop_over_elements() -> None:
    (offer, *_) = offers(ELEMENTS, NAME)
    assert offer.fix.safe, offer.fix.unproved
    assert "e += blockDim.x" in after(ELEMENTS)


def test_indices_that_are_written_out() -> None:
    plain = SOURCE.replace("    int e = t * K + k;  // element\n", "").replace("e < n", "true")
    plain = plain.replace("[e]", "[t * K + k]")
    assert after(plain).count(DEALT) == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("e < n", "t < n"),  # which threads work on an element
        ("2 * b[e]", "k * b[e]"),
        ("2 * b[e]", "threadIdx.x * b[e]"),
        ("2 * b[e]", "b[e + 1]"),  # a neighbour's element
        ("2 * b[e]", "a[e - 1]"),
        ("  for", "  if (t > n) return;\n  for"),
        ("  for", "  if (t < n)\n  for"),
        ("    int e", "    if (n == k) break;\n    int e"),
        ("  for", "  float s = 0;\n  for"),
        ("t * K + k;", "t * 8 + k;"),  # not all elements of a stretch, or some twice
        ("t * K + k;", "t * K + 2 * k;"),
        ("}\nint main", "  a[t] = 0;\n}\nint main"),
        ("  for", "  __syncthreads();\n  for"),
        ("128>>>", "dim3(64, 2)>>>"),
        ("t = blockIdx.x", "t = 1; t += blockIdx.x"),
        ("k < K", "k < K + t"),
        ("int e =", "short e ="),
        ("int e =", "long e = (long)"),
        ("k++", "k += 2"),
        ("int main", "#define K 5\nint main"),
    ],
)
def test_not_where_a_turn_is_more_than_its_element(old: str, new: str) -> None:
    assert old in SOURCE
    changed = SOURCE.replace(old, new)
    if "float s" in new:
        changed = changed.replace("a[e] = 2", "s += b[e], a[e] = s + 2")
    if "#define" in new:
        changed = changed.replace("int main", "int main").replace("e < n", "e < n\n#if 1\n#endif\n")
    assert [o for o in offers(changed, NAME) if o.fix.safe] == []


def test_unsafe_where_arrays_may_overlap() -> None:
    changed = SOURCE.replace("__restrict__ ", "")
    (offer, *_) = offers(changed, NAME)
    assert offer.fix.unproved == "that a and b do not overlap"
    one = changed.replace("2 * b[e] + sqrtf(b[e])", "2 * a[e]")
    assert all(o.fix.safe for o in offers(one, NAME))
