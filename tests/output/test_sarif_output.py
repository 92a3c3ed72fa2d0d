"""SARIF against the format's schema, and what GitHub makes of it."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from drano.model.finding import Finding, Severity
from drano.model.judgement import Step
from drano.model.report import Diagnostic, FileReport, FileStatus, Report
from drano.model.settings import Config
from drano.model.span import Frame, Location, Span
from drano.output import utf16_regions
from drano.output.checkout import Revision, SourceRoot
from drano.output.formats.sarif import MAX_RESULTS, Standing, Suppression, render_sarif, rules
from drano.output.line_hash import line_hashes
from drano.output.source_lines import Sources
from drano.output.utf16_regions import Region, region
from drano.rules import RULES, run_rules
from tests.accesses import SOURCE, access
from tests.conftest import ROOT, Run

EXAMPLES = ROOT / "examples"
TREE = SourceRoot("/src", Revision("https://example.org/a/b", "0" * 40, "main"))


@cache
def validator() -> Any:
    path = ROOT / "tests" / "data" / "sarif-2.1.0.json"
    return jsonschema.Draft202012Validator(
        json.loads(path.read_text(encoding="utf-8")),
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )


def sources() -> Sources:
    return Sources(overlay={"/src/a.cu": SOURCE, "/else/b.cu": SOURCE})


def run_of(report: Report, **more: Any) -> dict[str, Any]:
    """The one run of the log, checked against the schema."""
    log = json.loads(render_sarif(report, sources(), more.pop("root", TREE), **more))
    validator().validate(log)
    assert list(log) == ["$schema", "version", "runs"]
    (run,) = log["runs"]
    return dict(run)


def findings(**changes: Any) -> tuple[Finding, ...]:
    return run_rules([access(**changes)], Config())


def report_of(*found: Finding, diagnostics: tuple[Diagnostic, ...] = ()) -> Report:
    failed = any(d.severity is Severity.ERROR for d in diagnostics)
    status = FileStatus.ERROR if failed else FileStatus.OK
    file = FileReport("/src/a.cu", status, diagnostics=diagnostics, findings=found)
    return Report((file,), "warp", "0.1.0")


def result_of(finding: Finding, **more: Any) -> dict[str, Any]:
    (result,) = run_of(report_of(finding), **more)["results"]
    return dict(result)


def test_the_driver_describes_every_rule() -> None:
    run = run_of(report_of())
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("drano", "0.1.0")
    assert [rule["id"] for rule in driver["rules"]] == list(RULES)
    for rule in driver["rules"]:
        assert rule["name"].isalnum()
        assert rule["name"][0].isupper()
        assert 0 < len(rule["shortDescription"]["text"]) < 1024
        assert 0 < len(rule["fullDescription"]["text"]) < 1024
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} ")
        assert rule["helpUri"].startswith("https://")
        assert rule["defaultConfiguration"]["level"] in {"error", "warning", "note"}
        properties = rule["properties"]
        assert properties["precision"] in {"very-high", "high", "medium", "low"}
        assert properties["problem.severity"] in {"error", "warning", "recommendation"}


def test_one_result() -> None:
    (finding,) = findings()
    run = run_of(report_of(finding))
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "DRN001"
    assert (result["level"], result["rank"]) == ("warning", finding.rank)
    text = result["message"]["text"]
    assert text.startswith("Uncoalesced load of `p[2 * i]`: lanes are 8 bytes apart; 8 sectors")
    assert text.split(". ")[0].endswith("(2.0x)")
    assert text.endswith(".")
    (location,) = result["locations"]
    place = location["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a.cu", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {
        "startLine": 2, "endLine": 2, "startColumn": 9, "endColumn": 17,
        "snippet": {"text": "p[2 * i]"},
    }  # fmt: skip
    assert (place["contextRegion"]["startLine"], place["contextRegion"]["endLine"]) == (1, 5)
    assert place["region"]["snippet"]["text"] in place["contextRegion"]["snippet"]["text"]
    logical, inner = location["logicalLocations"]
    assert inner == {"name": "get", "fullyQualifiedName": "k/get", "kind": "function"}
    assert logical == {
        "name": "k", "fullyQualifiedName": "k", "decoratedName": "_Z1kPfPKfi", "kind": "function"
    }  # fmt: skip
    assert result["properties"]["sectors"] == {"minimum": 8, "maximum": 8, "ideal": 4}
    assert result["properties"]["lines"]["maximum"] == 2


def test_fingerprints() -> None:
    (finding,) = findings()
    assert result_of(finding)["partialFingerprints"] == {
        "drano/v1": finding.fingerprint,
        "primaryLocationLineHash": line_hashes(SOURCE.encode())[1],
    }


def test_links_lead_to_the_call_path_and_to_where_the_index_comes_from() -> None:
    call = len(SOURCE.splitlines()[4].partition("get")[0].encode()) + 1
    frame = Frame("k", Span("/src/a.cu", 5, call))
    (finding,) = findings(location=Location(Span("/src/a.cu", 2, 9), "get", (frame,)))
    also = Step(Span("/src/a.cu", 4, 1), "also in kernel k[2]")
    elsewhere = Step(None, "also in kernel g and 3 more")
    result = result_of(replace(finding, related=(also, elsewhere)))
    related = result["relatedLocations"]
    assert [place["id"] for place in related] == [1, 2, 3]
    assert related[0]["message"]["text"] == "'get' is called by 'k' here."
    assert related[0]["physicalLocation"]["region"]["snippet"]["text"] == "get"
    assert related[1]["message"]["text"].startswith("The index: threadIdx.x")
    text = result["message"]["text"]
    assert "['get' is called by 'k' here](1)." in text
    assert "[Also in kernel k\\[2\\]](3)." in text
    assert "Also in kernel g and 3 more." in text


def test_many_places_are_related_and_a_few_in_the_message() -> None:
    (finding,) = findings()
    calls = tuple(Step(Span("/src/a.cu", 4, 1 + n), f"also in kernel k{n}") for n in range(200))
    result = result_of(replace(finding, related=calls))
    assert len(result["relatedLocations"]) == 100
    text = result["message"]["text"]
    assert "[Also in kernel k9](" in text
    assert "Also in kernel k10" not in text
    assert "more places." in text


def test_code_flow_follows_the_derivation_to_the_access() -> None:
    (finding,) = findings()
    (flow,) = result_of(finding)["codeFlows"]
    (thread,) = flow["threadFlows"]
    steps = [step["location"] for step in thread["locations"]]
    assert [step["message"]["text"] for step in steps][:2] == ["threadIdx.x.", "Times 8."]
    lines = [step["physicalLocation"]["region"]["startLine"] for step in steps]
    assert lines == [5, 5, 2]
    assert "codeFlows" not in result_of(findings(derivation=())[0])


def test_columns_are_utf16_and_ends_are_exclusive() -> None:
    line = "  /* größe 漢字 𝛼 */ out[threadIdx.x * w] = 1;"
    column = len(line[: line.index("out")].encode()) + 1
    found = region(Sources(overlay={"/x": line}), Span("/x", 1, column))
    start = len(line[: line.index("out")].encode("utf-16-le")) // 2 + 1
    assert found == Region(1, start, start + len("out[threadIdx.x * w]"), "out[threadIdx.x * w]")


@pytest.mark.parametrize(
    "span", [Span("/src/a.cu", 99, 1), Span("/src/gone.cu", 1, 1), Span("/src/a.cu", 0, 0)]
)
def test_places_that_cannot_be_read(span: Span) -> None:
    (finding,) = findings(location=Location(span, "f"), derivation=())
    place = result_of(finding)["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == max(span.line, 1)


def test_generated_lines_are_not_repeated() -> None:
    text = "x" * 5000 + "[i] = 0;\n"
    found = region(Sources(overlay={"/x": text}), Span("/x", 1, 1))
    assert (found.start, found.end, found.text) == (1, 5004, "")
    assert utf16_regions.context(Sources(overlay={"/x": text}), found, "/x") is None


def test_files_outside_of_the_root_are_absolute() -> None:
    (finding,) = findings(location=Location(Span("/else/b.cu", 2, 9), "get"))
    place = result_of(finding)["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "file:///else/b.cu"}


def test_what_was_checked() -> None:
    run = run_of(report_of())
    assert run["automationDetails"]["id"] == "drano/warp/"
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///src/"
    (provenance,) = run["versionControlProvenance"]
    assert provenance == {
        "repositoryUri": "https://example.org/a/b",
        "revisionId": "0" * 40,
        "branch": "main",
        "mappedTo": {"uriBaseId": "%SRCROOT%"},
    }
    assert "versionControlProvenance" not in run_of(report_of(), root=SourceRoot("/src"))


def test_files_that_failed_are_notifications() -> None:
    errors = tuple(Diagnostic("/src/a.cu", n, 1, Severity.ERROR, f"e{n}") for n in range(1, 99))
    (invocation,) = run_of(report_of(diagnostics=errors))["invocations"]
    assert invocation["executionSuccessful"] is False
    first, *others = invocation["toolExecutionNotifications"]
    assert len(others) < 50
    assert (first["level"], first["descriptor"]["id"]) == ("error", "DRN951")
    assert first["message"]["text"] == "e1."
    region_of = first["locations"][0]["physicalLocation"]
    assert (region_of["artifactLocation"]["uri"], region_of["region"]["startLine"]) == ("a.cu", 1)


def test_failures_without_a_place_and_notes() -> None:
    failed = FileReport("/src/t.cu", FileStatus.TIMEOUT)
    note = Diagnostic("/src/n.cu", 0, 0, Severity.NOTE, "no kernel in this file")
    fine = FileReport("/src/n.cu", FileStatus.OK, diagnostics=(note,))
    run = run_of(Report((failed, fine), "warp", "0.1.0", notes=("3 headers skipped",)))
    said = [
        (n["level"], n["message"]["text"], n["descriptor"]["id"])
        for n in run["invocations"][0]["toolExecutionNotifications"]
    ]
    assert said == [
        ("error", "Not analysed: timeout.", "DRN951"),
        ("note", "No kernel in this file.", "DRN952"),
        ("note", "3 headers skipped.", "DRN952"),
    ]


def test_the_cap_keeps_the_highest_ranks_and_says_so() -> None:
    (finding,) = findings()
    many = tuple(
        replace(finding, location=Location(Span("/src/a.cu", n, 1), "f"), rank=float(n % 100))
        for n in range(MAX_RESULTS + 40)
    )
    log = json.loads(render_sarif(report_of(*many), sources(), TREE))
    (run,) = log["runs"]
    assert len(run["results"]) == MAX_RESULTS
    ranks = [result["rank"] for result in run["results"]]
    assert ranks.count(0.0) == 51 - 40
    assert ranks.count(1.0) == 51
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    lines = [place["region"]["startLine"] for place in places]
    assert lines == sorted(lines)
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert said["level"] == "warning"
    assert said["message"]["text"].endswith("40 more are omitted.")


def test_suppressions_and_baseline() -> None:
    (finding,) = findings()
    known = replace(finding, rule="DRN002")
    gone = replace(finding, rule="DRN003")
    standings = {
        finding: Standing(baseline="new"),
        known: Standing((Suppression("inSource", "measured: no gain"),), "unchanged"),
        gone: Standing(baseline="absent"),
    }
    results = run_of(report_of(finding), standings=standings)["results"]
    assert [(r["ruleId"], r["baselineState"]) for r in results] == [
        ("DRN001", "new"), ("DRN002", "unchanged"), ("DRN003", "absent"),
    ]  # fmt: skip
    assert [r["suppressions"] for r in results] == [
        [],
        [{"kind": "inSource", "status": "accepted", "justification": "measured: no gain"}],
        [],
    ]
    assert "suppressions" not in result_of(finding)


def test_several_cases_of_a_place_are_one_result_with_a_count() -> None:
    frames = [Frame("k", Span("/src/a.cu", 5, 45)), Frame("j", Span("/src/a.cu", 4, 1))]
    cases = [access(location=Location(Span("/src/a.cu", 2, 9), "get", (f,))) for f in frames]
    (finding,) = run_rules(cases, Config())
    result = result_of(finding)
    assert result["occurrenceCount"] == 2
    assert "Worst of 2 cases at this location." in result["message"]["text"]


def test_hostile_text_stays_text() -> None:
    evil = "a\x1b[31m](9) \udcff\u202e"
    (finding,) = findings(kernel=evil, reason=evil)
    text = result_of(replace(finding, message=evil, help=evil))["message"]["text"]
    assert "\x1b" not in text
    assert "\u202e" not in text
    text.encode()


def test_findings_about_the_source_itself() -> None:
    (finding,) = findings()
    result = result_of(replace(finding, kernel="", access=None, rule="DRN999"))
    assert "logicalLocations" not in result["locations"][0]
    assert "kernel" not in result["message"]["text"]
    assert "ruleIndex" not in result


def test_what_findings_say_of_themselves() -> None:
    (finding,) = findings()
    silenced = replace(finding, suppressed="", baseline="new")
    result = result_of(silenced)
    assert result["suppressions"] == [{"kind": "inSource", "status": "accepted"}]
    assert result["baselineState"] == "new"


def test_the_paper_domain_has_no_counts() -> None:
    (finding,) = findings(sectors=None, lines=None, lanes=(), launch=None)
    assert "sectors" not in result_of(finding)["properties"]


# --- through the command line ----------------------------------------------------------------


def test_beside_another_format_and_the_same_bytes_each_time(drano: Run, tmp_path: Path) -> None:
    examples = sorted(EXAMPLES.glob("[hms]*.cu"))
    outcome = drano("check", "--sarif-output", "a.sarif", "--output-format", "concise", *examples)
    assert outcome.status == 1
    assert "DRN001" in outcome.stdout
    written = (tmp_path / "a.sarif").read_text(encoding="utf-8")
    assert drano("check", "--output-format", "sarif", *examples).stdout == written
    log = json.loads(written)
    validator().validate(log)
    found = len(log["runs"][0]["results"])
    assert f"Found {found} findings " in outcome.stdout


def test_a_file_that_does_not_compile(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.cu").write_text("__global__ void k() { x; }\n")
    outcome = drano("check", "--output-format", "sarif", "bad.cu")
    assert outcome.status == 2
    log = json.loads(outcome.stdout)
    validator().validate(log)
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert log["runs"][0]["results"] == []


def test_a_report_that_cannot_be_written(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k(float* a) { a[threadIdx.x] = 0; }\n")
    outcome = drano("check", "a.cu", "--sarif-output", "gone/a.sarif")
    assert outcome.status == 2
    assert outcome.error_lines == [
        "drano: error: gone/a.sarif: cannot write the report: No such file or directory"
    ]


def test_sarif_tools_read_it(drano: Run, tmp_path: Path) -> None:
    """Another implementation's reader: summary, difference, page."""

    def tool(*arguments: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "sarif", *arguments],
            cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120,
        ).stdout  # fmt: skip

    drano("check", "--sarif-output", "new.sarif", EXAMPLES / "matmul.cu", EXAMPLES / "spmv.cu")
    drano("check", "--sarif-output", "old.sarif", EXAMPLES / "spmv.cu")
    log = json.loads((tmp_path / "new.sarif").read_text(encoding="utf-8"))
    levels = [result["level"] for result in log["runs"][0]["results"]]
    summary = tool("summary", "new.sarif")
    assert f"warning: {levels.count('warning')}\n" in summary
    assert f"note: {levels.count('note')}\n" in summary
    assert "matmul.cu:12" in tool("diff", "old.sarif", "new.sarif")
    tool("html", "new.sarif", "-o", "page.html")
    assert "DRN001" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_doctests() -> None:
    assert doctest.testmod(rules).failed == 0
    assert doctest.testmod(utf16_regions).failed == 0
