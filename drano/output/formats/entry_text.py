"""One entry as text: in full, of at most eight lines unless all is asked for, or on one line."""

from __future__ import annotations

from msgspec.structs import replace
from rich.text import Text

from drano.model.judgement import Step, Verdict
from drano.model.report import KernelInfo
from drano.model.span import Span
from drano.output.access_context import Kernels, Scope, ScopeKind, kernel_of, scopes
from drano.output.cost_text import cost_text, taken
from drano.output.entries import Entry, kernels_text, parts_text
from drano.output.formats.text_parts import STYLE, place, sectors, shape
from drano.output.origin_text import origin_text
from drano.output.short_names import short_name
from drano.output.source_lines import Sources, printable

_GUTTER = "blue"
_MAX_FRAMES = 8
_MAX_CALLS = 3
_NOTES = 4  # below the head, the place, the line and its carets
_LEAST = ("why", "path", "or fix", "also", "cost")  # what is left out first where there are more


def entry_line(entry: Entry) -> Text:
    """Place, rule, message; in brackets the kernels, and what else is folded into the entry."""
    lead = entry.lead
    line = Text().append(f"{place(lead.location.span)}: ", style="bold")
    line.append(lead.rule, style=STYLE[lead.severity])
    line.append(f" {printable(lead.message)}")
    also = parts_text(entry)
    checked = lead.confirmation
    evidence = f": {checked.evidence}" if checked and lead.refuted else ""
    said = [
        kernels_text(entry),
        f"{checked.outcome}{evidence}" if checked else "",
        f"also {also}" if also else "",
    ]
    text = "; ".join(filter(None, said))
    return line.append(f" [{printable(text)}]" if text else "")


def entry_lines(entry: Entry, sources: Sources, kernels: Kernels, *, verbose: bool) -> list[Text]:
    """The entry in full, and an empty line. ``verbose``: with all that is known of it."""
    lead = entry.lead
    span = lead.location.span
    margin = " " * len(str(span.line))
    head = Text().append(f"{lead.severity}[{lead.rule}]", style=STYLE[lead.severity])
    head.append(f": {printable(lead.message)}", style="bold")
    lines = [head, _gutter(f"{margin}-->").append(place(span))]
    lines[1].append(_where(entry, verbose=verbose))
    excerpt = sources.excerpt(span.path, span.line, span.column, lead.end_column)
    if excerpt is not None:
        lines.append(_gutter(f"{span.line} |").append(excerpt.text))
        caret = _gutter(f"{margin} |").append(" " * excerpt.start)
        lines.append(caret.append("^" * excerpt.width, style=STYLE[lead.severity]))
    notes = _notes(entry, kernel_of(lead, kernels))
    path = scopes(lead, kernels)
    if verbose:
        lines += _path(margin, path)
        notes = [*_details(entry), *notes]
    else:
        calls = [scope for scope in path if scope.kind is ScopeKind.CALL]
        shown = [*map(_short_level, calls[:_MAX_CALLS]), *["…"] * (len(calls) > _MAX_CALLS)]
        if calls:
            said = " > ".join(shown) + _other_calls(entry, calls[-1].span)
            notes = [("path", said), *notes]
        for label in _LEAST:
            if len(notes) > _NOTES:
                notes = [note for note in notes if note[0] != label]
    lines += [_note(margin, label, text) for label, text in notes]
    return [*lines, Text()]


def _where(entry: Entry, *, verbose: bool) -> str:
    named, access = kernels_text(entry, whole=verbose), entry.lead.access
    blocks = f", blocks of {shape(access.launch)}" if access and access.launch else ""
    checked = entry.lead.confirmation
    outcome = f"; {checked.outcome}" if checked else ""
    return printable(f", in {named}{blocks}{outcome}" if named else outcome)


def _note(margin: str, label: str, text: str) -> Text:
    line = _gutter(f"{margin} =")
    line.append(f"{label}: ", style="bold" if label != "fix" else "bold green")
    return line.append(printable(text))


def _gutter(text: str) -> Text:
    return Text().append(f"{text} ", style=_GUTTER)


def _notes(entry: Entry, kernel: KernelInfo | None) -> list[tuple[str, str]]:
    """What everybody needs to know: what else it is about, why, what it costs, what to do."""
    lead = entry.lead
    access = lead.access
    why: list[str] = []
    if access is not None:
        judgement = access.judgement
        if judgement.verdict is not Verdict.COALESCED:
            why.append(sectors(access))
        # The message has said already how far apart the lanes are.
        if judgement.reason and not judgement.says_stride:
            why.append(judgement.reason)
    notes = [
        ("also", parts_text(entry)),
        ("why", "; ".join(filter(None, why))),
        ("cost", cost_text(entry.findings, kernel)),
        ("fix", lead.help),
        ("or fix", _other_fix(entry)),
    ]
    return [(label, text) for label, text in notes if text]


def _other_fix(entry: Entry) -> str:
    """What is advised for another of the findings, where that is another kind of change."""
    own = _kind(entry.lead.help)
    for finding in entry.findings:
        kind = _kind(finding.help)
        if finding.rule == entry.lead.rule and kind not in {"", own}:
            return f"{finding.help} (line {finding.location.span.line})"
    return ""


def _kind(advice: str) -> str:
    """Advice without the names and numbers in it: its first words."""
    return " ".join(advice.split("`", 1)[0].split()[:2])


def _details(entry: Entry) -> list[tuple[str, str]]:
    """The rest of what is known."""
    lead = entry.lead
    notes: list[tuple[str, str]] = []
    if lead.confirmation is not None:
        notes.append((str(lead.confirmation.outcome), lead.confirmation.evidence))
    if lead.access is not None:
        judgement = lead.access.judgement
        if judgement.value:
            said = judgement.address or judgement.value
            notes.append(("index" if judgement.sectors is None else "address", said))
        if said := origin_text(lead.access):
            notes.append(("compiled", said))
        if lead.access.cost is not None and (said := taken(lead.access.cost)):
            notes.append(("taken", said))
    related = (step for finding in entry.findings for step in finding.first_related())
    notes += [("note", _step(step)) for step in dict.fromkeys(related)]
    return notes


_NESTING = frozenset({ScopeKind.REPEAT, ScopeKind.CALL, ScopeKind.LOOP})


def _path(margin: str, path: tuple[Scope, ...]) -> list[Text]:
    """The levels around a line, each indented by one more; none where the kernel is all."""
    if len(path) < 3 or not any(scope.kind in _NESTING for scope in path):
        return []
    if len(path) > 2 * _MAX_FRAMES:
        hidden = len(path) - 2 * _MAX_FRAMES
        left_out = Scope(ScopeKind.CALL, f"… {hidden} more levels", None)
        path = (*path[:_MAX_FRAMES], left_out, *path[-_MAX_FRAMES:])
    lines = []
    for depth, scope in enumerate(path):
        head = "path: " if depth == 0 else "      " + "  " * depth
        line = _gutter(f"{margin} =" if depth == 0 else f"{margin}  ")
        line.append(head, style="bold")
        lines.append(line.append(printable(_level(scope))))
    return lines


def _level(scope: Scope) -> str:
    span = scope.span
    return scope.text if span is None or not span.line else f"{scope.text} at {place(span)}"


def _short_level(scope: Scope) -> str:
    return _level(replace(scope, text=scope.text.replace(scope.name, short_name(scope.name))))


def _other_calls(entry: Entry, call: Span | None) -> str:
    """Where else than at ``call`` the function with the access is called: the same finding stands
    there, too. Of instances of a template each has the other's call, at one place in the source.
    """
    steps = (step for finding in entry.findings for step in finding.related)
    named = dict.fromkeys(place(step.span) for step in steps if step.span is not None)
    places = [name for name in named if call is None or name != place(call)]
    more = [f"{len(places) - _MAX_CALLS} more"] * (len(places) > _MAX_CALLS)
    return "".join(f", {said}" for said in (*places[:_MAX_CALLS], *more))


def _step(step: Step) -> str:
    return step.text if step.span is None else f"{step.text} at {place(step.span)}"
