"""A few random kernels; ``python -m tests.fix.fuzz`` tries as many as wanted."""

from __future__ import annotations

import random

import pytest

from tests.fix.fuzz import tried
from tests.fix.random_kernels import KINDS

SEED = 0
PROGRAMS = 6
"""Each edit is tried on the whole program: what one of all kinds takes grows with their square."""


@pytest.mark.parametrize("first", range(PROGRAMS))
def test_random_kernels_are_fixed_and_do_the_same(first: int) -> None:
    draw = random.Random(SEED)
    kernels = [kind(f"k{number}", draw) for number, kind in enumerate(KINDS)]
    outcome = tried(kernels[first::PROGRAMS], SEED)
    assert outcome.against == (), outcome.text
    assert sum(outcome.fixed.values()) >= 1
