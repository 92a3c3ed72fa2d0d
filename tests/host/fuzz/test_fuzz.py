"""No claim about launches that a run of the host code refutes.

The same programs every time; ``python -m tests.host.fuzz --count 5000`` runs more of them.
"""

from __future__ import annotations

import random
from pathlib import Path

from msgspec.structs import replace

from tests.host.fuzz.apart import held_apart, parted
from tests.host.fuzz.held import held
from tests.host.fuzz.programs import Program, drawn

COUNT = 24


def test_no_run_refutes_what_is_read(tmp_path: Path) -> None:
    rng = random.Random(1)
    tally = held([drawn(number, rng) for number in range(COUNT)], tmp_path)
    assert tally.refuted == []
    assert tally.launches > COUNT
    assert min(tally.shapes, tally.numbers, tally.places) > COUNT / 5


def test_no_run_refutes_what_is_read_of_two_units(tmp_path: Path) -> None:
    rng = random.Random(2)
    tally = held_apart([parted(number, rng) for number in range(COUNT)], tmp_path)
    assert tally.refuted == []
    assert tally.launches > COUNT
    assert min(tally.shapes, tally.numbers, tally.places) > COUNT / 8


def test_wrong_constants_are_seen(tmp_path: Path) -> None:
    first, second = (
        Program(
            number,
            f"__global__ void kernel{number}(float *a, int n) {{ note({number}, a, n); }}\n"
            f"void run{number}() {{ float *p; cudaMalloc(&p, 64); "
            f"kernel{number}<<<1, 32>>>(p, 4); }}",
        )
        for number in range(2)
    )
    other = replace(second, text=second.text.replace("(p, 4)", "(p + 1, 5)"))
    (problem,) = held([first, second], tmp_path, run=[first, other], library="").refuted
    assert "kernel1" in problem
    assert "number 4" in problem
    assert "pointer None" in problem
