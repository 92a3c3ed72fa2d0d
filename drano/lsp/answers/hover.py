"""What is shown for an access under the cursor, and for a rule named in a suppression: Markdown.

Text of the source (identifiers, indices) is untrusted: it is shown as code, never as markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from drano.lsp.built_code import Marks, place_of
from drano.model.access import Access
from drano.model.finding import Confirmation
from drano.model.hardware import BANKS, SECTOR_BYTES, WORD_BYTES
from drano.model.judgement import CountRange, Verdict
from drano.output.formats.text_parts import shape
from drano.output.origin_text import origin_text
from drano.output.source_lines import printable
from drano.rules.pages import find_rule, rule_page

_LANES_PER_ROW = 8
MAX_STEPS = 8
MAX_SHOWN = 4
_SUPPRESSION = re.compile(r"//\s*drano\s*:[^\n]*|NOLINT\w*\([^)\n]*\)")
_CODE = re.compile(r"\b[A-Za-z]+\d{3}\b|[a-z]+(?:-[a-z]+)+")
_HEADINGS = {
    Verdict.COALESCED: "Coalesced",
    Verdict.UNCOALESCED: "Uncoalesced",
    Verdict.UNKNOWN: "Unknown",
}


def access_page(accesses: Sequence[Access], marks: Marks | None = None) -> str:
    """One part for each different answer, the most costly first. ``marks``: what compiled code says
    of accesses.
    """
    unique = list(dict.fromkeys(accesses))
    unique.sort(key=_cost, reverse=True)
    known = marks or {}
    parts = list(dict.fromkeys(_access(a, known.get(place_of(a))) for a in unique))
    if len(parts) > MAX_SHOWN:
        parts[MAX_SHOWN:] = [f"*and {len(parts) - MAX_SHOWN} more on this line*"]
    return "\n\n---\n\n".join(parts)


def _cost(access: Access) -> float:
    judgement = access.judgement
    if judgement.sectors is None:
        return 1.0 if judgement.verdict is Verdict.UNCOALESCED else 0.0
    return judgement.sectors.maximum / max(judgement.sectors.ideal, 1)


def _access(access: Access, mark: Confirmation | None) -> str:
    judgement = access.judgement
    size = "1 byte" if access.bytes == 1 else access.width
    head = f"**{_heading(access)}** {judgement.space} {access.kind}, {size}"
    lines = [f"{head}, in {code(access.kernel)}"]
    if judgement.reason:
        lines.append(plain(judgement.reason))
    if mark is not None and judgement.verdict is not Verdict.COALESCED:
        lines.append(f"*{mark.outcome}*: {plain(mark.evidence)}")
    if judgement.sectors is not None:
        lines.append(_counts(access))
    if judgement.wavefronts is not None and any(offset is not None for offset in judgement.lanes):
        lines.append(bank_table(judgement.lanes))
    elif judgement.lanes:
        lines.append(lane_table(judgement.lanes))
    facts = [
        ("access", access.index_text),
        ("address" if judgement.sectors is not None else "index", judgement.value),
        ("if", judgement.condition),
        ("stride", judgement.stride),
        ("pattern", judgement.pattern),
        ("active", judgement.active),
        ("points into", ", or ".join(judgement.origins)),
        ("blocks", shape(access.launch) if access.launch is not None else ""),
    ]
    told = [f"- {label}: {code(text)}" for label, text in facts if text]
    if compiled := origin_text(access):
        told.append(f"- compiled: {plain(compiled)}")
    lines.append("\n".join(told))
    if judgement.derivation:
        lines.append(_derivation(access))
    if judgement.fix:
        lines.append(f"**fix**: {plain(judgement.fix)}")
    return "\n\n".join(line for line in lines if line)


def _heading(access: Access) -> str:
    judgement = access.judgement
    counts = judgement.wavefronts
    if counts is None:
        return _HEADINGS[judgement.verdict]
    if counts.expected is None:
        return "No bank conflict" if counts.maximum <= counts.ideal else "Unknown"
    return "Bank conflict" if counts.expected > counts.ideal else "No bank conflict"


def _counts(access: Access) -> str:
    judgement = access.judgement
    if judgement.wavefronts is not None:
        counts = judgement.wavefronts
        return f"per warp request, wavefronts: {_range(counts)} where {counts.ideal} would do"
    parts = [
        f"{name}: {_range(counts)} where {counts.ideal} would do"
        for name, counts in (("sectors", judgement.sectors), ("lines", judgement.lines))
        if counts is not None
    ]
    return "per warp request, " + "; ".join(parts)


def _range(counts: CountRange) -> str:
    if counts.minimum == counts.maximum:
        return f"**{counts.maximum}**"
    return f"**{counts.minimum}–{counts.maximum}**"


def bank_table(lanes: Sequence[int | None]) -> str:
    """Bank of each lane, counted from the first active lane's, eight in a row; ``·`` for a lane
    that is inactive or not known.
    """
    rows = [
        "| lane | " + " | ".join(f"+{i}" for i in range(_LANES_PER_ROW)) + " |",
        "| ---: |" + " ---: |" * _LANES_PER_ROW,
    ]
    banks = ["·" if o is None else str(o // WORD_BYTES % BANKS) for o in lanes]
    for start in range(0, len(banks), _LANES_PER_ROW):
        cells = " | ".join(banks[start : start + _LANES_PER_ROW])
        rows.append(f"| **{start}** | {cells} |")
    return "\n".join(rows) + "\n\n*bank of each lane, the first active lane's being 0*"


def lane_table(lanes: Sequence[int | None]) -> str:
    """Byte offset of each lane from lane 0, eight in a row; ``·`` for an inactive lane.

    Lanes of a row that lie in one and the same 32-byte sector as their left neighbour are marked.
    """
    rows = [
        "| lane | " + " | ".join(f"+{i}" for i in range(_LANES_PER_ROW)) + " |",
        "| ---: |" + " ---: |" * _LANES_PER_ROW,
    ]
    for start in range(0, len(lanes), _LANES_PER_ROW):
        row = lanes[start : start + _LANES_PER_ROW]
        cells = [_cell(offset, lanes, start + i) for i, offset in enumerate(row)]
        rows.append(f"| **{start}** | " + " | ".join(cells) + " |")
    sectors = {offset // SECTOR_BYTES for offset in lanes if offset is not None}
    return "\n".join(rows) + f"\n\n*bytes from lane 0; {len(sectors)} sectors when aligned*"


def _cell(offset: int | None, lanes: Sequence[int | None], lane: int) -> str:
    if offset is None:
        return "·"
    before = lanes[lane - 1] if lane else None
    same = before is not None and before // SECTOR_BYTES == offset // SECTOR_BYTES
    return str(offset) if same else f"**{offset}**"


def _derivation(access: Access) -> str:
    judgement = access.judgement
    steps = []
    for number, step in enumerate(judgement.derivation[:MAX_STEPS], start=1):
        where = f" (line {step.span.line})" if step.span is not None and step.span.line else ""
        steps.append(f"{number}. {plain(step.text)}{where}")
    if len(judgement.derivation) > MAX_STEPS:
        steps.append(f"{MAX_STEPS + 1}. …")
    return "\n".join(steps)


def suppression_page(line: str, index: int) -> str:
    """The page of the rule that the suppression comment at ``index`` names; "" when there is none.

    A comment that names several shows that under the cursor, or else the first.
    """
    for comment in _SUPPRESSION.finditer(line):
        if not comment.start() <= index <= comment.end():
            continue
        named = [
            (rule, found.start() <= index - comment.start() <= found.end())
            for found in _CODE.finditer(comment[0])
            if (rule := find_rule(found[0])) is not None
        ]
        if named:
            return rule_page(next((rule for rule, under in named if under), named[0][0]))
    return ""


def code(text: str) -> str:
    """Untrusted text as inline code, whatever backquotes it holds.

    >>> code("a[i]"), code("`x`")
    ('`a[i]`', '`` `x` ``')
    """
    shown = printable(" ".join(text.split()))
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if longest else f"{fence}{shown}{fence}"


def plain(text: str) -> str:
    r"""Our own wording with the user's identifiers in it: markup characters are escaped, but for
    what stands between backquotes, where Markdown knows no escapes.

    >>> plain("a_b of `c_d[i]`")
    'a\\_b of `c_d[i]`'
    """
    parts = printable(" ".join(text.split())).split("`")
    if len(parts) % 2 == 0:  # a quote that does not end
        return _escaped("`".join(parts))
    return "".join(code(p) if n % 2 and p else _escaped(p) for n, p in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", text)
