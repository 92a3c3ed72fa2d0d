"""Edits that may mend a finding: guesses, offered only where an analysis of the edited text proves
them. They change no line's number. What they must not change, the result, is argued here.

* Swap ``threadIdx.x`` and ``threadIdx.y`` in a kernel. In a square block this renames the threads
  of each block among themselves: all of them still do what all of them did. That holds unless code
  asks for lanes or warps, or learns the indices elsewhere, so such kernels are left alone; all
  launches must be known, with square blocks.
* Remove a suppression that silences nothing, or a rule from it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from drano.frontend.cpp_lexer import LITERALS, Kind, blanked
from drano.frontend.source_without_kernels import kernel_bodies
from drano.model.finding import Finding
from drano.model.report import FileReport, FileStatus, KernelInfo
from drano.rules.unused_suppression import RULE as UNUSED
from drano.triage.comments import Directive, Scope, directives

_INDEX = re.compile(rb"\bthreadIdx\b(?:\s*\.\s*([xy])\b)?")
# What depends on which threads share a warp, or on more of the index than its x and y.
_WARPS = re.compile(
    rb"__(?:shfl|ballot|any|all|activemask|match|reduce_|syncwarp)|warpSize|lane|warp"
    rb"|\basm\b|\b__asm|cooperative_groups|\bcg::|thread_rank|\bvolatile\b|\bcub::",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"[ \t]*//[ \t]*$")


@dataclass(frozen=True, slots=True)
class Fix:
    """``edits``: ranges of the source, by index of character, ascending, and what to put there."""

    title: str
    edits: tuple[tuple[int, int, str], ...]

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
    swap = _swap(finding, report.kernels, source, headers)
    if swap is not None:
        yield swap


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


# --- the roles of x and y --------------------------------------------------------------------


def _swap(
    finding: Finding, kernels: Sequence[KernelInfo], source: str, headers: Iterable[bytes]
) -> Fix | None:
    own = [kernel for kernel in kernels if kernel.name == finding.kernel]
    places = {kernel.location for kernel in own}
    if len(places) != 1 or (place := places.pop()) is None:
        return None
    if place.span.path != finding.location.span.path or finding.location.inlined_at:
        return None
    # Other instances of the template are edited with it.
    instances = [kernel for kernel in kernels if kernel.location == place]
    launches = [launch for kernel in instances for launch in kernel.launches]
    if not all(kernel.launches_known for kernel in instances) or not all(
        launch.block[0] == launch.block[1] > 1 for launch in launches
    ):
        return None
    content = source.encode("utf-8", "surrogateescape")
    body = _body(content, place.span.line, finding.kernel)
    if body is None or _WARPS.search(content, *body):
        return None
    outside = [content, *headers]
    for start, end in reversed(kernel_bodies(content)):
        outside[0] = outside[0][:start] + outside[0][end:]
    if any(b"threadIdx" in text for text in outside):
        return None
    return _swapped(content, body, finding.kernel)


def _body(content: bytes, line: int, kernel: str) -> tuple[int, int] | None:
    """Where the body of the kernel is whose name stands on the line."""
    name = re.escape(kernel.split("<", 1)[0].rpartition("::")[2].encode())
    place = sum(map(len, content.splitlines(keepends=True)[: line - 1]))
    for start, end in kernel_bodies(content):
        if start > place:
            named = re.search(rb"\b" + name + rb"\b", content[place:start])
            return (start, end) if named else None
    return None


def _swapped(content: bytes, body: tuple[int, int], kernel: str) -> Fix | None:
    edits = []
    for match in _INDEX.finditer(blanked(content, LITERALS | {Kind.COMMENT}), *body):
        if match[1] is None:  # z, or the whole of it
            return None
        start = len(content[: match.start(1)].decode("utf-8", "surrogateescape"))
        edits.append((start, start + 1, "y" if match[1] == b"x" else "x"))
    title = f"swap threadIdx.x and threadIdx.y in {kernel.split('<', 1)[0]}"
    return Fix(title, tuple(edits)) if edits else None


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
