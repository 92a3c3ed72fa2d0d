"""Why a line of ours and of the hardware differ."""

from __future__ import annotations

import pytest

from rodinia.measured.counted import Cause, Counts, Pair, Site, explain, pairs
from rodinia.measured.lines import Place
from tests.rodinia.samples import hardware_row

HERE = Place("one/main.cu", 5)
LOAD, AGAIN = Site(7, "load", 4), Site(19, "load", 4)
WIDE, STORE = Site(3, "load", 8), Site(1, "store", 4)
GOOD, POOR, UNIFORM = (
    Counts(320, 40, 40, 10, 10),
    Counts(320, 320, 40, 10, 320),
    Counts(320, 10, 10, 10, 10),
)


@pytest.mark.parametrize(
    ("ours", "theirs", "cause", "without"),
    [
        ({LOAD: GOOD, STORE: GOOD}, [("load", 4, 80, 640, 20)], Cause.SAME, ()),
        # one of two loads is merged; nothing of 8 bytes was seen
        ({LOAD: POOR, AGAIN: UNIFORM}, [("load", 4, 320, 320, 10)], Cause.MERGED, (AGAIN,)),
        ({WIDE: UNIFORM, LOAD: GOOD}, [("load", 4, 40, 320, 10)], Cause.MERGED, (WIDE,)),
        # a uniform load with half of the lanes
        ({LOAD: UNIFORM}, [("load", 4, 10, 160, 10)], Cause.LANES, ()),
        # 10 requests more touch a sector more, on a line of its own
        ({LOAD: GOOD}, [("load", 4, 50, 320, 20)], Cause.PARTED, ()),
        ({LOAD: GOOD}, [("load", 4, 80, 320, 10)], Cause.OTHER, ()),
    ],
)
def test_the_first_cause_that_holds(
    ours: dict[Site, Counts],
    theirs: list[tuple[str, int, int, int, int]],
    cause: Cause,
    without: tuple[Site, ...],
) -> None:
    rows = [
        hardware_row(5, sectors, 40, kind=kind, size=size, warps=warps, threads=threads)
        for kind, size, sectors, threads, warps in theirs
    ]
    (pair,) = pairs({HERE: ours, Place("other.cu", 1): ours}, rows)
    told = explain(pair)
    assert (told.cause, told.without) == (cause, without)


def test_what_depends_on_data_may_differ() -> None:
    pair = Pair(HERE, GOOD, Counts(320, 99, 40, 10, 10), ((LOAD, GOOD),), frozenset({("load", 4)}))
    assert explain(pair).cause is Cause.OTHER
    assert explain(pair, [HERE]).cause is Cause.DATA
