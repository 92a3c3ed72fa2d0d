"""Which findings the machine code confirms, and which it refutes.

A finding is about requests: of one kind and width, by the lanes of a warp. It is *confirmed* where
a compiled function makes such requests on its line, and no wider ones that the analysis does not
know of. It is *refuted* only where it is proved that no such request exists in any of its kernels
and instances, and that what is there instead leaves nothing to complain of:

* the function makes no request of that kind on the line that is as narrow as what was judged, and
  either wider ones of as many bytes in all, with no narrow one gained on another line, or there is
  no narrow one, and a wider one, in all of the function;
* the function is whole: nothing of it is in another one, and the width of all requests is known;
* the lanes lie no farther apart than what one of them asks for: the wider requests are coalesced.

All else is neither: lines of code are joined by what compilers say of them, which is not always so.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from drano.confirm.requests import Code, Place, real
from drano.model.access import Access, AccessKind
from drano.model.finding import Confirmation, Finding, Outcome
from drano.model.hardware import WARP_SIZE
from drano.model.judgement import Pattern, Space
from drano.model.report import FileReport, Report
from drano.model.source_access import Fate
from drano.model.symbols import common_symbol
from drano.output.plurals import count
from drano.rules import RULES, AccessRule

Widths: TypeAlias = Counter[int]
_GLOBAL = frozenset({Space.GLOBAL, Space.GENERIC})
_KINDS = frozenset({AccessKind.LOAD, AccessKind.STORE, AccessKind.ATOMIC})
_ABOUT_REQUESTS = frozenset({"DRN001", "DRN002", "DRN003", "DRN004", "DRN401"})


class MachineCode(Struct, frozen=True):
    """What one compiler has made. ``origin``: in words, for people."""

    origin: str
    functions: Sequence[Code]


def with_confirmations(report: Report, codes: Mapping[str, Sequence[MachineCode]]) -> Report:
    """The report with its findings marked. ``codes``: what there is of each file's kernels."""
    files = [
        replace(file, findings=_marked(file, codes[file.path])) if codes.get(file.path) else file
        for file in report.files
    ]
    # One place of a header is one finding: what one of its units has, is there.
    standing = {
        _identity(finding) for file in files for finding in file.findings if not finding.refuted
    }

    def kept(finding: Finding) -> Finding:
        is_there = finding.refuted and _identity(finding) in standing
        return replace(finding, confirmation=None) if is_there else finding

    return replace(
        report,
        files=tuple(replace(file, findings=tuple(map(kept, file.findings))) for file in files),
    )


def _identity(finding: Finding) -> tuple[object, ...]:
    return finding.rule, finding.location.span, finding.end_column


def _marked(file: FileReport, codes: Sequence[MachineCode]) -> tuple[Finding, ...]:
    beside = _Beside(file, codes)
    return tuple(beside.marked(finding) for finding in file.findings)


class _Variant(Struct, frozen=True):
    """One compiled function, and what the analysis expects of it: requests by kind, at the places
    where the compiler has the statements that they are in.
    """

    origin: str
    code: Code
    expected: Mapping[tuple[Place, str], Widths]


class _Beside(Struct):
    """The accesses of one file beside what was compiled of it."""

    file: FileReport
    codes: Sequence[MachineCode]
    own: dict[str, list[Access]] = field(default_factory=dict)
    variants: dict[str, list[_Variant]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for access in self.file.accesses:
            if access.judgement.space in _GLOBAL:
                self.own.setdefault(common_symbol(access.kernel_symbol), []).append(access)
        for made in self.codes:
            for code in made.functions:
                name = common_symbol(code.symbol)
                if name in self.own:
                    variant = _Variant(made.origin, code, _expected(code, self.own[name]))
                    self.variants.setdefault(name, []).append(variant)

    def marked(self, finding: Finding) -> Finding:
        access = finding.access
        if access is None or not _is_about_requests(finding, access):
            return finding
        mine = [_judged(access, variant) for variant in self._of(access)]
        for said in mine:
            if said is not None and said.outcome is Outcome.CONFIRMED:
                return replace(finding, confirmation=said)
        if mine and self._is_refuted(access) and all(map(self._is_refuted, self._alike(access))):
            return replace(finding, confirmation=mine[0])
        return finding

    def _of(self, access: Access) -> list[_Variant]:
        path = real(access.location.span.path)
        known = self.variants.get(common_symbol(access.kernel_symbol), [])
        return [variant for variant in known if path in variant.code.lines]

    def _is_refuted(self, access: Access) -> bool:
        """By each function that was compiled of its kernel, of which there must be one."""
        said = [_judged(access, variant) for variant in self._of(access)]
        return bool(said) and all(c is not None and c.outcome is Outcome.REFUTED for c in said)

    def _alike(self, access: Access) -> list[Access]:
        """What is at its place in all kernels and instances."""
        span = access.location.span
        own = itertools.chain.from_iterable(self.own.values())
        return [a for a in own if a.location.span == span and a.kind == access.kind]


def _is_about_requests(finding: Finding, access: Access) -> bool:
    rule = RULES.get(finding.rule)
    return (
        isinstance(rule, AccessRule)
        and finding.rule in _ABOUT_REQUESTS
        and access.kind in _KINDS
        and access.bytes > 0
        and access.judgement.space in _GLOBAL
    )


def _expected(code: Code, accesses: Iterable[Access]) -> dict[tuple[Place, str], Widths]:
    found: dict[tuple[Place, str], Widths] = defaultdict(Counter)
    for access in accesses:
        found[_statement(code, access), str(access.kind)][access.bytes] += 1
    return found


def _statement(code: Code, access: Access) -> Place:
    span = access.location.span
    return code.statement((real(span.path), span.line))


def _judged(access: Access, variant: _Variant) -> Confirmation | None:
    """What one compiled function says of one access; None where it does not tell."""
    code, kind, width = variant.code, str(access.kind), access.bytes
    place = _statement(code, access)
    there = _of_kind(code.at(place), kind)
    expected = variant.expected.get((place, kind), Counter())
    if there[0]:
        return None
    if there[width]:
        if any(n > expected[w] for w, n in there.items() if w > width):
            return None
        return Confirmation(Outcome.CONFIRMED, f"{variant.origin} has {_words(kind, there)} here")
    if not code.whole or min(there, default=width) < width or _is_part(access):
        return None
    apart = _step(access)
    if (
        _became_wider(there, expected)
        and 0 < apart <= min(there)
        and not _moved_elsewhere(variant, place, kind, width)
    ):
        had = _words(kind, expected)
        return _refuted(f"{variant.origin} has {_words(kind, there)} here, not {had}")
    everywhere = min(_everywhere(code, kind), default=0)
    if 0 < apart <= everywhere and everywhere > width:
        return _refuted(f"{variant.origin} has no {kind} of {width} bytes or less in this kernel")
    return None


def _is_part(access: Access) -> bool:
    """Whether it loads the words that are used, which machine code does and PTX does not show."""
    return access.origin is not None and access.origin.fate is Fate.PART


def _refuted(evidence: str) -> Confirmation:
    return Confirmation(Outcome.REFUTED, evidence)


def _became_wider(there: Widths, expected: Widths) -> bool:
    """Whether the same bytes are asked for by requests all of which are wider than any was."""
    return bool(there) and max(expected) < min(there) and _bytes(there) == _bytes(expected)


def _moved_elsewhere(variant: _Variant, place: Place, kind: str, width: int) -> bool:
    """Whether another line has gained a request that may be the one that was judged."""
    for other, requests in variant.code.requests.items():
        expected = variant.expected.get((other, kind), Counter())
        for got, number in _of_kind(requests, kind).items():
            if other != place and got <= width and number > expected[got]:
                return True
    return False


def _step(access: Access) -> int:
    """How far the lanes lie apart, in bytes, where all of them are as far; else 0."""
    lanes = access.judgement.lanes
    offsets = [offset for offset in lanes if offset is not None]
    if access.judgement.pattern is not Pattern.STRIDED or len(offsets) != WARP_SIZE:
        return 0
    steps = {b - a for a, b in itertools.pairwise(offsets)}
    return abs(steps.pop()) if len(steps) == 1 else 0


def _everywhere(code: Code, kind: str) -> Widths:
    found: Widths = Counter()
    for requests in code.requests.values():
        found += _of_kind(requests, kind)
    return found


def _of_kind(requests: Mapping[tuple[str, int], int], kind: str) -> Widths:
    """Widths of the requests of one kind."""
    return Counter({width: n for (of, width), n in requests.items() if of == kind})


def _bytes(widths: Widths) -> int:
    return sum(width * number for width, number in widths.items())


def _words(kind: str, widths: Widths) -> str:
    """Requests of one kind.

    >>> _words("load", Counter({4: 2, 16: 1}))
    '2 loads of 4 bytes, 1 load of 16 bytes'
    """
    return ", ".join(f"{count(n, kind)} of {width} bytes" for width, n in sorted(widths.items()))
