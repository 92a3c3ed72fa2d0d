"""Kernels that are proved independent of their block size give the same results in other blocks.

The same kernels every time; ``python -m tests.dynamic.fuzz.block_sizes --count 2000`` runs more.
"""

from __future__ import annotations

from itertools import islice

from tests.dynamic.fuzz.__main__ import drawn
from tests.dynamic.fuzz.block_sizes import check, steady_kernels
from tests.dynamic.fuzz.kernel import Kernel, Statement

COUNT = 30


def test_no_run_refutes_a_proof() -> None:
    found = check(list(islice(drawn(1000, steady_kernels()), COUNT)), 1000)
    assert found.wrong == []
    assert found.compared > COUNT
    # What is drawn depends on what else is loaded: Hypothesis takes constants from there.
    assert found.axes["xy"] > COUNT / 5
    assert found.other > 0


def test_a_difference_would_be_seen() -> None:
    store = Statement("r_oi[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;")
    kernel = Kernel((96, 4, 1), 1, ("int linear = 0; float acc = 0; unsigned sum = 0;",), (store,))
    found = check([kernel], 1)
    assert found.axes == {"y": 1}
    assert found.other > 0
