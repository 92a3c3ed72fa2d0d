from __future__ import annotations

import doctest

import pytest

from drano.model.finding import Severity
from drano.model.judgement import CountRange, Pattern, Space, Verdict
from drano.model.settings import AnalysisOptions, Config, Domain
from drano.model.span import Frame, Span
from drano.rules import RULES, base, run_rules
from drano.rules import active_rules as active
from tests.accesses import access, at

PAPER = Config(analysis=AnalysisOptions(domain=Domain.GPUDRANO))


@pytest.mark.parametrize("pattern", Pattern)
@pytest.mark.parametrize("config", [Config(select=("DRN",)), PAPER], ids=["warp", "gpudrano"])
def test_what_is_proved_uncoalesced_has_exactly_one_rule(pattern: Pattern, config: Config) -> None:
    found = run_rules([access(pattern=pattern)], config)
    assert len(found) == 1
    assert config is not PAPER or found[0].rule == "DRN001"


@pytest.mark.parametrize(
    ("pattern", "verdict", "expected"),
    [
        (Pattern.STRIDED, Verdict.UNCOALESCED, ("DRN001", Severity.WARNING)),
        (Pattern.IRREGULAR, Verdict.UNCOALESCED, ("DRN001", Severity.WARNING)),
        (Pattern.COLUMN_MAJOR, Verdict.UNCOALESCED, ("DRN004", Severity.WARNING)),
        (Pattern.COLUMN_MAJOR, Verdict.UNKNOWN, ("DRN004", Severity.NOTE)),
        (Pattern.DATA_DEPENDENT, Verdict.UNCOALESCED, ("DRN003", Severity.WARNING)),
        (Pattern.DATA_DEPENDENT, Verdict.UNKNOWN, ("DRN003", Severity.NOTE)),
        (Pattern.STRIDED, Verdict.UNKNOWN, None),
        (Pattern.UNKNOWN, Verdict.UNKNOWN, None),
        (Pattern.STRIDED, Verdict.COALESCED, None),
        (Pattern.DATA_DEPENDENT, Verdict.COALESCED, None),
    ],
)
def test_rule_and_severity(
    pattern: Pattern, verdict: Verdict, expected: tuple[str, Severity] | None
) -> None:
    found = run_rules([access(pattern=pattern, verdict=verdict)], Config())
    assert [(f.rule, f.severity) for f in found] == ([expected] if expected else [])


@pytest.mark.parametrize("space", [Space.SHARED, Space.LOCAL, Space.CONSTANT])
def test_only_global_memory_is_to_be_coalesced(space: Space) -> None:
    for pattern in Pattern:
        assert run_rules([access(space=space, pattern=pattern)], Config(select=("DRN0",))) == ()


def test_unaligned_is_reported_from_its_threshold_or_when_named() -> None:
    stencil = access(pattern=Pattern.UNALIGNED, sectors=CountRange(5, 5, 4))
    of_bytes = access(pattern=Pattern.UNALIGNED, sectors=CountRange(2, 2, 1), bytes=1)
    assert run_rules([stencil], Config()) == ()
    assert [f.rule for f in run_rules([of_bytes], Config())] == ["DRN002"]
    assert [f.rule for f in run_rules([stencil], Config(select=("DRN002",)))] == ["DRN002"]
    assert run_rules([of_bytes], Config(ignore=("DRN002",))) == ()


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ((), (), ["DRN001", "DRN002", "DRN003", "DRN004"]),
        (("DRN001",), (), ["DRN001"]),
        ((), ("DRN003",), ["DRN001", "DRN002", "DRN004"]),
        (("DRN",), ("DRN001",), ["DRN002", "DRN003", "DRN004"]),
        (("DRN001",), ("DRN",), ["DRN001"]),
        (("DRN001",), ("DRN001",), []),
    ],
)
def test_the_longer_prefix_wins(
    select: tuple[str, ...], ignore: tuple[str, ...], expected: list[str]
) -> None:
    codes = [rule.code for rule in active(Config(select=select, ignore=ignore))]
    assert [code for code in codes if code.startswith("DRN0")] == expected


def test_one_place_is_one_finding_the_worst() -> None:
    first, second = Frame("k<4>", Span("/a.cu", 9, 1)), Frame("k<8>", Span("/a.cu", 19, 1))
    small = access(location=at("/a.cu", 2, 9, first), kernel="k<4>", sectors=CountRange(8, 8, 4))
    large = access(location=at("/a.cu", 2, 9, second), kernel="k<8>", sectors=CountRange(32, 32, 4))
    (finding,) = run_rules([small, large], Config())
    assert finding.access is large
    assert finding.count == 2
    assert [step.text for step in finding.related] == ["also in kernel k<4>"]
    assert finding.related[0].span == first.span


def test_merging_does_not_depend_on_order_beyond_ties() -> None:
    sizes = (5, 32, 8, 32, 9)
    many = [access(kernel=f"k{i}", sectors=CountRange(4, most, 4)) for i, most in enumerate(sizes)]
    (finding,) = run_rules(many, Config())
    (backwards,) = run_rules(many[::-1], Config())
    assert finding.kernel == "k1"
    assert backwards.kernel == "k3"


def test_findings_come_in_source_order() -> None:
    places = [("/b.cu", 1, 1), ("/a.cu", 9, 1), ("/a.cu", 2, 7), ("/a.cu", 2, 3)]
    found = run_rules([access(location=at(*place)) for place in places], Config())
    assert [f.location.span for f in found] == sorted(f.location.span for f in found)


def test_other_kernels_of_one_place_are_one_line() -> None:
    (finding,) = run_rules([access(kernel=f"k{i}") for i in range(100)], Config())
    assert finding.count == 100
    assert [step.text for step in finding.related] == ["also in kernel k1 and 98 more"]


def test_each_place_that_calls_is_named_once_the_costliest_first() -> None:
    """However many kernels have the calls: places are not crowded out by instances."""
    frames = [Frame("vec_dot", Span("/a.cu", line, 1)) for line in range(10, 30)]
    many = [
        access(
            location=at("/a.cu", 2, 9, frame),
            kernel=f"k<{instance}>",
            sectors=CountRange(4, 32 if frame.span.line < 20 else 16, 4),
        )
        for instance in range(50)
        for frame in reversed(frames)
    ]
    (finding,) = run_rules(many, Config())
    lines = [step.span.line for step in finding.related if step.span]
    assert sorted(lines) == list(range(10, 30))
    assert set(lines[:10]) == set(range(10, 20))
    assert finding.related[0].text == "also in kernel k<0> and 49 more"
    assert [step.text for step in finding.first_related(3)[3:]] == ["and in 17 more places"]


def test_rank_grows_with_waste_and_stays_in_range() -> None:
    accesses = [access(sectors=CountRange(4, most, 4)) for most in (4, 5, 8, 16, 32, 10_000)]
    ranks = [base.rank_of(base.excess_bytes(one)) for one in accesses]
    assert ranks == sorted(ranks)
    assert all(0 <= rank <= 100 for rank in ranks)


def test_doctests() -> None:
    assert doctest.testmod(base).failed == 0


def test_every_rule_is_filed_under_its_code() -> None:
    assert all(code == rule.code for code, rule in RULES.items())
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


@pytest.mark.parametrize(
    ("size", "advice"),
    [
        (4, "odd stride in words"),
        (8, "odd multiple of 8 bytes, or permute the pieces of 8 bytes in each row"),
        (16, "the pieces of 16 bytes in each row (piece ^ row % 8)"),
    ],
)
def test_banks_are_spread_by_what_a_lane_moves(size: int, advice: str) -> None:
    conflict = access(
        space=Space.SHARED, bytes=size, fix="", wavefronts=CountRange(32, 32, 4, 32.0)
    )
    (finding,) = run_rules([conflict], Config(select=("DRN101",)))
    assert advice in finding.help
