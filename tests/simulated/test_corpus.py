"""Accesses that a person can count, held against kernels executed lane by lane.

Each line of the corpus that has no answer says so (``// unknown``, or ``// unknown: written`` of
one view), and no other does. ``python -m tests.simulated`` prints what came out, and with
``--write`` brings these remarks up to date.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.model.settings import View
from tests.simulated.claims import accesses_of, held
from tests.simulated.remarks import SOURCES, remarked

FEWEST = 300


@pytest.mark.parametrize("view", View)
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_answer_is_refuted(path: Path, view: View) -> None:
    outcome = held(path, view)
    assert outcome.wrong == []
    assert sorted(outcome.unknown) == sorted(remarked(path, view))


def test_the_corpus_is_large() -> None:
    assert sum(accesses_of(path) for path in SOURCES) >= FEWEST


def test_wrong_answers_are_seen(tmp_path: Path) -> None:
    """A kernel that is judged as one thing and simulated as another."""
    text = "// block 64\n__global__ void k(float* a) {\n  a[threadIdx.x] = 1;\n}\n"
    path = tmp_path / "k.cu"
    path.write_text(text)
    assert held(path, View.COMPILED).wrong == []
    other = text.replace("threadIdx.x]", "threadIdx.x * 2]")
    problems = held(path, View.COMPILED, simulate=other).wrong
    assert [problem.split(": ")[-1] for problem in problems] == [
        "8..8 sectors, not 4..4", "2..2 lines, not 1..1", "lanes are not side by side",
        "coalesced, but 32 sectors where 16 would do",
    ]  # fmt: skip
