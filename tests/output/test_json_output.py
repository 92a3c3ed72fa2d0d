from __future__ import annotations

import json

import jsonschema
from msgspec.structs import replace

from drano.model.access import Access, Launch
from drano.model.finding import Severity
from drano.model.judgement import Judgement, Pattern, Verdict
from drano.model.report import Diagnostic, FileReport, FileStatus, KernelInfo, Report
from drano.model.settings import Config
from drano.output.formats.json import access_json, render_json
from drano.rules import run_rules
from tests.accesses import access
from tests.conftest import report_schema

ERROR = Diagnostic("/src/b.cu", 1, 2, Severity.ERROR, "expected ';'")


def example() -> Report:
    bare = access(
        ordinal=1,
        verdict=Verdict.UNKNOWN,
        pattern=Pattern.DATA_DEPENDENT,
        lines=None,
        sectors=None,
        lanes=(),
        launch=None,
        derivation=(),
    )
    partly = access(ordinal=2, lanes=(0, None, 8), verdict=Verdict.COALESCED)
    accesses = (access(), bare, partly)
    kernel = KernelInfo("k", "_Z1kPfPKfi", None, (Launch((32, 8, 1), assumed=True),), 3)
    good = FileReport(
        "/src/a.cu",
        FileStatus.OK,
        kernels=(kernel,),
        accesses=accesses,
        findings=run_rules(accesses, Config()),
    )
    bad = FileReport("/src/b.cu", FileStatus.ERROR, diagnostics=(ERROR,))
    return Report((good, bad), "warp", "0.1.0", notes=("a note",))


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(report_schema())


def test_reports_fit_the_schema() -> None:
    for report in (example(), Report((), "gpudrano", "0.1.0")):
        for show_all in (False, True):
            document = json.loads(render_json(report, show_all=show_all))
            jsonschema.validate(document, report_schema())
            assert ("accesses" in document, "removed" in document) == (show_all, show_all)


def test_accesses_are_complete_and_findings_point_to_them() -> None:
    document = json.loads(render_json(example(), show_all=True))
    assert [a["ordinal"] for a in document["accesses"]] == [0, 1, 2]
    assert {f["rule"] for f in document["findings"]} == {"DRN001", "DRN003"}
    assert [f["access_ordinal"] for f in document["findings"]] == [0, 1]
    assert [file["status"] for file in document["files"]] == ["ok", "error"]


def test_findings_say_what_they_are_about_and_which_entry_they_are_in() -> None:
    document = json.loads(render_json(example()))
    first, second = document["findings"]
    assert [first["access"][k] for k in ("kind", "bytes", "array")] == ["load", 4, "p"]
    assert first["entry"] == second["entry"] == 0  # one place, one or the other rule
    (entry,) = document["entries"]
    assert (entry["rule"], entry["findings"], entry["kernels"]) == ("DRN001", 2, 1)


def test_a_silenced_finding_is_in_no_entry() -> None:
    report = example()
    silenced = tuple(replace(f, suppressed="known") for f in report.files[0].findings)
    files = (replace(report.files[0], findings=silenced),)
    document = json.loads(render_json(replace(report, files=files)))
    assert document["entries"] == []
    assert [finding["entry"] for finding in document["findings"]] == [None, None]


def test_every_field_of_an_access_is_in_the_json() -> None:
    renamed = {"location": "path", "value": "domain_value", "origin": "compiled"}
    document = access_json(access())
    names = {*Access.__struct_fields__, *Judgement.__struct_fields__}
    for name in names - {"judgement", "weight", "says_stride"}:
        assert renamed.get(name, name) in document


def test_the_same_report_gives_the_same_bytes() -> None:
    assert render_json(example()) == render_json(example())


def test_names_that_are_not_utf_8_survive() -> None:
    file = FileReport("/src/\udcff.cu", FileStatus.OK)
    text = render_json(Report((file,), "warp", "0"))
    assert json.loads(text.encode("utf-8"))["files"][0]["path"] == "/src/\udcff.cu"
