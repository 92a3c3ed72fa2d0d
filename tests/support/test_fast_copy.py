"""Records made again are what the standard library makes of them."""

from __future__ import annotations

import dataclasses
import pickle
from dataclasses import dataclass, field
from enum import Enum

from drano.model.finding import Severity
from drano.model.judgement import CountRange
from drano.model.report import Diagnostic
from drano.model.span import Frame, Location, Span
from drano.support import fast_copy


class Colour(Enum):
    RED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ByName:
    one: int
    two: str = ""


@dataclass(frozen=True, slots=True)
class Single:
    only: tuple[int, ...]


@dataclass(slots=True)
class Counted:
    """Has a value that its constructor does not take."""

    values: list[int]
    total: int = field(init=False, default=0)


@dataclass
class Open:
    name: str


SPAN = Span("a.cu", 3, 4)
RECORDS = [
    Location(SPAN, "f", (Frame("k", SPAN),)),
    Diagnostic("a.cu", 1, 2, Severity.ERROR, "bad"),
    CountRange(1, 2, 1.5),
    ByName(one=1, two="x"),
    Single((1, 2)),
    Counted([1]),
    Open("o"),
    Colour.RED,
    {"a": [SPAN, None, 1.5, Colour.RED]},
]


def test_what_is_pickled_comes_back():
    counted = RECORDS[5]
    assert isinstance(counted, Counted)
    counted.total = 7
    opened = RECORDS[6]
    assert isinstance(opened, Open)
    opened.__dict__["more"] = 1
    back = pickle.loads(fast_copy.dumps(RECORDS))
    assert back == RECORDS
    assert back[5].total == 7
    assert back[6].__dict__["more"] == 1


def test_what_is_shared_stays_shared_and_pickles_are_smaller():
    shared = pickle.loads(fast_copy.dumps([SPAN, SPAN]))
    assert shared[0] is shared[1]
    assert len(fast_copy.dumps(RECORDS)) < len(pickle.dumps(RECORDS, pickle.HIGHEST_PROTOCOL))


def test_substitution_is_replacement():
    location = Location(SPAN, "f")
    assert fast_copy.substitute(location, {"function": "g"}) == dataclasses.replace(
        location, function="g"
    )
    assert fast_copy.substitute(ByName(one=1), {"two": "y"}) == ByName(one=1, two="y")
    assert fast_copy.substitute(Single((1,)), {"only": ()}) == Single(())
