"""Whether an edit mends what it is for: the analysis of the old text against that of the new one.

Means: accesses are compared by their place in the old text (``line_map``), kernel, what they do
and to which array. Of each place: the worst verdict, and the sum of what its accesses cost beyond
the ideal, in sectors (wavefronts for shared memory) of one request by a warp. An edit is proved to
mend a finding if the place's excess is less than before, no place is worse in either, no finding
has come, and all kernels were analysed.

Where an edit has copied lines of a loop (``Copied``), which of the copies runs how often is not
known: then each place's worst access counts, the sectors of a copy divided by the turns that it
does at once. The copies have to be better, by the most that they may cost, than what is known of
the accesses before, and what is left over as good as it was, with no more loads or stores in a
turn; a finding of a copy is none that has come, where its place had one. A place that is left with
no access to global memory is mended: what it did, other lines do, and these are no worse.
Limits: a place of which neither number is known cannot be told to be mended.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from drano.fix.edit import Copied, Fix, line_map
from drano.model.access import Access, AccessKind
from drano.model.finding import Finding
from drano.model.judgement import PROVED, UNKNOWN, CountRange, Space
from drano.model.report import FileReport, FileStatus
from drano.model.span import Span

_NEAR = 1e-6
WIDE: Final = 16
"""Bytes of the widest access of a lane."""


class Promise(Struct, frozen=True):
    """What is proved of a target's place: ``before``, ``after``: its sectors, or wavefronts, of one
    request of each of its accesses by a warp, or its generic accesses; ``unit``: which of them;
    ``gone``: whether the finding is.
    """

    before: float
    after: float
    unit: str
    gone: bool

    def __str__(self) -> str:
        return f"{self.before:.3g} → {self.after:.3g} {self.unit}"


class _Sum(Struct):
    """Of one place and unit; mutated while it is made."""

    tier: int = 0
    total: float = 0.0
    excess: float = 0.0
    known: bool = True


class _Old(Struct, frozen=True):
    """Where lines of the new texts come from; ``copies``: those that stand for others; ``moves``:
    those that do what others did.
    """

    lines: Mapping[str, tuple[int, ...]]
    copies: Mapping[tuple[str, int], Copied] = field(default_factory=dict)
    moves: Mapping[tuple[str, int], int] = field(default_factory=dict)

    def line(self, span: Span) -> int:
        copied = self.copies.get((span.path, span.line))
        if copied is not None:
            return copied.old
        if (span.path, span.line) in self.moves:
            return self.moves[span.path, span.line]
        lines = self.lines.get(span.path)
        return lines[min(span.line, len(lines)) - 1] if lines else span.line


_Sums: TypeAlias = dict[tuple[str, str, int, str], _Sum]
"""By kernel, file, line of the old text, and unit."""


def promise(
    target: Finding, before: FileReport, after: FileReport, fix: Fix, texts: Mapping[str, bytes]
) -> Promise | str:
    """What the fix is proved to do for a finding; why not, where it is not proved to mend it, or
    makes anything worse. ``texts``: of the changed files, before.
    """
    if after.status is not FileStatus.OK or len(after.host_errors) > len(before.host_errors):
        problem = (*after.diagnostics, *after.host_errors)
        return f"the edited text does not compile ({problem[0] if problem else after.status})"
    names = [sorted(k.name for k in report.kernels) for report in (before, after)]
    if names[0] != names[1] or len(after.not_analysed) > len(before.not_analysed):
        return "the edited text has other kernels"
    copies = {(copied.path, copied.line): copied for copied in fix.copies}
    moves = {(path, line): place for path, line, place in fix.moves}
    lines = {path: line_map(texts[path], fix.of(path)) for path in fix.paths}
    old = _Old(lines, copies, moves)
    known, new = _findings(before, _Old({})), _findings(after, old)
    places = {key[1:] for key in known} if copies else ()
    for key in new:
        if key not in known and key[1:] not in places:
            return f"there would be another finding ({key[0]} in line {key[3]})"
    if copies:
        gone = _place(target) not in {key[1:] for key in new}
        return _per_turn(target, before, after, old, gone=gone)
    if target.rule == "DRN301":
        return _space_gain(target, before, after, old)
    first, second = _sums(before, _Old({})), _sums(after, old)
    private = _atomics(before, fix.private)
    for place, found in second.items():
        if place[:3] in private and place[3] == "wavefronts":
            continue  # what were sectors
        if _worse(first.get(place), found):
            return (
                f"line {place[2]} would get worse ({_change(first.get(place), found)} {place[3]})"
            )
    if fix.private:
        return _private_gain(target, before, after, old)
    if fix.merges:
        return _whole_gain(target, first, second, new)
    gain = _gain(target, first, second, new)
    return gain or _own_gain(target, before, after, old)


def _gain(
    target: Finding, first: _Sums, second: _Sums, new: Mapping[tuple[str, str, str, int], int]
) -> Promise | str | None:
    """Of all accesses of the finding's place; None where it is not known what they cost."""
    span = target.location.span
    unit = "wavefronts" if target.rule == "DRN101" else "sectors"
    mine = (target.kernel, span.path, span.line, unit)
    if mine not in first or not first[mine].known:
        return None
    then = second.get(mine, _Sum())
    if not then.known or then.excess >= first[mine].excess - _NEAR:
        return f"it gets no better ({_change(first[mine], then)} {unit})"
    gone = (target.rule, *mine[:3]) not in new
    return Promise(first[mine].total, then.total, unit, gone)


def _whole_gain(
    target: Finding, first: _Sums, second: _Sums, new: Mapping[tuple[str, str, str, int], int]
) -> Promise | str:
    """Of all places of the kernel whose costs are known, before and after."""
    empty, unit = _Sum(), "sectors"
    places = {key for key in (*first, *second) if key[0] == target.kernel and key[3] == unit}
    pairs = [(first.get(key, empty), second.get(key, empty)) for key in places]
    known = [(old.total, now.total) for old, now in pairs if old.known and now.known]
    before, after = (sum(totals) for totals in zip(*known, strict=True)) if known else (0.0, 0.0)
    if after >= before - _NEAR:
        return f"the kernel gets no better ({before:.3g} → {after:.3g} {unit})"
    span = target.location.span
    gone = (target.rule, target.kernel, span.path, span.line) not in new
    return Promise(before, after, unit, gone)


def _atomics(report: FileReport, array: str) -> frozenset[tuple[str, str, int]]:
    """Where kernels change an array by atomics: kernel, file, line."""
    return frozenset(
        (access.kernel, access.location.span.path, access.location.span.line)
        for access in report.accesses
        if array and access.kind is AccessKind.ATOMIC and access.judgement.array == array
    )


def _private_gain(
    target: Finding, before: FileReport, after: FileReport, old: _Old
) -> Promise | str:
    """Of atomics that shared memory takes: the most that they cost, by sectors, was and is."""
    first, second = _own(target, before, _Old({})), _own(target, after, old)
    if first is None or second is not None:
        return "its atomics still go to global memory"
    return Promise(first.total, 0, "sectors at most, for each count", gone=True)


def _own_gain(target: Finding, before: FileReport, after: FileReport, old: _Old) -> Promise | str:
    """Of the finding's access alone, where others of its line have costs that are not known."""
    first, second = _own(target, before, _Old({})), _own(target, after, old)
    unit = "wavefronts" if target.rule == "DRN101" else "sectors"
    if first is None or second is None or not (first.known and second.known):
        return "how many sectors it takes is not known"
    if second.excess >= first.excess - _NEAR:
        return f"it gets no better ({_change(first, second)} {unit})"
    return Promise(first.total, second.total, unit, gone=False)


def _own(target: Finding, report: FileReport, old: _Old) -> _Sum | None:
    """Of the accesses that do what the finding's does, to the same array, in its place."""
    mine, found = target.access, None
    unit = "wavefronts" if target.rule == "DRN101" else "sectors"
    for access in report.accesses if mine is not None else ():
        span = access.location.span
        same = (access.kernel, span.path, old.line(span), access.kind) == (
            target.kernel, target.location.span.path, target.location.span.line, mine and mine.kind
        )  # fmt: skip
        for name, counts in _counts(access) if same else ():
            array = "" if mine is None else mine.judgement.array
            if name == unit and counts is not None and access.judgement.array == array:
                found = found or _Sum()
                _add(found, access, counts)
    return found


def _place(target: Finding) -> tuple[str, str, int]:
    span = target.location.span
    return (target.kernel, span.path, span.line)


def _space_gain(target: Finding, before: FileReport, after: FileReport, old: _Old) -> Promise | str:
    """Of a loop that was written once for each memory space: the worst access of each line."""
    first = _by_line(_worst(before, _Old({}), copies=False))
    for line, cost in _by_line(_worst(after, old, copies=False)).items():
        if line[:3] == _place(target) and line[3] == "wavefronts":
            continue  # of requests that met the same banks before, when these were not counted
        if _worse(first.get(line), cost):
            return f"line {line[2]} would get worse"
    counts = (_generic(before, _Old({}), target), _generic(after, old, target))
    if counts[1] >= counts[0]:
        return f"its memory space is still not known ({counts[1]} of {counts[0]} accesses)"
    return Promise(*counts, "generic accesses", gone=not counts[1])


def _generic(report: FileReport, old: _Old, target: Finding) -> int:
    """Accesses of the finding's place whose memory space is not known."""
    return sum(
        access.judgement.space is Space.GENERIC
        and (access.kernel, access.location.span.path, old.line(access.location.span))
        == _place(target)
        for access in report.accesses
    )


def _per_turn(
    target: Finding, before: FileReport, after: FileReport, old: _Old, *, gone: bool
) -> Promise | str:
    """For an edit that has copied lines of a loop: the worst access of each place, by turn."""
    first = _worst(before, _Old({}), copies=False)
    rest, copied = (_worst(after, old, copies=which) for which in (False, True))
    for found in (rest, copied):
        for place, cost in found.items():
            if place not in first:
                continue  # an array that is known by another name: by its line below
            if cost.tier > first[place].tier or cost.excess > first[place].excess + _NEAR:
                return f"line {place[2]} would get worse"
    lines = _by_line(first)
    left = (_by_line(rest), _by_line(copied))
    for found in left:
        for line, cost in found.items():
            if _worse(lines.get(line), cost):
                return f"line {line[2]} would get worse"
    more = _more_requests(before, after, old) or _more_turns(before, after, old)
    if more:
        return more
    known = _worst(before, _Old({}), copies=False, proved=True)
    span, access = target.location.span, target.access
    array = "" if access is None else access.judgement.array
    mine = (target.kernel, span.path, span.line, f"{array} sectors")
    if mine in known and known[mine].known and not any((*mine[:3], "sectors") in at for at in left):
        return Promise(known[mine].total, 0, "sectors", gone)
    if mine not in known or mine not in copied or not (known[mine].known and copied[mine].known):
        return "how many sectors it takes is not known"
    if copied[mine].excess >= known[mine].excess - _NEAR:
        return "it gets no better"
    return Promise(known[mine].total, copied[mine].total, "sectors", gone)


def _worst(report: FileReport, old: _Old, *, copies: bool, proved: bool = False) -> _Sums:
    """By kernel, file, old line, and array with unit: the most that they may cost; ``proved``: of
    those whose costs are known, where some are.
    """
    found: _Sums = {}
    for access in report.accesses:
        span, judged = access.location.span, access.judgement
        copied = old.copies.get((span.path, span.line))
        if (copied is not None) != copies:
            continue
        turns = 1 if copied is None else copied.turns
        for unit, counts in _counts(access):
            if counts is None:
                continue
            one = _Sum()
            _add(one, access, counts)
            one.total, one.excess = one.total / turns, one.excess / turns
            if copies:
                one.known = turns <= 1 or access.bytes == WIDE
            key = (access.kernel, span.path, old.line(span), f"{judged.array} {unit}")
            _join(found.setdefault(key, replace(one)), one, proved=proved)
    return found


def _more_requests(before: FileReport, after: FileReport, old: _Old) -> str:
    """Which line has more loads or stores in a turn than it had, "" if none has: a value that was
    kept in a register from one turn to the next may not be where a loop begins elsewhere.
    """
    first, second = _requests(before, _Old({})), _requests(after, old)
    for (kernel, path, line, what, _), places in second.items():
        known = first.get((kernel, path, line, what, 0), set())
        if len(places) > len(known):
            return f"line {line} would make more {what}s in a turn ({len(known)} → {len(places)})"
    return ""


def _more_turns(before: FileReport, after: FileReport, old: _Old) -> str:
    """Which line that the edit does not copy loads more often than it did, "" if none does: what
    one unrolled loop had loaded another one found in registers.
    """
    copied = {(path, copy.old) for (path, _), copy in old.copies.items()}
    first, second = _turns(before, _Old({})), _turns(after, old)
    for (kernel, path, line), times in second.items():
        known = first.get((kernel, path, line), 0)
        if (path, line) not in copied and times is not None and known is not None and times > known:
            return f"line {line} would make more loads ({known} → {times})"
    return ""


def _turns(report: FileReport, old: _Old) -> dict[tuple[str, str, int], int | None]:
    """How often a thread loads from global memory, by kernel, file, and old line; None where that
    is not known.
    """
    found: dict[tuple[str, str, int], int | None] = {}
    for access in report.accesses:
        if access.kind is not AccessKind.LOAD or dict(_counts(access)).get("sectors") is None:
            continue
        counts = [loop.count for loop in access.nest]
        times = None if None in counts else math.prod(count or 0 for count in counts)
        span = access.location.span
        place = (access.kernel, span.path, old.line(span))
        known = found.get(place, 0)
        found[place] = None if times is None or known is None else known + times
    return found


def _requests(
    report: FileReport, old: _Old
) -> dict[tuple[str, str, int, str, int], set[tuple[int, ...]]]:
    """Columns of requests of global memory, with those of the calls to there: by kernel, file, old
    line, what they do, and the line if it is a copy, else 0.
    """
    found: dict[tuple[str, str, int, str, int], set[tuple[int, ...]]] = defaultdict(set)
    for access in report.accesses:
        span, calls = access.location.span, access.location.inlined_at
        if dict(_counts(access)).get("sectors") is not None:
            copy = span.line if (span.path, span.line) in old.copies else 0
            place = (access.kernel, span.path, old.line(span), str(access.kind), copy)
            found[place].add((span.column, *(frame.span.column for frame in calls)))
    return found


def _join(known: _Sum, one: _Sum, *, proved: bool) -> None:
    """The worse of two; ``proved``: of those that are known, where one is."""
    known.tier = max(known.tier, one.tier)
    if proved and known.known != one.known:
        if one.known:
            known.total, known.excess, known.known = one.total, one.excess, True
        return
    known.known = known.known and one.known
    known.total, known.excess = max(known.total, one.total), max(known.excess, one.excess)


def _by_line(sums: _Sums) -> _Sums:
    found: _Sums = {}
    for (kernel, path, line, what), cost in sums.items():
        known = found.setdefault((kernel, path, line, what.rpartition(" ")[2]), _Sum())
        known.tier, known.excess = max(known.tier, cost.tier), max(known.excess, cost.excess)
    return found


def _change(first: _Sum | None, second: _Sum) -> str:
    return f"{first.total if first else 0:.3g} → {second.total:.3g}"


def _findings(report: FileReport, old: _Old) -> dict[tuple[str, str, str, int], int]:
    found: dict[tuple[str, str, str, int], int] = defaultdict(int)
    for finding in report.findings:
        if finding.counts:
            span = finding.location.span
            found[finding.rule, finding.kernel, span.path, old.line(span)] = 1
    return found


def _sums(report: FileReport, old: _Old) -> _Sums:
    found: _Sums = defaultdict(_Sum)
    for access in report.accesses:
        span = access.location.span
        for unit, counts in _counts(access):
            if counts is not None:
                _add(found[access.kernel, span.path, old.line(span), unit], access, counts)
    return found


def _counts(access: Access) -> Iterator[tuple[str, CountRange | None]]:
    """What it costs, by unit: shared memory has no sectors."""
    judged = access.judgement
    if judged.space is not Space.SHARED:
        yield "sectors", judged.sectors
    yield "wavefronts", judged.wavefronts


def _add(place: _Sum, access: Access, counts: CountRange) -> None:
    number = counts.maximum if counts.expected is None else counts.expected
    place.tier = max(place.tier, bisect((UNKNOWN, PROVED), access.judgement.weight))
    place.total += number
    place.excess += max(number - counts.ideal, 0.0)
    place.known = place.known and counts.expected is not None


def _worse(first: _Sum | None, second: _Sum) -> bool:
    if first is None:
        return second.excess > _NEAR
    return second.tier > first.tier or second.excess > first.excess + _NEAR
