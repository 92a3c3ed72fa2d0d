"""Where lanes meet that a switch has parted: a default that cannot be does not keep them apart."""

from __future__ import annotations

from pathlib import Path

from drano.model.settings import Config
from drano.run.driver import check

CASES = Path(__file__).parents[1] / "cases" / "warp" / "impossible_ways.cu"


def test_lanes_meet_behind_a_switch_whose_default_cannot_be() -> None:
    report = check([str(CASES)], Config())
    sectors = {
        (a.kernel, a.location.span.line): (a.judgement.sectors.minimum, a.judgement.sectors.maximum)
        for a in report.files[0].accesses
        if a.judgement.sectors is not None
    }
    assert sectors["turned", 11] == (4, 4)
    assert sectors["turned", 12] == (8, 8)
    assert sectors["ended", 22] == (1, 4)
