"""Lanes that call functions of the host, as nvcc lets them: they leave the kernel, or go on."""

from __future__ import annotations

from pathlib import Path

import drano
from drano.model.access import AccessKind
from drano.model.judgement import Verdict
from drano.model.settings import Config

CASE = Path(__file__).parents[2] / "cases" / "warp" / "host_functions.cu"


def test_bounds_hold_for_lanes_that_leave_and_for_lanes_that_go_on() -> None:
    """nvcc 13.0, SASS for sm_90: of the first kernel all lanes go on, of the second some leave."""
    (file,) = drano.check([str(CASE)], Config()).files
    assert not file.not_analysed
    stores = {a.kernel: a.judgement for a in file.accesses if a.kind is AccessKind.STORE}
    for kernel in ("behind_a_call", "by_its_value"):
        judgement = stores[kernel]
        assert judgement.verdict is Verdict.UNCOALESCED
        assert judgement.sectors is not None
        assert (judgement.sectors.minimum, judgement.sectors.maximum) == (1, 32)
    assert stores["side_by_side"].verdict is Verdict.COALESCED
