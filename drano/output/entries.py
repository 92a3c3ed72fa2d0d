"""Findings folded into entries: one entry for one thing to do.

Findings are one entry where they lie at one place (template instances, float and half, copies of an
unrolled loop, a header that several files include), or break one rule in one function by one cause:
they access one array (the members of a structure, ``y[l]`` and ``y[l + 32]``), or several with one
index (``a[2 * i]`` and ``b[2 * i]``), or with lanes equally far apart by one variable (``row`` in
``a[row * n + k]`` and ``c[row * n + col]``), or they are barriers behind one branch. The findings
themselves stay as they are: baselines, suppressions and machine formats go by them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from drano.model.access import Basis
from drano.model.finding import Finding, Severity
from drano.model.span import Span
from drano.output.short_names import short_name

_WEIGHT = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}
_NAME = re.compile(r"(?<![\w.>])[A-Za-z_]\w*(?!\w|\s*\()")
_OTHER_LINE = re.compile(r"\bon line \d+\b")
_COALESCING = "DRN00"  # rules of which one place breaks one or the other, by its instance
_MAX_PARTS = 3


class GroupBy(StrEnum):
    """What entries are listed under: nothing else than their cause, kernels, or files."""

    CAUSE = "cause"
    KERNEL = "kernel"
    FILE = "file"


class Entry(Struct, frozen=True):
    """Findings with one thing to do about them, never none: the worst first."""

    findings: tuple[Finding, ...]

    @property
    def lead(self) -> Finding:
        """The finding that speaks for all of them."""
        return self.findings[0]

    @property
    def severity(self) -> Severity:
        """The worst of all."""
        return self.lead.severity

    @property
    def excess_bytes(self) -> float:
        """Of all findings."""
        return sum(finding.excess_bytes for finding in self.findings)

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels, and instances of kernels, that it is met in; the lead's first."""
        named = (name for finding in self.findings for name in (finding.kernel, *finding.kernels))
        return tuple(dict.fromkeys(filter(None, named)))

    @property
    def parts(self) -> tuple[Finding, ...]:
        """The findings at other places than the lead's, each place once, in the source's order."""
        first: dict[Span, Finding] = {}
        for finding in self.findings:
            first.setdefault(_place(finding), finding)
        others = [finding for place, finding in first.items() if place != _place(self.lead)]
        return tuple(sorted(others, key=lambda finding: finding.location.span))


def entries_of(findings: Iterable[Finding]) -> list[Entry]:
    """All findings as entries: the worst severity first, among these the class of what costs most,
    within a class by place. Costs rest on sizes that are taken where they are not known, so that
    more precision would mislead; where a run has measured them, they alone are what counts.
    """
    found = tuple(findings)
    groups = [sorted(group, key=_badness) for group in _connected(found)]
    entries = [Entry(tuple(group)) for group in groups]
    return sorted(entries, key=_by_measure if any(map(_is_measured, found)) else _by_class)


def _by_measure(entry: Entry) -> tuple[object, ...]:
    return -entry.excess_bytes, *_by_class(entry)


def _by_class(entry: Entry) -> tuple[object, ...]:
    lead = entry.lead
    costs = -_WEIGHT[entry.severity], -cost_class(entry.excess_bytes)
    return *costs, lead.location.span, lead.rule


def _is_measured(finding: Finding) -> bool:
    cost = finding.access.cost if finding.access else None
    return cost is not None and any(f.basis is Basis.MEASURED for f in cost.factors)


def cost_class(excess: float) -> int:
    """Bytes by powers of ten, which is as well as they are known.

    >>> [cost_class(excess) for excess in (0.0, 30.0, 3e6, 4e6, 2e7)]
    [0, 1, 6, 6, 7]
    """
    return int(math.log10(1.0 + excess))


def _badness(finding: Finding) -> tuple[object, ...]:
    named = finding.access is not None and bool(finding.access.index_text)
    worst = -_WEIGHT[finding.severity], -finding.excess_bytes
    return *worst, not named, finding.location.span, finding.rule, finding.kernel


def _connected(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Findings that share a key with each other, directly or by way of others."""
    group_of = list(range(len(findings)))

    def top(number: int) -> int:
        while group_of[number] != number:
            group_of[number] = group_of[group_of[number]]
            number = group_of[number]
        return number

    first: dict[Hashable, int] = {}
    for number, finding in enumerate(findings):
        for key in _keys(finding):
            group_of[top(number)] = top(first.setdefault(key, number))
    groups: dict[int, list[Finding]] = {}
    for number, finding in enumerate(findings):
        groups.setdefault(top(number), []).append(finding)
    yield from groups.values()


def _place(finding: Finding) -> Span:
    return finding.location.span


def _keys(finding: Finding) -> Iterator[Hashable]:
    """What findings of one entry have in common with each other."""
    yield "place", family(finding.rule), _place(finding), "" if finding.access else finding.message
    access = finding.access
    if access is None:
        if _OTHER_LINE.search(finding.message):
            place = finding.location.span.path, finding.location.function
            yield "line", finding.rule, place, finding.message
        return
    where = finding.rule, finding.location.span.path, finding.location.function
    if access.judgement.array:
        yield "array", where, access.judgement.array
    if index := index_names(access.index_text):
        yield "index", where, index
    if access.judgement.derivation and access.judgement.stride:
        yield "origin", where, access.judgement.derivation[0].span, access.judgement.stride


def family(rule: str) -> str:
    """What a rule has in common with those that instances of one place may break in its stead.

    >>> family("DRN001") == family("DRN004"), family("DRN101")
    (True, 'DRN101')
    """
    return _COALESCING if rule.startswith(_COALESCING) else rule


def index_names(text: str) -> frozenset[str]:
    """The names in the subscripts of an accessed expression.

    >>> sorted(index_names("x[ix + n / 2].y")), sorted(index_names("*p")), sorted(index_names(""))
    (['ix', 'n'], [], [])
    """
    return frozenset(_NAME.findall(" ".join(_subscripts(text))))


def _subscripts(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for position, char in enumerate(text):
        if char == "[":
            start = position + 1 if depth == 0 else start
            depth += 1
        elif char == "]" and depth:
            depth -= 1
            if depth == 0:
                yield text[start:position]


# --- in words --------------------------------------------------------------------------------


def parts_text(entry: Entry) -> str:
    """The other accesses of an entry, in one line: members by their names, others as they stand.

    "" where there are none. As in "`.y`, `.z` of `p[i]`; `q[i].w` (line 9) and 2 more".
    """
    lead, parts = entry.lead, entry.parts
    if not parts:
        return ""
    stem = _stem(lead)
    members = dict.fromkeys(_member(part) for part in parts if stem and _stem(part) == stem)
    members.pop(_member(lead), None)
    said = []
    if members:
        shown = [f"`{name}`" for name in members]
        more = f" and {len(shown) - 2 * _MAX_PARTS} more" if len(shown) > 2 * _MAX_PARTS else ""
        said.append(f"{', '.join(shown[: 2 * _MAX_PARTS])}{more} of `{stem}`")
    rest = [part for part in parts if not stem or _stem(part) != stem]
    told = {_line(part) for part in (lead, *parts) if _text(part)}
    named = [part for part in rest if _text(part) or _line(part) not in told]
    others = dict.fromkeys(
        _part(part, lead)
        for part in named
        if (_text(part), _line(part)) != (_text(lead), _line(lead))
    )
    shown = list(others)[:_MAX_PARTS]
    more = f" and {len(others) - len(shown)} more" if len(others) > len(shown) else ""
    if shown:
        said.append(", ".join(shown) + more)
    lines = sorted({part.location.span.line for part in parts} - {lead.location.span.line})
    if members and not others and lines:
        said[-1] += f" ({_lines(lines)})"
    return "; ".join(said)


def _stem(finding: Finding) -> str:
    """What a member is taken of: ``p[i]`` of ``p[i].x``; "" of what is no member."""
    return _split(finding)[0]


def _member(finding: Finding) -> str:
    return _split(finding)[1]


def _split(finding: Finding) -> tuple[str, str]:
    text = _text(finding)
    found = re.fullmatch(r"(.*\]|\w+)(\.\w+(?:\.\w+)*)", text)
    return (found[1], found[2]) if found else ("", "")


def _part(finding: Finding, lead: Finding) -> str:
    line, text = finding.location.span.line, _text(finding)
    where = "same line" if line == lead.location.span.line else f"line {line}"
    if finding.location.span.path != lead.location.span.path:
        where = f"{finding.location.span.path.rsplit('/', 1)[-1]}:{line}"
    return f"`{text}` ({where})" if text else where


def _text(finding: Finding) -> str:
    return finding.access.index_text if finding.access else ""


def _line(finding: Finding) -> tuple[str, int]:
    return finding.location.span.path, finding.location.span.line


def _lines(numbers: Sequence[int]) -> str:
    shown = [str(number) for number in numbers[:_MAX_PARTS]]
    more = " …" if len(numbers) > _MAX_PARTS else ""
    return f"line{'s'[: len(numbers) > 1]} {', '.join(shown)}{more}"


def kernels_text(entry: Entry, *, whole: bool = False) -> str:
    """The kernel, and how many more: "k<float> and 3 more instances". ``whole``: with all of its
    template arguments.
    """
    kernels = entry.kernels
    if not kernels:
        return ""
    first = kernels[0] if whole else short_name(kernels[0])
    if len(kernels) < 2:
        return first
    alike = all(bare(name) == bare(kernels[0]) for name in kernels)
    what = "instance" if alike else "kernel"
    return f"{first} and {len(kernels) - 1} more {what}{'s'[: len(kernels) > 2]}"


def bare(kernel: str) -> str:
    """A kernel's name without its template arguments.

    >>> bare("ns::k<float, 4>"), bare("k")
    ('ns::k', 'k')
    """
    return kernel.split("<", 1)[0]


def grouped(entries: Iterable[Entry], by: GroupBy) -> list[tuple[str, list[Entry]]]:
    """Entries under the kernel, or the path of the file, that they are in, the groups in the order
    of their first entry; all of them under "" where they go by cause.
    """
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        match by:
            case GroupBy.CAUSE:
                key = ""
            case GroupBy.KERNEL:
                key = bare(entry.lead.kernel) or "no kernel"
            case GroupBy.FILE:
                key = entry.lead.location.span.path
        groups.setdefault(key, []).append(entry)
    return list(groups.items())
