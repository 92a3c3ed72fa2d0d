"""The tables, lists and JSON of ``python -m rodinia score``; figures come from ``score``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field, to_builtins
from rich.console import Console

from drano.model.judgement import Verdict
from rodinia.measured.lines import AccessesByLine, Place, Said, Sources
from rodinia.pages import show
from rodinia.programs.manifest import Manifest
from rodinia.scoring.compare import describe
from rodinia.scoring.score import Kind, Measured, Score, ScoredLine, count, listed, without
from rodinia.scoring.sectors import Match, SectorLine

HEAVY = "myocyte"


class Judged(Struct, frozen=True):
    """One analysis, by name (a domain, or the original's mode), against both measurements.

    ``accesses`` and ``sectors`` are empty for the original, ``sectors`` and ``in_lines`` (the
    authors' runs by lines of 128 bytes, by number) for the paper's domain.
    """

    name: str
    hardware: tuple[ScoredLine, ...]
    authors: Mapping[str, tuple[ScoredLine, ...]]
    accesses: AccessesByLine
    sectors: tuple[SectorLine, ...] = ()
    in_lines: Mapping[str, Mapping[str, tuple[ScoredLine, ...]]] = field(default_factory=dict)


_SCORE_COLUMNS = (
    "analysis",
    "recall",
    "precision",
    "found",
    "of",
    "false alarms",
    "missed: unknown",
    "clean",
    "absent",
    "unknown",
    "of which uncoalesced / coalesced",
)


def _score_row(name: str, score: Score) -> tuple[show.Cell, ...]:
    unknown_of = score.unknown_of
    return (
        name,
        show.percent(score.found, score.uncoalesced),
        show.percent(score.found, score.found + score.false_alarms),
        score.found,
        score.uncoalesced,
        score.false_alarms,
        score.missed_unknown,
        score.missed_clean,
        score.missed_absent,
        f"{show.percent(score.unknown_open, score.decidable)} of {score.decidable}",
        f"{unknown_of.get(Measured.UNCOALESCED, 0)} / {unknown_of.get(Measured.COALESCED, 0)}",
    )


def report(console: Console, manifest: Manifest, judged: Sequence[Judged]) -> None:
    """Print all tables."""
    _hardware(console, judged)
    _programs(console, manifest, judged)
    _authors(console, judged)
    for analysis in judged:
        if analysis.sectors:
            _sectors(console, analysis)


def _hardware(console: Console, judged: Sequence[Judged]) -> None:
    lines = judged[0].hardware
    total = count(lines)
    rows = [_score_row(j.name, count(j.hardware)) for j in judged]
    title = (
        f"Hardware: {total.lines} lines, {total.uncoalesced} uncoalesced, "
        f"{total.coalesced} coalesced, {total.lines - total.decidable} data-dependent"
    )
    console.print(show.table(title, _SCORE_COLUMNS, rows))
    light = count(without(lines, HEAVY))
    if 0 < light.lines < total.lines:
        title = (
            f"Hardware without {HEAVY}: {light.lines} lines, {light.uncoalesced} uncoalesced, "
            f"{light.coalesced} coalesced"
        )
        rows = [_score_row(j.name, count(without(j.hardware, HEAVY))) for j in judged]
        console.print(show.table(title, _SCORE_COLUMNS, rows))


def _programs(console: Console, manifest: Manifest, judged: Sequence[Judged]) -> None:
    columns = ["program", "lines", "unco.", "coal.", "data-dep.", *(j.name for j in judged)]
    rows: list[list[show.Cell]] = []
    for program in manifest.programs:
        lines = [[x for x in j.hardware if x.truth.program == program.name] for j in judged]
        scores = [count(x) for x in lines]
        first = scores[0]
        if not first.lines:
            continue
        dependent = first.lines - first.decidable
        row: list[show.Cell] = [
            program.name,
            first.lines,
            first.uncoalesced,
            first.coalesced,
            dependent,
        ]
        row += [f"{x.found} / {x.false_alarms} / {x.unknown_open}" for x in scores]
        rows.append(row)
    title = "Hardware, by program: found / false alarms / unknown (not data-dependent)"
    console.print(show.table(title, columns, rows))


def _authors(console: Console, judged: Sequence[Judged]) -> None:
    for run in judged[0].authors:
        total = count(judged[0].authors[run])
        if not total.lines:
            continue
        rows = []
        for j in judged:
            rows.append(_score_row(j.name, count(j.authors[run])))
            for number, lines in j.in_lines.get(run, {}).items():
                rows.append(_score_row(f"{j.name}, {number} lines", count(lines)))
        title = (
            f"The authors' dynamic run, arrays {run}: {total.lines} lines, "
            f"{total.uncoalesced} of more than one line per warp"
        )
        console.print(show.table(title, _SCORE_COLUMNS, rows))


def _sectors(console: Console, analysis: Judged) -> None:
    decidable = _decidable(analysis)
    rows = [
        ("all", *_match_cells(analysis.sectors)),
        ("not data-dependent", *_match_cells(decidable)),
        ("of those, with a number from us", *_match_cells(_with_number(decidable))),
    ]
    columns = (
        "lines",
        "comparable",
        "exact",
        "strictly",
        "least",
        "within",
        "open",
        "absent",
        "outside",
        "exact share",
        "varies, not exact",
    )
    console.print(
        show.table(f"Sectors per request, {analysis.name}: known block shape", columns, rows)
    )


def _decidable(analysis: Judged) -> list[SectorLine]:
    dependent = {x.truth.place for x in analysis.hardware if x.truth.data_dependent}
    return [line for line in analysis.sectors if line.place not in dependent]


def _with_number(lines: Iterable[SectorLine]) -> list[SectorLine]:
    numberless = (Match.OPEN, Match.ABSENT)
    return [x for x in lines if all(g.match not in numberless for g in x.groups)]


def _match_cells(lines: Sequence[SectorLine]) -> tuple[show.Cell, ...]:
    matches = [line.match for line in lines]
    exact = sum(match <= Match.EXACT for match in matches)
    return (
        len(lines),
        exact,
        matches.count(Match.STRICT),
        matches.count(Match.LEAST),
        matches.count(Match.WITHIN),
        matches.count(Match.OPEN),
        matches.count(Match.ABSENT),
        matches.count(Match.OUTSIDE),
        show.percent(exact, len(lines)),
        sum(line.varies and line.match > Match.EXACT for line in lines),
    )


# --- lists: the developers' view ---------------------------------------------------------------


def print_list(console: Console, analysis: Judged, kind: Kind, sources: Sources) -> None:
    """The lines of one kind, each with its source, the measurement, and our accesses."""
    if kind is Kind.INEXACT:
        _print_inexact(console, analysis, sources)
        return
    lines = listed(analysis.hardware, kind)
    show.plain(console, f"\n{analysis.name}, {kind}: {len(lines)} lines")
    for line in lines:
        truth = line.truth
        mark = " data-dependent" if truth.data_dependent else ""
        show.plain(
            console,
            f"{truth.place} {truth.measured} {truth.ratio:.2f}{mark}, {line.said}: "
            f"{sources.text(truth.place)}",
        )
        show.plain(console, f"    measured: {truth.detail}")
        _print_accesses(console, analysis, truth.place, line.said)


def _print_accesses(console: Console, analysis: Judged, place: Place, said: Said) -> None:
    accesses = analysis.accesses.get(place, ())
    verdict = {Said.FLAGGED: Verdict.UNCOALESCED, Said.UNKNOWN: Verdict.UNKNOWN}.get(said)
    # A line flagged for a note only has no access of that verdict: then all are shown.
    wanted = [access for access in accesses if access.judgement.verdict is verdict] or accesses
    texts = {describe(access) for access in wanted}
    for text in sorted(texts):
        show.plain(console, f"    ours: {text}")


def _print_inexact(console: Console, analysis: Judged, sources: Sources) -> None:
    lines = [x for x in _decidable(analysis) if x.match > Match.EXACT]
    show.plain(console, f"\n{analysis.name}, inexact: {len(lines)} lines")
    for line in lines:
        varies = ", varies" if line.varies else ""
        name = line.match.name.lower()
        show.plain(console, f"{line.place} {name}{varies}: {sources.text(line.place)}")
        for group in line.groups:
            if group.match <= Match.EXACT:
                continue
            block = "x".join(map(str, group.block))
            predicted = "no number"
            if group.predicted:
                ends = group.predicted
                predicted = (
                    f"predicted {ends.least}-{ends.greatest}, "
                    f"means {ends.mean_least:.2f}-{ends.mean_expected:.2f}"
                )
            show.plain(
                console,
                f"    {group.match.name.lower()}: {group.kernel} {group.kind} {group.bytes} B "
                f"block {block}: measured {group.measured:.3f}, {predicted}",
            )
            for text in sorted({describe(access) for access in group.accesses}):
                show.plain(console, f"        ours: {text}")


# --- JSON --------------------------------------------------------------------------------------


def as_json(manifest: Manifest, judged: Sequence[Judged]) -> dict[str, object]:
    """All figures, and every measured line with every analysis's word."""
    return {"analyses": {analysis.name: _analysis_json(manifest, analysis) for analysis in judged}}


def _analysis_json(manifest: Manifest, analysis: Judged) -> dict[str, object]:
    decidable = _decidable(analysis)
    return {
        "hardware": _score_json(count(analysis.hardware)),
        f"hardware_without_{HEAVY}": _score_json(count(without(analysis.hardware, HEAVY))),
        "programs": {
            program.name: _score_json(
                count([x for x in analysis.hardware if x.truth.program == program.name])
            )
            for program in manifest.programs
        },
        "authors": {run: _score_json(count(lines)) for run, lines in analysis.authors.items()},
        "authors_in_lines": {
            run: {number: _score_json(count(lines)) for number, lines in numbers.items()}
            for run, numbers in analysis.in_lines.items()
        },
        "sectors": {
            "all": _matches_json(analysis.sectors),
            "not_data_dependent": _matches_json(decidable),
            "with_number": _matches_json(_with_number(decidable)),
        },
        "lines": [
            {
                "file": line.truth.place.file,
                "line": line.truth.place.line,
                "measured": str(line.truth.measured),
                "ratio": round(line.truth.ratio, 4),
                "data_dependent": line.truth.data_dependent,
                "said": str(line.said),
            }
            for line in analysis.hardware
        ],
        "requests": [
            {
                "file": line.place.file,
                "line": line.place.line,
                "kernel": group.kernel,
                "kind": group.kind,
                "bytes": group.bytes,
                "block": list(group.block),
                "measured": round(group.measured, 4),
                "predicted": to_builtins(group.predicted) if group.predicted else None,
                "match": group.match.name.lower(),
            }
            for line in analysis.sectors
            for group in line.groups
        ],
    }


def _score_json(score: Score) -> dict[str, object]:
    return {
        "lines": score.lines,
        "uncoalesced": score.uncoalesced,
        "coalesced": score.coalesced,
        "found": score.found,
        "false_alarms": score.false_alarms,
        "missed_unknown": score.missed_unknown,
        "missed_clean": score.missed_clean,
        "missed_absent": score.missed_absent,
        "recall": score.recall,
        "precision": score.precision,
        "decidable": score.decidable,
        "unknown": score.unknown_open,
        "unknown_share": score.unknown_share,
        "unknown_of": {str(kind): number for kind, number in score.unknown_of.items()},
    }


def _matches_json(lines: Sequence[SectorLine]) -> dict[str, object]:
    matches = [line.match for line in lines]
    exact = sum(match <= Match.EXACT for match in matches)
    figures: dict[str, object] = {m.name.lower(): matches.count(m) for m in Match}
    return {"lines": len(lines), **figures, "exact_share": show.share(exact, len(lines))}
