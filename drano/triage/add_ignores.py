"""``--add-ignore``: comments that silence the findings that are there, to start a code base with.

Each line with a finding gets ``// drano: ignore[CODES] REASON`` behind it, or the codes in the
comment that it has already. Lines that can take no comment are left and counted: those of a macro
that goes on, and those that end inside a comment or a string of several lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from drano.embedded.markers import is_python
from drano.frontend.text.cpp_lexer import LITERALS, Kind, tokens
from drano.model.finding import Finding
from drano.rules.unused_suppression import RULE as UNUSED
from drano.triage.python_comments import lines_within_strings

REASON = "added by --add-ignore"
_EXISTING = re.compile(rb"(?://|#)\s*drano\s*:\s*ignore\s*\[([^\]\n]*)\]", re.IGNORECASE)


class Ignored(Struct, frozen=True):
    """A file's new content; how many of its findings that silences, and how many not."""

    content: bytes
    silenced: int
    left: int


def codes_by_line(findings: Iterable[Finding]) -> dict[str, dict[int, list[str]]]:
    """For each file the lines with findings that count and can be silenced, and their rules."""
    found: dict[str, dict[int, list[str]]] = {}
    for finding in findings:
        span = finding.location.span
        if finding.counts and span.line and finding.rule != UNUSED.code:
            found.setdefault(span.path, {}).setdefault(span.line, []).append(finding.rule)
    return found


def with_ignores(
    content: bytes, codes: Mapping[int, Sequence[str]], reason: str, path: str = ""
) -> Ignored:
    r"""The content with comments that silence ``codes`` on their lines. ``path``: tells which
    language it is.

    >>> with_ignores(b"a[i] = 0;\n", {1: ["DRN001", "DRN001"]}, "old").content
    b'a[i] = 0;  // drano: ignore[DRN001] old\n'
    """
    lines = content.split(b"\n")
    python = is_python(path)
    closed = [True] * len(lines) if python else _outside(content, lines)
    within = lines_within_strings(content) if python else range(1, len(lines) + 1)
    silenced = left = 0
    for number, wanted in codes.items():
        mark = b"//" if number in within else b"#"
        mended = _line(lines[number - 1], wanted, reason, mark) if number <= len(lines) else None
        if mended is None or not closed[number - 1]:
            left += len(wanted)
            continue
        lines[number - 1] = mended
        silenced += len(wanted)
    return Ignored(b"\n".join(lines), silenced, left)


def _line(line: bytes, codes: Sequence[str], reason: str, mark: bytes) -> bytes | None:
    text = line.rstrip()
    end = b"\r" if line.endswith(b"\r") else b""
    if text.endswith(b"\\"):
        return None
    unique = sorted(set(codes))
    existing = _EXISTING.search(text)
    if existing is None:
        comment = f" drano: ignore[{','.join(unique)}] {' '.join(reason.split())}".rstrip()
        return text + b"  " + mark + comment.encode("utf-8", "replace").removesuffix(b"\\") + end
    known = [code.strip() for code in existing[1].decode("utf-8", "replace").split(",")]
    added = [code for code in unique if code not in known]
    said = ",".join(filter(None, [*known, *added])).encode("utf-8", "replace")
    return text[: existing.start(1)] + said + text[existing.end(1) :] + end


def _outside(content: bytes, lines: Sequence[bytes]) -> list[bool]:
    """Whether each line's end is in no comment or string that goes on in the next."""
    closed = [True] * len(lines)
    for token in tokens(content, LITERALS | {Kind.COMMENT}):
        breaks = token.text.count(b"\n")
        if breaks:
            first = content.count(b"\n", 0, token.start)
            closed[first : first + breaks] = [False] * breaks
    return closed
