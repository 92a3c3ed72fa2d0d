"""Kernels that could not be analysed and headers that are not installed, in every format."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import msgspec
import pytest
from lsprotocol import types
from msgspec.structs import replace

from drano.cli import analysis, main
from drano.lsp.positions import Text
from drano.lsp.units import Unit
from drano.model.finding import Severity
from drano.model.report import (
    Diagnostic,
    FileReport,
    FileStatus,
    MissingHeader,
    NotAnalysed,
    Report,
)
from drano.model.span import Location, Span
from drano.output.checkout import SourceRoot
from drano.output.formats.closing import summary
from drano.output.formats.github import render_github
from drano.output.formats.table import FORMATS, Scene
from drano.output.formats.text import TextOptions
from drano.output.input_problems import note_lines, verbose_lines
from drano.output.source_lines import Sources
from tests.conftest import Run, report_schema
from tests.output.test_sarif_output import validator

CAUSE = Diagnostic("/src/tile.cuh", 7, 3, Severity.ERROR, "unknown type name 'half9'")
LOST = tuple(
    NotAnalysed(name, f"_Z{name}v", Location(Span("/src/a.cu", line, 17), name), CAUSE)
    for name, line in (("scale", 12), ("copy", 20))
)
MISSING = (
    MissingHeader("cublas_v2.h", "/src/a.cu", 1),
    MissingHeader("nccl.h", "/src/common.h", 4),
    MissingHeader("helper_cuda.h", "/src/a.cu", stand_in=True),
)


def example() -> Report:
    file = FileReport("/src/a.cu", FileStatus.OK, not_analysed=LOST, missing_headers=MISSING)
    other = replace(file, path="/src/b.cu", not_analysed=LOST[:1], missing_headers=MISSING[:1])
    return Report((file, other), "warp", "0.0.0")


def rendered(name: str, *, quiet: bool = False) -> str:
    text = TextOptions(concise=name == "concise", quiet=quiet)
    return FORMATS[name](example(), Scene(text, Sources()))


def test_text_has_a_line_for_each_kernel_and_counts_them() -> None:
    assert rendered("full").splitlines() == [
        "error: kernel scale at /src/a.cu:12:17 not analysed: "
        "/src/tile.cuh:7:3: unknown type name 'half9'",
        "error: kernel copy at /src/a.cu:20:17 not analysed: "
        "/src/tile.cuh:7:3: unknown type name 'half9'",
        "No findings in the analysed code: 2 files, 0 kernels, 0 global accesses. "
        "2 kernels could not be analysed.",
    ]
    assert rendered("concise", quiet=True).splitlines()[0] == (
        "/src/a.cu:12:17: not analysed: /src/tile.cuh:7:3: unknown type name 'half9' [scale]"
    )


def test_instances_of_a_template_are_one_line() -> None:
    names = [f"scale<{n}>" for n in range(24)]
    place = LOST[0].location
    assert place is not None
    lost = tuple(replace(LOST[0], kernel=n, location=replace(place, function=n)) for n in names)
    report = Report((replace(example().files[0], not_analysed=lost),), "warp", "0.0.0")
    first, *rest = FORMATS["full"](report, Scene(TextOptions(), Sources())).splitlines()
    assert first == (
        "error: kernel scale<0> and 23 more instances at /src/a.cu:12:17 not analysed: "
        "/src/tile.cuh:7:3: unknown type name 'half9'"
    )
    assert len(rest) == 1
    assert rest[0].endswith("24 kernels could not be analysed.")


def test_files_and_kernels_are_counted_in_one_sentence() -> None:
    failed = FileReport("/src/c.cu", FileStatus.TIMEOUT)
    report = replace(example(), files=(*example().files, failed))
    assert summary(report).plain.endswith("1 file and 2 kernels could not be analysed.")


def test_json_and_json_lines() -> None:
    document = json.loads(rendered("json"))
    jsonschema.validate(document, report_schema())
    first = document["not_analysed"][0]
    assert (first["kernel"], first["line"], first["symbol"]) == ("scale", 12, "_Zscalev")
    assert first["cause"] == {
        "path": "/src/tile.cuh", "line": 7, "column": 3, "severity": "error",
        "message": "unknown type name 'half9'",
    }  # fmt: skip
    assert [file["not_analysed"] for file in document["files"]] == [2, 1]
    assert [header["name"] for header in document["missing_headers"]] == [h.name for h in MISSING]
    assert document["notes"] == [
        "continued without 3 missing headers: cublas_v2.h, nccl.h, helper_cuda.h",
        "kernels may be lost for want of cublas_v2.h, nccl.h: -I names their directory, "
        "-p a build that makes or finds them",
    ]
    records = [json.loads(line) for line in rendered("jsonl").splitlines()]
    assert [(r["record"], r["kernel"]) for r in records] == [
        ("not_analysed", "scale"), ("not_analysed", "copy"),
    ]  # fmt: skip


def test_sarif_has_notifications() -> None:
    log = json.loads(rendered("sarif"))
    validator().validate(log)
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    first, second, note, _ = invocation["toolExecutionNotifications"]
    assert (first["level"], first["descriptor"]["id"]) == ("error", "DRN954")
    assert first["message"]["text"] == (
        "Kernel scale not analysed: /src/tile.cuh:7:3: unknown type name 'half9'."
    )
    assert second["locations"][0]["physicalLocation"]["region"]["startLine"] == 20
    assert note["level"] == "note"


def test_github_and_gitlab_name_the_cause_once() -> None:
    text = render_github(example(), Sources(), SourceRoot("/src"))
    assert text == (
        "::error file=tile.cuh,line=7,col=3,title=drano%3A kernels not analysed::"
        "Kernels scale, copy not analysed: unknown type name 'half9'.\n"
    )
    (issue,) = json.loads(rendered("gitlab"))
    assert issue["location"]["lines"]["begin"] == 7
    assert issue["severity"] == "blocker"


def test_junit_has_an_error_for_each_kernel() -> None:
    suites = ET.fromstring(rendered("junit"))
    assert suites.get("errors") == "2"
    assert [case.get("line") for case in suites.iter("testcase")] == ["12", "20", None]


def test_html_says_it_above_the_findings() -> None:
    page = rendered("html")
    assert "tile.cuh:7: Kernels scale, copy not analysed: unknown type name" in page
    assert "Continued without 3 missing headers" in page


def test_one_line_for_all_missing_headers() -> None:
    assert note_lines(example()) == [
        "note: continued without 3 missing headers: "
        "cublas_v2.h, nccl.h, helper_cuda.h (-v lists the files)",
        "note: kernels may be lost for want of cublas_v2.h, nccl.h: -I names their directory, "
        "-p a build that makes or finds them (-v lists the files)",
    ]
    whole = replace(example(), files=tuple(replace(f, not_analysed=()) for f in example().files))
    assert len(note_lines(whole)) == 1
    assert verbose_lines(example())[:3] == [
        "note: /src/a.cu:1: header 'cublas_v2.h' is not installed: continued without it",
        "note: /src/common.h:4: header 'nccl.h' is not installed: continued without it",
        "note: /src/a.cu: header 'helper_cuda.h' is not installed: used a stub",
    ]


def test_an_editor_shows_them_at_the_cause() -> None:
    unit = Unit("/src/a.cu")
    unit.succeeded(example().files[0], Text(""))
    assert unit.paths == {"/src/a.cu", "/src/tile.cuh"}
    assert list(unit.diagnostics("/src/a.cu", lambda _: Text(""), "utf-8")) == []
    tile = Text("\n" * 6 + "  half9 x;\n")
    (shown,) = unit.diagnostics("/src/tile.cuh", lambda _: tile, "utf-8")
    assert shown.message == "drano: kernels scale, copy not analysed: unknown type name 'half9'"
    assert shown.code == "not-analysed"
    assert shown.severity is types.DiagnosticSeverity.Information
    assert shown.range.start == types.Position(6, 2)
    assert [r.message for r in shown.related_information or ()] == ["kernel scale", "kernel copy"]


def test_results_keep_them() -> None:
    report = example().files[0]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(report), type=FileReport) == report


@pytest.mark.parametrize(
    ("arguments", "status"),
    [((), 2), (("--allow-not-analysed",), 0), (("--exit-zero",), 2)],
)
def test_exit_status_of_lost_kernels(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    status: int,
) -> None:
    monkeypatch.setattr(analysis, "check", lambda *_: example())
    assert main.main(["check", "--isolated", "a.cu", *arguments]) == status
    out, err = capsys.readouterr()
    assert "error: kernel scale" in out
    assert "error" not in err
    assert main.main(["check", "--isolated", "--statistics", "a.cu", *arguments]) == status
    assert "drano: error: kernel scale at" in capsys.readouterr().err


def test_files_that_do_not_compile_can_be_allowed(drano: Run, tmp_path: Path) -> None:
    (tmp_path / "good.cu").write_text("__global__ void k(float* a) { a[threadIdx.x] = 0; }\n")
    (tmp_path / "bad.cu").write_text("__global__ void k(float* a) { oops }\n")
    assert drano("check", "good.cu", "bad.cu").status == 2
    allowed = drano("check", "--allow-not-analysed", "good.cu", "bad.cu")
    assert allowed.status == 0
    first, last = allowed.stdout.splitlines()
    assert first.startswith("error: kernel k at bad.cu:1 not analysed: bad.cu:1:31: ")
    assert last.endswith("1 kernel could not be analysed.")
    # What is no matter of the code still fails.
    assert drano("check", "--allow-not-analysed", "good.cu", "gone.cu").status == 2
    assert drano("check", "--allow-not-analysed", "-arch", "sm_x", "good.cu").status == 2
    assert drano("check", "--allow-not-analysed", "-std=c++zz", "good.cu").status == 2
    (tmp_path / "drano.toml").write_text("allow-not-analysed = true\n")
    assert drano("check", "good.cu", "bad.cu").status == 0
    assert drano("check", "--no-allow-not-analysed", "good.cu", "bad.cu").status == 2
