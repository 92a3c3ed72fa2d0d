"""What the analysis knows about single accesses: ``drano explain`` and ``drano dump-state``."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from drano.model.access import Access
from drano.model.judgement import Step
from drano.output.formats.text_parts import place, sectors, shape, to_text
from drano.output.origin_text import origin_text
from drano.output.source_lines import Sources, printable

MAX_EXPLAINED = 4
_MAX_ADDRESS = 160


def render_explanation(
    accesses: Sequence[Access], sources: Sources, *, color: bool, most: int | None = None
) -> str:
    """For each access the derivation of its index, step by step, with the source lines. Instances
    of a kernel, launches and copies that differ in nothing of it are one; ``most``: of these, the
    worst first.
    """
    groups = _alike(accesses)
    lines: list[Text] = []
    for group in groups[:most]:
        lines += _explanation(group, sources, _MAX_ADDRESS if most else None)
    if most is not None and len(groups) > most:
        lines.append(Text(f"… {len(groups) - most} more that differ: -v shows all of them"))
    return to_text(lines, color=color)


def _alike(accesses: Sequence[Access]) -> list[list[Access]]:
    groups: dict[tuple[object, ...], list[Access]] = {}
    for access in accesses:
        judgement = access.judgement
        key = (
            access.location.span, access.kind, access.bytes, judgement.space, judgement.verdict,
            judgement.pattern, judgement.stride, judgement.sectors, judgement.wavefronts,
            judgement.reason, judgement.condition, access.index_text,
        )  # fmt: skip
        groups.setdefault(key, []).append(access)
    return sorted(groups.values(), key=lambda group: -max(a.judgement.weight for a in group))


def _explanation(group: Sequence[Access], sources: Sources, longest: int | None) -> list[Text]:
    access = group[0]
    judgement = access.judgement
    head = Text().append(f"{place(access.location.span)}: ", style="bold")
    head.append(f"{_verdict(access)}, {access.width}, in ")
    others = len({other.kernel for other in group}) - 1
    head.append(printable(access.kernel))
    head.append(f" and {others} more" if others else "")
    lines = [head, *_source(Step(access.location.span, ""), sources)]
    address = judgement.address or judgement.value
    if longest is not None and len(address) > longest:
        address = f"{address[:longest]} …"
    blocks = dict.fromkeys(shape(other.launch) for other in group if other.launch)
    facts = [
        ("access", access.index_text),
        ("index" if judgement.sectors is None else "address", address),
        ("pattern", judgement.pattern),
        ("stride", judgement.stride),
        ("active lanes", judgement.active),
        ("blocks", ", ".join(blocks)),
        ("sectors", sectors(access)),
        ("because", judgement.reason),
        ("if", judgement.condition),
        ("compiled", origin_text(access)),
        ("fix", judgement.fix),
    ]
    lines += [Text(f"   {label}: {printable(text)}") for label, text in facts if text]
    for number, step in enumerate(judgement.derivation, start=1):
        where = f" ({place(step.span)})" if step.span else ""
        lines.append(Text(f"{number:2}. {printable(step.text)}").append(where, style="blue"))
        if not _quoted(step, sources):
            lines += _source(step, sources)
    return [*lines, Text()]


def _verdict(access: Access) -> str:
    """As in "uncoalesced global load", or of shared memory "bank conflict in shared load"."""
    judgement = access.judgement
    what, counts = f"{judgement.space} {access.kind}", judgement.wavefronts
    if counts is None:
        return f"{judgement.verdict} {what}"
    if counts.minimum > counts.ideal or (counts.expected or 0) > counts.ideal:
        return f"bank conflict in {what}"
    return what if counts.maximum > counts.ideal else f"no bank conflict in {what}"


def _quoted(step: Step, sources: Sources) -> bool:
    """Whether a step's text quotes so much of its source line that the line says no more."""
    if step.span is None:
        return False
    quoted = step.text.split("`")[1:2]
    line = sources.line(step.span.path, step.span.line).decode("utf-8", "replace")
    return bool(quoted) and not quoted[0].isidentifier() and quoted[0] in " ".join(line.split())


def _source(step: Step, sources: Sources) -> list[Text]:
    if step.span is None:
        return []
    excerpt = sources.excerpt(step.span.path, step.span.line, step.span.column)
    if excerpt is None:
        return []
    margin = Text().append("    | ", style="blue")
    return [
        margin.copy().append(excerpt.text),
        margin.copy().append(" " * excerpt.start).append("^" * excerpt.width, style="bold yellow"),
    ]


def render_state(accesses: Sequence[Access], *, color: bool) -> str:
    """The abstract state at each access, a line each: place, kernel, active lanes, index."""
    lines: list[Text] = []
    for access in accesses:
        judgement = access.judgement
        line = Text().append(place(access.location.span), style="bold")
        path = "".join(
            f" < {frame.function}:{frame.span.line}" for frame in access.location.inlined_at
        )
        what = f" {access.kernel}{path} {judgement.space} {access.kind} {access.bytes}"
        line.append(printable(what))
        line.append(f" active={printable(judgement.active) or '?'}", style="cyan")
        line.append(f" index={printable(judgement.value) or '?'}", style="magenta")
        line.append(f" {judgement.verdict}")
        lines.append(line)
    return to_text(lines, color=color)
