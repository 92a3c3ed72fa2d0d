"""Checkstyle's XML, which reviewdog, Jenkins and many other tools read: an element for each file.

A finding is an error with its severity; a note is an ``info``. A file that could not be analysed is
an error, too, and so is what kernels were lost to: they must not look clean. Clean files are named.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from drano.model.finding import Severity
from drano.model.report import Report
from drano.output.checkout import SourceRoot
from drano.output.formats.junit import xml_text
from drano.output.input_problems import failures, lost_kernels, lost_text
from drano.output.sentences import plain, sentence

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "info"}


def render_checkstyle(report: Report, root: SourceRoot) -> str:
    """An XML document and a newline."""
    top = ET.Element("checkstyle", version="4.3")
    files: dict[str, ET.Element] = {}

    def of(path: str) -> ET.Element:
        if path not in files:
            files[path] = ET.SubElement(top, "file", name=xml_text(root.shown(path)))
        return files[path]

    def add(level: Severity, rule: str, text: str, path: str, line: int, column: int) -> None:
        place = {"line": str(max(line, 1))} | ({"column": str(column)} if column else {})
        said = {"severity": _LEVELS[level], "message": xml_text(text), "source": f"drano.{rule}"}
        ET.SubElement(of(path), "error", place | said)

    for file in report.files:
        of(file.path)
    for file, first in failures(report):
        path = first.path or file.path
        text = f"Not analysed: {sentence(first.message)}"
        add(Severity.ERROR, "not-analysed", text, path, first.line, first.column)
    for cause, kernels in lost_kernels(report).items():
        text = sentence(f"{lost_text(kernels)}: {cause.message}")
        add(Severity.ERROR, "not-analysed", text, cause.path, cause.line, cause.column)
    for finding in report.findings:
        span = finding.location.span
        add(finding.severity, finding.rule, plain(finding), span.path, span.line, span.column)
    ET.indent(top)
    document = ET.tostring(top, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'
