"""No claim about launches that a run of the host code refutes.

The same programs every time; ``python -m tests.host.fuzz --count 5000`` runs more of them.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from tests.host.fuzz.held import held
from tests.host.fuzz.programs import Program, drawn

COUNT = 25


def test_no_run_refutes_what_is_read(tmp_path: Path) -> None:
    rng = random.Random(1)
    tally = held([drawn(number, rng) for number in range(COUNT)], tmp_path)
    assert tally.refuted == []
    assert tally.launches > COUNT
    assert min(tally.shapes, tally.numbers, tally.places) > COUNT / 4


def test_wrong_constants_are_seen(tmp_path: Path) -> None:
    text = (
        "__global__ void kernel0(float *a, int n) { note(0, a, n); }\n"
        "void run0() { float *p; cudaMalloc(&p, 64); kernel0<<<1, 32>>>(p, 4); }"
    )
    program = Program(0, text)
    assert held([program], tmp_path).refuted == []
    other = replace(program, text=text.replace("(p, 4)", "(p + 1, 5)"))
    (problem,) = held([program], tmp_path, run=[other]).refuted
    assert "number 4" in problem
    assert "pointer None" in problem
