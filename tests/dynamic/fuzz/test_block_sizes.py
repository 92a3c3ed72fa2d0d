"""Kernels that are proved independent of their block size give the same results in other blocks.

The same kernels every time; ``python -m tests.dynamic.fuzz.block_sizes --count 2000`` runs more.
"""

from __future__ import annotations

from itertools import islice

from tests.dynamic.fuzz.__main__ import drawn
from tests.dynamic.fuzz.block_sizes import check, steady_kernels
from tests.dynamic.fuzz.kernel import Kernel, Statement

COUNT = 10
MOST_BATCHES = 6


def test_no_run_refutes_a_proof() -> None:
    """As many proofs as 15 kernels mostly hold: what is drawn depends on which modules are loaded,
    as Hypothesis takes constants from them, so more are drawn where they hold fewer.
    """
    kernels = drawn(1000, steady_kernels())
    proved = compared = other = same = 0
    for _ in range(MOST_BATCHES):
        found = check(list(islice(kernels, COUNT)), 1000)
        assert found.wrong == []
        proved, compared = proved + found.axes["xy"], compared + found.compared
        other, same = other + found.other, same + found.same
        if proved > COUNT / 2 and other > same:
            break
    assert compared > COUNT
    assert proved > COUNT / 2
    assert other > same


def test_a_difference_would_be_seen() -> None:
    store = Statement("r_oi[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;")
    kernel = Kernel((96, 4, 1), 1, ("int linear = 0; float acc = 0; unsigned sum = 0;",), (store,))
    found = check([kernel], 1)
    assert found.axes == {"y": 1}
    assert found.other > 0
