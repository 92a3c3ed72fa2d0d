"""Numbers beside the code: what an access costs (inlay hints), what a kernel costs (lenses)."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types
from msgspec.structs import replace

from drano.lsp.positions import Encoding, Text, units
from drano.model.access import Access
from drano.model.finding import Finding
from drano.model.judgement import CountRange, Space, Verdict
from drano.model.report import KernelInfo
from drano.output.entries import bare, family
from drano.output.formats.text_parts import shape
from drano.output.plurals import count

_JUDGED = frozenset({Space.GLOBAL, Space.GENERIC})
SHOW_PROBLEMS = "drano.showProblems"
SET_BLOCK_SHAPE = "drano.setBlockShape"


def inlay_hints(
    accesses: Iterable[Access], text: Text, first: int, last: int, encoding: Encoding
) -> list[types.InlayHint]:
    """The most costly access of each line from ``first`` to ``last`` (0-based, both included),
    as in "32 sectors/req" at the line's end; nothing for lines whose accesses are all coalesced.
    """
    worst: dict[int, Access] = {}
    for access in accesses:
        line = access.location.span.line - 1
        if first <= line <= last and _telling(access):
            old = worst.get(line)
            if old is None or _ratio(access) > _ratio(old):
                worst[line] = access
    return [_hint(line, access, text, encoding) for line, access in sorted(worst.items())]


def _telling(access: Access) -> bool:
    judgement = access.judgement
    return (
        judgement.space in _JUDGED
        and judgement.sectors is not None
        and judgement.verdict is not Verdict.COALESCED
    )


def _ratio(access: Access) -> float:
    sectors = access.judgement.sectors
    return 0.0 if sectors is None else sectors.maximum / max(sectors.ideal, 1)


def _hint(line: int, access: Access, text: Text, encoding: Encoding) -> types.InlayHint:
    judgement = access.judgement
    assert judgement.sectors is not None
    end = units(text.line(line).rstrip(), encoding)
    return types.InlayHint(
        position=types.Position(line, end),
        label=f"{spread(judgement.sectors)} sectors/req",
        tooltip=f"{access.index_text or access.kind}: {judgement.sectors.ideal} would do; "
        f"{judgement.reason}",
        padding_left=True,
    )


def spread(counts: CountRange) -> str:
    """What is expected where the pattern is known, as in messages; else both ends.

    >>> spread(CountRange(1, 32, 4, expected=32.0)), spread(CountRange(4, 32, 4))
    ('32', '4–32')
    """
    if counts.minimum == counts.maximum:
        return str(counts.maximum)
    if counts.expected is not None:
        return f"{counts.expected:.3g}"
    return f"{counts.minimum}–{counts.maximum}"


def code_lenses(
    kernels: Iterable[KernelInfo], findings: Iterable[Finding], path: str, uri: str
) -> list[types.CodeLens]:
    """Above each kernel of the file, all instances of a template together: "3 findings, worst
    8.0x", and the block shapes it was analysed for, with the command that sets one where the
    source does not.
    """
    of_file = list(findings)
    places: dict[int, list[KernelInfo]] = {}
    for kernel in kernels:
        location = kernel.location
        if location is not None and location.span.path == path and location.span.line:
            places.setdefault(location.span.line - 1, []).append(kernel)
    lenses = []
    for line, instances in places.items():
        place = types.Position(line, 0)
        where = types.Range(place, place)
        names = dict.fromkeys(kernel.name for kernel in instances)
        name = next(iter(names)) if len(names) == 1 else bare(next(iter(names)))
        own = [finding for finding in of_file if finding.kernel in names]
        title = f"{len(names)} instances: " * (len(names) > 1) + _verdict(own, instances)
        show = types.Command(title, SHOW_PROBLEMS, arguments=[uri, name])
        lenses.append(types.CodeLens(where, show))
        launches = (launch for kernel in instances for launch in kernel.launches)
        shapes = ", ".join(dict.fromkeys(map(shape, launches)))
        if shapes:
            ask = types.Command(f"blocks of {shapes}", SET_BLOCK_SHAPE, arguments=[uri, name])
            lenses.append(types.CodeLens(where, ask))
    return lenses


def _verdict(findings: list[Finding], kernels: Iterable[KernelInfo]) -> str:
    if not findings:
        accesses = sum(kernel.accesses for kernel in kernels)
        return f"no findings in {count(accesses, 'access', 'accesses')}"
    ratios = [_ratio(finding.access) for finding in findings if finding.access is not None]
    worst = max(ratios, default=0.0)
    places = {(family(finding.rule), finding.location.span) for finding in findings}
    text = count(len(places), "finding")
    return f"{text}, worst {worst:.1f}x" if worst else text


def on_line(access: Access, line: int) -> Access:
    """The access as it would be if it stood on another line."""
    location = access.location
    return replace(access, location=replace(location, span=replace(location.span, line=line)))
