"""Edits that may mend a finding: guesses, offered only where an analysis of the edited text proves
them. They change no line's number. What they must not change, the result, is argued here.

* Swap ``threadIdx.x`` and ``threadIdx.y`` in a kernel (``fix.catalogue.swap_thread_indices``).
* Remove a suppression that silences nothing, or a rule from it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from drano.fix.catalogue.swap_thread_indices import swap
from drano.fix.edit import Edit
from drano.model.finding import Finding, SourceFix
from drano.model.report import FileReport, FileStatus
from drano.rules.unused_suppression import RULE as UNUSED
from drano.triage.comments import Directive, Scope, directives

_COMMENT = re.compile(r"[ \t]*//[ \t]*$")


class Fix(Struct, frozen=True):
    """``edits``: ranges of the source, by index of character, ascending, and what to put there;
    ``unsafe``: what is not proved of the results, "" where they stay; ``others``: the same edits of
    other files, by path.
    """

    title: str
    edits: tuple[tuple[int, int, str], ...]
    unsafe: str = ""
    others: tuple[tuple[str, tuple[tuple[int, int, str], ...]], ...] = ()

    def applied(self, source: str) -> str:
        """The source after the edits."""
        parts, done = [], 0
        for start, end, text in self.edits:
            parts += [source[done:start], text]
            done = end
        return "".join([*parts, source[done:]])


def fixes_for(
    finding: Finding, report: FileReport, source: str, headers: Iterable[bytes]
) -> Iterator[Fix]:
    """What may mend a finding of the report on this source; ``headers``: texts of what it includes
    from the user's own files.
    """
    if finding.rule == UNUSED.code:
        yield from _removals(finding, source)
        return
    content = source.encode("utf-8", "surrogateescape")
    found = swap(finding, report.kernels, content, headers)
    if found is not None:
        yield _in_characters(found.title, found.of(finding.location.span.path), content)


def _in_characters(title: str, edits: Iterable[Edit], content: bytes) -> Fix:
    def characters(part: bytes) -> str:
        return part.decode("utf-8", "surrogateescape")

    return Fix(
        title,
        tuple(
            (
                len(characters(content[: e.start])),
                len(characters(content[: e.end])),
                characters(e.text),
            )
            for e in edits
        ),
    )


def shown_fix(fix: SourceFix, path: str, text: Callable[[str], str]) -> Fix:
    """A fix for the open file ``path``, as editors have it; ``text``: what a file holds."""
    named = [path, *sorted({edit.path for edit in fix.edits} - {path})]
    title = f"{fix.title}: {fix.promise}"
    edits = {
        name: _in_characters(title, _edits_of(fix, name, content), content).edits
        for name in named
        for content in [text(name).encode("utf-8", "surrogateescape")]
    }
    others = tuple((name, edits[name]) for name in named[1:])
    return Fix(title, edits[path], fix.unproved, others)


def _edits_of(fix: SourceFix, path: str, content: bytes) -> list[Edit]:
    lines = [0]
    while (end := content.find(b"\n", lines[-1])) >= 0:
        lines.append(end + 1)
    return [
        Edit(
            path,
            lines[edit.start[0] - 1] + edit.start[1] - 1,
            lines[edit.end[0] - 1] + edit.end[1] - 1,
            edit.text.encode("utf-8", "surrogateescape"),
        )
        for edit in fix.edits
        if edit.path == path
    ]


def proved(target: Finding, before: FileReport, after: FileReport) -> bool:
    """Whether the finding is gone, none has come, and none has become worse."""
    if after.status is not FileStatus.OK or len(after.kernels) != len(before.kernels):
        return False
    old, new = _ranks(before), _ranks(after)
    gone = _key(target) not in new
    counts = Counter(_key(f) for f in before.findings if f.counts)
    counts.subtract(_key(f) for f in after.findings if f.counts)
    return gone and min(counts.values()) >= 0 and all(old[key] >= new[key] for key in new)


def _key(finding: Finding) -> tuple[str, str, int, str]:
    span = finding.location.span
    return (finding.rule, span.path, span.line, finding.kernel)


def _ranks(report: FileReport) -> dict[tuple[str, str, int, str], float]:
    ranks: dict[tuple[str, str, int, str], float] = {}
    for finding in report.findings:
        if finding.counts:
            key = _key(finding)
            ranks[key] = max(finding.rank, ranks.get(key, 0.0))
    return ranks


# --- suppressions ----------------------------------------------------------------------------


def _removals(finding: Finding, source: str) -> Iterator[Fix]:
    """The whole comment first, then each of its rules alone."""
    content = source.encode("utf-8", "surrogateescape")
    span = finding.location.span
    for directive in directives(content, span.path):
        if (directive.line, directive.column) != (span.line, span.column):
            continue
        line = sum(map(len, content.split(b"\n")[: span.line - 1])) + span.line - 1
        start = len(content[: line + span.column - 1].decode("utf-8", "surrogateescape"))
        end = start + len(
            content[line + span.column - 1 : line + directive.end_column - 1].decode(
                "utf-8", "surrogateescape"
            )
        )
        yield from _without(directive, source, start, end)


def _without(directive: Directive, source: str, start: int, end: int) -> Iterator[Fix]:
    if directive.scope in (Scope.START, Scope.END):  # the other half would remain
        return
    opening = _COMMENT.search(source[source.rfind("\n", 0, start) + 1 : start])
    rest = source[end : source.find("\n", end) if "\n" in source[end:] else len(source)]
    if opening is not None and not rest.strip():
        yield Fix("remove this comment", ((start - len(opening[0]), end, ""),))
    text = source[start:end]
    for code in directive.codes if len(directive.codes) > 1 else ():
        listed = re.search(rf"(,\s*)?\b{re.escape(code)}\b(?(1)|\s*,\s*)", text, re.IGNORECASE)
        if listed is not None:
            where = (start + listed.start(), start + listed.end(), "")
            yield Fix(f"remove {code} from this comment", (where,))
