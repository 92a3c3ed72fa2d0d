"""Findings that are one thing to do are one entry."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from drano.model.access import Access
from drano.model.finding import Finding
from drano.model.judgement import Pattern, Step
from drano.model.settings import Config
from drano.model.span import Location, Span
from drano.output.cost_text import costliest
from drano.output.entries import Entry, GroupBy, entries_of, grouped, kernels_text, parts_text
from drano.rules import run_rules
from tests.accesses import access, report


def one(line: int, text: str, array: str = "p", column: int = 3, **changes: Any) -> Access:
    function = changes.pop("function", "f")
    changes.setdefault("derivation", ())
    where = Location(Span("/src/a.cu", line, column), function)
    return access(location=where, index_text=text, array=array, **changes)


def found(*accesses: Access) -> list[Entry]:
    return entries_of(run_rules(accesses, Config()))


def test_members_of_a_structure_are_one_entry() -> None:
    columns = {"x": 3, "y": 12, "z": 21}
    (entry,) = found(*(one(4, f"p[i].{m}", column=c) for m, c in columns.items()))
    assert entry.lead.location.span.column == 3
    assert parts_text(entry) == "`.y`, `.z` of `p[i]`"
    (entry,) = found(*(one(4 + n, f"p[i].{m}") for n, m in enumerate("xyz")))
    assert parts_text(entry) == "`.y`, `.z` of `p[i]` (lines 5, 6)"


def test_a_load_and_a_store_of_one_member_are_said_once() -> None:
    (entry,) = found(one(4, "p.x"), one(4, "p.x", column=9), one(4, "p.y", column=20))
    assert parts_text(entry) == "`.y` of `p`"
    (entry,) = found(one(4, "y[l]"), one(4, "y[l]", column=9))
    assert parts_text(entry) == ""


def test_one_array_in_one_function_is_one_entry() -> None:
    (entry,) = found(one(4, "y[l]"), one(5, "y[l + 32]"))
    assert parts_text(entry) == "`y[l + 32]` (line 5)"
    assert len(found(one(4, "y[l]"), one(5, "y[l + 32]", function="g"))) == 2


def test_one_index_of_several_arrays_is_one_entry() -> None:
    (entry,) = found(one(4, "a[2 * i]", "a"), one(5, "b[2 * i + 1]", "b"))
    assert parts_text(entry) == "`b[2 * i + 1]` (line 5)"
    assert len(found(one(4, "a[2 * i]", "a"), one(5, "b[2 * j]", "b"))) == 2
    assert len(found(one(4, "*a", "a"), one(5, "*b", "b"))) == 2


def test_one_variable_that_parts_lanes_equally_is_one_entry() -> None:
    row = (Step(Span("/src/a.cu", 2, 7), "`row = threadIdx.x`"),)
    col = (Step(Span("/src/a.cu", 3, 7), "`col = threadIdx.x`"),)
    one_row = one(4, "a[row * n + k]", "a", derivation=row)
    assert len(found(one_row, one(5, "c[row * n + col]", "c", derivation=row))) == 1
    assert len(found(one_row, one(5, "c[row * n + col]", "c", derivation=col))) == 2
    wider = one(5, "c[row * m + col]", "c", derivation=row, stride="16 bytes")
    assert len(found(one_row, wider)) == 2


def test_instances_that_break_different_rules_at_one_place_are_one_entry() -> None:
    single = one(4, "y[i]", kernel="k<float>")
    half = one(4, "y[i]", kernel="k<half>", pattern=Pattern.COLUMN_MAJOR, bytes=2)
    (entry,) = found(single, half)
    assert {finding.rule for finding in entry.findings} == {"DRN001", "DRN004"}
    assert parts_text(entry) == ""
    assert kernels_text(entry) in {
        "k<float> and 1 more instance", "k<half> and 1 more instance"
    }  # fmt: skip


def test_several_kernels_are_not_instances() -> None:
    (entry,) = found(one(4, "y[i]", kernel="k"), one(4, "y[i]", kernel="m", ordinal=1))
    assert kernels_text(entry) == "k and 1 more kernel"


def test_a_header_of_two_units_is_one_entry() -> None:
    first = run_rules([one(4, "y[i]", kernel="k")], Config())
    second = run_rules([one(4, "y[i]", kernel="m")], Config())
    (entry,) = entries_of([*first, *second])
    assert entry.kernels == ("k", "m")


def test_branches_are_things_to_do_of_their_own() -> None:
    plain = run_rules([one(4, "y[i]")], Config())[0]
    branch = replace(plain, access=None, rule="DRN201", message="divergent branch")
    below = replace(branch, location=Location(Span("/src/a.cu", 9, 3), "f"))
    assert len(entries_of([branch, below])) == 2


def test_barriers_behind_one_branch_are_one_entry() -> None:
    plain = run_rules([one(4, "y[i]")], Config())[0]
    message = "some threads may not reach this barrier: the branch on line 2 may diverge"
    first = replace(plain, access=None, rule="DRN202", message=message)
    second = replace(first, location=Location(Span("/src/a.cu", 9, 3), "f"))
    (entry,) = entries_of([first, second])
    assert parts_text(entry) == "line 9"
    other = replace(second, message=message.replace("line 2", "line 7"))
    assert len(entries_of([first, other])) == 2
    elsewhere = replace(first, location=Location(Span("/src/a.cu", 9, 3), "g"))
    assert len(entries_of([first, elsewhere])) == 2


def test_the_costliest_are_whole_entries() -> None:
    accesses = (one(4, "y[l]"), one(5, "y[l + 32]"), one(9, "z[m]", "z"))
    kept = costliest(report("/src/a.cu", accesses, run_rules(accesses, Config())), 1)
    assert [finding.location.span.line for finding in kept.findings] == [4, 5]


def test_groups() -> None:
    entries = found(one(4, "a[i]", "a", kernel="k<1>"), one(5, "b[j]", "b", kernel="k<2>"))
    assert [name for name, _ in grouped(entries, GroupBy.KERNEL)] == ["k"]
    assert [name for name, _ in grouped(entries, GroupBy.FILE)] == ["/src/a.cu"]
    assert [len(of) for _, of in grouped(entries, GroupBy.CAUSE)] == [2]


def test_the_worst_comes_first() -> None:
    findings: list[Finding] = [
        *run_rules([one(4, "a[i]", "a", pattern=Pattern.UNKNOWN_START)], Config()),
        *run_rules([one(5, "b[j]", "b")], Config()),
    ]
    costly = [replace(findings[0], excess_bytes=1e15), *findings[1:]]
    assert [str(entry.severity) for entry in entries_of(costly)] == ["warning", "note"]
