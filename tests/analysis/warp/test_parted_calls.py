"""What is said of lanes that called different functions holds for all that it rested on before."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from drano.analysis.warp.verdict.by_nvcc.parted_calls import CONDITION, covering
from drano.model.judgement import Active, CountRange, Judgement, Pattern, Space, Verdict

GOOD, BAD, UNKNOWN = Verdict.COALESCED, Verdict.UNCOALESCED, Verdict.UNKNOWN


def said(verdict: Verdict, condition: str, least: int = 1) -> Judgement:
    return Judgement(
        Space.GLOBAL, verdict, Pattern.STRIDED, "", "", Active.ALL, condition=condition,
        sectors=CountRange(least, 32, 4),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("together", "apart", "verdict", "condition"),
    [
        ((GOOD, ""), (GOOD, ""), GOOD, ""),
        ((GOOD, ""), (GOOD, "the active lanes are neighbours"), GOOD, CONDITION),
        ((GOOD, "n >= 32"), (UNKNOWN, ""), GOOD, f"n >= 32 and {CONDITION}"),
        ((BAD, ""), (BAD, "several lanes are active"), BAD, "several lanes are active"),
        ((BAD, "n >= 32"), (BAD, "n >= 32 and several lanes are active"), BAD,
         "n >= 32 and several lanes are active"),
        ((BAD, "nvcc does not split the loop"), (BAD, "several lanes are active"), BAD,
         "nvcc does not split the loop and several lanes are active"),
        ((BAD, ""), (GOOD, ""), BAD, CONDITION),
        ((UNKNOWN, ""), (GOOD, ""), UNKNOWN, ""),
    ],
)  # fmt: skip
def test_no_condition_is_lost(
    together: tuple[Verdict, str], apart: tuple[Verdict, str], verdict: Verdict, condition: str
) -> None:
    found = covering(said(*together, least=4), said(*apart), CONDITION)
    assert (found.verdict, found.condition) == (verdict, condition)
    assert found.sectors == replace(said(*together).sectors, minimum=1)  # holds of both
