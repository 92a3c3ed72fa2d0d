"""The HTML report: one file to open or to hand on, without network, without a server.

First a picture of where the traffic goes, then a table of entries, one for each thing to do, with
filters; below, the sources with the heat of each line: the sectors that its accesses move beyond
the ideal, per warp request, summed over the line's accesses (of an access met in several kernels,
launches or instances, the worst). Every access has its picture of lanes and sectors.

Everything from the source passes through jinja2's escaping; the page's content security policy
allows the one script and the one style sheet in it, and no connection to anywhere. Sources and
pictures are compressed in the page and unpacked when they are looked at; the table can be read
without scripts.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup, escape
from msgspec import Struct

from drano.model.access import Access
from drano.model.finding import Finding
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import CountRange, Space, Verdict
from drano.model.report import Report
from drano.model.span import Span
from drano.output.access_context import kernel_of, kernels_of, scopes
from drano.output.checkout import SourceRoot
from drano.output.cost_text import cost_text, share
from drano.output.entries import Entry, GroupBy, cost_class, entries_of, grouped, parts_text
from drano.output.formats.closing import all_accesses, summary
from drano.output.formats.html_charts import Bar, chart
from drano.output.formats.html_chunks import packed
from drano.output.formats.text_parts import shape
from drano.output.input_problems import failures, lost_kernels, lost_text, run_notes
from drano.output.lane_picture import expected_sectors, picture, size, svg
from drano.output.origin_text import origin_text
from drano.output.plurals import count
from drano.output.roofline import DEFAULT, ROOFS, Roof, plot, points
from drano.output.sentences import explanation, headline, sentence
from drano.output.source_lines import Sources, printable
from drano.rules import RULES
from drano.rules.base import excess

# A longer file shows the surroundings of its accesses only.
_WHOLE_FILE = 1500
_AROUND = 8
_MAX_COLUMNS = 300
_MAX_CARDS = 8
_MAX_BARS = 10
_HEAT = (1, 4, 12, 28, 64)


class _Drawing(Struct, frozen=True):
    """``body``: the inside of an SVG element."""

    body: str
    width: int
    height: int
    caption: str


class _Card(Struct, frozen=True):
    """One access, as shown below its line."""

    verdict: str
    title: str
    kernel: str
    facts: tuple[tuple[str, str], ...]
    steps: tuple[tuple[str, str], ...]
    drawing: _Drawing | None


class _Row(Struct, frozen=True):
    """One entry, as a row of the table. ``link``: where its line is in the page,
    or ""; ``levels``: those around its access, outermost first; ``share``: of its kernel's bytes;
    ``card``: the number of its access among the cards.
    """

    severity: str
    rule: str
    rule_name: str
    path: str
    place: str
    link: str
    kernel: str
    headline: str
    said: tuple[str, ...]
    levels: tuple[tuple[str, str], ...]
    advice: str
    sectors: str
    ratio: float
    share: str
    card: int | None


class _Line(Struct, frozen=True):
    """A line of source; ``skipped`` lines before it are not shown. ``heat``: 0 to 5."""

    number: int
    text: str
    skipped: int
    heat: int
    excess: str
    cards: tuple[_Card, ...]
    more: int


class _File(Struct, frozen=True):
    name: str
    anchor: str
    excess: float
    lines: tuple[_Line, ...]
    left: int


def render_html(
    report: Report, sources: Sources, root: SourceRoot, roof: Roof = ROOFS[DEFAULT]
) -> str:
    """The whole page; the same report and sources give the same bytes."""
    resources = {n: _resource(f"report.{n}") for n in ("html", "css", "js")}
    parts = {"page": resources["html"], "parts": _resource("report_parts.html")}
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        loader=jinja2.DictLoader(parts),
    )  # fmt: skip
    environment.filters["quoted"] = quoted
    page = _Page(report, sources, root)
    rows, shown = page.rows(), page.files()
    plotted = points((kernel for file in report.files for kernel in file.kernels), roof)
    drawn: Any = environment.get_template("parts").module
    chunks = {file.anchor: packed([drawn.source(file)]) for file in shown}
    return environment.get_template("page").render(
        rows=rows,
        files=shown,
        chunks={**chunks, "cards": packed([drawn.draw(card) for card in page.cards])},
        kernel_chart=chart(page.kernel_bars(), "Kernels by bytes beyond the ideal"),
        file_chart=chart(_file_bars(shown), "Files by sectors beyond the ideal"),
        report=report,
        summary=summary(report).plain,
        failures=[(page.shown(f.path), sentence(first.message)) for f, first in failures(report)],
        lost=[
            (page.shown(cause.path), cause.line, sentence(f"{lost_text(kernels)}: {cause.message}"))
            for cause, kernels in lost_kernels(report).items()
        ],
        notes=[sentence(note) for note in run_notes(report)],
        rules=sorted({(row.rule, row.rule_name) for row in rows}),
        kernels=sorted({row.kernel for row in rows if row.kernel}),
        paths=sorted({row.path for row in rows}),
        points=plotted,
        roof=roof,
        roofline=Markup(plot(plotted, roof)),
        style=resources["css"],
        script=resources["js"],
        script_hash=_digest(resources["js"]),
        style_hash=_digest(resources["css"]),
    ) + "\n"  # fmt: skip


def _resource(name: str) -> str:
    return files("drano.output.formats").joinpath(name).read_text(encoding="utf-8")


def quoted(text: str) -> Markup:
    """Escaped text, with what stands between backticks as code.

    >>> quoted("load of `a[i<3]`")
    Markup('load of <code>a[i&lt;3]</code>')
    """
    parts = [escape(part) for part in text.split("`")]
    if len(parts) % 2 == 0:
        return escape(text)
    marked = [Markup("<code>{}</code>").format(p) if n % 2 else p for n, p in enumerate(parts)]
    return Markup().join(marked)


def _digest(text: str) -> str:
    """As a content security policy names a script or a style sheet."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def excess_sectors(access: Access) -> float:
    """Sectors of one warp request beyond the ideal; 0 where the memory has no sectors or nothing is
    counted. In the paper's domain an access proved uncoalesced counts one sector for each lane.
    """
    judgement = access.judgement
    if judgement.space not in {Space.GLOBAL, Space.GENERIC}:
        return 0.0
    if judgement.sectors is None:
        return (
            WARP_SIZE * (1 - 1 / excess(access))
            if judgement.verdict is Verdict.UNCOALESCED
            else 0.0
        )
    return max(0.0, expected_sectors(judgement.sectors) - judgement.sectors.ideal)


def heat(excess_of_line: float) -> int:
    """0 (nothing beyond the ideal) to 5.

    >>> [heat(sectors) for sectors in (0, 1, 28, 500)]
    [0, 1, 4, 5]
    """
    return sum(excess_of_line >= least for least in _HEAT)


def _number(value: float) -> str:
    return f"{value:.4g}"


class _Page:
    """Builds the page's parts; collects the cards of entries' accesses, which are shown late."""

    def __init__(self, report: Report, sources: Sources, root: SourceRoot) -> None:
        self.report = report
        self.sources = sources
        self.root = root
        self._kernels = kernels_of(report)
        self._entries = entries_of(report.findings)
        self.cards: list[_Card] = []
        self._lines = self._by_line()
        self._anchors = {path: f"f{n}" for n, path in enumerate(self._lines, 1)}

    def _by_line(self) -> dict[str, dict[int, list[Access]]]:
        """Accesses worth showing, by file and line: files in order of their excess."""
        found: dict[str, dict[int, list[Access]]] = {}
        for access in all_accesses(self.report):
            if access.judgement.space in {Space.GLOBAL, Space.GENERIC}:
                span = access.location.span
                found.setdefault(span.path, {}).setdefault(span.line, []).append(access)
        cost = {path: sum(map(line_excess, lines.values())) for path, lines in found.items()}
        readable = [path for path in found if self.sources.length(path)]
        return {path: found[path] for path in sorted(readable, key=lambda p: (-cost[p], p))}

    # --- the table ---

    def rows(self) -> list[_Row]:
        """Entries, the worst first."""
        return [self._row(entry) for entry in self._entries]

    def _row(self, entry: Entry) -> _Row:
        finding = entry.lead
        span, access = finding.location.span, finding.access
        anchor = self._anchors.get(span.path)
        rule = RULES.get(finding.rule)
        kernel = kernel_of(finding, self._kernels)
        percent = share(entry.findings, kernel)
        also = parts_text(entry)
        if access is not None:
            self.cards.append(self._card([access]))
        return _Row(
            severity=str(finding.severity),
            rule=finding.rule,
            rule_name=rule.name if rule else "",
            path=self.shown(span.path),
            place=self._place(span),
            link=f"{anchor}L{span.line}" if anchor else "",
            kernel=printable(finding.kernel),
            headline=headline(finding),
            said=(
                *filter(None, [sentence(f"also {also}" if also else "")]),
                *explanation(finding),
                *filter(None, [sentence(cost_text(entry.findings, kernel))]),
                *(self._where(s.span, s.text) for s in finding.first_related()),
            ),
            levels=self._levels(finding),
            advice=sentence(finding.help),
            sectors=_sectors(access.judgement.sectors) if access else "",
            ratio=round(excess(access), 1) if access else 1.0,
            share="" if percent is None else f"{min(percent, 99):.0f} %",
            card=len(self.cards) - 1 if access else None,
        )

    def kernel_bars(self) -> list[Bar]:
        """The kernels whose entries cost most."""
        groups = grouped(self._entries, GroupBy.KERNEL)
        cost = {name: sum(entry.excess_bytes for entry in found) for name, found in groups}
        worst = sorted(groups, key=lambda group: -cost_class(cost[group[0]]))[:_MAX_BARS]
        most = max((cost_class(cost[name]) for name, _ in worst), default=0)
        return [
            Bar(printable(name), cost_class(cost[name]) / most, self._wasted(found))
            for name, found in worst
            if cost[name] > 0
        ]

    def _wasted(self, entries: list[Entry]) -> str:
        """As in "3 entries, up to 87 % of its bytes"."""
        shares = (share(e.findings, kernel_of(e.lead, self._kernels)) for e in entries)
        most = max((percent for percent in shares if percent is not None), default=None)
        said = count(len(entries), "entry", "entries")
        return said if most is None else f"{said}, up to {min(most, 99):.0f} % of its bytes"

    def _levels(self, finding: Finding) -> tuple[tuple[str, str], ...]:
        """The levels around the access and their places; () where the kernel is all."""
        levels = scopes(finding, self._kernels)
        return tuple(
            (printable(scope.text), self._place(scope.span) if scope.span else "")
            for scope in (levels if len(levels) > 2 else ())
        )

    def _where(self, span: Span | None, text: str) -> str:
        return sentence(text if span is None else f"{text} at {self._place(span)}")

    def shown(self, path: str) -> str:
        """A path as the page says it."""
        return printable(self.root.shown(path))

    def _place(self, span: Span) -> str:
        return f"{self.shown(span.path)}:{span.line}"

    # --- the sources ---

    def files(self) -> list[_File]:
        """Every file with accesses that can be read, the worst first."""
        return [self._file(path, lines) for path, lines in self._lines.items()]

    def _file(self, path: str, accesses: dict[int, list[Access]]) -> _File:
        total = self.sources.length(path)
        numbers = _shown_lines(total, accesses)
        lines: list[_Line] = []
        before = 0
        for number in numbers:
            here = accesses.get(number, [])
            alike = _alike(here)
            cards = [self._card(group) for group in alike[:_MAX_CARDS]]
            cost = line_excess(here)
            text = printable(self.sources.line(path, number).decode("utf-8", "replace"))
            lines.append(
                _Line(
                    number=number,
                    text=text if len(text) <= _MAX_COLUMNS else text[:_MAX_COLUMNS] + "…",
                    skipped=number - before - 1,
                    heat=heat(cost),
                    excess=f"+{_number(cost)}" if cost else "",
                    cards=tuple(cards),
                    more=len(alike) - len(cards),
                )
            )
            before = number
        cost = sum(map(line_excess, accesses.values()))
        return _File(self.shown(path), self._anchors[path], cost, tuple(lines), total - before)

    # --- one access ---

    def _card(self, group: list[Access]) -> _Card:
        """Accesses that differ in nothing shown, as one."""
        access = group[0]
        judgement = access.judgement
        kernel = access.kernel
        if others := len({a.kernel for a in group}) - 1:
            kernel += f" and {others} more"
        if access.launch is not None:
            kernel += f", blocks of {shape(access.launch)}"
        callers = [f"{f.function} at {self._place(f.span)}" for f in access.location.inlined_at]
        facts = [
            ("index", access.index_text),
            ("in", " ← ".join([access.location.function, *callers]) if callers else ""),
            ("address", judgement.address),
            ("exactly" if judgement.address else "value", judgement.value),
            ("why", judgement.reason),
            ("if", judgement.condition),
            ("compiled", origin_text(access)),
            ("pattern", judgement.pattern),
            ("active", judgement.active),
            ("sectors", _sectors(judgement.sectors)),
            ("lines", _sectors(judgement.lines)),
            ("met", count(len(group), "time") if len(group) > 1 else ""),
        ]
        return _Card(
            verdict=str(judgement.verdict),
            title=f"{access.kind}, {count(access.bytes, 'byte')} a lane",
            kernel=printable(kernel),
            facts=tuple((name, printable(text)) for name, text in facts if text),
            steps=tuple(
                (self._place(s.span) if s.span else "", sentence(s.text))
                for s in judgement.derivation
            ),
            drawing=self._drawing(access),
        )

    def _drawing(self, access: Access) -> _Drawing | None:
        found = picture(access)
        if found is None:
            return None
        rows = count(len(found.rows), "sector")
        caption = f"32 lanes across, {rows} down; {found.ideal} would do"
        if not found.exact:
            caption += ". Some lanes are unknown: the warp may touch more sectors"
        width, height = size(found)
        return _Drawing(svg(found), width, height, caption)


def _file_bars(files: list[_File]) -> list[Bar]:
    """The files with the most heat."""
    hot = [file for file in files if file.excess > 0][:_MAX_BARS]
    most = max((file.excess for file in hot), default=0.0)
    return [
        Bar(file.name, file.excess / most, f"+{_number(file.excess)} sectors", file.anchor)
        for file in hot
    ]


def _sectors(counts: CountRange | None) -> str:
    """As in "32 (1 to 33), ideal 4"."""
    if counts is None:
        return ""
    least, most = counts.minimum, counts.maximum
    expected = "" if counts.expected is None else _number(counts.expected)
    bounds = str(most) if least == most else f"{least} to {most}"
    shown = f"{expected} ({bounds})" if expected and expected != bounds else bounds
    return f"{shown}, ideal {counts.ideal}"


def line_excess(accesses: Iterable[Access]) -> float:
    """Excess sectors of a line: each place and kind once, with the worst of its cases."""
    worst: dict[tuple[int, str], float] = {}
    for access in accesses:
        key = (access.location.span.column, str(access.kind))
        worst[key] = max(worst.get(key, 0.0), excess_sectors(access))
    return sum(worst.values())


def _alike(accesses: list[Access]) -> list[list[Access]]:
    """Accesses of a line grouped by what a card shows, the most expensive first."""
    groups: dict[tuple[object, ...], list[Access]] = {}
    for access in accesses:
        judgement = access.judgement
        key = (
            access.location.span, access.kind, access.bytes, judgement.verdict,
            judgement.reason, judgement.sectors, judgement.lanes, access.index_text,
        )  # fmt: skip
        groups.setdefault(key, []).append(access)
    return sorted(groups.values(), key=lambda g: (-excess_sectors(g[0]), g[0].location.span.column))


def _shown_lines(total: int, accesses: Iterable[int]) -> list[int]:
    """All lines of a file, or those near accesses of a long one."""
    if total <= _WHOLE_FILE:
        return list(range(1, total + 1))
    near = {n for line in accesses for n in range(line - _AROUND, line + _AROUND + 1)}
    return sorted(n for n in near if 1 <= n <= total)
