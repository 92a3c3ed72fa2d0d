"""The HTML report as a document: complete, self-contained, and deaf to what sources try."""

from __future__ import annotations

import base64
import doctest
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from drano.model.finding import Severity
from drano.model.judgement import CountRange, Space, Verdict
from drano.model.report import Diagnostic, FileReport, FileStatus, Report
from drano.model.settings import Config
from drano.model.span import Location, Span
from drano.output.checkout import SourceRoot
from drano.output.formats import html
from drano.output.formats.html import excess_sectors, line_excess, render_html
from drano.output.source_lines import Sources
from drano.rules import run_rules
from tests.accesses import SOURCE, access, report
from tests.conftest import ROOT, Run, unpacked

TREE = SourceRoot("/src")
VOID = frozenset({"meta", "input", "br", "path"})


class Page(HTMLParser):
    """Elements in order, the text of each class, and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.text: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.setdefault(self.open[-1] if self.open else "", []).append(data)

    def having(self, name: str, value: str) -> list[dict[str, str]]:
        return [a for _, a in self.elements if value in a.get(name, "").split()]


def opened(text: str) -> str:
    """The page as it is when all that is loaded late has been looked at."""
    packed = re.findall(r'<template id="c-(\w+)">([^<]*)</template>', text)
    parts = {name: unpacked(data) for name, data in packed}

    def loaded(found: re.Match[str]) -> str:
        return parts[found[1]][int(found[2])]

    late = r'<div class="late" data-chunk="(\w+)" data-part="(\d+)"></div>'
    return re.sub(late, loaded, text)


def page_of(result: Report, source: str = SOURCE) -> Page:
    return Page(opened(render_html(result, Sources(overlay={"/src/a.cu": source}), TREE)))


def example(**changes: Any) -> Report:
    found = access(**changes)
    return report("/src/a.cu", (found,), run_rules([found], Config()))


def test_a_row_for_each_finding_and_a_picture_for_each_access() -> None:
    page = page_of(example())
    (row,) = [a for tag, a in page.elements if tag == "tr" and "data-rule" in a]
    assert (row["data-rule"], row["data-path"], row["data-kernel"]) == ("DRN001", "a.cu", "k")
    assert len(page.having("class", "lanes")) == 2  # in the table and at the line
    assert "#f1L2" in [a.get("href") for tag, a in page.elements if tag == "a"]
    assert len(page.having("id", "f1L2")) == 1


def test_every_line_is_there_with_its_heat() -> None:
    page = page_of(example())
    assert "".join(page.text["code"]).count("__global__") == 1
    assert len(page.having("class", "no")) == len(SOURCE.splitlines())
    assert len(page.having("class", "h2")) == 2  # the line (+4 sectors) and the legend


def test_heat_counts_each_place_once_with_its_worst_case() -> None:
    place = access().location
    other = Location(Span(place.span.path, place.span.line, 40), "get")
    worst = access(sectors=CountRange(8, 32, 4, 16.0), kernel="other")
    assert excess_sectors(access()) == 4
    assert excess_sectors(worst) == 12
    assert line_excess([access(), worst, access(location=other)]) == 16
    paper = access(sectors=None, lines=None, lanes=())
    assert excess_sectors(paper) == 28
    assert excess_sectors(access(verdict=Verdict.UNKNOWN, sectors=None)) == 0


def test_nothing_is_loaded_from_anywhere() -> None:
    text = render_html(example(), Sources(overlay={"/src/a.cu": SOURCE}), TREE)
    page = Page(text)
    for _, attributes in page.elements:
        assert not attributes.keys() & {"src", "srcset", "data", "action", "style", "onclick"}
        assert attributes.get("href", "#").startswith("#")
    assert "url(" not in text
    assert "fetch(" not in text
    assert "@import" not in text
    (policy,) = [a["content"] for _, a in page.elements if "http-equiv" in a]
    assert policy.startswith("default-src 'none';")
    for tag in ("script", "style"):
        (body,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_hostile_text_stays_text() -> None:
    evil = "</code></script><script>alert(1)</script><img src=x onerror=alert(1)>\"'`{{ 7*7 }}\x1b"
    error = Diagnostic("/src/x.cu", 1, 1, Severity.ERROR, evil)
    failed = FileReport(f"/src/{evil}.cu", FileStatus.ERROR, diagnostics=(error,))
    good = example(kernel=evil, reason=evil, index_text=evil, value=evil, fix=evil)
    page = page_of(Report((*good.files, failed), "warp", "0", notes=(evil,)), evil + "\n" + evil)
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == 1
    assert "img" not in tags
    assert "49" not in "".join(page.text["code"])
    assert not any("\x1b" in text for texts in page.text.values() for text in texts)


def test_a_clean_report_and_failures() -> None:
    clean = page_of(Report((FileReport("/src/a.cu", FileStatus.OK),), "warp", "0"))
    assert "None." in clean.text["p"]
    error = Diagnostic("/src/a.cu", 3, 1, Severity.ERROR, "expected ';'")
    failed = FileReport("/src/a.cu", FileStatus.ERROR, diagnostics=(error,))
    page = page_of(Report((failed,), "warp", "0", notes=("a note",)))
    assert " a.cu: Expected ';'." in page.text["p"]
    assert "A note." in page.text["p"]


def test_what_few_look_at_is_packed_away() -> None:
    text = render_html(example(), Sources(overlay={"/src/a.cu": SOURCE}), TREE)
    assert "__global__" not in text
    assert "__global__" in opened(text)
    assert text == render_html(example(), Sources(overlay={"/src/a.cu": SOURCE}), TREE)


def test_every_row_leads_to_its_line() -> None:
    shared = access(space=Space.SHARED, wavefronts=CountRange(32, 32, 1, 32.0))
    elsewhere = access(location=Location(Span("/src/a.cu", 5, 3), "k"), ordinal=1)
    accesses = (shared, elsewhere)
    page = page_of(report("/src/a.cu", accesses, run_rules(accesses, Config())))
    ids = {a["id"] for _, a in page.elements if "id" in a}
    links = [a["href"] for tag, a in page.elements if tag == "a"]
    assert {"#f1L2", "#f1L5"} <= set(links)
    assert {link.removeprefix("#") for link in links} <= ids


def test_it_opens_with_where_the_traffic_goes() -> None:
    page = page_of(example())
    charts = [a for tag, a in page.elements if tag == "svg" and a.get("class") == "chart"]
    assert len(charts) == 2
    assert page.text["text"][:3] == ["k", "1 entry", "a.cu"]
    clean = page_of(Report((FileReport("/src/a.cu", FileStatus.OK),), "warp", "0"))
    assert not clean.having("class", "chart")


def test_instances_share_a_card_and_a_row() -> None:
    accesses = tuple(access(kernel=f"k<{n}>", kernel_symbol=f"k{n}") for n in range(30))
    page = page_of(report("/src/a.cu", accesses, run_rules(accesses, Config())))
    assert len([a for tag, a in page.elements if tag == "tr" and "data-rule" in a]) == 1
    assert len(page.having("class", "card")) == 2
    assert any("k<0> and 29 more" in text for text in page.text["span"])


def test_long_files_show_the_surroundings_of_accesses() -> None:
    text = SOURCE + "\n" * 5000
    page = page_of(example(), text)
    assert len(page.having("class", "no")) == 2 + 8
    assert any("lines" in text for text in page.text["div"])


def test_files_that_are_gone_keep_their_findings() -> None:
    page = Page(render_html(example(), Sources(), TREE))
    assert [a for tag, a in page.elements if tag == "tr" and "data-rule" in a]
    assert not page.having("class", "code")


def test_the_paper_domain_has_no_pictures() -> None:
    page = page_of(example(sectors=None, lines=None, lanes=(), launch=None))
    assert not page.having("class", "lanes")


def test_through_the_command_line(drano: Run, tmp_path: Path) -> None:
    arguments = ("check", "--output-format", "html", ROOT / "examples" / "transpose.cu")
    outcome = drano(*arguments)
    assert outcome.status == 1
    page = Page(opened(outcome.stdout))
    assert page.having("class", "uncoalesced")
    assert page.having("class", "coalesced")
    assert drano(*arguments, "-o", "page.html").stdout == ""
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == outcome.stdout


def test_doctests() -> None:
    assert doctest.testmod(html).failed == 0
