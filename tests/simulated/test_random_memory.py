"""Random kernels whose memory is rewritten, held against the simulator; see ``random_memory``."""

from __future__ import annotations

from tests.simulated.random_memory import refuted

LEAST_EXACT = 0.1


def test_no_answer_is_refuted() -> None:
    accesses, exact, wrong = refuted(20, seed=20261125)
    assert wrong == []
    assert exact > LEAST_EXACT * accesses > 0
