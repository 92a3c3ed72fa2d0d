"""JUnit XML, which every CI server shows: a suite for each file, a case for each finding.

Warnings and errors are failures, notes are cases that pass with what they say as output, a clean
file is one case that passes, a file or a kernel that could not be analysed is an error. Findings in
headers are in the suite of the header.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

from drano.model.finding import Finding, Severity
from drano.model.report import NotAnalysed, Report
from drano.model.span import Span
from drano.output.checkout import SourceRoot
from drano.output.formats.text import cause_text
from drano.output.input_problems import failures
from drano.output.sentences import headline, plain, sentence
from drano.output.source_lines import printable

# What no XML 1.0 document may contain, however it is escaped.
_INVALID = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(report: Report, root: SourceRoot) -> str:
    """An XML document and a newline."""
    failed = {file.path: first for file, first in failures(report)}
    found: dict[str, list[Finding]] = {file.path: [] for file in report.files}
    for finding in report.findings:
        found.setdefault(finding.location.span.path, []).append(finding)
    lost: dict[str, list[NotAnalysed]] = {}
    for kernel in report.not_analysed:
        span = kernel.location.span if kernel.location else Span(kernel.cause.path, 0, 0)
        lost.setdefault(span.path, []).append(kernel)
        found.setdefault(span.path, [])
    suites = ET.Element("testsuites", name="drano")
    for path, findings in found.items():
        suite = ET.SubElement(suites, "testsuite", name=xml_text(root.shown(path)))
        if path in failed:
            case = ET.SubElement(suite, "testcase", _named("not analysed", path, 0, root))
            ET.SubElement(case, "error", message=xml_text(sentence(failed[path].message)))
        elif not findings and path not in lost:
            ET.SubElement(suite, "testcase", _named("no findings", path, 0, root))
        for kernel in lost.get(path, ()):
            _lost(suite, kernel, path, root)
        for finding in findings:
            _case(suite, finding, root)
        _count(suite, [suite])
    _count(suites, list(suites))
    ET.indent(suites)
    document = ET.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'


def _case(suite: ET.Element, finding: Finding, root: SourceRoot) -> None:
    span = finding.location.span
    place = f"{span.line}:{span.column}"
    title = " ".join(filter(None, [finding.rule, finding.kernel, place]))
    case = ET.SubElement(suite, "testcase", _named(title, span.path, span.line, root))
    text = xml_text(f"{root.shown(span.path)}:{span.line}:{span.column}: {plain(finding)}")
    if finding.severity is Severity.NOTE:
        ET.SubElement(case, "system-out").text = text
        return
    message = xml_text(headline(finding))
    failure = ET.SubElement(case, "failure", type=finding.rule, message=message)
    failure.text = text


def _lost(suite: ET.Element, kernel: NotAnalysed, path: str, root: SourceRoot) -> None:
    line = kernel.location.span.line if kernel.location else 0
    title = f"not analysed {kernel.kernel}"
    case = ET.SubElement(suite, "testcase", _named(title, path, line, root))
    ET.SubElement(case, "error", message=xml_text(cause_text(kernel)))


def _named(title: str, path: str, line: int, root: SourceRoot) -> dict[str, str]:
    shown = xml_text(root.shown(path))
    place = {"file": shown} | ({"line": str(line)} if line else {})
    return {"classname": shown, "name": xml_text(title), "time": "0"} | place


def _count(element: ET.Element, suites: Sequence[ET.Element]) -> None:
    for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        element.set(attribute, str(sum(1 for suite in suites for _ in suite.iter(tag))))


def xml_text(text: str) -> str:
    """What of ``text`` may be in a document of XML."""
    return _INVALID.sub("�", printable(text))
