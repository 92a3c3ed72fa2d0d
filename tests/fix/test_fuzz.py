"""A few random kernels; ``python -m tests.fix.fuzz`` tries as many as wanted."""

from __future__ import annotations

import random

import pytest

from tests.fix.fuzz import KINDS, tried


@pytest.mark.parametrize("seed", range(2))
def test_random_kernels_are_fixed_and_do_the_same(seed: int) -> None:
    draw = random.Random(seed)
    kernels = [kind(f"k{number}", draw) for number, kind in enumerate(KINDS)]
    outcome = tried(kernels, seed)
    assert outcome.against == (), outcome.text
    assert sum(outcome.fixed.values()) >= 3
