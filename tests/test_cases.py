"""Every annotated input in tests/cases gives exactly the findings that it announces."""

from __future__ import annotations

from pathlib import Path

import pytest

from drano.run.driver import check_unit
from tests.expectations import BadCaseError, differences, read_case, read_expectations

CASES = Path(__file__).parent / "cases"
KINDS = ("cu", "ll", "ptx", "py")
FILES = sorted(path for kind in KINDS for path in CASES.rglob(f"*.{kind}"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(CASES).as_posix())
def test_case(path: Path) -> None:
    case = read_case(path)
    report = check_unit(str(path), case.config)
    problems = differences(case, report)
    assert not problems, "\n" + "\n".join(problems)
    for access in report.accesses:
        answer = access.judgement
        for counts in filter(None, (answer.lines, answer.sectors, answer.wavefronts)):
            assert 1 <= counts.minimum <= counts.maximum, access
            assert 1 <= counts.ideal <= counts.maximum, access
            assert (counts.expected or 0) <= counts.maximum, access


def test_annotations_are_read() -> None:
    lines = [
        'a[i] = 0;  // drano: expect[DRN001] "stride"',
        "// why this one: drano: expect[DRN002, DRN003]",
        "",
        "// drano: todo[DRN004]",
        "b[i] = 0;",
    ]
    found = [(e.line, e.rule, e.text, e.known_gap) for e in read_expectations(lines, Path("x"))]
    assert found == [
        (1, "DRN001", "stride", False),
        (5, "DRN002", "", False),
        (5, "DRN003", "", False),
        (5, "DRN004", "", True),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["x;"],
        ["x;  // drano: expect(DRN001)"],
        ["x;  // drano: expect[DRN001]", "// drano: expect-none"],
    ],
)
def test_bad_annotations_are_refused(lines: list[str]) -> None:
    with pytest.raises(BadCaseError):
        read_expectations(lines, Path("x"))
