"""No verdict, count, mask or value that a run of the kernel refutes.

``DRANO_FUZZ_EXAMPLES=10000 pytest tests/analysis/warp/fuzz`` runs more.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from tests.analysis.warp.fuzz.harness import SHAPES, check
from tests.analysis.warp.fuzz.programs import kernels

EXAMPLES = int(os.environ.get("DRANO_FUZZ_EXAMPLES", "150"))


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large,
                           HealthCheck.filter_too_much],
    report_multiple_bugs=False,
)  # fmt: skip
@given(kernels(), st.sampled_from(SHAPES), st.integers(0, 1 << 20))
def test_no_run_refutes_the_analysis(
    text: str, shape: tuple[int, int, int] | None, seed: int
) -> None:
    note(text)
    note(f"block shape {shape}, seed {seed}")
    check(text, shape, seed)
