"""What a loop's test proves of its counter, seen in verdicts on tests/cases/warp/counters.cu."""

from __future__ import annotations

from drano.model.judgement import Verdict
from drano.run.driver import check
from tests.test_cases import CASES
from tests.views import AS_WRITTEN


def test_counters_are_bounded_by_their_loops_test() -> None:
    report = check([str(CASES / "warp" / "counters.cu")], AS_WRITTEN)
    loads = {
        access.kernel: access.judgement.verdict
        for access in report.files[0].accesses
        if access.judgement.array == "in"
    }
    assert set(loads.values()) == {Verdict.COALESCED}
    assert len(loads) == 6
