"""GitHub's annotations, GitLab's report, JUnit, JSON Lines, read back as their readers do."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

from msgspec.structs import replace

from drano.model.finding import Severity
from drano.model.report import Diagnostic, FileReport, FileStatus, NotAnalysed, Report
from drano.model.settings import Config
from drano.model.span import Location, Span
from drano.output.checkout import SourceRoot
from drano.output.formats.checkstyle import render_checkstyle
from drano.output.formats.github import render_github
from drano.output.formats.gitlab import render_gitlab
from drano.output.formats.json import render_jsonl
from drano.output.formats.junit import render_junit
from drano.output.source_lines import Sources
from drano.rules import run_rules
from tests.accesses import SOURCE, access
from tests.conftest import Run

ROOT = SourceRoot("/src")
EVIL = "x,y:z%0A\n::error::pwned\r\x1b[31m<&>\"']]>\udcff\ufffe"


def example(**changes: object) -> Report:
    findings = run_rules([access(**changes)], Config())
    error = Diagnostic("/src/b.cuh", 7, 3, Severity.ERROR, f"no such thing {EVIL}")
    return Report(
        (
            FileReport("/src/a.cu", FileStatus.OK, findings=findings),
            FileReport("/src/b.cu", FileStatus.ERROR, diagnostics=(error, error)),
            FileReport("/src/c.cu", FileStatus.TIMEOUT),
            FileReport("/src/clean.cu", FileStatus.OK),
        ),
        "warp",
        "0.0.0",
    )


def sources() -> Sources:
    return Sources(overlay={"/src/a.cu": SOURCE})


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """As the runner reads them."""

    def unescape(value: str) -> str:
        for code, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            value = value.replace(code, char)
        return value

    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line)
        assert match, line
        pairs = [pair.split("=", 1) for pair in match[2].split(",")]
        found.append((match[1], {k: unescape(v) for k, v in pairs}, unescape(match[3])))
    return found


def test_github_annotations() -> None:
    failed, timeout, finding = commands(render_github(example(), sources(), ROOT))
    assert failed[:2] == (
        "error",
        {"file": "b.cuh", "line": "7", "col": "3", "title": "drano: not analysed"},
    )
    assert failed[2].startswith("No such thing x,y:z%0A ::error::pwned")
    assert timeout[2] == "Timeout."
    kind, place, text = finding
    assert (kind, place["file"], place["line"]) == ("warning", "a.cu", "2")
    assert (place["col"], place["endColumn"]) == ("9", "16")  # p[2 * i], behind one tab
    assert text.startswith("Uncoalesced load of `p[2 * i]`: lanes are 8 bytes apart")
    assert "Fix: store the elements side by side." in text


def test_github_puts_the_worst_first() -> None:
    found = example().findings * 2
    small, big = (replace(f, excess_bytes=b) for f, b in zip(found, (5.0, 50.0), strict=True))
    big = replace(big, location=Location(Span("/src/a.cu", 5, 3), "k"), access=None)
    file = FileReport("/src/a.cu", FileStatus.OK, findings=(small, big))
    lines = commands(render_github(Report((file,), "warp", "0"), sources(), ROOT))
    assert [place["line"] for _, place, _ in lines] == ["5", "2"]


def test_a_clean_report_says_nothing_to_github() -> None:
    clean = Report((FileReport("/src/a.cu", FileStatus.OK),), "warp", "0")
    assert render_github(clean, sources(), ROOT) == ""
    assert json.loads(render_gitlab(clean, ROOT)) == []
    assert render_jsonl(clean) == ""


def test_gitlab() -> None:
    report = example()
    issues = json.loads(render_gitlab(report, ROOT))
    assert [(i["check_name"], i["severity"]) for i in issues] == [
        ("not-analysed", "blocker"),
        ("not-analysed", "blocker"),
        ("DRN001", "major"),
    ]
    assert issues[2]["location"] == {"path": "a.cu", "lines": {"begin": 2}}
    assert issues[2]["fingerprint"] == report.findings[0].fingerprint
    for issue in issues:
        assert {"description", "check_name", "fingerprint", "severity", "location"} <= set(issue)


def test_gitlab_fingerprints_are_unique() -> None:
    (found,) = example().findings
    same = tuple(replace(found, location=Location(Span("/src/a.cu", n, 1), "f")) for n in (1, 2, 3))
    file = FileReport("/src/a.cu", FileStatus.OK, findings=same)
    issues = json.loads(render_gitlab(Report((file,), "warp", "0"), ROOT))
    assert len({issue["fingerprint"] for issue in issues}) == 3


def test_junit() -> None:
    document = ET.fromstring(render_junit(example(), ROOT))
    assert document.attrib == {"name": "drano", "tests": "4", "failures": "1", "errors": "2"}
    suites = {suite.get("name"): suite for suite in document}
    assert list(suites) == ["a.cu", "b.cu", "c.cu", "clean.cu"]
    failure = suites["a.cu"].find("testcase/failure")
    assert failure is not None
    assert failure.get("type") == "DRN001"
    assert (failure.text or "").startswith("a.cu:2:9: Uncoalesced load of `p[2 * i]`")
    assert suites["b.cu"].find("testcase/error") is not None
    assert [case.get("name") for case in suites["clean.cu"]] == ["no findings"]


def test_junit_notes_pass() -> None:
    (found,) = example().findings
    note = replace(found, severity=Severity.NOTE, kernel=EVIL)
    file = FileReport("/src/a.cu", FileStatus.OK, findings=(note,))
    document = ET.fromstring(render_junit(Report((file,), "warp", "0"), ROOT))
    assert (document.get("failures"), document.get("tests")) == ("0", "1")
    assert document.find("testsuite/testcase/system-out") is not None


def test_checkstyle() -> None:
    document = ET.fromstring(render_checkstyle(example(), ROOT))
    files = {file.get("name"): [error.attrib for error in file] for file in document}
    assert list(files) == ["a.cu", "b.cu", "c.cu", "clean.cu", "b.cuh"]
    (finding,) = files["a.cu"]
    assert finding.pop("message").startswith("Uncoalesced load of `p[2 * i]`")
    assert finding == {
        "line": "2", "column": "9", "severity": "warning", "source": "drano.DRN001",
    }  # fmt: skip
    (failed,) = files["b.cuh"]
    assert (failed["line"], failed["severity"]) == ("7", "error")
    assert failed["message"].startswith("Not analysed: No such thing")
    assert files["clean.cu"] == files["b.cu"] == []


def test_checkstyle_names_what_kernels_were_lost_to() -> None:
    cause = Diagnostic("/src/a.cuh", 7, 3, Severity.ERROR, EVIL)
    file = FileReport(
        "/src/a.cu", FileStatus.OK, not_analysed=(NotAnalysed("k", "k", None, cause),)
    )
    document = ET.fromstring(render_checkstyle(Report((file,), "warp", "0"), ROOT))
    error = document.find("file[@name='a.cuh']/error")
    assert error is not None
    assert error.get("message", "").startswith("Kernel k not analysed: x,y:z%0A")


def test_json_lines() -> None:
    records = [json.loads(line) for line in render_jsonl(example()).splitlines()]
    assert [record["record"] for record in records] == ["failure", "failure", "finding"]
    assert records[0]["diagnostics"][0]["line"] == 7
    assert records[2]["rule"] == "DRN001"


def test_no_report_can_drive_a_terminal_or_be_torn_apart() -> None:
    report = example(reason=EVIL, kernel=EVIL)
    of_xml = (render_junit(report, ROOT), render_checkstyle(report, ROOT))
    for text in (render_github(report, sources(), ROOT), *of_xml):
        assert "\x1b" not in text
        assert "\n::error::pwned" not in text
        text.encode("utf-8")


def test_through_the_command_line(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k(float* a) { a[2 * threadIdx.x] = 0; }\n")
    (tmp_path / "bad.cu").write_text("int x = y;\n")
    arguments = ("check", "a.cu", "bad.cu", "--output-format")
    github = drano(*arguments, "github")
    assert github.status == 2
    assert [name for name, _, _ in commands(github.stdout)] == ["error", "warning"]
    assert len(json.loads(drano(*arguments, "gitlab").stdout)) == 2
    junit = drano(*arguments, "junit", "-o", "report.xml")
    assert junit.stdout == ""
    assert ET.parse(tmp_path / "report.xml").getroot().get("errors") == "1"
    lines = drano(*arguments, "jsonl").stdout.splitlines()
    assert [json.loads(line)["record"] for line in lines] == ["failure", "finding"]
