"""No verdict, count, mask or value that a run of the kernel refutes.

The same few kernels every time; ``DRANO_FUZZ_EXAMPLES=10000 pytest tests/analysis/warp/fuzz`` runs
others, and more of them.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, note, reject, settings
from hypothesis import strategies as st

from drano.analysis.blocks.block_shapes import Dim
from drano.analysis.warp.state import warp_state
from drano.lattice.warp import domain
from drano.model.settings import View
from tests.analysis.warp.fuzz.harness import SHAPES, check
from tests.analysis.warp.fuzz.programs import kernels

MORE = os.environ.get("DRANO_FUZZ_EXAMPLES", "")


_SETTINGS = settings(
    max_examples=int(MORE or 60),
    derandomize=not MORE,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large,
                           HealthCheck.filter_too_much],
    report_multiple_bugs=False,
)  # fmt: skip
_KERNELS = given(kernels(), st.sampled_from(SHAPES), st.integers(0, 1 << 20))


@_SETTINGS
@_KERNELS
def test_no_run_refutes_the_analysis(text: str, shape: Dim | None, seed: int) -> None:
    note(text)
    note(f"block shape {shape}, seed {seed}")
    check(text, shape, seed)


@settings(
    _SETTINGS,
    max_examples=int(MORE or 40),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@_KERNELS
def test_nor_that_of_compiled_code(text: str, shape: Dim | None, seed: int) -> None:
    note(text)
    note(f"block shape {shape}, seed {seed}")
    try:
        check(text, shape, seed, View.COMPILED)
    except NotImplementedError:  # vector arithmetic and the like; too many of them fail the test
        reject()


@settings(_SETTINGS, max_examples=int(MORE or 20))
@_KERNELS
def test_nor_one_that_has_to_shorten_what_it_knows(text: str, shape: Dim | None, seed: int) -> None:
    note(text)
    note(f"block shape {shape}, seed {seed}")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(domain, "MAX_TERMS", 3)
        patched.setattr(warp_state, "LONG", 1)
        check(text, shape, seed)
